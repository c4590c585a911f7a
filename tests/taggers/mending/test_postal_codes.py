"""Postal codes of Spain are found with the letter before them."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.postal_codes import widen_codes
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("marked", "mention"),
    [
        ("Siurot s/n E-{41013}. Sevilla", "E-41013"),
        ("E-{41013} Sevilla", "E-41013"),
        ("16 E-{18012 Granada} tel", "E-18012 Granada"),
        ("16 {18012} Granada", "18012"),
        ("lista LE-{22041}.", "22041"),  # of a number
        ("2023-E-{31250}", "31250"),
        ("e-{41013}", "41013"),
        ("E-{99013}", "99013"),  # no province
        ("E-{410137}", "410137"),
    ],
)
def test_codes(marked: str, mention: str) -> None:
    text, span = read_braces(marked, "TERRITORIO")
    (found,) = widen_codes(text, [span])
    assert text[found.start : found.end] == mention
    assert mend(text, [span], "es") == (found,)


def test_codes_do_not_reach_into_others() -> None:
    street, code = Span(0, 7, "CALLE"), Span(7, 12, "TERRITORIO")
    assert widen_codes("Mar 4 E-41013", [street, replace_start(code, 8)]) == (
        street,
        replace_start(code, 8),
    )


def replace_start(span: Span, start: int) -> Span:
    return Span(start, start + 5, span.label)


def test_other_labels_stay() -> None:
    text, span = read_braces("caso E-{41013}", "OTRO_NUMERO_IDENTIF")
    assert widen_codes(text, [span]) == (span,)
