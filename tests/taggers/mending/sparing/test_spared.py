"""Terms that are no PHI are spared, where a model doubts, and nothing else is."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.features.phrases import PIECE
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.people.person_names import rank_of
from scrubjay.taggers._mending.sparing.signatures import is_signature
from scrubjay.taggers._mending.sparing.spared import (
    _last_piece,
    _lies_in_term,
    is_short_name,
    may_spare,
)
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_terms
from tests.taggers.mending_samples import marked_span, marked_texts, read_braces


@pytest.mark.parametrize(
    ("marked", "score", "stays"),
    [
        ("ruled out [[Murphy]]'s sign today", 0.6, False),
        ("ruled out [[Murphy]]'s sign today", 0.995, True),
        ("seen by [[Murphy]] today", 0.6, True),
        ("took [[metformin]] and left", 0.3, False),
        ("x" * 60 + " [[metformin]] " + "y" * 60, 0.3, False),
        ("[[metformin Smith]] left", 0.3, True),
    ],
)
def test_doubtful_spans_in_terms_are_spared(marked: str, score: float, stays: bool) -> None:
    text, span = marked_span(marked, "PATIENT", score=score)
    assert list(spare_terms(text, [span])) == ([span] if stays else [])
    assert list(spare_terms(text, [replace(span, score=None)])) == [span]


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Discussed with Dr. [[Craig]] test results", True),
        ("Mrs [[Mumford]] procedure went well", True),
        ("Nurse [[Guthrie]] test sent", True),
        ("Mr. [[Ely]] neg for COVID", True),
        ("Seen by [[Harris]] hip pain", True),
        ("[[Dennis]] tube feeds held", True),
        ("[[Craig]] test negative", False),
        ("by the dr. [[Craig]] test negative", False),
        ("Mild MR. [[AF]], rate 92", False),
        ("Mrs [[Ng]] says he snores", True),
        ("[[Ely]] test negative", False),
        ("[[Harris]] hip score 80", False),
    ],
)
def test_somebody_behind_an_english_title_is_in_no_term(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "DOCTOR", score=0.6)
    assert bool(mend(text, [span], "en")) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("The second, [[Peg]], died in 2003", True),
        ("findings called to [[Peg]] 0915", True),
        ("Jim and [[Ana]] from church", True),
        ("Children [[Tobi]], 12, and Ezra", True),
        ("Nurse saw [[Esi]] again", True),
        ("RT wes, hosp [[Ng]]\npt was on", True),
        ("Feeds via [[Peg]] tube at night", False),
        ("Feeds via [[PEG]] at night", False),
        ("[[Alt]] 45, bun 30", False),
        ("[[Ear]] clear on the left", False),
        ("seen for [[Echo]] at noon", False),
    ],
)
def test_short_names_with_a_capital_are_in_no_term(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "DOCTOR", score=0.6)
    assert bool(mend(text, [span], "en")) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("went to the [[General]] in March", True),
        ('knows he is at "the [[General]]", asks', True),
        ("[[General]]: looks well", False),
        ("in [[General]] he is well", False),
    ],
)
def test_a_hospital_may_be_called_the_general(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "HOSPITAL", score=0.6)
    assert bool(mend(text, [span], "en")) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Paciente. [[F]]. nacimiento: 14/03/1941", False),
        ("Sexo: [[F]]. Nacimiento: 14/03/1941", True),
        ("RM en [[Siemens]] Avanto 1,5 T", False),
        ("SONDA LEVIN. [[GUEDEL]]. TUBO", False),
        ("infusión de [[San Juan]] (hipérico)", False),
        ("el día de [[San Juan]] ingresa", True),
        ("Mc[[Burney]] (-), Blumberg (-)", False),
        ("[[Blumberg]] refiere dolor", True),
        ("toma [[Orfidal]] 1 mg", False),
        ("un paciente [[tuyo]] de ayer", False),
        ("Paciente [[kichwa]] de 34 años", False),
        ("[[Yasmin]] acude sola", True),
        ("MST 30, [[Buscapina]], Buprex", False),
        ("sierra, Kocher, [[Farabeuf]]. Vástago", False),
        ("Separadores de [[Hohmann]], sierra", False),
        ("firmado [[Hohmann]]", True),
    ],
)
def test_doubtful_spans_in_spanish_terms_are_spared(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "NOMBRE_PERSONAL_SANITARIO", score=0.6)
    assert mend(text, [span], "es") == ((span,) if stays else ())


@given(st.text("aé\u0301b_7\u0661²-’ \u00a0\u2003\n", max_size=6))
def test_the_last_piece_is_what_the_expression_finds(text: str) -> None:
    found = re.search(rf"({PIECE})\s*\Z", text)
    assert _last_piece(text) == (found[1] if found else "")


@given(marked_texts(), st.sampled_from(["en", "nl"]))
def test_the_quick_look_for_terms_misses_none(
    marked: tuple[str, list[Span]], language: str
) -> None:
    text, spans = marked
    places = [(span.start, span.end) for span in spans]
    expected = [_lies_in_term(text, start, end, language) for start, end in places]
    assert may_spare(text, places, language) == expected


@given(marked_texts(), st.sampled_from(["en", "nl"]))
def test_what_is_spared_is_doubtful_and_lies_in_a_term(
    marked: tuple[str, list[Span]], language: str
) -> None:
    text, spans = marked
    left = list(spare_terms(text, spans, language=language))
    for span in spans:
        sure = (span.score or 0) >= 0.99
        named = is_signature(text, span) or (
            language == "en" and is_short_name(text[span.start : span.end])
        )
        if sure or not _lies_in_term(text, span.start, span.end, language):
            assert span in left
        elif not named:
            assert span not in left


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("s/p ESWL ([Dornier]) 2019", "en"),
        ("MBBS MRCGP DR[COG]", "en"),
        ("Celiac, Marsh [3], on diet", "en"),
        ("BDI ([Beck]) 19", "en"),
        ("PET advised, Fleischner [2017].", "en"),
        ("cut with [Ligasure Maryland] (5 mm)", "nl"),
        ("LUE AVF ([Brescia-Cimino]), buttonhole", "en"),
        ("Steell murmur nor [Austin Flint] was heard", "en"),
        ("[Grashey] view of the shoulder", "en"),
        ("via [Kocher-Langenbeck] in lateral", "en"),
        ("[Vit K.] gegeven", "nl"),
        ("lopen met [Eva]-rollator", "nl"),
        ("li ([Zimmer NexGen]) in", "nl"),
        ("Met [vr] gr, Roe", "nl"),
        ("re [Mediale] collumfractuur", "nl"),
    ],
)
def test_brands_and_grades_that_no_model_was_trained_with_are_spared(
    marked: str, language: str
) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    doubtful = Span(start, end, "DATE", score=0.9)
    assert list(spare_terms(text, [doubtful], language=language)) == []
    assert list(spare_terms(text, [replace(doubtful, score=0.99)], language=language))


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("gestart met [[Sipralexa]] 10 mg", False),
        ("sensor [[FreeStyle Libre 2]]: TIR", False),
        ("behoefte volgens Harris en [[Benedict]] +30", False),
        ("[[Bovendien]] is melatonine op", False),
        ("Tolk [[Tigrinya]] (telefonisch)", False),
        ("gesproken met [[Benedict]] over", True),
        ("gesproken met [[Frans]] over", True),  # a first name, too
        ("gesproken met [[Harris]] over", True),
    ],
)
def test_dutch_brands_and_words_are_spared_in_doubt(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "NAME", score=0.7)
    assert mend(text, [span], "nl") == ((span,) if stays else ())
    sure = replace(span, score=0.995)
    assert mend(text, [sure], "nl") == (sure,)


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Hodgkin, [[Ann Arbor III]], bulky", False),
        ("[[Frank]] breech on exam", False),
        ("[[Virginia Apgar]] score of 9", False),
        ("[[Norwegian]] scabies, isolate", False),
        ("takes [[St]]. John's wort daily", False),
        ("[[Brazil]] nut allergy", False),
        ("Hb [[Constant Spring]] trait", False),
        ("[[Michigan]] neuropathy screen 4", False),
        ("[[King's College]] criteria not met", False),
        ("[[Minerva]] vest when up", False),
        ("moved to [[Ann Arbor]] in May", True),
        ("lives in [[Ann Arbor]]\nIV placed", True),
        ("seen by [[Frank]]\nBlood pressure normal", True),
        ("seen by [[Frank]]. Breech on exam", True),
        ("[[Virginia]] scored 9", True),
        ("[[Norwegian]] interpreter", True),
        ("lives on [[St. John]] St", True),
        ("from [[Brazil]], nut allergy", True),
        ("moved to [[Michigan]], neuropathy worse", True),
        ("seen at [[King's College]] Hospital", True),
        ("with [[Minerva]] today", True),
        ("[[Weber B]], 45M", True),
        ("IOP by [[Goldmann]]", True),
    ],
)
def test_terms_called_by_a_place_are_spared_in_doubt(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "CITY", score=0.7)
    assert mend(text, [span], "en") == ((span,) if stays else ())
    sure = replace(span, label="PATIENT", score=0.995)
    (kept,) = mend(text, [sure], "en")
    assert kept.start <= span.start < span.end <= kept.end


def test_no_spared_word_of_dutch_is_a_name() -> None:
    added = protected_terms("nl", spared=True).keys() - protected_terms("nl").keys()
    own = {term for term in added if term in _listed_for("nl")}
    names = {term for term in own if rank_of("surnames", term, "nl")}
    assert names == set()


def _listed_for(language: str) -> set[str]:
    file = resources.files("scrubjay.resources").joinpath("spared", f"{language}.txt")
    return set(file.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("falta la vacuna. la {mama} del bebe, nilda", True),
        ("{mama} O neg, bebe A pos", True),
        ("ayuda a la {mama} nubia en el maíz", True),
        ("cáncer de {mama} izquierda", False),
        ("nódulo en la {mama} derecha", False),
        ("la {mama} izquierda densa", False),
    ],
)
def test_a_mother_without_an_accent_is_no_breast(marked: str, kept: bool) -> None:
    text, span = read_braces(marked, "FAMILIARES_SUJETO_ASISTENCIA")
    span = replace(span, score=0.7)
    assert list(spare_terms(text, [span], language="es")) == ([span] if kept else [])
    assert mend(text, [span], "es") == ((span,) if kept else ())


@pytest.mark.parametrize(
    ("marked", "label", "kept"),
    [
        ("Jocelyn, Enf. {Cea}.", "NOMBRE_PERSONAL_SANITARIO", True),
        ("procedente de {Tena}. Shock", "TERRITORIO", True),
        ("Visita con {Tena} el martes", "NOMBRE_PERSONAL_SANITARIO", True),
        ("marcadores: {Cea} 3", "NOMBRE_PERSONAL_SANITARIO", False),
        ("pañal {Tena} de noche", "TERRITORIO", False),
    ],
)
def test_who_is_introduced_is_no_term(marked: str, label: str, kept: bool) -> None:
    text, span = read_braces(marked, label)
    span = replace(span, score=0.7)
    assert mend(text, [span], "es") == ((span,) if kept else ())


@pytest.mark.parametrize(
    ("text", "word", "left"),
    [
        ("d/w Reg on call", "Reg", False),
        ("Reviewed by med Reg.", "Reg", False),
        ("with her son Reg", "Reg", True),
        ("d/w Reg Tuite on call", "Reg Tuite", True),
    ],
)
def test_a_registrar_is_nobody_s_name(text: str, word: str, left: bool) -> None:
    start = text.index(word)
    span = Span(start, start + len(word), "DOCTOR", score=0.9)
    assert mend(text, [span], "en") == ((span,) if left else ())
