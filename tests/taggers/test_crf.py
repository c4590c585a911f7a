"""The CRF tagger against CRFsuite itself: the same tags and marginals on every sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Artifact, load_artifact, save_artifact
from scrubjay.corpora import read_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError
from scrubjay.features.encoder import Encoder, fit_encoder
from scrubjay.features.resources import expand_attributes
from scrubjay.learning.configs import CrfConfig, find_crf_config
from scrubjay.learning.crf import CrfLearner, feature_strings, training_dictionaries
from scrubjay.taggers._decoding.probabilities import marginals
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers.crf import CrfDetector, CrfModel, load_crf, model_files, stored_words
from scrubjay.tags import TagArray
from scrubjay.text.tokens import Tokens, align_spans
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config

pycrfsuite = pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@dataclass(frozen=True)
class Trained:
    """A detector, and CRFsuite with the encoder whose feature strings its model knows."""

    detector: CrfDetector
    encoder: Encoder
    theirs: Any

    def tokenize(self, documents: Sequence[Document]) -> list[Tokens]:
        """Return the tokens of documents as the detector cuts them."""
        return [self.detector.tokenizer.tokenize(document.text) for document in documents]

    def our_scores(self, batch: Sequence[Tokens]) -> tuple[FloatArray, TagArray]:
        """Return emission scores and tags of a whole batch."""
        decoded = self.detector.tagger.read(batch).decoded
        return decoded.scores, decoded.tags


def train(
    config: CrfConfig, documents: Sequence[Document], folder: Path, *, language: str = "en"
) -> Trained:
    """Train a detector and keep CRFsuite's own model beside it."""
    path = folder / "model.crfsuite"
    detector = CrfLearner(config, language=language).fit(documents, weights_file=path)
    theirs = pycrfsuite.Tagger()
    theirs.open(str(path))
    batch = [detector.tokenizer.tokenize(document.text) for document in documents]
    aligned = [
        align_spans(tokens, document.spans, mode=config.training.align)
        for tokens, document in zip(batch, documents, strict=True)
    ]
    features = expand_attributes(config.features, language=language, labels=detector.labels)
    dictionaries = training_dictionaries(batch, aligned, features)
    encoder, _ = fit_encoder(features, batch, dictionaries=dictionaries)
    return Trained(detector, encoder, theirs)


def compare(trained: Trained, documents: Sequence[Document], *, atol: float = 1e-6) -> int:
    """Assert that tags and marginals are CRFsuite's; return the number of tagged tokens."""
    batch = trained.tokenize(documents)
    encoded = trained.encoder.encode(batch)
    strings = list(feature_strings(trained.encoder, encoded))
    scores, tags = trained.our_scores(batch)
    transitions = trained.detector.tagger.model.transitions
    seen = sorted(map(int, trained.theirs.labels()))
    for begin, end in pairwise(encoded.bounds.tolist()):
        expected = list(map(int, trained.theirs.tag(strings[begin:end])))
        assert tags[begin:end].tolist() == expected, f"sentence [{begin}, {end})"
        ours = marginals(scores[begin:end], transitions)
        theirs = np.array(
            [[trained.theirs.marginal(str(tag), n) for tag in seen] for n in range(end - begin)]
        )
        np.testing.assert_allclose(ours[:, seen], theirs, atol=atol)
        assert np.allclose(ours.sum(axis=1), 1.0)
    return int(np.count_nonzero(tags))


@pytest.mark.parametrize("scheme", ["BIO", "BIOEU"])
@pytest.mark.parametrize("algorithm", ["lbfgs", "ap"])
@pytest.mark.usefixtures("fine_units")
def test_tags_and_marginals_are_those_of_crfsuite(
    algorithm: str, scheme: str, tmp_path: Path
) -> None:
    config = replace(tiny_config(algorithm=algorithm), scheme=scheme)
    trained = train(config, make_notes(40, seed=1), tmp_path)
    assert compare(trained, make_notes(40, seed=2)) > 300


@pytest.mark.parametrize("algorithm", ["lbfgs", "ap"])
def test_in_narrow_units_marginals_are_nearly_those_of_crfsuite(
    algorithm: str, tmp_path: Path
) -> None:
    trained = train(tiny_config(algorithm=algorithm), make_notes(40, seed=1), tmp_path)
    assert trained.detector.tagger.model.features.units().kind == np.int16
    assert compare(trained, make_notes(40, seed=2), atol=0.01) > 300


@pytest.mark.parametrize("scheme", ["BIO", "BIOEU"])
@pytest.mark.parametrize("algorithm", ["lbfgs", "ap", "l2sgd", "pa", "arow"])
@pytest.mark.usefixtures("fine_units")
def test_tags_are_those_of_crfsuite_where_much_is_unknown(
    algorithm: str, scheme: str, tmp_path: Path
) -> None:
    """From three notes, most words, values and tags of the others were never seen."""
    config = replace(tiny_config(algorithm=algorithm), scheme=scheme)
    trained = train(config, make_notes(3, seed=5), tmp_path)
    names = len(trained.theirs.labels())
    assert names < trained.detector.tagger.model.tag_count
    compare(trained, make_notes(15, seed=6))


@pytest.mark.parametrize("c1", [1.0, 10_000.0])
@pytest.mark.usefixtures("fine_units")
def test_tags_are_those_of_crfsuite_where_few_or_no_weights_are_left(
    c1: float, tmp_path: Path
) -> None:
    trained = train(tiny_config(c1=c1), make_notes(10, seed=1), tmp_path)
    compare(trained, make_notes(10, seed=2))
    left = trained.detector.tagger.model.features.weights
    assert (left != 0).all()
    assert (len(left) == 0) == (c1 == 10_000.0)


@pytest.mark.usefixtures("fine_units")
def test_tags_are_those_of_crfsuite_on_real_notes(fixtures: Path, tmp_path: Path) -> None:
    notes = list(read_corpus(fixtures / "en-notes" / "brat"))
    trained = train(find_crf_config("he2015"), [*notes[:-1], *make_notes(10)], tmp_path)
    compare(trained, notes[-1:])


@pytest.mark.usefixtures("fine_units")
def test_tags_are_those_of_crfsuite_with_every_feature(tmp_path: Path) -> None:
    config = find_crf_config("zhao2020-crf")
    config = replace(config, training=replace(config.training, max_iterations=15))
    trained = train(config, make_notes(15, seed=7), tmp_path)
    assert compare(trained, make_notes(15, seed=8)) > 100


@pytest.fixture(scope="module")
def detector() -> CrfDetector:
    """A small detector for tests that only look at it."""
    return CrfLearner(tiny_config(), language="en", name="tiny").fit(make_notes(40, seed=1))


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    """Notes that the detector was not trained on."""
    return make_notes(12, seed=2)


def test_it_learns(detector: CrfDetector, notes: list[Document]) -> None:
    found = detector.detect(notes)
    gold = {(n, span) for n, note in enumerate(notes) for span in note.spans}
    predicted = {(n, span) for n, spans in enumerate(found) for span in spans}
    assert len(gold & predicted) / len(gold) > 0.8
    assert {span.source for spans in found for span in spans} == {"tiny"}


def test_scores_are_the_probabilities_of_the_tags(
    detector: CrfDetector, notes: list[Document]
) -> None:
    """A span of one token has the marginal of its tag; every score is at most its tokens'."""
    batch = [detector.tokenizer.tokenize(note.text) for note in notes]
    checked = 0
    for tokens, spans in zip(batch, detector.tagger.read(batch).spans(source="crf"), strict=True):
        decoded = detector.tagger.read([tokens]).decoded
        bounds, scores, tags = decoded.bounds, decoded.scores, decoded.tags
        for span in spans:
            first, last = tokens.token_range(span.start, span.end, mode="strict") or (0, 0)
            sentence = int(np.searchsorted(bounds, first, side="right")) - 1
            begin, end = int(bounds[sentence]), int(bounds[sentence + 1])
            shares = marginals(scores[begin:end], detector.tagger.model.transitions)
            inside = [float(shares[n - begin, tags[n]]) for n in range(first, last)]
            assert span.score is not None
            assert span.score <= min(inside) + 1e-6
            if len(inside) == 1:
                checked += 1
                assert span.score == pytest.approx(inside[0], abs=1e-6)
    assert checked > 10


def test_the_dial_shifts_o_alone_and_leaves_scores_to_the_model(
    detector: CrfDetector, notes: list[Document]
) -> None:
    turned = detector.with_dial(2.5)
    assert (turned.tagger.dial, detector.tagger.dial) == (2.5, 0.0)
    assert turned.tagger._emissions is detector.tagger._emissions  # laid out once
    batch = [detector.tokenizer.tokenize(note.text) for note in notes]
    plain, scores = (each.tagger.read(batch).decoded.scores for each in (detector, turned))
    np.testing.assert_allclose(scores, plain, atol=1e-12)
    both = zip(detector.detect(notes), turned.detect(notes), strict=True)
    for before, after in both:
        scored = {span: span.score for span in after}
        for span in before:
            if span in scored:
                assert scored[span] == pytest.approx(span.score, abs=1e-5)


def test_with_the_dial_wide_open_everything_is_phi(
    detector: CrfDetector, notes: list[Document]
) -> None:
    tags = detector.with_dial(1000.0).tagger.tag([detector.tokenizer.tokenize(notes[0].text)])
    assert (tags[0] > 0).all()
    spans = detector.with_dial(1000.0).detect(notes[:1])[0]
    assert all(span.score is not None and 0 < span.score <= 1 for span in spans)
    assert detector.with_dial(-1000.0).detect(notes) == [()] * len(notes)


def test_no_documents_and_no_tokens(detector: CrfDetector) -> None:
    assert detector.detect([]) == []
    assert detector.tagger.tag([]) == []
    assert detector.tagger.read([]).spans(source="crf") == []
    empty, blank = Document("a", ""), Document("b", " \r\n\t")
    assert detector.detect([empty, blank, empty]) == [(), (), ()]


def test_tags_come_text_by_text(detector: CrfDetector, notes: list[Document]) -> None:
    batch = [detector.tokenizer.tokenize(note.text) for note in notes[:3]]
    tags = detector.tagger.tag(batch)
    assert [array.shape for array in tags] == [(len(tokens),) for tokens in batch]
    assert all(array.dtype == np.int16 for array in tags)


# Saved models


def _save(detector: CrfDetector, folder: Path, **changes: bytes) -> Artifact:
    files = {**model_files(detector.tagger.model), **changes}
    save_artifact(folder, detector.manifest, files=files)
    return load_artifact(folder)


def _same(one: CrfModel, other: CrfModel) -> bool:
    return model_files(one) == model_files(other)


def test_a_saved_model_is_the_same_to_the_last_bit(
    detector: CrfDetector, notes: list[Document], tmp_path: Path
) -> None:
    loaded = load_crf(_save(detector, tmp_path / "m"))
    assert _same(loaded.tagger.model, detector.tagger.model)
    spans = [[(span, span.score) for span in found] for found in detector.detect(notes)]
    assert [[(span, span.score) for span in found] for found in loaded.detect(notes)] == spans


def test_the_dial_is_saved_in_the_configuration(detector: CrfDetector, tmp_path: Path) -> None:
    config = {**detector.manifest.config, "recall-dial": 1.25}
    turned = CrfDetector(
        detector.tokenizer, detector.tagger, manifest=replace(detector.manifest, config=config)
    )
    assert load_crf(_save(turned, tmp_path / "m")).tagger.dial == 1.25


def test_stored_words_are_all_values_and_dictionaries(
    detector: CrfDetector, tmp_path: Path
) -> None:
    artifact = _save(detector, tmp_path / "m")
    words = list(stored_words(artifact))
    assert words == sorted(set(words))
    assert {"patient", "millbrook", "oude"} <= set(words)
    raw = artifact.read("features.json").decode()
    used = detector.tagger.model.encoder
    for name in used.alphabets:
        assert set(used.values_of(name)) <= set(words)
    for word in used.dictionaries["CITY"]:
        assert word in words
        assert word in raw


def test_the_merges_of_a_subword_tokenizer_are_stored_words(tmp_path: Path) -> None:
    config = replace(tiny_config(), tokenizer={"name": "subword", "train-merges": 20})
    trained = CrfLearner(config, language="en").fit(make_notes(10))
    words = set(stored_words(_save(trained, tmp_path / "m")))
    merges = trained.manifest.tokenizer["merges"]
    assert len(merges) == 20
    assert {"".join(pair) for pair in merges} <= words


def test_values_without_weight_are_forgotten(detector: CrfDetector) -> None:
    encoder, features = detector.tagger.model.encoder, detector.tagger.model.features
    used: dict[str, set[int]] = {name: set() for name in encoder.alphabets}
    for number, values in zip(features.templates.tolist(), features.values.tolist(), strict=True):
        parts = encoder.templates[number].parts
        assert values[len(parts) :] == [0] * (3 - len(parts))
        for (name, _), value in zip(parts, values, strict=False):
            used[name].add(value)
    for name, alphabet in encoder.alphabets.items():
        assert used[name] == set(alphabet.values()) == set(range(1, len(alphabet) + 1)), name


@pytest.mark.parametrize("name", ["counts.npy", "values.npy", "sizes.npy", "tags.npy"])
def test_numbers_that_point_nowhere_are_refused(
    name: str, detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    array = _save(detector, tmp_path / "good").read_array(name)
    raised = array.copy()
    raised[-1] = np.iinfo(array.dtype).max
    for number, changed in enumerate((raised, array[:-1], array.reshape(-1, 1))):
        artifact = _save(detector, tmp_path / f"bad{number}", **{name: encode_array(changed)})
        with pytest.raises(ArtifactError, match="do not fit together"):
            load_crf(artifact)


@pytest.mark.parametrize("odd", [np.nan, np.inf, 1e30])
def test_weights_that_are_no_numbers_to_add_are_refused(
    odd: float, detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    weights = _save(detector, tmp_path / "good").read_array("weights.npy").copy()
    weights[-1] = odd
    with pytest.raises(ArtifactError):
        load_crf(_save(detector, tmp_path / "bad", **{"weights.npy": encode_array(weights)}))


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_moves_that_are_no_scores_are_refused(
    odd: float, detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    moves = _save(detector, tmp_path / "good").read_array("transitions.npy").copy()
    moves[-1, 0] = odd
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_crf(_save(detector, tmp_path / "bad", **{"transitions.npy": encode_array(moves)}))
    moves[-1, 0] = -np.inf
    load_crf(_save(detector, tmp_path / "never", **{"transitions.npy": encode_array(moves)}))
    moves[-1] = -np.inf  # a tag from which nothing leads on
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_crf(_save(detector, tmp_path / "stuck", **{"transitions.npy": encode_array(moves)}))


@pytest.mark.parametrize("order", [[0, 0], [2, 0, 2], [1, 2, 0], [2, 1]])
def test_a_feature_with_two_weights_for_one_tag_is_refused(
    order: list[int], detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    good = _save(detector, tmp_path / "good")
    sizes, tags = good.read_array("sizes.npy"), good.read_array("tags.npy").copy()
    owner = int(np.flatnonzero(sizes >= len(order))[0])
    first = int(sizes[:owner].sum())
    tags[first : first + sizes[owner]] = [*order, *range(3, 3 + sizes[owner] - len(order))]
    artifact = _save(detector, tmp_path / "changed", **{"tags.npy": encode_array(tags)})
    if len(set(order)) == len(order):  # in another order than a learner's, and whole
        load_crf(artifact)
        return
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_crf(artifact)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("features.json", b"{}"),
        ("features.json", b"[]"),
        ("features.json", b'{"templates": ["nothing@0"]}'),
        ("transitions.npy", None),
        ("weights.npy", None),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    name: str, content: bytes | None, detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    changed = encode_array(np.zeros(3)) if content is None else content
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_crf(_save(detector, tmp_path / "m", **{name: changed}))


@pytest.mark.parametrize("tokenizer", [{}, {"name": "moses"}, {"name": "subword", "speed": 9}])
def test_a_tokenizer_that_is_not_known_is_refused(
    tokenizer: dict[str, Any], detector: CrfDetector, tmp_path: Path
) -> None:
    manifest = replace(detector.manifest, tokenizer=tokenizer)
    with pytest.raises(ArtifactError, match="tokenizer"):
        load_crf(
            _save(
                CrfDetector(detector.tokenizer, detector.tagger, manifest=manifest), tmp_path / "m"
            )
        )


def test_spans_over_a_border_of_sentences_have_a_score(detector: CrfDetector) -> None:
    """Where one sentence ends inside a label and the next begins inside it, spans may join."""
    loose = CrfLearner(
        replace(tiny_config(), tokenizer={"name": "subword", "sentences": "line"}), language="en"
    ).fit(
        [
            Document(f"d{n}", "seen by Anna\nCastell today", (Span(8, 20, "DOCTOR"),))
            for n in range(5)
        ]
    )
    ((span,),) = loose.detect([Document("x", "seen by Anna\nCastell today")])
    assert (span.start, span.end) == (8, 20)
    assert span.score is not None
    assert 0 < span.score <= 1


def test_tags_that_are_no_small_whole_numbers_are_refused(
    detector: CrfDetector, tmp_path: Path
) -> None:
    from scrubjay.artifacts import encode_array

    tags = _save(detector, tmp_path / "good").read_array("tags.npy").astype(np.int32)
    tags[-1] += 1 << 16  # in 16 bits the same as before
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_crf(_save(detector, tmp_path / "bad", **{"tags.npy": encode_array(tags)}))


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "-Infinity"])
def test_a_recall_dial_that_is_no_number_is_refused(
    odd: str, detector: CrfDetector, tmp_path: Path
) -> None:
    _save(detector, tmp_path / "model")
    path = tmp_path / "model" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["config"]["recall-dial"] = float(odd)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ArtifactError):
        load_crf(load_artifact(tmp_path / "model"))
