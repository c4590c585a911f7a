"""The layout of clinical texts in three languages, and that no text breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from scrubjay.text.layout import Layout, read_layout
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.strategies import tokens


def _read(text: str) -> tuple[list[str], Layout]:
    drawn = make_tokenizer("subword").tokenize(text)
    return drawn.words(), read_layout(drawn)


def _name(layout: Layout, number: int) -> str:
    return layout.names[number] if number >= 0 else ""


def _keys(text: str) -> dict[str, list[str]]:
    """Return the words under each key, those without a key under ""."""
    words, layout = _read(text)
    found: dict[str, list[str]] = {}
    for word, number in zip(words, layout.key.tolist(), strict=True):
        found.setdefault(_name(layout, number), []).append(word)
    return found


def _sections(text: str) -> dict[int, str]:
    """Return the section of each line that has tokens."""
    _, layout = _read(text)
    pairs = zip(layout.line.tolist(), layout.section.tolist(), strict=True)
    return {line: _name(layout, number) for line, number in pairs}


SPANISH = (
    "Nombre: Ernesto Gil.\r\n"
    "Edad: 70 años Sexo: H.\r\n"
    "\r\n"
    "ANTECEDENTES\r\n"
    "Ingresó a las 10:30 con fiebre.\r\n"
)
ENGLISH = (
    "DISCHARGE SUMMARY\n"
    "Admission Date: 3/4/2019   Discharge Date: 3/9/2019\n"
    "HISTORY OF PRESENT ILLNESS:\n"
    "The patient is a man of 72 who came in with pain.\n"
    "- Allergies: none\n"
)
DUTCH = (
    "Naam cliënt: Jan de Vries, geb.: 1950\n"
    "\n"
    "# Verslag #\n"
    "Mevrouw is gevallen in de gang van het huis.\n"
)


def test_keys_in_spanish() -> None:
    found = _keys(SPANISH)
    assert found["nombre"] == ["Ernesto", "Gil", "."]
    # A lower-case word before a key within a line is not part of the key.
    assert found["edad"] == ["70", "años", "Sexo", ":"]
    assert found["sexo"] == ["H", "."]
    assert set(found) == {"", "nombre", "edad", "sexo"}


def test_keys_in_english() -> None:
    found = _keys(ENGLISH)
    assert found["admission date"][:5] == ["3", "/", "4", "/", "2019"]
    assert found["discharge date"] == ["3", "/", "9", "/", "2019"]
    assert found["allergies"] == ["none"]
    assert "history of present illness" not in found  # its line ends at the colon


def test_keys_in_dutch() -> None:
    found = _keys(DUTCH)
    assert found["naam cliënt"][:3] == ["Jan", "de", "Vries"]
    assert found["geb."] == ["1950"]


def test_sections() -> None:
    assert _sections(SPANISH) == {
        0: "nombre",
        1: "edad",
        3: "antecedentes",
        4: "antecedentes",
    }
    assert _sections(ENGLISH) == {
        0: "discharge summary",
        1: "admission date",
        2: "history of present illness",
        3: "history of present illness",
        4: "allergies",
    }
    assert _sections(DUTCH) == {0: "naam cliënt", 2: "verslag", 3: "verslag"}


def test_above_the_first_heading_there_is_no_section() -> None:
    long = "nothing here is a heading because this line has far too many words, doctor"
    assert _sections(f"{long}\nPLAN\n{long}\n") == {0: "", 1: "plan", 2: "plan"}


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("PLAN", True),
        ("  ** Plan **  ", True),
        ("Past medical history", True),
        ("SOCIAL AND FAMILY HISTORY OF THE PATIENT", True),
        ("Social and family history of the patient", False),
        ("He was seen. No pain", False),
        ("72", False),
        ("- ", False),
        ("P" * 62, False),
    ],
)
def test_headings(line: str, is_heading: bool) -> None:
    text = f"{line}\nwords that follow here make a line of running text without a key\n"
    assert (_sections(text)[1] != "") == is_heading


def test_lines_and_their_first_tokens() -> None:
    words, layout = _read("a b\r\n\r\nc d\ne")
    assert words == ["a", "b", "c", "d", "e"]
    assert layout.line.tolist() == [0, 0, 2, 2, 3]
    assert layout.line_start.tolist() == [0, 0, 2, 2, 4]


def test_the_first_token_after_a_key() -> None:
    words, layout = _read("Name: Ann Lee\nAge: 4")
    assert words == ["Name", ":", "Ann", "Lee", "Age", ":", "4"]
    assert layout.key_end.tolist() == [0, 0, 2, 2, 0, 0, 6]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("seen at 10:30 today", {""}),
        ("10:30: seen", {"", "30"}),
        (": x", {""}),
        (":: x", {""}),
        ("key : value", {"", "key"}),
        ("Name:Ann", {"", "name"}),
        ("NAME:\tAnn", {"", "name"}),
        ("Date  of   birth: 3", {"", "birth"}),
        ("- Allergies: none", {"", "allergies"}),
        ("x" * 60 + " Seen by: Ann", {"", "seen by"}),
        ("Name:\nAnn", {""}),
    ],
)
def test_what_is_a_key(text: str, keys: set[str]) -> None:
    assert set(_keys(text)) == keys


def test_a_key_ends_with_its_line() -> None:
    assert _keys("Name: Ann\nLee")[""] == ["Name", ":", "Lee"]


def test_tokens_that_hold_a_colon_come_before_the_value() -> None:
    drawn = make_tokenizer("whitespace").tokenize("Name: Ann Tel:555")
    layout = read_layout(drawn)
    assert [_name(layout, number) for number in layout.key.tolist()] == ["", "name", "name"]


@settings(max_examples=100)
@given(tokens())
def test_any_text_has_a_layout(drawn: Tokens) -> None:
    layout = read_layout(drawn)
    here = np.arange(len(drawn))
    for name in ("line", "line_start", "key", "key_end", "section"):
        array = getattr(layout, name)
        assert array.shape == (len(drawn),), name
        assert array.dtype == np.int32, name
    for start, line in zip(drawn.starts.tolist(), layout.line.tolist(), strict=True):
        assert line == drawn.text[:start].count("\n")
    assert (layout.line[layout.line_start] == layout.line).all()
    assert (layout.line_start <= here).all()
    assert ((layout.key >= -1) & (layout.key < len(layout.names))).all()
    assert ((layout.section >= -1) & (layout.section < len(layout.names))).all()
    assert (layout.key_end[layout.key >= 0] <= here[layout.key >= 0]).all()
    assert all(name and name == name.strip() for name in layout.names)
    assert len(set(layout.names)) == len(layout.names)


@pytest.mark.parametrize("piece", [":", "a:", "a: ", "a b:", "\n", "A\n", "1:", "a: b\n", " \t"])
def test_repetition_does_not_blow_up(piece: str) -> None:
    drawn = make_tokenizer("whitespace").tokenize(piece * (200_000 // len(piece)))
    assert read_layout(drawn).key.shape == (len(drawn),)
