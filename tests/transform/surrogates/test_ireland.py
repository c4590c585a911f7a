"""Ireland: counties, towns, Eircodes and telephones fit, and mobiles stay mobiles."""

from __future__ import annotations

import re

import pytest

from scrubjay.transform.surrogates._tables import find_places
from tests.transform.surrogates.test_makers import make
from tests.transform.surrogates.test_places import replace

PLACES = find_places("en")
PATIENTS = [f"patient {number}" for number in range(12)]


def area_of(town: str) -> str:
    return next(a.key for a in PLACES.areas.values() if town in a.towns)


@pytest.mark.parametrize("town", ["Cork", "Tuam", "Ballyxyz"])
@pytest.mark.parametrize("patient", PATIENTS)
def test_a_town_beside_ireland_goes_where_ireland_goes(town: str, patient: str) -> None:
    text = f"Lives in {town}, Ireland."
    made = replace(text, patient=patient, city=town, country="Ireland")
    [country] = [c for c in PLACES.countries.values() if c.names[0] == made["country"]]
    assert country.key in PLACES.countries["ie"].moves
    assert any(made["city"] in PLACES.areas[key].towns for key in PLACES.by_country[country.key])


@pytest.mark.parametrize("patient", PATIENTS)
def test_town_county_code_and_telephone_are_of_one_county(patient: str) -> None:
    text = "Tuam, Co. Galway H54 X8P2, tel. 091 555 012"
    made = replace(
        text, patient=patient, city="Tuam", state="Co. Galway", zip="H54 X8P2",
    )  # fmt: skip
    [area] = [a for a in PLACES.areas.values() if made["state"] == f"Co. {a.region}"]
    assert area.country == "ie"
    assert area.region != "Galway"
    assert made["city"] in area.towns
    assert made["zip"][:3] in area.zips
    assert PLACES.countries["ie"].code.fullmatch(made["zip"])


def test_a_town_is_one_in_all_documents_of_a_patient() -> None:
    [clinic] = make("hospital", ["Tuam Medical Centre"])
    assert clinic == f"{make('city', ['Tuam'])[0]} Medical Centre"
    assert area_of(make("city", ["Dublin"])[0]).startswith("ie.")


@pytest.mark.parametrize(
    ("old", "new"),
    [("County Cork", r"County [A-Z].*"), ("CO. CORK", r"CO\. [A-Z]+"), ("Co Mayo", r"Co [A-Z].*"),
     ("Galway", r"[A-Z][a-z].*"), ("Munster", r"Leinster|Ulster|Connacht")],
)  # fmt: skip
def test_a_county_is_written_as_it_was(old: str, new: str) -> None:
    assert re.fullmatch(new, make("state", [old])[0])


COUNTIES = "|".join(PLACES.areas[key].region for key in PLACES.by_country["ie"])


@pytest.mark.parametrize("kind", ["place", "city", "territory"])
@pytest.mark.parametrize("old", ["Co. Kerry", "County Mayo"])
def test_a_county_is_another_one_by_any_label(kind: str, old: str) -> None:
    word, name = old.split()
    assert re.fullmatch(rf"{re.escape(word)} (?!{name})({COUNTIES})", make(kind, [old])[0])
    made = replace(f"Lives in Tralee, {old} now", **{kind: name})[kind]
    assert re.fullmatch(rf"(?!{name})({COUNTIES})", made)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("087 555 0134", r"08[35679] \d{3} \d{4}"),
        ("0875550134", r"08[35679]\d{7}"),
        ("+353 86 555 0134", r"\+353 8[35679] \d{3} \d{4}"),
        ("+353 (0)87 5550134", r"\+353 \(0\)8[35679] \d{7}"),
        ("00353 87 555 0134", r"00353 8[35679] \d{3} \d{4}"),
        ("0044 7700 900123", r"0044 7\d{3} \d{6}"),
        ("1800 555 012", r"1800 \d{3} \d{3}"),
        ("1850 555012", r"1850 \d{6}"),
        ("0818 221 100", r"0818 \d{3} \d{3}"),
        ("0818221100", r"0818\d{6}"),
        ("0761 07 8000", r"0761 \d{2} \d{4}"),
        ("076 107 8000", r"076 1\d{2} \d{4}"),
        ("+353 818 221100", r"\+353 818 \d{6}"),
        ("01 234 5678", r"0(?!1 )\d{2} \d{3} \d{4}"),
        ("+353 1 234 5678", r"\+353 \d{2} \d{3} \d{4}"),
        ("(021) 427 1234", r"\(0\d{1,2}\) \d{3} \d{4}"),
        ("0412 345 678", r"04\d\d \d{3} \d{3}"),
        ("+61 412 345 678", r"\+61 4\d\d \d{3} \d{3}"),
        ("+64 21 555 0123", r"\+64 2\d \d{3} \d{4}"),
        ("+91 98765 43210", r"\+91 9\d{4} \d{5}"),
        ("1-800-555-0134", r"1-800-\d{3}-\d{4}"),
        ("0113 496 0123", r"0\d{3} \d{3} \d{4}"),
        ("07700 900123", r"07\d{3} \d{6}"),
    ],
)
def test_kinds_of_lines_and_layout_stay(old: str, new: str) -> None:
    made = make("phone", [old])[0]
    assert re.fullmatch(new, made)
    assert made != old


def test_a_prefix_of_ireland_goes_with_its_town() -> None:
    [town], [phone] = make("city", ["Tralee"]), make("phone", ["066 712 3456"])
    assert phone.split()[0] in PLACES.areas[area_of(town)].phones


def test_adjectives_follow_a_country_that_is_named() -> None:
    for patient in PATIENTS:
        text = "Irish, from Ireland"
        [irish], [ireland] = (
            [replace(text, patient=patient, country=one, state="Ireland")["country"]]
            for one in ("Irish", "Ireland")
        )
        assert PLACES.nations[ireland] == (irish,)
