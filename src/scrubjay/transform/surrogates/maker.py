"""The one signature of all makers of surrogates: old values of one kind in, new ones out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

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
    """Gives what a `Maker` gives, for many documents: for each the texts, or what it raises.

    Names and dates are made so: names of all documents of a record together, dates step by step.
    """

    def __call__(self, wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
        """Return what comes of each document; none has a part in what comes of another record."""


class Work(Protocol):
    """A document at work in a maker: its new texts at the end, or what was raised."""

    new: list[str]
    error: Exception | None


W = TypeVar("W", bound=Work)


def step_by_step(
    works: Sequence[W], steps: Sequence[Callable[[W], None]]
) -> list[list[str] | Exception]:
    """Return what comes of each work after all steps, or what one of them raised for it.

    Each step is done for all works before the next: its code is then at hand, which saves a tenth
    of the time.
    """
    for step in steps:
        for work in works:
            if work.error is None:
                try:
                    step(work)
                except Exception as error:
                    work.error = error
    return [work.new if work.error is None else work.error for work in works]
