"""The report of `scrubjay compare`: systems with intervals, tests between them, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scrubjay.analysis._samples import Shown
from scrubjay.analysis.changes import CHANGE_KINDS, Change, Changes
from scrubjay.analysis.plots import draw_interval_bars
from scrubjay.document import Span
from scrubjay.evaluation.comparison import (
    FEW_DOCUMENTS,
    OVERALL,
    STRICT,
    TOKENS,
    Score,
    SystemComparison,
    SystemScores,
)
from scrubjay.evaluation.counts import show_ratio
from scrubjay.reports.blocks import Block, Example, Examples, Figure, Page, Prose, Section, Table
from scrubjay.reports.errors import on_a_line, tell_choice

DOCUMENTS_SHOWN = 20
SHOWN_FIGURES = ("f1", "recall")
FIGURE_NAMES = {"f1": "F1", "precision": "precision", "recall": "recall"}


def compose_comparison(
    comparison: SystemComparison,
    changes: Sequence[Changes],
    *,
    facts: Sequence[tuple[str, str]] = (),
) -> Page:
    """Return the page of a comparison; `facts` go before its own.

    Where they have one `system NAME` for each system, the names are not listed again.
    """
    named = {name for name, _ in facts}
    listed = all(f"system {name}" in named for name in comparison.systems)
    own = (
        *(() if listed else (("systems", ", ".join(comparison.systems)),)),
        ("label set", comparison.label_set or "none that is known"),
        ("documents", str(comparison.documents)),
        ("confidence", f"{comparison.confidence:g}"),
        ("shuffles of each test", str(comparison.shuffles)),
        ("draws of each interval", str(comparison.resamples)),
        ("seed", str(comparison.seed)),
    )
    blocks: list[Block] = [
        Section(
            "Systems", (Prose(_SYSTEMS), _overall_figure(comparison), system_table(comparison))
        ),
        Section("Differences", (Prose(_DIFFERENCES), overall_table(comparison))),
    ]
    if comparison.labels:
        blocks.append(_label_section(comparison))
    blocks.append(Section("What changed", (Prose(_CHANGES), *change_tables(changes))))
    blocks += [_example_section(one) for one in changes if one.examples]
    return Page("Comparison of systems", (*facts, *own), tuple(blocks))


def comparison_tables(
    comparison: SystemComparison, changes: Sequence[Changes], *, every_change: bool = False
) -> tuple[Table, ...]:
    """Return the tables for a screen; `every_change` adds a row for each change."""
    tables = [
        system_table(comparison),
        overall_table(comparison),
        label_table(comparison),
        *change_tables(changes),
    ]
    if every_change:
        tables += map(_list_table, changes)
    return tuple(table for table in tables if table.rows)


def system_table(comparison: SystemComparison) -> Table:
    """Return what each system reaches over all labels, with intervals."""
    ends = _ends(comparison)
    rows = tuple(
        (scope, system, *_score_cells(comparison.score(system, scope)))
        for scope in OVERALL
        for system in comparison.systems
    )
    header = ("scope", "system", "gold", "predicted", "P", *ends, "R", *ends, "F1", *ends)
    return Table("Systems", header, rows, text_columns=2)


def overall_table(comparison: SystemComparison) -> Table:
    """Return the tests over all labels, each figure of each pair."""
    return Table(
        "Differences",
        ("scope", "figure", "first", "second", *_test_header(comparison)),
        tuple(
            (scope, FIGURE_NAMES[figure], *pair, *_test_cells(comparison, pair, scope, figure))
            for scope in OVERALL
            for figure in FIGURE_NAMES
            for pair in comparison.pairs
        ),
        text_columns=4,
    )


def label_table(comparison: SystemComparison, figure: str = "f1") -> Table:
    """Return the tests of one figure label by label."""
    return Table(
        f"Differences by label, {FIGURE_NAMES[figure]}",
        ("label", "first", "second", "documents", "gold", *_test_header(comparison)),
        tuple(
            (
                label,
                *pair,
                str(comparison.score(pair[0], label).documents),
                str(comparison.score(pair[0], label).counts.gold),
                *_test_cells(comparison, pair, label, figure),
            )
            for label in comparison.labels
            for pair in comparison.pairs
        ),
        text_columns=3,
    )


def change_tables(changes: Sequence[Changes]) -> Iterator[Table]:
    """Yield what changed by kind, by document and by label, and the documents with most changes."""
    yield Table(
        "Spans that changed",
        ("first", "second", *CHANGE_KINDS),
        tuple((one.first, one.second, *map(str, one.counts.values())) for one in changes),
        text_columns=2,
    )
    names = ("better", "worse", "both", "otherwise", "same")
    yield Table(
        "Documents that changed",
        ("first", "second", *names),
        tuple(
            (one.first, one.second, *(str(one.document_counts()[name]) for name in names))
            for one in changes
        ),
        text_columns=2,
    )
    for one in changes:
        pair = f"{one.first} to {one.second}"
        rows = one.by_label().items()
        header = ("label", *CHANGE_KINDS)
        cells = tuple((label, *map(str, row.values())) for label, row in rows)
        yield Table(f"Spans that changed by label, {pair}", header, cells)
        most = sorted(one.by_document().items(), key=lambda item: (-sum(item[1].values()), item[0]))
        header = ("document", *CHANGE_KINDS)
        cells = tuple((name, *map(str, row.values())) for name, row in most[:DOCUMENTS_SHOWN])
        yield Table(f"Documents with most changes, {pair}", header, cells)


def _label_section(comparison: SystemComparison) -> Section:
    tables = (label_table(comparison, figure) for figure in SHOWN_FIGURES)
    return Section("By label", (Prose(_LABELS), *_label_figures(comparison), *tables))


def _overall_figure(comparison: SystemComparison) -> Figure:
    title = "Strict F1 and binary token recall"
    bars = {
        f"{name}, {system}": _bar(comparison.score(system, scope).scores[figure])
        for scope, figure, name in ((STRICT, "f1", "F1"), (TOKENS, "recall", "token recall"))
        for system in comparison.systems
    }
    return Figure(title, draw_interval_bars(title, bars, x="share"), _caption(comparison))


def _label_figures(comparison: SystemComparison) -> Iterator[Figure]:
    for figure in SHOWN_FIGURES:
        title = f"Strict {FIGURE_NAMES[figure]} by label"
        bars = {
            f"{label}, {system}": _bar(comparison.score(system, label).scores[figure])
            for label in comparison.labels
            for system in comparison.systems
        }
        yield Figure(title, draw_interval_bars(title, bars, x="share"), _caption(comparison))


def _caption(comparison: SystemComparison) -> str:
    return (
        f"Lines show {_percent(comparison.confidence)} intervals by the bootstrap over documents. "
        "Two that overlap may still differ: the tests below compare document by document."
    )


def _bar(score: Score) -> tuple[float, float | None, float]:
    low, high = score.interval.low, score.interval.high
    if score.value is None:
        return low, None, high
    # Percentiles of skewed draws may leave the figure itself outside.
    return min(low, score.value), score.value, max(high, score.value)


def _score_cells(one: SystemScores) -> Iterator[str]:
    yield from map(str, (one.counts.gold, one.counts.predicted))
    for figure in ("precision", "recall", "f1"):
        score = one.scores[figure]
        yield from (
            show_ratio(score.value),
            show_ratio(score.interval.low),
            show_ratio(score.interval.high),
        )


def _test_header(comparison: SystemComparison) -> tuple[str, ...]:
    return ("first is", "second is", "change", *_ends(comparison), "p", "p (Holm)")


def _test_cells(
    comparison: SystemComparison, pair: tuple[str, str], scope: str, figure: str
) -> Iterator[str]:
    test = comparison.test(pair, scope, figure)
    yield from (show_ratio(comparison.score(name, scope).scores[figure].value) for name in pair)
    yield from (f"{x:+.4f}" for x in (test.change, test.interval.low, test.interval.high))
    yield from map(show_ratio, (test.p, test.corrected))


def _ends(comparison: SystemComparison) -> tuple[str, str]:
    return f"{_percent(comparison.confidence)} from", "to"


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def _example_section(changes: Changes) -> Section:
    count = tell_choice("change", len(changes.examples), len(changes.changes), within="kind")
    note = (
        f"{count}. The predicted label says what {changes.first} and then {changes.second} had in "
        "the place. Offsets are characters; start is included, end is not."
    )
    title = f"Examples, {changes.first} to {changes.second}"
    return Section(title, (Prose(note), Examples(title, tuple(map(_example, changes.examples)))))


def _example(shown: Shown[Change]) -> Example:
    change = shown.found
    return Example(
        document=change.document,
        start=change.start,
        end=change.end,
        kind=change.kind,
        gold_label=change.gold.label if change.gold is not None else "",
        predicted_label=f"{_spans(change.first)} → {_spans(change.second)}",
        shape=change.shape,
        before=shown.before,
        text=shown.text,
        after=shown.after,
    )


def _list_table(changes: Changes) -> Table:
    rows = tuple(
        (
            change.document,
            change.kind,
            change.gold.label if change.gold is not None else "",
            _spans(change.first),
            _spans(change.second),
            on_a_line(change.shape),
            str(change.start),
            str(change.end),
        )
        for change in changes.changes
    )
    header = ("document", "change", "gold", "first", "second", "shape", "start", "end")
    title = f"Every change, {changes.first} to {changes.second}"
    return Table(title, header, rows, text_columns=6)


def _spans(spans: Iterable[Span]) -> str:
    return ", ".join(f"{span.label} {span.start}-{span.end}" for span in spans) or "nothing"


_SYSTEMS = (
    "All labels: spans count strictly, with label and both borders. Binary token: runs of letters "
    "and digits count under any label; its recall is the share of PHI that was found at all. "
    "Intervals come from drawing whole documents again, since the spans of one document stand and "
    "fall together."
)

_DIFFERENCES = (
    "Change is second minus first. p is that of paired approximate randomization, two-sided: how "
    "often systems whose answers are swapped document by document, by the throw of a coin, differ "
    "at least as much. p (Holm) is corrected for the pairs of systems; the figures of one pair are "
    "not corrected against each other. A difference that is certain may still be too small to "
    "matter, and one that is not may be real: the interval tells how large it may be."
)

_LABELS = (
    "One test for each label: of twenty labels without any difference one is expected to have a p "
    "below 0.05. p (Holm) is corrected for all labels and pairs of systems in the table: go by it "
    f"unless a label was singled out beforehand. Where a label occurs in less than {FEW_DOCUMENTS} "
    "documents, its intervals are too narrow and its tests can find little. Where a system made no "
    "error the draws have none either: an interval from 1 to 1 says only that none was seen."
)

_CHANGES = (
    "Fixed: a gold span that the first missed and the second has, broken the other way round. "
    "Wrong otherwise: both miss the gold span, with different spans in its place. Spurious gone "
    "and spurious new: a wrong span that one of them alone predicts, away from the gold spans "
    "before. A document that got better has none that is broken or new, and the reverse."
)
