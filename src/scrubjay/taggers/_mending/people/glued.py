"""Names in capitals that have lost the blank before them: "DRGRIMALDI", "ATTNTEIXEIRA" (English).

Hasty typing and damaged exports glue a name to the title, role or relative before it. Where both
are written in capitals no token border is left, and a tagger can only take all of it or nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, fold_accents, normal_word
from scrubjay.features.protected import protected_pieces

SOURCE = "glued"

_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_CAPITALS = re.compile(rf"{_CAPITAL}{_CAPITAL}{{6,}}")  # one first: it is sought more quickly so
_JOINTS = "-'’"
_RUN = re.compile(rf"{_CAPITAL}+(?:[-'’]{_CAPITAL}+)*(?![^\W\d_])")
_FIRST = re.compile(r"[^-'’]+")

_STAFF = (
    "dr drs attn attending resident intern surg surgeon rn np md lpn cna rph lcsw crna "
    "anes paged called consult cosign nurse midwife cnm"
)
_FAMILY = (
    "mom mother dad father wife husb husband son daughter dtr sis sister bro brother aunt uncle "
    "pt mr mrs ms hcpoa poa nok spouse partner"
)

_DOCTOR = "dr"
_FOREIGN = re.compile(rf"{_DOCTOR}(?=[b-df-hj-np-tw-xz][a-z]{{4}})[a-z]*[aeiou]")
"""No word goes on so: what stands behind "DR" is a name, in whatever list it is not."""

_LEAST_NAME = 4
"""Letters that a name has at least: shorter ones stand in too many words."""

#: Lists of words that are no two words: a run that is one of these is left alone.
_WHOLE = ("en.common", "en.protected", "world.protected", "world.drugs", "en.professions",
          "en.cities", "en.hospitals")  # fmt: skip
_NAMES = ("en.surnames", "es.surnames", "nl.surnames", "world.surnames", "en.first-names",
          "world.first-names")  # fmt: skip

_ENDINGS = frozenset(("hood", "ship", "like", "less", "land", "ward", "wise", "ally"))
"""What makes another word of a title or a relative, and is a name, too."""

_KEPT, _LONGEST = 16_384, 48


def add_glued(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans with those of names that stand glued to a title, a role or a relative.

    `spans` are sorted and disjoint, and so are those that are returned. A span of a person that
    begins with such a title begins after it; any other that stands there is left as it is.
    """
    return _add_at(text, tuple(spans), [run.start() for run in _CAPITALS.finditer(text)])


def add_glued_at(text: str, spans: tuple[Span, ...], starts: Sequence[int]) -> tuple[Span, ...]:
    """Return what `add_glued` does, of a text in which seven capitals in a row begin at `starts`.

    Those that begin as no title does (`title_heads`) may be missing.
    """
    if any(text[start - 1 : start] in _JOINTS for start in starts if start):
        return add_glued(text, spans)  # what is missing may go on to there
    return _add_at(text, spans, starts) if starts else spans


def _add_at(text: str, spans: tuple[Span, ...], starts: Sequence[int]) -> tuple[Span, ...]:
    rows = list(spans)
    end = 0
    for start in starts:
        if start < end or text[start - 1 : start].isalnum():
            continue
        run = _RUN.match(text, start)
        end = run.end() if run else start
        if run and end - start <= _LONGEST and (cut := _cut(run[0])):
            size, label = cut
            _put_name(rows, start, start + size, end, label)
    return tuple(rows)


def title_heads() -> frozenset[str]:
    """Return the first two letters of all titles that a name may stand glued to."""
    return frozenset(title[:2] for title in _titles())


def may_lose_title(mention: str) -> bool:
    """Tell whether a title that may be cut off a name stands anywhere in a mention."""
    titles = tuple(_titles())
    return any(found[0].lower().startswith(titles) for found in _CAPITALS.finditer(mention))


def _put_name(rows: list[Span], start: int, name: int, end: int, label: str) -> None:
    """Put the name from `name` to `end`, of a run that begins at `start`, among the spans."""
    place = bisect_right(rows, start, key=attrgetter("end"))  # the first that ends after `start`
    if place == len(rows) or rows[place].start >= end:
        rows.insert(place, Span(name, end, label, source=SOURCE))
        return
    first = rows[place]
    if first.start == start and first.end >= end and first.label in ("DOCTOR", "PATIENT"):
        rows[place] = replace(first, start=name)


@lru_cache(_KEPT)
def _cut(run: str) -> tuple[int, str] | None:
    """Return how long the title before the name in a run is, and the name's label, if it is one."""
    word = normal_word(_first_part(run))
    rest = word[len(_DOCTOR) :]
    if _FOREIGN.match(fold_accents(word)) and not (
        rest in protected_pieces("en") or _is_listed(rest, _WHOLE)
    ):
        return len(_DOCTOR), "DOCTOR"
    for title, label in _titles().items():
        name = word[len(title) :]
        if len(name) >= _LEAST_NAME and word.startswith(title) and _is_name(name):
            return None if _is_whole(word) else (len(title), label)
    return None


def _first_part(run: str) -> str:
    match = _FIRST.match(run)
    return match[0] if match else run


def _is_name(word: str) -> bool:
    return word not in _ENDINGS and any(word in find_lexicon(name) for name in _NAMES)


def _is_whole(word: str) -> bool:
    """Tell whether a word is listed as it is, which makes it no two words."""
    return _is_listed(word, (*_WHOLE, *_NAMES))


def _is_listed(word: str, lists: tuple[str, ...]) -> bool:
    forms = {word, fold_accents(word)}
    return any(form in find_lexicon(name) for form in forms for name in lists)


@cache
def _titles() -> Mapping[str, str]:
    """Return what a name may stand glued to, the longest first, with the label of the name."""
    labels = dict.fromkeys(_STAFF.split(), "DOCTOR") | dict.fromkeys(_FAMILY.split(), "PATIENT")
    return dict(sorted(labels.items(), key=lambda item: (-len(item[0]), item[0])))
