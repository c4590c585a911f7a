"""Small networks of every configuration, with random weights, and windows for them to read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from scrubjay.features.inputs import NetworkInputs
from scrubjay.learning.bilstm_config import (
    BilstmConfig,
    CharacterSettings,
    NetworkSettings,
    WordSettings,
)
from scrubjay.learning.neural.batches import TrainingData, make_batch
from scrubjay.learning.neural.network import Batch, Network, Sizes
from scrubjay.taggers._recurrent.windows import Windows, cut_windows

VOCABULARY, ALPHABET, FEATURES, TAGS, LONGEST = 12, 9, (3, 1, 5), 5, 6

_BASE = BilstmConfig(
    "tiny",
    words=WordSettings(dimension=5),
    characters=CharacterSettings(
        dimension=3, kernels=(2, 3), channels=2, hidden=3, longest=LONGEST
    ),
    network=NetworkSettings(hidden=4, feature_dimension=2),
)


def _network(**changes: object) -> BilstmConfig:
    return replace(_BASE, network=replace(_BASE.network, **changes))  # type: ignore[arg-type]


def _characters(kind: str, **changes: object) -> BilstmConfig:
    return replace(_network(**changes), characters=replace(_BASE.characters, network=kind))


#: Every switch of the configuration, by name.
CONFIGS = {
    "default": _BASE,
    "no words": replace(_BASE, words=WordSettings(dimension=0)),
    "no characters": _characters("none"),
    "character lstm": _characters("lstm"),
    "coupled": _characters("lstm", recurrent="coupled"),
    "coupled cnn": _network(recurrent="coupled"),
    "no features": _network(feature_dimension=0),
    "features alone": replace(_characters("none"), words=WordSettings(dimension=0)),
    "softmax": _network(decoder="softmax"),
    "two layers": _network(layers=2),
    "two coupled layers": _network(layers=2, recurrent="coupled"),
    "locked dropout": _network(dropout_kind="locked", word_dropout=0.2),
}


def make_network(name: str, *, seed: int = 0, contextual: int = 0, spread: float = 1.0) -> Network:
    """Return a network with random weights, larger than new ones, in evaluation mode."""
    torch.manual_seed(seed)
    network = Network(CONFIGS[name], Sizes(VOCABULARY, ALPHABET, FEATURES, TAGS, contextual))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(std=spread)
        for table in (network.words, getattr(network.characters, "embedding", None)):
            if table is not None:
                table.weight[0] = 0
    return network.eval()


def make_data(*, seed: int = 0, tokens: int = 60, contextual: int = 0) -> TrainingData:
    """Return random documents cut into windows."""
    random = np.random.default_rng(seed)
    count = 1 + min(tokens, 20)
    cuts = np.unique(random.integers(1, max(2, tokens), 1 + tokens // 5))
    bounds = np.unique(np.concatenate([[0], cuts[cuts < tokens], [tokens]])).astype(np.int32)
    documents = np.unique(np.concatenate([[0], bounds[::3], [tokens]])).astype(np.int32)
    spelled = random.integers(1, LONGEST + 1, count)
    spellings = random.integers(1, ALPHABET, (count, LONGEST)).astype(np.int32)
    spellings[np.arange(LONGEST)[None, :] >= spelled[:, None]] = 0
    spellings[0] = 0
    words = random.integers(1, VOCABULARY, count).astype(np.int32)
    words[0] = 0
    features = np.stack([random.integers(0, size, tokens) for size in FEATURES], axis=1)
    return TrainingData(
        inputs=NetworkInputs(
            random.integers(1, count, tokens).astype(np.int32),
            features.astype(np.int32),
            bounds,
            documents,
        ),
        windows=cut_windows(bounds, documents, size=9, context=3),
        words=words,
        spellings=spellings,
        rare=random.random(count) < 0.5,
        tags=random.integers(0, TAGS, tokens).astype(np.int16),
        contextual=random.standard_normal((tokens, contextual)) if contextual else None,
    )


def all_windows(data: TrainingData) -> Batch:
    """Return one batch with every window, in order."""
    return make_batch(data, np.arange(len(data.windows)))


def window_of(data: TrainingData, number: int) -> tuple[slice, slice]:
    """Return the tokens that a window reads, and its core."""
    windows: Windows = data.windows
    return (
        slice(int(windows.starts[number]), int(windows.ends[number])),
        slice(int(windows.firsts[number]), int(windows.lasts[number])),
    )
