"""What somebody is otherwise is let go; trades stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Tsehaynesh (34, {weduwe}) woont", False),
        ("sinds 2018 hier, {statushouder}. Tolk", False),
        ("Mona ({Bovenbuurvrouw}) straalt", False),
        ("dhr is {afebriel} en wil", False),
        ("geboortedatum {onzeker})", False),
        ("Beroep {vroeger}: naaister", False),
        ("Hilde ({vertegenwoordiger}, schriftelijk aangeduid)", False),
        ("moeder als {vertegenwoordiger}: nee", False),
        ("{wettelijk vertegenwoordiger}: zus", False),
        ("Rudy, {vertegenwoordiger} in zonwering, komt", True),
        ("Zij was {vertegenwoordiger} en heeft", True),
        ("Beroep: {vertegenwoordiger}, rijdt veel", True),
        ("werkte als {vertegenwoordiger}. Nu", True),
        ("oud-{vertegenwoordiger}, weduwnaar", True),
        ("{weduwe van een schipper}", True),
        ("{gepensioneerd postbode}, weduwnaar", True),
        ("{bakker}, rustig", True),
        ("dhr is {imker} en wil", True),
    ],
)
def test_states(marked: str, stays: bool) -> None:
    text, span = read_braces(marked, "PROFESSION")
    assert (span in mend(text, [span], "nl", labels=())) is stays
    text, span = read_braces(marked, "NAME")
    assert span in mend(text, [span], "nl", labels=())
