"""From tokenized texts to the graphs of a recurrent tagger: encoded, trained, exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from scrubjay.document import Document
from scrubjay.features.inputs import FIRST_NUMBER
from scrubjay.learning._bilstm_inputs import FittedInputs
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.epochs import Epoch, kept_epoch
from scrubjay.learning.neural.batches import TrainingData
from scrubjay.learning.neural.devices import memory_advice, training_state
from scrubjay.learning.neural.export import export_network
from scrubjay.learning.neural.loop import train_network
from scrubjay.learning.neural.measuring import DevScore
from scrubjay.learning.neural.network import Network, Sizes
from scrubjay.learning.neural.recipes import recurrent_recipe
from scrubjay.learning.neural.starting import Start, put_weights
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._recurrent.windows import cut_windows
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

_MEMORY = "Lower training.batch or windows.size in the configuration, or train on the CPU"

Rows = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Tokenized texts, with gold tags for training, and contextual embeddings or None."""

    batch: Sequence[Tokens]
    tags: TagArray | None = None
    contextual: Rows | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FittedNetwork:
    """What training gives: two graphs, the scores of moves, the epochs and the one kept."""

    words: bytes
    sequence: bytes
    transitions: FloatArray
    epochs: tuple[Epoch, ...]
    kept: int
    weights: Mapping[str, torch.Tensor]

    def start(self, task: Task, inputs: FittedInputs) -> Start:
        """Return what another training can start from."""
        return Start(self.weights, inputs.encoder, task.labels, task.config.scheme, encoder="")


@dataclass(frozen=True, slots=True)
class Task:
    """What a network is fitted to: its configuration and labels, and how training runs.

    `vectors` (v, dimension) are first word embeddings by vocabulary number, rows of NaN being
    drawn at random; None draws them all. `start` are the weights that the training begins with,
    where it does not begin anew.
    """

    config: BilstmConfig
    labels: tuple[str, ...]
    seed: int
    device: torch.device
    threads: int = 0
    vectors: Rows | None = None
    start: Start | None = None


def fit_network(
    task: Task,
    inputs: FittedInputs,
    train: Texts,
    *,
    dev: Texts | None = None,
    dev_documents: Sequence[Document] = (),
    states: StateFile,
    report: Callable[[Sequence[Epoch], float], None],
) -> FittedNetwork:
    """Train a network and export it; `dev`, if given, chooses the epoch that is kept.

    `report` gets all epochs so far after each, and the share of the training. Raises `ConfigError`
    with advice where memory runs out or the loss is no number any more, and for the checkpoint of
    another training.
    """
    with memory_advice(_MEMORY), training_state(task.seed, task.device, threads=task.threads):
        data = encode_texts(inputs, task.config, train)
        network = make_network(task, inputs, data)
        score = _dev_score(task, inputs, dev, dev_documents) if dev is not None else None
        done = train_network(
            network,
            data,
            recurrent_recipe(network, task.config.training),
            seed=task.seed,
            device=task.device,
            measure=score,
            state=states.load(),
            save=states.save,
            report=report,
        )
        words, sequence = export_network(network.to("cpu"))
        return FittedNetwork(
            words,
            sequence,
            network.transitions(),
            tuple(done),
            kept_epoch(done),
            network.state_dict(),
        )


def _dev_score(
    task: Task, inputs: FittedInputs, dev: Texts, documents: Sequence[Document]
) -> DevScore:
    return DevScore(
        documents,
        dev.batch,
        encode_texts(inputs, task.config, dev),
        scheme=task.config.scheme,
        labels=task.labels,
    )


def encode_texts(inputs: FittedInputs, config: BilstmConfig, texts: Texts) -> TrainingData:
    """Return texts as training data; without gold tags they are all `O`."""
    encoder = inputs.encoder
    encoded = encoder.encode(texts.batch)
    windows = cut_windows(
        encoded.bounds,
        encoded.documents,
        size=config.windows.size,
        context=config.windows.context,
    )
    words = encoder.word_numbers()
    rare = inputs.rare(most=config.words.rare_count)
    tags = np.zeros(len(encoded), dtype=np.int16) if texts.tags is None else texts.tags
    return TrainingData(
        encoded, windows, words, encoder.spellings(), rare[words], tags, texts.contextual
    )


def make_network(task: Task, inputs: FittedInputs, data: TrainingData) -> Network:
    """Return a network for the training data, its first weights drawn from torch's generator.

    Those of the task's start take their place; raises `ConfigError` where its sizes are others.
    """
    config = task.config
    encoder = inputs.encoder
    network = Network(
        config,
        Sizes(
            vocabulary=len(inputs.counts),
            alphabet=FIRST_NUMBER + len(encoder.characters),
            features=tuple(encoder.feature_sizes()),
            tags=len(find_scheme(config.scheme).tag_names(task.labels)),
            contextual=0 if data.contextual is None else data.contextual.shape[1],
        ),
    )
    if task.vectors is not None and network.words is not None:
        known = ~np.isnan(task.vectors).any(axis=1)
        with torch.no_grad():
            rows = torch.from_numpy(np.ascontiguousarray(task.vectors[known], dtype=np.float32))
            network.words.weight[torch.from_numpy(known)] = rows
    if task.start is not None:
        put_weights(network, task.start)
    return network
