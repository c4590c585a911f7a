"""Results beside eponyms: what a term takes makes it one, what a person has beside it does not."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.known._results import result_term
from scrubjay.known.eponyms import is_eponym
from scrubjay.known.propagation import Propagation
from tests.known.samples import is_alone_eponym, read_brackets

RESULTS = {
    "en": [
        "[Gleason] 4+3=7",
        "[Gleason] 3 + 4 = 7 on biopsy",
        "[Gleason] 7.",
        "[Gleason]: 8",
        "Dr. Gleason. [Gleason] 4+3",
        "[Breslow] 2.1 mm, no ulceration",
        "[Breslow] 2,1mm",
        "[Ann Arbor] IIB",
        "Stage [Ann] Arbor III",
        "[Bence] Jones neg",
        "[Bence Jones] negative",
        "[Lachman] +",
        "[Lachman] 2+",
        "[Lachman] (+)",
        "[Lachman] + on the right",
        "[Apgar] 8/9",
        "Reflexes 2+, [Babinski] negative bilaterally",
        "[Romberg] -",
        "[Romberg] -, gait normal",
        "Gait normal, [Romberg] neg.",
        "[Mallampati] III",
        "[Mallampati] 2",
        "[Murphy] +, guarding",
        "Abd soft, [Murphy] negative",
        "RUQ: [Murphy] neg, no rebound",
        "[Murphy] negative, no guarding",
        "McBurney pos, [Murphy] neg",
        "[Clark] IV",
        "[Weber] -, Rinne +",
        "[Killip] II",
        "[Forrest] IIa",
        "[Cobb] 32 degrees",
        "[Fitzpatrick] III",
        "[Child]-Pugh B7",
        "[Tinel] pos at the wrist",
        "[Phalen] -",
        "[Rankin] 3",
        "[Hoehn] and Yahr 3",
        "Gleason. [Gleason] 4+3",
    ],
    "nl": [
        "[Gleason] 3+4=7",
        "buik soepel, [Murphy] negatief",
        "[Babinski] negatief, reflexen normaal",
        "[Lachman] +",
        "[Romberg] -",
        "[Breslow] 1,2 mm",
        "[Mallampati] II",
    ],
    "es": [
        "[Gleason] 7 (3+4)",
        "[Murphy] negativo",
        "Exploración: [Babinski] positivo",
        "[Breslow] 1,5 mm",
        "[Lachman] +",
    ],
}
NAMES = {
    "en": [
        "[Gleason] called 4 times",
        "[Gleason], 54",
        "[Gleason] 54",
        "[Gleason] 54 yo",
        "[Gleason] 4 times",
        "Dr. [Gleason] 4+3",
        "[Clark] 4",
        "[Wells] 3",
        "[Norton] 12/3",
        "[Clark] 2 mg",
        "[Murphy] positive for influenza",
        "[Murphy] positive COVID",
        "[Murphy] neg MRSA screen",
        "[Clark] IV placed",
        "[Killip] IV ACCESS obtained",
        "[Forrest] II beds",
        "[Murphy] - cardiology",
        "[Murphy] + Smith",
        "[Murphy] negative",
        "COVID test: [Murphy] negative. Flu negative.",
        "Mother positive, [Murphy] neg",
        "[Allen] negative",
        "[Thomas] positive",
        "[Wilson] positive",
        "[Wilson] 4+3",
        "[Gleason]\n4+3=7",
        "[Gleason]  4+3=7",
        "[Gleason]\t7",
        "[Romberg] - will call",
        "[Clark] 10:30",
        "[Katz] 5/6",
        "John [Clark] III",
        "Mr. [Clark] IV",
        "[Weber] B",
        "[Turner] neg",
        "Smith-[Murphy] +",
        "[Murphy] -\nplan",
        "[Gleason] 4/12/2020",
        "[Apgar] 8/9/20",
        "[Ann] 3",
        "[Ann] called",
        "[Ann Arbor] MI",
        "[Ann Arbor] 3 times",
        "[Lachman] saw 2",
        "[Gleason] 7 pm",
        "[Gleason] 7 days ago",
        "[Gleason] 7th",
    ],
    "nl": [
        "mevrouw [Babinski] negatief",
        "[Jansen] +",
        "[Murphy] positief over het plan",
        "Kweken: [Murphy] negatief",
    ],
    "es": ["Dr. [Murphy] negativo"],
}


@pytest.mark.parametrize("language", RESULTS)
def test_a_result_that_a_term_takes_makes_it_an_eponym(language: str) -> None:
    for marked in RESULTS[language]:
        assert is_alone_eponym(marked, language), marked


@pytest.mark.parametrize("language", NAMES)
def test_ages_dates_beds_and_titles_make_none(language: str) -> None:
    for marked in NAMES[language]:
        assert not is_alone_eponym(marked, language), marked


def test_a_mention_within_the_result_makes_it_a_name() -> None:
    text, start, end = read_brackets("[Apgar] 8/9, well")
    assert is_eponym(text, start, end, "en", outside=[Span(13, 17, "X")])
    assert not is_eponym(text, start, end, "en", outside=[Span(6, 9, "DATE")])


def test_the_term_and_the_end_of_its_result_are_told() -> None:
    assert result_term("Stage Ann Arbor IIB.", 10, 15, 0) == (6, 15, 19)
    assert result_term("Stage Ann Arbor IIB.", 6, 9, 0) == (6, 15, 19)
    assert result_term("Stage Ann Arbor IIB.", 0, 5, 0) is None
    assert result_term("Ann Arbor IIB", 4, 9, 4) is None


def test_propagation_leaves_results_beside_a_colleague() -> None:
    spread = Propagation(lambda _: "name", "en").spread
    text = "Dr. Gleason: Gleason 4+3=7, Gleason score 7. Gleason called 4 times. Gleason, 54"
    [found] = spread([text], [[Span(4, 11, "DOCTOR")]])
    assert [span.start for span in found] == [4, 45, 69]
