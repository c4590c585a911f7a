"""Batches read in parts: the same spans, whatever the parts, the threads, and who else asks."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import cores
from scrubjay.cores import Flags, Numbers, Results
from scrubjay.document import Document, Span
from scrubjay.features import encoder
from scrubjay.learning.crf import CrfLearner
from scrubjay.taggers import _parts, _reading_loops, crf
from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._combining.combiners import Union
from scrubjay.taggers._decoding import probabilities as _probabilities
from scrubjay.taggers._decoding import viterbi as _viterbi
from scrubjay.taggers._decoding.chain import Reading
from scrubjay.taggers._linear import weights as _weights
from scrubjay.taggers._search import matcher, sieve_tables
from scrubjay.taggers.crf import CrfDetector, CrfTagger
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member
from scrubjay.taggers.regex import make_regex_detector
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import Scored, make_notes, scored
from tests.taggers.ensemble_samples import Parrot
from tests.tiny_crf import tiny_config

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")


@pytest.fixture(scope="module")
def trained() -> CrfDetector:
    return CrfLearner(tiny_config(), language="en").fit(make_notes(30, seed=1))


@pytest.fixture(scope="module", params=["document", "sentence"])
def detector(request: pytest.FixtureRequest, trained: CrfDetector) -> CrfDetector:
    """Return a detector of either scope: a window may leave sentences, or not."""
    fresh: CrfDetector = pickle.loads(pickle.dumps(trained))
    fresh.tagger.model.encoder.scope = request.param
    return fresh


@pytest.fixture(autouse=True)
def side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have compiled kernels used, on three threads, for parts of few tokens."""
    for module in (encoder, _probabilities, _viterbi, _weights):
        monkeypatch.setattr(module, "use_compiled", lambda size, **_: True)
    monkeypatch.delenv(cores.BOUND, raising=False)
    monkeypatch.setattr(cores, "available_cores", lambda: 3)
    monkeypatch.setattr(cores, "_share", cores.MOST_THREADS)
    monkeypatch.setattr(cores, "_PATIENCE", 5.0)  # on a busy machine, too
    monkeypatch.setattr(_parts, "LEAST_TOKENS", 50)


def whole(detector: CrfDetector, notes: Sequence[Document]) -> Scored:
    """Return what one thread finds in one piece."""
    batch = [detector.tokenizer.tokenize(note.text) for note in notes]
    return scored(list(detector.finish([detector.read_tokens(batch)])))


def some_tokens(size: int) -> Tokens:
    """Return the tokens of a text of so many words."""
    starts = np.arange(size, dtype=np.int32) * 2
    first = np.zeros(min(size, 1), dtype=np.int32)
    return Tokens("a " * size, starts, starts + 1, first)


# Cutting


@given(
    sizes=st.lists(st.integers(0, 300), max_size=40),
    cores_here=st.integers(1, 8),
    least=st.integers(1, 400),
)
def test_parts_are_all_texts_in_order(sizes: list[int], cores_here: int, least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "available_cores", lambda: cores_here)
        patch.setattr(_parts, "LEAST_TOKENS", least)
        offsets, parts = _parts.cut_parts([some_tokens(size) for size in sizes])
    assert np.diff(offsets).tolist() == sizes
    assert parts[0][0] == 0
    assert parts[-1][1] == len(sizes)
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    if len(parts) > 1:
        assert all(first < last for first, last in parts)
        assert all(offsets[last] - offsets[first] >= least for first, last in parts[:-1])
        assert len(parts) <= _parts.PARTS_A_THREAD * cores_here
        assert cores_here > 1


def test_little_text_and_one_core_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _parts.cut_parts([]) == ([0], [(0, 0)])
    assert _parts.cut_parts([some_tokens(49)] * 2)[1] == [(0, 2)]
    assert _parts.cut_parts([some_tokens(50)] * 2)[1] == [(0, 1), (1, 2)]
    assert _parts.cut_parts([some_tokens(50)] * 2, most=1)[1] == [(0, 2)]
    monkeypatch.setattr(cores, "available_cores", lambda: 1)
    assert _parts.cut_parts([some_tokens(50)] * 2)[1] == [(0, 2)]


# The same spans


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    places=st.lists(st.integers(0, 12), max_size=25),
    cores_here=st.integers(1, 6),
    least=st.integers(1, 200),
    a_thread=st.integers(1, 8),
)
def test_parts_and_threads_change_nothing(
    places: list[int], cores_here: int, least: int, a_thread: int, detector: CrfDetector
) -> None:
    known = [*make_notes(12, seed=7), Document("empty", " \n")]
    notes = [known[place] for place in places]
    expected = whole(detector, notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "available_cores", lambda: cores_here)
        patch.setattr(_parts, "LEAST_TOKENS", least)
        patch.setattr(_parts, "PARTS_A_THREAD", a_thread)
        detector.detect(notes)
        assert scored(detector.detect(notes)) == expected


def _set_flag_alone(flags: Any, number: int, *, lock: Any = threading.Lock()) -> Any:  # noqa: B008
    with lock:
        return _reading_loops.set_flag(flags, number)


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_the_plain_loop_reads_what_the_compiled_one_does(
    detector: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(3, seed=5)
    monkeypatch.setattr(_parts, "LEAST_TOKENS", 20)
    detector.detect(notes)
    expected = scored(detector.detect(notes))
    loops = {
        "_read_scores": _reading_loops.scores_loop,
        "_read_path": _reading_loops.best_path_loop,
        "_set_flag": _set_flag_alone,
    }
    for name, loop in loops.items():
        monkeypatch.setattr(_reading_loops, name, loop)
    monkeypatch.setattr(crf, "compiled_reading", lambda: _reading_loops.reading_loop)
    assert scored(detector.detect(notes)) == expected
    assert any(expected)


def test_the_first_batch_is_read_in_one_piece(trained: CrfDetector) -> None:
    """It loads or compiles kernels, which one thread is to do."""
    fresh: CrfDetector = pickle.loads(pickle.dumps(trained))
    batch = [fresh.tokenizer.tokenize(note.text) for note in make_notes(20, seed=3)]
    assert len(list(fresh.begin(batch))) == 1
    assert len(list(fresh.begin(batch))) > 4


def test_plain_kernels_read_in_one_piece(
    trained: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(20, seed=3)
    expected = [[span for span, _, _ in spans] for spans in whole(trained, notes)]
    for module in (encoder, _probabilities, _viterbi, _weights):
        monkeypatch.setattr(module, "use_compiled", lambda size, **_: False)
    batch = [trained.tokenizer.tokenize(note.text) for note in notes]
    for _ in range(2):
        assert len(list(trained.begin(batch))) == 1
    assert [list(spans) for spans in trained.detect(notes)] == expected


def test_parts_see_the_words_of_their_batch_though_the_cache_starts_afresh(
    trained: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a batch has begun with stays, whatever is encoded before it is finished."""
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 100)
    fresh: CrfDetector = pickle.loads(pickle.dumps(trained))
    turned = replace(fresh, tagger=fresh.tagger.with_dial(1.0))
    batches = [make_notes(20, seed=seed) for seed in range(6)]
    expected = [whole(trained, notes) for notes in batches]
    begun = []
    for notes in batches:
        begun.append(fresh.begin([fresh.tokenizer.tokenize(note.text) for note in notes]))
        turned.detect(notes)
    assert [scored(list(fresh.finish(readings))) for readings in begun] == expected
    assert fresh.tagger.model.encoder.generation > 5


def test_several_threads_may_detect_with_one_detector(
    trained: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 100)
    fresh: CrfDetector = pickle.loads(pickle.dumps(trained))
    both = (fresh, replace(fresh, tagger=fresh.tagger.with_dial(1.0)))
    jobs = [(number % 2, make_notes(15, seed=number)) for number in range(16)]
    expected = [whole(both[number], notes) for number, notes in jobs]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda job: scored(both[job[0]].detect(job[1])), jobs)
        assert list(found) == expected


# Errors


@pytest.fixture
def broken(trained: CrfDetector, monkeypatch: pytest.MonkeyPatch) -> Iterator[CrfDetector]:
    """Return a detector one part of whose work fails; no other thread is at it afterwards."""
    trained.detect(make_notes(20, seed=3))
    counted, running = iter(range(1000)), threading.Semaphore(0)
    read = _reading_loops.compiled_reading()

    def fail(numbers: Numbers, parts: Any, begun: Flags, *asked: Any) -> None:
        running.release()
        try:
            for number in numbers:
                if not begun[number] and next(counted) == 3:
                    raise MemoryError
                read(np.array([number]), parts, begun, *asked)
        finally:
            running.acquire()

    monkeypatch.setattr(crf, "compiled_reading", lambda: fail)
    yield trained
    assert not running.acquire(blocking=False)


def test_an_error_of_a_part_is_raised(broken: CrfDetector) -> None:
    notes = make_notes(30, seed=3)
    with pytest.raises(MemoryError):
        broken.detect(notes)
    assert scored(broken.detect(notes)) == whole(broken, notes)


# Members of an ensemble


def make_ensemble(crf: CrfDetector, other: Any) -> EnsembleDetector:
    manifest = replace(crf.manifest, kind="ensemble", name="both")
    members = [
        Member("crf", crf, crf.manifest),
        Member("other", other, replace(crf.manifest, kind="regex")),
    ]
    return EnsembleDetector(members, Union(("crf", "other")), manifest=manifest)


class Waiting(Parrot):
    """A member that waits until other threads are at the CRF."""

    began = threading.Event()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        assert self.began.wait(60.0)
        return super().detect(documents)


class Failing(Parrot):
    """A member that raises."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        raise ValueError("a member")


def test_others_begin_with_the_crf_while_another_member_is_asked(
    trained: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(30, seed=4)
    trained.detect(notes)
    expected = [[span for span, _, _ in spans] for spans in whole(trained, notes)]
    read = _reading_loops.compiled_reading()

    def tell(*asked: Any) -> None:
        Waiting.began.set()
        read(*asked)

    monkeypatch.setattr(crf, "compiled_reading", lambda: tell)
    found = make_ensemble(trained, Waiting(labels=trained.labels)).detect(notes)
    assert [[replace(span, source="") for span in spans] for spans in found] == [
        [replace(span, source="") for span in spans] for spans in expected
    ]


def test_others_walk_through_the_texts_for_patterns_while_they_are_cut(
    trained: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [Document(n.id, f"{n.text}\njane.roe@mail.example") for n in make_notes(30, seed=4)]
    trained.detect(notes)
    patterns = make_regex_detector("en", "i2b2-2014")
    expected = Union(("crf", "other")).combine(
        Proposals(notes, [trained.detect(notes), patterns.detect(notes)]), source="both:"
    )
    assert any(span.source == "both:other" for spans in expected for span in spans)
    monkeypatch.setattr(matcher, "use_compiled", lambda size, **_: True)
    for name in ("_LITTLE", "_MUCH"):
        monkeypatch.setattr(sieve_tables, name, 500)
    walk, begin = sieve_tables.Tables.walk, CrfTagger.begin
    walked = threading.Event()

    def tell(tables: sieve_tables.Tables, texts: Sequence[str]) -> sieve_tables.Walked:
        found = walk(tables, texts)
        if any(texts):  # and not to load the kernel
            walked.set()
        return found

    def wait(tagger: CrfTagger, batch: Sequence[Tokens]) -> Results[Reading]:
        assert walked.wait(60.0)
        return begin(tagger, batch)

    monkeypatch.setattr(sieve_tables.Tables, "walk", tell)
    monkeypatch.setattr(CrfTagger, "begin", wait)
    found = make_ensemble(trained, patterns).detect(notes)
    assert scored(found) == scored(expected)


def test_a_member_that_fails_leaves_nothing_at_work(broken: CrfDetector) -> None:
    notes = make_notes(30, seed=4)
    with pytest.raises(ValueError, match="a member"):
        make_ensemble(broken, Failing(labels=broken.labels)).detect(notes)


def test_a_long_text_read_some_at_a_time_is_read_as_the_whole(
    detector: CrfDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n\n".join(note.text for note in make_notes(12, seed=7))
    documents = [Document("a", text), Document("b", text[:200])]

    whole = scored(detector.detect(documents))
    monkeypatch.setattr(crf, "LONG", 10)
    monkeypatch.setattr(crf, "_TOKENS_AT_ONCE", 16)
    monkeypatch.setattr(_probabilities, "_TOKENS_AT_ONCE", 512)
    assert scored(detector.detect(documents)) == whole
    assert whole[0]
