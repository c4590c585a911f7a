"""Clinical terms that a model takes for PHI with doubt are spared.

A model that is sure of a span keeps it: "Murphy" may be a name where "Murphy's sign" is none. Where
it is not, and the span lies within a listed term (`features.protected`), the term decides. Bare
eponyms decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scrubjay.document import Span
from scrubjay.features.protected import BARE_EPONYM, find_protected

_SURE = 0.99
"""From this score on a span stays, whatever the lists say."""

_AROUND = 40
"""Characters on each side of a span in which a term that holds it may begin and end."""


def spare_terms(text: str, spans: Iterable[Span], *, language: str = "en") -> Iterator[Span]:
    """Yield the spans but those that are not sure and lie within a term that is no PHI."""
    for span in spans:
        sure = span.score is None or span.score >= _SURE
        if sure or not _lies_in_term(text, span, language):
            yield span


def _lies_in_term(text: str, span: Span, language: str) -> bool:
    first = _word_border(text, max(0, span.start - _AROUND), span.start, step=1)
    last = _word_border(text, min(len(text), span.end + _AROUND), span.end, step=-1)
    return any(
        term.kind != BARE_EPONYM
        and first + term.start <= span.start
        and span.end <= first + term.end
        for term in find_protected(text[first:last], language)
    )


def _word_border(text: str, place: int, goal: int, *, step: int) -> int:
    """Return the first place towards the goal that lies within no word."""
    while place != goal and text[place - 1 : place].isalnum() and text[place : place + 1].isalnum():
        place += step
    return place
