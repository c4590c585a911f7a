"""Documents whose mentions are being replaced: who replaces which, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeGuard

from scrubjay.document import Document, Span
from scrubjay.transform._kept_layout import layout_edits
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import (
    BatchOperator,
    Mention,
    Operator,
    Record,
)

# As `_make`, without a call of Python for each.
make_mention: Callable[[tuple[Span, str, str, str, str]], Mention] = partial(tuple.__new__, Mention)


class Plan:
    """A document whose mentions are being replaced; `groups` are their numbers by operator."""

    __slots__ = ("chosen", "document", "error", "groups", "mentions", "new", "record")

    def __init__(self, document: Document, patient: str, language: str, shared: int = -1) -> None:
        self.document = document
        self.record = Record(document.id, patient, document.text, language, shared)
        self.chosen: tuple[Span, ...] = ()
        self.mentions: list[Mention] = []
        self.groups: dict[int, list[int]] = {}
        self.new: list[str] = []
        self.error: Exception | None = None

    def mine(self, numbers: Sequence[int]) -> list[Mention]:
        """Return the mentions with these numbers."""
        if len(numbers) == len(self.mentions):
            return self.mentions
        return [self.mentions[number] for number in numbers]

    def put(self, numbers: Sequence[int], texts: Sequence[str]) -> None:
        """Note what replaces the mentions with these numbers."""
        new = self.new
        if len(numbers) == len(texts) == len(new):  # all of them, as most operators have
            self.new = list(texts)
            return
        for number, text in zip(numbers, texts, strict=True):
            new[number] = text

    def put_or_fail(self, numbers: Sequence[int], texts: Sequence[str] | Exception) -> None:
        """Note what replaces mentions, or what was raised for them."""
        if isinstance(texts, Exception):
            self.error = self.error or texts
            return
        try:
            self.put(numbers, texts)
        except ValueError as error:  # too many, or too few
            self.error = error

    def edits(self) -> list[Edit]:
        """Return the edits, in the order of the text; they keep its lines and columns."""
        return layout_edits(self.document.text, self.mentions, self.new)


def replace_mine(operator: Operator, mine: Sequence[Mention], record: Record) -> list[str]:
    """Return what an operator gives for its mentions of a document."""
    if hasattr(operator, "replace_all"):
        return operator.replace_all(mine, record)
    return [operator.replace(mention) for mention in mine]


def replace_many(
    operator: Operator, records: Sequence[tuple[Sequence[Mention], Record]]
) -> list[list[str] | Exception]:
    """Return what an operator gives for each document; what fails together is done one by one."""
    assert sees_many(operator)
    try:
        found = operator.replace_many(records)
        if len(found) != len(records):
            raise ValueError(f"{len(found)} results for {len(records)} documents")
        return found
    except Exception as error:
        if len(records) == 1:
            return [error]
    return [each for one in records for each in replace_many(operator, [one])]


def sees_many(operator: Operator) -> TypeGuard[BatchOperator]:
    """Tell whether an operator likes to see many documents together."""
    return hasattr(operator, "replace_many")
