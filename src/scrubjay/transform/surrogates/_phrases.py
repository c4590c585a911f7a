"""Names inside phrases: "Elyria Memorial Hospital" -> "Cedar Ridge Memorial Hospital".

Words that say what a thing is stay ("Hospital", "Avenue", "kamer"); each run of other words is
one name and becomes another, the same one wherever it stands in the records of the patient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.transform.surrogates._date_writing import ordinal_ending
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh
from scrubjay.transform.surrogates._initials import is_taken
from scrubjay.transform.surrogates._phrase_pieces import (
    ACRONYM,
    BESIDE,
    FACILITY,
    LETTER,
    NAMED,
    NAMED_BEFORE,
    NUMBER,
    STAYS,
    STEM_BEFORE,
    STREET,
    Piece,
    cut,
    is_common,
    is_cue,
    parts_that_change,
    pieces_of,
    runs_of,
    stays,
    street_kind,
)
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._street_names import CUE, is_compound
from scrubjay.transform.surrogates._tables import (
    find_first_names,
    find_surnames,
    find_words,
    language_of,
)
from scrubjay.transform.surrogates.case import keep_spaces, recase, restyle
from scrubjay.transform.surrogates.draw import fold, fold_known

_SAINT = re.compile(r"(?<!\w)(?:st\.?|saint|sint|san(?:ta)?|virgen de)\s+", re.IGNORECASE)
_SAINT_BEFORE = re.compile(_SAINT.pattern + r"\Z", re.IGNORECASE)
_SAINT_NAMED = re.compile(r"(?<!\w)(?:st\.?|saint|sint)\s+\Z", re.IGNORECASE)
_DEVOTION = re.compile(
    r"(?<!\w)(?:(san|santa|santo)|(?:virgen|v\.|n(?:ues)?tra\.?\s+s(?:eño)?ra\.?)\s+"
    r"(de(?:l|\s+la|\s+las|\s+los)?))\s+\Z",
    re.IGNORECASE,
)
_LONGEST_DEVOTION = 32
_ARTICLE = re.compile(r"(?<!\w)(del|al|el|la|los|las)\s+\Z", re.IGNORECASE)
_OWNED = re.compile(r"['’]s?\Z", re.IGNORECASE)
#: Words with figures among letters, as scans have them: "Li1ac", "Hosp1tal", but not "B12".
_MISREAD = re.compile(r"(?<!\w)(?=\w*[^\W\d_]\d+[^\W\d_])(?=(?:\d*[^\W\d_]){3})\w+(?!\w)")
_LETTERS = str.maketrans("0123456789", "olzeasgtbg")
_YEAR = re.compile("1[5-9][0-9]{2}|20[0-2][0-9]")
_LATEST = 2025
_MIN_TOWN = 4
_STEPS = 8


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
        the word that says what it is where there are more. Late attempts are a name alone. Figures
        among the letters of a word are letters that were misread, not numbers.
        """
        text = _MISREAD.sub(lambda word: word[0].translate(_LETTERS), text)
        pieces: Sequence[Piece] | None = pieces_of(text, cues, self.language)
        if pieces is None:
            pieces = runs_of(self.numbers(text, attempt), cues, self.language)
        new = self._written(pieces, attempt, cues)
        old = fold_known(text)
        if attempt < LONGER and fold(new) != old:
            return new
        name = keep_spaces(restyle(self.name(old, attempt), text), "")
        words = text.split()
        if len(words) < 2 or attempt >= LONGER:
            return name
        return f"{name} {words[-1]}" if self._words.lead else f"{words[0]} {name}"

    def numbers(self, text: str, attempt: int) -> str:
        """Return a text with its numbers replaced, and the letters that stand alone or after one.

        English ordinals get the ending of their new number.
        """
        parts = parts_that_change(text, self.language)
        return self._written(cut(text, 0, len(text), parts), attempt, ())

    def _written(self, pieces: Sequence[Piece], attempt: int, cues: tuple[str, ...]) -> str:
        """Return pieces with all that changes new."""
        new: list[str] = []
        for kind, text, key in pieces:
            if kind == STAYS:
                new.append(text)
            elif kind == NUMBER:
                year = _YEAR.fullmatch(text) if cues and cues != STREET else None
                new.append(self._year(text, attempt) if year else self._number(text, key, attempt))
            elif kind == LETTER:
                new.append(Characters(self._draw, "letter", text, str(attempt)).like(text))
            elif kind in BESIDE:
                new.append(self._beside(text, key, kind, attempt))
            elif kind == NAMED and cues == FACILITY and new and self._is_saint(new[-1]):
                new.append(self._saint(text, key, attempt))
            elif kind == NAMED and (names := self._devotions(new)):
                new.append(self._devotion(text, key, names, attempt))
            else:
                article = self._article(new)
                acronym = kind == ACRONYM
                made = self._run(text, key, cues, attempt, acronym=acronym, article=article)
                saint = _SAINT.match(made) if new and _SAINT_BEFORE.search(new[-1]) else None
                new.append(made[saint.end() :] if saint else made)  # never "St. Saint Ann"
        return "".join(new)

    def _number(self, text: str, ending: str, attempt: int) -> str:
        characters = Characters(self._draw, "number", text, str(attempt))
        old = text[: len(text) - len(ending)]
        for _ in range(_STEPS):
            value = characters.digit_run(old)
            if value != old:
                break
        return value + ordinal_ending(int(value), ending, "en") if ending else value

    def _year(self, text: str, attempt: int) -> str:
        """Return another year of the same century, none that is still to come."""
        characters = Characters(self._draw, "year", text, str(attempt))
        century, most = text[:2], _LATEST % 100 if text[:2] == str(_LATEST)[:2] else 99
        number = characters.below(most)  # of the others
        return f"{century}{number + (number >= int(text[2:])):02d}"

    def name(self, key: str, attempt: int, *, street: bool = False, article: str = "") -> str:
        """Return a made-up name in lower case: a surname, nature, a saint or two of these.

        Behind an article it is nature that agrees with it, where the language has such.
        """
        characters = Characters(self._draw, "street" if street else "name", key, str(attempt))
        if article:
            nouns, fitting = self._words.agreeing[article]
            noun = nouns[characters.below(len(nouns))]
            alone = characters.below(2)
            return noun if alone else f"{noun} {fitting[characters.below(len(fitting))]}"
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
        heads = words.feminine_heads.get(nature, words.heads)
        return f"{nature}{words.glue}{heads[characters.below(len(heads))]}"

    def is_cue(self, word: str, cues: tuple[str, ...]) -> bool:
        """Tell whether a word says what a thing is ("Avenue"), with or without a full stop."""
        return is_cue(word, cues, self.language)

    def is_street(self, text: str) -> bool:
        """Tell whether a word of a text is one of streets: "Calle Mayor", "Kloosterlaan"."""
        end = self._words.street_end
        return any(
            self.is_cue(word, STREET) or (end is not None and end.search(word) is not None)
            for word in text.split()
        )

    def is_kind_alone(self, text: str) -> bool:
        """Tell whether a text says what a street is and the name stands after it: "Avenida"."""
        words = self._words
        kinds_last = words.lead or words.street_end is not None
        return not kinds_last and street_kind(text, self.language) == CUE

    def is_of_street(self, word: str) -> bool:
        """Tell whether a word in a street is no name, or has a word of streets in it."""
        return stays(word, STREET, self.language, False) or self.is_street(word)

    def _article(self, new: Sequence[str]) -> str:
        """Return the article behind which a name stands, or ""."""
        found = _ARTICLE.search(new[-1]) if new and self._words.agreeing else None
        article = found[1].lower() if found else ""
        article = "el" if article in ("del", "al") else article
        return article if article in self._words.agreeing else ""

    def _run(
        self,
        run: str,
        key: str,
        cues: tuple[str, ...],
        attempt: int,
        *,
        acronym: bool,
        article: str = "",
    ) -> str:
        if acronym:
            return self._acronym(run, key, attempt)
        street = cues == STREET
        may_be_town = not street and len(key) >= _MIN_TOWN and attempt == 0
        if may_be_town and self._scene is not None and self._scene.is_town(key):
            return keep_spaces(recase(self._scene.town(run), run), run)
        if street and self._words.street_end:
            ending = self._words.street_end.search(run)
            if ending is not None and ending.start() > 1 and is_compound(run, self._words):
                stem = self._stem(fold(run[: ending.start()]), attempt)
                return restyle(stem + ending.group().lower(), run)
        nation = self._nation(key, attempt) if cues == FACILITY else None
        new = nation or self._other_name(key, attempt, street=street, article=article)
        return keep_spaces(restyle(new, run), run)

    def _acronym(self, run: str, key: str, attempt: int) -> str:
        """Return other letters, which read as no word, no term and no other body: no "WHO"."""
        new = ""
        for step in range(_STEPS):
            again = ("again", str(step)) if step else ()
            characters = Characters(self._draw, "acronym", key, str(attempt), *again)
            new = "".join(map(characters.like, run))
            if not (is_taken(new) or is_common(new, self.language)):
                break
        return new

    def _nation(self, key: str, attempt: int) -> str | None:
        """Return another adjective of a nation for one where they agree with nouns: "Mexicano"."""
        if self._scene is None or not self._words.agreeing:
            return None
        nations = self._scene.places.nations
        old, form = self._scene.places.adjectives.get(key, ("", -1))
        forms = {row[form] for row in nations.values() if len(row) > form >= 0}
        fitting = sorted(one for one in forms if one[-1:] == key[-1:])
        return self.fresh.pick(fitting, "nation", key, str(attempt), used={key}) if old else None

    def _is_saint(self, before: str) -> bool:
        """Tell whether a name behind this text is that of a saint, whose names are listed."""
        return bool(self._words.saint_names) and _SAINT_NAMED.search(before) is not None

    def _saint(self, run: str, key: str, attempt: int) -> str:
        """Return the name of another saint: "Anne's" of "St. Anne's" becomes "Paula's"."""
        if self._scene is not None and self._scene.is_town(key) and attempt == 0:
            return self._run(run, key, FACILITY, attempt, acronym=False)
        key = key.rstrip("s'’")  # "St. Anne", "St. Anne's" and "St. Annes" are one
        own = _OWNED.search(run)
        listed = [name for name in self._words.saint_names if name[:4] not in key]
        characters = Characters(self._draw, "saint", key, str(attempt))
        first = listed[characters.below(len(listed))]
        stem = run[: own.start()] if own else run
        return keep_spaces(restyle(first, stem), run) + (own.group() if own else "")

    def _devotions(self, new: Sequence[str]) -> tuple[str, ...]:
        """Return what may stand behind these pieces if they end with a word for a saint."""
        if not (new and self._words.devotions):
            return ()
        lead = _DEVOTION.search("".join(new[-4:])[-_LONGEST_DEVOTION:])
        of = " ".join((lead[1] or lead[2]).lower().split()) if lead else ""
        return self._words.devotions.get(of, ())

    def _devotion(self, run: str, key: str, names: Sequence[str], attempt: int) -> str:
        """Return another name of a saint or of Our Lady, of the gender that the text tells."""
        characters = Characters(self._draw, "devotion", key, str(attempt))
        others = [name for name in names if fold(name) not in key.split()]
        return keep_spaces(restyle(others[characters.below(len(others))], run), run)

    def _other_name(self, key: str, attempt: int, *, street: bool, article: str = "") -> str:
        """Return a name that is another one; that of a street has no word of the old one."""
        old = frozenset(key.split())
        for step in range(attempt, attempt + _STEPS):
            new = self.name(key, step, street=street, article=article)
            folded = fold(new)
            if folded != key and not (street and not old.isdisjoint(folded.split())):
                break
        return new

    def _stem(self, key: str, attempt: int) -> str:
        """Return the first part of the name of a street in one word, that does not hold the old."""
        for step in range(attempt, attempt + _STEPS):
            new = re.sub(r"[ '.-]", "", self.name(key, step, street=True))
            if key not in fold(new):
                break
        return new

    def _beside(self, word: str, key: str, kind: int, attempt: int) -> str:
        """Return a word that says what a street is with a name beside it."""
        if kind == STEM_BEFORE:
            return restyle(self._stem(key, attempt) + word.lower(), word)
        name = restyle(self._other_name(key, attempt, street=True), word)
        return f"{name} {word}" if kind == NAMED_BEFORE else f"{word} {name}"
