"""Derive the tables that surrogate names are drawn from; run again to refresh them.

    python -m venv nameenv
    nameenv/bin/pip install -c constraints.txt Faker names nomquamgender
    nameenv/bin/python scripts/derive_name_tables.py src/scrubjay/resources/surrogates/names

Writes one `ORIGIN.toml` for each origin of names below (`east-asian.toml` and `russian.toml`
are written by hand) and `gender.txt.gz`: the first names that one gender bears nine times of
ten. The output is the same for the same package versions, byte for byte.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

LEXICONS = Path("src/scrubjay/resources/lexicons")
FIRST, LAST = 300, 1000
ORIGINS = {
    "english": "en_US en_GB en_IE",
    "spanish": "es_ES es_MX es_CO es_AR es_CL",
    "dutch": "nl_NL nl_BE",
    "german": "de_DE de_AT de_CH",
    "french": "fr_FR fr_CA",
    "italian": "it_IT",
    "portuguese": "pt_PT pt_BR",
    "slavic": "pl_PL cs_CZ sk_SK hr_HR sl_SI",
    "nordic": "sv_SE no_NO da_DK fi_FI",
    "turkish": "tr_TR",
    "arabic": "fr_DZ",
    "indian": "en_IN en_PK",
    "african": "yo_NG ig_NG ha_NG tw_GH zu_ZA sw",
    "indonesian": "id_ID",
}
CENSUS = {"first_names_male": "dist.male.first", "first_names_female": "dist.female.first",
          "last_names": "dist.all.last"}  # fmt: skip


def clean(entry: str) -> str:
    entry = unicodedata.normalize("NFC", entry).replace("’", "'").lower()
    return " ".join(entry.split())


def plain(entry: str) -> str:
    decomposed = unicodedata.normalize("NFD", entry)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def usable(entry: str) -> bool:
    """Tell whether an entry is one word of Latin letters, with no more than one hyphen."""
    letters = entry.replace("-", "", 1).replace("'", "", 1)
    return len(entry) > 2 and letters.isalpha() and all(
        "LATIN" in unicodedata.name(c, "") for c in letters
    )  # fmt: skip


def faker_names(locale: str, attribute: str) -> list[str]:
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    value = getattr(provider, attribute, ())
    return [] if isinstance(value, property) else [clean(str(entry)) for entry in value]


def census_names(attribute: str, size: int) -> list[str]:
    lines = resources.files("names").joinpath(CENSUS[attribute]).read_text("ascii").split("\n")
    return [clean(line.split()[0]) for line in lines if line.strip()][:size]


def names_of(origin: str, attributes: tuple[str, ...], size: int) -> set[str]:
    found: set[str] = set()
    for attribute in attributes:
        if origin == "english":
            found.update(census_names(attribute, size) if attribute in CENSUS else ())
            continue
        for locale in ORIGINS[origin].split():
            found.update(faker_names(locale, attribute))
    return {entry for entry in found if usable(entry)}


def top(entries: Iterable[str], counts: Mapping[str, list[float]], size: int) -> list[str]:
    """Return the entries that most people bear, in alphabetical order."""
    known = sorted(entries, key=lambda e: (-counts.get(plain(e), [0, 0])[1], e))
    return sorted(known[:size])


def table(origin: str, counts: Mapping[str, list[float]], banned: set[str]) -> str:
    male = names_of(origin, ("first_names_male",), FIRST) - banned
    female = names_of(origin, ("first_names_female",), FIRST) - banned
    if origin in ("african", "arabic", "indian", "indonesian"):
        # Their lists hold English names too, and would claim them.
        male -= set(census_names("first_names_male", 5000))
        female -= set(census_names("first_names_female", 5000))
    last = names_of(
        origin, ("last_names", "last_names_male", "last_names_female", "last_name_list"), LAST
    )
    # A name counts for a gender where at least nine of ten bearers have it.
    male = {e for e in male if counts.get(plain(e), [0, 1, 0.0])[2] <= 0.1}
    female = {e for e in female if counts.get(plain(e), [0, 1, 1.0])[2] >= 0.9}
    last = {e for e in last if len(e) > 3 or origin == "turkish"} - banned
    parts = [
        ("male", top(male, counts, FIRST)),
        ("female", top(female, counts, FIRST)),
        ("surnames", sorted(last)[:: max(1, len(last) // LAST)]),
    ]
    blocks = [f'{key} = """\n{textwrap.fill(" ".join(names), 99, break_on_hyphens=False)}"""\n'
              for key, names in parts]  # fmt: skip
    return f'origin = "{origin}"\n' + "".join(blocks)


def read_words(name: str) -> set[str]:
    words: set[str] = set()
    for path in sorted(LEXICONS.glob(f"{name}.txt*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
        words.update(line for line in text.split("\n") if line and not line.startswith("#"))
    return words


def gender_lists(counts: Mapping[str, list[float]]) -> str:
    """Return the first names of the lexicons that one gender bears nine times of ten."""
    names = {n for lists in ("en", "es", "nl", "world") for n in read_words(f"{lists}.first-names")}
    lists: dict[str, list[str]] = {"male": [], "female": []}
    for name in sorted({plain(name) for name in names if usable(name)}):
        _, bearers, share, *_ = [*counts.get(name, [0, 0, 0.5]), 0]
        if bearers >= 5 and not 0.1 < share < 0.9:
            lists["female" if share >= 0.9 else "male"].append(name)
    return "".join(f"#= {gender}\n" + "\n".join(found) + "\n" for gender, found in lists.items())


def main(folder: Path) -> None:
    data = resources.files("nomquamgender").joinpath("name_data.json").read_bytes()
    counts = json.loads(data)
    banned = read_words("world.eponyms")
    folder.mkdir(parents=True, exist_ok=True)
    for origin in ORIGINS:
        folder.joinpath(f"{origin}.toml").write_text(table(origin, counts, banned), "utf-8")
    content = gzip.compress(gender_lists(counts).encode("utf-8"), 9, mtime=0)
    folder.joinpath("gender.txt.gz").write_bytes(content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    main(parser.parse_args().folder)
