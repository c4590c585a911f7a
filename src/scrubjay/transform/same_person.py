"""Whether two mentions may be of one person: titles, names, initials, slips compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.caching import text_cache
from scrubjay.text.distance import distance
from scrubjay.transform.name_words import gender_of, is_known_name
from scrubjay.transform.nicknames import are_same_name, formal_names
from scrubjay.transform.person_names import PersonName

LONG = 5
"""Letters of a word that may be another one misspelled."""

_GENERATIONS = {
    "jr": "jr", "jnr": "jr", "junior": "jr", "hijo": "jr",
    "sr": "sr", "snr": "sr", "senior": "sr",
    "ii": "ii", "iii": "iii", "iv": "iv",
}  # fmt: skip
"""Generations behind a name, and what each is compared as."""
_ROLES = ("given", "last", "either", "initial", "suffix")


def is_misspelled(word: str, other: str) -> bool:
    """Tell whether one of two words looks like the other misspelled.

    They have five letters or more, differ by one edit (two from eight letters on; a swap of
    neighbours is one), begin alike, and are not both names that many bear: Jansen and Janssen
    are two names.
    """
    size = min(len(word), len(other))
    if size < LONG or abs(len(word) - len(other)) > 2 or word[0] not in other[:2]:
        return False
    limit = 1 if size < 8 else 2
    return distance(word, other, limit) <= limit and not (
        is_known_name(word) and is_known_name(other)
    )


# Nobody changes it; to be frozen would double what it costs.
@dataclass(slots=True, eq=False, repr=False)
class Facts:
    """What a mention tells of a person; keys of words, never empty ones.

    `letters` are the initials in a mention of initials alone, else "". `is_full` tells that it is
    a first name and a surname, or a group; `weight` how much it tells: whole words first, then
    initials. `titled` is the gender that a title or a relative tells. `told` is all of it, `titled`
    last: two facts that tell the same have it alike.

    What a mention and a person of whom it may be have in common are clues, and one is enough:
    `seeks` are those of the mention, `holds` those of a person with this mention. A clue is a word
    or the name it is short for; a letter, where one of them has initials alone (`*` for the
    letters of a person, `!` for one with initials alone); and one of the first two letters of long
    words, where one of them may be misspelled (`~`, and `?` for words that are no known names).
    """

    given: tuple[str, ...]
    last: tuple[str, ...]
    either: tuple[str, ...]
    letters: str
    gender: str
    suffix: str
    role: str
    relative: str
    group: bool
    words: tuple[str, ...]
    is_full: bool
    weight: int
    told: tuple[Any, ...]
    seeks: tuple[str, ...]
    holds: tuple[str, ...]
    titled: str

    @classmethod
    def of(cls, name: PersonName, role: str) -> Facts:
        """Return what a mention tells, worked out once as long as the mention is remembered."""
        found: Facts | None = name.facts
        if found is None or found.role != role:
            parts = name.parts
            lone = len(parts) == 1 and parts[0].role == "either" and len(parts[0].key) > 1
            found = cls._lone(parts[0].key, name, role) if lone else cls._of(name, role)
            name.facts = found
        return found

    @classmethod
    def _lone(cls, key: str, name: PersonName, role: str) -> Facts:
        """Return what one word of more than a letter tells, of which nobody knows the kind."""
        words, gender, relative = (key,), name.gender, name.relative
        told = (), (), words, "", gender, "", role, relative, False, gender
        return cls(
            (), (), words, "", gender, "", role, relative, False, words, False, 10, told,
            *_clues_of(key), gender,
        )  # fmt: skip

    @classmethod
    def _of(cls, name: PersonName, role: str) -> Facts:
        of_role: dict[str, tuple[str, ...]] = {}
        for _, _, key, part_role in name.parts:
            of_role[part_role] = (*of_role.get(part_role, ()), key)
        given, last, either, initials, suffixes = [of_role.get(one, ()) for one in _ROLES]
        alone = not (given or last or either)
        row = given
        if alone or either:
            row = ()
        elif initials:
            # First names and initials are one row: "John Q." and "J. Quincy". Initials may be
            # written as one word: "JP".
            keys = name.keys("given", "initial")
            row = tuple([one for key in keys for one in (key if key in initials else (key,))])
        letters = "".join(initials) if alone else ""
        generations = [_GENERATIONS[key] for key in suffixes if key in _GENERATIONS]
        gender, suffix = name.gender or _gender(given), generations[0] if generations else ""
        words = tuple([key for key in (*row, *last, *either) if len(key) > 1])
        group = "link" in of_role
        seeks, holds = _clues(letters, words)
        return cls(
            row, last, either, letters, gender, suffix, role, name.relative, group, words,
            is_full=bool(words) and (group or bool(row and last)),
            weight=10 * len(words) + len(row),
            told=(
                row, last, either, letters, gender, suffix, role, name.relative, group, name.gender
            ),
            seeks=seeks,
            holds=holds,
            titled=name.gender,
        )  # fmt: skip

    def holds_words_of(self, other: Facts) -> bool:
        """Tell whether it has all words of another mention, and one that the other has not."""
        mine, others = self.words, other.words
        for word in others:
            if word not in mine:
                return False
        return any(word not in others for word in mine)

    @property
    def initials(self) -> str:
        return "".join(key[0] for key in (*self.given, *self.last))


def _clues(letters: str, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a mention seeks, and what a person with it holds."""
    if len(words) == 1 and not letters:
        return _clues_of(words[0])
    seeks: list[str] = []
    for letter in letters:
        seeks += (f"!{letter}", f"*{letter}")
    holds = seeks.copy()
    for word in words:
        sought, held = _clues_of(word)
        seeks += sought
        holds += held
    return tuple(seeks), tuple(holds)


@text_cache(8192)
def _clues_of(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clues of a whole word: of the mention, and of the person."""
    formal, first = formal_names(word), word[0]
    names = formal if word in formal else (*formal, word)
    if len(word) < LONG:
        return (*names, f"!{first}"), (*names, f"*{first}")
    second = word[1]
    if is_known_name(word):
        return (
            (*names, f"!{first}", f"?{first}", f"?{second}"),
            (*names, f"*{first}", f"~{first}", f"~{second}"),
        )
    strange = (f"~{first}", f"?{first}", f"~{second}", f"?{second}")
    return (*names, f"!{first}", *strange), (*names, f"*{first}", *strange)


def _gender(given: Sequence[str]) -> str:
    """Return the gender of a first name; of a short form only where all it stands for agree."""
    if not given:
        return ""
    own = gender_of(given[0])
    genders = {gender_of(name) for name in formal_names(given[0])}
    return own if genders <= {own, ""} or genders == {own} else ""


def agreement(a: Facts, b: Facts) -> int:
    """Return how well two mentions fit one person: below 0 they cannot, 0 tells nothing."""
    if a.group or b.group:
        same = sorted((*a.words, *a.letters)) == sorted((*b.words, *b.letters))
        return 4 if a.group and b.group and same else -1
    if a.suffix and b.suffix and a.suffix != b.suffix:
        return -1
    full = len(a.words) > 1 and len(b.words) > 1
    if full and bool(a.suffix) != bool(b.suffix) and bool(a.relative) != bool(b.relative):
        return -1  # Thomas Murphy, and his son Thomas Murphy Jr.
    if (
        full
        and a.words[0] in b.words
        and sorted(a.words) == sorted(b.words)
        and _same_letters(a.given, b.given)
    ):
        if a.titled and b.titled and a.titled != b.titled and set(a.given).isdisjoint(b.given):
            return -1  # Mr. James Taylor and Ms. Taylor James
        return 4
    if a.gender and b.gender and a.gender != b.gender:
        return -1
    if a.relative and b.relative and a.relative != b.relative:
        return -1
    if a.is_full and b.is_full and bool(a.relative) != bool(b.relative):
        one, other = a.given, b.given
        if one and other and len(one[0]) > 1 < len(other[0]) and one[0] != other[0]:
            return -1  # Margaret Hale, and her daughter Peggy Hale
    score = _letters_agree(a, b) if a.letters or b.letters else _words_agree(a, b)
    if score > 0 and a.role and b.role and a.role != b.role:
        return score if full and score >= 3 else -1
    return score


def _same_letters(a: Sequence[str], b: Sequence[str]) -> bool:
    """Tell whether the initials among two rows of first names are the same, or one has none."""
    if a == b:
        return True
    letters = [[key for key in row if len(key) == 1] for row in (a, b)]
    return not all(letters) or letters[0] == letters[1]


def _letters_agree(a: Facts, b: Facts) -> int:
    if a.letters and b.letters:
        if a.letters == b.letters:
            return 3
        return 0 if a.letters.startswith(b.letters) or b.letters.startswith(a.letters) else -1
    letters, other = (a.letters, b) if a.letters else (b.letters, a)
    if not (other.given and other.last):
        return 1 if len(letters) == 1 and letters in {word[0] for word in other.words} else 0
    if len(letters) == 1:
        return 1 if letters in (other.given[0][0], other.last[0][0]) else -1
    forms = {
        other.initials,
        other.given[0][0] + other.last[-1][0],
        other.given[0][0] + other.last[0][0],
        other.last[0][0] + other.given[0][0],
        other.last[-1][0] + other.given[0][0],
        "".join(key[0] for key in other.given) + other.last[0][0],
        "".join(key[0] for key in other.given),
    }
    return 2 if letters in forms else -1


def _words_agree(a: Facts, b: Facts) -> int:
    if a.either or b.either:
        return _lone_word_agrees(a, b)
    last = _row(a.last, b.last, _same_last) if a.last and b.last else 0
    if last < 0:
        return _swapped(a, b)
    given = _row_of_given(a.given, b.given) if a.given and b.given else 0
    if given < 0:
        return _swapped(a, b)
    if last and given:
        # Both misspelled is too little.
        return -1 if last == given == 1 else 3 if last == given == 3 else min(2, last, given)
    return min(2, last or given - (given == 2))


def _swapped(a: Facts, b: Facts) -> int:
    """Return the score where first name and surname of one have changed places."""
    if len(a.words) < 2 or len(b.words) < 2 or a.initials[:1] == b.initials[:1]:
        return -1
    if not (a.given and a.last and b.given and b.last):
        return -1
    given = _row_of_given(a.given, b.last)
    last = _row(a.last, b.given, _same_last)
    return 2 if given >= 2 and last >= 2 else -1


def _lone_word_agrees(a: Facts, b: Facts) -> int:
    """Compare where at least one is a single name, of which nobody knows the kind."""
    one, other = (a, b) if a.either else (b, a)
    if len(one.either) > 1 or len(other.either) > 1:
        return _lone_compound_agrees(one, other)
    word = one.either[0]
    if other.either:
        return 3 if word == other.either[0] else _near(word, other.either[0], given=True)
    best = 0
    for key in other.last:
        best = max(best, 2 if key == word else _near(word, key, given=False))
    for place, key in enumerate(other.given):
        if len(key) > 1:
            found = 2 if key == word else _near(word, key, given=True)
            best = max(best, found if place == 0 or found < 2 else 2)
    return best


def _lone_compound_agrees(a: Facts, b: Facts) -> int:
    """Compare where at least one is two names joined by a hyphen, and nothing more.

    It is one surname or one first name: as such it has all names of the other, or the other all
    of its own. One of two names is less than both.
    """
    one, other = (a, b) if len(a.either) > 1 else (b, a)
    words = one.either
    if other.either == words:
        return 3
    best = 0
    for row in (other.either, other.last, other.given):
        short, long = (row, words) if len(row) < len(words) else (words, row)
        scores = [max([2 * (x == y) or _near(x, y, given=False) for y in long]) for x in short]
        if scores and min(scores) > 0:
            best = max(best, min(scores) if len(row) >= len(words) else 1)
    return best


def _near(word: str, other: str, *, given: bool) -> int:
    if given and are_same_name(word, other):
        return 2
    return 1 if is_misspelled(word, other) else 0


def _row(a: Sequence[str], b: Sequence[str], same: Callable[[str, str], int]) -> int:
    """Compare surnames: all of the shorter row must be in the longer, in order.

    One of two surnames is enough in any place: "García", "Pérez" and "García Pérez".
    """
    if len(a) == len(b) == 1:
        return same(a[0], b[0])
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    for shift in range(len(long) - len(short) + 1):
        scores = [same(x, y) for x, y in zip(short, long[shift:], strict=False)]
        if min(scores) > 0:
            return min(scores)
    return -1


def _same_last(a: str, b: str) -> int:
    if a == b:
        return 3
    return 1 if is_misspelled(a, b) else -1


def _row_of_given(a: Sequence[str], b: Sequence[str]) -> int:
    """Compare first names, place by place; the longer row may go on."""
    if len(a) == len(b) == 1:
        return _same_given(a[0], b[0])
    scores = [_same_given(x, y) for x, y in zip(a, b, strict=False)]
    if min(scores) < 0 and len(a) != len(b):
        # Called by the second of two first names: "J. Quincy" and "Quincy".
        short, long = (a, b) if len(a) < len(b) else (b, a)
        if len(short) == 1 and len(short[0]) > 1 and short[0] in long:
            return 2
    return min(scores) if min(scores) < 0 else scores[0]


def _same_given(a: str, b: str) -> int:
    if a == b:
        return 3 if len(a) > 1 else 2
    if len(a) == 1 or len(b) == 1:
        names = formal_names(a if len(a) > 1 else b)
        letter = a if len(a) == 1 else b
        whole = a if len(a) > 1 else b
        return 2 if letter in {whole[0], *(name[0] for name in names)} else -1
    if are_same_name(a, b):
        return 3
    return 1 if is_misspelled(a, b) else -1
