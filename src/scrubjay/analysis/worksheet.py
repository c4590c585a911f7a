"""Errors judged by people: a worksheet with one row an error, written, filled and read back.

The categories are those of Trienes et al. 2020 (section 5.2.1, after Dernoncourt et al.), and the
table of a filled worksheet is their Table 7: missed gold spans (false negatives) and wrong
predicted ones (false positives) by category, with their shares. Each error has one category.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scrubjay.analysis._samples import around, name_hash, short_shape
from scrubjay.analysis._sheets import SheetRow, read_sheet, write_sheet
from scrubjay.analysis.judging import Judgement, judge_spans
from scrubjay.analysis.token_borders import BorderError
from scrubjay.document import Span
from scrubjay.errors import FormatError
from scrubjay.evaluation.pairs import Pair

CONTEXT = 40
"""How many characters before and after a span a worksheet with text shows."""

SIDES = ("FN", "FP")
"""Missed gold spans and wrong predicted ones, as the column `side` has them."""


@dataclass(frozen=True, slots=True)
class Category:
    """Why an error happened, in the judgement of a person.

    `name` stands in the worksheet, `title` in tables; `group` is "model" for what other methods
    or more training data may solve, "data" for faults of annotation or preprocessing.
    """

    name: str
    title: str
    group: str


CATEGORIES = (
    Category("abbreviation", "Abbreviation", "model"),
    Category("ambiguity", "Ambiguity", "model"),
    Category("debatable", "Debatable", "model"),
    Category("prefix", "Prefix", "model"),
    Category("common-language", "Common language", "model"),
    Category("other", "Other reason", "model"),
    Category("missing-annotation", "Missing annotation", "data"),
    Category("annotation-error", "Annotation error", "data"),
    Category("tokenization-error", "Tokenization error", "data"),
)
GROUPS = {"model": "Model errors", "data": "Annotation and preprocessing errors"}

_CHECKED = ("side", "document", "start", "end", "label")
_PLACE = (*_CHECKED, "kind", "other_start", "other_end", "other_label", "tokens", "shape")
_TEXT = ("before", "text", "after")
_FILLED = ("category", "comment")
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
# A formula may also begin where a program takes another character for the separator of cells.
_AFTER_SEPARATOR = re.compile(r"([,;|\"])(\s*)(?=[=+\-@＝＋－＠])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class WorksheetRow:
    """One error: a gold span without equal (`FN`) or a predicted one without equal (`FP`).

    `kind` is that of `scrubjay.analysis.judging`, with the extent in place of `extent`; `other`
    the span of the other side that it is compared with. `tokens` is the part of tokenization in
    it ("tokens", "tokens-and-model"), empty where there is none or it was not asked for. `before`,
    `text` and `after` are empty unless text was asked for.
    """

    side: str
    document: str
    span: Span
    kind: str
    other: Span | None = None
    tokens: str = ""
    shape: str = ""
    before: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    @property
    def id(self) -> str:
        """Letters that stand for side, document, offsets and label, the same in every run."""
        span = self.span
        digest = name_hash((self.side, self.document, span.start, span.end, span.label))
        return digest.hex().translate(_LETTERS)

    def cells(self) -> dict[str, str | int]:
        """Return the cells by column, those to be filled left empty."""
        cells: dict[str, str | int] = {
            "id": self.id,
            "side": self.side,
            "document": _display(self.document),
            "start": self.span.start,
            "end": self.span.end,
            "label": _display(self.span.label),
            "kind": self.kind,
            "tokens": self.tokens,
            "shape": _display(self.shape),
            "before": _display(self.before),
            "text": _display(self.text),
            "after": _display(self.after),
        }
        if self.other is not None:
            cells["other_start"] = self.other.start
            cells["other_end"] = self.other.end
            cells["other_label"] = _display(self.other.label)
        return cells


class WorksheetCollector:
    """Takes pairs in and yields the rows of a worksheet.

    Labels count under the spelling of `label_of`, and spans with the same label and borders once.
    Text, with `CONTEXT` characters to both sides, is kept only with `show_text`.
    """

    def __init__(self, *, label_of: Callable[[str], str] = str, show_text: bool = False) -> None:
        self._label_of = label_of
        self._context = CONTEXT if show_text else None
        self._rows: list[WorksheetRow] = []

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        judged = judge_spans(self._spelled(pair.gold.spans), self._spelled(pair.predicted.spans))
        rows = [
            self._row(side, pair, one)
            for side, judgements in zip(SIDES, (judged.gold, judged.predicted), strict=True)
            for one in judgements
            if one.kind != "correct"
        ]
        self._rows += sorted(rows, key=lambda row: (row.span, row.side))

    def rows(self, borders: Iterable[BorderError] = ()) -> tuple[WorksheetRow, ...]:
        """Return the rows so far, in the order of documents, with the part of tokenization."""
        causes = {(SIDES[one.side != "gold"], one.document, one.span): one.cause for one in borders}
        if not causes:
            return tuple(self._rows)
        return tuple(
            replace(row, tokens=causes.get((row.side, row.document, row.span), ""))
            for row in self._rows
        )

    def _spelled(self, spans: Iterable[Span]) -> list[Span]:
        return [replace(span, label=self._label_of(span.label)) for span in spans]

    def _row(self, side: str, pair: Pair, judged: Judgement) -> WorksheetRow:
        text, span = pair.gold.text, judged.span
        return WorksheetRow(
            side=side,
            document=pair.gold.id,
            span=span,
            kind=judged.extent or judged.kind,
            other=judged.partner,
            shape=short_shape(text[span.start : span.end]),
            **around(text, span.start, span.end, self._context),
        )


def write_worksheet(path: Path | str, rows: Sequence[WorksheetRow]) -> int:
    """Write the rows as a worksheet to be filled, and return how many there are.

    CSV or JSON lines by the ending of the name, whole or not at all. There are columns of text
    only where a row has text. Raises like `write_sheet`.
    """
    shown = _TEXT if any(row.before or row.text or row.after for row in rows) else ()
    columns = ("id", *_PLACE, *shown, *_FILLED)
    return write_sheet(path, columns, (row.cells() for row in rows))


@dataclass(frozen=True, slots=True)
class JudgedError:
    """An error with the category that a person gave it, None where none was given yet."""

    row: WorksheetRow
    category: str | None
    comment: str = field(default="", repr=False)


def read_worksheet(path: Path | str, rows: Sequence[WorksheetRow]) -> tuple[JudgedError, ...]:
    """Return the judgements of a filled worksheet, in the order of `rows`.

    `rows` are the errors of the corpora that it was written for. Rows may have been sorted, and
    columns added. A category may be given by name or title, without regard to case, spaces and
    hyphens; an empty one is not judged yet.

    Raises `FormatError` by line for an unknown category, an unknown or repeated row, and a row
    whose side, document, offsets or label were changed, and for missing rows, the first of which
    it names by document and offsets; `InputError` and `EncodingError` like `read_sheet`.
    """
    expected = {row.id: row for row in rows}
    found: dict[str, JudgedError] = {}
    for filled in read_sheet(path, ("id", *_CHECKED, "category")):
        known = expected.get(filled["id"])
        if known is None:
            raise filled.error(
                "there is no such error in these corpora",
                hint="Give the gold and predicted corpora, label set and label map that the "
                "worksheet was written with, and leave the column `id` as it is",
            )
        if known.id in found:
            raise filled.error("this error has a row already", hint="Keep one row an error")
        _require_unchanged(filled, known)
        comment = filled["comment"] if "comment" in filled.cells else ""
        found[known.id] = JudgedError(known, _read_category(filled), comment)
    missing = [row for row in rows if row.id not in found]
    if missing:
        first = missing[0]
        raise FormatError(
            f"{len(missing)} of {len(expected)} rows are missing, the first of them {first.side} "
            f"{first.span.label} [{first.span.start}, {first.span.end}) of document "
            f"{first.document!r}",
            path=path,
            hint="Leave the category empty where there is no judgement; do not remove the row",
        )
    return tuple(found[row.id] for row in rows)


def find_category(name: str) -> Category | None:
    """Return the category of that name or title, or None."""
    wanted = _folded(name)
    for category in CATEGORIES:
        if wanted in (_folded(category.name), _folded(category.title)):
            return category
    return None


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _read_category(filled: SheetRow) -> str | None:
    if not filled["category"]:
        return None
    category = find_category(filled["category"])
    if category is None:
        raise filled.error(
            "unknown category", hint=f"Known: {', '.join(one.name for one in CATEGORIES)}"
        )
    return category.name


def _require_unchanged(filled: SheetRow, known: WorksheetRow) -> None:
    cells = known.cells()
    for column in _CHECKED:
        if filled[column] != str(cells[column]).strip():
            raise filled.error(
                f"the column `{column}` was changed",
                hint=f"This row is {known.side} {known.span.label} [{known.span.start}, "
                f"{known.span.end}) of document {known.document!r}; restore it, and sort rows "
                "whole",
            )


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category: how many missed gold spans and wrong predicted spans it has."""

    category: Category
    missed: int
    wrong: int


@dataclass(frozen=True, slots=True)
class CategoryTable:
    """A filled worksheet as in Trienes 2020, Table 7.

    `missed` and `wrong` are the judged errors of each side, over which shares are taken;
    `open_missed` and `open_wrong` those without a category. Every category has a row.
    """

    rows: tuple[CategoryRow, ...]
    missed: int
    wrong: int
    open_missed: int
    open_wrong: int

    def group(self, name: str) -> tuple[int, int]:
        """Return the missed and the wrong spans of a group of categories."""
        rows = [row for row in self.rows if row.category.group == name]
        return sum(row.missed for row in rows), sum(row.wrong for row in rows)

    def record(self) -> dict[str, Any]:
        """Return the table as JSON values; a share without denominator is null."""
        return {
            "missed": self.missed,
            "wrong": self.wrong,
            "open": {"missed": self.open_missed, "wrong": self.open_wrong},
            "categories": {
                row.category.name: {
                    "group": row.category.group,
                    "missed": row.missed,
                    "missed_share": row.missed / self.missed if self.missed else None,
                    "wrong": row.wrong,
                    "wrong_share": row.wrong / self.wrong if self.wrong else None,
                }
                for row in self.rows
            },
        }


def tabulate(judged: Iterable[JudgedError]) -> CategoryTable:
    """Count judgements by category and side."""
    counts = Counter((one.row.side, one.category) for one in judged)
    return make_table(
        {(side, name): size for (side, name), size in counts.items() if name is not None},
        open_missed=counts["FN", None],
        open_wrong=counts["FP", None],
    )


def make_table(
    counts: Mapping[tuple[str, str], int], *, open_missed: int = 0, open_wrong: int = 0
) -> CategoryTable:
    """Return the table of counts by side ("FN" or "FP") and name of the category."""
    rows = tuple(
        CategoryRow(one, counts.get(("FN", one.name), 0), counts.get(("FP", one.name), 0))
        for one in CATEGORIES
    )
    return CategoryTable(
        rows=rows,
        missed=sum(row.missed for row in rows),
        wrong=sum(row.wrong for row in rows),
        open_missed=open_missed,
        open_wrong=open_wrong,
    )


def show_percent(count: int, whole: int) -> str:
    """Return a share in per cent with one decimal, halves rounded up, "-" without a whole."""
    if not whole:
        return "-"
    tenths = (2000 * count + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}"


def _display(text: str) -> str:
    """Return text on one line, without anything that could begin a formula further on."""
    return _AFTER_SEPARATOR.sub(r"\1\2'", _CONTROL.sub(" ", text))
