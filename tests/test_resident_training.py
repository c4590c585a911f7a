"""Training with all windows on a device: the same batches, scores and file as the package's."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scrubjay.corpora import write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError
from scrubjay.learning.encoder_bilstm import EncoderBilstmLearner
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.preparation import prepare
from scrubjay.learning.transformer_config import with_encoder
from scrubjay.tags import find_scheme
from tests.corpus_samples import make_notes
from tests.tiny_transformer import (
    TINY_ENCODER_BILSTM,
    require_packages,
    tiny_encoder_bilstm,
    write_encoder,
)

require_packages()

import torch  # noqa: E402
from scripts.resident_arrays import distinct_rows, make_arrays, write_arrays  # noqa: E402
from scripts.resident_training import (  # noqa: E402
    ResidentWindows,
    make_model,
    read_arrays,
    train,
)

from scrubjay.learning.neural.encoded_network import EncodedBatch, EncodedTexts  # noqa: E402
from scrubjay.learning.neural.encoders import load_encoder  # noqa: E402
from scrubjay.learning.neural.starting import Start, load_start, save_start  # noqa: E402
from scrubjay.taggers._recurrent.model import build_inputs, describe_inputs  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_torch_thread")

ODD = Document(
    "odd", "\ufeffDr.\u200b e\u0301 \U0001f468\u200d\u2695\ufe0f\r\n" * 30, (Span(1, 4, "DOCTOR"),)
)
CORPORA = {
    "base": [*make_notes(6, seed=1), ODD],
    "swap-1": make_notes(5, seed=2),
    "swap-2": make_notes(4, seed=3),
}
ROOT = Path(__file__).parents[1]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> EncoderBilstmConfig:
    """A tiny network over a random encoder of two layers."""
    folder = write_encoder(tmp_path_factory.mktemp("encoders") / "tiny", layers=2)
    return tiny_encoder_bilstm(folder, epochs=2)


@pytest.fixture(scope="module")
def arrays(config: EncoderBilstmConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of arrays of the corpora, the swaps read by turns."""
    folder = tmp_path_factory.mktemp("corpora")
    for name, documents in CORPORA.items():
        write_corpus(documents, folder / name, format="jsonl")
    sources = [[folder / "base"], [folder / "swap-1", folder / "swap-2"]]
    write_arrays(folder / "arrays", *make_arrays(config, "en", sources))
    return folder / "arrays"


def packages_texts(config: EncoderBilstmConfig, facts: dict[str, Any], name: str) -> EncodedTexts:
    """Return a corpus as the package itself reads it."""
    subtokens = load_encoder(config.encoder.path).subtokens(config.encoder)
    data = prepare(CORPORA[name], config.tokenizer, align=config.training.align)
    tags = replace(data, labels=tuple(facts["labels"])).gold_tags(find_scheme(config.scheme))
    inputs = build_inputs(facts["inputs"], model="tiny")
    return EncodedTexts(inputs, subtokens, data.batch, tags, padding=facts["padding"])


def test_batches_and_scores_are_those_of_the_package(
    config: EncoderBilstmConfig, arrays: Path
) -> None:
    stored, facts = read_arrays(arrays)
    resident = ResidentWindows(stored, CPU, padding=facts["padding"])
    own = Start({}, build_inputs(facts["inputs"], model="tiny"), tuple(facts["labels"]),
                facts["scheme"], facts["encoder"])  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = make_model(config, load_encoder(config.encoder.path), own, None).eval()
    at = 0
    # An epoch: the base with the first of the swaps, then with the second.
    for name in ("base", "swap-1", "base", "swap-2"):
        texts = packages_texts(config, facts, name)
        assert resident.sizes[at : at + len(texts)].tolist() == texts.sizes.tolist()
        for first in range(0, len(texts), 5):
            chosen = np.arange(first, min(first + 5, len(texts)))[::-1]
            wanted, found = texts.batch(chosen.tolist()), resident.batch((at + chosen).tolist())
            assert_same(found, wanted)
            with torch.inference_mode():
                assert torch.equal(model.emissions(found), model.emissions(wanted))
                assert torch.equal(model.loss(found), model.loss(wanted))
        at += len(texts)
    assert at == len(resident.sizes)


def assert_same(found: EncodedBatch, wanted: EncodedBatch) -> None:
    """Assert that every tensor is the same; words may be numbered otherwise."""
    for part in ("ids", "attention", "pooling", "mask"):
        assert torch.equal(getattr(found.windows, part), getattr(wanted.windows, part)), part
    for part in ("features", "lengths", "firsts", "mask", "tags"):
        assert torch.equal(getattr(found.tokens, part), getattr(wanted.tokens, part)), part
    for part in ("spellings", "words", "rare"):
        ours, theirs = (getattr(x.tokens, part)[x.tokens.places] for x in (found, wanted))
        assert torch.equal(ours, theirs), part


def test_the_weights_are_those_of_the_package(config: EncoderBilstmConfig, tmp_path: Path) -> None:
    write_corpus(CORPORA["base"], tmp_path / "base", format="jsonl")
    write_arrays(tmp_path / "arrays", *make_arrays(config, "en", [[tmp_path / "base"]]))
    stored, facts = read_arrays(tmp_path / "arrays")
    learner = EncoderBilstmLearner(config, language="en", device="cpu")
    shallow = replace(config, encoder=replace(config.encoder, layers=1))
    teacher = tmp_path / "teacher"
    for settings, options in ((config, {}), (shallow, {"teacher": teacher})):
        theirs = tmp_path / "theirs"
        changed = replace(learner, config=settings, save_weights=theirs, **options)
        changed.fit(CORPORA["base"], seed=3)
        wanted = load_start(theirs)
        found = train(stored, facts, settings, device="cpu", seed=3, **options)
        save_start(teacher, found)
        found = load_start(teacher)
        assert describe_inputs(found.inputs) == describe_inputs(wanted.inputs)
        assert (found.labels, found.encoder) == (wanted.labels, wanted.encoder)
        assert found.weights.keys() == wanted.weights.keys()
        for name, weights in wanted.weights.items():
            if "pooler" not in name:  # At random, and read by nobody.
                assert torch.allclose(found.weights[name], weights, atol=0.0, rtol=0.0), name


def test_training_needs_no_other_packages(
    config: EncoderBilstmConfig, arrays: Path, tmp_path: Path
) -> None:
    absent = ("onnx", "onnxruntime", "onnxscript", "lxml", "typer", "rich", "numba", "gensim")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({absent!r}))\n"
        "from scripts.resident_training import main; main()"
    )
    (tmp_path / "tiny.toml").write_text(TINY_ENCODER_BILSTM.replace("epochs = 8", "epochs = 1"))
    command = [sys.executable, "-c", code, str(arrays), str(tmp_path / "weights")]
    command += ["--config", str(tmp_path / "tiny.toml"), "--encoder", config.encoder.path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "100.0%" in done.stderr
    assert load_start(tmp_path / "weights").labels == read_labels(arrays)


def read_labels(arrays: Path) -> tuple[str, ...]:
    """Return the labels that arrays tell."""
    return tuple(read_arrays(arrays)[1]["labels"])


def test_what_does_not_belong_together_is_refused(
    config: EncoderBilstmConfig, arrays: Path, tmp_path: Path
) -> None:
    stored, facts = read_arrays(arrays)
    other = write_encoder(tmp_path / "other", seed=5)
    with pytest.raises(ConfigError, match="made with another encoder"):
        train(stored, facts, with_encoder(config, str(other)), device="cpu")
    (tmp_path / "cut").write_bytes(arrays.read_bytes()[:-100])
    for path in (tmp_path / "cut", tmp_path / "nothing"):
        with pytest.raises(FormatError, match="no arrays, or damaged ones"):
            read_arrays(path)
    write_corpus(CORPORA["base"][:1], tmp_path / "base", format="jsonl")
    write_corpus([Document("new", "X", (Span(0, 1, "ZIP"),))], tmp_path / "new", format="jsonl")
    with pytest.raises(ConfigError, match="the first of each --source has no ZIP"):
        make_arrays(config, "en", [[tmp_path / "base", tmp_path / "new"]])


@given(hnp.arrays(np.int32, st.tuples(st.integers(1, 20), st.integers(0, 3)),
                  elements=st.integers(0, 2)))  # fmt: skip
def test_distinct_rows_stand_for_all(table: Any) -> None:
    rows, places = distinct_rows(table)
    assert np.array_equal(rows[places], table)
    assert len(rows) == len({tuple(row) for row in table.tolist()})
