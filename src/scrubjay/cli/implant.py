"""`scrubjay implant`: synthetic PHI in unannotated or de-identified text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._options import NamesHalf, OwnLists, Permissions, read_own_lists

if TYPE_CHECKING:
    from scrubjay.document import Document


def implant(
    carrier: Annotated[
        Path,
        typer.Argument(
            metavar="CARRIER",
            help="Text without annotations: a file or folder.",
            show_default=False,
        ),
    ],
    language: Annotated[str, typer.Option(metavar="LANG", help="The language of the text.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where to write; a container may be a file.")
    ],
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same PHI.")] = 0,
    format: Annotated[
        str, typer.Option(metavar="brat|jsonl", help="The format to write.")
    ] = "brat",
    rate: Annotated[
        float,
        typer.Option(metavar="SHARE", help="The chance that a place where PHI fits gets some."),
    ] = 0.5,
    model: Annotated[
        str, typer.Option(metavar="NAME|FOLDER", help="Also ignore what this model finds.")
    ] = "",
    names: NamesHalf = "all",
    names_file: OwnLists = None,
    carrier_format: Annotated[
        str, typer.Option(help="The format of the carrier (auto-detected).")
    ] = "",
    permissions: Permissions = "private",
) -> None:
    """Put synthetic PHI into text that has no annotations, such as notes already de-identified.

    Placeholders become PHI of the fitting label, sentences get names, dates and places, and
    headers, signatures and whole sentences come between paragraphs. What looks real and has no
    label is marked as a region that training ignores; see docs/synthesis.md.
    """
    from scrubjay.cli._output import tell_passed
    from scrubjay.corpora import read_corpus, write_corpus
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.corpora.regions import HOLDING
    from scrubjay.errors import ConfigError, counted
    from scrubjay.models import load_model
    from scrubjay.synthesis.implanting import implant as implant_phi

    if format not in HOLDING:
        raise ConfigError(
            f"the format {format!r} cannot hold regions to ignore",
            hint=f"Give --format {' or '.join(sorted(HOLDING))}",
        )
    counts = {"documents": 0, "PHI": 0, "characters": 0, "ignored": 0}
    passed = PassedOver()
    documents = implant_phi(
        read_corpus(carrier, format=carrier_format or None, passed=passed),
        language,
        seed,
        rate=rate,
        names=names,
        own=read_own_lists(names_file or ()),
        detector=load_model(model) if model else None,
    )
    stream = _counting(documents, counts)
    write_corpus(
        stream, out, format=format, inputs=[carrier], name="implanted", permissions=permissions
    )
    share = counts["ignored"] / max(1, counts["characters"])
    typer.echo(
        f"{counted(counts['documents'], 'document')}, {counts['PHI']:,} PHI, training ignores "
        f"{share:.1%} of the text -> {out}",
        err=True,
    )
    tell_passed(passed)


def _counting(documents: Iterable[Document], counts: dict[str, int]) -> Iterator[Document]:
    """Yield the documents, and count what they hold."""
    from scrubjay.corpora.regions import left_out

    for document in documents:
        counts["documents"] += 1
        counts["PHI"] += len(document.spans)
        counts["characters"] += len(document.text)
        counts["ignored"] += sum(end - start for start, end in left_out(document))
        yield document
