from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.models import load_model
from scrubjay.taggers.mending import mend
from scrubjay.taggers.mending_models import mending_manifest, scores_to_mend
from tests.oracles.mending import spare_plan_words


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
        "Call Dr [asap] if worse.",
        "INFORM DR [STAT]",
        "Ring Dr [urgently].",
        "Dr [today]",
        "d/w [SHO]",
        "d/w [Onc] re chemo",
        "Seen by [Rheum].",
        "Discussed with [Cards], plan cath",
        "d/w [ID]",
        "[Derm] to see",
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
        "d/w Dr [Onc]",
        "She lives with [Geri], her daughter",
        "d/w [Derm] Halloran",
        "d/w [Cards], RN",
        "[Cards] called",
        "given with [st] rn",
        "for [sw], msw",
        "given by [st]",
        "signed out to [hd]",
        "pt [comfort] says",
        "Plan as above.\n[kj]",
        "to [CT]",
        "Seen by [Rash]",
        "Call Dr [Today]",
        "d/w Dr [Sho]",
    ],
)
def test_signatures_stay(marked: str) -> None:
    assert _left(marked)


def test_units_in_capitals_are_no_hospitals() -> None:
    assert not _left("Moved from [MAU] to a bed", label="HOSPITAL")
    assert mend("Dr Sho", [Span(3, 6, "DOCTOR", score=0.9)], "en")  # no list spares the name
    assert _left("Mr [MAU]", label="PATIENT")
    assert _left("to [Mau]", label="HOSPITAL")
    text, span = "Plan: HDU tonight", Span(6, 9, "HOSPITAL", score=0.9)
    assert mend(text, [span], "en") == ()


@pytest.mark.parametrize(
    ("text", "word", "left"),
    [
        ("d/w Reg on call", "Reg", False),
        ("Reviewed by med Reg.", "Reg", False),
        ("with her son Reg", "Reg", True),
        ("d/w Reg Tuite on call", "Reg Tuite", True),
    ],
)
def test_a_registrar_is_nobody_s_name(text: str, word: str, left: bool) -> None:
    start = text.index(word)
    span = Span(start, start + len(word), "DOCTOR", score=0.9)
    assert mend(text, [span], "en") == ((span,) if left else ())


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


def test_services_behind_a_talk_are_spared_however_sure_a_model_is() -> None:
    assert not _left("d/w [Neph] today", score=0.999)
    assert not _left("d/w [Neph] today", score=None)
    assert _left("[Neph] called", score=0.999)
