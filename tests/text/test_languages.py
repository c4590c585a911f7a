"""The language that a text looks to be in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.synthesis.generation import generate
from scrubjay.text.languages import NAMES, count_words, guess_language, plain_language

ROOT = Path(__file__).resolve().parents[2]

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
    pieces = ["La paciente está bien.", "Sin fiebre."]
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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Mw. Jansen gezien op de poli op 3 mei 2019. Klachten van kortademigheid."),
        ("nl", "Dhr. Bakker, 82 jaar, kwam gisteren op de SEH wegens pijn. Dr. P. de Boer"),
        ("nl", "Zoon gebeld, hij komt morgen."),
        ("es", "Paciente de 67 años, acude a urgencias por dolor torácico. Dr. López."),
        ("es", "Niega fiebre desde ayer. Vive con su hija en Sevilla."),
        ("es", "Paciente de 67 años con dolor en la pierna. Dr. López."),
        ("es", "Visto en consulta con su hija. Sin fiebre."),
        ("es", "Acude por cefalea desde ayer. TA 120/80."),
        ("nl", "Mw. de Vries heeft pijn, morgen controle."),
        ("nl", "Met zijn vrouw gebeld, maakt het goed."),
        ("nl", "Pat. belt: koorts sinds gisteren, komt om 3 uur."),
        ("en", "Daughter called today. Lives with her husband."),
        ("en", "Seen at 3 pm, no pain since yesterday."),
    ],
)
def test_a_short_note_tells_its_language(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Mevr. de Vries and Mr. van der Berg were seen.",
        "Juan Desde, Sra. Noche: 67F CP, HTN. Hasta LLC called.",
        "Hospital Clínica de la Mujer, dx CHF. Pt from Los Angeles.",
        "Mw 3, Hij clinic.",
        "Pt speaks Spanish, states 'fiebre desde ayer'. No rash.",
        "Says 'dolor de la pierna desde ayer' on arrival.",
        "CC: 'me duele la pierna desde ayer, no puedo trabajar', seen by Dr. Hijo.",
        "NOMBRE/NAME: Luz del Río viuda de Ochoa. FECHA/DATE: 1/2. Clínica de la Sierra, Arvin",
        "Delgado Noche; de la Cruz, Rey; de los Santos; del Río. BP 120/80.",
        "Van der Goed, de Boer, te Riele, van den Berg. K 4.1",
        "Referred to Zorg Samen by Dr. van der Meer on 3/4.",
    ],
)
def test_a_few_foreign_words_tell_nothing(text: str) -> None:
    assert guess_language(text) in {"", "en"}


def notes(language: str) -> Iterator[str]:
    """Yield the written notes and the examples of a language."""
    for file in sorted((ROOT / "corpora" / f"written-{language}").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)["text"]
    for file in sorted((ROOT / "examples" / language).glob("*.txt")):
        yield file.read_text("utf-8")


@pytest.mark.parametrize(("language", "share"), [("en", 0.9), ("es", 0.88), ("nl", 0.94)])
def test_written_notes_look_like_no_other_language(language: str, share: float) -> None:
    told = {text: guess_language(text) for text in notes(language)}
    assert set(told.values()) <= {language, ""}
    long = [guess for text, guess in told.items() if len(text.split()) >= 40]
    assert long.count(language) >= share * len(long)


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_the_beginnings_of_written_notes_look_like_no_other_language(language: str) -> None:
    told = {guess_language(text[:size]) for text in notes(language) for size in (60, 120, 240)}
    assert told == {language, ""}


@pytest.mark.parametrize(("language", "share"), [("en", 0.2), ("es", 0.18), ("nl", 0.3)])
def test_a_few_sentences_look_like_no_other_language(language: str, share: float) -> None:
    told: list[str] = []
    for text in notes(language):
        sentences = re.split(r"(?<=[.!?])\s+|\n+", text.strip())
        told += [guess_language(" ".join(sentences[:size])) for size in (1, 2, 3)]
        told += [guess_language(" ".join(sentences[-size:])) for size in (1, 2, 3)]
    assert set(told) <= {language, ""}
    assert told.count(language) >= share * len(told)
