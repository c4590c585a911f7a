"""Names composed of parts: "{nature} {heads} {+hospital}" -> "Cedar Hollow Medical Center"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from scrubjay.errors import ConfigError
from scrubjay.features.draws import Pool
from scrubjay.synthesis.pools import Half, make_pool, split_list, word_tables
from scrubjay.text.numerals import english_ending

_PART = re.compile(r"\{([+\w]+)\}")
_SMALL = 12  # a list as short as this is not split in halves

Draw = Callable[[Random], str]


class Composer:
    """Draws names by the patterns of a language; `draws` gives what the lists do not hold."""

    def __init__(
        self,
        language: str,
        half: Half,
        draws: Mapping[str, Draw],
        own: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        tables = word_tables(language)
        self._draws: dict[str, Draw] = {}
        for name, text in tables["kinds"].items():
            self._draws[f"+{name}"] = self._nested(make_pool(split_list(text), "all"))
            self._draws[name] = self._draws[f"+{name}"]
        for name, text in tables["names"].items():
            rows = split_list(text)
            self._draws[name] = make_pool(rows, half if len(rows) > _SMALL else "all").draw
        self._draws |= {
            "n": _small,
            "N": _middle,
            "K": _large,
            "a": _letter,
            "f": _floor,
            "ordinal": _ordinal,
        }
        self._draws |= draws
        self._patterns: dict[str, tuple[tuple[str | Draw, ...], ...]] = {}
        for kind, lines in tables["patterns"].items():
            rows = [line for line in lines.split("\n") if line.strip()]
            self._patterns[kind] = tuple(self._compile(kind, row) for row in rows)
        for kind, entries in (own or {}).items():
            self._patterns[kind] = tuple((entry,) for entry in make_pool(entries, half).entries)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of names that it can compose."""
        return frozenset(self._patterns)

    def draw(self, kind: str, rng: Random) -> str:
        """Return a name of that kind."""
        return self.parts(kind, rng)[0]

    def parts(self, kind: str, rng: Random) -> tuple[str, str]:
        """Return a name, and the part of it before the last word for what it is ("" if none)."""
        rows = self._patterns[kind]
        pattern = rows[int(rng.random() * len(rows))]
        pieces = [part if isinstance(part, str) else part(rng) for part in pattern]
        stem = ""
        if len(pattern) > 1 and pattern[-1] is self._draws.get(f"+{kind}"):
            stem = "".join(pieces[:-1]).strip()
        return "".join(pieces).replace(" ,", ","), stem

    def _compile(self, kind: str, row: str) -> tuple[str | Draw, ...]:
        parts: list[str | Draw] = []
        for number, piece in enumerate(_PART.split(row)):
            if not number % 2:
                if piece:
                    parts.append(piece)
            elif piece in self._draws:
                parts.append(self._draws[piece])
            else:
                raise ConfigError(f"the pattern {row!r} of {kind!r} names no list: {piece!r}")
        return tuple(parts)

    def _nested(self, pool: Pool) -> Draw:
        """Return a draw from entries that may hold numbers: "Post {n}"."""
        if not any("{" in entry for entry in pool.entries):
            return pool.draw

        def draw(rng: Random) -> str:
            entry = pool.draw(rng)
            return _PART.sub(lambda match: self._draws[match[1]](rng), entry)

        return draw


def _small(rng: Random) -> str:
    return str(1 + int(rng.random() * 60))


def _middle(rng: Random) -> str:
    return str(1 + int(1500 * rng.random() ** 2))


def _large(rng: Random) -> str:
    return str(100 + int(rng.random() ** 2 * 19900))


def _floor(rng: Random) -> str:
    return str(1 + int(rng.random() ** 2 * 12))


def _letter(rng: Random) -> str:
    return "ABCDEFGHKLMNPRST"[int(rng.random() * 16)]


def _ordinal(rng: Random) -> str:
    return ordinal(1 + int(rng.random() ** 2 * 190))


def ordinal(number: int) -> str:
    """Return an English ordinal: 1st, 22nd, 113th."""
    return f"{number}{english_ending(number)}"
