"""The one signature of all makers of surrogates: old values of one kind in, new ones out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from scrubjay.document import Span
    from scrubjay.transform.operators import Record
    from scrubjay.transform.surrogates.draw import Draw

Wanted: TypeAlias = "tuple[Sequence[str], Record, Draw, frozenset[str], Sequence[Span]]"
"""What a maker is given for a document: the mentions, the record, the draw, what to avoid, and
where in the text of the record the mentions are; no spans where that is not known."""


DENSE = frozenset(["date", "age", "sex", "state", "country", "profession"])
"""Kinds of labels that a shift or a table of few values may turn into another original."""


class Maker(Protocol):
    """Gives the surrogates of all mentions of one kind in one document, together.

    `mention_texts` are in the order of the text; the result has one surrogate for each. No
    surrogate is empty, equals the text it replaces, or equals any of `avoid`, which holds every
    original of the record (compare by `draw.fold`). What cannot be replaced so raises
    `ConfigError`, without the text: a document without a surrogate fails, and keeps no original.
    """

    def __call__(
        self,
        mention_texts: Sequence[str],
        record: Record,
        draw: Draw,
        *,
        avoid: frozenset[str],
    ) -> list[str]:
        """Return one surrogate for each of the texts."""


class ManyMaker(Protocol):
    """Gives what a `Maker` gives, for many documents: for each the texts, or what it raises."""

    def __call__(self, wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
        """Return what comes of each document; none has a part in what comes of another."""
