"""User names and passwords behind their keys are found; what is told of them is left."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.sign_ins import add_sign_ins, sign_in_labels, widen_user_names
from scrubjay.taggers.mending import mend


def read(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    found = add_sign_ins(document.text, document.spans, language, range(len(document.text)))
    assert mend(document.text, document.spans, language) == found
    return [f"{span.label}:{document.text[span.start : span.end]}" for span in found]


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        ("Log in as ocarroll, password Liffey#77. Will call", ["ocarroll", "Liffey#77"]),
        ("username: jdoe3", ["jdoe3"]),
        ("pw <DATE>Summer2021</DATE>!", ["Summer2021!"]),
        ("pw Summer2021.", ["Summer2021"]),
        ("portal login: <DOCTOR>ocarroll</DOCTOR>", ["ocarroll"]),
        ("User: kmcgrath, PW: <CITY>Dublin99</CITY>", ["kmcgrath", "Dublin99"]),
        ("password for the app is Ab<IDNUM>77</IDNUM>", ["Ab77"]),
        ("login zqxk / pwd Rover_12", ["zqxk", "Rover_12"]),
        ("User name: MKELLY", ["MKELLY"]),
        ("<DATE>PW Summer2021</DATE> now", ["Summer2021"]),
        ("password “Autumn-22” given", ["Autumn-22"]),
        ("password is still Rover_12", ["Rover_12"]),
    ],
)
def test_english(marked: str, values: list[str]) -> None:
    assert read(marked, "en") == [f"USERNAME:{value}" for value in values]


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        ("inlog jdv / <DATE>wachtwoord Tulp2021</DATE>", ["jdv", "Tulp2021"]),
        ("Inlog: jdvries, wachtwoord: Tulp-21!", ["jdvries", "Tulp-21!"]),
        ("ww Zomer2020 en inloggen als pbakker", ["Zomer2020", "pbakker"]),
        ("gebr: mbakker wachtw: <DATE>Lente2023</DATE>", ["mbakker", "Lente2023"]),
        ("gebr.: mbakker, ww.: Lente2023", ["mbakker", "Lente2023"]),
        ("wachtwoord is nog steeds <ADDRESS>Poes1234</ADDRESS>", ["Poes1234"]),
        ("wachtwoord nog steeds Poes1234, user kbakker", ["Poes1234"]),
        ("wachtw. Lente2023", ["Lente2023"]),
    ],
)
def test_dutch(marked: str, values: list[str]) -> None:
    assert read(marked, "nl") == [f"ID:{value}" for value in values]


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        ("usuario mlopez, clave olvidada", ["mlopez"]),
        ("nombre de usuario: tamyruf", ["tamyruf"]),
        ("contraseña sigue siendo Luna77", ["Luna77"]),
        ("contraseña <TERRITORIO>Luna77</TERRITORIO>", ["Luna77"]),
    ],
)
def test_spanish(marked: str, values: list[str]) -> None:
    assert read(marked, "es") == [f"OTRO_NUMERO_IDENTIF:{value}" for value in values]


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("Forgot her password and cannot log in as usual. Password reset 3/4.", "en"),
        ("Login problems today, user manual given. IV drug user for years.", "en"),
        ("Password verified. Login: none. User: self. The user was seen.", "en"),
        ("IVS 1.2, PW 11mm, PWd 1.1, PW: 12mm, 2x pw B12", "en"),
        ("PIN removed, pin 1500 placed, PIN 1200mm, PIN 10/12/2019", "en"),
        ("password on file, password 12-Mar-2021, password ok", "en"),
        ("User: <DOCTOR>Karen</DOCTOR>", "en"),
        ("User: Karen Holt", "en"),
        ("login at <URL>https://portal.example/x1</URL>, user ann1@clinic.example", "en"),
        ("<HOSPITAL>Clinic login tmurphy office</HOSPITAL>", "en"),
        ("inlog werkt niet, ww bij Ger, inlog eruit, gebruiker cannabis", "nl"),
        ("gebr: cannabis, gebr: metoprolol, gebr: broer, Gebr. Bakker BV, user heeft last", "nl"),
        ("Usuario electrodependiente, usuaria polimedicada, usuario habitual", "es"),
        ("Usuario: Nicanor. Usuaria ambulante", "es"),
    ],
)
def test_what_is_none_stays(marked: str, language: str) -> None:
    document = parse_inline(marked)
    assert (
        add_sign_ins(document.text, document.spans, language, range(len(document.text)))
        == document.spans
    )


def test_labels_that_a_model_lacks_are_not_added() -> None:
    text = "password Liffey#77"
    assert mend(text, (), "en", labels=sign_in_labels("en"))
    assert not mend(text, (), "en", labels={"DATE", "IDNUM"})
    assert add_sign_ins(text, (), "fr", range(len(text))) == ()


PIECES = st.sampled_from([
    "login", "Log in as", "PW", "password", "contraseña", "wachtwoord", "usuario", "user name",
    "PIN", "tmurphy", "Liffey#77", "4821", ":", " ", " ", "is", "/", ".", "é", "漢", "x", "\n", "!",
])  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.lists(PIECES, max_size=12).map("".join), max_size=3), st.data())
def test_places_that_are_looked_for_are_enough(texts: list[str], data: st.DataObject) -> None:
    for language in ("en", "nl", "es", "xx"):
        for text, cues in zip(texts, find_cues(texts, language), strict=True):
            borders = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
            spans = tuple(
                Span(start, end, "DATE")
                for start, end in zip(borders[::2], borders[1::2], strict=False)
            )
            found = add_sign_ins(text, spans, language, range(len(text)))
            assert found == add_sign_ins(text, spans, language, cues.beside)
            ends = [0, *(span.end for span in found)]
            assert all(end <= span.start for end, span in zip(ends, found, strict=False))


@pytest.mark.parametrize("word", ["zie hieronder", "vergeten", "geblokkeerd", "idem"])
def test_what_is_said_of_a_user_name_in_dutch(word: str) -> None:
    assert read(f"Login: {word}", "nl") == []


@pytest.mark.parametrize(
    ("marked", "language", "found"),
    [
        ("login is lking<DATE>1950</DATE> and", "en", "USERNAME:lking1950"),
        ("reset hpett<DATE>1942</DATE>.", "en", "USERNAME:hpett1942"),
        ("<PATIENT>lking</PATIENT><DATE>1950</DATE>", "en", "USERNAME:lking1950"),
        ("j_trelawney<DATE>1950</DATE>", "en", "USERNAME:j_trelawney1950"),
        ("inlog lkuiper<DATE>1950</DATE> al", "nl", "ID:lkuiper1950"),
        ("es lgomezz<FECHAS>1950</FECHAS> y", "es", "OTRO_NUMERO_IDENTIF:lgomezz1950"),
        ("smokes since<DATE>2019</DATE> now", "en", "DATE:2019"),
        ("summer<DATE>1983</DATE>", "en", "DATE:1983"),
        ("cabg<DATE>2004</DATE>", "en", "DATE:2004"),
        ("sept<DATE>2004</DATE>", "en", "DATE:2004"),
        ("Dec<DATE>2004</DATE>", "en", "DATE:2004"),
        ("sinds<DATE>2019</DATE>", "nl", "DATE:2019"),
        ("lk<DATE>1950</DATE>", "en", "DATE:1950"),
        ("lking <DATE>1950</DATE>", "en", "DATE:1950"),
        ("lking<IDNUM>1950</IDNUM>", "en", "IDNUM:1950"),
    ],
)
def test_a_year_ends_a_user_name_but_no_word(marked: str, language: str, found: str) -> None:
    document = parse_inline(marked)
    rows = widen_user_names(document.text, document.spans, language)
    assert [f"{s.label}:{document.text[s.start : s.end]}" for s in rows] == [found]
    assert mend(document.text, document.spans, language) == rows


def test_what_reaches_over_a_user_name_stays() -> None:
    spans = (Span(0, 9, "HOSPITAL"), Span(9, 13, "DATE"))
    assert widen_user_names("ER, lking1950", spans, "en") == spans
