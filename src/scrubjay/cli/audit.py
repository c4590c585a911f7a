"""`scrubjay audit`: check a sample of a run by hand, and read what it allows to claim."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli._options import Confidence, CorpusFormat, SampleSeed, SampleSize
from scrubjay.cli._report import HtmlOption, JsonOption

app = typer.Typer()


@app.command()
def size(
    claim: Annotated[float, typer.Option(metavar="RECALL", help="The recall to claim.")] = 0.99,
    confidence: Confidence = 0.95,
    mentions_per_document: Annotated[
        float | None,
        typer.Option(help="PHI in a document, on average: gives the number of documents."),
    ] = None,
    design_effect: Annotated[
        float,
        typer.Option(help="How much mentions of one document depend on each other (risk tells)."),
    ] = 1.0,
    expected_recall: Annotated[
        float | None,
        typer.Option(help="The recall you expect: gives the chance that the sample shows it."),
    ] = None,
    json_file: JsonOption = "",
) -> None:
    """Tell how many mentions and documents must be checked to claim a recall.

    One row for each number of misses that are allowed; all rows back the same claim.
    """
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.evaluation.bounds import sample_sizes
    from scrubjay.reports.blocks import Page
    from scrubjay.reports.risk import size_table

    files = plan_report(json_file, None, inputs=())
    sizes = sample_sizes(
        claim,
        confidence=confidence,
        mentions_per_document=mentions_per_document,
        design_effect=design_effect,
        expected_recall=expected_recall,
    )
    write_report(
        files,
        figures=lambda: {
            "format_version": 1,
            "design_effect": design_effect,
            "sample_sizes": [one.record() for one in sizes],
        },
        page=lambda: Page("Sample sizes", (), (size_table(sizes),)),
        tables=lambda: (size_table(sizes),),
    )


@app.command()
def plan(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="All documents of the run, with its spans.", show_default=False
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="The worksheet: .csv or .jsonl.", show_default=False),
    ],
    documents: SampleSize,
    seed: SampleSeed = 0,
    stratify: Annotated[
        str,
        typer.Option(
            metavar="KEY|id:REGEX",
            help="Draw from each group in proportion: a metadata entry or column, or a pattern "
            "for the id whose first group it is.",
        ),
    ] = "",
    at_least: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Draw so many of each group at least (or all)."),
    ] = 0,
    format: CorpusFormat = "",
    json_file: JsonOption = "",
) -> None:
    """Draw documents of a run and write a worksheet to fill; it holds ids and numbers, no text.

    PATH is what `scrubjay annotate --propagate` wrote, whose spans are those that deid removes, or
    any corpus of the run with its spans. In the worksheet write for each document how many
    mentions are left (leaks), how many of these are direct identifiers (direct_leaks), and if you
    can how many predicted spans are no PHI (over_redacted).
    """
    from scrubjay.analysis._sheets import require_sheet_name
    from scrubjay.analysis.audit import write_audit_sheet
    from scrubjay.cli._output import require_writable
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.errors import OutputError, tell_install
    from scrubjay.evaluation.sampling import draw_sample, read_frame, require_predicted
    from scrubjay.reports.blocks import Page
    from scrubjay.reports.risk import plan_table

    files = plan_report(json_file, None, inputs=(corpus,))
    require_sheet_name(out)
    require_writable(out, (corpus,))
    if out.exists():
        raise OutputError(
            "exists already, and what was filled in it would be lost",
            path=out,
            hint="Name another file, or remove this one",
        )
    if files.json is not None and files.json.resolve() == out.resolve():
        raise OutputError("is named for JSON and for the worksheet", path=out, hint="Name two")
    frame = read_frame(read_corpus(corpus, format=format or None), stratify=stratify)
    require_predicted(frame, path=corpus)
    drawn = draw_sample(frame, documents, seed=seed, at_least=at_least)
    write_audit_sheet(out, drawn)
    write_report(
        files,
        figures=drawn.record,
        page=lambda: Page("Sample", (), (plan_table(drawn),)),
        tables=lambda: (plan_table(drawn),),
    )
    if find_spec("scipy") is None:
        typer.echo(
            "note: audit read, which takes the filled worksheet, needs the extra 'report': the "
            f"package 'scipy' is not installed. {tell_install('report')}",
            err=True,
        )


@app.command()
def read(
    sheet: Annotated[
        Path, typer.Argument(metavar="FILE", help="The filled worksheet.", show_default=False)
    ],
    frame: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="The corpus of the run: every row is checked against it."
        ),
    ] = None,
    confidence: Confidence = 0.95,
    json_file: JsonOption = "",
    html: HtmlOption = None,
    format: Annotated[str, typer.Option(help="The format of --frame (auto-detected).")] = "",
) -> None:
    """Read a filled worksheet back: documents that leak in the sample, and at most in the run.

    Every row must be filled, and its other cells as `audit plan` wrote them. It needs the extra
    `report`.
    """
    from scrubjay.analysis.audit import read_audit_sheet, require_frame
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.reports.risk import audit_tables, compose_audit

    inputs = (sheet, *((frame,) if frame is not None else ()))
    files = plan_report(json_file, html, inputs=inputs)
    found = read_audit_sheet(sheet, confidence=confidence)
    if frame is not None:
        require_frame(found, read_corpus(frame, format=format or None), path=frame)
    write_report(
        files,
        figures=found.record,
        page=lambda: compose_audit(found, facts=(("worksheet", sheet.name),)),
        tables=lambda: audit_tables(found),
    )
