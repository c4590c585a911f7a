"""Word lists that ship with the package: names, places, professions, titles, common words.

A lexicon is a mapping from entry to frequency class. Entries are lower case, NFC, with plain
apostrophes. Class 1 holds the most frequent entries, higher classes rarer ones, and 0 means
that no frequency is known; `resources/lexicons/ORIGIN.md` gives the borders and the sources.

File format (UTF-8, plain or gzip): one entry per line; a line `#= CLASS` sets the class of the
lines after it; other lines that begin with `#` and blank lines are comments. Where `NAME.txt`
and `NAME.txt.gz` both exist, the lexicon is their union.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from types import MappingProxyType

from scrubjay.errors import ConfigError
from scrubjay.resources import resource

Lexicon = Mapping[str, int]

# The blocks of combining diacritical marks, basic, extended, supplement and half marks.
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f]+")
_SUFFIXES = (".txt", ".txt.gz")
_CLASS_LINE = "#= "


def lexicon_names() -> list[str]:
    """Return the names of the shipped lexicons, sorted."""
    found = {
        entry.name.removesuffix(".gz").removesuffix(".txt")
        for entry in _folder().iterdir()
        if entry.name.endswith(_SUFFIXES)
    }
    return sorted(found)


@cache
def find_lexicon(name: str) -> Lexicon:
    """Return a shipped lexicon, loaded on the first call; read-only.

    An entry with accents also answers to its form without them ("garcia" finds "garcía"), as
    upper-case names often lose theirs. Raises `ConfigError` for an unknown name.
    """
    files = [_folder().joinpath(name + suffix) for suffix in _SUFFIXES]
    data = [_unpacked(file) for file in files if file.is_file()] if _is_plain(name) else []
    if not data:
        raise ConfigError(
            f"there is no lexicon {name!r}", hint=f"Known: {', '.join(lexicon_names())}"
        )
    entries: dict[str, int] = {}
    for content in data:  # the hand-written part first: the derived one has the classes
        entries.update(_parse(content.decode("utf-8")))
    return MappingProxyType(_with_folded(entries))


@cache
def shipped_lexicons(language: str, *kinds: str) -> tuple[Lexicon, ...]:
    """Return those of some kinds of lexicons that a language has, in the order of the kinds."""
    names = lexicon_names()
    return tuple(find_lexicon(name) for kind in kinds if (name := f"{language}.{kind}") in names)


def look_up(lexicon: Lexicon, word: str) -> int | None:
    """Return the class of a word or phrase in any case, or None where the lexicon lacks it.

    Second chance: the word without its accents.
    """
    key = normal_word(word)
    found = lexicon.get(key)
    return found if found is not None or key.isascii() else lexicon.get(fold_accents(key))


def is_listed(word: str, *names: str) -> bool:
    """Tell whether one of the shipped lexicons of these names has a word or phrase, in any case."""
    return any(look_up(find_lexicon(name), word) is not None for name in names)


def normal_word(word: str) -> str:
    """Return the key under which lexicons hold a word: NFC, lower case, plain apostrophes."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word).lower().replace("’", "'")


def fold_accents(text: str) -> str:
    """Return the text without combining marks: "García" -> "Garcia", "ñ" -> "n"."""
    if text.isascii():
        return text
    return _MARKS.sub("", unicodedata.normalize("NFD", text))


def _folder() -> Traversable:
    return resource("lexicons")


def _is_plain(name: str) -> bool:
    return all(c.isalnum() or c in ".-_" for c in name)


def _unpacked(file: Traversable) -> bytes:
    content = file.read_bytes()
    return gzip.decompress(content) if file.name.endswith(".gz") else content


def _parse(text: str) -> dict[str, int]:
    blocks: list[tuple[int, list[str]]] = []
    first, *rest = ("\n" + text.replace("\r\n", "\n")).split("\n" + _CLASS_LINE)
    for index, block in enumerate((first, *rest)):
        number, body = 0, block
        if index:
            line, _, body = block.partition("\n")
            number = int(line)
        lines = body.split("\n")
        if "#" in body:
            lines = [line for line in lines if not line.startswith("#")]
        blocks.append((number, lines))
    entries: dict[str, int] = {}
    # The most frequent class comes last and so wins over rarer ones and over "not known".
    for number, lines in sorted(blocks, key=lambda block: (block[0] > 0, -block[0])):
        entries.update(dict.fromkeys(lines, number))
    entries.pop("", None)
    return entries


def _with_folded(entries: dict[str, int]) -> dict[str, int]:
    accented = [entry for entry in entries if not entry.isascii()]
    if accented:
        folded = fold_accents("\n".join(accented)).split("\n")
        for entry, plain in zip(accented, folded, strict=True):
            entries.setdefault(plain, entries[entry])
    return entries
