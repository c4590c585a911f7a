"""`scrubjay adjudicate`: a worksheet of disagreements, and the corpus that is decided on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._annotators import AnnotatorArguments, LabelMapOption, LabelSetOption
from scrubjay.cli._options import Existing, InputFormat, Permissions
from scrubjay.cli._report import ShowTextOption

if TYPE_CHECKING:
    from scrubjay.evaluation.annotators import Panel


def adjudicate(
    annotators: AnnotatorArguments,
    worksheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the disagreements there, as CSV or JSON lines."),
    ] = None,
    prefill: Annotated[
        str,
        typer.Option(
            metavar="nothing|risk-averse",
            help="Decisions that are there already: risk-averse lets stand what one alone marked.",
        ),
    ] = "nothing",
    show_text: ShowTextOption = False,
    decisions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A worksheet that has been filled.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the adjudicated corpus goes.")
    ] = None,
    format: Annotated[
        str, typer.Option(help="The format to write (that of the first annotator).")
    ] = "",
    source_format: InputFormat = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    existing: Existing = "error",
    permissions: Permissions = "private",
) -> None:
    """Decide where annotators disagree, and write the corpus that comes of it.

    First --worksheet writes the disagreements. Each row is to be filled: the letter of the
    annotator who is right, own with the right spans, or none. Then --decisions with --out writes
    the adjudicated corpus. Columns and rules are described in docs/agreement.md.
    """
    from scrubjay.cli._annotators import open_panel
    from scrubjay.errors import ConfigError

    if (worksheet is None) == (decisions is None):
        raise ConfigError(
            "either a worksheet is written or decisions are read",
            hint="Give --worksheet FILE first, then --decisions FILE with --out DIR",
        )
    panel = open_panel(
        annotators, format=source_format, label_set=label_set, label_map=label_map, can_skip=False
    )
    if worksheet is not None:
        _write(panel, annotators, worksheet, prefill, show_text)
        return
    if out is None:
        raise ConfigError("decisions need a place for the corpus", hint="Name it with --out DIR")
    assert decisions is not None
    _apply(panel, annotators, decisions, out, format or source_format, existing, permissions)


def _write(
    panel: Panel, annotators: Sequence[Path], worksheet: Path, prefill: str, show_text: bool
) -> None:
    from scrubjay.analysis.adjudication import require_prefill, write_worksheet
    from scrubjay.cli._output import require_writable
    from scrubjay.errors import OutputError, counted

    require_writable(worksheet, annotators)
    if worksheet.exists():
        raise OutputError(
            "exists already, and decisions in it would be lost",
            path=worksheet,
            hint="Name another file, or remove this one",
        )
    policy = require_prefill(prefill)
    cases = write_worksheet(panel, worksheet, prefill=policy, show_text=show_text)
    typer.echo(f"{counted(cases, 'disagreement')} -> {worksheet}", err=True)


def _apply(
    panel: Panel,
    annotators: Sequence[Path],
    decisions: Path,
    out: Path,
    format: str,
    existing: str,
    permissions: str,
) -> None:
    from scrubjay.analysis.adjudication import Adjudication, read_decisions
    from scrubjay.corpora import detect_format, write_corpus
    from scrubjay.corpora.registry import find_format
    from scrubjay.errors import ConfigError, counted

    kind = find_format(format or detect_format(annotators[0]))
    if not kind.holds_spans:
        raise ConfigError(
            f"the format {kind.name!r} holds no spans, so the decisions would be lost",
            hint="Name another with --format, such as jsonl or brat",
        )
    found = read_decisions(decisions, annotators=len(panel.names), label_set=panel.label_set)
    adjudication = Adjudication(panel, found)
    write_corpus(
        adjudication,
        out,
        format=kind.name,
        inputs=(*annotators, decisions),
        existing=existing,
        permissions=permissions,
    )
    choices = ", ".join(
        f"{choice} {size:,}" for choice, size in sorted(adjudication.choices.items())
    )
    typer.echo(
        f"{counted(adjudication.documents, 'document')}, {counted(len(found), 'decision')}"
        f"{f' ({choices})' if choices else ''} -> {out}",
        err=True,
    )
