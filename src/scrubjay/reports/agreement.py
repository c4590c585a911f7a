"""The report of `scrubjay agreement`: F1 by label, kappa, disagreements, consistency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.analysis.consistency import ConsistencyReport, Inconsistency
from scrubjay.analysis.disagreements import KINDS, Case, CaseCounter
from scrubjay.analysis.plots import draw_bars
from scrubjay.evaluation.agreement import (
    AgreementReport,
    LabelAgreement,
    MeanAgreement,
    PairAgreement,
)
from scrubjay.evaluation.counts import show_ratio
from scrubjay.evaluation.kappa import TokenKappa
from scrubjay.reports.blocks import Block, Example, Examples, Figure, Page, Prose, Section, Table

ROWS_SHOWN = 20
"""How many strings the tables of consistency show, where no other number is asked for."""


def agreement_tables(
    report: AgreementReport,
    cases: CaseCounter,
    checks: Mapping[str, ConsistencyReport] | None = None,
    *,
    most: int = ROWS_SHOWN,
) -> tuple[Table, ...]:
    """Return the tables for a screen; `most` bounds the rows of each table of consistency."""
    tables = [_annotators(report), *_span_tables(report), _kappa(report), _kinds(cases)]
    for name, check in (checks or {}).items():
        tables += consistency_tables(check, name, most=most)
    return tuple(table for table in tables if table.rows)


def compose_agreement(
    report: AgreementReport,
    cases: CaseCounter,
    checks: Mapping[str, ConsistencyReport] | None = None,
    *,
    most: int = ROWS_SHOWN,
) -> Page:
    """Return the page; it holds text of documents only where the cases or checks hold it."""
    blocks: list[Block] = [
        Section("Annotators", (_annotators(report),)),
        Section("Agreement on spans", (Prose(_SPANS), *_figures(report), *_span_tables(report))),
        Section("Agreement on tokens", (Prose(_TOKENS), _kappa(report))),
        Section("Disagreements", (Prose(_CASES), _kinds(cases), *_examples(report, cases))),
    ]
    for name, check in (checks or {}).items():
        tables = consistency_tables(check, name, most=most)
        blocks.append(Section(f"Consistency of {name}", (Prose(_CONSISTENCY), *tables)))
    facts = (
        ("annotators", ", ".join(report.annotators)),
        ("documents", str(report.documents)),
        ("label set", report.label_set or "none"),
        ("tokens by", report.tokenizer),
        *((f"left out, {label}", str(size)) for label, size in report.outside),
    )
    found = [one for check in (checks or {}).values() for one in (*check.unmarked, *check.labels)]
    return Page("Agreement", facts, tuple(blocks), any(one.text for one in found))


def consistency_tables(
    check: ConsistencyReport, name: str, *, most: int = ROWS_SHOWN
) -> tuple[Table, ...]:
    """Return the strings that are marked here and not there, and those with several labels."""
    unmarked = Table(
        _bounded(f"Not marked everywhere, {name}", len(check.unmarked), most),
        ("string", "labels", "first place", "marked", "not", "partly", "documents with both"),
        tuple(
            (
                _string(one),
                _labels(one),
                _place(one),
                *map(str, (one.marked, one.unmarked, one.partly, one.documents_both)),
            )
            for one in check.unmarked[:most]
        ),
        text_columns=3,
    )
    labels = Table(
        _bounded(f"With several labels, {name}", len(check.labels), most),
        ("string", "labels", "first place of the rarest", "marked"),
        tuple(
            (_string(one), _labels(one), _rarest(one), str(one.marked))
            for one in check.labels[:most]
        ),
        text_columns=3,
    )
    return tuple(table for table in (unmarked, labels) if table.rows)


def _bounded(title: str, size: int, most: int) -> str:
    return f"{title} ({most} of {size})" if size > most else title


def _string(one: Inconsistency) -> str:
    return one.text or one.shape


def _labels(one: Inconsistency) -> str:
    return ", ".join(f"{label} {size}" for label, size in one.labels)


def _place(one: Inconsistency) -> str:
    first = one.unmarked_places[0]
    return f"{first.document} {first.start}-{first.end}"


def _rarest(one: Inconsistency) -> str:
    rarest = one.labels[-1][0]
    found = [place for place in one.marked_places if place.label == rarest]
    return f"{found[0].document} {found[0].start}-{found[0].end}" if found else ""


def _annotators(report: AgreementReport) -> Table:
    rows = zip(report.annotators, map(str, report.spans), map(str, report.alone), strict=True)
    return Table(
        f"Annotators of {report.documents} documents",
        ("annotator", "spans", "documents nobody else has"),
        tuple(rows),
    )


def _span_tables(report: AgreementReport) -> list[Table]:
    tables = [_pair(pair) for pair in report.pairs]
    if len(tables) > 1:
        header = ("label", "strict F", "relaxed F", "overlap F", "token kappa")
        rows = tuple((row.label, *map(show_ratio, _mean_figures(row))) for row in report.means)
        tables.insert(0, Table("Mean of all pairs", header, rows))
    return tables


def _mean_figures(row: MeanAgreement) -> tuple[float | None, ...]:
    return row.strict, row.relaxed, row.overlap, row.kappa


def _pair(pair: PairAgreement) -> Table:
    names = (f"spans of {pair.first}", f"spans of {pair.second}")
    header = ("label", *names, "agree", "strict F", "relaxed F", "overlap F", "kappa")
    return Table(
        f"{pair.first} and {pair.second}, {pair.documents} documents",
        header,
        tuple(map(_label_row, (*pair.labels, pair.all_labels, pair.any_label))),
    )


def _label_row(row: LabelAgreement) -> tuple[str, ...]:
    counts = (row.strict.first, row.strict.second, row.strict.first_matched)
    figures = (row.strict.f1, row.relaxed.f1, row.overlap.f1, row.kappa)
    return (row.label, *map(str, counts), *map(show_ratio, figures))


def _kappa(report: AgreementReport) -> Table:
    rows: list[tuple[str, ...]] = [
        (f"{pair.first} and {pair.second}", *_kappa_row(pair.tokens)) for pair in report.pairs
    ]
    if len(rows) > 1:
        rows.append(("mean of all pairs", "", "", *_kappa_row(report.mean_kappa)[2:]))
    if report.fleiss is not None:
        name = f"Fleiss, {report.shared_documents} documents"
        rows.append((name, *_kappa_row(report.fleiss)))
    return Table(
        f"Kappa over tokens ({report.tokenizer})",
        ("annotators", "tokens", "marked", "all tokens", "marked tokens", "PHI or not"),
        tuple(rows),
    )


def _kappa_row(kappa: TokenKappa) -> tuple[str, ...]:
    figures = (kappa.all, kappa.among_marked, kappa.any_label)
    return (str(kappa.tokens), str(kappa.marked), *map(show_ratio, figures))


def _kinds(cases: CaseCounter) -> Table:
    rows = tuple((kind, str(cases.kinds[kind])) for kind in KINDS if cases.kinds[kind])
    return Table("Disagreements", ("kind", "number"), rows)


def _figures(report: AgreementReport) -> list[Figure]:
    bars = {row.label: row.strict for row in report.means if row.strict is not None}
    if not bars:
        return []
    title = "Strict F1 by label" + (", mean of all pairs" if len(report.pairs) > 1 else "")
    return [Figure(title, draw_bars(title, bars, x="F1"))]


def _examples(report: AgreementReport, cases: CaseCounter) -> list[Block]:
    if not cases.cases:
        return []
    whole = cases.kinds.total()
    shown = "All" if len(cases.cases) == whole else f"The first {len(cases.cases)} of {whole}"
    note = (
        f"{shown} disagreements. Left of the arrow is the label of {report.annotators[0]}, right "
        f"of it that of {' | '.join(report.annotators[1:])}."
    )
    count = len(report.annotators)
    examples = tuple(_example(case, count) for case in cases.cases)
    return [Prose(note), Examples("Disagreements", examples)]


def _example(case: Case, annotators: int) -> Example:
    labels = dict(zip(case.annotators, case.labels, strict=True))
    others: Sequence[str] = [labels.get(number, "no document") for number in range(1, annotators)]
    return Example(
        document=case.document,
        start=case.start,
        end=case.end,
        kind=case.kind,
        gold_label=labels.get(0, "no document"),
        predicted_label=" | ".join(label or "-" for label in others) if any(others) else "",
        shape=case.shape,
        before=case.before,
        text=case.text,
        after=case.after,
    )


_SPANS = (
    "F is the share of both annotators' spans that have a partner with the other; in strict mode "
    "it is F1 with either annotator as gold. Strict: start, end and label are equal. Relaxed: the "
    "ends may differ by 2 characters. Overlap: the label is equal and a character is shared. The "
    'row "any label" leaves labels out.'
)
_TOKENS = (
    "Kappa is the agreement beyond what chance would give, with each label a category and no "
    "label another. Most tokens of a note are marked by nobody, so kappa over all tokens is high "
    "almost always; over the tokens that anyone marked it tells whether the labels are the same."
)
_CASES = (
    "Spans that overlap, of whichever annotator, are one case. Missing: an annotator marked "
    "nothing there. Label: the same borders with other labels. Extent: the same labels with "
    "other borders."
)
_CONSISTENCY = (
    "Strings that this annotator marked in one place and not in another, and strings with several "
    "labels. Those marked almost everywhere come first: there a miss is most likely."
)
