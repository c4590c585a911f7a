"""No text is left out by a step that would change something in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending import rare_steps
from scrubjay.taggers._mending.boxed_days import mend_boxed
from scrubjay.taggers._mending.coordinates import add_coordinates
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.dose_weeks import spare_doses
from scrubjay.taggers._mending.markup import mend_markup
from scrubjay.taggers._mending.misread import mend_misread
from scrubjay.taggers._mending.people.speakers import mend_speakers
from scrubjay.taggers._mending.people.spelled import add_spelled
from scrubjay.taggers._mending.rare_steps import (
    BOXED,
    DOSES,
    MARKUP,
    MISREAD,
    PLACES,
    SPELLED,
    TABLES,
    TALK,
)
from scrubjay.taggers._mending.tables.layout import find_tables
from scrubjay.taggers._mending.tables.reading import read_tables

STEPS: dict[int, Callable[..., Any]] = {
    MARKUP: mend_markup,
    MISREAD: mend_misread,
    TALK: mend_speakers,
    SPELLED: add_spelled,
    TABLES: read_tables,
    BOXED: mend_boxed,
    PLACES: add_coordinates,
    DOSES: spare_doses,
}
PIECES = st.sampled_from([
    "\n", "\n", "\n", " ", "  ", "   ", "\t", ", ", ",", ": ", ":", ":\t", " : ", "] ", "]: ", "[",
    "|", " / ", "; ", ". ", "-", "?", "é", "漢", "\r", "\u2028", "> ", "- ", "(", ")",
    "Latoya", "K", "DW", "Q. ", "A. ", "arts", "Dr. K", "Ms. Hess", "SPEAKER 2", "12:04",
    "[9:15 pm] ",
    "s m i t h", "Š m i t", "A-N-A", "spelled ", "smith ", " L, I, ",
    " double ", " voor ", "12-O1-7l", "2OO5", "ll/O2/2O23", "l9",
    "DOB", "|_0_|_7_|_1_|_1_|_1_|_9_|_3_|_8_|", "0 7 / 1 1 / ", "1 9 3 8",
    "ma ", "2,5 ", "di", "1/2", "Mon ", "mg", "L", "12", "miércoles", "Tue", "we",
    "GPS ", "44.9778", ", -93.27", "Lat 51,50° N",
    'name="Hill"', "user=", "<by>jdoe</by>", '"by": ',
    '{"mrn":"88 12"}', "O&#39;Brien", "PID|1|Hill^Ann|20230102T0800|", "\\par ",
    "name", "age", "mrn", "nurse", "naam", "edad", "Cole", "71", "880123", "3/4", "Tel: 555 0166",
])  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=24).map("".join), min_size=1, max_size=4)
TALK_OF_TWO = "Latoya: Ok now.\nK: hi\n[9:15 pm] K: hm\n- Latoya: so\nK : ah"


@pytest.fixture(params=[False, True], ids=["plain", "compiled"], autouse=True)
def is_compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Look for rare steps in one of both ways."""
    is_on: bool = request.param
    if is_on:
        pytest.importorskip("numba")
    monkeypatch.setattr(rare_steps, "use_compiled", lambda *_, **__: is_on)
    return is_on


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(["en", "nl", "es", "xx"]), st.data())
@example(["", TALK_OF_TWO], "en", None)
@example(
    ["[Latoya] a b\n[Latoya] c\n[MD1]: x\n[MD1] y", "", "K: a\n[K] b\nQ.  a\nQ. b"], "nl", None
)
def test_no_text_is_left_out(texts: list[str], language: str, data: st.DataObject | None) -> None:
    for text, cues in zip(texts, find_cues(texts, language), strict=True):
        cuts = (
            data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)) if data else []
        )
        label = data.draw(st.sampled_from(["PATIENT", "DATE"])) if data else ""
        spans = tuple(
            Span(a, b, label) for a, b in zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)
        )
        for bit, step in STEPS.items():
            is_known = language != "xx" or step in (
                mend_markup,
                mend_misread,
                mend_boxed,
                read_tables,
            )
            if not cues.rare_steps & bit and is_known:
                assert step(text, spans, language) == spans
        if not cues.rare_steps & TABLES:
            assert list(find_tables(text)) == []


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Seen today; doing well.\nNo fever. Plan: home at 12:30 on H2 blockers.", 0),
        ('see "this": x', MARKUP | TABLES), ("a = b", MARKUP), ("a=b", MARKUP | TABLES),
        ("<by>jdoe</by>", TABLES), ("3 </ 4 w/o", TABLES), ("a <b w/o", 0),
        ("at 20230102T0800", MARKUP), ("T4 low", 0),
        ("0 7 / 1 1 / 1 9 3 8", BOXED), ("0 7 / 1 1 / 38 and 12", 0), ("07 / 11 / 1938", 0),
        ("Mon 5, Tue 2", DOSES), ("W 1/2, M 1/4", DOSES), ("Mon 5, x 2", 0),
        ("we: a, m; t", 0),
        ("GPS 44.98, -93.27", PLACES), ("pH 7.4, 6,5", 0), ("44.97782", PLACES), ("at 7.41", 0),
        ("late on, it was 7.41", PLACES), ("a plate of 7.41", 0), ("W2 Tue5, 3we", 0),
        ("12-O1-7l", MISREAD), ("vitamin B12, L9", 0), ("in 2O06", MISREAD),
        (TALK_OF_TWO, TALK), ("Plan: a\nHistory: b\nExam: c\nLabs: d", 0),
        ("A. one\nQ. two\nA. so\nQ. no", TALK),
        ("smith, s m i t h", SPELLED), ("I a man", 0), ("Ann: a, n, n", SPELLED),
        ("E-L-double B", SPELLED), ("S as in Sam", SPELLED),
        ("Name: Cole  Age: 71", TABLES), ("Name: Cole, Age: 71", 0),
        ("name,age,mrn\nCole,7,88\nHill,3,x", TABLES), ("a\tb\nc\td\ne\tf", TABLES),
        ("a|b|c\nd|e\nf|g", TABLES), ("a / b / c\nd / e / f\ng / h / i", TABLES),
        ("a;b;c\nd;e;f\ng;h;i", TABLES), ("Rice J.   NPO\nÉ  x\nŠ  y", TABLES),
        ("It is.  So.\nIt was.  No.\n", 0),
    ],
)  # fmt: skip
def test_what_each_step_is_told_by(text: str, steps: int) -> None:
    texts = ["", text, "a"]
    assert [cues.rare_steps for cues in find_cues(texts, "en")] == [0, steps, 0]


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["en", "nl", "es", "xx"]))
def test_both_ways_tell_the_same_of_a_text(text: str, language: str) -> None:
    pytest.importorskip("numba")
    found = []
    for is_on in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rare_steps, "use_compiled", lambda *_, is_on=is_on, **__: is_on)
            found.append([cues.rare_steps for cues in find_cues([text], language)])
    assert found[0] == found[1]


def test_signs_of_one_text_tell_nothing_of_another() -> None:
    cut = [TALK_OF_TWO[:30], TALK_OF_TWO[30:], "a|b|c", "d|e\nf|g", "s m", " i t", "", "O", "1"]
    assert not any(cues.rare_steps for cues in find_cues(cut, "en"))
