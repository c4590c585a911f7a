"""Things with a number that are no rooms are spared, and rooms stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.no_rooms import is_no_room, may_be_no_room
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces

_ROOM = "INTERNAL_LOCATION"


def _is_one(marked: str) -> bool:
    text, span = read_braces(marked, _ROOM)
    return may_be_no_room(text[span.start : span.end]) and is_no_room(text, span)


@pytest.mark.parametrize(
    "marked",
    [
        "raam op {stand 2}. Mond",
        "wachten op {kweek 3}. verveelt",
        "NABESPREKING    {formulier 7b}\n",
        "Willy en {leerling 3}",
        "DAGSTATUS {LEVENSDAG 9}\n",
        "aanmelding {cluster 2} via",
        "| {kmr} | naam |",
        "CKD {G3bA2}\n",
        "gegeven, {fysiotherapie 9} behandelingen",
        "triage 8/6 23.14\nNTS: hoofdpijn, {U2}\n",
        "23, incompleet {C6} AIS C",
        "dwarslaesie {T9} sinds",
        "niet wekbaar, {RASS -4}. Reutelen",
        "lopen ({NSAA 9}) naar",
        "JGZ contactmoment {groep 2}\n",
        "Nathanaël (10;1), {groep 6}, Gereformeerde",
        "Bo, 8 jaar, {groep 4} van de Linde",
        "in {groep 7} van de basisschool",
        "{groep 4}, Openluchtschool De Struik",
        "geschikt voor {groep 1}, termijn",
        "Krast sinds {groep 8}. SSRI",
        "rekenen: niveau eind {groep 3}. Zij",
        "Valt onder {groep 1}. Rijbewijs",
        "School: obs De Vlieger, {groep 6}. Onderzoeker",
        "Kyano, {groep 4}, OBS De Driesprong",
        "Rijden: {groep 2} rijbewijs",
        "COPD GOLD 3, {groep E}.",
        "streptokokken {groep A}), daarvoor",
        "naar {huis 15.30} met vriend",
        "MRSA: {kamer 1}-persoons geweest",
        "Temperatuur {zaal 19}°, twee",
        "lukt 3 van {de 7}. Moeder",
    ],
)
def test_others_are_spared(marked: str) -> None:
    assert _is_one(marked)
    text, span = read_braces(marked, _ROOM)
    assert mend(text, [span], "nl") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "liefst {Fase 1}, niet",
        "ligt op {kweekvijver 3}",
        "| {kmr} 12 | naam",
        "| {kamer}: 12",
        "{kamer 12} leeg",
        "naar {fysiotherapie 9} gebracht",
        "opname {C2}, platte bedrust",
        "zat in {U2}, vandaar",
        "vrouw {C6} slaapt",
        "incompleet formulier, {C6} slaapt",
        "Dagrapport {groep 5} door lk",
        "mattie Sharona van {groep 5} zei",
        "kdc Omega, {groep 4}, therapeut",
        "overdracht van {groep 2}",
        "woont op {groep 2}, naast",
        "bewoners van {groep 3}, De Specht",
        "ligt op {groep A}, kamer 3",
        "{huis 15}, naar bed",
        "{kamer 1}, persoons",
        "{kamer 12}-2",
        "bed van {de 7}. Moeder",
        "woont in {Stand}",
    ],
)
def test_rooms_stay(marked: str) -> None:
    assert not _is_one(marked)


def test_other_labels_and_languages() -> None:
    text, span = read_braces("raam op {stand 2}.", "ADDRESS")
    assert mend(text, [span], "nl") == (span,)
    text, span = read_braces("raam op {stand 2}.", _ROOM)
    assert mend(text, [span], "en") == (span,)
