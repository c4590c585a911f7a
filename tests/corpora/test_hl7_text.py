"""Escape sequences of HL7 v2 part words as they should, and names are taken apart again."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora._hl7_text import name_shape, read_delimiters, render_name, split_name
from scrubjay.corpora.hl7 import FORMAT, echo, render_message
from scrubjay.text.entities import read_entities
from tests.corpora.hl7_messages import MSH, documents, parts, read_messages


def test_line_ends_in_escapes_part_words() -> None:
    text = "Seen by:\\X0D\\Dr. Roe\\X0D0A\\\\.sp2\\\\H\\Ada\\N\\ \\.sk3\\Tranter"
    whole = f"{MSH}\rOBX|1|FT|x||{text}\r"
    (document,) = read_messages(whole)
    (found,) = parts(document)["OBX-5"]
    assert found.split() == ["Seen", "by:", "Dr.", "Roe", "Ada", "Tranter"]
    assert found.splitlines()[0] == "Seen by:"
    assert render_message(document) == whole
    assert echo(document) == document.text


def test_highlighting_parts_no_word_and_layout_does(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, f"{MSH}\rNTE|1||\\H\\Wil\\N\\helmina saw\\.sk3\\ann\r")
    meant = read_entities(document.text)
    assert meant is not None
    assert "Wilhelmina" in meant.text
    assert "sawann" not in meant.text


def test_marks_of_escapes_are_the_same_when_read_back() -> None:
    """A character that stood in a field that is left out is free then, and still no mark."""
    (document,) = read_messages(f"{MSH}\rPID|||\ue000\rNTE|1||a\\b\r", unknown="text")
    assert "\ue001" in document.text
    assert echo(document) == document.text


names = st.text(st.sampled_from("Ab ,-é"), max_size=9)


@settings(max_examples=200)
@given(names, names, names)
def test_names_are_taken_apart_as_they_were(family: str, given: str, middle: str) -> None:
    whole = render_name(family, given, middle)
    assert split_name(whole, name_shape(family, given, middle)) == (family, given, middle)


@given(names, names, names, st.text(st.sampled_from("X, []-1"), max_size=12))
def test_whatever_a_name_becomes_stays_whole(f: str, g: str, m: str, new: str) -> None:
    found = split_name(new, name_shape(f, g, m))
    if f or g or m:
        # Blanks and commas part names, and one of them may be lost where nothing else is left.
        assert re.sub("[, ]", "", render_name(*found)) == re.sub("[, ]", "", new)


def test_delimiters() -> None:
    found = read_delimiters("MSH|^~\\&#|")
    assert found is not None
    assert (found.component, found.subcomponent) == ("^", "&")
    assert read_delimiters("MSHx") is None
    assert FORMAT.recognise(b"\x0bMSH|^~")
