"""Surrogates of persons: each becomes another person, in all the forms of its mentions.

    John Q. Smith, Mr. Smith, SMITH, JOHN, Jack, JS
    Peter F. Weaver, Mr. Weaver, WEAVER, PETER, Pete, PW

Each part of a name has one new part, drawn by its own key: so the parts, and the members of a
family, fit together, and do so in all documents of the patient. Gender (of a title, of what stands
before a mention, as "her son Robin", else of a first name), origin, order, case, marks and glue
stay; titles, particles (van, de la) and generations (Jr.) are kept; no new part begins with the
letter of the old one, so that no initial stays. A word that would be kept and is a mention by
itself ("Captain Trent", elsewhere "Captain") becomes a name, as it does there. Short forms become
short forms, and misspelled repeats misspelled ones. Digits change too.

Where two parts would become one, or a draw is a word of an original of the record, the next draw
is taken: only there can the documents of a patient differ. Only past some hundred persons in one
document may two share a new name.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.document import Span
from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.name_cues import cues_of, name_beside
from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import PersonName, parse_letters, parse_name
from scrubjay.transform.same_person import Facts
from scrubjay.transform.surrogates._people import people_of
from scrubjay.transform.surrogates._person_profile import Profile
from scrubjay.transform.surrogates._person_writing import render, steps_of
from scrubjay.transform.surrogates._record_names import profiles_of
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Wanted, step_by_step


def make_many(wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
    """Return other names for each document, one person for one person (a `maker.ManyMaker`).

    It is `ConfigError` for one where the originals of its record leave no name.
    """
    works = [_Work(*each) for each in wanted]
    step_by_step(works, (_Work.look, _Work.read, _Work.meet, _Work.compare, _Work.tell_apart))
    _share(works)
    return step_by_step(works, (_Work.describe, _Work.lay_out, _Work.write))


def _share(works: Sequence[_Work]) -> None:
    """Let the documents of each record know what the others of it tell of their persons."""
    records: dict[tuple[int, str], list[_Work]] = {}
    for work in works:
        if work.record.shared >= 0 and work.error is None:
            records.setdefault((work.record.shared, work.record.language), []).append(work)
    for (_, language), together in records.items():
        if len(together) < 2:
            continue
        try:
            found = profiles_of([work.names for work in together], language)
        except Exception as error:
            for work in together:
                work.error = error
            continue
        for work, profiles in zip(together, found, strict=True):
            work.shared = profiles


def _are_letters(name: PersonName) -> bool:
    """Tell whether a mention is letters that may spell a name: "L I", "K. O. K."."""
    return len(name.parts) > 1 and all(len(part.key) == 1 for part in name.parts)


class _Work:
    """The names of a document on their way to new ones, step by step."""

    __slots__ = (
        "_avoid", "_cues", "_draw", "_numbers", "_people", "_persons", "_spans", "_texts",
        "error", "names", "new", "record", "shared",
    )  # fmt: skip

    def __init__(
        self,
        texts: Sequence[str],
        record: Record,
        draw: Draw,
        avoid: frozenset[str],
        spans: Sequence[Span],
    ) -> None:
        self._texts, self.record, self._draw, self._avoid = texts, record, draw, avoid
        self._spans = spans
        self.names: list[PersonName] = []
        self.shared: Sequence[Profile | None] = ()
        self.new: list[str] = []
        self.error: Exception | None = None

    def look(self) -> None:
        """Look at what stands beside the names."""
        self._cues = []
        if self._spans:
            mentions = list(zip(self._spans, self._texts, strict=True))
            self._cues = cues_of(self.record.text, mentions, self.record.language)

    def read(self) -> None:
        """Read the names."""
        language = self.record.language
        if self._spans:
            pairs = zip(self._texts, self._cues, strict=True)
            self.names = [name_beside(text, language, cue) for text, cue in pairs]
        else:
            self.names = [parse_name(text, language) for text in self._texts]
        letters = [n for n, name in enumerate(self.names) if _are_letters(name)]
        if letters:
            known = {key for name in self.names for key in name.keys("given", "last", "either")}
            for number in letters:
                text, name = self._texts[number], self.names[number]
                spelled = parse_letters(text, language, known)
                self.names[number] = PersonName(spelled.parts, name.gender, name.relative)

    def meet(self) -> None:
        """Look at what the document holds."""
        self._people = people_of(self.record, self._draw, self._avoid)

    def compare(self) -> None:
        """Work out what the names are compared by (`cluster_names`)."""
        for name in self.names:
            Facts.of(name, "")

    def tell_apart(self) -> None:
        """Tell which names are of the same person."""
        self._numbers = cluster_names(self.names)

    def describe(self) -> None:
        """Note what is known of each person."""
        members: dict[int, list[PersonName]] = {}
        for number, name in zip(self._numbers, self.names, strict=True):
            if number in members:
                members[number].append(name)
            else:
                members[number] = [name]
        people, language = self._people, self._people.language
        self._persons = {number: Profile.of(mine, language) for number, mine in members.items()}
        if self.shared:
            self._persons |= self._shared_persons()
        people.persons += self._persons.values()

    def _shared_persons(self) -> dict[int, Profile]:
        """Return what the record tells of the persons that it has as this document has them."""
        found: dict[int, Profile] = {}
        parted: set[int] = set()
        for number, name, profile in zip(self._numbers, self.names, self.shared, strict=True):
            if (
                profile is None
                or found.setdefault(number, profile) is not profile
                or (name.gender and name.gender != profile.gender)  # "Mr. Jamie Reed", and "Ms."
            ):
                parted.add(number)
        return {number: profile for number, profile in found.items() if number not in parted}

    def lay_out(self) -> None:
        """Work out how the mentions are made that tell all that is known of their person."""
        persons = self._persons
        for number, text, name in zip(self._numbers, self._texts, self.names, strict=True):
            steps_of(text, name, persons[number])

    def write(self) -> None:
        """Write the new names."""
        done: dict[tuple[int, str], str] = {}
        people, persons, new = self._people, self._persons, self.new
        pairs = zip(self._numbers, self._texts, strict=True)
        for pair, name in zip(pairs, self.names, strict=True):
            made = done.get(pair)
            if made is None:
                made = done[pair] = render(people, pair[1], name, persons[pair[0]])
            new.append(made)
