"""What somebody is, in letters, is no pair of initials; who signed stays."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_functions
from tests.taggers.mending_samples import labelled, read_braces


def _left(marked: str) -> list[str]:
    return labelled(lambda text, spans: tuple(spare_functions(text, spans)), marked, "nl")


_NAME = "<NAME>R. Oosterbaan</NAME>"


@pytest.mark.parametrize(
    "rest",
    [
        ",\n<INITIALS>vig</INITIALS>",
        ", <INITIALS>VS</INITIALS>, belt",
        " (<INITIALS>JGZ</INITIALS> / huisarts)",
        " / <INITIALS>spv</INITIALS>.",
        ". pH <INITIALS>pH</INITIALS> 7,24",
        ". <INITIALS>S.V.P.</INITIALS> bellen",
        ".\n<INITIALS>L.S.</INITIALS>,\nBetreft",
    ],
)
def test_functions_are_spared(rest: str) -> None:
    assert _left(_NAME + rest) == ["NAME:R. Oosterbaan"]


@pytest.mark.parametrize(
    "rest",
    [
        " / <INITIALS>PA</INITIALS>",  # who signed besides
        ", <INITIALS>KB</INITIALS>",
        ", belt. <INITIALS>VS</INITIALS>",
        ", <INITIALS>VS</INITIALS> belt",
        ". Gezien: <INITIALS>L.S.</INITIALS>, arts",
        ".\n<INITIALS>L.S.</INITIALS> belt terug",
        ", <INITIALS>VS</INITIALS>, geb. 1960",
        ", <INITIALS>PA</INITIALS> (m, 45 jaar)",
        ". Dhr. <INITIALS>S.V.P.</INITIALS> de Boer",
    ],
)
def test_initials_stay(rest: str) -> None:
    assert len(_left(_NAME + rest)) == 2


def test_initials_on_a_form() -> None:
    assert len(_left("Naam: " + _NAME + ", <INITIALS>PA</INITIALS>")) == 2
    assert len(_left("Naam: x\n" + _NAME + ", <INITIALS>PA</INITIALS>")) == 1
    assert _left("<INITIALS>S.V.P.</INITIALS> NIET BELLEN") == []


def test_nobody_before() -> None:
    assert len(_left("belt, <INITIALS>VS</INITIALS>")) == 1
    assert len(_left(_NAME + " " + "x" * 30 + ", <INITIALS>VS</INITIALS>")) == 2


def test_other_languages() -> None:
    text, span = read_braces("{S.V.P.} bellen", "INITIALS")
    assert mend(text, [span], "es") == (span,)
