"""Names inside phrases: "Elyria Memorial Hospital" -> "Cedar Ridge Memorial Hospital".

Words that say what a thing is stay ("Hospital", "Avenue", "kamer"); each run of other words is
one name and becomes another, the same one wherever it stands in the records of the patient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from scrubjay.features.lexicons import Lexicon, find_lexicon, look_up
from scrubjay.transform.remembering import lasting
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import (
    find_first_names,
    find_surnames,
    find_words,
    language_of,
)
from scrubjay.transform.surrogates.case import keep_spaces, recase, restyle
from scrubjay.transform.surrogates.draw import fold, fold_known

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

    __slots__ = ("_draw", "_scene", "_words", "fresh", "language")

    def __init__(self, fresh: Fresh, language: str, scene: Scene | None = None) -> None:
        self.fresh = fresh
        self.language = language_of(language)
        self._draw = fresh.draw
        self._scene = scene
        self._words = find_words(language)

    def phrase(self, text: str, cues: tuple[str, ...], attempt: int) -> str:
        """Return the text with its names and numbers replaced.

        A text that has none is a name itself ("General Hospital", "Aetna"): it becomes one, beside
        the word that says what it is where there are more. Late attempts are a name alone.
        """
        pieces = _lasting_runs_of(text, cues, self.language)
        if pieces is None:
            pieces = _runs_of(self.numbers(text, attempt), cues, self.language)
        new = self._names(pieces, attempt, cues)
        old = fold_known(text)
        if attempt < LONGER and fold(new) != old:
            return new
        name = keep_spaces(restyle(self.name(old, attempt), text), "")
        words = text.split()
        if len(words) < 2 or attempt >= LONGER:
            return name
        return f"{name} {words[-1]}" if self._words.lead else f"{words[0]} {name}"

    def _names(self, pieces: Sequence[_Piece], attempt: int, cues: tuple[str, ...]) -> str:
        return "".join(
            [
                text if key is None else self._run(text, key, cues, attempt, acronym=acronym)
                for text, key, acronym in pieces
            ]
        )

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

    def is_cue(self, word: str, cues: tuple[str, ...]) -> bool:
        """Tell whether a word says what a thing is ("Avenue"), with or without a full stop."""
        return _is_cue(word, cues, self.language)

    def is_street(self, text: str) -> bool:
        """Tell whether a word of a text is one of streets: "Calle Mayor", "Kloosterlaan"."""
        end = self._words.street_end
        return any(
            self.is_cue(word, STREET) or (end is not None and end.search(word) is not None)
            for word in text.split()
        )

    def stays(self, word: str, cues: tuple[str, ...], *, mixed: bool = False) -> bool:
        """Tell whether a word is no name: a cue, a letter, a small word of the language.

        In a text with capitals (`mixed`) common words in lower case are none either, but in
        streets: those are named after pears and mills.
        """
        return _stays(word, cues, self.language, mixed)

    def _run(
        self, run: str, key: str, cues: tuple[str, ...], attempt: int, *, acronym: bool
    ) -> str:
        if acronym:
            characters = Characters(self._draw, "acronym", key, str(attempt))
            return "".join(map(characters.like, run))
        street = cues == STREET
        if self._scene is not None and not street and len(key) >= _MIN_TOWN and attempt == 0:
            known = self._scene.places.towns.get(key)
            if known is not None:
                return keep_spaces(recase(self._scene.town(run), run), run)
        if street and self._words.street_end and " " not in run:
            ending = self._words.street_end.search(run)
            if ending is not None and ending.start() > 1:
                stem = self.name(fold(run[: ending.start()]), attempt, street=True)
                return restyle(re.sub(r"[ '.-]", "", stem) + ending.group().lower(), run)
        for step in range(attempt, attempt + 8):
            new = self.name(key, step, street=street)
            if fold(new) != key:
                break
        return keep_spaces(restyle(new, run), run)


_Piece = tuple[str, str | None, bool]
"""A stretch of a phrase; of a name also the folded text, and whether it is an acronym."""


def _runs_of(text: str, cues: tuple[str, ...], language: str) -> tuple[_Piece, ...]:
    """Return a text in pieces: the runs of words that are names, and what is between them."""
    runs: list[tuple[int, int]] = []
    mixed = cues != STREET and any(map(str.isupper, text))
    for match in _WORD.finditer(text):
        word = match.group()
        if _stays(word, cues, language, mixed):
            continue
        start, end = match.span()
        end -= word.endswith(".") and len(word) > 3
        if runs and text[runs[-1][1] : start].isspace():
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    pieces: list[_Piece] = []
    position = 0
    for start, end in runs:
        run = text[start:end]
        alone = run == text or not text.isupper()
        if start > position:
            pieces.append((text[position:start], None, False))
        pieces.append((run, fold(run), alone and _is_acronym(run, language)))
        position = end
    if position < len(text):
        pieces.append((text[position:], None, False))
    return tuple(pieces)


@lasting(4096)  # places and institutions of notes are often the same
def _lasting_runs_of(text: str, cues: tuple[str, ...], language: str) -> tuple[_Piece, ...] | None:
    """Return the pieces of a text, None where a number or a lone letter in it changes first."""
    if _LETTER.search(text) is not None or _DIGITS.search(text) is not None:
        return None
    return _runs_of(text, cues, language)


def _is_acronym(run: str, language: str) -> bool:
    return run.isupper() and len(run) <= _LONGEST_ACRONYM and not _has("common", run, language)


def _is_cue(word: str, cues: tuple[str, ...], language: str) -> bool:
    plain = word.rstrip(".")
    for lexicon in _lexicons_of(cues, language):
        if look_up(lexicon, word) is not None:
            return True
        if plain != word and look_up(lexicon, plain) is not None:
            return True
    return False


@cache
def _lexicons_of(cues: tuple[str, ...], language: str) -> list[Lexicon]:
    return [find_lexicon(f"{language}.{cue}") for cue in cues]


@lasting(8192)
def _stays(word: str, cues: tuple[str, ...], language: str, mixed: bool) -> bool:
    plain = word.rstrip(".")
    if len(plain) == 1 or any(map(str.isdigit, word)):
        return True
    if plain.lower() in find_words(language).keep:
        return True
    if _is_cue(word, cues, language):
        return True
    return word.islower() and mixed and _has("common", word, language)


def _has(kind: str, word: str, language: str) -> bool:
    return look_up(find_lexicon(f"{language}.{kind}"), word) is not None


def _ordinal(number: int, like: str) -> str:
    end = "th" if 10 <= number % 100 <= 20 else _ENDS.get(number % 10, "th")
    return end.upper() if like.isupper() else end
