"""Label sets of training documents: checked with the place, guessed, and what makes one unknown."""

from __future__ import annotations

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import LabelError
from scrubjay.learning.label_sets import choose_label_set, tell_unknown


def _note(name: str, *labels: str) -> Document:
    spans = [Span(2 * at, 2 * at + 1, label) for at, label in enumerate(labels)]
    return Document(name, "a " * len(labels), spans)


GOOD = _note("good", "DATE", "DOCTOR")


def test_a_named_set_is_checked_with_document_and_offsets() -> None:
    chosen = choose_label_set("i2b2-2014", [GOOD])
    assert chosen is not None
    assert chosen.name == "i2b2-2014"
    told = r"\Adocument 'bad', \[2, 3\): .*'i2b2-2014' has no label 'DOKTOR'. Nearest: DOCTOR"
    with pytest.raises(LabelError, match=told):
        choose_label_set("i2b2-2014", [GOOD, _note("bad", "DATE", "DOKTOR")])


def test_the_first_set_with_every_label_is_guessed() -> None:
    for labels, name in ((["FECHAS"], "meddocan"), (["DATE", "DOCTOR"], "i2b2-2014")):
        chosen = choose_label_set(None, [_note("d", *labels)])
        assert chosen is not None
        assert chosen.name == name
    assert choose_label_set(None, [GOOD, _note("d", "DOKTOR")]) is None


def test_what_makes_the_set_unknown_is_told_at_its_first_place() -> None:
    assert tell_unknown([GOOD]) == ""
    documents = [GOOD, _note("a", "DATE", "DOKTOR"), _note("b", "DOKTOR")]
    told = "; the nearest set, 'i2b2-2014', does not have 'DOKTOR' (document 'a', [2, 3))"
    assert tell_unknown(documents) == told
    assert tell_unknown([_note("c", *"VWXYZ"), GOOD]).endswith(
        "'X' (document 'c', [4, 5)) and 2 more"
    )
