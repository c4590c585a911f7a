"""Capitals are restored where a text lacks them, and nothing else of it changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.capitals import find_capitals
from scrubjay.taggers.capitals import as_read, restores_capitals
from scrubjay.taggers.ensemble import EnsembleDetector
from tests.shipped_models import shipped_model


@pytest.mark.parametrize(
    ("language", "text", "restored"),
    [
        ("en", "seen by dr okafor today, pt john smith denies pain", "Okafor John Smith"),
        ("en", "DISCHARGE SUMMARY FOR JOHN SMITH. SEEN BY DR OKAFOR FOR PAIN", "John Smith Okafor"),
        ("nl", "mevr jansen is gezien door dr bakker, zij heeft pijn", "Jansen Bakker"),
        ("es", "paciente juan garcia visto por la dra ruiz por dolor", "Juan Garcia Ruiz"),
    ],
)
def test_names_get_their_capitals(language: str, text: str, restored: str) -> None:
    found = find_capitals(language).restore(text)
    assert found.lower() == text.lower()
    assert [word for word in restored.split() if word not in found] == []
    assert not {"Pain", "Pijn", "Dolor"} & set(found.split())


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["Dr. Okafor", "seen by dr okafor in leeds", "CT OF THE HEAD"])).map(
        "\n".join
    ),
    st.sampled_from(["en", "es", "nl"]),
    st.sampled_from([str.upper, str.lower, str]),
)
def test_no_place_moves_and_no_sign_but_by_case(
    text: str, language: str, change: Callable[[str], str]
) -> None:
    text = change(text)
    found = find_capitals(language).restore(text)
    assert len(found) == len(text)
    for a, b in zip(text, found, strict=True):
        assert a.casefold() == b.casefold() or a.upper() == b.upper()  # the dotless i by the last


def test_microbes_stay_as_they_are() -> None:
    text = "cultures grew e. coli and h. pylori, treated with amoxicillin per dr okafor"
    restored = find_capitals("en").restore(text)
    assert [word in restored for word in ("e. coli", "h. pylori", "Okafor")] == [True] * 3


def test_a_text_with_capitals_is_the_very_same() -> None:
    text = "Mr. Smith was seen by Dr. Okafor in Leeds."
    assert find_capitals("en").restore(text) is text


@pytest.mark.parametrize(
    ("language", "text", "restored"),
    [
        (
            "en",
            "Seen by dr okafor, lives in leeds with wife maria. Eats well, walks early.",
            "Seen by Dr Okafor, lives in Leeds with wife Maria. Eats well, walks early.",
        ),
        (
            "nl",
            "Gezien door dr jansen met zijn vrouw fatima, woont in utrecht. Geen pijn.",
            "Gezien door dr Jansen met zijn vrouw Fatima, woont in Utrecht. Geen pijn.",
        ),
        (
            "es",
            "Acude con su esposa rosario garcía, vive en sevilla. Sin dolor.",
            "Acude con su esposa Rosario García, vive en Sevilla. Sin dolor.",
        ),
    ],
)
def test_names_within_sentences_get_their_capitals(language: str, text: str, restored: str) -> None:
    assert find_capitals(language).restore(text) == restored


@pytest.mark.parametrize(
    ("language", "text", "restored"),
    [
        ("en", "she lives in broken arrow, ok 74012 with pt", "Broken Arrow, OK 74012"),
        ("en", "pt of salina, ks, was seen in the clinic", "Salina, KS, was"),
        ("en", "pt was seen in boston, in three weeks again", "Boston, in three"),
        ("en", "pt will be seen, in 3 weeks or so again", "seen, in 3"),
        ("es", "nacido en mar del plata, vive solo y bien", "Mar del Plata, vive"),
        ("es", "no le gusta el plan de medicación que tiene", "el plan"),
    ],
)
def test_listed_places_and_codes_of_states(language: str, text: str, restored: str) -> None:
    assert restored in find_capitals(language).restore(text)


HEAD = "Patient: Mr John Smith, seen with Dr. Ann Lee and Nurse Mary Jones in the Leeds Infirmary"


def test_a_body_in_small_letters_gets_capitals_and_its_head_stays() -> None:
    body = "lives in bradford with wife maria, followed by dr patel\nno pain, eats well"
    restored = find_capitals("en").restore(f"{HEAD}\n{body}")
    assert restored.startswith(f"{HEAD}\n")
    assert {"Bradford", "Maria", "Patel"} <= set(re.findall(r"\w+", restored))
    assert restored.endswith("eats well")


@pytest.mark.parametrize(
    "text",
    [
        # One word more in small letters than it may be, among names with capitals.
        "Seen by Dr Patel, lives in leeds with wife Maria and son Owen Jones.",
        "Pt is well, eats, sleeps and walks. No pain. To be seen in a week.",
    ],
)
def test_lines_with_their_capitals_stay(text: str) -> None:
    assert find_capitals("en").restore(text) is text


def test_pools_read_capitals_in_small_letters() -> None:
    model = shipped_model("nl-medium")
    assert isinstance(model, EnsembleDetector)
    members = [member.manifest for member in model.members]
    documents = [Document("a", "MEVR JANSEN IS GEZIEN DOOR DR BAKKER, ZIJ HEEFT PIJN")]
    (read,) = as_read(documents, model.manifest, members)
    assert read.text == documents[0].text.lower()
    assert as_read(documents, model.manifest) is documents


def test_other_languages_have_none() -> None:
    with pytest.raises(ConfigError, match="not restored in 'de'"):
        find_capitals("de")


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        (
            "en-fast",
            "pt seen by dr okafor, wife mary smith at bedside, eats well",
            "okafor mary smith",
        ),
        ("nl-fast", "mevr jansen is gezien door dr bakker, zij heeft pijn", "jansen bakker"),
        ("es-fast", "paciente juan garcia visto por la dra ruiz por dolor", "juan garcia ruiz"),
    ],
)
def test_fast_models_find_names_without_capitals(name: str, text: str, names: str) -> None:
    model = shipped_model(name)
    assert isinstance(model, EnsembleDetector)
    assert restores_capitals(model.manifest)
    for own in (text, text.upper()):
        found = {own[s.start : s.end].lower() for s in model.detect([Document("a", own)])[0]}
        words = {word for mention in found for word in mention.split()}
        assert set(names.split()) <= words


def test_documents_are_read_as_they_are_without_the_setting() -> None:
    model = shipped_model("en-fast")
    assert isinstance(model, EnsembleDetector)
    documents = [Document("a", "seen by dr okafor today")]
    plain = {k: v for k, v in model.manifest.config.items() if k != "capitals"}
    assert as_read(documents, replace(model.manifest, config=plain)) is documents
    assert "Okafor" in as_read(documents, model.manifest)[0].text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Bekend met ziekte van hailey-hailey, stabiel."),
        ("nl", "Uitleg gegeven over ivor lewis."),
        ("en", "We explained what austin bunionectomy involves and she signed the consent."),
    ],
)
def test_clinical_terms_of_several_words_stay(language: str, text: str) -> None:
    assert find_capitals(language).restore(text) is text


def test_a_name_beside_a_clinical_term_gets_its_capital() -> None:
    text = "Seen by Dr. Smith of Leeds.\nTold mr okafor what austin bunionectomy involves."
    found = find_capitals("en").restore(text)
    assert found.endswith("Told Mr Okafor what austin bunionectomy involves.")
