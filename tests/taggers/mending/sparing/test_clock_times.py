from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_times
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "vpk gebeld {0200}, rustig",
        "mw ingelicht {0830}",
        "Hb {0830, 1230}",
        "med 0800, 1400, {2200}",
        "om 0600/{1200}",
    ],
)
def test_times_are_no_telephone_numbers(marked: str) -> None:
    text, span = read_braces(marked, "PHONE_FAX")
    assert list(spare_times(text, [span])) == []
    assert mend(text, [span], "nl") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "tst {0830}",
        "bel {0412}",
        "sein: {0830}",
        "bel 0412 of sein {0830}",
        "toestel 0412, {0830}",
        "pincode {0206} (zn",
        "Sleutelkastje {0107}, naar",
        "ok de Wit {0830}",
        "gebeld {1230}",  # an hour or a number
        "{0870}",
        "{020} 5551234",
        "010-{0412}",
        "{0412} 555 12",
        "intern {0900} beschikbaar",
    ],
)
def test_numbers_stay(marked: str) -> None:
    text, span = read_braces(marked, "PHONE_FAX")
    assert list(spare_times(text, [span])) == [span]


def test_other_labels_stay() -> None:
    span = Span(0, 4, "ID")
    assert list(spare_times("0830 gezien", [span])) == [span]
