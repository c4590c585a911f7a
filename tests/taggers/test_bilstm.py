"""The recurrent tagger: its spans, whatever stands in a batch and however many threads ask."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.document import Document
from scrubjay.errors import MissingExtraError
from scrubjay.taggers._recurrent import scores as _bilstm_scores
from tests.corpus_samples import LABELS, make_notes, scored

pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")
pytest.importorskip("onnx", reason="building networks needs the extra `train`")

from scrubjay.taggers.bilstm import BilstmDetector, BilstmModel, BilstmTagger
from tests.taggers.bilstm_samples import save, tokenize
from tests.tiny_bilstm import tiny_detector, tiny_model

# Batches and threads


def test_scores_are_the_same_to_the_last_bit_whatever_else_is_in_the_batch(
    detector: BilstmDetector, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = tokenize(detector, notes)
    score = detector.tagger._scorer.score
    together = score(batch)[0]
    alone = np.concatenate([score([tokens])[0] for tokens in batch])
    np.testing.assert_array_equal(alone, together)
    for size in (1, 40, 100_000):
        monkeypatch.setattr(detector.tagger._scorer, "_tokens_at_once", size)
        np.testing.assert_array_equal(score(batch)[0], together)


@pytest.mark.parametrize("hidden", [3, 32, 65])
def test_the_last_bit_holds_for_other_sizes(hidden: int, notes: list[Document]) -> None:
    model, _ = tiny_model(hidden=hidden, dimension=33, size=40, context=7)
    detector = tiny_detector(model)
    together = scored(detector.detect(notes))
    assert [scored(detector.detect([note]))[0] for note in notes] == together
    assert scored(detector.detect(notes[::-1]))[::-1] == together


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_the_number_of_cores_changes_nothing(
    cores: int, detector: BilstmDetector, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = scored(detector.detect(notes))
    monkeypatch.setenv("OMP_NUM_THREADS", str(cores))
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(cores), raising=False)
    monkeypatch.setattr(detector.tagger._scorer, "_tokens_at_once", 50)
    assert scored(detector.detect(notes)) == expected


def test_several_threads_may_detect_with_one_detector(
    model: BilstmModel, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thread brings new words, and the cache starts afresh under them."""
    one, other = tiny_detector(model), tiny_detector(model).with_dial(1.0)
    jobs = [(chosen, note) for note in make_notes(40, seed=3) for chosen in (one, other)]
    expected = [scored(chosen.detect([note])) for chosen, note in jobs]
    fresh = pickle.loads(pickle.dumps(one))
    turned = fresh.with_dial(1.0)
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 100)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(
            lambda job: scored((fresh if job[0] is one else turned).detect([job[1]])), jobs
        )
        assert list(found) == expected


def test_an_error_on_a_thread_is_raised(
    detector: BilstmDetector, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **settings: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(_bilstm_scores.WindowScorer, "_fill", fail)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(3), raising=False)
    with pytest.raises(MemoryError):
        detector.detect(notes)


# Detection


def test_spans_are_those_of_the_tags_and_have_probabilities(
    detector: BilstmDetector, notes: list[Document]
) -> None:
    found = detector.detect(notes)
    spans = [span for part in found for span in part]
    assert len(spans) > 50
    assert {span.source for span in spans} == {"tiny"}
    assert all(span.score is not None and 0 < span.score <= 1 for span in spans)
    tags = detector.tagger.tag(tokenize(detector, notes))
    assert all(array.dtype == np.int16 for array in tags)
    for note, tokens, array, part in zip(
        notes, tokenize(detector, notes), tags, found, strict=True
    ):
        covered = np.zeros(len(note.text), dtype=bool)
        for span in part:
            covered[span.start : span.end] = True
        assert len(array) == len(tokens)
        assert (covered[tokens.starts] == (array > 0)).all()


def test_a_detector_at_another_dial_shares_its_networks(
    detector: BilstmDetector, notes: list[Document]
) -> None:
    turned = detector.with_dial(3.0)
    assert (turned.tagger.dial, detector.tagger.dial) == (3.0, 0.0)
    assert turned.tagger._scorer is detector.tagger._scorer
    count = [
        sum(map(np.count_nonzero, d.tagger.tag(tokenize(d, notes)))) for d in (detector, turned)
    ]
    assert count[0] < count[1]
    assert detector.with_dial(-1000.0).detect(notes) == [()] * len(notes)


def test_no_documents_and_no_tokens(detector: BilstmDetector) -> None:
    assert detector.detect([]) == []
    assert detector.tagger.tag([]) == []
    empty, blank = Document("a", ""), Document("b", " \r\n\t")
    assert detector.detect([empty, blank, empty]) == [(), (), ()]


def test_a_pickled_detector_finds_the_same_and_leaves_caches_behind(
    model: BilstmModel, notes: list[Document]
) -> None:
    detector = tiny_detector(model).with_dial(0.5)
    expected = scored(detector.detect(notes))
    twin = pickle.loads(pickle.dumps(detector))
    size = len(pickle.dumps(twin))
    assert scored(twin.detect(notes)) == expected
    assert len(pickle.dumps(twin)) == size


def test_labels_are_those_of_the_model(detector: BilstmDetector) -> None:
    assert detector.labels == detector.tagger.labels == LABELS


def test_without_onnx_runtime_the_error_names_the_extra(
    model: BilstmModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[neural\]"'):
        BilstmTagger(model)


def test_inference_loads_no_torch_and_no_training(detector: BilstmDetector, tmp_path: Path) -> None:
    save(detector, tmp_path / "m")
    code = (
        "import sys, scrubjay.models as m, scrubjay.taggers.bilstm\n"
        "from scrubjay.document import Document\n"
        "assert 'onnxruntime' not in sys.modules\n"
        f"m.load_model({str(tmp_path / 'm')!r}).detect([Document('a', 'Seen by Dr. Castell')])\n"
        "wrong = {'torch', 'onnx', 'scrubjay.learning'} & set(sys.modules)\n"
        "assert not wrong, wrong\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
