"""`scrubjay agreement`: how far annotators of the same documents agree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._annotators import AnnotatorArguments, LabelMapOption, LabelSetOption
from scrubjay.cli._report import HtmlOption, JsonOption, ShowTextOption

if TYPE_CHECKING:
    from scrubjay.analysis.consistency import ConsistencyReport
    from scrubjay.document import Document


def agreement(
    annotators: AnnotatorArguments,
    json_file: JsonOption = "",
    html: HtmlOption = None,
    show_text: ShowTextOption = False,
    tokenizer: Annotated[
        str, typer.Option(metavar="NAME", help="Whose tokens kappa is counted over.")
    ] = "wi-deid",
    consistency: Annotated[
        bool,
        typer.Option(
            "--consistency", help="Find strings that an annotator marked here and not there, too."
        ),
    ] = False,
    ignore_case: Annotated[
        bool, typer.Option("--ignore-case", help="Take strings that differ in case for one.")
    ] = False,
    top: Annotated[
        int, typer.Option(min=1, help="How many strings each table of consistency shows.")
    ] = 20,
    examples: Annotated[
        int, typer.Option(min=0, help="How many disagreements are listed in JSON and the report.")
    ] = 500,
    format: Annotated[str, typer.Option(help="The format of all annotators (detected).")] = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    unpaired: Annotated[
        str,
        typer.Option(
            metavar="error|skip",
            help="Documents that not all annotators have: an error, or compared between those "
            "who have them.",
        ),
    ] = "error",
) -> None:
    """Measure how far annotators of the same documents agree.

    F1 over spans by label, kappa over tokens, and what kinds of disagreements there are, for
    each two annotators. Every figure is defined in docs/agreement.md.
    """
    from scrubjay.analysis.adjudication import CONTEXT
    from scrubjay.analysis.disagreements import CaseCounter
    from scrubjay.cli._annotators import open_panel
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.evaluation.agreement import measure_agreement, to_json
    from scrubjay.reports.agreement import agreement_tables, compose_agreement
    from scrubjay.text.tokenizers import make_tokenizer

    panel = open_panel(
        annotators, format=format, label_set=label_set, label_map=label_map, unpaired=unpaired
    )
    files = plan_report(json_file, html, inputs=annotators)
    cases = CaseCounter(most=examples, context=CONTEXT if show_text else None)
    report = measure_agreement(
        panel, documents=cases.watch(panel), tokenizer=make_tokenizer(tokenizer)
    )
    checks: dict[str, ConsistencyReport] = {}
    if consistency:
        for name, path in zip(panel.names, annotators, strict=True):
            checks[name] = _check(path, format, label_map, ignore_case, show_text)
    write_report(
        files,
        figures=lambda: {
            **to_json(report),
            "disagreements": dict(sorted(cases.kinds.items())),
            "cases": [case.record() for case in cases.cases],
            "consistency": {name: check.to_json() for name, check in checks.items()},
        },
        page=lambda: compose_agreement(report, cases, checks, most=top),
        tables=lambda: agreement_tables(report, cases, checks, most=top),
    )


def _check(
    path: Path, format: str, label_map: str, ignore_case: bool, show_text: bool
) -> ConsistencyReport:
    from scrubjay.analysis.consistency import check_consistency
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.reading import Relabelling
    from scrubjay.labels import parse_label_map

    def read() -> Iterable[Document]:
        return Relabelling(parse_label_map(label_map))(read_corpus(path, format=format or None))

    return check_consistency(read, case="ignore" if ignore_case else "exact", show_text=show_text)
