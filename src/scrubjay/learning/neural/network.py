"""The recurrent tagger's network: vectors of words, a sequence layer, scores of tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from scrubjay.features.inputs import UNKNOWN
from scrubjay.learning.bilstm_config import BilstmConfig, CharacterSettings
from scrubjay.learning.neural.characters import CharacterCnn, CharacterLstm
from scrubjay.learning.neural.crf import CrfLayer
from scrubjay.learning.neural.dropout import RowDropout, draw_kept
from scrubjay.learning.neural.recurrent import Bidirectional

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many of everything there is: what a network's shape depends on beside its settings.

    `vocabulary` and `alphabet` count word and character numbers, 0 and 1 included; `features`
    the value numbers of each feature; `contextual` is the dimension of contextual embeddings.
    """

    vocabulary: int
    alphabet: int
    features: tuple[int, ...]
    tags: int
    contextual: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Some windows as tensors: `b` rows of up to `t` tokens with `w` distinct words.

    `words` (w,) are vocabulary numbers, `spellings` (w, longest) characters, `rare` (w,) tells
    words that may be taken for unknown ones; `places` (b, t) says which word each token is, word 0
    being padding. `features` (b, t, f) and `contextual` (b, t, e) are per token. `lengths` (b,)
    count tokens. The core of row `i` begins at `firsts[i]`; `mask` and `tags` (b, c) tell its
    tokens and their gold tags.
    """

    words: Tensor
    spellings: Tensor
    rare: Tensor
    places: Tensor
    features: Tensor
    contextual: Tensor | None
    lengths: Tensor
    firsts: Tensor
    mask: Tensor
    tags: Tensor

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        moved = (getattr(self, name) for name in self.__dataclass_fields__)
        return Batch(*(None if x is None else x.to(device) for x in moved))  # type: ignore[arg-type]


class Network(nn.Module):
    """Words, characters and features -> bidirectional LSTM -> scores of tags, with transitions.

    Zhao 2020 (BLSTM-CNNs-CRF with feature embeddings), Jiang 2017 (section 5) and Trienes 2020
    (section 4.3) by configuration.
    """

    def __init__(self, config: BilstmConfig, sizes: Sizes) -> None:
        super().__init__()
        settings = config.network
        self.config = config
        self.sizes = sizes
        self.words = (
            nn.Embedding(sizes.vocabulary, config.words.dimension, padding_idx=0)
            if config.words.dimension
            else None
        )
        self.characters = _make_characters(config.characters, sizes, settings.recurrent)
        self.features: FeatureEmbedding | None = None
        if sizes.features and settings.feature_dimension:
            self.features = FeatureEmbedding(sizes.features, settings.feature_dimension)
        width = (
            self.word_dimension
            + (self.features.dimension if self.features else 0)
            + sizes.contextual
        )
        self.before = RowDropout(settings.dropout, kind=settings.dropout_kind)
        layers = [Bidirectional(settings.recurrent, width, settings.hidden)]
        for _ in range(settings.layers - 1):
            layers.append(Bidirectional(settings.recurrent, 2 * settings.hidden, settings.hidden))
        self.layers = nn.ModuleList(layers)
        self.after = RowDropout(settings.dropout, kind=settings.dropout_kind)
        self.scores = nn.Linear(2 * settings.hidden, sizes.tags)
        self.crf = CrfLayer(sizes.tags) if settings.decoder == "crf" else None
        _initialize(self)

    @property
    def word_dimension(self) -> int:
        """The dimension of `word_vectors`."""
        words = self.words.embedding_dim if self.words is not None else 0
        return words + (self.characters.dimension if self.characters is not None else 0)

    def word_vectors(self, words: Tensor, spellings: Tensor) -> Tensor:
        """Return `(w, word_dimension)`: embedding and characters of distinct words."""
        parts = []
        if self.words is not None:
            parts.append(self.words(words))
        if self.characters is not None:
            parts.append(self.characters(spellings))
        if not parts:
            return torch.zeros(len(words), 0, device=words.device)
        return torch.cat(parts, dim=1)

    def sequence_scores(self, vectors: Tensor, features: Tensor, lengths: Tensor) -> Tensor:
        """Return `(t, b, tags)` for token vectors `(t, b, d)` and features `(t, b, f)`."""
        parts = [vectors]
        if self.features is not None:
            parts.append(self.features(features))
        hidden = self.before(torch.cat(parts, dim=2))
        hidden = self._drop_words(hidden)
        for layer in self.layers:
            hidden = layer(hidden, lengths)
        scores: Tensor = self.scores(self.after(hidden))
        return scores

    def _drop_words(self, vectors: Tensor) -> Tensor:
        rate = self.config.network.word_dropout
        if not self.training or rate == 0:
            return vectors
        return vectors * draw_kept(vectors.shape[:2], rate, device=vectors.device)[:, :, None]

    def forward(self, batch: Batch) -> Tensor:
        """Return the scores of every token that the windows read, `(b, t, tags)`."""
        words = batch.words
        if self.training and self.config.words.unknown_rate:
            chance = torch.rand(len(words), device=words.device) < self.config.words.unknown_rate
            words = torch.where(batch.rare & chance, UNKNOWN, words)
        vectors = nn.functional.embedding(batch.places.T, self.word_vectors(words, batch.spellings))
        if batch.contextual is not None:
            vectors = torch.cat([vectors, batch.contextual.transpose(0, 1)], dim=2)
        scores = self.sequence_scores(vectors, batch.features.transpose(0, 1), batch.lengths)
        return scores.transpose(0, 1)

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean loss of a core: of its path with a CRF, of its tokens without."""
        return self.gold_loss(core_scores(self(batch), batch), batch)

    def gold_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Return the mean loss of a core whose scores are there, `(b, c, tags)`."""
        if self.crf is not None:
            return self.crf.loss(emissions, batch.tags, batch.mask)
        scores, tags = emissions[batch.mask].float(), batch.tags[batch.mask]
        # Summed over the tokens of a window as the loss of a path is: one rate serves both.
        return nn.functional.cross_entropy(scores, tags, reduction="sum") / len(batch.mask)

    def transitions(self) -> npt.NDArray[np.float64]:
        """Return the scores of moves between tags, zeros without a CRF."""
        if self.crf is None:
            return np.zeros((self.sizes.tags, self.sizes.tags))
        return self.crf.transitions.detach().cpu().double().numpy()


def core_scores(scores: Tensor, batch: Batch) -> Tensor:
    """Return the scores of the cores, `(b, c, tags)`, aligned with `batch.mask`."""
    places = batch.firsts[:, None] + torch.arange(batch.mask.shape[1], device=scores.device)
    places = places.clamp_max(scores.shape[1] - 1)
    return scores.gather(1, places[:, :, None].expand(-1, -1, scores.shape[2]))


class FeatureEmbedding(nn.Module):
    """An embedding per feature, side by side (Zhao 2020, Table 3: 4 dimensions each).

    One table holds the values of all features; `offsets` say where each begins.
    """

    def __init__(self, sizes: tuple[int, ...], dimension: int) -> None:
        super().__init__()
        starts = np.cumsum([0, *sizes[:-1]])
        self.offsets: Tensor
        self.register_buffer("offsets", torch.tensor(starts, dtype=torch.long))
        self.table = nn.Embedding(sum(sizes), dimension)
        self.dimension = dimension * len(sizes)

    def forward(self, features: Tensor) -> Tensor:
        """Return `(t, b, dimension)` for value numbers `(t, b, f)`."""
        vectors: Tensor = self.table(features + self.offsets)
        return vectors.flatten(2)


def _make_characters(
    settings: CharacterSettings, sizes: Sizes, recurrent: str
) -> CharacterCnn | CharacterLstm | None:
    if settings.network == "cnn":
        return CharacterCnn(
            sizes.alphabet,
            dimension=settings.dimension,
            kernels=settings.kernels,
            channels=settings.channels,
        )
    if settings.network == "lstm":
        return CharacterLstm(
            sizes.alphabet,
            dimension=settings.dimension,
            hidden=settings.hidden,
            recurrent=recurrent,
        )
    return None


def _initialize(network: Network) -> None:
    """Draw the first weights: uniform embeddings, orthogonal recurrences, forget gates open.

    Coupled layers, convolutions and the last layer draw theirs when they are made.
    """
    for module in network.modules():
        if isinstance(module, nn.Embedding):
            bound = (3.0 / module.embedding_dim) ** 0.5
            nn.init.uniform_(module.weight, -bound, bound)
            if module.padding_idx is not None:
                module.weight.data[module.padding_idx] = 0
        elif isinstance(module, nn.LSTM):
            _initialize_lstm(module)


def _initialize_lstm(layer: nn.LSTM) -> None:
    for name, parameter in layer.named_parameters():
        if "weight_hh" in name:
            for gate in parameter.data.chunk(4):
                nn.init.orthogonal_(gate)
        elif "weight_ih" in name:
            for gate in parameter.data.chunk(4):
                nn.init.xavier_uniform_(gate)
        else:
            nn.init.zeros_(parameter)
            if "bias_ih" in name:
                parameter.data[layer.hidden_size : 2 * layer.hidden_size] = 1.0
