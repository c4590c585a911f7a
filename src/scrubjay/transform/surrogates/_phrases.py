"""Names inside phrases: "Elyria Memorial Hospital" -> "Cedar Ridge Memorial Hospital".

Words that say what a thing is stay ("Hospital", "Avenue", "kamer"); each run of other words is
one name and becomes another, the same one wherever it stands in the records of the patient.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from scrubjay.features.lexicons import Lexicon, find_lexicon, look_up
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import (
    find_first_names,
    find_surnames,
    find_words,
    language_of,
)
from scrubjay.transform.surrogates.case import keep_spaces, recase, restyle
from scrubjay.transform.surrogates.draw import fold

_WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w\u0300-\u036f'’-]*[^\W_])?\.?")
_DIGITS = re.compile(r"(\d+)(st|nd|rd|th)?(?![^\W\d_])|\d+", re.IGNORECASE)
_LETTER = re.compile(r"(?<![^\W_'’.])[A-Za-z](?![^\W_]|['’./])|(?<=\d)[A-Za-z](?![^\W_])")
_ENDS = {1: "st", 2: "nd", 3: "rd"}
_LONGEST_ACRONYM = 6
_MIN_TOWN = 4

FACILITY = ("facility-words", "organization-words")
STREET = ("street-words",)
PLACE = ("facility-words", "organization-words", "street-words")


class Phrases:
    """Makes new phrases for one record."""

    __slots__ = ("_draw", "_lexicons", "_scene", "_words", "fresh", "language")

    def __init__(self, fresh: Fresh, language: str, scene: Scene | None = None) -> None:
        self.fresh = fresh
        self.language = language_of(language)
        self._draw = fresh.draw
        self._scene = scene
        self._words = find_words(language)
        self._lexicons: dict[str, Lexicon] = {}

    def phrase(self, text: str, cues: Collection[str], attempt: int) -> str:
        """Return the text with its names and numbers replaced.

        A text that has none is a name itself ("General Hospital", "Aetna"): it becomes one, beside
        the word that says what it is where there are more. Late attempts are a name alone.
        """
        new = self._names(self.numbers(text, attempt), cues, attempt)
        old = self._draw.fold(text)
        if attempt < LONGER and self._draw.fold(new) != old:
            return new
        name = keep_spaces(restyle(self.name(old, attempt), text), "")
        words = text.split()
        if len(words) < 2 or attempt >= LONGER:
            return name
        return f"{name} {words[-1]}" if self._words.lead else f"{words[0]} {name}"

    def _names(self, text: str, cues: Collection[str], attempt: int) -> str:
        pieces: list[str] = []
        position = 0
        for start, end in self._runs(text, cues):
            run = text[start:end]
            alone = run == text or not text.isupper()
            pieces += [text[position:start], self._run(run, cues, attempt, alone=alone)]
            position = end
        return "".join(pieces) + text[position:]

    def numbers(self, text: str, attempt: int) -> str:
        """Return a text with its numbers replaced, and the letters that stand alone or after one.

        English ordinals get the ending of their new number.
        """

        def number(match: re.Match[str]) -> str:
            characters = Characters(self._draw, "number", match.group(), str(attempt))
            old = match.group(1) or match.group()
            value = characters.digit_run(old)
            if value == old:
                value = characters.digit_run(old)
            ending = match.group(2)
            return value + _ordinal(int(value), ending) if ending else value

        def letter(match: re.Match[str]) -> str:
            if match.group().lower() in self._words.keep:
                return match.group()
            return Characters(self._draw, "letter", match.group(), str(attempt)).like(match.group())

        return _LETTER.sub(letter, _DIGITS.sub(number, text))

    def name(self, key: str, attempt: int, *, street: bool = False) -> str:
        """Return a made-up name in lower case: a surname, nature, a saint or two of these."""
        characters = Characters(self._draw, "street" if street else "name", key, str(attempt))
        surnames, words = find_surnames(self.language), self._words
        kind = characters.below(100)
        nature = words.nature[characters.below(len(words.nature))]
        if kind < 30:
            return surnames[characters.below(len(surnames))]
        if kind < 45 and not street:
            first = find_first_names(self.language)
            saint = words.saints[characters.below(len(words.saints))]
            return saint.format(first[characters.below(len(first))])
        if kind < 55 and street:
            return nature
        return f"{nature}{words.glue}{words.heads[characters.below(len(words.heads))]}"

    def is_cue(self, word: str, cues: Collection[str]) -> bool:
        """Tell whether a word says what a thing is ("Avenue"), with or without a full stop."""
        plain = word.rstrip(".")
        return any(self._has(cue, word) or self._has(cue, plain) for cue in cues)

    def is_street(self, text: str) -> bool:
        """Tell whether a word of a text is one of streets: "Calle Mayor", "Kloosterlaan"."""
        end = self._words.street_end
        return any(
            self.is_cue(word, STREET) or (end is not None and end.search(word) is not None)
            for word in text.split()
        )

    def _runs(self, text: str, cues: Collection[str]) -> list[tuple[int, int]]:
        runs: list[tuple[int, int]] = []
        mixed = any(c.isupper() for c in text)
        for match in _WORD.finditer(text):
            if self.stays(match.group(), cues, mixed=mixed and cues != STREET):
                continue
            start, end = match.span()
            end -= match.group().endswith(".") and len(match.group()) > 3
            if runs and text[runs[-1][1] : start].isspace():
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        return runs

    def stays(self, word: str, cues: Collection[str], *, mixed: bool = False) -> bool:
        """Tell whether a word is no name: a cue, a letter, a small word of the language.

        In a text with capitals (`mixed`) common words in lower case are none either, but in
        streets: those are named after pears and mills.
        """
        plain = word.rstrip(".")
        if len(plain) == 1 or any(c.isdigit() for c in word):
            return True
        if plain.lower() in self._words.keep:
            return True
        if self.is_cue(word, cues):
            return True
        return word.islower() and mixed and self._has("common", word)

    def _has(self, kind: str, word: str) -> bool:
        lexicon = self._lexicons.get(kind)
        if lexicon is None:
            lexicon = self._lexicons[kind] = find_lexicon(f"{self.language}.{kind}")
        return look_up(lexicon, word) is not None

    def _run(self, run: str, cues: Collection[str], attempt: int, *, alone: bool) -> str:
        key = self._draw.fold(run)
        if alone and self._is_acronym(run):
            characters = Characters(self._draw, "acronym", key, str(attempt))
            return "".join(map(characters.like, run))
        street = cues == STREET
        if self._scene is not None and not street and len(key) >= _MIN_TOWN:
            known = self._scene.places.towns.get(key)
            if known is not None and attempt == 0:
                return keep_spaces(recase(self._scene.town(run), run), run)
        ending = self._words.street_end.search(run) if self._words.street_end else None
        if street and ending is not None and ending.start() > 1 and " " not in run:
            stem = self.name(fold(run[: ending.start()]), attempt, street=True)
            return restyle(re.sub(r"[ '.-]", "", stem) + ending.group().lower(), run)
        for step in range(attempt, attempt + 8):
            new = self.name(key, step, street=street)
            if fold(new) != key:
                break
        return keep_spaces(restyle(new, run), run)

    def _is_acronym(self, run: str) -> bool:
        return run.isupper() and len(run) <= _LONGEST_ACRONYM and not self._has("common", run)


def _ordinal(number: int, like: str) -> str:
    end = "th" if 10 <= number % 100 <= 20 else _ENDS.get(number % 10, "th")
    return end.upper() if like.isupper() else end
