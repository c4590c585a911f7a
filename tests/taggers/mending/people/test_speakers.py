"""Speakers of transcripts and chats: roles are nobody, names are somebody at each turn."""

from __future__ import annotations

from itertools import product
from time import process_time

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.people.speakers import mend_speakers


def _mended(marked: str, language: str) -> list[str]:
    document = parse_inline(marked, id="a")
    spans = mend_speakers(document.text, document.spans, language)
    assert list(spans) == sorted(spans, key=lambda span: span.start)
    return [f"{span.label}:{document.text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("marked", "language", "kept"),
    [
        (
            "<NAME>Arts</NAME>: <NAME>Komt</NAME> u binnen\nZoon: <NAME>Maar</NAME> hoe dan\n"
            "Arts: <NAME>Hoi Sjoerd</NAME>\nZoon: <NAME>Wiarda</NAME>.\n",
            "nl",
            ["NAME:Sjoerd", "NAME:Wiarda"],
        ),
        (
            "<DOCTOR>Gupta, Ravi</DOCTOR>: ok\nNikki: hm\nGupta, Ravi: yes\n"
            "<DOCTOR>Nikki, RN</DOCTOR>: no\nNikki: yes\n",
            "en",
            ["DOCTOR:Gupta, Ravi", "DOCTOR:Nikki", "DOCTOR:Nikki", "DOCTOR:Nikki"],
        ),
        (
            "<INITIALS>WV</INITIALS>: dag\nC: <NAME>Bruno</NAME>\nWV: en nu\nC: Negenentachtig\n",
            "nl",
            ["NAME:Bruno"],
        ),
        (
            "Q. Who helps?\n<PATIENT>A. Lorna</PATIENT>. She does.\nQ. Month?\n"
            "<PATIENT>A. It</PATIENT> is May.\n",
            "en",
            ["PATIENT:Lorna"],
        ),
        (
            "[12:04] <NOMBRE_PERSONAL_SANITARIO>Farm</NOMBRE_PERSONAL_SANITARIO>: va\n"
            "[12:05] Planta: ok\n[12:06] Farm: y la vanco\n[12:07] Planta: 15\n",
            "es",
            [],
        ),
    ],
)
def test_roles_and_what_is_said_first_are_nobody(
    marked: str, language: str, kept: list[str]
) -> None:
    assert _mended(marked, language) == kept


def test_a_speaker_who_is_found_once_is_found_at_each_turn() -> None:
    marked = (
        "Denise: Hello\n<PATIENT>Misty</PATIENT>: Ankles?\nDenise: Fine\nMisty: Any pain?\n"
        "Zzyx: no\nAunt Lucha: <PATIENT>mija</PATIENT>\n"
    )
    assert _mended(marked, "en") == [
        "DOCTOR:Denise",
        "DOCTOR:Misty",
        "DOCTOR:Denise",
        "DOCTOR:Misty",
        "PATIENT:mija",
    ]


def test_a_name_with_a_role_loses_the_role_and_is_never_wider() -> None:
    name = "NOMBRE_PERSONAL_SANITARIO"
    marked = (
        f"<{name}>Lola TCAE</{name}>: voy\n<{name}>Caro</{name}> Bz: no\n"
        "Lola TCAE: ya\nCaro Bz: bien\n"
    )
    assert _mended(marked, "es")[:3] == [f"{name}:Lola", f"{name}:Caro", f"{name}:Lola"]


@pytest.mark.parametrize(
    "marked",
    [
        "<NAME>Arts</NAME>: <NAME>Komt</NAME> u binnen\nZoon: ja\n\n\n",
        "Dx: <NAME>Maar</NAME> x\nPlan: b\nFam: c\nSoc: d\nBeleid: e\n",
    ],
)
def test_a_text_without_turns_of_two_speakers_keeps_its_own(marked: str) -> None:
    document = parse_inline(marked, id="a")
    assert mend_speakers(document.text, document.spans, "nl") == document.spans


def test_what_is_said_in_small_letters_and_names_of_speakers_stay() -> None:
    marked = (
        "ayse: <NAME>truusje</NAME> is weg, truusje\nben: <NAME>Ayse</NAME> wacht\n"
        "ayse: nee\nben: ja\n"
    )
    found = _mended(marked, "nl")
    assert "NAME:truusje" in found
    assert "NAME:Ayse" in found


def test_letters_that_are_no_known_role_stay_as_initials() -> None:
    marked = "<INITIALS>JDV</INITIALS>: gezien\n<INITIALS>MK</INITIALS>: ok\nJDV: en nu\nMK: ja\n"
    assert "INITIALS:JDV" in _mended(marked, "nl")
    assert "INITIALS:MK" in _mended(marked, "nl")


@pytest.mark.parametrize(
    ("name", "language", "label"),
    [
        ("Baker", "en", "DOCTOR"),
        ("Visser", "nl", "NAME"),
        ("Herrero", "es", "NOMBRE_SUJETO_ASISTENCIA"),
    ],
)
def test_a_profession_that_many_are_called_by_is_found_at_each_turn(
    name: str, language: str, label: str
) -> None:
    marked = f"<{label}>{name}</{label}>: a\nQ: b\n{name}: c\nQ: d\n"
    spans = _mended(marked, language)
    assert spans == [f"{label}:{name}"] * 2


def test_many_words_that_are_said_first_take_time_by_their_number() -> None:
    words = ("".join(letters) for letters in product("BDFGKLMNPRST", "aeiou", "bdfgklmnprst", "xz"))
    names = [f"{word}q{tail}" for word in words for tail in "aeiou"]
    marked = "".join(f"Nurse: <PATIENT>{name}</PATIENT>, you\nSon: b\n" for name in names)
    document = parse_inline(marked, id="a")
    begin = process_time()
    mend_speakers(document.text, document.spans, "en")
    assert process_time() - begin < 5  # a third of a second, a minute where each reads all


def test_a_name_that_begins_like_what_is_said_is_not_cut() -> None:
    name = "NOMBRE_PERSONAL_SANITARIO"
    marked = (
        f"Médico: <{name}>Claro García</{name}>\nHija: sí\n"
        f"Médico: <{name}>Hola Rosa</{name}>\nHija: no\n"
    )
    assert _mended(marked, "es") == [f"{name}:Claro García", f"{name}:Rosa"]
    marked = "Arts: <NAME>Van Dam</NAME> komt\nZoon: ja\nArts: goed\nZoon: nee\n"
    assert _mended(marked, "nl") == ["NAME:Van Dam"]
