from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_diseases


def _span(marked: str, score: float | None = 0.5) -> tuple[str, Span]:
    start, end = marked.index("["), marked.index("]") - 1
    return marked.replace("[", "").replace("]", ""), Span(start, end, "NAME", score=score)


@pytest.mark.parametrize(
    "marked",
    [
        "VG: [Z. v. Crohn, M. Bechterew, M. Dupuytren]",
        "VG [Z. v. Crohn], appendectomie",
        "Bekend met [M. Addison]",
        "VG: [M. Graves]",
        "dx [M. Crohn, M. Graves]",
        "VG: z.v. [Sjögren, M. Basedow]",
        "[M. Osgood-Schlatter en M. Perthes]",
    ],
)
def test_diseases_are_spared(marked: str) -> None:
    text, span = _span(marked)
    assert list(spare_diseases(text, [span])) == []
    assert mend(text, [span], "nl") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "Arts: [M. Bakker, Z. v. Vliet]",
        "Dhr [M. Parkinson] belt",
        "Aanvrager: [M. Crohn]",
        "gezien, [M. Graves]",  # many are called so
        "VG: [M. Crohn, M. Bakker]",
        "[Crohn, M. Bechterew]",
        "[M. Crohn. M. Perthes]",
    ],
)
def test_names_stay(marked: str) -> None:
    text, span = _span(marked)
    assert list(spare_diseases(text, [span])) == [span]


def test_sure_ones_stay() -> None:
    for score in (0.99, None):
        text, span = _span("VG: [M. Bechterew]", score)
        assert list(spare_diseases(text, [span])) == [span]
