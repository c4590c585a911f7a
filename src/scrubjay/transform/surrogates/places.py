"""Surrogates of places: streets, towns, regions, postal codes and countries that fit together.

How they fit is told in `_scene`, what names look like in `_phrases`; the tables stand in
`resources/surrogates`. Form stays: "OH", "N.C.", "BOSTON", "de La Paz" over two lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh, fold_entry, keep_ends
from scrubjay.transform.surrogates._phrase_pieces import PLACE, STREET
from scrubjay.transform.surrogates._phrases import Phrases
from scrubjay.transform.surrogates._said_numbers import say_another
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import Area, find_places, language_of
from scrubjay.transform.surrogates.case import keep_spaces, recase
from scrubjay.transform.surrogates.draw import Draw, fold

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record
    from scrubjay.transform.surrogates.maker import Maker

_GLUED = re.compile(r"[a-zà-ÿ]{2}[A-ZÀ-Þ]")
_ACRONYM = 3
_GOES_ON = re.compile(r",\s*[^\W\d_]{2}")
_PIECE = re.compile(r"[^,;\n]+")
_CODE = re.compile(r"(?<!\w)(?:\d{4} ?[A-Z]{2}|\d{5})(?!\w)", re.ASCII)
_LAST_WORD = re.compile(r"(?<!\w)([^\W\d_]+\.?)[ ]\Z")
_WORD = 10
"""Characters before the name of a county in which its word is sought."""
_STREET_AND_TOWN = re.compile(r"(.*\d(?:\s?[A-Za-z])?)(\s+)([^\W\d_][^\d]{2,})", re.DOTALL)


class PlaceMaker:
    """The new places of one record."""

    __slots__ = ("_draw", "_language", "_phrases", "_scene", "_text", "fresh")

    def __init__(self, record: Record, draw: Draw, avoid: frozenset[str]) -> None:
        self.fresh = Fresh(draw, avoid)
        self._draw = draw
        self._language, self._text = record.language, record.text
        self._scene = Scene(record, self.fresh)
        self._phrases = Phrases(self.fresh, record.language, self._scene)

    def make_all(self, texts: Sequence[str], make: Callable[[str, int], str]) -> list[str]:
        """Return what `make` gives for each text at the first attempt that may stay."""
        inside = self.fresh.inside
        return [inside(text, lambda core, attempt, _: make(core, attempt)) for text in texts]

    def city(self, text: str, attempt: int) -> str:
        """Return another town; its region or code goes along where the text holds one.

        A county behind its word, "Co. Kerry", is a county by any label, as it is for `place`.
        """
        if self._is_county(text):
            return self.state(text, attempt)
        if attempt:
            return _fit(self._scene.town(f"{text} {attempt}"), text)
        return _fit(self._scene.town(text), text)

    def state(self, text: str, attempt: int) -> str:
        """Return another region in the same form: name, code or abbreviation."""
        key = self._scene.region_key(text)
        old = key or f"{self._scene.home}.region {fold(text)}"
        area = self._scene.area(old if not attempt else f"{old} {attempt}")
        new = _region_like(area, text, key, self._scene)
        return new if len(text) <= _ACRONYM or "." in text else _fit(new, text)

    def country(self, text: str, attempt: int) -> str:
        """Return another country, or its adjective for an adjective."""
        places = self._scene.places
        key = fold(text)
        home = places.names.get(key)
        if home in self._scene.targets and not attempt:
            return _fit(places.countries[self._scene.targets[home]].names[0], text)
        nation, form = places.adjectives.get(key, (text, -1))
        if form < 0 and self._phrases.is_cue(text, ("demonyms",)):
            form = 0
        article = article_before(self._text, text) if self._scene.words.article else None
        if form >= 0 and not attempt:
            moved = self._scene.targets.get(places.names.get(fold(nation), ""))
            own = places.nations.get(places.countries[moved].names[0], ()) if moved else ()
            if own and article in (None, wants_an(own[0])):
                return _fit(own[min(form, len(own) - 1)], text)
        told = [places.spoken_of[one] for one in self.fresh.refused if one in places.spoken_of]
        used = {key, fold(nation)}.union(*told)
        options = self._nations(wants_an(text) if article is None else article, nation, form)
        draws = "nation", fold(nation), str(attempt)
        new = self.fresh.pick(options, *draws, used=used)
        new = new or self.fresh.pick(tuple(places.nations), *draws, used=used)
        if new is None:
            return ""
        if form >= 0:
            adjectives = places.nations[new]
            new = adjectives[min(form, len(adjectives) - 1)]
        return _fit(new, text)

    def _nations(self, an: bool, nation: str, form: int) -> tuple[str, ...]:
        """Return the nations to draw from for a country or, with its form, an adjective.

        Those whose adjectives want "an" or not: a country goes where its adjective goes, in all
        documents.
        """
        if not self._scene.words.article:
            return tuple(self._scene.places.nations)
        wanting, alike = _articles_of(self._language)
        return alike[an if form >= 0 else wanting.get(fold(nation), an)]

    def zip(self, text: str, attempt: int) -> str:
        """Return another postal code; a text that is none gets other digits and letters."""
        new = self._scene.code(text) if not attempt else None
        new = new or say_another(text, self._draw, attempt, language=language_of(self._language))
        if new:
            return new
        characters = Characters(self._draw, "postal code", fold(text), str(attempt))
        more = characters.filler(1) if attempt > 20 or not any(map(str.isalnum, text)) else ""
        return re.sub(r"\d+", lambda m: characters.digit_run(m.group()), re.sub(
            r"[^\W\d_]", lambda m: characters.like(m.group()), text)) + more  # fmt: skip

    def street(self, text: str, attempt: int) -> str:
        """Return another street: numbers and names change, words such as "Avenue" stay."""
        return self._phrases.phrase(text, STREET, attempt)

    def place(self, text: str, attempt: int) -> str:
        """Return another place of any kind: parks, buildings, wards, rooms, roads, boxes."""
        if self._is_county(text):
            return self.state(text, attempt)
        return self._phrases.phrase(text, PLACE, attempt)

    def _is_county(self, text: str) -> bool:
        """Tell whether a region has the word for it before it, in the text or in the record."""
        key = self._scene.region_key(text)
        area = self._scene.places.areas.get(key) if key else None
        if area is None or not self._scene.places.countries[area.country].before:
            return False
        place = self._text.find(text)
        found = _LAST_WORD.search(self._text, max(0, place - _WORD), place) if place > 0 else None
        told = [text, f"{found[1]} {text}"] if found is not None else [text]
        return any(_word_before(one, area, self._scene) is not None for one in told)

    def territory(self, text: str, attempt: int) -> str:
        """Return another town, region or postal code, whichever the text is."""
        if any(c.isdigit() for c in text):
            code = self._scene.code(text) if not attempt else None
            return code or (self.address(text, attempt) if "," in text else self.zip(text, attempt))
        key = fold(text)
        if key in self._scene.places.names:
            return self.country(text, attempt)
        if self._scene.region_key(text) and key not in self._scene.places.towns:
            return self.state(text, attempt)
        return self.city(text, attempt)

    def address(self, text: str, attempt: int) -> str:
        """Return another address, whole or in part: street, postal code, town, country."""
        if not any(map(str.isalnum, text)):
            return self.place(text, attempt)  # marks alone are no parts
        pieces: list[str] = []
        position = 0
        for match in _CODE.finditer(text):
            code = self._scene.code(match.group())
            if code is None:
                continue
            pieces += [self._parts(text[position : match.start()], attempt), code]
            position = match.end()
        return "".join(pieces) + self._parts(text[position:], attempt)

    def _parts(self, text: str, attempt: int) -> str:
        return _PIECE.sub(lambda found: self._part(found, attempt), text)

    def _part(self, found: re.Match[str], attempt: int) -> str:
        text = found.group()
        before, core, after = keep_ends(text)
        goes_on = _GOES_ON.match(found.string, found.end())
        if not core.strip() or (goes_on and self._phrases.is_kind_alone(core)):
            return text
        return before + self._new_part(core, attempt) + after

    def _new_part(self, text: str, attempt: int) -> str:
        places, key = self._scene.places, fold(text)
        if attempt < LONGER and key in self._scene.words.keep:
            return text  # "s/n" of "Avenida Mayor, s/n"
        if len(key) == 1:
            return self.street(text, attempt)  # of a door
        if key in places.names or key in places.nation_keys:
            return self.country(text, attempt)
        if key in places.regions and key not in places.towns:
            return self.state(text, attempt)
        if any(map(str.isdigit, text)):
            both = _STREET_AND_TOWN.fullmatch(text)
            if both and not self._phrases.is_of_street(both.group(3).split()[0]):
                street = self.street(both.group(1), attempt)
                return street + both.group(2) + self.city(both.group(3), attempt)
            return self.street(text, attempt)
        if key in places.towns or not self._phrases.is_street(text):
            return self.city(text, attempt)
        return self.street(text, attempt)


def _region_like(area: Area, text: str, key: str | None, scene: Scene) -> str:
    """Return the name of an area in the form that a region has: code, short or full."""
    plain = text.replace(".", "").replace(" ", "")
    dotted = "." in text
    old = scene.places.areas.get(key) if key else None
    if old is not None and fold(text) in map(fold_entry, old.wide):
        return area.wide[0] if area.wide else area.region
    before = _word_before(text, old, scene)
    if before is not None:
        region = recase(area.region, text[len(before) :].strip())
        return f"{before} {region}" if scene.places.countries[area.country].before else region
    coded = area.key and area.code.lower() in scene.places.forms[area.key]
    if coded and len(plain) <= 3 and (plain.isupper() or old is not None):
        if dotted:
            return area.short or area.region
        return recase(area.code if plain[:2].isupper() else area.code.capitalize(), plain)
    if dotted and area.short:
        return area.short
    return area.region


@cache
def _articles_of(language: str) -> tuple[Mapping[str, bool], Mapping[bool, tuple[str, ...]]]:
    """Return for folded names of nations whether their adjectives want "an", and those alike."""
    nations = find_places(language).nations
    wanting = {name: wants_an(forms[0]) for name, forms in nations.items()}
    alike = {an: tuple(name for name in nations if wanting[name] == an) for an in (False, True)}
    return {fold(name): an for name, an in wanting.items()}, alike


def _word_before(text: str, old: Area | None, scene: Scene) -> str | None:
    """Return the word before the name of a region, "Co." of "Co. Cork", or None."""
    words = text.split()
    if old is None or len(words) < 2:
        return None
    listed = map(str.lower, scene.places.countries[old.country].before)
    return words[0] if words[0].lower() in listed else None


def _fit(new: str, text: str) -> str:
    """Return a name in the case, line breaks and glue of the text that it replaces."""
    if len(text) <= _ACRONYM or "." in text:
        return new  # "USA", "NYC": upper case tells nothing of the text around it
    if _GLUED.search(text) and not any(c.isspace() for c in text) and not text.startswith("Mc"):
        return recase(new.replace(" ", ""), text)
    return keep_spaces(recase(new, text), text)


def _maker(name: str) -> Maker:
    def make(
        mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
    ) -> list[str]:
        maker = PlaceMaker(record, draw, avoid)
        return maker.make_all(mention_texts, getattr(maker, name))

    make.__doc__ = f"Return surrogates of the kind {name!r} (`maker.Maker`)."
    return make


MAKERS: Mapping[str, Maker] = {
    kind: _maker(kind)
    for kind in ("street", "address", "city", "state", "country", "zip", "territory", "place")
}
"""Kind of label (`scrubjay.labels.KINDS`) -> maker."""
