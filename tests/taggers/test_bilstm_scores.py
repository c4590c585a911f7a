"""Emission scores of recurrent taggers against their networks computed in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrubjay.document import Document
from scrubjay.taggers._recurrent.windows import cut_ranges, cut_windows
from scrubjay.tags import IndexArray
from tests.corpus_samples import scored

pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")
pytest.importorskip("onnx", reason="building networks needs the extra `train`")

from scrubjay.taggers.bilstm import BilstmModel
from tests.taggers.bilstm_samples import ToyEmbedder, tokenize
from tests.tiny_bilstm import Weights, plain_scores, plain_word_vector, tiny_detector, tiny_model


def check_scores(
    model: BilstmModel,
    weights: Weights,
    documents: list[Document],
    *,
    context: np.ndarray[Any, Any] | None = None,
    ranges: IndexArray | None = None,
) -> int:
    """Assert that all scores are those of numpy, window by window; return how many windows."""
    detector = tiny_detector(model)
    batch = tokenize(detector, documents)
    scores, bounds = detector.tagger._scorer.score(batch, ranges=ranges)
    inputs = model.inputs.encode(batch)
    words, spellings = model.inputs.word_numbers(), model.inputs.spellings()
    windows = cut_windows(
        inputs.bounds, inputs.documents, size=model.window_size, context=model.window_context
    )
    if ranges is None:
        assert bounds.tolist() == windows.bounds().tolist()
    else:
        assert bounds.tolist() == inputs.documents.tolist()
        windows = cut_ranges(
            ranges,
            inputs.bounds,
            inputs.documents,
            size=model.window_size,
            context=model.window_context,
        )
        asked = {token for first, last in ranges.tolist() for token in range(first, last)}
        assert not scores[[n for n in range(len(scores)) if n not in asked]].any()
    for start, first, last, end in zip(
        windows.starts, windows.firsts, windows.lasts, windows.ends, strict=True
    ):
        vectors = np.stack(
            [
                plain_word_vector(weights, words[number], spellings[number].tolist())
                for number in inputs.types[start:end]
            ]
        )
        if context is not None:
            vectors = np.concatenate([vectors, context[start:end]], axis=1)
        expected = plain_scores(weights, vectors, inputs.features[start:end])
        np.testing.assert_allclose(
            scores[first:last], expected[first - start : last - start], atol=2e-4
        )
    return len(windows)


def test_scores_are_those_of_the_networks(
    built: tuple[BilstmModel, Weights], notes: list[Document]
) -> None:
    assert check_scores(*built, notes[:4]) > 20


def test_scores_of_ranges_are_those_of_the_networks(
    built: tuple[BilstmModel, Weights], notes: list[Document]
) -> None:
    sizes = [len(tokens) for tokens in tokenize(tiny_detector(built[0]), notes[:4])]
    begins = np.cumsum([0, *sizes]).tolist()
    ranges = np.array([[0, 3], [5, sizes[0] - 1], begins[1:3], [begins[3] + 2, begins[3] + 3]])
    assert check_scores(*built, notes[:4], ranges=ranges) >= 3
    assert check_scores(*built, notes[:4], ranges=ranges[:0]) == 0


def test_scores_of_ranges_do_not_depend_on_other_texts(
    model: BilstmModel, notes: list[Document]
) -> None:
    detector = tiny_detector(model)
    batch = tokenize(detector, notes[:5])
    begins = np.cumsum([0, *(len(tokens) for tokens in batch)])
    own = [np.array([[1, 9], [20, 21]]), np.zeros((0, 2), dtype=np.int64), np.array([[0, 30]])]
    together = detector.read_ranges(
        batch[:3], np.concatenate([one + begin for one, begin in zip(own, begins, strict=False)])
    )
    for number, one in enumerate(own):
        alone = detector.read_ranges(batch[number : number + 1], one)
        there = slice(begins[number], begins[number + 1])
        assert alone.known is not None
        assert together.known is not None
        assert (alone.known == together.known[there]).all()
        assert (alone.scores == together.scores[there]).all()


def test_scores_without_features_and_with_every_sentence_alone(notes: list[Document]) -> None:
    model, weights = tiny_model(features=(), size=0, context=0)
    assert check_scores(model, weights, notes[:6]) > 20


def test_words_are_looked_at_once(model: BilstmModel, notes: list[Document]) -> None:
    detector = tiny_detector(model)
    batch = tokenize(detector, notes)
    detector.tagger.tag(batch)
    scorer = detector.tagger._scorer
    known = len(scorer._vectors)
    assert known == model.inputs.encoder.word_count
    before = scorer._vectors
    detector.tagger.tag(batch)
    assert scorer._vectors is before


def test_the_cache_may_start_afresh_at_any_time(
    model: BilstmModel, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = tiny_detector(model)
    expected = [scored(detector.detect([note])) for note in notes]
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 20)
    generation = model.inputs.generation
    assert [scored(detector.detect([note])) for note in notes] == expected
    assert model.inputs.generation > generation + 2


# Contextual embeddings


@pytest.mark.parametrize("cores", [1, 3])
def test_contextual_embeddings_stand_behind_the_words(
    cores: int,
    contextual: tuple[BilstmModel, Weights],
    notes: list[Document],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", str(cores))
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(cores), raising=False)
    model, weights = contextual
    batch = tokenize(tiny_detector(model), notes)
    context = ToyEmbedder({"factor.txt": b"0.01"}, threads=1).embed(batch)
    assert check_scores(model, weights, notes, context=context) > 60
