"""Half sentences without anything rare are let go; facts by which somebody is known stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("in {de hoek waar de schemerlamp stond}. Sinds", False),
        ("heeft {de rij gestaan voor een huis in de wijk, in} 1979", False),
        ("dat hij {de spiegels van de muur haalde} en", False),
        ("{Hij woont op de derde verdieping met zes anderen}, samen", False),
        ("liever {de klok van de kerk dan die van het alarm}. In", False),
        ("is {de vrouw die uit het water werd gehaald}", True),
        ("heeft {als enige de explosie in de straat doorstaan}", True),
        ("zat {toen de stal in brand stond binnen}", True),
        ("stond {in de krant met haar hond}", True),
        ("is {het meisje van de gele jas}", True),
        ("won {als eerste de race met eigen boot}", True),
        ("woont {in de flat naast Van Dijk}", True),
        ("{Nickerie zoiets door de hele straat}", True),
        ("heeft {in 1979 de boot gehaald}", True),
        ("heeft {een schuld van € 14.000 gemaakt}", True),
        ("{de kant van de} Maas", True),
        ("{hij is die man vd reuzenhaan op de silo}, heeft", True),
        ("bekend als {degene die de kelk terugvond op een markt}", True),
        ("{met een haan op de silo}, heeft in alle kranten gestaan", True),
        ("in het nieuws {met een haan op de silo}", True),
        ("In de krant. {met een haan op de silo}, zegt", False),
        ("loopt {met een hoed}", True),
    ],
)
def test_stretches(marked: str, stays: bool) -> None:
    text, span = read_braces(marked, "OTHER")
    assert (span in mend(text, [span], "nl", labels=())) is stays
    text, span = read_braces(marked, "ADDRESS")
    assert span in mend(text, [span], "nl", labels=())
