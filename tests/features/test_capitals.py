"""Capitals are restored where a text lacks them, and nothing else of it changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.capitals import find_capitals, lacks_capitals, stands_in_capitals
from scrubjay.models import load_model
from scrubjay.taggers.capitals import as_read, restores_capitals
from scrubjay.taggers.ensemble import EnsembleDetector


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


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("pt is doing well and eats", True),
        ("PT IS DOING WELL AND EATS HIS BREAKFAST TODAY", True),
        ("Patient seen. Mr Smith eats well.", False),
        ("The pt is doing well and eats", False),
        ("COPD", False),
        ("HGB WBC PLT NA", False),
        ("", False),
        ("120/80 98.6", False),
    ],
)
def test_a_text_lacks_capitals_where_hardly_a_word_has_one(text: str, lacks: bool) -> None:
    assert lacks_capitals(text) is lacks


@given(st.text(max_size=200), st.sampled_from(["en", "es", "nl"]), st.booleans())
def test_no_place_moves_and_no_sign_but_by_case(text: str, language: str, is_upper: bool) -> None:
    text = text.upper() if is_upper else text.lower()
    found = find_capitals(language).restore(text)
    assert len(found) == len(text)
    assert all(a == b or a.casefold() == b.casefold() for a, b in zip(text, found, strict=True))


def test_microbes_stay_as_they_are() -> None:
    text = "cultures grew e. coli and h. pylori, treated with amoxicillin per dr okafor"
    restored = find_capitals("en").restore(text)
    assert "e. coli" in restored and "h. pylori" in restored and "Okafor" in restored  # noqa: PT018


def test_a_text_with_capitals_is_the_very_same() -> None:
    text = "Mr. Smith was seen by Dr. Okafor in Leeds."
    assert find_capitals("en").restore(text) is text


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
    model = load_model(name)
    assert isinstance(model, EnsembleDetector)
    assert restores_capitals(model.manifest)
    for own in (text, text.upper()):
        found = {own[s.start : s.end].lower() for s in model.detect([Document("a", own)])[0]}
        words = {word for mention in found for word in mention.split()}
        assert set(names.split()) <= words


def test_documents_are_read_as_they_are_without_the_setting() -> None:
    model = load_model("en-fast")
    assert isinstance(model, EnsembleDetector)
    documents = [Document("a", "seen by dr okafor today")]
    plain = {k: v for k, v in model.manifest.config.items() if k != "capitals"}
    assert as_read(documents, replace(model.manifest, config=plain)) is documents
    assert "Okafor" in as_read(documents, model.manifest)[0].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SHE HAS A COLD AND HER HAND IS VERY COLD", True),
        ("Seen at home.\nSHE HAS A COLD AND HER HAND IS VERY COLD\nWell today.", True),
        ("Seen at home today by Ann Smith, and told COLD to rest", False),
        ("seen at home today and told COLD to rest and drink", False),
        ("she has a cold and her hand is very cold", False),
        ("COLD", False),
    ],
)
def test_words_among_capitals_alone(text: str, expected: bool) -> None:
    start = text.lower().index("cold")
    assert stands_in_capitals(text, start, start + 4) is expected
