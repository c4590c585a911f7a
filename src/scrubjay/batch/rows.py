"""Which columns of tables a run has read, and how many of their texts look to be no notes.

A column that is there and is not the one of the notes raises nothing: all of it is read, next to
nothing is found, and the notes are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from scrubjay.batch.metadata import fitting
from scrubjay.corpora.columns import tells_nothing
from scrubjay.corpora.metadata import COLUMNS_KEY, FORMAT_KEY, LAYOUT_KEY, NAMES_KEY
from scrubjay.corpora.table import require_delimiter
from scrubjay.document import Document

SLIGHT_SHARE = 0.95
"""The share of texts that are slight from which on a column looks not to be that of the notes."""

_MOST_COLUMNS = 10_000
"""Names of columns that are noted: those of records that are not tables may be endless."""

_LONGEST = 40
_LEAST_WORDS = 3
_SPANS = "spans"  # spans of the input, which no output has, are no column of the table
_DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(slots=True)
class RowsRead:
    """Counts the documents that are rows of tables or records with keys, and notes their columns.

    `texts` and `ids` are names that the caller gave, or those that are looked for by default.
    """

    rows: int = 0
    slight: int = 0
    texts: dict[str, None] = field(default_factory=dict)
    ids: dict[str, None] = field(default_factory=dict)
    formats: set[str] = field(default_factory=set)
    columns: dict[str, None] = field(default_factory=dict)
    _last: Any = None
    _last_columns: Any = None

    def note(self, document: Document) -> None:
        """Count a document that was read, if it was a row."""
        names = document.metadata.get(NAMES_KEY)
        if not isinstance(names, Mapping):
            return
        self.rows += 1
        self.slight += is_slight(document.text)
        if names != self._last:
            self._last = names
            self.texts |= dict.fromkeys((names["text"], *names.get("more", ())))
            self.ids |= dict.fromkeys([names["id"]] if names["id"] else [])
            self.formats.add(str(document.metadata.get(FORMAT_KEY)))
        metadata = document.metadata
        found = [*metadata.get(LAYOUT_KEY, ()), *(metadata.get(COLUMNS_KEY) or ())]
        if found != self._last_columns and len(self.columns) < _MOST_COLUMNS:
            self._last_columns = found
            self.columns |= dict.fromkeys(found)

    def left_out(self, kept: Collection[str], coded: Collection[str] = ()) -> tuple[list[str], int]:
        """Return the columns that are not in an output which keeps those that patterns fit.

        `coded` are there as codes.
        They are those whose names tell nothing of anybody, sorted, and the number of all others:
        the first row of a table without a header is taken for names.
        """
        own = {*self.texts, *self.ids, *coded, _SPANS}
        left = {*self.columns} - own - fitting(self.columns, kept)
        shown = sorted(filter(tells_nothing, left))
        return shown, len(left) - len(shown)

    def to_json(
        self,
        *,
        delimiter: str | None = None,
        kept: Collection[str] | None = None,
        coded: Collection[str] = (),
    ) -> dict[str, Any] | None:
        """Return the columns and counts as plain JSON values, None where there was no row.

        `delimiter` is the one that was given for tables of text; `kept` are the patterns of columns
        that an output keeps beside its texts and ids, None where it keeps all; `coded` are there as
        codes.
        """
        if not self.rows:
            return None
        usual = {_DELIMITERS[name] for name in self.formats & _DELIMITERS.keys()}
        return {
            "text": list(self.texts),
            "id": list(self.ids),
            "delimiter": sorted({require_delimiter(delimiter)} if usual and delimiter else usual),
            "rows": self.rows,
            "slight": self.slight,
            **self._left(kept, coded),
        }

    def _left(self, kept: Collection[str] | None, coded: Collection[str]) -> dict[str, Any]:
        shown, others = ([], 0) if kept is None else self.left_out(kept, coded)
        return {"left_out": shown, "left_out_others": others}


def is_slight(text: str) -> bool:
    """Tell whether a text is so little that it is hardly a note: nothing, numbers, a word or two.

    A text of more than 40 characters never is, whatever it holds.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return False
    words = sum(any(map(str.isalpha, piece)) for piece in text.split())
    return words < _LEAST_WORDS
