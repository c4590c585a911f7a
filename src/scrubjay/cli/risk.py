"""`scrubjay risk`: what would leak, with bounds, and for whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._corpora import (
    FormatOption,
    GoldArgument,
    LabelMapOption,
    LabelSetOption,
    PredictedArgument,
    PredictedFormatOption,
    UnpairedOption,
)
from scrubjay.cli._options import Confidence, PatientKey
from scrubjay.cli._report import (
    DeterminationOption,
    FactsOption,
    HtmlOption,
    JsonOption,
    ShowTextOption,
)

if TYPE_CHECKING:
    from scrubjay.analysis.probe_terms import TermReport
    from scrubjay.evaluation.reading import PairedCorpora
    from scrubjay.evaluation.risk_meter import RiskMeter

NO_TERMS = "none"


def risk(
    gold: GoldArgument,
    predicted: PredictedArgument,
    json_file: JsonOption = "",
    html: HtmlOption = None,
    show_text: ShowTextOption = False,
    determination: DeterminationOption = None,
    facts: FactsOption = None,
    patient_key: PatientKey = "",
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY|id:REGEX|origin",
            help="Recall by group: a metadata entry or column, a pattern for the id, or the "
            "origin of names; may be repeated.",
        ),
    ] = None,
    direct: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="TOML file with the direct identifiers (those of the label set).",
        ),
    ] = None,
    terms: Annotated[
        str,
        typer.Option(
            metavar="LANGUAGE|FILE|none",
            help="Count clinical terms taken for PHI, by these probes (those of the label set's "
            "language).",
        ),
    ] = "",
    sample_size: Annotated[
        float,
        typer.Option(metavar="RECALL", help="Show how much must be checked to claim this recall."),
    ] = 0.99,
    confidence: Confidence = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the bootstrap.")] = 0,
    format: FormatOption = "",
    predicted_format: PredictedFormatOption = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    unpaired: UnpairedOption = "error",
) -> None:
    """Tell what would leak: label-blind recall, documents and patients, bounds, groups.

    A leak is a letter or digit of gold that no predicted span covers. JSON lists every leak with
    its document and offsets. Every figure is defined in docs/risk.md; the audit of a run whose
    gold nobody knows is `scrubjay audit`.
    """
    from scrubjay.analysis.probe_sets import find_probes
    from scrubjay.cli._corpora import read_pairs, require_gold
    from scrubjay.cli._report import plan_report, read_facts, write_determination, write_report
    from scrubjay.evaluation.direct import find_direct_labels
    from scrubjay.evaluation.groups import find_grouping
    from scrubjay.evaluation.risk_meter import RiskMeter
    from scrubjay.reports.risk import compose_risk, risk_tables

    inputs = (gold, predicted, *((direct,) if direct is not None else ()))
    files = plan_report(json_file, html, inputs=inputs)
    given = read_facts(determination, facts, files=files, inputs=inputs)
    if terms not in ("", NO_TERMS):
        find_probes(terms)
    pairs = read_pairs(
        gold,
        predicted,
        format=format,
        predicted_format=predicted_format,
        label_set=label_set,
        label_map=label_map,
        unpaired=unpaired,
    )
    meter = RiskMeter(
        pairs,
        direct=find_direct_labels(pairs.label_set, file=direct),
        patient_key=patient_key,
        groupings=[
            find_grouping(key, label_set=pairs.label_set) for key in dict.fromkeys(group or ())
        ],
        confidence=confidence,
        claim=sample_size,
        show_text=show_text,
        seed=seed,
    )
    found = _count_terms(meter, terms, pairs)
    measured = meter.risk()
    require_gold(
        gold,
        documents=measured.leakage.documents.units,
        spans=measured.leakage.mentions,
        left_out=sum(measured.outside.values()),
        format=format,
    )
    names = (("gold", gold.name), ("predicted", predicted.name))
    if determination is not None:
        write_determination(measured, given, determination)
    write_report(
        files,
        figures=lambda: measured.record() | {"terms": None if found is None else found.record()},
        page=lambda: compose_risk(measured, terms=found, facts=names),
        tables=lambda: risk_tables(measured, terms=found),
    )


def _count_terms(meter: RiskMeter, named: str, pairs: PairedCorpora) -> TermReport | None:
    """Measure all pairs; in the same pass count clinical terms, where their language is known."""
    from scrubjay.analysis.probe_sets import find_probes, probe_languages
    from scrubjay.analysis.probe_terms import count_terms

    language = "" if pairs.label_set is None else pairs.label_set.language
    if not named:
        named = language if language in probe_languages() else NO_TERMS
    if named != NO_TERMS:
        return count_terms(meter, find_probes(named))
    for _ in meter:
        pass
    return None
