"""An everyday word is somebody's name again where a title, an "'s" or a colon tells so."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.known.propagation import Propagation


def again(mention: str, rest: str, language: str = "en") -> list[str]:
    """Return what is found in the rest of a note that begins with a name."""
    text = f"{mention}, 54.\n{rest}"
    spans = [Span(0, len(mention), "X")]
    (rows,) = Propagation(lambda _: "name", language).spread([text], [spans])
    return [text[span.start : span.end] for span in rows[1:]]


@pytest.mark.parametrize(
    ("mention", "rest", "found"),
    [
        ("Maria Day", "Mr. Day was seen", ["Day"]),
        ("Maria Best", "ms best to xray", ["best"]),
        ("Maria Long", "Long's sister called", ["Long"]),
        ("Bo Lindqvist", "told Bo's mother", ["Bo"]),
        ("Maria Lindqvist", "lindqvist's mother called", ["lindqvist"]),
        ("Hope Larsen", "x\nHope: feels better\nHope: slept", ["Hope", "Hope"]),
        ("Maria Weeks", "- Weeks: meds\n- Jo: no\n- Weeks: given", ["Weeks", "Weeks"]),
        ("Li Wen", "12) Li: slept well\n13) Li: ate", ["Li", "Li"]),
        ("Quimby, Ward", "Notes: 0815 Ward up to chair w/ aide", ["Ward"]),
        ("Quimby, Ward", "Bed 4: Ward refused meds", ["Ward"]),
        ("Maria Day", "08:15 Day voided", ["Day"]),
        ("KD", "Signatures: KD = Kay Dunn RN", ["KD"]),
        ("KD", "Signed: Kay Dunn RN = KD", ["KD"]),
    ],
)
def test_a_cue_tells_of_a_name(mention: str, rest: str, found: list[str]) -> None:
    assert again(mention, rest) == found


@pytest.mark.parametrize(
    ("mention", "rest"),
    [
        ("Maria Day", "Day 3 of antibiotics, day shift"),
        ("Maria Day", "Day: 3"),
        ("Maria Day", "moderate MR. Day 3, MS Day 4"),
        ("Will May", "severe MR will need valve repair"),
        ("Maria Best", "QRS 98 ms best seen in V1"),
        ("Maria Case", "the case's outcome"),
        ("Maria Case", "Case:\nA man of 50"),
        ("Mark Head", "Head: normal\nNeck: supple"),
        ("Maria Price", "x. Price: low"),
        ("Mom Larsen", "x\nMom: says he slept, Mom's car"),
        ("Dr Larsen", "Dr: yes"),
        ("Quimby, Ward", "0815 Ward clerk notified. Ward's clerk. Ward up to date"),
        ("Quimby, Ward", "0815 ward up to date"),
        ("Maria Day", "0815 Day shift, 08:15 Day 3"),
        ("KD", "K+ KD 4, KD=3, dose = kd"),
    ],
)
def test_without_a_cue_an_everyday_word_stays(mention: str, rest: str) -> None:
    assert again(mention, rest) == []


@pytest.mark.parametrize(
    ("language", "mention", "rest", "found"),
    [
        ("nl", "Piet Jansen", "mw Jansen boos\nPiet: rustig\nPiet: at", ["Jansen", "Piet", "Piet"]),
        ("nl", "Marieke Bakker", "mevr. Bakker belde", ["Bakker"]),
        ("nl", "Sietske Etxebarria", "mw etxebarria slaapt", ["etxebarria"]),
        ("es", "Iker Etxebarria", "sr. etxebarria avisado", ["etxebarria"]),
        ("es", "Marta Bueno", "sr. bueno tranquilo, don Bueno", ["bueno", "Bueno"]),
        ("es", "Rosa Blanco", "doña rosa come bien", ["rosa"]),
    ],
)
def test_cues_and_small_letters_in_other_languages(
    language: str, mention: str, rest: str, found: list[str]
) -> None:
    assert again(mention, rest, language) == found


@pytest.mark.parametrize(
    ("language", "mention", "rest"),
    [
        ("nl", "Wil Jansen", "mw wil naar huis"),
        ("nl", "Marieke Best", "dhr best moe, best goed"),
        ("nl", "Marieke Bakker", "de bakker in het dorp"),
        ("es", "Rosa Blanco", "mancha de color rosa, punto blanco"),
        ("es", "Marta Campos", "campos pulmonares limpios"),
        ("es", "Ana Franco", "sangrado franco, pilar amigdalino"),
        ("nl", "Bart Korte", "korte wandeling met de kinderen"),
        ("en", "Maria Larsen", "larsen syndrome, larsen"),
    ],
)
def test_small_letters_that_are_nobody(language: str, mention: str, rest: str) -> None:
    assert again(mention, rest, language) == []
