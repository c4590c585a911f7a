"""Who signs on the last line with what somebody is, is a person; other lines say nothing."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.last_lines import add_last_lines
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Gastdialyse regelen.\nSchilder, nefroloog", "Schilder"),
        ("Gastdialyse regelen.\n\nJ.P. de Wit, huisarts\n", "J.P. de Wit"),
        ("Beleid ok.\nVan den Berg-Smit, aios i.o.", "Van den Berg-Smit"),
        ("Beleid ok.\nBakker, fysiotherapeut.\n\n", "Bakker"),
    ],
)
def test_names_are_found(text: str, name: str) -> None:
    (span,) = add_last_lines(text, ())
    assert text[span.start : span.end] == name
    assert mend(text, [], "nl") == (span,)
    assert mend(text, [], "en") == ()
    assert mend(text, [], "nl", labels=frozenset(["DATE"])) == ()
    whole = (Span(span.start, span.end, "NAME"),)
    assert add_last_lines(text, whole) == whole


@pytest.mark.parametrize(
    "text",
    [
        "Schilder, nefroloog\nGastdialyse regelen.",
        "Overleg.\nSchilder, was nefroloog",
        "Overleg.\nschilder, nefroloog",
        "Overleg.\nKoorts, hoest",
        "Overleg. Schilder, nefroloog",
        "Overleg.\nVerwezen naar Schilder, nefroloog",
        "",
    ],
)
def test_other_lines_are_left(text: str) -> None:
    assert add_last_lines(text, ()) == ()
