"""The report of `scrubjay errors`: the papers' tables, heat maps, and errors to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrubjay.analysis._samples import Shown
from scrubjay.analysis.confusion import Confusion, percent
from scrubjay.analysis.errors import ErrorAnalysis, LabellingError
from scrubjay.analysis.judging import EXTENTS, Extent
from scrubjay.analysis.plots import draw_heat_map
from scrubjay.reports.blocks import Block, Example, Examples, Figure, Page, Prose, Section, Table

ERROR_NAMES = {
    "type": "type error",
    "extent": "extent error",
    "missing": "missing error",
    "spurious": "spurious error",
}


LONGEST = 30
"""How many pairs of labels the tables of them name; the matrix has all."""


def compose_errors(
    analysis: ErrorAnalysis,
    *,
    facts: Sequence[tuple[str, str]] = (),
    sections: Sequence[Section] = (),
) -> Page:
    """Return the page of an analysis; `facts` go before its own, `sections` before the examples."""
    own = (
        ("label set", analysis.label_set or "none that is known"),
        ("documents", str(analysis.documents)),
        ("documents with errors", str(analysis.documents_with_errors)),
        ("errors", str(len(analysis.errors))),
    )
    blocks: list[Block] = [
        Section("Kinds of errors", (Prose(_KINDS), *kind_tables(analysis))),
        Section("By label", tuple(t for t in label_tables(analysis.confusion) if t.rows)),
    ]
    if analysis.confusion.labels:
        blocks.append(_confusion_section("Confusion", analysis.confusion, "label"))
    if analysis.by_category is not None and analysis.by_category.labels:
        title = "Confusion of main categories"
        blocks.append(_confusion_section(title, analysis.by_category, "category"))
    blocks += sections
    if analysis.examples:
        blocks.append(_example_section(analysis))
    return Page("Errors", (*facts, *own), tuple(blocks))


def error_tables(
    analysis: ErrorAnalysis, *, matrix: bool = False, every_error: bool = False
) -> tuple[Table, ...]:
    """Return the tables for a screen: kinds and labels, then what is asked for.

    `matrix` adds the confusion matrices, which are as wide as there are labels, `every_error` a
    row for each error, with the beginning of its text where the analysis has it.
    """
    tables = [*kind_tables(analysis), *label_tables(analysis.confusion)]
    if matrix:
        tables += matrix_tables("Confusion", analysis.confusion)
        if analysis.by_category is not None:
            tables += matrix_tables("Confusion of main categories", analysis.by_category)
    if every_error:
        tables.append(_list_table(analysis.errors))
    return tuple(table for table in tables if table.rows)


def kind_tables(analysis: ErrorAnalysis) -> Iterator[Table]:
    """Yield the errors by kind (He 2015, Table 6), then with the combinations apart."""
    counts = analysis.confusion.error_counts()
    whole = sum(counts.values())
    yield Table(
        "Errors by kind",
        ("error", "number", "percent"),
        tuple((ERROR_NAMES[kind], str(n), _percent(n, whole)) for kind, n in counts.items()),
    )
    yield Table(
        "Errors by cause",
        ("error", "number", "percent"),
        (
            *((name, str(n), _percent(n, whole)) for name, n in analysis.causes.items()),
            ("extent errors that take several gold spans for one", str(analysis.merged), ""),
            ("gold spans that were found in pieces", str(analysis.split), ""),
        ),
    )


def label_tables(confusion: Confusion) -> Iterator[Table]:
    """Yield what became of each label, and which labels were taken for which.

    Labels without a span stand in no row.
    """
    yield Table(
        "Gold spans by label",
        ("label", "gold", "correct", "type", "other borders", "missing", "missing %"),
        tuple(
            _gold_row(confusion, label) for label in confusion.labels if confusion.gold_total(label)
        ),
    )
    yield Table(
        "Predicted spans by label",
        ("label", "predicted", "correct", "type", *EXTENTS, "spurious", "spurious %"),
        tuple(
            _predicted_row(confusion, label)
            for label in confusion.labels
            if confusion.system_total(label)
        ),
    )
    type_errors, mixed = confusion.type_errors(), _mixed(confusion)
    yield Table(
        _longest("Type errors", len(type_errors)),
        ("gold", "predicted", "number", "% of gold row", "% of predicted"),
        tuple(
            (
                row,
                column,
                str(count),
                _cell(confusion.row_percent(row, count)),
                _cell(confusion.column_percent(column, count)),
            )
            for (row, column), count in type_errors[:LONGEST]
        ),
        text_columns=2,
    )
    yield Table(
        _longest("Other borders and another label", len(mixed)),
        ("gold", "predicted", "extent", "number"),
        tuple(
            (row, column, extent, str(count)) for (row, column, extent), count in mixed[:LONGEST]
        ),
        text_columns=3,
    )


def matrix_tables(title: str, confusion: Confusion) -> Iterator[Table]:
    """Yield the matrix in numbers (Jiang 2017, Table A.1), and in percent by row and by column."""
    labels = confusion.labels
    yield Table(
        title,
        ("gold \\ predicted", *labels, "missing", "missing %", "total", "other borders", "gold"),
        (*(_count_row(confusion, label) for label in labels), *_bottom_rows(confusion)),
    )
    yield Table(
        f"{title}, percent by row",
        ("gold \\ predicted", *labels, "missing"),
        tuple(
            (label, *map(_cell, shares))
            for label, shares in zip(labels, _row_shares(confusion), strict=True)
        ),
    )
    names = (*labels, "spurious", *EXTENTS)
    yield Table(
        f"{title}, percent by column",
        ("gold \\ predicted", *labels),
        tuple(
            (name, *map(_cell, shares))
            for name, shares in zip(names, _column_shares(confusion), strict=True)
        ),
    )


def _longest(title: str, size: int) -> str:
    return title if size <= LONGEST else f"{title} (the {LONGEST} most frequent pairs of {size})"


def _confusion_section(title: str, confusion: Confusion, of: str) -> Section:
    labels = confusion.labels
    by_row = Figure(
        f"{title}, percent by row",
        _heat_map(f"{title}, % of gold {of}", labels, (*labels, "missing"), _row_shares(confusion)),
        "Of each gold label the spans that got each label at the right borders, and those that "
        "nothing overlapped. Spans found with other borders are left out, as in the papers.",
    )
    by_column = Figure(
        f"{title}, percent by column",
        _heat_map(
            f"{title}, % of predicted {of}",
            (*labels, "spurious", *EXTENTS),
            labels,
            _column_shares(confusion),
        ),
        "Of each predicted label what its spans are in gold. Each column sums to 100.",
    )
    return Section(title, (by_row, by_column, *matrix_tables(title, confusion)))


def _heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    shares: Sequence[Sequence[float | None]],
) -> str:
    shades = [[(share or 0.0) / 100 for share in row] for row in shares]
    values = [[_rounded(share or 0.0) for share in row] for row in shares]
    return draw_heat_map(title, rows, columns, values, shades=shades, x="predicted", y="gold")


def _example_section(analysis: ErrorAnalysis) -> Section:
    count = tell_choice("error", len(analysis.examples), len(analysis.errors), within="cause")
    note = f"{count}. Offsets are characters; start is included, end is not."
    examples = Examples("Examples", tuple(map(_example, analysis.examples)))
    return Section("Examples", (Prose(note), examples))


def tell_choice(thing: str, shown: int, whole: int, *, within: str) -> str:
    """Return how the examples of a report were chosen of all: "Every error" where all are shown."""
    if shown == whole:
        return f"Every {thing}"
    chosen = f"chosen at random within each {within} and the same each time"
    return f"{shown} of {whole} {thing}s, {chosen}"


def _example(shown: Shown[LabellingError]) -> Example:
    error = shown.found
    return Example(
        document=error.document,
        start=error.start,
        end=error.end,
        kind=error.cause,
        gold_label=error.gold_label,
        predicted_label=error.predicted_label,
        shape=error.shape,
        before=shown.before,
        text=shown.text,
        after=shown.after,
        note=_both_places(error),
    )


def _both_places(error: LabellingError) -> str:
    """Return the offsets of both spans where they differ."""
    if error.kind != "extent" or error.gold is None or error.predicted is None:
        return ""
    gold, predicted = error.gold, error.predicted
    return f"gold {gold.start}–{gold.end}, predicted {predicted.start}–{predicted.end}"


def _gold_row(confusion: Confusion, label: str) -> tuple[str, ...]:
    missing, gold = confusion.missing(label), confusion.gold_total(label)
    correct, wrong = (confusion.gold.get((label, kind), 0) for kind in ("correct", "type"))
    numbers = (gold, correct, wrong, confusion.touched(label), missing)
    return (label, *map(str, numbers), _percent(missing, gold))


def _predicted_row(confusion: Confusion, label: str) -> tuple[str, ...]:
    correct = confusion.cells.get((label, label), 0)
    spurious, predicted = confusion.spurious.get(label, 0), confusion.system_total(label)
    numbers = (
        predicted,
        correct,
        confusion.column_cells(label) - correct,
        *(confusion.extent_total(label, extent) for extent in EXTENTS),
        spurious,
    )
    return (label, *map(str, numbers), _percent(spurious, predicted))


def _mixed(confusion: Confusion) -> list[tuple[tuple[str, str, Extent], int]]:
    found = [(key, count) for key, count in confusion.extents.items() if key[0] != key[1]]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def _count_row(confusion: Confusion, label: str) -> tuple[str, ...]:
    cells = [confusion.cells.get((label, column), 0) for column in confusion.labels]
    missing = confusion.missing(label)
    return (
        label,
        *(str(count) if count else "" for count in cells),
        str(missing),
        _cell(confusion.row_percent(label, missing)),
        *map(str, (confusion.row_total(label), confusion.touched(label))),
        str(confusion.gold_total(label)),
    )


def _bottom_rows(confusion: Confusion) -> Iterator[tuple[str, ...]]:
    labels = confusion.labels
    missing = [confusion.missing(label) for label in labels]
    totals = [confusion.row_total(label) for label in labels]
    touched = [confusion.touched(label) for label in labels]
    gold = [confusion.gold_total(label) for label in labels]
    sums = (sum(missing), _percent(sum(missing), sum(totals)), *map(sum, (totals, touched, gold)))
    blank = ("",) * 5
    yield ("total", *(str(confusion.column_cells(label)) for label in labels), *map(str, sums))
    yield ("spurious", *(str(confusion.spurious.get(label, 0)) for label in labels), *blank)
    shares = (confusion.spurious_percent(label) for label in labels)
    yield ("spurious %", *map(_cell, shares), *blank)
    for extent in EXTENTS:
        yield (
            extent,
            *(str(confusion.extent_total(label, extent)) for label in labels),
            *blank,
        )
    yield ("all extent", *(str(confusion.extent_total(label)) for label in labels), *blank)
    yield ("predicted", *(str(confusion.system_total(label)) for label in labels), *blank)


def _row_shares(confusion: Confusion) -> list[list[float | None]]:
    return [
        [
            *(
                confusion.row_percent(label, confusion.cells.get((label, column), 0))
                for column in confusion.labels
            ),
            confusion.row_percent(label, confusion.missing(label)),
        ]
        for label in confusion.labels
    ]


def _column_shares(confusion: Confusion) -> list[list[float | None]]:
    labels = confusion.labels
    counts = [[confusion.cells.get((row, label), 0) for label in labels] for row in labels]
    counts.append([confusion.spurious.get(label, 0) for label in labels])
    counts += [[confusion.extent_total(label, extent) for label in labels] for extent in EXTENTS]
    return [
        [confusion.column_percent(label, n) for label, n in zip(labels, row, strict=True)]
        for row in counts
    ]


def _list_table(errors: Sequence[LabellingError]) -> Table:
    """Return a row for each error, with its text where the analysis has that, else its shape."""
    shows_text = any(error.text for error in errors)
    rows = tuple(
        (
            error.document,
            error.cause,
            error.gold_label,
            error.predicted_label,
            on_a_line(error.text if shows_text else error.shape),
            str(error.start),
            str(error.end),
        )
        for error in errors
    )
    form = "text" if shows_text else "shape"
    header = ("document", "error", "gold", "predicted", form, "start", "end")
    return Table("Every error", header, rows, text_columns=5)


def _percent(count: int, whole: int) -> str:
    share = percent(count, whole)
    return "-" if share is None else f"{share:.2f}"


def _cell(share: float | None) -> str:
    """Return a share of a matrix, where most are 0 and stay empty."""
    return f"{share:.1f}" if share else ""


def _rounded(share: float) -> float:
    return round(share, 1) if share < 1 else float(round(share))


def on_a_line(text: str) -> str:
    """Return a text with a blank for each character that ends a line or steers a terminal."""
    return "".join(character if character.isprintable() else " " for character in text)


_KINDS = (
    "A type error has the borders of a gold span and another label. An extent error overlaps a "
    "gold span and has other borders: short where it lies within it, long where it covers it, "
    "short-and-long where it covers a part of it and more. A missing error is a gold "
    "span that nothing overlaps, a spurious error a predicted span that overlaps nothing. "
    "Missing and short errors leave text of a gold span in the output.\n\n"
    "A cause such as type+short is an extent error with another label: by kind it counts as an "
    "extent error alone, as in the papers."
)
