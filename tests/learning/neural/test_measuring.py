"""Figures of networks in training, against plain counting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from scrubjay.document import Document
from scrubjay.evaluation.counts import Counts
from scrubjay.learning._bilstm_inputs import fit_inputs
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.neural.batches import TrainingData, make_batch
from scrubjay.learning.neural.fitting import Task, Texts, encode_texts, make_network
from scrubjay.learning.neural.measuring import DevScore, emission_scores
from scrubjay.learning.neural.network import Network, core_scores
from scrubjay.learning.preparation import prepare
from scrubjay.tags import find_scheme
from tests.corpus_samples import make_notes
from tests.tiny_networks import tiny_network

NOTES = make_notes(6, seed=3)


def _setting(config: BilstmConfig) -> tuple[Network, TrainingData, DevScore]:
    """Return a network with random weights, encoded notes, and their score."""
    data = prepare(NOTES, config.tokenizer, align="expand")
    inputs = fit_inputs(config, data, language="en")
    encoded = encode_texts(inputs, config, Texts(data.batch))
    torch.manual_seed(0)
    task = Task(config, data.labels, 0, torch.device("cpu"))
    network = make_network(task, inputs, encoded).eval()
    score = DevScore(NOTES, data.batch, encoded, scheme=config.scheme, labels=data.labels)
    return network, encoded, score


@pytest.mark.parametrize("size", [0, 12, 1000])
def test_each_token_gets_the_scores_of_its_own_window(size: int) -> None:
    network, data, _ = _setting(tiny_network(windows={"size": size, "context": 3}))
    scores = emission_scores(network, data)
    assert scores.shape == (len(data.inputs), network.sizes.tags)
    with torch.no_grad():
        for number in range(len(data.windows)):
            batch = make_batch(data, np.array([number]))
            first, last = int(data.windows.firsts[number]), int(data.windows.lasts[number])
            expected = core_scores(network(batch), batch)[0].numpy()
            assert scores[first:last] == pytest.approx(expected, abs=1e-5)


def test_spans_are_counted_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_network()
    network, _, score = _setting(config)
    prepared = prepare(NOTES, config.tokenizer, align="expand")
    gold = prepared.gold_tags(find_scheme("BIO"))
    torch.nn.init.zeros_(network.crf.transitions)  # type: ignore[union-attr]

    def told(tags: np.ndarray) -> Counts:  # type: ignore[type-arg]
        scores = np.full((len(tags), network.sizes.tags), -9.0)
        scores[np.arange(len(tags)), tags] = 9.0
        monkeypatch.setattr(
            "scrubjay.learning.neural.measuring.emission_scores", lambda *given: scores
        )
        return score.count(network)

    spans = sum(len(note.spans) for note in NOTES)
    assert told(gold) == Counts(tp=spans)
    assert score(network) == 1.0
    assert told(np.zeros_like(gold)) == Counts(fn=spans)
    assert score(network) == 0.0
    lost = gold.copy()
    (first,) = np.flatnonzero(gold)[:1]
    lost[first] = 0
    once = told(lost)
    assert once.tp == spans - 1
    assert once.fn == 1


def test_documents_without_a_token_are_all_missed() -> None:
    config = tiny_network()
    network, _, _ = _setting(config)
    data = prepare(NOTES, config.tokenizer, align="expand")
    inputs = fit_inputs(config, data, language="en")
    blank = [Document("a", ""), Document("b", " ")]
    batch = [data.tokenizer.tokenize(document.text) for document in blank]
    encoded = encode_texts(inputs, config, Texts(batch))
    score = DevScore(blank, batch, encoded, scheme="BIO", labels=data.labels)
    assert score.count(network) == Counts()
    assert score(network) == 0.0


def test_rare_words_are_marked_by_type() -> None:
    config = tiny_network(words={"rare_count": 2})
    data = prepare(NOTES, config.tokenizer, align="expand")
    inputs = fit_inputs(config, data, language="en")
    encoded = encode_texts(inputs, config, Texts(data.batch))
    words = [word for tokens in data.batch for word in tokens.words()]
    folded = [word.lower() for word in words]
    for place in range(0, len(words), 7):
        rare = bool(encoded.rare[encoded.inputs.types[place]])
        assert rare == (folded.count(folded[place]) <= 2), words[place]
    # What the training text lacks is unknown by itself, not rare.
    strange = encode_texts(inputs, config, Texts([data.tokenizer.tokenize("qqqq")]))
    assert not strange.rare[strange.inputs.types].any()


def test_a_network_begins_with_given_vectors() -> None:
    config = tiny_network()
    network, data, _ = _setting(config)
    prepared = prepare(NOTES, config.tokenizer, align="expand")
    inputs = fit_inputs(config, prepared, language="en")
    vectors = np.full((len(inputs.counts), 16), np.nan, dtype=np.float32)
    vectors[5] = np.arange(16)
    task = Task(config, prepared.labels, 0, torch.device("cpu"))
    torch.manual_seed(0)
    begun = make_network(replace(task, vectors=vectors), inputs, data)
    assert begun.words is not None
    assert network.words is not None
    assert begun.words.weight[5].tolist() == list(range(16))
    others = [number for number in range(len(inputs.counts)) if number != 5]
    assert torch.equal(begun.words.weight[others], network.words.weight[others])
