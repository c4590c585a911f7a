"""What is called as a health centre is one, whatever it was found as (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.health_centres import label_centre
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("mention", "found"),
    [
        ("Cesfam Queule", "INSTITUCION"),
        ("POSTA RURAL QUEMCHI", "INSTITUCION"),
        ("CSM Puerto Sur", "HOSPITAL"),
        ("Centro de Salud Norte", "HOSPITAL"),
        ("consultorio «Las Lomas»", "INSTITUCION"),
        ("UMF 53", "INSTITUCION"),
    ],
)
def test_centres_are_told_by_their_words(mention: str, found: str) -> None:
    text, span = read_braces(f"control en {{{mention}}}.", found)
    (row,) = mend(text, [span], "es")
    assert (row.start, row.end, row.label) == (span.start, span.end, "CENTRO_SALUD")
    assert row == label_centre(text, span)
    assert mend(text, [span], "nl") == (span,)


@pytest.mark.parametrize(
    ("mention", "found"),
    [
        ("Cesfam", "INSTITUCION"),
        ("Capsa Norte", "INSTITUCION"),
        ("Clínica Sur", "HOSPITAL"),
        ("Centro de Día Norte", "INSTITUCION"),
        ("Cis Ahuas", "TERRITORIO"),
        ("Casa Consultorio Sur", "INSTITUCION"),
    ],
)
def test_others_stay(mention: str, found: str) -> None:
    text, span = read_braces(f"control en {{{mention}}}.", found)
    assert label_centre(text, span) == span
