"""No person goes over the end of a sentence: "carmen gil. maria sola" are two.

In notes without capitals a full stop alone parts them. Behind an initial, a title or a shortened
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
    r"(?<![^\W_])(?P<before>[^\W\d_]{3,40})(?P<stop>[.]\s{1,3})(?P<behind>[a-zß-öø-ÿ]{1,40})(?![^\W_])"
)
_LONG = 5
"""Letters of a word that is not shortened."""


def may_go_over(mention: str) -> bool:
    """Tell whether a full stop stands behind a word of a person, and small letters behind it."""
    return _END.search(mention) is not None


def part_sentences(text: str, span: Span, language: str) -> Iterator[Span]:
    """Yield what stands of a person in each sentence, without the full stops between."""
    start = span.start
    for end in _END.finditer(text, span.start, span.end):
        if _ends(end["before"].lower(), end["behind"], language):
            yield replace(span, start=start, end=end.end("before"))
            start = end.start("behind")
    yield span if start == span.start else replace(span, start=start)


def _ends(before: str, behind: str, language: str) -> bool:
    """Tell whether a sentence ends between two words in small letters."""
    if is_listed(before, f"{language}.titles") or is_listed(behind, f"{language}.particles"):
        return False
    return (
        len(before) >= _LONG
        or is_common(before, language)
        or is_first(before, language)
        or is_listed(before, f"{language}.surnames", "world.surnames")
    )
