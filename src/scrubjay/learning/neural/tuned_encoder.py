"""From a pre-trained encoder and labelled texts to a graph with the scores of tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from scrubjay.document import Span
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning.epochs import Epoch, kept_epoch
from scrubjay.learning.neural.devices import (
    choose_device,
    memory_advice,
    mixed_precision,
    training_state,
)
from scrubjay.learning.neural.encoders import PretrainedEncoder, require_windows
from scrubjay.learning.neural.loop import train_network
from scrubjay.learning.neural.measuring import count_decoded
from scrubjay.learning.neural.recipes import tuning_recipe
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.learning.neural.token_classifier import (
    ClassifierWindows,
    TokenClassifier,
    Window,
    collate,
    make_windows,
)
from scrubjay.learning.neural.token_classifier_export import (
    export_classifier,
    require_classifier_graph,
    require_equal,
)
from scrubjay.learning.transformer_config import TransformerConfig
from scrubjay.taggers._decoding.chain import ChainDecoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers.transformer import OUTPUT
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

_MEMORY = "Lower training.batch or encoder.window in the configuration, or train on the CPU"


@dataclass(frozen=True, slots=True, eq=False)
class TrainTexts:
    """Tokenized texts with their gold tags, and the labels that the tags are numbered by."""

    batch: Sequence[Tokens]
    tags: Sequence[TagArray]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DevTexts:
    """Tokenized texts with their gold spans."""

    batch: Sequence[Tokens]
    spans: Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True, eq=False)
class TunedEncoder:
    """What tuning gives: the graph, the scores of moves and of nothing, and the epochs.

    `kept` is the number of the epoch whose weights these are.
    """

    network: bytes
    transitions: FloatArray
    bias: npt.NDArray[np.float32]
    epochs: tuple[Epoch, ...]
    kept: int


def tune_encoder(
    encoder: PretrainedEncoder,
    subtokens: SubtokenEncoder,
    train: TrainTexts,
    *,
    config: TransformerConfig,
    seed: int,
    device: str,
    dev: DevTexts,
    states: StateFile,
    report: Callable[[Sequence[Epoch], float], None],
) -> TunedEncoder:
    """Tune an encoder on training texts; `dev`, unless it is empty, chooses the epoch.

    See `TransformerLearner.fit` for what is refused.
    """
    chosen = choose_device(device)
    state = states.load()
    windows = [
        window
        for tokens, tags in zip(train.batch, train.tags, strict=True)
        for window in make_windows(subtokens, subtokens.encode(tokens), tags)
    ]
    seen = np.unique(np.concatenate([[0], *train.tags])).astype(np.int64)
    with memory_advice(_MEMORY), training_state(seed, chosen):
        classifier = _make_classifier(encoder, config, train.labels)
        if state is None:
            require_classifier_graph(classifier, window=config.encoder.window)
        score = _DevScore(dev, subtokens, config, train.labels, seen, encoder.padding)
        epochs = train_network(
            classifier,
            ClassifierWindows(windows, padding=encoder.padding),
            tuning_recipe(classifier, config.training),
            seed=seed,
            device=chosen,
            measure=score if dev.batch else None,
            state=state,
            save=states.save,
            report=report,
        )
    return _finish(classifier, epochs, seen, sample=windows[0], window=config.encoder.window)


def _make_classifier(
    encoder: PretrainedEncoder, config: TransformerConfig, labels: tuple[str, ...]
) -> TokenClassifier:
    """Return the network before its tuning; raises `ConfigError` where windows are too long."""
    classifier = TokenClassifier(
        encoder.module,
        encoder.dimension,
        len(find_scheme(config.scheme).tag_names(labels)),
        dropout=config.encoder.dropout,
        crf=config.encoder.decoder == "crf",
    )
    require_windows(encoder.module, config.encoder.window)
    return classifier


def _finish(
    classifier: TokenClassifier,
    epochs: Sequence[Epoch],
    seen: npt.NDArray[np.int64],
    *,
    sample: Window,
    window: int,
) -> TunedEncoder:
    """Return the tuned network as a graph that scores a sample as it does."""
    classifier.to("cpu")
    network = export_classifier(classifier, window=window)
    ids = torch.from_numpy(sample.ids[None])
    with torch.inference_mode():
        wanted = classifier.eval()(ids, torch.ones_like(ids))
    require_equal(network, ids, wanted, output=OUTPUT)
    return TunedEncoder(
        network,
        _reachable(classifier.transitions(), seen),
        classifier.head.bias.detach().numpy().copy(),
        tuple(epochs),
        kept_epoch(epochs),
    )


class _DevScore:
    """Strict F1 on dev texts of a classifier while it is tuned, decoded as it will be later."""

    def __init__(
        self,
        dev: DevTexts,
        subtokens: SubtokenEncoder,
        config: TransformerConfig,
        labels: tuple[str, ...],
        seen: npt.NDArray[np.int64],
        padding: int,
    ) -> None:
        self._dev = dev
        self._config = config
        self._labels = labels
        self._seen = seen
        self._padding = padding
        sizes = [len(tokens) for tokens in dev.batch]
        # In place of gold tags each window gets the places of its tokens.
        offsets = np.cumsum([0, *sizes])
        self._windows = [
            window
            for tokens, offset in zip(dev.batch, offsets[:-1].tolist(), strict=True)
            for window in make_windows(
                subtokens, subtokens.encode(tokens), np.arange(offset, offset + len(tokens))
            )
        ]
        self._windows.sort(key=lambda window: len(window.ids))
        self._bounds = np.cumsum([0, *(size for size in sizes if size)], dtype=np.int32)

    def __call__(self, classifier: TokenClassifier) -> float:
        """Return the F1, 0 where nothing was found."""
        scores = self._scores(classifier)
        decoder = ChainDecoder(
            _reachable(classifier.transitions(), self._seen),
            scheme=self._config.scheme,
            labels=self._labels,
        )
        counts = count_decoded(decoder, scores, self._bounds, self._dev.batch, self._dev.spans)
        return counts.f1 or 0.0

    @torch.inference_mode()
    def _scores(self, classifier: TokenClassifier) -> FloatArray:
        training = self._config.training
        device = next(classifier.parameters()).device
        scores = np.zeros((int(self._bounds[-1]), classifier.head.out_features))
        for begin in range(0, len(self._windows), training.batch):
            chosen = self._windows[begin : begin + training.batch]
            batch = collate(chosen, padding=self._padding).to(device)
            with mixed_precision(device, training.precision):
                found = classifier.emissions(batch)
            scores[batch.tags[batch.mask].cpu().numpy()] = found[batch.mask].float().cpu().numpy()
        return scores


def _reachable(transitions: FloatArray, seen: npt.NDArray[np.int64]) -> FloatArray:
    """Return transitions in which no tag can be reached that training never saw."""
    reachable = np.full_like(transitions, -np.inf)
    reachable[np.ix_(seen, seen)] = transitions[np.ix_(seen, seen)]
    return reachable
