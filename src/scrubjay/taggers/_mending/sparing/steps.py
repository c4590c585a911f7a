"""The steps that let go what is no PHI, as a table: in which languages, of which labels, by what.

A row has two functions: one tells of a mention alone whether it may be what the step is for, the
other by the text around it whether it is. Each row has a bit, by its place: `mention_looks` puts
together those of a mention, and `SPARES` has what a bit asks of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.misread_words import WORDS, is_misread_word, may_be_misread
from scrubjay.taggers._mending.sparing.clock_logs import (
    BARE,
    is_bare_log_time,
    is_log_time,
    may_be_bare_time,
    may_be_log_time,
)
from scrubjay.taggers._mending.sparing.headers import HEADED, is_header, may_be_header
from scrubjay.taggers._mending.sparing.lookalike_search import find_look_alike, may_look_alike
from scrubjay.taggers._mending.sparing.named_after import NAMED, is_named_after
from scrubjay.taggers._mending.sparing.outlines import is_outline, may_be_outline

Check = Callable[[str], bool]
"""Mention -> may it be what the step is for?"""

Spare = Callable[[str, Span, int, str], bool]
"""Text, span, end of the last person before it, language -> is it what the step is for?"""


class Step(NamedTuple):
    """A step: `find_check` gives the check of a label and a language; None stands for all."""

    languages: Collection[str] | None
    labels: Collection[str] | None
    find_check: Callable[[str, str], Check]
    spare: Spare

    def is_for(self, label: str, language: str) -> bool:
        """Tell whether mentions with a label are asked by the step in a language."""
        return (self.languages is None or language in self.languages) and (
            self.labels is None or label in self.labels
        )


def _alone(check: Check) -> Callable[[str, str], Check]:
    return lambda label, language: check


def _by_language(check: Callable[[str, str], bool]) -> Callable[[str, str], Check]:
    return lambda label, language: lambda mention: check(mention, language)


def _there(is_it: Callable[[str, Span], bool]) -> Spare:
    return lambda text, span, person, language: is_it(text, span)


def _is_header(text: str, span: Span, person: int, language: str) -> bool:
    return is_header(text, span, language)


def _is_outline(text: str, span: Span, person: int, language: str) -> bool:
    return is_outline(text, span, language)


def _look_alike(label: str, language: str) -> Check:
    return lambda mention: may_look_alike(mention, label, language)


def _is_look_alike(text: str, span: Span, person: int, language: str) -> bool:
    return find_look_alike(text, span, language, person=person) is not None


def _is_misread(text: str, span: Span, person: int, language: str) -> bool:
    return is_misread_word(text[span.start : span.end], language)


_EN_NL, _NL_ES, _ES = ("en", "nl"), ("nl", "es"), ("es",)
_DATE = ("DATE",)

STEPS = (
    Step(None, None, _look_alike, _is_look_alike),
    Step(None, HEADED, _by_language(may_be_header), _is_header),
    Step(_EN_NL, _DATE, _alone(may_be_log_time), _there(is_log_time)),
    Step(None, BARE, _alone(may_be_bare_time), _there(is_bare_log_time)),
    Step(_ES, NAMED, _alone(bool), _there(is_named_after)),
    Step(_NL_ES, PERSONS, _alone(may_be_outline), _is_outline),
    Step(None, WORDS, _alone(may_be_misread), _is_misread),
)

LOOK_ALIKE = 1
"""The bit of the first row."""

SPARES = {1 << place: step.spare for place, step in enumerate(STEPS)}
"""What the bit of a step asks of the text."""

SPARING = (1 << len(STEPS)) - 1
"""The bits of all steps."""


def find_checks(label: str, language: str) -> list[tuple[int, Check]]:
    """Return the bits of the steps for a label, each with what tells which mentions have it."""
    return [
        (1 << place, step.find_check(label, language))
        for place, step in enumerate(STEPS)
        if step.is_for(label, language)
    ]
