"""The recurrent tagger against its networks computed in numpy, and its saved models."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Artifact, encode_array, load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, MissingExtraError
from scrubjay.models import audit_model, load_model
from scrubjay.taggers import _bilstm_scores
from scrubjay.taggers._chain import ChainDetector
from scrubjay.taggers._windows import cut_windows
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import LABELS, make_notes

pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")
pytest.importorskip("onnx", reason="building networks needs the extra `train`")

from scrubjay.taggers.bilstm import (
    BilstmDetector,
    BilstmModel,
    BilstmTagger,
    load_bilstm,
    model_files,
    stored_words,
)
from tests.tiny_bilstm import (
    Weights,
    draw_weights,
    plain_scores,
    plain_word_vector,
    sequence_graph,
    tiny_detector,
    tiny_model,
)

Scored = list[list[tuple[Span, float | None, str]]]


@pytest.fixture(scope="module")
def built() -> tuple[BilstmModel, Weights]:
    """A model with every kind of input, and its weights."""
    return tiny_model()


@pytest.fixture(scope="module")
def model(built: tuple[BilstmModel, Weights]) -> BilstmModel:
    """The model alone."""
    return built[0]


@pytest.fixture(scope="module")
def detector(model: BilstmModel) -> BilstmDetector:
    """A detector of it."""
    return tiny_detector(model)


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    """Notes with words that the model does not know among others."""
    return make_notes(12, seed=2)


def tokenize(detector: BilstmDetector, documents: list[Document]) -> list[Tokens]:
    """Return the tokens of documents as the detector cuts them."""
    return [detector.tokenizer.tokenize(document.text) for document in documents]


def scored(found: list[tuple[Span, ...]]) -> Scored:
    """Return spans with what their comparison leaves out."""
    return [[(span, span.score, span.source) for span in spans] for spans in found]


# Scores


def check_scores(
    model: BilstmModel,
    weights: Weights,
    documents: list[Document],
    *,
    context: np.ndarray[Any, Any] | None = None,
) -> int:
    """Assert that all scores are those of numpy, window by window; return how many windows."""
    detector = tiny_detector(model)
    batch = tokenize(detector, documents)
    scores, bounds = detector.tagger._scorer.score(batch)
    inputs = model.inputs.encode(batch)
    words, spellings = model.inputs.word_numbers(), model.inputs.spellings()
    windows = cut_windows(
        inputs.bounds, inputs.documents, size=model.window_size, context=model.window_context
    )
    assert bounds.tolist() == windows.bounds().tolist()
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


# Saved models


def save(detector: BilstmDetector, folder: Path, **changes: bytes) -> Artifact:
    """Save a detector with some files changed."""
    files = {**detector.files(), **changes}
    save_artifact(folder, detector.manifest, files=files)
    return load_artifact(folder)


def with_names(**files: bytes) -> dict[str, bytes]:
    """Return files by names whose dot is written as two underscores."""
    return {name.replace("__", "."): content for name, content in files.items()}


def test_a_saved_model_finds_the_same_and_is_saved_the_same(
    detector: BilstmDetector, notes: list[Document], tmp_path: Path
) -> None:
    save(detector, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, ChainDetector)
    assert isinstance(loaded.tagger, BilstmTagger)
    assert scored(loaded.detect(notes)) == scored(detector.detect(notes))
    assert loaded.files() == detector.files()
    assert sorted(detector.files()) == [
        "inputs.json", "sequence.onnx", "transitions.npy", "words.onnx",
    ]  # fmt: skip


def test_the_dial_is_saved_in_the_configuration(detector: BilstmDetector, tmp_path: Path) -> None:
    manifest = replace(detector.manifest, config={"recall-dial": 1.25})
    turned = BilstmDetector(detector.tokenizer, detector.tagger, manifest=manifest)
    assert load_bilstm(save(turned, tmp_path / "m")).tagger.dial == 1.25


def test_stored_words_are_vocabulary_values_and_dictionaries(
    detector: BilstmDetector, tmp_path: Path
) -> None:
    words = list(stored_words(save(detector, tmp_path / "m")))
    assert words == sorted(set(words))
    inputs = detector.tagger.model.inputs
    assert set(inputs.vocabulary) <= set(words)
    for name in inputs.encoder.alphabets:
        assert set(inputs.encoder.values_of(name)) <= set(words)
    assert "millbrook" in words
    audit = audit_model(tmp_path / "m", corpus=make_notes(10, seed=1))
    assert audit.consistent
    assert audit.stored_mention_words["CITY"] > 0


def test_a_vocabulary_with_gaps_is_not_saved(model: BilstmModel) -> None:
    inputs = pickle.loads(pickle.dumps(model.inputs))
    inputs.vocabulary["absent"] = 10_000
    with pytest.raises(ValueError, match="without gaps"):
        model_files(replace(model, inputs=inputs))


@pytest.mark.parametrize("name", ["words.onnx", "sequence.onnx"])
@pytest.mark.parametrize("content", [b"", b"no network", None])
def test_a_broken_network_is_refused(
    name: str, content: bytes | None, detector: BilstmDetector, tmp_path: Path
) -> None:
    whole = detector.files()[name]
    broken = whole[: len(whole) // 2] if content is None else content
    with pytest.raises(ArtifactError, match=r"m: .*cannot be loaded.*Copy the model again"):
        load_bilstm(save(detector, tmp_path / "m", **{name: broken}))


def test_networks_in_each_others_place_are_refused(
    detector: BilstmDetector, tmp_path: Path
) -> None:
    words, sequence = detector.files()["words.onnx"], detector.files()["sequence.onnx"]
    for number, (one, other) in enumerate(((words, words), (sequence, words))):
        changes = with_names(words__onnx=one, sequence__onnx=other)
        with pytest.raises(ArtifactError, match="not those of one model: a network asks for"):
            load_bilstm(save(detector, tmp_path / str(number), **changes))


@pytest.mark.parametrize("table", ["words", "characters", "features"])
@pytest.mark.parametrize("change", [-1, 1])
def test_a_vocabulary_of_another_model_is_refused(
    change: int, table: str, detector: BilstmDetector, tmp_path: Path
) -> None:
    description = json.loads(detector.files()["inputs.json"])
    values = (
        description["features"]["alphabets"]["suffix2"]
        if table == "features"
        else description[table]
    )
    if change < 0:
        values.pop()
    else:
        values.append("\u2603\u2603")
    changed = json.dumps(description).encode()
    with pytest.raises(ArtifactError, match=rf"another number of {table}\. Copy all files"):
        load_bilstm(save(detector, tmp_path / "m", **with_names(inputs__json=changed)))


def test_networks_of_other_sizes_are_refused(
    detector: BilstmDetector, model: BilstmModel, tmp_path: Path
) -> None:
    inputs, tags = model.inputs, model.tag_count
    for number, (weights, what) in enumerate(
        (
            (draw_weights(inputs, tags=tags + 1), "another number of tags"),
            (draw_weights(inputs, tags=tags, dimension=7), "do not run together"),
        )
    ):
        changes = with_names(sequence__onnx=sequence_graph(weights, inputs))
        with pytest.raises(ArtifactError, match=rf"not those of one model: .*{what}"):
            load_bilstm(save(detector, tmp_path / str(number), **changes))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("inputs.json", b"{}"),
        ("inputs.json", b"[]"),
        ("transitions.npy", encode_array(np.zeros(3))),
        ("transitions.npy", encode_array(np.zeros((3, 3)))),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    name: str, content: bytes, detector: BilstmDetector, tmp_path: Path
) -> None:
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_bilstm(save(detector, tmp_path / "m", **{name: content}))


@pytest.mark.parametrize(
    ("section", "value"),
    [("windows", {"size": -1, "context": 0}), ("longest", 0), ("longest", True), ("form", "odd")],
)
def test_settings_that_cannot_be_are_refused(
    section: str, value: Any, detector: BilstmDetector, tmp_path: Path
) -> None:
    description = json.loads(detector.files()["inputs.json"]) | {section: value}
    changes = with_names(inputs__json=json.dumps(description).encode())
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_bilstm(save(detector, tmp_path / "m", **changes))


def test_no_error_holds_words_of_the_model_or_text(
    detector: BilstmDetector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A canary in vocabulary and text appears in no message, cause or repr."""
    description = json.loads(detector.files()["inputs.json"])
    description["words"].append("xcanaryx")
    changes = with_names(inputs__json=json.dumps(description).encode())
    with pytest.raises(ArtifactError) as caught:
        load_bilstm(save(detector, tmp_path / "m", **changes))
    error: BaseException | None = caught.value
    while error is not None:
        assert "canary" not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__

    def fail(*arguments: Any) -> None:
        raise RuntimeError("a network failed")

    monkeypatch.setattr(_bilstm_scores, "run_words", fail)
    with pytest.raises(RuntimeError) as failed:
        detector.detect([Document("a", "Xcanaryx was here")])
    assert "canary" not in f"{failed.value!r}"
    assert "canary" not in repr(detector.tagger.model.inputs) + repr(detector.tagger.model)[:60]


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


def test_labels_are_those_of_the_model(detector: BilstmDetector) -> None:
    assert detector.labels == detector.tagger.labels == LABELS


# Contextual embeddings


class ToyEmbedder:
    """Gives each token the code points of its first and last character, from a file's factor."""

    dimension = 2

    def __init__(self, files: dict[str, bytes]) -> None:
        self.factor = float(files["factor.txt"])

    @classmethod
    def from_files(cls, files: dict[str, bytes], *, threads: int) -> ToyEmbedder:
        """Return the embedder of some files; a tagger runs on one thread each."""
        assert threads == 1
        return cls(files)

    def embed(self, batch: list[Tokens]) -> np.ndarray[Any, Any]:
        """Return (n, 2) vectors of a batch."""
        rows = [
            (ord(tokens.text[start]), ord(tokens.text[end - 1]))
            for tokens in batch
            for start, end in zip(tokens.starts, tokens.ends, strict=True)
        ]
        return np.array(rows, dtype=np.float32).reshape(-1, 2) * np.float32(self.factor)


@pytest.fixture
def contextual(monkeypatch: pytest.MonkeyPatch) -> tuple[BilstmModel, Weights]:
    """A model that reads contextual embeddings, and its weights."""
    module = pytest.importorskip("scrubjay.features.contextual")
    monkeypatch.setattr(module, "ContextualEmbedder", ToyEmbedder)
    model, weights = tiny_model(contextual=2)
    return replace(model, contextual={"factor.txt": b"0.01"}), weights


@pytest.mark.parametrize("cores", [1, 3])
def test_contextual_embeddings_stand_behind_the_words(
    cores: int,
    contextual: tuple[BilstmModel, Weights],
    notes: list[Document],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(cores), raising=False)
    model, weights = contextual
    batch = tokenize(tiny_detector(model), notes)
    context = ToyEmbedder({"factor.txt": b"0.01"}).embed(batch)
    assert check_scores(model, weights, notes, context=context) > 60


def test_contextual_models_are_saved_under_a_prefix(
    contextual: tuple[BilstmModel, Weights], notes: list[Document], tmp_path: Path
) -> None:
    detector = tiny_detector(contextual[0])
    artifact = save(detector, tmp_path / "m")
    assert artifact.read("contextual-factor.txt") == b"0.01"
    assert scored(load_bilstm(artifact).detect(notes)) == scored(detector.detect(notes))
    assert load_bilstm(artifact).files() == detector.files()
    with pytest.raises(ArtifactError, match="do not run together"):
        BilstmTagger(replace(contextual[0], contextual=None))


@pytest.mark.parametrize("stated", [None, "{}", "[]", "much"])
def test_a_network_that_does_not_state_its_sizes_is_refused(
    stated: str | None, model: BilstmModel
) -> None:
    import onnx

    graph = onnx.load_from_string(model.words)
    onnx.helper.set_model_props(graph, {} if stated is None else {"sizes": stated})
    with pytest.raises(ArtifactError, match="states no sizes"):
        BilstmTagger(replace(model, words=graph.SerializeToString()))
