"""Places of a note: towns with their region, postal code and telephone prefix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scrubjay.features.lexicons import find_lexicon
from scrubjay.synthesis.pools import Half, half_of, lexicon_pool, make_pool, title, with_accents
from scrubjay.transform.surrogates._tables import Area, find_places

_HOME_SHARE = 0.82
_LISTED_SHARE = 0.5


@dataclass(frozen=True, slots=True, repr=False)
class Place:
    """A town and what goes with it; `code` is the region's abbreviation, as in addresses."""

    city: str
    region: str
    code: str
    country: str
    home: bool
    zip: str
    phones: tuple[str, ...]


class Gazetteer:
    """Draws places of a language from one half of its towns."""

    def __init__(
        self, language: str, half: Half, own: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        own = own or {}
        self._places = places = find_places(language)
        keys = {key: [row for row in rows if _has_town(places.areas[row], half)]
                for key, rows in places.by_country.items()
                if places.countries[key].invented}  # fmt: skip
        self._home = [
            places.areas[key] for key in keys[places.home] or places.by_country[places.home]
        ]
        self._abroad = [
            places.areas[row] for key in keys if key != places.home for row in keys[key]
        ]
        self._towns = {
            area.key: make_pool(area.towns, half) for area in (*self._home, *self._abroad)
        }
        if "cities" in own:
            self._listed = make_pool(own["cities"], half)
        else:
            self._listed = lexicon_pool(f"{language}.cities", half, title)
        self._only_listed = "cities" in own
        self._counties = (
            lexicon_pool("en.counties", half, title)
            if language == "en"
            else make_pool([area.region for area in self._home], "all")
        )
        names = with_accents(
            name for name in sorted(find_lexicon(f"{language}.countries")) if len(name) > 3
        )
        countries = [country for country in places.countries.values() if country.invented]
        own_names = [name for country in countries for name in country.names]
        self._countries = make_pool(map(title, names), "all")
        self._known_countries = make_pool(with_accents([*places.nations, *own_names]), "all")

    def draw(self, rng: Random) -> Place:
        """Return a place; half of the towns come from the tables, half from the long lexicon."""
        home = rng.random() < _HOME_SHARE or not self._abroad
        rows = self._home if home else self._abroad
        area = rows[int(rng.random() * len(rows))]
        listed = rng.random() > _LISTED_SHARE and home  # the lexicon does not tell the country
        if self._only_listed or listed:
            city = self._listed.draw(rng)
        else:
            city = self._towns[area.key].draw(rng)
        country = self._places.countries[area.country]
        return Place(
            city, area.region, area.code, rng.choice(country.names), home,
            _postal_code(area, country.tail, country.gap, rng), area.phones,
        )  # fmt: skip

    def city(self, rng: Random) -> str:
        """Return the name of a town alone."""
        return self._listed.draw(rng)

    def county(self, rng: Random) -> str:
        """Return the name of a county or region without the word for it."""
        return self._counties.draw(rng)

    def region(self, rng: Random) -> str:
        """Return the name of a state or province of the home country."""
        return self._home[int(rng.random() * len(self._home))].region

    def country(self, rng: Random) -> str:
        """Return the name of any country."""
        return (self._known_countries if rng.random() < 0.5 else self._countries).draw(rng)


def _has_town(area: Area, half: Half) -> bool:
    return half == "all" or any(half_of(town) == half for town in area.towns)


def _postal_code(area: Area, tail: str, gap: int, rng: Random) -> str:
    start = area.zips[int(rng.random() * len(area.zips))] if area.zips else "10"
    code = start
    for sign in tail:
        code += (
            "0123456789"[int(rng.random() * 10)]
            if sign == "9"
            else "ABCDEFGHJKLMNPRSTUVWXYZ"[int(rng.random() * 23)]
        )
    if gap:
        code = f"{code[:-gap]}{' ' if rng.random() < 0.85 else ''}{code[-gap:]}"
    elif area.country == "us" and rng.random() < 0.12:
        code += f"-{rng.randint(1000, 9999)}"
    return code
