"""The language that a text looks to be in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.synthesis.generation import generate
from scrubjay.text.languages import NAMES, count_words, guess_language, plain_language

TEXTS = {
    "de": "Die Patientin wurde mit Fieber und Husten auf die Station gebracht. Das EKG ist nicht "
    "auffällig, eine Therapie mit Antibiotika ist von der Hausärztin begonnen.",
    "en": "The patient was brought to the ward with fever and a cough. She has no rash, and this "
    "was not the first time that she was seen here for it.",
    "es": "La paciente está en el servicio por fiebre. Se ha tratado sin antibióticos y fue dada "
    "de alta por su médico tras los resultados.",
    "fr": "La patiente est dans le service pour de la fièvre. Elle est traitée avec des "
    "antibiotiques et sa fille est venue sur place avec elle.",
    "it": "La paziente è nel reparto per la febbre. Gli esami della mattina non sono alterati, "
    "dopo la terapia con antibiotici il dolore non è più presente, anche alla sera.",
    "nl": "Mevrouw is met koorts naar het ziekenhuis gebracht. Het lab was niet afwijkend en zij "
    "heeft geen klachten van de longen, wordt nog gezien voor ontslag.",
    "pt": "A paciente foi internada com febre e não tem dor. Os exames da manhã são normais, ao "
    "exame não há sinais na pele nos membros, foi vista pelo médico em sua casa.",
}


@pytest.mark.parametrize("language", NAMES)
def test_plain_text_is_told(language: str) -> None:
    assert guess_language(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Na 140 K 4.1 Cl 102 HCO3 24",
        "68M CP r/o MI. ECG NSR. Trop neg x2. d/c am.",
        TEXTS["en"] + TEXTS["nl"],
    ],
)
def test_shorthand_and_mixtures_are_not(text: str) -> None:
    assert guess_language(text) == ""


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_generated_notes_look_like_no_other_language(language: str) -> None:
    told = [guess_language(note.text) for note in generate(language, 60, 3)]
    assert set(told) <= {language, ""}
    assert told.count(language) >= 5


def test_words_that_dutch_shares_with_english_tell_nothing_against_it() -> None:
    text = "De man is gezien op zaal, was niet ziek, is naar huis met een recept voor morgen."
    assert guess_language(text) == "nl"
    assert guess_language(f"{text} The man and she were not from here with her.") == ""


def test_texts_may_tell_together_what_none_tells_alone() -> None:
    pieces = ["La paciente está en el servicio.", "Fue dada de alta por su médico sin los dos."]
    words = [count_words(piece) for piece in pieces]
    assert [guess_language(piece) for piece in pieces] == ["", ""]
    assert plain_language(words[0] + words[1]) == "es"
    assert plain_language({}) == ""


def test_shorthand_and_names_of_few_headers_tell_no_language() -> None:
    headers = [
        "MÁIRE NÍ BHRIAIN  F 47 y  LOS 4",
        "SEÁN Ó SÉ  M 61 y  et al",
        "COLM DE BÚRCA F 8y R35 Y2N0 LOS ANGELES, EL PASO",
        "PÁDRAIG MAC AN BHAIRD, 33 y",
        "VAN DER BERG, ANNA  F 20y  IM, per OS, post OP",
        "LE ROY, DES DU PLESSIS, F 50 y",
    ]
    words = sum(map(count_words, headers * 3), start=count_words(""))
    assert words["y"] >= 15
    assert plain_language(words) == ""
    assert all(guess_language(header * 3) == "" for header in headers)
    spanish = count_words("Y vive por la zona, y su médico y la paciente y ella y los dos.")
    assert plain_language(spanish) == "es"


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert guess_language(text) in {*NAMES, ""}


@given(st.lists(st.sampled_from([*TEXTS.values(), "ŵ", "²", "ÀS", "_y_", " e2 "]), max_size=5))
def test_latin_texts_are_read_as_others_are(parts: list[str]) -> None:
    text = " ".join(parts)[:900]
    assert guess_language(text) == guess_language(f"{text} ŵ")
