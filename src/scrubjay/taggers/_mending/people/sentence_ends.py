"""No person goes over the end of a sentence: "carmen gil. maria sola" are two.

In notes without capitals a full stop alone parts them, and so it does where a capital follows small
letters ("dr de jong. Jong ogende vrouw"). Behind an initial, a title or a shortened
word ("mrs. roe", "fco. gil"), and before a particle ("vda. de roe"), a name goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.people.person_names import is_common, is_first

_END = re.compile(
    r"(?<![^\W_])(?:(?P<before>[^\W\d_]{3,40})[.]\s{1,3}(?P<behind>[a-zß-öø-ÿ]{1,40})"
    r"|(?P<small>[a-zß-öø-ÿ]{3,40})[.]\s{1,3}(?P<capital>[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{0,40}))(?![^\W_])"
)
_LONG = 5
"""Letters of a word that is not shortened."""


def may_go_over(mention: str) -> bool:
    """Tell whether a full stop ends a word of a person, before small letters or behind them."""
    return _END.search(mention) is not None


def part_sentences(text: str, span: Span, language: str) -> Iterator[Span]:
    """Yield what stands of a person in each sentence, without the full stops between."""
    start = span.start
    for end in _END.finditer(text, span.start, span.end):
        before, behind = ("before", "behind") if end["before"] else ("small", "capital")
        if _ends(end[before].lower(), end[behind].lower(), language):
            yield replace(span, start=start, end=end.end(before))
            start = end.start(behind)
    yield span if start == span.start else replace(span, start=start)


def _ends(before: str, behind: str, language: str) -> bool:
    """Tell whether a sentence ends between two words, both given in small letters."""
    if is_listed(before, f"{language}.titles") or is_listed(behind, f"{language}.particles"):
        return False
    return (
        len(before) >= _LONG
        or is_common(before, language)
        or is_first(before, language)
        or is_listed(before, f"{language}.surnames", "world.surnames")
    )
