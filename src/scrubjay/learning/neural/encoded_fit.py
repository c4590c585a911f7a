"""From an encoder and labelled texts to the graphs of a recurrent tagger that carries it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.encoders import GRAPH, OUTPUT, write_subtokens
from scrubjay.features.inputs import FIRST_NUMBER, InputEncoder
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.epochs import Epoch, kept_epoch
from scrubjay.learning.neural.devices import (
    choose_device,
    memory_advice,
    mixed_precision,
    training_state,
)
from scrubjay.learning.neural.distillation import Teacher
from scrubjay.learning.neural.encoded_network import (
    EncodedNetwork,
    EncodedTexts,
    find_layers,
    freeze_embeddings,
    keep_layers,
    set_attention_dropout,
)
from scrubjay.learning.neural.encoders import PretrainedEncoder, require_windows
from scrubjay.learning.neural.export import export_network
from scrubjay.learning.neural.loop import train_network
from scrubjay.learning.neural.measuring import DevScore
from scrubjay.learning.neural.network import Network, Sizes
from scrubjay.learning.neural.recipes import tuning_recipe
from scrubjay.learning.neural.starting import Start, put_weights
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.learning.neural.token_classifier_export import (
    export_encoder,
    require_encoder_graph,
    require_equal,
)
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

if TYPE_CHECKING:
    from scrubjay.learning.neural.head_fit import HeadTask

#: Windows scored at once.
_BATCH = 16

_MEMORY = "Lower training.batch or encoder.window in the configuration, or train on the CPU"


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTask:
    """What an encoder and a network over it are fitted to, and how training runs."""

    config: EncoderBilstmConfig
    encoder: PretrainedEncoder
    inputs: InputEncoder
    subtokens: SubtokenEncoder
    labels: tuple[str, ...]
    seed: int
    device: str
    start: Start | None = None
    """The weights that the training begins with, where it does not begin anew."""
    teacher: Start | None = None
    """The weights of a network that is learned from; without a start it begins with these."""

    def read(self, batch: Sequence[Tokens], tags: TagArray | None = None) -> EncodedTexts:
        """Return texts as the windows of the encoder."""
        return EncodedTexts(self.inputs, self.subtokens, batch, tags, padding=self.encoder.padding)


@dataclass(frozen=True, slots=True, eq=False)
class FittedEncoder:
    """What training gives: the files of the encoder, two graphs, the scores of moves, the epochs.

    `kept` is the number of the epoch that was kept.
    """

    encoder: Mapping[str, bytes]
    words: bytes
    sequence: bytes
    transitions: FloatArray
    epochs: tuple[Epoch, ...]
    kept: int
    weights: Mapping[str, torch.Tensor]

    def start(self, task: EncodedTask | HeadTask) -> Start:
        """Return what another training can start from."""
        fingerprint = task.encoder.fingerprint
        return Start(self.weights, task.inputs, task.labels, task.config.scheme, fingerprint)


def fit_encoder_network(
    task: EncodedTask,
    batch: Sequence[Tokens],
    tags: TagArray,
    *,
    dev: Sequence[Document],
    dev_batch: Sequence[Tokens],
    states: StateFile,
    report: Callable[[Sequence[Epoch], float], None],
) -> FittedEncoder:
    """Train a network and the encoder below it; `dev`, unless empty, chooses the epoch.

    Raises `ConfigError` with advice where memory runs out or the loss is no number any more, for
    windows that the encoder cannot read, and for the checkpoint of another training.
    """
    chosen = choose_device(task.device)
    state = states.load()
    texts = task.read(batch, tags)
    with memory_advice(_MEMORY), training_state(task.seed, chosen):
        teacher = _make_teacher(task, chosen)
        model = _make_model(task)
        if state is None:
            require_encoder_graph(model.encoder, window=task.config.encoder.window)
        score = _DevScore(task, dev, dev_batch) if dev else None
        epochs = train_network(
            model,
            texts,
            tuning_recipe(model, task.config.training),
            seed=task.seed,
            device=chosen,
            loss=None if teacher is None else partial(teacher.loss, model),
            measure=score,
            state=state,
            save=states.save,
            report=report,
        )
        return _finish(task, model, epochs)


def _make_model(task: EncodedTask) -> EncodedNetwork:
    """Return the network before its training; raises `ConfigError` where windows are too long."""
    settings = task.config.encoder
    encoder = task.encoder.module
    keep_layers(encoder, settings.layers)
    set_attention_dropout(encoder, settings.attention_dropout)
    if settings.tuned == "layers":
        freeze_embeddings(encoder)
    require_windows(encoder, settings.window)
    model = EncodedNetwork(encoder, _make_network(task))
    if task.start is not None:
        put_weights(model, task.start)
    elif task.teacher is not None:
        # Of its encoder the first layers are ours; above it everything is.
        own, theirs = model.state_dict(), task.teacher.weights
        fit = {name: weights for name, weights in theirs.items() if name in own}
        put_weights(model, replace(task.teacher, weights=fit))
    return model


def _make_network(task: EncodedTask) -> Network:
    """Return what stands above the encoder, before its training."""
    return Network(
        task.config.network,
        Sizes(
            vocabulary=FIRST_NUMBER,
            alphabet=FIRST_NUMBER + len(task.inputs.characters),
            features=tuple(task.inputs.feature_sizes()),
            tags=len(find_scheme(task.config.scheme).tag_names(task.labels)),
            contextual=task.encoder.dimension,
        ),
    )


def _make_teacher(task: EncodedTask, device: torch.device) -> Teacher | None:
    """Return the network that is learned from, over an encoder of its own, or None.

    To be called while the task's encoder is whole. Raises `ConfigError` for one of fewer layers
    than the student's, and of other sizes.
    """
    if task.teacher is None:
        return None
    encoder = deepcopy(task.encoder.module)
    place, layers = find_layers(encoder)
    inner = f"encoder.{place}."
    names = (name.removeprefix(inner) for name in task.teacher.weights if name.startswith(inner))
    depth, least = len({name.partition(".")[0] for name in names}), task.config.encoder.layers
    if depth < (least or len(layers)):
        raise ConfigError(
            f"the teacher has {depth} layers of the encoder, its student {least or len(layers)}",
            hint="Give the student as many layers or fewer (encoder.layers)",
        )
    keep_layers(encoder, depth)
    network = EncodedNetwork(encoder, _make_network(task))
    put_weights(network, task.teacher)
    return Teacher(network, task.config.teacher, device=device)


def _finish(task: EncodedTask, model: EncodedNetwork, epochs: Sequence[Epoch]) -> FittedEncoder:
    model.to("cpu").eval()
    graph = export_encoder(model.encoder, window=task.config.encoder.window)
    ids = torch.arange(1, 9, dtype=torch.int64)[None]
    with torch.inference_mode():
        read = model.encoder(input_ids=ids, attention_mask=torch.ones_like(ids))
    require_equal(graph, ids, read.last_hidden_state, output=OUTPUT)
    words, sequence = export_network(model.network)
    return FittedEncoder(
        {GRAPH: graph, **write_subtokens(task.subtokens)},
        words,
        sequence,
        model.network.transitions(),
        tuple(epochs),
        kept_epoch(epochs),
        model.state_dict(),
    )


class _DevScore:
    """Strict F1 on dev documents of a network and its encoder while they are trained."""

    def __init__(
        self, task: EncodedTask, documents: Sequence[Document], batch: Sequence[Tokens]
    ) -> None:
        self._texts = task.read(batch)
        self._precision = task.config.training.precision
        self._order = np.argsort(self._texts.sizes, kind="stable").tolist()
        self._score = DevScore(
            documents, batch, self._texts.data, scheme=task.config.scheme, labels=task.labels
        )

    def __call__(self, model: EncodedNetwork) -> float:
        """Return the F1, 0 where it is undefined."""
        if not self._order:
            return 0.0
        counts = self._score.count_scores(self._scores(model), model.network.transitions())
        return counts.f1 or 0.0

    @torch.inference_mode()
    def _scores(self, model: EncodedNetwork) -> FloatArray:
        data = self._texts.data
        scores = np.zeros((len(data.inputs), model.network.sizes.tags))
        device = next(model.parameters()).device
        for at in range(0, len(self._order), _BATCH):
            chosen = self._order[at : at + _BATCH]
            batch = self._texts.batch(chosen).to(device)
            with mixed_precision(device, self._precision):
                found = model.emissions(batch).float().cpu().numpy()
            for row, number in enumerate(chosen):
                first, last = int(data.windows.firsts[number]), int(data.windows.lasts[number])
                scores[first:last] = found[row, : last - first]
        return scores
