"""Names by origin: which groups of names a mention belongs to, to find gaps in recall.

The lists in `resources/origins` were written for one purpose: to see whether a detector finds
names of one origin less often than names of another. A name tells nothing about the person who
bears it; use the groups for counts over many mentions, never to classify a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import fold_accents
from scrubjay.resources import load_table, table_names

_WORD = re.compile(r"[^\W\d_]+(?:['’`][^\W\d_]+)*")
# Letters that differ from a plain one by more than a combining mark.
_PLAIN = str.maketrans({"ı": "i", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "ð": "d", "þ": "th"})
_APOSTROPHES = str.maketrans("", "", "'’`")


@dataclass(frozen=True, slots=True)
class NameList:
    """Names of one origin: `given` and `family` names, each sorted by `name_key`, no duplicates.

    A name may stand in several lists: many names are of many places.
    """

    name: str
    title: str
    about: str
    given: tuple[str, ...]
    family: tuple[str, ...]


def name_key(name: str) -> tuple[str, ...]:
    """Return the words of a name without case, accents and apostrophes; hyphens part words."""
    plain = fold_accents(name.casefold()).translate(_PLAIN)
    return tuple(word.translate(_APOSTROPHES) for word in _WORD.findall(plain))


@cache
def origin_names() -> tuple[str, ...]:
    """Return the names of all groups, sorted."""
    return table_names("origins")


@cache
def find_origin(name: str) -> NameList:
    """Return the list of one group; raises `ConfigError` for an unknown name."""
    if name not in origin_names():
        raise ConfigError(
            f"there is no list of names {name!r}", hint=f"Known: {', '.join(origin_names())}"
        )
    table = load_table("origins", f"{name}.toml")
    given, family = tuple(table["given"]), tuple(table["family"])
    return NameList(table["name"], table["title"], table["about"], given, family)


def origins_of(text: str) -> tuple[str, ...]:
    """Return the groups that a mention of a person fits best, sorted; often several, or none.

    Each part of the text that is a given or family name of a list, the longest first, speaks for
    the groups that have it. The groups with most parts are returned: "Juan Martin" is hispanic,
    though "Martin" alone is of several. Case, accents, apostrophes and hyphens do not matter.
    """
    votes = Counter(group for groups in _parts(name_key(text)) for group in groups)
    most = max(votes.values(), default=0)
    return tuple(sorted(group for group, count in votes.items() if count == most))


def _parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    index, longest = _index()
    start = 0
    while start < len(words):
        for size in range(min(longest, len(words) - start), 0, -1):
            groups = index.get(words[start : start + size])
            if groups:
                yield groups
                break
        else:
            size = 1
        start += size


@cache
def _index() -> tuple[Mapping[tuple[str, ...], tuple[str, ...]], int]:
    """Return key -> the groups that have it, and the words of the longest key."""
    groups: dict[tuple[str, ...], set[str]] = {}
    for name in origin_names():
        names = find_origin(name)
        for entry in (*names.given, *names.family):
            groups.setdefault(name_key(entry), set()).add(name)
    table = {key: tuple(sorted(found)) for key, found in groups.items()}
    return MappingProxyType(table), max(map(len, table), default=1)
