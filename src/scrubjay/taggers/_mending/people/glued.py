"""Names in capitals that have lost the blank before them: "DRGRIMALDI", "ATTNTEIXEIRA" (English).

Hasty typing and damaged exports glue a name to the title, role or relative before it. Where both
are written in capitals no token border is left, and a tagger can only take all of it or nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, fold_accents
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS

SOURCE = "glued"

_CAPITALS = "[A-ZÀ-ÖØ-Þ]"
_RUN = re.compile(
    rf"(?<![^\W_])(?P<glued>{_CAPITALS}{{7,40}})(?:[-'’]{_CAPITALS}{{1,40}}){{0,3}}(?![^\W\d_])"
)
_FOREIGN = re.compile("dr(?=[b-df-hj-np-tw-xz][a-z]{4})[a-z]*[aeiou]")
"""No word goes on so: what stands behind "DR" is a name, in whatever list it is not."""

_STAFF = (
    "dr drs attn attending resident intern surg surgeon rn np md lpn cna rph lcsw crna anes paged "
    "called consult cosign nurse midwife cnm"
)
_FAMILY = (
    "mom mother dad father wife husb husband son daughter dtr sis sister bro brother aunt uncle pt "
    "mr mrs ms hcpoa poa nok spouse partner"
)

_LEAST_NAME = 4
"""Letters that a name has at least: shorter ones stand in too many words."""

#: Lists of words that are no two words: a run that is one of these is left alone.
_WHOLE = ("en.common", "en.protected", "world.protected", "world.drugs", "en.professions",
          "en.cities", "en.hospitals")  # fmt: skip
_NAMES = ("en.surnames", "es.surnames", "nl.surnames", "world.surnames", "en.first-names",
          "world.first-names")  # fmt: skip

_ENDINGS = frozenset(("hood", "ship", "like", "less", "land", "ward", "wise", "ally"))
"""What makes another word of a title or a relative, and is a name, too."""


def add_glued(text: str, spans: tuple[Span, ...], starts: Iterable[int]) -> tuple[Span, ...]:
    """Return the spans with names that stand glued to a title, where nothing was found.

    A person that begins with such a title begins after it. Seven capitals in a row begin at
    `starts`; those that begin as no title does (`title_heads`) may be missing. Spans are sorted and
    disjoint, and stay so.
    """
    rows = list(spans)
    for start in starts:
        run = _RUN.match(text, start)
        if run is None or (cut := _cut(run["glued"])) is None:
            continue
        size, label = cut
        place = bisect_right(rows, start, key=attrgetter("end"))
        own = rows[place] if place < len(rows) and rows[place].start < run.end() else None
        if own is None:
            rows.insert(place, Span(start + size, run.end(), label, source=SOURCE))
        elif own.start == start and own.end >= run.end() and own.label in STAFF_AND_PATIENTS:
            rows[place] = replace(own, start=start + size)
    return tuple(rows)


def title_heads() -> frozenset[str]:
    """Return the first two letters of all titles that a name may stand glued to."""
    return frozenset(title[:2] for title, _ in _titles())


@text_cache(16_384)
def _cut(run: str) -> tuple[int, str] | None:
    """Return how long the title before the name in a run is, and the name's label, if it is one."""
    word = run.lower()
    if _FOREIGN.match(word) and not _is_listed(word[2:], _WHOLE):
        return 2, "DOCTOR"
    for title, label in _titles():
        name = word[len(title) :]
        if len(name) >= _LEAST_NAME and word.startswith(title) and name not in _ENDINGS:
            if _is_listed(word, (*_WHOLE, *_NAMES)):
                return None
            if _is_listed(name, _NAMES):
                return len(title), label
    return None


def _is_listed(word: str, lists: tuple[str, ...]) -> bool:
    forms = {word, fold_accents(word)}
    return any(form in find_lexicon(name) for form in forms for name in lists)


@cache
def _titles() -> tuple[tuple[str, str], ...]:
    """Return what a name may stand glued to, the longest first, with the label of the name."""
    labels = dict.fromkeys(_STAFF.split(), "DOCTOR") | dict.fromkeys(_FAMILY.split(), "PATIENT")
    return tuple(sorted(labels.items(), key=lambda item: (-len(item[0]), item[0])))
