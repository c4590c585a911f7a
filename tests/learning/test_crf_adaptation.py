"""Adapting a CRF: gradients against finite differences, and what may move how far."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.learning._chain_loss import chain_loss, minimise
from scrubjay.learning._crf_entries import touch, write_back
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.crf_adaptation import CrfAdaptation, adapt_crf, widen
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._linear.weights import Emissions
from scrubjay.taggers.crf import CrfDetector, CrfTagger, model_files
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@cache
def parent() -> CrfDetector:
    """A small CRF that knows few notes."""
    return CrfLearner(tiny_config(), language="en").fit(make_notes(12, seed=1))


def odd_notes(count: int = 6) -> list[Document]:
    """Notes with one more label, whose form no other note has."""
    notes = []
    for note in make_notes(count, seed=2, prefix="odd"):
        head = "plate QX-77 seen\n"
        shifted = [Span(s.start + len(head), s.end + len(head), s.label) for s in note.spans]
        notes.append(Document(note.id, head + note.text, (Span(6, 11, "VEHICLE"), *shifted)))
    return notes


def brute_loss(
    emissions: FloatArray, bounds: list[int], transitions: FloatArray, tags: list[int]
) -> float:
    """Minus the log share of the one path, over every path there is."""
    total = 0.0
    for begin, end in pairwise(bounds):

        def score(path: tuple[int, ...], begin: int = begin) -> float:
            value = float(sum(emissions[begin + n, tag] for n, tag in enumerate(path)))
            return value + float(sum(transitions[a, b] for a, b in pairwise(path)))

        paths = product(range(len(transitions)), repeat=end - begin)
        total += float(np.logaddexp.reduce([score(path) for path in paths]))
        total -= score(tuple(tags[begin:end]))
    return total


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any),
    st.integers(0, 10_000),
    st.floats(0.1, 8.0),
)
@settings(max_examples=40, deadline=None)
def test_loss_and_gradient_against_every_path(sizes: list[int], seed: int, spread: float) -> None:
    random = np.random.default_rng(seed)
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    count = int(bounds[-1])
    emissions = random.normal(scale=spread, size=(count, 3))
    transitions = random.normal(scale=spread, size=(3, 3))
    tags = random.integers(0, 3, size=count).astype(np.int16)
    loss, by_emission, by_move = chain_loss(emissions, bounds, transitions, tags)
    plain = brute_loss(emissions, bounds.tolist(), transitions, tags.tolist())
    assert loss == pytest.approx(plain, abs=1e-8)
    for array, gradient in ((emissions, by_emission), (transitions, by_move)):
        place = tuple(random.integers(0, size) for size in array.shape)
        values = []
        for step in (1e-5, -1e-5):
            moved = array.copy()
            moved[place] += step
            both = (moved, transitions) if array is emissions else (emissions, moved)
            values.append(chain_loss(both[0], bounds, both[1], tags)[0])
        assert gradient[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-4)


def test_moves_that_cannot_be_have_no_gradient() -> None:
    transitions = np.array([[0.0, -np.inf], [-np.inf, -np.inf]])
    emissions = np.array([[1.0, -np.inf], [2.0, -np.inf]])
    loss, by_emission, by_move = chain_loss(
        emissions, np.array([0, 2], dtype=np.int32), transitions, np.zeros(2, dtype=np.int16)
    )
    assert loss == pytest.approx(0.0)
    assert not by_emission.any()
    assert not by_move.any()


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_a_quadratic_is_minimised(seed: int) -> None:
    random = np.random.default_rng(seed)
    root = random.normal(size=(6, 6))
    matrix, goal = root @ root.T + np.eye(6), random.normal(size=6)

    def objective(place: FloatArray) -> tuple[float, FloatArray]:
        away = place - goal
        return float(away @ matrix @ away), 2 * matrix @ away

    found = minimise(objective, np.zeros(6), iterations=200, tolerance=1e-13)
    assert found == pytest.approx(goal, abs=1e-3)


@pytest.mark.usefixtures("fine_units")
def test_entries_score_as_the_model_does_and_kernels_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = parent().tagger.model
    batch = [parent().tokenizer.tokenize(note.text) for note in odd_notes()]
    encoder = Encoder(
        model.encoder.templates, model.encoder.alphabets, scope=model.encoder.scope,
        dictionaries=model.encoder.dictionaries,
    )  # fmt: skip
    encoder.learn(batch)
    encoded = encoder.encode(batch)
    gold = np.zeros(len(encoded), dtype=np.int16)
    touched = touch(encoder, model.features, encoded, gold, tag_count=model.tag_count)
    back = write_back(model.features, touched, touched.weights, least=0.01)
    for name in ("templates", "values", "indptr", "tags", "weights"):
        assert np.array_equal(getattr(back, name), getattr(model.features, name)), name
    known = Emissions(model.encoder, model.features, model.tag_count)
    expected = known.score_numpy(model.encoder.encode(batch))
    by_emission = np.random.default_rng(0).normal(size=expected.shape)
    results = []
    for compiled in (False, True):
        if compiled:
            pytest.importorskip("numba", reason="compiled kernels need the extra `fast`")
        place = "scrubjay.learning._crf_entries.use_compiled"
        monkeypatch.setattr(place, lambda size, compiled=compiled: compiled)
        scores, gradient = touched.score(touched.weights), touched.gradient(by_emission)
        assert scores == pytest.approx(expected, abs=1e-5)  # the tagger rounds to its units
        # The score is linear: its gradient is what any change of weights does to it.
        shift = np.random.default_rng(1).normal(size=len(touched.weights))
        change = touched.score(touched.weights + shift) - scores
        assert float(gradient @ shift) == pytest.approx(float((change * by_emission).sum()))
        results.append(gradient)
    assert results[0] == pytest.approx(results[1])


def test_with_weight_0_not_a_byte_changes() -> None:
    notes = make_notes(5, seed=3)
    adapted = adapt_crf(parent(), notes, CrfAdaptation(weight=0.0))
    assert model_files(adapted.tagger.model) == model_files(parent().tagger.model)


def _distance(adapted: CrfDetector) -> float:
    """How far the transitions went, which both models number alike."""
    old, new = parent().tagger.model.transitions, adapted.tagger.model.transitions
    both = ~np.isneginf(old)
    return float(np.linalg.norm(new[both] - old[both]))


def test_less_weight_stays_closer() -> None:
    notes = make_notes(5, seed=3)
    weights = (0.0, 0.01, 0.1, 1.0, 10.0)
    distances = [
        _distance(adapt_crf(parent(), notes, CrfAdaptation(weight=weight))) for weight in weights
    ]
    assert distances == sorted(distances)
    assert distances[0] == 0.0 < distances[1]


def test_a_new_label_is_learned_and_the_old_ones_stay() -> None:
    notes = odd_notes()
    adapted = adapt_crf(parent(), notes, CrfAdaptation(weight=20.0))
    assert adapted.labels == adapted.manifest.labels == tuple(sorted({*parent().labels, "VEHICLE"}))
    (found,) = adapted.detect([odd_notes(9)[-1].with_spans(())])
    assert Span(6, 11, "VEHICLE") in found
    assert {span.label for span in found} - {"VEHICLE"}
    widened = replace(parent(), tagger=replace_model(parent(), ("VEHICLE",)))
    plain = [note.with_spans(()) for note in notes]
    assert widened.detect(plain) == parent().detect(plain)


def replace_model(detector: CrfDetector, labels: tuple[str, ...]) -> CrfTagger:
    """Return the tagger with more labels, none of which it can give."""
    return CrfTagger(widen(detector.tagger.model, labels))


def test_adapting_helps_on_notes_of_the_same_kind() -> None:
    notes = odd_notes(14)
    train, test = notes[:10], notes[10:]
    adapted = adapt_crf(parent(), train)

    def right(detector: CrfDetector) -> int:
        found = detector.detect([note.with_spans(()) for note in test])
        return sum(
            len(set(note.spans) & set(spans)) for note, spans in zip(test, found, strict=True)
        )

    assert right(adapted) > right(parent())


def test_the_same_notes_give_the_same_model() -> None:
    one, other = (adapt_crf(parent(), odd_notes()) for _ in range(2))
    assert model_files(one.tagger.model) == model_files(other.tagger.model)


@pytest.mark.parametrize("weight", [-1.0, float("inf"), float("nan")])
def test_weights_that_are_none(weight: float) -> None:
    with pytest.raises(ConfigError, match="weight must be a number of at least 0"):
        CrfAdaptation(weight=weight)
