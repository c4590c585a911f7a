"""Letters that an export spoiled are read as what they were, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.taggers.regex import make_regex_detector
from scrubjay.text.entities import read_entities
from scrubjay.text.misread import may_be_misread

NAMES = ["José Muñoz", "Íñigo Ávila", "Zoë Müller", "Dvořák", "O\u2019Brien", "Šimić", "À Ý ð"]


def read(text: str) -> str:
    meant = read_entities(text)
    return text if meant is None else meant.text


@pytest.mark.parametrize("name", NAMES)
def test_utf8_that_was_read_in_another_encoding(name: str) -> None:
    plain = name.replace("\u00a0", " ")
    assert read(name.encode().decode("latin-1")) == plain
    spoiled = "".join(
        bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in name.encode()
    )
    assert read(spoiled) == plain


@pytest.mark.parametrize("name", NAMES[:4])
def test_letters_that_are_escaped(name: str) -> None:
    def escaped(form: str) -> str:
        return "".join(
            "".join(form.format(byte, ord(one)) for byte in one.encode()) if ord(one) > 127 else one
            for one in name
        )

    assert read(escaped("={0:02X}")) == name
    assert read(escaped("%{0:02x}")) == name
    assert read("".join(f"\\u{ord(c):04x}" if ord(c) > 127 else c for c in name)) == name
    assert read("".join(f"\\u{ord(c)}?" if ord(c) > 127 else c for c in name)) == name
    if name != "Dvořák":
        assert read("".join(f"\\'{ord(c):02x}" if 127 < ord(c) < 256 else c for c in name)) == name


@pytest.mark.parametrize(
    ("text", "words"),
    [("Mu\ufffdoz", 1), ("Jos\ufffd came", 2), ("N\ufffd\ufffdez", 1), ("\ufffdngel", 1)],
)
def test_a_lost_letter_is_one(text: str, words: int) -> None:
    assert len(read(text)) == len(text)
    assert read(text).replace(" ", "").isalpha()
    assert len(read(text).split()) == words


@pytest.mark.parametrize(
    "text",
    [
        *("José", "SÃO PAULO", "Âge", "crème brûlée", "C:\\users\\x", "HR=C3", "50%C"),
        *("a \ufffd b", "\ufffdQuoted", "12\ufffd8", "\\u4e00", "=C3=41", "château"),
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert read(text) == text


@given(st.lists(st.sampled_from(["Ã±", "Ã", "±", "a", "\ufffd", "=C3=B1", "=C3", "\\'f1", " "])))
def test_the_quick_look_overlooks_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert may_be_misread(text) or read(text) == text


def test_what_is_found_stands_where_it_stood() -> None:
    detector = make_regex_detector("en", "i2b2-2014")
    text = "MuÃ±oz, \\u00f1 and =C3=B1: seen on 3/4/2019."
    (found,) = detector.detect([Document("a", text)])
    start = text.index("3/4")
    assert [(one.start, one.end) for one in found] == [(start, start + 8)]
    assert isinstance(found[0], Span)
