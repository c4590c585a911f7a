"""The Dutch "zo" is no Sunday where a word beside it tells; Sundays stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.so_words import is_so, may_be_so
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "hand op de motorkap, bleef {zo} 's nachts staan",
        "heet echt {zo}, is bakker",
        "haar man heette ook {zo}.",
        "dat zus Lot {zo} opgeknapt is",
        'maar "{zo} kennen we ons mam niet"',
        "moest {zo} lachen",
        "oxazepam {zo} nodig",
    ],
)
def test_so_is_spared(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert may_be_so(text[span.start : span.end])
    assert is_so(text, span)
    assert mend(text, [span], "nl") == ()
    assert mend(text, [span], "en") == (span,)


@pytest.mark.parametrize(
    "marked",
    [
        "komt {zo} met tante",
        "hallucinaties sinds {zo}.",
        "za/{zo} vrij",
        "niet {zo} 12 juni",
        "ook {zo} avond",
        "even {zo} naar huis",
        "niet {zo}/ma",
        "net {zo} en ma gebeld",
        "en {zo} weer thuis",
        "kan {zo} niet komen",
    ],
)
def test_sundays_stay(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert not is_so(text, span)
    assert mend(text, [span], "nl") == (span,)
