"""Places: what fits together stays together, and forms stay."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates import places
from scrubjay.transform.surrogates._tables import expand, find_places, find_words
from scrubjay.transform.surrogates.draw import Draw, fold
from tests.transform.surrogates.test_makers import KEY, make

US = find_places("en")
STATES = {key: US.areas[key] for key in US.by_country["us"]}
RESTRICTED = {  # over the three censuses
    *("036", "059", "063", "102", "202", "203", "204", "205", "369", "556", "692", "753", "772"),
    *("790", "821", "823", "830", "831", "878", "879", "884", "890", "893"),
}


def replace(text: str, language: str = "en", patient: str = "p", **mentions: str) -> dict[str, str]:
    """Return the surrogate of one mention of each kind, in a record with this text."""
    record = Record("d", patient, text, language)
    avoid = frozenset(mentions.values())
    draw = Draw(KEY, patient)
    return {
        kind: places.MAKERS[kind]([old], record, draw, avoid=avoid)[0]
        for kind, old in mentions.items()
    }


@settings(max_examples=100)
@given(st.sampled_from(sorted(STATES)), st.text("abc", max_size=4), st.data())
def test_town_state_and_code_are_of_one_area(key: str, patient: str, data: st.DataObject) -> None:
    old = STATES[key]
    start = data.draw(st.sampled_from(old.zips))
    town = data.draw(st.sampled_from([*old.towns, "Xyzzy Falls"]))
    made = replace(
        f"lives in {town}, {old.code} {start}07 now", patient=patient,
        city=town, state=old.code, zip=f"{start}07",
    )  # fmt: skip
    new = US.areas[f"us.{made['state']}"]
    assert new is not old
    assert made["city"] in new.towns
    assert made["zip"][:3] in new.zips
    assert replace("", patient=patient, state=old.region)["state"] == new.region


@given(st.text("abc", max_size=4), st.sampled_from([" ", ", "]))
def test_a_code_in_small_letters_tells_the_state_where_it_is_a_mention(
    patient: str, gap: str
) -> None:
    text = f"home in xyzzyville{gap}va now"
    made = replace(text, patient=patient, city="xyzzyville", state="va")
    assert made["city"] in map(str.lower, US.areas[f"us.{made['state'].upper()}"].towns)


def test_a_word_that_is_no_mention_tells_no_state() -> None:
    told = replace("lives in Xyzzyville, OR", city="Xyzzyville", state="OR")
    word = replace("born in Xyzzyville or where", city="Xyzzyville")
    other = replace("born in Xyzzyville then", city="Xyzzyville")
    assert word == other
    assert word["city"] != told["city"]


@given(st.text("abc", max_size=4))
def test_virginia_goes_to_one_state_by_name_and_by_code(patient: str) -> None:
    by_code = replace("lives in Richmond, VA", patient=patient, city="Richmond", state="VA")
    by_name = replace("", patient=patient, state="Virginia")
    assert by_name["state"] == US.areas[f"us.{by_code['state']}"].region


@pytest.mark.parametrize(
    ("language", "text", "town", "code"),
    [
        ("es", "Domicilio: 41005 Sevilla", "Sevilla", "41005"),
        ("nl", "woont te 3011 AA Rotterdam", "Rotterdam", "3011 AA"),
        ("en", "Leeds LS20 8PX", "Leeds", "LS20 8PX"),
        ("en", "Sydney 2000", "Sydney", "2000"),
    ],
)
def test_town_and_code_fit_in_other_countries(
    language: str, text: str, town: str, code: str
) -> None:
    made = replace(text, language, city=town, zip=code)
    tables = find_places(language)
    assert any(
        made["city"] in area.towns and made["zip"].startswith(area.zips)
        for area in tables.areas.values()
    )
    assert made["city"] not in text


def test_a_record_that_names_its_country_moves_to_another() -> None:
    made = replace("Boston, MA 02139, USA", city="Boston", state="MA", zip="02139", country="USA")
    country = US.names[fold(made["country"])]
    assert country != "us"
    area = next(
        US.areas[key] for key in US.by_country[country] if made["city"] in US.areas[key].towns
    )
    assert made["zip"].startswith(area.zips)
    assert US.countries[country].code.fullmatch(made["zip"])


def test_a_country_and_its_adjective_stay_one_country() -> None:
    country, adjective = make("country", ["Kenya", "Kenyan"])
    assert US.nations[country] == (adjective,)
    country, woman = make("country", ["Cuba", "peruana"], "es")
    assert woman in [row[-1] for row in find_places("es").nations.values()]


@pytest.mark.parametrize(
    ("kind", "text", "pattern"),
    [
        ("state", "OH", "[A-Z]{2}"),
        ("state", "alaska", "[a-z ]+"),
        ("state", "TEXAS", "[A-Z ]+"),
        ("state", "Va.", r"[\w. ]+"),
        ("city", "BOSTON", "[A-Z' -]+"),
        ("city", "boston", "[a-z' -]+"),
        ("city", "NYC", "[A-Z][a-z].*"),
        ("zip", "02139-1234", r"\d{5}-\d{4}"),
        ("zip", "679 321", r"\d{3} \d{3}"),
        ("street", "12 Cedar St", r"[1-9]\d [A-Z].* St"),
        ("street", "2216 NW 41st Terrace, rear", r"\d{4} NW \d\d(?:st|nd|rd|th) Terrace, rear"),
        ("street", "908 Larkin St Apt 2R", r"\d{3} .* St Apt \d[A-Z]"),
        ("place", "Room 412", r"Room \d{3}"),
        ("place", "Highway 90", r"Highway \d\d"),
        ("place", "C-470", r"[A-Z]-\d{3}"),
    ],
)
def test_the_form_stays(kind: str, text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, make(kind, [text])[0])


@pytest.mark.parametrize(
    ("language", "kind", "text", "pattern"),
    [
        ("es", "street", "C/ del Pez, 28, 3D", r"C/ del [\w ]+, \d\d, \d[A-Z]"),
        ("es", "street", "Avda. de la Ilustración s/n", r"Avda\. de la [\w ]+ s/n"),
        ("es", "territory", "28013", r"\d{5}"),
        (
            "nl",
            "address",
            "Kloosterlaan 3, 5492 PT Best",
            r"[A-Z]\w+laan \d, \d{4} [A-Z]{2} [A-Z].*",
        ),
        ("nl", "address", "8131 XK", r"\d{4} [A-Z]{2}"),
        ("nl", "place", "kamer 2.14", r"kamer \d\.\d\d"),
    ],
)
def test_the_form_stays_in_other_languages(
    language: str, kind: str, text: str, pattern: str
) -> None:
    assert re.fullmatch(pattern, make(kind, [text], language)[0])


def test_a_town_over_a_line_end_and_a_glued_one_stay_so() -> None:
    # The town drawn has two words or one; the first must keep the line end where it has two.
    for patient in "abcdefgh":
        made = replace("Salt\nLake", patient=patient, city="Salt\nLake")["city"]
        assert " " not in made
        assert " " not in replace("", patient=patient, city="SanFrancisco")["city"]


def test_a_province_with_the_name_of_its_town_stays_one() -> None:
    made = make("territory", ["Sevilla"], "es")[0]
    assert any(area.towns[0] == made for area in find_places("es").areas.values())


def test_two_towns_of_one_record_stay_two() -> None:
    old = list(STATES["us.OH"].towns[:8])
    assert len(set(make("city", old))) == len(old)


def test_a_town_that_tables_do_not_know_takes_the_region_beside_it() -> None:
    beside = replace("Grand View (OH)", city="Grand View")["city"]
    assert beside in US.areas[f"us.{replace('', state='OH')['state']}"].towns


def test_a_record_that_names_every_area_fails_without_a_name() -> None:
    every = tuple(area.region for area in US.areas.values())
    with pytest.raises(ConfigError, match="no area is left") as caught:
        make("state", ["Ohio"], others=every)
    assert "Ohio" not in str(caught.value)


def test_towns_are_made_up_where_the_tables_are_used_up() -> None:
    every = tuple(town for area in US.areas.values() for town in area.towns)
    [new] = make("city", ["Kidron"], others=every)
    words = find_words("en")
    assert new.lower().split()[0] in words.nature


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_tables_are_whole(language: str) -> None:
    tables = find_places(language)
    assert tables.home in tables.countries
    for country in tables.countries.values():
        assert set(country.moves) <= tables.countries.keys() - {country.key}
        assert len(tables.by_country[country.key]) >= 3
    for area in tables.areas.values():
        starts = tables.starts[area.country]
        assert area.towns
        assert len(set(area.towns)) == len(area.towns)
        for start in area.zips:
            letters = re.match(r"[A-Z]{1,2}(?=\d)", start)
            known = start if start in starts else start[:2] if start[:2] in starts else start[:1]
            assert starts[known if letters is None or known in starts else letters[0]] == area.key
        code = area.zips[0] + tables.countries[area.country].tail.replace("9", "1")
        assert tables.countries[area.country].code.fullmatch(code)


def test_no_new_code_begins_with_a_restricted_one() -> None:
    drawn = {start for area in STATES.values() for start in area.zips}
    assert drawn.isdisjoint(RESTRICTED)


def test_ranges_expand() -> None:
    assert expand("098-101 K 1-2") == ["098", "099", "100", "101", "K", "1", "2"]


@pytest.mark.parametrize(
    "text", ["Wilgenlaan 12, 3512 KR Utrecht", "3512 KR Utrecht", "te Utrecht", "Utrecht"]
)
@pytest.mark.parametrize("patient", ["a", "b", "c", "d", "e"])
def test_utrecht_is_a_town_in_an_address(text: str, patient: str) -> None:
    new = replace(text, "nl", patient, address=text)["address"]
    towns = {town for area in find_places("nl").areas.values() for town in area.towns}
    assert any(new.endswith(town) for town in towns)


@pytest.mark.parametrize("rooms", [["K3", "K4"], ["room 3", "room 4", "room 5"], ["12A", "12B"]])
def test_two_rooms_become_two_rooms_of_their_form(rooms: list[str]) -> None:
    record = Record("d", "p", " ; ".join(rooms), "en")
    for patient in map(str, range(100)):
        draw = Draw(KEY, patient)
        made = places.MAKERS["place"](rooms, record, draw, avoid=frozenset(rooms))
        assert len({*made}) == len(rooms)
        assert all(
            re.sub(r"\d|(?<=\d)[A-Z]", "", new) == re.sub(r"\d|(?<=\d)[A-Z]", "", old)
            for old, new in zip(rooms, made, strict=True)
        )


def test_a_postcode_of_letters_tells_the_country_of_towns_that_no_table_has() -> None:
    towns = ("Oban", "Wem", "Oswestry")
    text = f"lives in {', '.join(towns)}, {{}} now"
    for code, country in (("PA3 3SD", "gb"), ("K9Z 1A1", "ca")):
        avoid = frozenset((*towns, code))
        record = Record("d", "p", text.format(code), "en")
        made = places.MAKERS["city"](towns, record, Draw(KEY, "p"), avoid=avoid)
        known = {town for key in US.by_country[country] for town in US.areas[key].towns}
        assert known.issuperset(made)


def test_a_number_before_an_english_town_is_no_postcode() -> None:
    told = replace("NHS no 943 476 5919, Oswestry", city="Oswestry")
    assert told == replace("seen in Oswestry", city="Oswestry")
