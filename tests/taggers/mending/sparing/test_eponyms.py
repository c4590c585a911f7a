"""Surnames after which something clinical is called are spared, and persons called so stay."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from importlib import resources

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.eponyms import _all_called, may_be_eponym
from scrubjay.taggers.mending import mend
from scrubjay.taggers.mending_models import MendingScores
from tests.oracles.mending import spare_eponyms
from tests.taggers.mending_samples import read_braces


def _is_spared(marked: str, *, score: float | None = 1.0, label: str = "NAME") -> bool:
    text, span = read_braces(marked, label)
    span = replace(span, score=score)
    left = list(spare_eponyms(text, [span]))
    if label == "NAME":
        mended = [one for one in mend(text, [span], "nl") if one.source != "repeated"]
        assert left == [one for one in mended if one.label == label]
    return not left


@pytest.mark.parametrize(
    "marked",
    [
        "{Goligher} 2, banden",
        "{Goligher 2}, banden",
        "intubatie lastig, {Cormack} 3, bougie",
        "{Clavien-Dindo IIIb}, relaparotomie",
        "hemorroïden {Goligher} graad 3",
        "MRI: {Schizas C.} L5-S1 gering",
        "{Berg} 44/56, 10MWT 0,8 m/s",
        "type {Weber} II, gips",
        "Supracondylair: {Gartland 1-3}, let op",
        "wond {Wagner 2, Texas 2B}. Schoenen",
        "klep: {Björk-Shiley} 1986",
        "neus: {Lund-Mackay} was achttien",
        "ALS ({El Escorial}: definite)",
        "met {Van der Woude}-syndroom",
        "Ik heb de {Pozzi-tang} afgehaald",
        "{Böhler-hoek 32}. Sudeck nee",
        "Volgens de {Gent-criteria} 8 punten",
        "{Ottawa}-regels: botpijn",
        "klier van {Mascagni} gespaard",
        "duimteken van {Steinberg} positief",
        "behoefte volgens {Harris}, 2150 kcal",
        "het syndroom van {Jansenius} is zeldzaam",
        "buik soepel, {Lanz} niet pijnlijk",
        "{Clarke} +, J-sign +",
        "{Mallampati} neg.",
        "manoeuvre: {Shaker}, Masako of chin-tuck",
        "lees over Gorlin, {Rubin} en huid",
        "mond open met {Boyle-Davis}, coblatie",
        "22 jaar, met {Prader-Willi}, bewoonster",
    ],
)
def test_eponyms_are_spared_however_sure(marked: str) -> None:
    assert _is_spared(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Denk aan {Kraepelin}, Cade over lithium",
        "gezichtsveld ({Esterman}) vol",
        "recidief parotis, {Warthin} bleek toch graad 2",
        "schouders: {McRoberts} eenmalig",
    ],
)
def test_rare_ones_are_spared_in_doubt(marked: str) -> None:
    assert _is_spared(marked, score=0.4)
    assert not _is_spared(marked, score=0.6)
    assert not _is_spared(marked, score=0.99)
    assert not _is_spared(marked, score=None)
    text, span = read_braces(marked, "NAME")
    assert MendingScores("nl")(text, [(span.start, span.end, span.label)]) == [True]


@pytest.mark.parametrize(
    "marked",
    [
        "Mw {Goligher} 2 tabletten",
        "gezien door dr. {Cormack} 3 juni",
        "Dhr. {Wagner} 2x gebeld",
        "{Wagner} 2x gebeld",
        "{Graf} 12 uur gebeld",
        "k12 {Weber} 12, hulp",
        "{Weber C.} belt terug",
        "vd {Berg} 2 pers",
        "van den {Berg} 4, 's ochtends",
        "{van Berg} 4, hulp",
        "{BERG} 2, hulp",
        "gevallen op de voet van {Weber}",
        "hernia van {Steinberg} besproken",
        "score van {Jansen} besproken",
        "de classificatie van {Jansenius} was begrijpelijk",
        "nee, zie {CBR}-regels",
        "het kenteken van {Jansen} is bekend",
        "syndroom van {Anna} besproken",
        "{Hess} positief getest",
        "{Rubin} negatief",
        "kraam, {Rubin}, Bakker en Smit",
        "aanwezig: {Rubin}, Gorlin en Bakker",
        "mw. {Lund-Mackay} belt",
        "J. {Lund-Mackay}",
        "dr. {Pozzi}-tang",
        "Naar {Wagenborg-lijn} gevaren",
        "gezien met {Bakker-Smit}",
        "{Wilson} en Gilbert uitgesloten",
        "{Parkinson} belt",
        "{Bell}, 72 jaar",
        "Patiënt {Watson-Jones} is ontslagen",
        "Naam: {Foster-Kennedy}",
        "{Watson-Jones} belt over de recepten",
        "Contactpersoon: {Smith-Robinson} 06-12345678",
        "gesproken met {Boyle-Davis}",
        "{Miller Fisher} is de huisarts",
        "De leeftijd van {Wagner} is onbekend",
        "medicatieschema van {Wagner} aangepast",
        "Patient {Lanz} niet pijnlijk",
    ],
)
def test_persons_stay(marked: str) -> None:
    assert not _is_spared(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "overleg met {Kraepelin} over lithium",
        "door {Kraepelin}, akkoord",
        "{Kraepelin} belt morgen",
        "genoteerd\n{Kraepelin}\n",
        "verslag klaar. {Kraepelin}.",
        "dr. Kraepelin komt. {Kraepelin} over lithium",
        "{Wagner} gezien",
        "{Lanz} overleden op 3 mei",
        "{Hertel} is opgenomen",
        "{Lanz} en Böhler kwamen op bezoek",
        "Lanz en {Böhler} kwamen op bezoek",
        "Uit {Boston}, nu hier",
        "{Spiegel} over lithium",  # somebody may well be called so
        "{Crohn} over lithium",  # listed for models: a bare one tells nothing
    ],
)
def test_doubtful_persons_stay(marked: str) -> None:
    assert not _is_spared(marked, score=0.5)


def test_other_labels() -> None:
    assert _is_spared("{Gartland 1-3}, let op", label="ADDRESS")
    assert _is_spared("{Boston 2-3-3}, coecum bereikt", label="ADDRESS")
    assert _is_spared("{Goligher 2}. Premedicatie", label="INTERNAL_LOCATION")
    assert not _is_spared("methode van {Boston} geleerd", label="ADDRESS")
    assert not _is_spared("{Goligher} 2, banden", label="PROFESSION")
    text, span = read_braces("{Goligher} 2", "PATIENT")
    assert mend(text, [span], "en") == (span,)


def test_somebody_called_so_elsewhere() -> None:
    assert _is_spared("{Cormack} 3, bougie. Mw Smit belt")
    assert not _is_spared("{Cormack} 3, bougie. Mw Cormack belt")
    assert not _is_spared("{Cormack} 3, bougie. Mevr. de Cormack belt")


def test_many_of_them_in_a_text_are_told_of_at_once() -> None:
    text = 3000 * "Hess over " + "mw. van Hess-Smit belt"
    spans = [Span(place, place + 4, "NAME", score=0.5) for place in range(0, 30_000, 10)]
    called = _all_called(text)  # one look at the text, however many stand in it
    assert called == {"van", "hess", "hess-smit"}
    assert mend(text, spans, "nl") == tuple(spans)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("de heer Lanz", {"lanz"}),
        ("mevr. van de Hess", {"van", "de", "hess"}),
        ("mw Hessing", {"hessing"}),
        ("tante fam Hess", {"fam", "hess"}),
        ("dr.Hess dr  Hess adr Hess", set()),
    ],
)
def test_who_is_called_so(text: str, names: set[str]) -> None:
    assert _all_called(text) == names


def test_the_list_is_written_as_it_is_read() -> None:
    file = resources.files("scrubjay.resources").joinpath("eponyms", "nl.toml")
    rows = {key: value.split() for key, value in tomllib.loads(file.read_text("utf-8")).items()}
    everything = rows["graded"] + rows["others"]
    assert len(set(everything)) == len(everything)
    assert set(rows["places"]) | set(rows["called"]) <= set(everything)
    assert all(word == word.lower() and re.fullmatch(r"[\w'’-]+", word) for word in everything)
    assert not any(map(may_be_eponym, ["Bakker", "Berg", "Jansen", "Parkinson", "Bell"]))


def test_spans_without_a_mention_are_no_eponyms() -> None:
    assert list(spare_eponyms("", [])) == []
    span = Span(0, 2, "NAME", score=0.1)
    assert list(spare_eponyms("Yo 2", [span])) == [span]
