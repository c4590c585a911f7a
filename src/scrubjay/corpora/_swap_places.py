"""Replacing names of places, streets, facilities and jobs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from scrubjay.corpora._swap_codes import swap_code, swap_ordinals, swap_postcode
from scrubjay.corpora._swap_lists import SwapLists
from scrubjay.features.lexicons import fold_accents
from scrubjay.transform.surrogates._phrase_pieces import PLACE, WORD
from scrubjay.transform.surrogates.case import keep_spaces, recase, restyle

_POSTCODE = re.compile(r"\b\d{4} ?[A-Z]{2}\b")
_STREET_END = re.compile(
    r"(?:straat|laan|weg|plein|kade|gracht|singel|steeg|dijk|hof|dreef|pad|markt|wal|haven|ring|"
    r"park|plantsoen|boulevard|brink|baan|str)(?:je)?\.?$",
    re.IGNORECASE,
)
_DOTTED_CODE = re.compile(r"[A-Za-z]\.\s?[A-Za-z]\.?")
_DOTTED_STATES = (
    "N.C.", "S.C.", "N.D.", "S.D.", "N.H.", "N.J.", "N.M.", "N.Y.", "R.I.", "W.V.", "D.C.",
)  # fmt: skip


@dataclass(slots=True, repr=False)
class PlaceSwapper:
    """The replacements of places and jobs in one document; groups of words are remembered."""

    lists: SwapLists
    rng: Random
    _groups: dict[str, str] = field(default_factory=dict)

    def city(self, text: str) -> str:
        return self._whole(text, lambda: self.lists.draw("cities", self.rng))

    def country(self, text: str) -> str:
        kind = "demonyms" if self.lists.has("demonyms", text) else "countries"
        return self._whole(text, lambda: self.lists.draw(kind, self.rng))

    def profession(self, text: str) -> str:
        """Return another job; where it can, with the same beginning or end, for its article."""
        english = self.lists.language == "en"

        def draw() -> str:
            for _ in range(20):
                drawn = self.lists.draw("professions", self.rng)
                same = (
                    (drawn[0] in "aeiou") == (text.lower()[0] in "aeiou")
                    if english
                    else drawn[-1] == text.lower()[-1]
                )
                if same and "/" not in drawn:
                    return drawn
            return drawn

        return restyle(draw(), text if text.isupper() else text.lower())

    def region(self, text: str) -> str:
        """Return another state or province; a code stays a code, dots and case included."""
        dotted = _DOTTED_CODE.fullmatch(text.strip())
        if dotted and self.lists.language == "en":
            return self.rng.choice(_DOTTED_STATES)
        if len(text) == 2 and text.isalpha() and self.lists.language == "en":
            return restyle(self.lists.draw("state-codes", self.rng), text)
        return self._whole(text, lambda: self._full_region())

    def _full_region(self) -> str:
        for _ in range(20):
            drawn = self.lists.draw("regions", self.rng)
            if len(drawn) > 4 and "." not in drawn:
                return drawn
        return drawn

    def territory(self, text: str) -> str:
        """Return another town, region or postal code, as MEDDOCAN's TERRITORIO holds all three."""
        if any(c.isdigit() for c in text):
            return swap_code(text, self.rng)
        if self.lists.has("regions", text) and not self.lists.has("cities", text):
            return self.region(text)
        if self.lists.has("countries", text):
            return self.country(text)
        return self.city(text)

    def postcode(self, text: str) -> str:
        return swap_postcode(text, self.rng)

    def street(self, text: str) -> str:
        """Return another street: numbers and names change, words such as "Avenue" stay."""
        return self._words(swap_ordinals(text, self.rng), "street-words",
                           lambda: self.lists.street_stem(self.rng))  # fmt: skip

    def address(self, text: str) -> str:
        """Return another address of street, postal code and town, in Dutch order."""
        pieces, position = [], 0
        for match in _POSTCODE.finditer(text):
            pieces += [text[position : match.start()], swap_postcode(match.group(), self.rng)]
            position = match.end()
        rest = text[position:]
        if not pieces:
            return self._address_part(rest)
        return "".join(
            self._address_part(piece) if index % 2 == 0 else piece
            for index, piece in enumerate([*pieces, rest])
        )

    def _address_part(self, text: str) -> str:
        return re.sub(r"[^,;\n]+", lambda match: self._street_or_city(match.group()), text)

    def _street_or_city(self, part: str) -> str:
        words = part.split()
        if any(c.isdigit() for c in part) or any(_STREET_END.search(word) for word in words):
            return self.street(part)
        before = part[: len(part) - len(part.lstrip())]
        core = part.strip()
        after = part[len(before) + len(core) :]
        return before + self.city(core) + after if core else part

    def facility(self, text: str, label: str) -> str:
        """Return another hospital, institute or company, built on the words of this one.

        Now and then, and where all its words are cues ("General Hospital"), a mention of the
        corpus under the same label takes its place.
        """
        new = text
        if self.rng.random() >= 0.2:
            new = self._words(text, "", lambda: self.lists.proper_name(self.rng))
        if new == text:
            other = self.lists.other_mention(label, self.rng)
            if other is None or other == " ".join(text.split()):
                other = self.lists.proper_name(self.rng)
                return keep_spaces(restyle(other, text), text)
            return keep_spaces(recase(other, text), text)
        return new

    def place(self, text: str) -> str:
        """Return another place of any kind: parks, counties, buildings, wards, boxes."""
        new = self._words(swap_ordinals(text, self.rng), "",
                          lambda: self.lists.proper_name(self.rng))  # fmt: skip
        return new if new != text else self._whole(text, lambda: self.lists.proper_name(self.rng))

    def _whole(self, text: str, draw: Callable[[], str]) -> str:
        key = _key(text)
        if key not in self._groups:
            for _ in range(20):
                self._groups[key] = draw()
                if _key(self._groups[key]) != key:
                    break
        return keep_spaces(restyle(self._groups[key], text), text)

    def _words(self, text: str, cues: str, draw: Callable[[], str]) -> str:
        """Return the text with each run of words that are no cues replaced as one name."""
        pieces: list[str] = []
        position = 0
        for start, end in self._runs(text, cues):
            run = text[start:end]
            pieces += [text[position:start], self._run(run, draw)]
            position = end
        return "".join(pieces) + text[position:]

    def _runs(self, text: str, cues: str) -> list[tuple[int, int]]:
        runs: list[tuple[int, int]] = []
        for match in WORD.finditer(text):
            if self._stays(match.group(), text, cues):
                continue
            start, end = match.span()
            end -= match.group().endswith(".") and len(match.group()) > 3
            if runs and text[runs[-1][1] : start].isspace():
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        return runs

    def _stays(self, word: str, text: str, cues: str) -> bool:
        if len(word.strip(".")) == 1 or any(c.isdigit() for c in word):
            return True
        kinds = (cues,) if cues else PLACE
        if any(self.lists.has(kind, form) for kind in kinds for form in (word, word.rstrip("."))):
            return True
        if not cues and text.find(word) > 0 and self.lists.is_frequent(word):
            return True
        mixed = any(c.isupper() for c in text)
        return word.islower() and (
            self.lists.has("particles", word) or (mixed and self.lists.has("common", word))
        )

    def _run(self, run: str, draw: Callable[[], str]) -> str:
        key = _key(run)
        if key not in self._groups:
            self._groups[key] = self._new_run(run, draw)
        return keep_spaces(restyle(self._groups[key], run), run)

    def _new_run(self, run: str, draw: Callable[[], str]) -> str:
        if self._is_acronym(run):
            return "".join(self.rng.choice("abcdefghiklmnoprstvw") for _ in run)
        ending = _STREET_END.search(run) if self.lists.language == "nl" else None
        if ending and ending.start() > 1 and " " not in run:
            stem = re.sub(r"[ '.-]", "", draw())
            return stem + ending.group().lower()
        for _ in range(20):
            drawn = draw()
            if _key(drawn) != _key(run):
                return drawn
        return drawn

    def _is_acronym(self, run: str) -> bool:
        return (
            run.isupper()
            and len(run) <= 5
            and not self.lists.has("common", run)
            and self.lists.name_role(run) is None
        )


def _key(text: str) -> str:
    return fold_accents(" ".join(text.split())).casefold()
