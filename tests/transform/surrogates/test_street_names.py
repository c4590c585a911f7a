"""Streets get another name, of well-known words alone or not; what they are stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.features.lexicons import find_lexicon
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates import places
from scrubjay.transform.surrogates._street_names import (
    BREAK,
    CUE,
    NAME,
    SMALL,
    UNIT,
    is_compound,
    kind_of_word,
)
from scrubjay.transform.surrogates._tables import find_words
from scrubjay.transform.surrogates.draw import Draw, fold
from tests.transform.surrogates.test_makers import KEY, make

LETTERS = re.compile(r"[^\W\d_]{3,}")


def letters(text: str) -> list[str]:
    return LETTERS.findall(fold(text))


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "12 Mill Lane", r"\d\d (?!Mill)[A-Z].* Lane"),
        ("en", "3 Orchard Cl", r"\d (?!Orchard)[A-Z].* Cl"),
        ("en", "12 Mill Gro", r"\d\d (?!Mill)[A-Z].* Gro"),
        ("en", "mill lane", r"(?!mill)[a-z. ]+ lane"),
        ("en", "12 MILL LN", r"\d\d (?!MILL)[A-Z. ]+ LN"),
        ("en", "Mill Lane 31", r"(?!Mill)[A-Z].* Lane \d\d"),
        ("en", "123 Lake View Dr", r"\d{3} (?!Lake)[A-Z].* Dr"),
        ("en", "12 Bridge St. Apt 4", r"\d\d (?!Bridge)[A-Z].* St\. Apt \d"),
        ("en", "Rose Cottage, Mill Lane", r"(?!Rose)[A-Z].*, (?!Mill)[A-Z].* Lane"),
        ("en", "Mill Lane at Park St", r"(?!Mill)[A-Z].* Lane at (?!Park)[A-Z].* St"),
        ("en", "12 Old Mill Lane", r"\d\d (?!Old|.*Mill)[A-Z].* Lane"),
        ("en", "77 North Pine Ridge Road East", r"\d\d North (?!Pine|.*Ridge)[A-Z].* Road East"),
        ("es", "Avenida del Parque García 3", r"Avenida del (?!Parque|.*García)[A-Z].* \d"),
        ("en", "12 South Street", r"\d\d (?!South)[A-Z].* Street"),
        ("en", "12 North", r"\d\d (?!North)[A-Z].*"),
        ("en", "The Crescent", r"The [A-Z].* Crescent"),
        ("en", "42nd St", r"\d\d(?:st|nd|rd|th) St"),
        ("en", "125 W 42 St", r"\d{3} W \d\d St"),
        ("en", "12 County Road 5", r"\d\d County Road \d"),
        ("en", "K Street NW", r"[A-JL-Z] Street NW"),
        ("nl", "Kerkstraat 12", r"(?!Kerk)[A-Z][a-z]+straat \d\d"),
        ("nl", "Kerkstraat 12 bus 3", r"(?!Kerk)[A-Z][a-z]+straat \d\d bus \d"),
        ("nl", "Kerkstraat 12/bte 3A", r"(?!Kerk)[A-Z][a-z]+straat \d\d/bte \d[A-Z]"),
        ("nl", "molenweg 4", r"(?!molen)[a-z]+weg \d"),
        ("nl", "KERKSTRAAT", r"(?!KERK)[A-Z]+STRAAT"),
        ("nl", "Markt 4", r"[A-Z][a-z]+markt \d"),
        ("nl", "Oude Dijk 3", r"Oude [A-Z][a-z]+dijk \d"),
        ("nl", "Lange Heuvel 2", r"Lange (?!Heuvel)[A-Z]\w+ \d"),
        ("nl", "Jan Steenstraat 4", r"[A-Z][a-z]+straat \d"),
        ("nl", "noord 5", r"(?!noord)[a-z]+ \d"),
        ("nl", "Postbus 123", r"Postbus \d{3}"),
        ("es", "calle Mayor 3", r"calle (?!Mayor)\w.* \d"),
        ("es", "Plaza Mayor", r"Plaza (?!Mayor)\w.*"),
        ("es", "CALLE DEL PUENTE", r"CALLE DEL (?!PUENTE)[^a-z]+"),
        ("es", "C/ Puente 5", r"C/ (?!Puente)\w.* \d"),
        ("es", "C/. Alameda, 3", r"C/\. (?!Alameda)\w.*, \d"),
        ("es", "Rambla 5", r"Rambla \w.* \d"),
        ("es", "Avda. del Puerto 3 esc 2 pta 4", r"Avda\. del (?!Puerto)\w.* \d esc \d pta \d"),
        ("es", "Calle 15 No. 654", r"Calle \d\d No\. \d{3}"),
        ("es", "Av/ Moya 3", r"Av/ (?!Moya)\w.* \d"),
        ("es", "Av, Puente, 3", r"Av, (?!Puente)\w.*, \d"),
        ("es", "Ctra. N-332", r"Ctra\. N-\d{3}"),
    ],
)
def test_a_street_gets_another_name_and_stays_of_its_kind(
    language: str, text: str, pattern: str
) -> None:
    for patient in "abcdefgh":
        record = Record("d", patient, text, language)
        draw = Draw(KEY, patient)
        [new] = places.MAKERS["street"]([text], record, draw, avoid=frozenset([text]))
        assert re.fullmatch(pattern, new)


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["12 Mill Lane", "Mill Lane", "MILL LANE", "mill lane 3"]),
        ("nl", ["Kerkstraat 12", "kerkstraat", "KERKSTRAAT 3", "de Kerkstraat"]),
        ("es", ["calle Puente 3", "Calle Puente", "C/ PUENTE", "calle puente"]),
    ],
)
def test_a_street_has_one_new_name_in_all_its_forms(language: str, texts: list[str]) -> None:
    keep = {"de", "lane", "calle"}
    new = [
        [word for word in letters(text) if word not in keep]
        for text in make("street", texts, language)
    ]
    assert new[0]
    assert all(each == new[0] for each in new)


def test_an_address_keeps_its_small_words_and_changes_the_letter_of_its_door() -> None:
    new = make("address", ["Avda. del Puerto, 3, s/n, B"], "es")[0]
    assert re.fullmatch(r"Avda\. del (?!Puerto)[A-Z].*, \d, s/n, [A-Z]", new)


def test_a_mark_may_stand_between_what_a_street_is_and_its_name() -> None:
    new = make("address", ["Av, Roble Real, 3", "Calle/ Moya 3", "Plaza, 41005 Sevilla"], "es")
    assert re.fullmatch(r"Av, (?!Roble)\w+.*, \d", new[0])
    assert re.fullmatch(r"Calle/ (?!Moya)\w+.* \d", new[1])
    assert re.fullmatch(r"Plaza \w+.*, \d{5} \w+.*", new[2])


def test_an_address_with_a_street_of_one_word_keeps_its_order() -> None:
    new = make("address", ["12 Kerkstraat, 5492 PT Best"], "nl")[0]
    assert re.fullmatch(r"\d\d (?!Kerk)[A-Z][a-z]+straat, \d{4} [A-Z]{2} [A-Z].*", new)


CUES = {
    language: sorted(
        word
        for word in find_lexicon(f"{language}.street-words")
        if re.fullmatch(r"[^\W\d_]{4,}", word)
        and word not in find_words(language).units | find_words(language).keep
    )
    for language in ("en", "es", "nl")
}


@given(st.data())
@example(data=None)
def test_every_street_of_well_known_words_gets_another_name(data: st.DataObject | None) -> None:
    if data is None:
        language, row, number, style = "en", ["mill", "lane"], "12 ", str.title
    else:
        language = data.draw(st.sampled_from(sorted(CUES)))
        row = data.draw(st.lists(st.sampled_from(CUES[language]), min_size=2, max_size=3))
        number = data.draw(st.sampled_from(["", "12 ", "7, "]))
        style = data.draw(st.sampled_from([str.title, str.upper, str.lower]))
    text = number + style(" ".join(row))
    new = make("street", [text], language)[0]
    assert letters(new) != letters(text)
    assert new.isupper() == text.isupper()
    assert new.islower() == text.islower()


def test_kinds_of_words() -> None:
    def kinds(language: str, *found: str) -> list[int]:
        words, cues = find_words(language), find_lexicon(f"{language}.street-words")
        return [kind_of_word(word, words, lambda one: one.lower() in cues) for word in found]

    assert kinds("en", "Mill", "Apt.", "the", "and", "4th", "K", "Oxford") == [
        CUE, UNIT, SMALL, BREAK, BREAK, BREAK, NAME,
    ]  # fmt: skip
    assert kinds("es", "C/", "C", "Mayor", "Puente", "de") == [CUE, BREAK, NAME, CUE, SMALL]
    assert kinds("nl", "Kerkstraat", "straat", "Snelweg", "Zuid") == [NAME, CUE, UNIT, SMALL]
    assert is_compound("Kerkstr.", find_words("nl"))
    assert not is_compound("Kerkstraat", find_words("en"))


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_words_of_streets_are_known_as_such(language: str) -> None:
    words = find_words(language)
    assert words.units
    assert all(word == word.lower() for word in words.units | words.numbered)
