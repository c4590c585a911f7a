"""Where a record takes place, and where its surrogates do: towns, regions and codes that fit.

Each old region (a state, a province) goes to one area of the tables for a patient, whatever else
the record says; its towns, postal codes and telephone prefixes go to those of that area. So
"Boston, MA 02139" and "Mass." stay together. A town goes to the area of the region that stands
beside it in the text, else of the region that the tables know it in, else to one of its own, in
the country that the record tells.
Where the record names the country of its places itself, all of it moves to another country of
the same language, so that country and towns fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from scrubjay.errors import ConfigError
from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._fresh import Characters, Fresh, fold_entry
from scrubjay.transform.surrogates._tables import Area, Country, Places, find_places, find_words
from scrubjay.transform.surrogates.case import display
from scrubjay.transform.surrogates.draw import fold

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record

_GAP = re.compile(r"[\s,;:()/.–-]{0,3}")
_AFTER = re.compile(_GAP.pattern + r"([^\W_]+(?:\.[^\W_]+)*\.?)(?: ([^\W\d_]+))?(?: ([^\W\d_]+))?")
_BEFORE = re.compile(
    r"(?<![0-9])(?<![0-9][ -])([0-9]{4} ?[A-Za-z]{2}|[0-9]{4,5})[\s,–-]{1,3}$", re.ASCII
)
_LETTERS_OF_CODES = {"A": "ABDEGHJLNPRSTUWXYZ", "E": "ACDEFHKNPRTVWXY"}
_MAX_CODE = 10
_PLACES_OF_TOWN = 4
_ANY_SIZE = frozenset({"ie"})
_AMERICAN = frozenset({"us", "ca"})


class Scene:
    """The places of one record, for one patient; lives only while its document is made.

    Where it takes place is told when that is first asked for: most names of hospitals need it not.
    """

    __slots__ = (
        "_areas", "_country", "_is_settled", "_made", "_record", "_taken", "_targets",
        "fresh", "places", "words",
    )  # fmt: skip

    def __init__(self, record: Record, fresh: Fresh) -> None:
        self.places = find_places(record.language)
        self.words = find_words(record.language)
        self.fresh = fresh
        self._record = record
        self._targets: dict[str, str] = {}
        self._areas: dict[str, Area] = {}
        self._taken: set[str] = set()
        self._made: dict[str, str] = {}
        self._country = self.places.home
        self._is_settled = False

    @property
    def targets(self) -> dict[str, str]:
        """Return for countries that the record names where they go."""
        self._settle()
        return self._targets

    @property
    def home(self) -> str:
        """Return the country of the record."""
        self._settle()
        return self._country

    def _settle(self) -> None:
        if self._is_settled:
            return
        self._is_settled = True  # first, since `_begin` asks for areas
        self._targets, self._country, areas = self.fresh.draw.once(
            f"scene {self._record.language}", self.fresh.refused, self._begin
        )
        self._areas = dict(areas)
        self._taken = {area.key for area in areas.values()}

    def _begin(self) -> tuple[dict[str, str], str, dict[str, Area]]:
        """Return where the countries and areas go that the record names, alike for all makers.

        Between them stands the country of the record.
        """
        evidence = self._evidence()
        self._targets = self._moves()
        for old in sorted(evidence):
            self.area(old)
        return self._targets, self._home(evidence), dict(self._areas)

    def _home(self, evidence: set[str]) -> str:
        """Return the one country that the record tells by regions, codes or else two towns.

        Where it tells none or several, it is the home of the language.
        """
        places = self.places
        told = {key.partition(".")[0] for key in evidence}
        told |= {
            country
            for name in self.fresh.refused
            if name[:1].isalpha() and len(name) <= _MAX_CODE and any(map(str.isdigit, name))
            for country in _country_of_code(name, self._record.language)
        }
        if not told:
            towns = [places.towns[name] for name in self.fresh.refused & places.towns.keys()]
            told = {key.partition(".")[0] for key in towns} if len(towns) > 1 else set()
        return told.pop() if len(told) == 1 else places.home

    def area(self, old: str) -> Area:
        """Return the new area for an old one (`country.CODE`, or `country.` and anything)."""
        self._settle()
        found = self._areas.get(old)
        if found is None:
            country = old.partition(".")[0]
            options = self.places.by_country[self._targets.get(country, country)]
            found = self._areas[old] = self._choose(options, old)
            self._taken.add(found.key)
        return found

    def _choose(self, options: tuple[str, ...], old: str) -> Area:
        size = len(options)
        first = self.fresh.draw.whole(0, size - 1, "area", old)
        second = ""
        for step in range(size):
            key = options[(first + step) % size]
            if key == old or self._is_real(key) or self._holds(key, old):
                continue
            if key not in self._taken:
                return self.places.areas[key]
            second = second or key
        if second:
            return self.places.areas[second]
        raise ConfigError(
            "no area is left for the places of the record: it names all of the tables",
            hint="Give the labels of places another operator, or the tables more areas",
        )

    def _holds(self, key: str, old: str) -> bool:
        """Tell whether an area has the name of another in its own, as West Virginia has.

        Beside the name of that one it could not stay, and beside its code it would go.
        """
        known = self.places.areas.get(old)
        return known is not None and f" {known.region}" in self.places.areas[key].region

    def _is_real(self, key: str) -> bool:
        return not self.places.forms[key].isdisjoint(self.fresh.refused)

    def _moves(self) -> dict[str, str]:
        """Return for each country that the record names as its own the one that it moves to."""
        named = {self.places.names[name] for name in self.fresh.refused & self.places.names.keys()}
        moves: dict[str, str] = {}
        for country in sorted(named):
            options = [key for key in self.places.countries[country].moves if key not in named]
            if options:
                number = self.fresh.draw.whole(0, len(options) - 1, "country", country)
                moves[country] = options[number]
        return moves

    def _evidence(self) -> set[str]:
        regions, language = self.places.regions, self._record.language
        refused = self.fresh.refused
        found = {regions[name] for name in refused & regions.keys()}
        for name in refused:
            if name[:1].isdigit() and len(name) <= _MAX_CODE and name not in regions:
                known = _area_of_code(name, language)
                if known is not None:
                    found.add(known)
        return found

    def region_key(self, name: str) -> str | None:
        """Return the area that a region's name, code or abbreviation tells, or None."""
        return self.places.regions.get(fold(name))

    def is_town(self, key: str) -> bool:
        """Tell whether a folded name is that of a town, by the tables or by the record."""
        return key in self.places.towns or key in self._record.towns

    def told_towns(self, names: Iterable[str]) -> dict[str, str]:
        """Return towns that the record names, folded, with the area that stands beside each."""
        return {
            fold(name): self._beside(name) or ""
            for name in names
            if fold(name) not in self.places.regions and not any(map(str.isdigit, name))
        }

    def town(self, name: str) -> str:
        """Return the town for a town, in its usual spelling."""
        key = fold(name)
        made = self._made.get(key)
        if made is None:
            an = article_before(self._record.text, name) if self.words.article else None
            made = self._made[key] = self._new_town(key, self._old_area(name, key), an)
        return made

    def _old_area(self, name: str, key: str) -> str:
        beside = self._beside(name)
        if beside is not None:
            return beside
        known = self._record.towns.get(key) or self.places.towns.get(key)
        known = known or self.places.regions.get(key)
        return known or f"{self._country_beside(name) or self.home}.town {key}"

    def _new_town(self, key: str, old: str, an: bool | None) -> str:
        area = self.area(old)
        used = {fold(town) for town in self._made.values()} | {key}
        if an is not None:  # "a Dublin native": the first of those drawn that fits the article
            unfit = {fold_entry(town) for town in area.towns if wants_an(town) != an}
            town = self.fresh.pick(area.towns, "town", key, used=used | unfit)
            return town if town is not None else self._made_up(key, used, an)
        capital = area.towns[0]
        if key in self.places.regions and self._may(capital, used):
            return capital  # a province and its town of one name: so are the new ones
        town = self.fresh.pick(area.towns, "town", key, used=used)
        return town if town is not None else self._made_up(key, used)

    def _may(self, town: str, used: set[str]) -> bool:
        key = fold_entry(town)
        return key not in used and key not in self.fresh.refused

    def _made_up(self, key: str, used: set[str], an: bool | None = None) -> str:
        nature, heads = self.words.nature, self.words.heads
        if an is not None:
            nature = tuple(first for first in nature if wants_an(first) == an) or nature
        options = [f"{first}{self.words.glue}{second}" for first in nature for second in heads]
        name = self.fresh.pick(options, "made-up town", key, used=used)
        if name is None:
            raise ConfigError(
                "no town is left: the originals of the record hold all of the tables",
                hint="Give the label another operator, or the tables more towns",
            )
        return display(name)

    def _beside(self, name: str) -> str | None:
        """Return the area of the region or postal code beside the town, where it first has one."""
        text = self._record.text
        begin = text.find(name)
        for _ in range(_PLACES_OF_TOWN):
            found = self._beside_at(begin, begin + len(name)) if begin >= 0 else None
            if begin < 0 or found is not None:
                return found
            begin = text.find(name, begin + 1)
        return None

    def _country_beside(self, name: str) -> str | None:
        """Return the country of the tables behind the town where it first stands, if any."""
        begin = self._record.text.find(name)
        after = _AFTER.match(self._record.text, begin + len(name)) if begin >= 0 else None
        words = [word for word in after.groups() if word] if after else []
        for count in range(len(words), 0, -1):
            word = " ".join(words[:count])
            country = self.places.names.get(fold(word)) or self.places.names.get(fold(word)[:-1])
            if country is not None and (len(word) > 3 or word.isupper()):
                return country
        return None

    def _beside_at(self, begin: int, end: int) -> str | None:
        text = self._record.text
        gap = _GAP.match(text, end)
        behind = self._code_at(text, gap.end() if gap else end)
        if behind is not None:
            return behind
        after = _AFTER.match(text, end)
        if after is not None:
            words = [word for word in after.groups() if word]
            for count in range(len(words), 0, -1):
                key = self._region_after(" ".join(words[:count]))
                if key is not None:
                    return key
        before = _BEFORE.search(text, max(0, begin - 12), begin)
        key = _known_code(before.group(1), self.places) if before else None
        area = self.places.areas[key] if key is not None else None
        if area is None or area.code.lower() in self.places.forms[area.key]:
            return None  # countries that write "Perth WA 6000" have no code before the town
        return area.key

    def _code_at(self, text: str, begin: int) -> str | None:
        """Return the area of the postal code that begins there, or None for none."""
        if not any(c.isdigit() for c in text[begin : begin + 3]):
            return None
        for country in self.places.countries.values():
            found = country.code.match(text, begin)
            if found is not None and not text[found.end() : found.end() + 1].isalnum():
                return _known_code(found.group(), self.places)
        return None

    def _region_after(self, word: str) -> str | None:
        keys = fold(word), fold(word).rstrip(".")
        if len(word) <= 3 and not word.isupper() and self.fresh.refused.isdisjoint(keys):
            return None  # "in", "me", "or": no mentions, but words more often than states
        return self.places.regions.get(keys[0]) or self.places.regions.get(keys[1])

    def code(self, text: str) -> str | None:
        """Return the postal code for a postal code, in its layout, or None for no such code."""
        known = _code_area(text, self.places)
        if known is None:
            return None
        area = self.area(known[1])
        country = self.places.countries[area.country]
        characters = Characters(self.fresh.draw, "postal code", fold(text))
        start = self.fresh.pick(area.zips, "start of code", known[1], text[:3]) or area.zips[0]
        new = start + "".join(
            letters[characters.below(len(letters))] if letters else str(characters.below(10))
            for letters in map(_LETTERS_OF_CODES.get, country.tail)
        )
        if new[-2:] == "00":
            new = new[:-1] + str(1 + characters.below(9))
        gap = country.gap if " " in text or country is not known[0] else 0
        if gap:
            new = f"{new[:-gap]} {new[-gap:]}"
        if country is known[0] and country.tail == "99" and len(text) > len(new):
            mark = "-" if "-" in text else ""
            new += mark + f"{1 + characters.below(9999):04d}"
        return new.lower() if text.islower() else new

    def phone(self, prefix: str, country: str) -> str | None:
        """Return the telephone prefix for a prefix of a country, as long, or None for none.

        A prefix that the tables know goes where its towns go, another to any of its length. Those
        of Ireland may be longer or shorter: Dublin has one for itself.
        """
        places = self.places
        old = places.own_phones.get((country, prefix)) or places.phones.get(prefix)
        any_size = country in _ANY_SIZE
        if old is not None:
            area = self.area(old)
            one_plan = area.country == country or {area.country, country} <= _AMERICAN
            alike = [
                one for one in area.phones if one_plan and (any_size or len(one) == len(prefix))
            ]
            new = self.fresh.pick(alike, "prefix", prefix, used={prefix})
            if new is not None:
                return new
        alike = _prefixes(self._record.language, country, len(prefix))
        new = self.fresh.pick(alike, "prefix", prefix, used={prefix})
        if new is None and any_size:
            alike = _prefixes(self._record.language, country, 0)
            new = self.fresh.pick(alike, "prefix", prefix, used={prefix})
        return new


@cache
def _prefixes(language: str, country: str, size: int) -> list[str]:
    """Return all telephone prefixes of a country that are so long, of any length for 0."""
    places = find_places(language)
    return [
        one
        for key in places.by_country.get(country, ())
        for one in places.areas[key].phones
        if len(one) == size or not size
    ]


def _code_area(code: str, places: Places) -> tuple[Country, str] | None:
    """Return the country of a postal code and its old area, or None for no such code.

    Where the tables do not know the beginning of the code, the area is one by itself.
    """
    for country in places.countries.values():
        if country.code.fullmatch(code) is None:
            continue
        starts = places.starts[country.key]
        for size in (3, 2, 1):
            key = starts.get(code[:size].upper())
            if key is not None:
                return country, key
        return country, f"{country.key}.{code[:3].upper()}"
    return None


def _known_code(code: str, places: Places) -> str | None:
    known = _code_area(code, places)
    return known[1] if known is not None and known[1] in places.areas else None


@lru_cache(maxsize=4096)  # of short mentions alone
def _country_of_code(code: str, language: str) -> tuple[str, ...]:
    """Return the country of a postal code with letters, which no other thing looks like."""
    places = find_places(language)
    known = _code_area(code, places) if any(map(str.isalpha, code)) else None
    return () if known is None else (known[0].key,)


@lru_cache(maxsize=4096)  # of short numbers alone: dates, ages, codes
def _area_of_code(code: str, language: str) -> str | None:
    return _known_code(code, find_places(language))
