"""The benchmark of mending judges changes by the gold spans, and leaves the steps as they were."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scrubjay.document import Document, Span
from scrubjay.taggers import mending
from scrubjay.taggers._mending.sparing import steps

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(name="benchmark_of_mending")
def fixture_benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("mending_benchmark", BENCHMARKS / "mending.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mending_benchmark", module)
    spec.loader.exec_module(module)
    return module


GOLD = Document(
    "a", "Dr. Roe saw Ann, well 27/30.", (Span(4, 7, "DOCTOR"), Span(12, 15, "PATIENT"))
)
ROE, ANN, SCORE = Span(4, 7, "DOCTOR"), Span(12, 15, "PATIENT"), Span(22, 27, "DATE")
ROE_AS_PATIENT, DR_ROE = Span(4, 7, "PATIENT"), Span(0, 7, "DOCTOR")


@pytest.mark.parametrize(
    ("before", "after", "judged"),
    [
        ((ROE, SCORE), (ROE,), (1, 0, 0, 0, -4)),
        ((ROE, ANN), (ROE,), (0, 1, 0, -3, 0)),
        ((ROE,), (ROE, ANN), (1, 0, 0, 3, 0)),
        ((ROE_AS_PATIENT,), (ROE,), (1, 0, 0, 0, 0)),
        ((ROE,), (ROE_AS_PATIENT,), (0, 1, 0, 0, 0)),
        ((DR_ROE,), (ROE,), (1, 0, 0, 0, -2)),
        ((), (SCORE,), (0, 1, 0, 0, 4)),
        ((DR_ROE,), (ROE_AS_PATIENT,), (0, 0, 1, 0, -2)),
    ],
)
def test_changes_are_judged_by_gold(
    benchmark_of_mending: ModuleType,
    before: tuple[Span, ...],
    after: tuple[Span, ...],
    judged: tuple[int, ...],
) -> None:
    assert benchmark_of_mending.judge(GOLD, before, after) == judged
    assert benchmark_of_mending.judge(GOLD, before, before) is None


def test_steps_are_watched_where_they_change_something(benchmark_of_mending: ModuleType) -> None:
    seen: list[tuple[str, tuple[Span, ...], tuple[Span, ...]]] = []
    before = dict(vars(mending)), dict(steps.SPARES)
    with benchmark_of_mending.watching(
        lambda name, text, before, after: (
            seen.append((name, tuple(before), tuple(after)))
            if tuple(before) != tuple(after)
            else None
        )
    ):
        left = mending.mend(GOLD.text, (ROE, ANN, SCORE), "en")
    assert left == (ROE, ANN)
    assert seen == [("look-alike no-month", (SCORE,), ())]
    assert before == (dict(vars(mending)), dict(steps.SPARES))


def test_every_step_that_mending_calls_is_known(benchmark_of_mending: ModuleType) -> None:
    known = {*benchmark_of_mending.CHANGING, *benchmark_of_mending.LETTING_GO}
    verbs = ("add_", "widen_", "part_", "spare_", "without_", "cut_", "mend_b", "agree_", "find_s")
    named = {name for name in vars(mending) if name.startswith(verbs)}
    assert named <= known


def test_a_text_is_judged_as_mending_reads_it(benchmark_of_mending: ModuleType) -> None:
    text = "Seen by Dr. Roe&nbsp;Lee"
    gold = Document("1", text, (Span(12, len(text), "DOCTOR"),))
    read = benchmark_of_mending._as_read(gold)
    assert [read.text[span.start : span.end] for span in read.spans] == ["Roe Lee"]
    assert benchmark_of_mending._as_read(GOLD) is GOLD


def test_texts_are_known_with_other_capitals(benchmark_of_mending: ModuleType) -> None:
    text = "seen by dr okafor today, pt john smith denies pain, score 27/30, plt 3/4"
    gold = Document("1", text, (Span(11, 17, "DOCTOR"), Span(28, 38, "PATIENT")))
    assert benchmark_of_mending.measure(["en-fast"], [gold], show=False) is not None
