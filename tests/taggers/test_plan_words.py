from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.models import load_model
from scrubjay.taggers._plan_words import spare_plan_words
from scrubjay.taggers.mending import mend, mending_manifest, scores_to_mend


def _left(marked: str, label: str = "DOCTOR", score: float | None = 0.9) -> bool:
    """Tell whether the span of "to [ct]" stays."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return bool(list(spare_plan_words(text, [Span(start, end, label, score=score)])))


@pytest.mark.parametrize(
    "marked",
    [
        "Plan as above.\n[snf]",
        "Stable.\n[ppx]\n",
        "go to [ct]",
        "needs [hd]",
        "rule out [pe]",
        "ESRD - [hd]",
        "CHF // [lp]",
        "dispo: [comfort]",
        "steroid [taper]",
        "new [rash]\n",
        "d/w [ir]",
        "transferred to [ward]",
    ],
)
def test_words_of_plans_are_spared(marked: str) -> None:
    assert not _left(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Pt stable.\n[ct]",  # may be who signed
        "Plan as above. --[lp]",
        "d/w [lp]",
        "given to [ct]",
        "given with [st] rn",
        "for [sw], msw",
        "given by [st]",
        "signed out to [hd]",
        "pt [comfort] says",
        "Plan as above.\n[kj]",
        "to [CT]",
        "Seen by [Rash]",
    ],
)
def test_signatures_stay(marked: str) -> None:
    assert _left(marked)


def test_sure_ones_and_other_labels_stay() -> None:
    assert _left("go to [ct]", score=0.995)
    assert _left("go to [ct]", score=None)
    assert _left("go to [ct]", label="CITY")


def test_mending_spares_them_and_asks_for_their_score() -> None:
    text = "K 5.9 -> plan hd"
    span = Span(14, 16, "DOCTOR", score=0.8)
    assert mend(text, [span], "en") == ()
    assert mend(text, [span], "nl") == (span,)
    wanted = scores_to_mend(mending_manifest(load_model("en-fast")))
    assert wanted is not None
    assert wanted(text, [(14, 16, "DOCTOR"), (0, 1, "DOCTOR")]) == [True, False]
