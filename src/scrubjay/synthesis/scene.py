"""The scene of one note: its persons, places, dates and numbers, each drawn when it is needed.

An entity keeps its identity through a note: `{doctor:2}` and `{doctor:2.last}` are one person,
`{city:home}` and `{zip:home}` one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from scrubjay.synthesis.ages import near_age, write_age
from scrubjay.synthesis.calendar import Calendar, draw_age
from scrubjay.synthesis.clinical import abbreviation, plain_value
from scrubjay.synthesis.gazetteer import Place
from scrubjay.synthesis.nodes import Slot
from scrubjay.synthesis.people import Person, relate, write_name
from scrubjay.synthesis.slots import COMPANIONS, PEOPLE
from scrubjay.synthesis.sources import Sources
from scrubjay.synthesis.wording import agree

Piece = tuple[str, str | None]
"""A text and its label, or None where it is no PHI."""

_KINDS_OF_CARE = {
    "clinic": "clinic", "gp": "clinic", "pcp": "clinic", "office": "clinic", "practice": "clinic",
    "urgent": "clinic", "cc": "clinic", "dental": "clinic", "pod": "clinic", "eye": "clinic",
    "snf": "home", "rehab": "home", "nh": "home", "home": "home", "alf": "home", "ltc": "home",
    "hospice": "home", "hd": "dialysis", "dialysis": "dialysis", "lab": "lab", "path": "lab",
}  # fmt: skip


class Scene:
    """What one note is about. All chance comes from `rng`."""

    def __init__(self, sources: Sources, rng: Random) -> None:
        self.sources, self.rng = sources, rng
        self._language = sources.language.name
        self._persons: dict[tuple[str, str], Person] = {}
        self._places: dict[str, Place] = {}
        self._facilities: dict[tuple[str, str], tuple[str, str]] = {}
        self._ages: dict[str, int] = {}
        self._texts: dict[tuple[str, str], str] = {}
        self._age = draw_age(rng)
        self._calendar: Calendar | None = None
        self._told_age: int | None = None
        self._told = False  # whether the note has told the age, or a date that follows from it
        self._time_style = int(rng.random() * 6)

    @property
    def calendar(self) -> Calendar:
        """The dates of the note."""
        if self._calendar is None:
            self._told = True
            self._calendar = Calendar(self._language, self.rng, self._age)
        return self._calendar

    def fill(self, slot: Slot) -> tuple[Piece, ...]:
        """Return what a slot becomes: one piece, or several for an address."""
        name, form = slot.name, slot.form
        if name in PEOPLE:
            if form in COMPANIONS:
                label = self.sources.language.labels.get(f"{name}.{form}")
                return ((self._companion(slot), label),)
            text = write_name(self.person(name, slot.entity), form, self._language)
        elif name == "address":
            return self._address("" if slot.entity in _OWN else slot.entity)
        elif name == "date":
            text = self.calendar.write(slot.entity, form)
            if self._language == "en" and text.startswith("the "):  # the article is no date
                return (("the ", None), (text[4:], self.sources.language.label(name, form)))
        else:
            text = self._text(slot)
        return ((text, self.sources.language.label(name, form)),)

    # Persons

    def person(self, role: str, entity: str) -> Person:
        """Return the person of a slot; relatives mostly bear the patient's surname."""
        key = (role, entity)
        if key not in self._persons:
            self._persons[key] = self._new_person(role, entity)
        return self._persons[key]

    def expect(self, role: str, entity: str, before: str) -> None:
        """Heed the words before the first mention of a person: "uncle", "Mrs.", "su cuñada"."""
        if (role, entity) in self._persons or self._gender_of(role, entity) is not None:
            return
        end = len(before)
        for match in reversed(list(_WORD.finditer(before, max(0, end - _GENDER_REACH)))):
            word, gap = match[0].lower(), before[match.end() : end]
            short = len(word) < 3 and word not in _TITLES
            if set(gap) & set(";\n") or ("." in gap and word not in _TITLES):
                return
            female = word in self.sources.female
            if not short and (female or word in self.sources.male):
                self._persons[role, entity] = self._new_person(role, entity, female=female)
                return
            if word not in self.sources.linking:
                return
            end = match.start()

    def introduce(self, role: str, entity: str, *, female: bool) -> Person:
        """Return a new person of that gender, who bears the name of the role from now on."""
        person = self.sources.crowd.draw(self.rng, female=female)
        self._persons[role, entity] = person
        return person

    def _gender_of(self, role: str, entity: str) -> bool | None:
        """Return whether the name that a template gives a relative is a woman's; None: neither."""
        word = entity.partition(":")[0].rstrip("0123456789").lower()
        if role != "relative" or word not in self.sources.female | self.sources.male:
            return None
        return word in self.sources.female

    def _new_person(self, role: str, entity: str, *, female: bool | None = None) -> Person:
        rng, sources = self.rng, self.sources
        if female is None:
            female = self._gender_of(role, entity)
        if female is None and role == "staff" and rng.random() < 0.6:
            female = True
        person = sources.crowd.draw(rng, female=female)
        if role == "relative" and rng.random() < 0.6:
            person = relate(person, self.person("patient", ""))
        elif role in ("doctor", "staff") and person.suffix:
            person = replace(person, suffix="")
        return person

    def _companion(self, slot: Slot) -> str:
        form = slot.form
        table = self.sources.gendered
        female = self.person(slot.name, slot.entity).female
        if form in table:
            words = table[form][female]
            return words[0] if len(words) == 1 else self.rng.choice(words)
        lower = form.lower()  # He, His, Him
        word = table[lower][female][0]
        return word[:1].upper() + word[1:]

    # Places

    def place(self, entity: str) -> Place:
        """Return the place of that name."""
        if entity not in self._places:
            self._places[entity] = self.sources.gazetteer.draw(self.rng)
        return self._places[entity]

    def _street(self, entity: str) -> str:
        return self._keep("street", entity, lambda: self.sources.composer.draw("street", self.rng))

    def _address(self, entity: str) -> tuple[Piece, ...]:
        rng, label = self.rng, self.sources.language.label
        place, street = self.place(entity), self._street(entity)
        if self._language == "nl":
            gap = rng.choice((", ", ", ", " ", " te "))
            text = f"{street}{gap if gap != ' te ' else ', '}{place.zip} {place.city}"
            if rng.random() < 0.15:
                text = f"{street}{gap}{place.city}"
            return ((text, label("address", "")),)
        gap = ", " if rng.random() < 0.85 else " "
        if self._language == "es":
            return (
                (street, label("street", "")), (gap, None), (place.zip, label("zip", "")),
                (" ", None), (place.city, label("city", "")),
            )  # fmt: skip
        head: tuple[Piece, ...] = (
            (street, label("street", "")), (gap, None), (place.city, label("city", "")),
        )  # fmt: skip
        if not place.home and rng.random() < 0.6:
            return (*head, (gap, None), (place.zip, label("zip", "")))
        state = place.code if place.home and rng.random() < 0.85 else place.region
        comma = ", " if rng.random() < 0.8 else " "
        space = "  " if rng.random() < 0.1 else " "
        return (
            *head, (comma, None), (state, label("state", "")),
            (space, None), (place.zip, label("zip", "")),
        )  # fmt: skip

    # All others

    def _keep(self, kind: str, entity: str, make: Callable[[], str]) -> str:
        key = (kind, entity)
        if key not in self._texts:
            self._texts[key] = make()
        return self._texts[key]

    def _text(self, slot: Slot) -> str:
        name, form = slot.name, slot.form
        entity = "" if slot.entity in _OWN else slot.entity
        rng, sources = self.rng, self.sources
        if name in ("hospital", "care"):
            return self._facility(name, entity, form)
        if name == "org":
            kind = form if form in sources.composer.kinds else _ALIKE.get(form, "")
            kind = kind or self._some_kind(entity)
            return self._keep(f"org.{kind}", entity, lambda: sources.composer.draw(kind, rng))
        if name in ("place", "ward"):
            return self._keep(name, entity, lambda: sources.composer.draw(name, rng))
        if name == "profession":
            job = self._keep(name, entity, lambda: self._job(entity))
            return job.upper() if form else job
        if name == "city":
            city = self.place(entity).city
            return city.upper() if form else city
        if name == "state":
            return self.place(entity).code if form else self.place(entity).region
        if name == "country":
            return self._keep(name, entity, lambda: sources.gazetteer.country(rng))
        if name == "zip":
            return self.place(entity).zip
        if name == "street":
            return self._street(entity)
        if name == "age":
            return self._aged(entity, form)
        if name in _NET:
            return self._keep(name, entity, lambda: self._net(name, entity))
        if name in _NUMBERS:
            kind = form if form and sources.codes.has(form) else name
            return self._keep(f"{name}.{form}", entity, lambda: self._number(kind, entity))
        return plain_value(name, form, sources, rng, time_style=self._time_style)

    def _job(self, entity: str) -> str:
        """Return a job; the patient's own makes the patient an adult, and in Spanish has gender."""
        job = self.sources.profession(self.rng)
        if entity:
            return job
        if self._age < _WORKING_AGE and not self._told:
            self._age += _WORKING_AGE
        if self._language == "es":
            return agree(job, female=self.person("patient", "").female)
        return job

    def _some_kind(self, entity: str) -> str:
        kinds = ("employer", "school", "church", "agency", "club", "insurer", "shop")
        word = entity.rstrip("0123456789")
        return word if word in kinds else self.rng.choice((*kinds, "employer", "employer"))

    def _facility(self, name: str, entity: str, form: str) -> str:
        key = (name, entity)
        if key not in self._facilities:
            kind = self._kind_of_care(name, entity.rstrip("0123456789"))
            self._facilities[key] = self.sources.composer.parts(kind, self.rng)
        whole, stem = self._facilities[key]
        if form == "short":
            return stem or whole
        if form == "abbr":
            return abbreviation(whole)
        return whole.upper() if form == "upper" else whole

    def _kind_of_care(self, name: str, word: str) -> str:
        """Return what kind of facility a slot is, by the name that its template gives it."""
        usual = "home" if name == "care" else "hospital"
        kind = _KINDS_OF_CARE.get(word, "")
        if self._language == "es":  # HOSPITAL and CENTRO_SALUD are labels of their own
            return "clinic" if name == "care" else "hospital"
        if not kind and name == "hospital" and self.rng.random() < 0.12:
            kind = "clinic"
        return kind if kind in self.sources.composer.kinds else usual

    def _aged(self, entity: str, form: str) -> str:
        if not entity:
            self._told = True
            return write_age(self._age, form, self._language, self.rng)
        if entity.startswith(NEAR) and entity not in self._ages:
            told = int(entity.removeprefix(NEAR))
            self._ages[entity] = self._moved_age(told)
        if entity not in self._ages:
            self._ages[entity] = self._new_age(entity.rstrip("0123456789").lower())
        return write_age(self._ages[entity], form, self._language, self.rng)

    def settle(self, told: int | None, *, child: bool | None) -> None:
        """Give the patient an age near the told one, or one of a child or of an adult."""
        if told is not None:
            self._told_age, self._age = told, near_age(told, self.rng)
            return
        while child is not None and child == (self._age >= _WORKING_AGE):
            self._age = draw_age(self.rng)

    def _moved_age(self, told: int) -> int:
        """Return an age near a told one; the patient's own keep their order and their distance."""
        grown = min(told, self._told_age or 0) >= _WORKING_AGE
        if told == self._told_age or (grown and self._told_age is not None):
            moved = told + self._age - (self._told_age or 0)
            return min(104, max(_WORKING_AGE if grown else 0, moved))
        return near_age(told, self.rng)

    @property
    def of_age(self) -> bool:
        """Whether the patient is an adult."""
        return self._age >= _WORKING_AGE

    def _new_age(self, word: str) -> int:
        """Return an age that fits the word for who has it: a child's, a parent's, any."""
        if word == "over":
            return self.rng.randint(90, 101)
        if word in _CHILDREN:
            return self.rng.randint(1, 17)
        if word in _ELDERS:
            return self.rng.randint(48, 97)
        if word in _OFFSPRING_NL and self._age > 24:
            return max(1, self._age - self.rng.randint(19, 39))
        if word in _PEERS_NL and self._age > 17:
            return max(16, self._age + self.rng.randint(-9, 9))
        return draw_age(self.rng)

    def _net(self, name: str, entity: str) -> str:
        rng, codes = self.rng, self.sources.codes
        person = self.sources.crowd.draw(rng)
        if not entity:
            person = self.person("patient", "")
        if name == "username":
            return codes.username(rng, self.sources.crowd.draw(rng))
        kind = "hospital" if rng.random() < 0.6 else "employer"
        company = self.sources.composer.draw(kind, rng)
        if name == "email":
            return codes.email(rng, person, company=company)
        return codes.url(rng, company)

    def _number(self, kind: str, entity: str) -> str:
        rng, sources, codes = self.rng, self.sources, self.sources.codes
        place = self.place("")
        if kind in ("phone", "fax"):
            roll = rng.random()
            if entity in ("cell", "mobile", "mobiel", "movil") and codes.has("mobile"):
                kind = "mobile"
            elif not place.home and codes.has("phone_gb") and roll < 0.7:
                kind = "phone_gb"
            elif codes.has("phone_world") and roll < 0.05:
                kind = "phone_world"
            else:
                kind = "phone"
        elif codes.has(f"{kind}_{entity}"):
            kind = f"{kind}_{entity}"
        prefixes = place.phones if rng.random() < 0.7 else ()
        if not prefixes and self._language != "en":  # three digits at random are American
            prefixes = sources.gazetteer.draw(rng).phones
        if not place.home and kind == "phone_gb":  # its shapes have the 0
            prefixes = tuple(prefix.lstrip("0") for prefix in prefixes)
        number = codes.draw(kind, rng, prefixes=prefixes, year=self.calendar.find("").year)
        if self._language == "nl" and _TRUNK.match(number):  # whole, however long the prefix is
            whole = 10 if place.home else 9
            number += "".join(
                str(rng.randint(0, 9)) for _ in range(whole - sum(map(str.isdigit, number)))
            )
        return number


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TRUNK = re.compile(r"\(?0(?!0|900)")
_TITLES = frozenset({"mr", "mrs", "ms", "sr", "sra", "dr", "dra", "dña", "dhr", "mw", "mevr", "fr"})
NEAR = "near-"
"""What the name of an age begins with that is to be near a number."""
_WORKING_AGE = 18
_ALIKE = {"emergency": "agency", "social": "agency", "court": "agency"}
"""Kinds of organizations, and what stands in for one that a language has no patterns of."""
_GENDER_REACH = 40
"""Characters before a name that may tell whether it is a woman's."""

_OWN = frozenset({"pat", "patient", "pt", "client", "cliente", "own", "self"})
"""Names of what is the patient's own: `{city:pat}` is `{city}`."""

_CHILDREN = frozenset({
    "child", "children", "baby", "infant", "toddler", "kid", "grandchild", "grandson",
    "granddaughter", "kind", "kinderen", "kleinkind", "kleinzoon", "kleindochter", "tweeling",
    "niño", "niña", "nieto", "nieta", "hijo", "hija",
})  # fmt: skip
_ELDERS = frozenset({
    "mother", "father", "mom", "dad", "mgm", "mgf", "pgm", "pgf", "grandmother", "grandfather",
    "grandma", "grandpa", "moeder", "vader", "opa", "oma", "madre", "padre", "abuelo", "abuela",
})  # fmt: skip
_OFFSPRING_NL = frozenset({"dochter", "zoon", "schoondochter", "schoonzoon"})
_PEERS_NL = frozenset({"echtgenote", "echtgenoot", "partner", "broer", "zus", "vriend", "vriendin"})
_NET = frozenset({"email", "url", "username"})
_NUMBERS = frozenset({
    "phone", "fax", "ip", "mrn", "id", "account", "license", "ssn", "bsn", "dni", "nuss",
    "episode", "device", "vehicle", "plan", "bioid",
})  # fmt: skip
