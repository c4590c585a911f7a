"""The commands of `scrubjay project` about audits: draw, watch, sign, verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._options import (
    AsJson,
    Confidence,
    CorpusFormat,
    MarkLabels,
    SampleSeed,
    SampleSize,
)
from scrubjay.cli._project import Folder, print_json, show_facts

if TYPE_CHECKING:
    from scrubjay.evaluation.bounds import Share


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("audit")(audit)
    app.command("audit-status")(audit_status)
    app.command("sign")(sign)
    app.command("verify")(verify)


def audit(
    project: Folder,
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS", help="The originals of a run, with the spans that it removed."
        ),
    ],
    documents: SampleSize,
    reviewer: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A reviewer; repeatable.")
    ] = None,
    label_set: MarkLabels = "i2b2-2014",
    seed: SampleSeed = 0,
    stratify: Annotated[
        str, typer.Option(metavar="KEY|id:REGEX", help="Draw from each group in proportion.")
    ] = "",
    at_least: Annotated[
        int, typer.Option(metavar="N", min=0, help="Draw so many of each group at least.")
    ] = 0,
    format: CorpusFormat = "",
) -> None:
    """Make a project of a random sample of a run, for reviewers to mark what leaked.

    They add what was missed and delete what is no PHI; audit-status tells what that shows.
    """
    from scrubjay.review.project import Project

    made = Project.create_audit(
        project, corpus, documents=documents, labels=label_set, seed=seed, stratify=stratify,
        at_least=at_least, format=format or None,
    )  # fmt: skip
    with made:
        for name in reviewer or []:
            made.add_annotator(name)
        found = made.auditing.progress()
    typer.echo(f"{found.sampled} of {found.frame_documents} documents to review in {project}")


def audit_status(project: Folder, confidence: Confidence = 0.95, as_json: AsJson = False) -> None:
    """Tell what the reviewed part of a sample shows so far, with exact intervals."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.auditing.progress(confidence=confidence)
    if as_json:
        print_json(found)
        return
    most = "-" if found.most_leaking is None else str(found.most_leaking)
    show_facts(
        str(project),
        [
            ("documents of the run", found.frame_documents),
            ("reviewed", f"{found.reviewed} of {found.sampled}"),
            ("leaks", found.leaks),
            ("of these direct identifiers", found.direct_leaks),
            ("over-redacted", found.over_redacted),
            ("recall", _share(found.recall)),
            ("documents that leak", _share(found.leaking)),
            ("leaking documents of the run, at most", most),
        ],
    )


def _share(share: Share | None) -> str:
    if share is None or share.value is None:
        return "-"
    low, high = share.interval.low, share.interval.high
    return f"{share.value:.4f} [{low:.4f}, {high:.4f}] ({share.events} of {share.trials})"


def sign(
    project: Folder,
    key: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="An Ed25519 private key (PEM), or a secret of 16 bytes or more.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE.json", help="The report; a page is written beside it.", show_default=False
        ),
    ],
    confidence: Confidence = 0.95,
    overwrite: Annotated[bool, typer.Option(help="Replace a report that is there.")] = False,
) -> None:
    """Write the signed report of an audit, as JSON and as an HTML page of the same name."""
    from scrubjay.cli._keys import warn_of_open_keys
    from scrubjay.cli._output import require_writable
    from scrubjay.errors import OutputError
    from scrubjay.files import write_whole
    from scrubjay.reports.html import require_renderer
    from scrubjay.review.project import Project
    from scrubjay.review.signing import read_signer

    page = out.with_suffix(".html")
    if page == out:
        raise OutputError("must be the name of the JSON file", path=out, hint="report.json")
    for path in (out, page):
        require_writable(path, (project, key))
        if path.exists() and not overwrite:
            raise OutputError("is there already", path=path, hint="Name another, or --overwrite")
    require_renderer()
    warn_of_open_keys(key)
    with Project.open(project) as opened:
        report = opened.auditing.sign(read_signer(key), confidence=confidence)
    write_whole(page, report.html, private=True)
    write_whole(out, json.dumps(report.record, indent=1) + "\n", private=True)
    signature = report.record["signature"]
    typer.echo(f"{out} and {page.name}: signed by {signature['algorithm']} {signature['key']}")


def verify(
    report: Annotated[Path, typer.Argument(metavar="FILE.json", help="The signed report.")],
    key: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="The public key (PEM), or the secret.", show_default=False
        ),
    ],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The page, to be verified, too.")
    ] = None,
) -> None:
    """Tell whether a signed report is as it was when it was signed."""
    from scrubjay.files import read_bytes
    from scrubjay.review.signing import read_report, read_verifier, verify_report

    page = read_bytes(html) if html is not None else None
    found = verify_report(read_report(report), read_verifier(key), html=page)
    typer.echo(f"as it was signed by {found['algorithm']} {found['key']}")
