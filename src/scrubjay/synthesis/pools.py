"""What slots are filled from: lists with weights, each entry in one of two disjoint halves.

Whether a name is for training or for development follows from the name itself, so a note made
for development holds names that no note made for training can hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Literal
from zlib import crc32

from scrubjay.errors import ConfigError
from scrubjay.features.draws import Pool, weight
from scrubjay.features.lexicons import find_lexicon, fold_accents
from scrubjay.resources import load_table
from scrubjay.text.particles import COMMON

Half = Literal["all", "train", "dev"]
HALVES: tuple[Half, ...] = ("all", "train", "dev")

_DEV_SHARE = 5
"""One name in so many is for development."""
_PARTICLES = COMMON | {
    "vander", "della", "dello", "das", "dos", "do", "des", "le", "el", "te", "op", "aan", "het",
    "in", "'t", "'s", "y", "e", "zu", "zum", "zur", "af", "av", "bin", "bint", "ibn", "al", "und",
    "of", "the", "and", "on", "upon", "sur", "sous", "am", "an", "bei", "en", "d'", "l'", "près",
    "lez",
}  # fmt: skip
_MISSPELT = frozenset({"águilar", "jimínez", "bétancourt"})
"""Entries of lexicons that nobody is called so."""
_CAPITAL_AFTER = frozenset({"o", "d", "l", "dell", "m"})
_ACRONYM = re.compile(r"(?=.*[^aeiouy'])[a-z]{2,3}")


def half_of(name: str) -> Half:
    """Return "dev" for one name in five, by its letters alone without case and accents."""
    key = "".join(c for c in fold_accents(name).lower() if c.isalnum())
    return "dev" if crc32(key.encode()) % _DEV_SHARE == 0 else "train"


def make_pool(
    entries: Iterable[str], half: Half, *, weights: Mapping[str, float] | None = None
) -> Pool:
    """Return the entries of a half as a pool, in order; all of them where the half has none."""
    rows = list(dict.fromkeys(entries))
    kept = [row for row in rows if half == "all" or half_of(row) == half] or rows
    if weights is None:
        return Pool(tuple(kept))
    return Pool(tuple(kept), tuple(accumulate(weights[row] for row in kept)))


@cache
def lexicon_pool(
    name: str,
    half: Half,
    cased: Callable[[str], str] | None = None,
    *,
    rarest: int = 99,
    unknown: bool = True,
) -> Pool:
    """Return a lexicon as a pool with the weights of `features.draws.weight`.

    Entries of classes above `rarest` are left out, and with `unknown=False` those of no known
    class.
    """
    lexicon = find_lexicon(name)
    write = cased or title
    weights: dict[str, float] = {}
    for entry in sorted(lexicon):
        group = lexicon[entry]
        if len(entry) > 1 and group <= rarest and (group or unknown):
            weights.setdefault(write(entry), weight(group))
    return make_pool(with_accents(weights), half, weights=weights)


def with_accents(entries: Iterable[str]) -> list[str]:
    """Return entries without those that are another without its accents, or are misspelt."""
    rows = [entry for entry in entries if entry.lower() not in _MISSPELT]
    folded = {fold_accents(entry) for entry in rows if not entry.isascii()}
    return [entry for entry in rows if entry not in folded]


@cache
def title(entry: str) -> str:
    """Return a name as it is written: "o'brien" -> "O'Brien", "de la cruz" -> "de la Cruz"."""
    words = []
    for number, word in enumerate(entry.split(" ")):
        if word in _PARTICLES and (number or " " in entry):
            words.append(word)
        else:
            words.append("-".join(map(_capital, word.split("-"))))
    return " ".join(words)


def _capital(word: str) -> str:
    head, apostrophe, tail = word.partition("'")
    if apostrophe and not head:
        return word if word in _PARTICLES else f"'{tail[:1].upper()}{tail[1:]}"
    if apostrophe and head in _CAPITAL_AFTER and len(tail) > 1:
        return f"{head.capitalize()}'{tail[:1].upper()}{tail[1:]}"
    if word.startswith("mc") and len(word) > 4:
        return f"Mc{word[2:].capitalize()}"
    return word[:1].upper() + word[1:]


def plain(entry: str) -> str:
    """Return an entry as it is in its list."""
    return entry


def split_list(text: str) -> list[str]:
    """Return the entries of a list: parted by bars where it has any, else by white space.

    In the latter an underscore is a space.
    """
    if "|" in text:
        return [" ".join(entry.split()) for entry in text.split("|") if entry.strip()]
    return [entry.replace("_", " ") for entry in text.split()]


def own_list(rows: Sequence[str], *, name: str) -> tuple[str, ...]:
    """Return the entries of a list of one's own. Raises `ConfigError` where there is none."""
    found = [" ".join(row.split()) for row in rows]
    found = [row for row in found if row and not row.startswith("#")]
    if not found:
        raise ConfigError(f"the list of names {name} is empty", hint="Write one name on each line")
    return tuple(dict.fromkeys(found))


@cache
def word_tables(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the words and patterns of a language: `resources/synthesis/LANGUAGE.words.toml`."""
    return load_table("synthesis", f"{language}.words.toml")
