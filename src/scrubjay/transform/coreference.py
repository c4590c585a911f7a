"""Co-reference: which mentions of a document are of the same person or thing.

"Smith, John", "Mr. Smith", "Jack Smith", "J.S." and "Smiht" can be one person. Two mentions are
of two persons where titles, first names, surnames, generations (Jr., Sr.), relatives or roles
(patient, doctor) speak against it; titles and relatives may stand before a mention, too ("mrs
halloran", "son liam halloran"; `name_cues`). Full names are settled first, and then what is less:
a mention that fits several persons is of the one that stands next before it.

Mentions of other kinds are the same where label, letters and digits are: "(617) 555-0100" and
"617.555.0100"; so are numbers parted otherwise or with zeros before them. Dates are compared as
they are written, not as what they mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scrubjay.labels import kind_of
from scrubjay.transform._slips import Slips
from scrubjay.transform.name_cues import cues_of, name_beside
from scrubjay.transform.name_words import name_key
from scrubjay.transform.person_names import PersonName
from scrubjay.transform.same_person import Facts, agreement

if TYPE_CHECKING:
    from scrubjay.transform.operators import Mention

MANY = 1_000
"""The names of a document from which on they are compared in parts of it."""
_PART = 250
NAME_KINDS = frozenset({"name", "initials"})
_JOINED_KINDS = frozenset({"phone", "ssn", "id", "zip"})
"""Kinds of which "020-5550134" and "0205550134" are one, and "00482913" and "482913" of a person's
numbers."""
_LEAST_NUMBER = 6
_SPELLED, _FEW = "~?", 8
"""What clues of words that may be misspelled begin with, and how many persons with such a clue are
looked at one by one: of more, only those that have such a word."""

_ROLES = {
    "PATIENT": "patient",
    "NOMBRE_SUJETO_ASISTENCIA": "patient",
    "DOCTOR": "staff",
    "NOMBRE_PERSONAL_SANITARIO": "staff",
}
_MARKS = re.compile(r"[\W_]+")
_POSSESSIVE = re.compile(r"['’]s?$")


def cluster(
    mentions: Sequence[Mention],
    *,
    kind: Callable[[str], str] | None = None,
    language: str = "",
    text: str = "",
) -> list[int]:
    """Return the number of the person or thing of each mention, from 0, by first appearance.

    The mentions are those of one document in the order of their text. `kind` tells what the
    mentions of a label are (one of `labels.KINDS`); by default as the shipped label sets have it.
    `language` may be "" (not known). `text` is that of the document, whose words beside names tell
    of their persons (`name_cues`), or "". All kinds of names are compared with each other.
    """
    kinds: dict[str, str] = {}
    keys: list[object] = []
    named: list[int] = []
    for place, mention in enumerate(mentions):
        label = mention.span.label
        if label not in kinds:
            kinds[label] = kind(label) if kind else kind_of("", label)
        if kinds[label] in NAME_KINDS:
            named.append(place)
            keys.append(None)
        else:
            joined = kinds[label] in _JOINED_KINDS
            key = plain_key(mention.text)
            keys.append((label, _joined_key(key, kinds[label]) if joined else key))
    cues = cues_of(text, [mentions[place][:2] for place in named], language)
    told = {(mentions[place].text, cue) for place, cue in zip(named, cues, strict=True)}
    parsed = {each: name_beside(each[0], language, each[1]) for each in told}
    names = [parsed[mentions[place].text, cue] for place, cue in zip(named, cues, strict=True)]
    roles = [_ROLES.get(mentions[place].span.label, "") for place in named]
    for place, person in zip(named, cluster_names(names, roles), strict=True):
        # A name without letters is equal to its like alone.
        keys[place] = person if person >= 0 else ("", plain_key(mentions[place].text))
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def cluster_names(names: Sequence[PersonName], roles: Sequence[str] = ()) -> list[int]:
    """Return the number of the person of each name, in no special order; -1 for no parts.

    `roles` tells what the person of each name is ("patient", "staff", or "" for not known);
    where two differ, only full names are still the same person. Of very many names, each is
    compared with those of its part of the text, and of the part before; full names that are
    equal are one person all over the text.
    """
    facts = _facts_of(names, roles or [""] * len(names))
    return _cluster_facts(facts) if len(facts) <= MANY else _cluster_parts(facts)


def _cluster_parts(facts: Sequence[Facts]) -> list[int]:
    """Cluster in parts, since the time to compare all names grows with their square."""
    found: list[int] = []
    known: dict[tuple[object, ...], int] = {}  # with a title and without
    count = 0
    for start in range(0, len(facts), _PART):
        before = max(0, start - _PART)
        local = _cluster_facts(facts[before : start + _PART])
        global_of: dict[int, int] = {}
        for place, person in enumerate(local, start=before):
            if person >= 0 and place < start:
                global_of.setdefault(person, found[place])
        for place in range(start, before + len(local)):
            person, fact = local[place - before], facts[place]
            if person >= 0 and fact.is_full and fact.told[:-1] in known:
                global_of.setdefault(person, known[fact.told[:-1]])
        for place in range(start, before + len(local)):
            person, fact = local[place - before], facts[place]
            if person < 0:
                found.append(-1)
                continue
            if person not in global_of:
                global_of[person], count = count, count + 1
            found.append(global_of[person])
            if fact.is_full:
                known.setdefault(fact.told[:-1], global_of[person])
    return found


def _cluster_facts(facts: Sequence[Facts]) -> list[int]:
    persons = _Persons()
    found = [-1] * len(facts)
    known: dict[tuple[object, ...], int] = {}  # with a title and without
    # A relative of some generation first: "Thomas Murphy Jr." elsewhere is rather that one.
    full = [
        (-fact.weight, not (fact.relative and fact.suffix), place)
        for place, fact in enumerate(facts)
        if fact.is_full
    ]
    for *_, place in sorted(full):
        fact = facts[place]
        told = fact.told[:-1]
        found[place] = known[told] = persons.meet(fact, place, known.get(told))
    partial = [
        place
        for place, fact in enumerate(facts)
        if not fact.is_full and (fact.words or fact.letters)
    ]
    # Relatives first: whoever has their surname may then be told from them.
    for place in sorted(partial, key=lambda place: not facts[place].relative):
        found[place] = persons.meet(facts[place], place)
    return found


def plain_key(text: str) -> str:
    """Return what other mentions than names are compared by: letters and digits, in runs."""
    return _MARKS.sub(" ", name_key(_POSSESSIVE.sub("", text.strip()))).strip() or text.strip()


def _joined_key(key: str, kind: str) -> str:
    """Return a number without what parts it, and one of a person without leading zeros."""
    joined = key.replace(" ", "")
    if kind == "id" and joined.isdecimal() and len(joined) >= _LEAST_NUMBER:
        return joined.lstrip("0") or joined
    return joined


def _facts_of(names: Sequence[PersonName], roles: Sequence[str]) -> list[Facts]:
    """Return what each mention tells; what tells the same is one object."""
    known: dict[tuple[object, ...], Facts] = {}
    # By the identity of names, which last as long as this does. Facts do not: those of one role
    # make way for those of another (`Facts.of`), and what comes next may have their identity.
    met: dict[tuple[int, str], Facts] = {}
    found: list[Facts] = []
    for name, role in zip(names, roles, strict=True):
        key = (id(name), role)
        same = met.get(key)
        if same is None:
            fact = Facts.of(name, role)
            same = met[key] = known.setdefault(fact.told, fact)
        found.append(same)
    return found


class _Person:
    """What is known of a person: `facts` of its mentions, `whole` those that no other holds."""

    __slots__ = ("facts", "named_as_relative", "places", "whole")

    def __init__(self, fact: Facts, place: int) -> None:
        self.facts, self.whole, self.places = [fact], [fact], [place]
        # Where it is first told that somebody's relative is meant, -1 for nowhere.
        self.named_as_relative = place if fact.relative else -1

    def add(self, fact: Facts) -> None:
        self.facts.append(fact)
        if any(other.holds_words_of(fact) for other in self.whole):
            return
        self.whole = [other for other in self.whole if not fact.holds_words_of(other)]
        self.whole.append(fact)


class _Persons:
    """The persons found so far, looked up by what a mention must share with them."""

    def __init__(self) -> None:
        self._all: list[_Person] = []
        # Of clues: the persons that hold them, the number of each as a bit.
        self._holding: dict[str, int] = {}
        self._slips = Slips()
        # Those with a mention like "J. Quincy", as a bit each.
        self._with_initials = 0

    def meet(self, fact: Facts, place: int, number: int | None = None) -> int:
        """Return the number of the person that a mention is of, and note it there.

        Without `number` that is the one that fits best, a new one where none does.
        """
        if number is None:
            number = self._find(fact, place)
        if number is None:
            number = len(self._all)
            self._all.append(_Person(fact, place))
        else:
            person = self._all[number]
            insort(person.places, place)
            if fact.relative and not 0 <= person.named_as_relative < place:
                person.named_as_relative = place
            if fact in person.facts:
                return number
            person.add(fact)
        holding, own = self._holding, 1 << number
        for clue in fact.holds:
            holding[clue] = holding.get(clue, 0) | own
        for word in fact.words:
            self._slips.add(word)
        if _has_initial(fact):
            self._with_initials |= own
        return number

    def _find(self, fact: Facts, place: int) -> int | None:
        """Return the number of the person that a mention fits best, None where it fits none."""
        holding, sharing, similar = self._holding, 0, 0
        for clue in fact.seeks:
            if clue in holding:
                if clue[0] in _SPELLED:
                    similar |= holding[clue]
                else:
                    sharing |= holding[clue]
        if similar.bit_count() > _FEW and not _has_initial(fact):
            # A word alone tells why they are looked at: a slip of another.
            misspelling = self._with_initials
            for word in fact.words:
                for other in self._slips.like(word):
                    misspelling |= holding[other]
            similar &= misspelling
        sharing |= similar
        best, best_rank = None, (0, False, 0, 0)
        while sharing:
            own = sharing & -sharing
            sharing ^= own
            number = own.bit_length() - 1
            person = self._all[number]
            score = _score(fact, person, place)
            if score:
                before = bisect_left(person.places, place)
                near = person.places[before - 1] if before else -1 - person.places[0]
                same = _shares_generation(fact, person)
                rank = (min(score, 3) if fact.is_full else min(score, 2), same, near, score)
                if best is None or rank > best_rank:
                    best, best_rank = number, rank
        return best


def _has_initial(fact: Facts) -> bool:
    """Tell whether a mention has an initial among its first names, which any name may fit."""
    return any(len(key) == 1 for key in fact.given)


def _score(fact: Facts, person: _Person, place: int) -> int:
    """Return how well a mention fits a person, 0 where anything speaks against it."""
    suffix, gender, limit = fact.suffix, fact.gender, 4
    if suffix and any(other.suffix not in ("", suffix) for other in person.facts):
        return 0
    if gender and not fact.is_full:
        for other in person.facts:
            if other.gender and other.gender != gender:
                return 0
    told = person.named_as_relative
    is_told_apart = fact.is_full or _shares_generation(fact, person)
    if (fact.relative or told >= 0) and not is_told_apart and _names_family(fact, person):
        # "Halloran came with his son Liam Halloran": who is met before is not that son, nor is
        # "mother Halloran" the patient. Behind, he is less likely meant than others are.
        if (told < 0) if fact.relative else (place < told):
            return 0
        limit = limit if fact.relative else 1
    best = 0
    for other in person.whole:
        score = agreement(fact, other)
        if score < 0:
            # One of two surnames is nothing against the other of them.
            return 0
        if score > best:
            best = score
    return best if best < limit else limit


def _shares_generation(fact: Facts, person: _Person) -> bool:
    """Tell whether a mention has the generation (Jr.) that one of a person has."""
    suffix = fact.suffix
    return bool(suffix) and any(other.suffix == suffix for other in person.facts)


def _names_family(fact: Facts, person: _Person) -> bool:
    """Tell whether a mention has none of the first names of a person, nor lone words."""
    if not fact.words:
        return False
    return not any(
        key in fact.words for other in person.facts for key in (*other.given, *other.either)
    )
