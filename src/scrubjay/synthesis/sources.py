"""Everything that notes of a language are filled from, made once for a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from scrubjay.errors import ConfigError
from scrubjay.features.draws import Pool
from scrubjay.features.lexicons import find_lexicon
from scrubjay.features.protected import PROTECTED_KINDS, protected_terms
from scrubjay.synthesis.codes import Codes
from scrubjay.synthesis.gazetteer import Gazetteer
from scrubjay.synthesis.languages import Language, find_language
from scrubjay.synthesis.parsing import nearest
from scrubjay.synthesis.patterns import Composer
from scrubjay.synthesis.people import Crowd
from scrubjay.synthesis.pools import (
    HALVES,
    Half,
    lexicon_pool,
    make_pool,
    own_list,
    plain,
    split_list,
    title,
    word_tables,
)  # fmt: skip

OWN_KINDS = (
    "first-names", "male", "female", "surnames", "cities", "hospital", "clinic", "home",
    "employer", "school", "church", "agency", "club", "insurer", "shop", "profession", "street",
    "place",
)  # fmt: skip
"""What a list of one's own can stand for."""

_ACRONYMS = re.compile(r"\b(?:it|hr|hgv|hvac|nhs|tv|qa|lgv|psv)\b")
_NO_NAMES = ("ian", "oid", "ism", "ic")
"""Ends of eponyms that stand for no disease or sign: "parkinsonian"."""
_COMPOSED = frozenset(OWN_KINDS[5:]) - {"profession"}


@dataclass(frozen=True, repr=False)
class Sources:
    """The lists of a language, from one half of the names; never changed once made."""

    language: Language
    crowd: Crowd
    gazetteer: Gazetteer
    composer: Composer
    codes: Codes
    jobs: tuple[Pool, Pool, Pool, Pool, Pool]
    own_jobs: bool
    drugs: Pool
    eponyms: Pool
    clinical: Mapping[str, Pool]
    terms: Mapping[str, Pool]
    gendered: Mapping[str, tuple[list[str], list[str]]]
    male: frozenset[str]
    female: frozenset[str]
    linking: frozenset[str]

    def profession(self, rng: Random) -> str:
        """Return a job: from the lists, with a modifier, or composed of a field and a role."""
        listed, hand, modifiers, domains, roles = self.jobs
        roll = rng.random()
        if self.own_jobs:
            return hand.draw(rng)
        if roll < 0.45:
            return hand.draw(rng)
        if roll < 0.72 or not domains.entries:
            return listed.draw(rng)
        if roll < 0.9:
            return (
                f"{domains.draw(rng)}{' ' if self.language.name != 'nl' else ''}{roles.draw(rng)}"
            )
        return f"{modifiers.draw(rng)} {hand.draw(rng)}"


@cache
def find_sources(language: str, half: Half) -> Sources:
    """Return the shipped lists of a language."""
    return _make_sources(language, half, {})


def choose_sources(language: str, names: Half, own: Mapping[str, Sequence[str]] | None) -> Sources:
    """Return the lists of a language, some replaced by lists of one's own.

    Raises `ConfigError` for an unknown half or list, and an empty list.
    """
    if names not in HALVES:
        raise ConfigError(f"names are one of {', '.join(HALVES)}, not {names!r}")
    lists = {kind: own_list(rows, name=kind) for kind, rows in (own or {}).items()}
    for kind in lists:
        if kind not in OWN_KINDS:
            raise ConfigError(nearest(kind, OWN_KINDS, "list"))
    return _make_sources(language, names, lists) if lists else find_sources(language, names)


def _make_sources(language: str, half: Half, own: Mapping[str, tuple[str, ...]]) -> Sources:
    tables = word_tables(language)
    crowd = Crowd(language, half, own)
    gazetteer = Gazetteer(language, half, own)
    composed = {kind: rows for kind, rows in own.items() if kind in _COMPOSED}
    composer = Composer(
        language,
        half,
        {
            "surname": crowd.surname,
            "first": crowd.first_name,
            "city": gazetteer.city,
            "county": gazetteer.county,
            "state": gazetteer.region,
        },
        composed,
    )
    people = dict(tables["people"])
    male, female, linking = (people.pop(name) for name in ("male", "female", "linking"))
    gendered = {}
    for name, text in people.items():
        if "|" in text:
            one, two = text.split("|")
            gendered[name] = (split_list(one), split_list(two))
        else:
            one, two = text.split()
            gendered[name] = ([one], [two])
    clinical = {
        name: make_pool(split_list(text), "all") for name, text in tables["clinical"].items()
    }
    return Sources(
        find_language(language), crowd, gazetteer, composer, Codes(language),
        _jobs(language, half, own.get("profession")), "profession" in own,
        make_pool(sorted(find_lexicon("world.drugs")), "all"),
        make_pool(
            (
                name
                for name in lexicon_pool("world.eponyms", "all", title).entries
                if not name.endswith(_NO_NAMES if language == "en" else (*_NO_NAMES, "'s", "ella"))
            ),
            "all",
        ),
        clinical, _terms(language, half), gendered, frozenset(male.split()),
        frozenset(female.split()), frozenset(linking.split()),
    )  # fmt: skip


def _terms(language: str, half: Half) -> dict[str, Pool]:
    """Return the protected terms of a language by kind; a kind without terms has those of all."""
    kinds: dict[str, list[str]] = {kind: [] for kind in PROTECTED_KINDS}
    for term, kind in protected_terms(language).items():
        if kind in kinds:
            kinds[kind].append(term)
    whole = sorted(term for rows in kinds.values() for term in rows)
    return {kind: make_pool(sorted(rows) or whole, half) for kind, rows in kinds.items()}


def _jobs(
    language: str, half: Half, own: tuple[str, ...] | None
) -> tuple[Pool, Pool, Pool, Pool, Pool]:
    tables = word_tables(language)["professions"]
    listed = [
        _ACRONYMS.sub(lambda match: match[0].upper(), job)
        for job in lexicon_pool(f"{language}.professions", "all", plain).entries
        if len(job) < 40 and not any(c in job for c in "/(),")
    ]  # fmt: skip
    hand = own or tuple(split_list(tables["words"]))
    parts = [split_list(tables.get(name, "")) for name in ("modifiers", "domains", "roles")]
    modifiers, domains, roles = (make_pool(rows, "all") for rows in parts)
    return make_pool(listed, half), make_pool(hand, half), modifiers, domains, roles
