"""A recurrent network over an encoder that is tuned with it: forward, loss, batches, graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from scrubjay.errors import ConfigError
from scrubjay.features.inputs import InputEncoder
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning.neural.batches import TrainingData
from scrubjay.learning.neural.network import Batch, Network, core_scores
from scrubjay.learning.neural.token_classifier import Window, WindowBatch, collate, make_windows
from scrubjay.taggers._recurrent.windows import Windows
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray, Tokens


class EncodedNetwork(nn.Module):
    """An encoder whose states, pooled to tokens, a recurrent network reads as contextual ones."""

    def __init__(self, encoder: nn.Module, network: Network) -> None:
        super().__init__()
        self.encoder = encoder
        self.network = network

    def read(self, batch: EncodedBatch) -> Batch:
        """Return what the network reads, the states of the encoder among it."""
        windows = batch.windows
        states = self.encoder(input_ids=windows.ids, attention_mask=windows.attention)
        pooled = torch.bmm(windows.pooling, states.last_hidden_state.float())
        return replace(batch.tokens, contextual=pooled)

    def emissions(self, batch: EncodedBatch) -> Tensor:
        """Return the scores of tags of each token of the windows, `(b, t, tags)`."""
        read = self.read(batch)
        return core_scores(self.network(read), read)

    def loss(self, batch: EncodedBatch) -> Tensor:
        """Return the mean loss of a window."""
        return self.network.gold_loss(self.emissions(batch), batch.tokens)


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    """Some windows of an encoder, and the same tokens as a recurrent network reads them."""

    windows: WindowBatch
    tokens: Batch

    def to(self, device: torch.device) -> EncodedBatch:
        """Return the batch on a device."""
        return EncodedBatch(self.windows.to(device), self.tokens.to(device))


class EncodedTexts:
    """Texts as windows of an encoder, each tagged as one stretch of a recurrent network.

    `data` are all tokens of the texts, its windows those of the encoder. `padding` is the id that
    pads sub-tokens. Without gold tags all are `O`.
    """

    def __init__(
        self,
        inputs: InputEncoder,
        subtokens: SubtokenEncoder,
        batch: Sequence[Tokens],
        tags: TagArray | None = None,
        *,
        padding: int,
    ) -> None:
        self._padding = padding
        encoded = inputs.encode(batch)
        self._windows: list[Window] = []
        bounds = [0]
        for tokens in batch:
            nothing = np.zeros(len(tokens), dtype=np.int64)
            for window in make_windows(subtokens, subtokens.encode(tokens), nothing):
                self._windows.append(window)
                bounds.append(bounds[-1] + len(window.tags))
        borders = np.array(bounds, dtype=np.int32)
        words = inputs.word_numbers()
        self.data = TrainingData(
            encoded,
            Windows(borders[:-1], borders[:-1], borders[1:], borders[1:]),
            words,
            inputs.spellings(),
            np.zeros(len(words), dtype=bool),
            np.zeros(len(encoded), dtype=np.int16) if tags is None else tags,
        )
        self.sizes: IntArray = np.array([len(window.ids) for window in self._windows], np.int32)

    def __len__(self) -> int:
        return len(self._windows)

    def batch(self, chosen: Sequence[int]) -> EncodedBatch:
        """Return the windows of these numbers, padded to the longest."""
        windows = collate([self._windows[place] for place in chosen], padding=self._padding)
        return EncodedBatch(windows, self.data.batch(chosen))


def keep_layers(encoder: nn.Module, count: int) -> None:
    """Cut an encoder down to its first layers, in place; 0 keeps all.

    Raises `ConfigError` where it has fewer, or where its layers cannot be told.
    """
    if not count:
        return
    name, layers = find_layers(encoder)
    if count > len(layers):
        raise ConfigError(
            f"encoder.layers is {count}, but the encoder has {len(layers)} layers",
            hint="Give fewer, or 0 for all",
        )
    parent = encoder.get_submodule(name.rpartition(".")[0])
    setattr(parent, name.rpartition(".")[2], layers[:count])
    config: Any = encoder.config
    config.num_hidden_layers = count


def find_layers(encoder: nn.Module) -> tuple[str, nn.ModuleList]:
    """Return the layers of an encoder and their name; raises `ConfigError` for unknown ones."""
    whole = getattr(encoder.config, "num_hidden_layers", None)
    for name, module in encoder.named_modules():
        if isinstance(module, nn.ModuleList) and len(module) == whole:
            return name, module
    raise ConfigError(
        "the layers of this encoder cannot be told", hint="Set encoder.layers = 0, for all of them"
    )


def freeze_embeddings(encoder: nn.Module) -> None:
    """Keep the embeddings of sub-tokens as they are while the layers above are tuned."""
    embeddings: Any = encoder.get_input_embeddings()  # type: ignore[operator]
    embeddings.weight.requires_grad_(False)


class StatesOnly(nn.Module):
    """An encoder over one window without padding, for its graph."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, subtokens: Tensor) -> Tensor:
        """Return states (1, s, d) of sub-tokens (1, s)."""
        states: Tensor = self.encoder(
            input_ids=subtokens, attention_mask=torch.ones_like(subtokens)
        ).last_hidden_state
        return states


def set_attention_dropout(encoder: nn.Module, share: float) -> None:
    """Set the share of attention weights that an encoder leaves out in training, in place."""
    for name, module in encoder.named_modules():
        if isinstance(module, nn.Dropout) and name.endswith(("self.dropout", "attention.dropout")):
            module.p = share
