"""Letters of weekdays that are other words are no dates, and weekdays stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.day_words import is_word, may_be_word
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "- {ma} wil geen vriend in het verslag",
        "- {ma} heeft sikkelcelziekte",
        "zijn {ma} belde",
        "{Ma} van Jurriaan is op de hoogte",
        "10.05  {ma} van tijn (8 mnd)",
        "Niet komen. {Ma} werd 102",
        "{Ma} is 91. Ze heeft",
        "vindt dat {ma} naar huis moet",
        "houdt haar plek {vrij} tot juni",
        "Koster houdt plek {vrij} voor rolstoel",
        "want ik ben ma {vrij}. Met haar",
        "is het {zat}. wacht 7 mnd",
        "25/1  36 {DO} composiet (A2)",
    ],
)
def test_words_are_spared(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert may_be_word(text[span.start : span.end])
    assert is_word(text, span)
    assert mend(text, [span], "nl") == ()
    assert mend(text, [span], "en") == (span,)


@pytest.mark.parametrize(
    "marked",
    [
        "{ma} wil hij naar huis",
        "{ma} wil Joke komen",
        "{ma} is om 9 uur gesprek",
        "{Ma} en do douchen",
        "{ma} van 9 tot 11",
        "{ma} van acht tot tien",
        "{Ma} belt Rolf van jeugd",
        "weeg haar {ma}",
        "op agenda van {ma}.",
        "zijn {ma} 4/3 verzet",
        "{ma} heeft Petra dienst",
        "kapster {vrij}\n",
        "Controle {vrij} 21/7",
        "week {vrij} 5/9",
        "komt {vrij} tussen 1 en 3",
        "doet het {zat}",
        "hij is er {zat} niet",
        "is het {zat} 28/9",
        "{DO} 26 NOV komt zij",
        "36 {DO} komt hij",
        "overdracht {DO} composiet",
    ],
)
def test_weekdays_stay(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert mend(text, [span], "nl") == (span,)
