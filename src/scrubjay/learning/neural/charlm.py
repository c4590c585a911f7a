"""Character language models: one LSTM that guesses the next character (Akbik et al. 2018)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from scrubjay.errors import ConfigError
from scrubjay.learning.charlm_config import CharLMConfig
from scrubjay.learning.neural.charlm_data import columns, epoch_stream
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.text.tokens import IntArray

State = tuple[Tensor, Tensor]
Weights = dict[str, npt.NDArray[np.float32]]

_SAVED_EVERY = 60.0
_MEASURE_BATCH = 16
_MEASURE_WINDOW = 512


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one measurement on held-out text found: bits for each character, less is better.

    `characters` were read so far, in `seconds` of training; `rate` is the learning rate.
    """

    direction: str
    epoch: int
    characters: int
    seconds: float
    bits: float
    rate: float


@dataclass(frozen=True, slots=True)
class TrainedDirection:
    """The weights of the best measurement (names of `CharLM`), and all measurements.

    `ended` says why training ended: "epochs", "early stop" or "time".
    """

    weights: Weights
    bits: float
    history: tuple[Measurement, ...]
    ended: str


class Interrupted(Exception):  # noqa: N818 - not an error: the training was asked to stop
    """Training was asked to stop; what was learned is in the checkpoint, if there is one."""


class CharLM(nn.Module):
    """Characters -> states -> scores of the next character.

    Without any source of chance of its own: it is initialised from a generator, and dropout
    masks are given, so that two models can learn side by side, each reproducibly.
    """

    def __init__(self, characters: int, config: CharLMConfig, generator: torch.Generator) -> None:
        super().__init__()
        # On the meta device nothing is drawn from the generator that all of torch shares.
        with torch.device("meta"):
            self.embedding = nn.Embedding(characters, config.embedding)
            self.recurrent = nn.LSTM(config.embedding, config.hidden)
            self.decoder = nn.Linear(config.hidden, characters)
        self.to_empty(device="cpu")
        bound = 1 / math.sqrt(config.hidden)
        with torch.no_grad():
            for name, weight in self.named_parameters():
                width = 1.0 if name == "embedding.weight" else bound
                weight.uniform_(-width, width, generator=generator)
            # The forget gates begin open (Jozefowicz et al. 2015).
            biases = dict(self.recurrent.named_parameters())["bias_ih_l0"]
            biases[config.hidden : 2 * config.hidden] = 1.0
            self.decoder.bias.zero_()

    def forward(
        self, ids: Tensor, state: State, mask: Tensor | None = None
    ) -> tuple[Tensor, State]:
        """Return the scores (T, B, characters) after each of the ids (T, B), and the last state."""
        states, last = self.recurrent(self.embedding(ids), state)
        return self.decoder(states if mask is None else states * mask), last


@dataclass(slots=True)
class _Progress:
    """Where a training stands; plain JSON, saved in the checkpoint."""

    epoch: int = 0
    window: int = 0
    characters: int = 0
    seconds: float = 0.0
    stale: int = 0
    halvings: int = 0
    ended: str = ""
    history: list[dict[str, Any]] = field(default_factory=list)

    def best(self) -> float:
        return min((point["bits"] for point in self.history), default=math.inf)


class DirectionTrainer:
    """Trains one direction; all of its chance comes from the seed, the epoch and the window.

    With the same settings and texts the result is the same whether training was interrupted and
    resumed or not, save where a time limit ended it.
    """

    def __init__(
        self,
        training: Sequence[IntArray],
        held_out: IntArray,
        config: CharLMConfig,
        *,
        characters: int,
        direction: str,
        checkpoint: StateFile,
        seconds: float | None = None,
        device: torch.device,
    ) -> None:
        self._texts = training
        self._held_out = held_out
        self._config = config
        self._direction = direction
        self._checkpoint = checkpoint
        self._limit = seconds
        self._device = device
        generator = torch.Generator().manual_seed(_mix(config.seed, 0, 0))
        self._model = CharLM(characters, config, generator).to(self._device)
        self._optimizer = _make_optimizer(self._model, config)
        self._state = self._zero_state(0)
        self._best: Weights = self._weights()
        self._at = _Progress()
        self._began = 0.0

    def train(
        self,
        *,
        progress: Callable[[float], None],
        report: Callable[[Measurement], None],
        stopped: Callable[[], bool],
    ) -> TrainedDirection:
        """Train to the end of the epochs, of the patience or of the time, and return the best.

        `progress` is told the share that is done, `report` each measurement; where `stopped`
        says so, the checkpoint is written and `Interrupted` raised.
        """
        self._resume()
        for point in self._at.history:
            report(Measurement(**point))
        self._began = time.monotonic() - self._at.seconds
        saved = time.monotonic()
        self._model.train()
        for measured in self._windows():
            progress(self._share())
            if measured:
                report(Measurement(**self._at.history[-1]))
            if stopped():
                self._save()
                raise Interrupted
            if measured or time.monotonic() - saved >= _SAVED_EVERY:
                self._save()
                saved = time.monotonic()
        self._save()
        progress(1.0)
        history = tuple(Measurement(**point) for point in self._at.history)
        return TrainedDirection(self._best, self._at.best(), history, self._at.ended)

    def _windows(self) -> Iterator[bool]:
        """Learn window after window; yields after each whether held-out text was measured."""
        config, at = self._config, self._at
        while not at.ended:
            stream = epoch_stream(self._texts, seed=config.seed, epoch=at.epoch)
            read, following = columns(stream, config.batch)
            if at.window == 0:
                self._state = self._zero_state(read.shape[1])
            count = math.ceil(len(read) / config.window)
            between = max(1, config.measure_every // (config.window * read.shape[1]))
            while at.window < count and not at.ended:
                place = slice(at.window * config.window, (at.window + 1) * config.window)
                self._learn(read[place], following[place])
                at.window += 1
                at.characters += read[place].size
                at.seconds = time.monotonic() - self._began
                last = at.window == count
                out_of_time = self._limit is not None and at.seconds >= self._limit
                measured = last or out_of_time or at.window % between == 0
                if out_of_time:
                    at.ended = "time"
                if measured:
                    self._measure()
                if last:
                    at.epoch, at.window = at.epoch + 1, 0
                    if at.epoch >= config.epochs and at.ended != "early stop":
                        at.ended = "epochs"
                yield measured

    def _learn(self, read: IntArray, following: IntArray) -> None:
        config, at = self._config, self._at
        generator = torch.Generator().manual_seed(_mix(config.seed, at.epoch + 1, at.window))
        kept = torch.rand(read.shape[1], 1, generator=generator) >= config.forget
        hidden, cell = (part * kept.to(self._device) for part in self._state)
        mask = None
        if config.dropout:
            # One mask for all characters of a window: the locked dropout of Trienes 2020.
            mask = torch.rand(1, read.shape[1], config.hidden, generator=generator)
            mask = ((mask >= config.dropout) / (1 - config.dropout)).to(self._device)
        scores, last = self._model(self._tensor(read), (hidden, cell), mask)
        loss = functional.cross_entropy(scores.flatten(0, 1), self._tensor(following).flatten())
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._model.parameters(), config.clip)
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        self._optimizer.step()
        self._state = (last[0].detach(), last[1].detach())

    def _measure(self) -> None:
        config, at = self._config, self._at
        bits = held_out_bits(self._model, self._held_out)
        if not math.isfinite(bits):
            raise ConfigError(
                f"training came apart in epoch {at.epoch + 1}: its held-out text needs {bits} bits "
                "for each character",
                hint="Lower the learning rate",
            )
        if bits < at.best():
            self._best = self._weights()
            at.stale = 0
        else:
            at.stale += 1
            at.halvings += at.stale % config.patience == 0
        at.history.append(
            asdict(
                Measurement(
                    self._direction, at.epoch, at.characters, at.seconds, bits, self._rate()
                )
            )
        )
        if at.stale >= config.early_stop:
            at.ended = at.ended or "early stop"

    def _share(self) -> float:
        """Return how much of the training is done: of the epochs, or of the time if that is more.

        It is counted in whole windows, so that the rate does not depend on the clock where no
        time limit is set.
        """
        at, total = self._at, sum(map(len, self._texts)) + len(self._texts)
        epochs = min(1.0, at.characters / (total * self._config.epochs))
        return epochs if self._limit is None else max(epochs, min(1.0, at.seconds / self._limit))

    def _rate(self) -> float:
        return float(
            self._config.learning_rate * 0.5**self._at.halvings * max(0.01, 1 - self._share())
        )

    def _weights(self) -> Weights:
        return {
            name: value.detach().cpu().numpy().copy()
            for name, value in self._model.state_dict().items()
        }

    def _zero_state(self, columns: int) -> State:
        shape = (1, columns, self._config.hidden)
        return torch.zeros(shape, device=self._device), torch.zeros(shape, device=self._device)

    def _tensor(self, numbers: IntArray) -> Tensor:
        return torch.from_numpy(numbers.astype(np.int64)).to(self._device)

    def _save(self) -> None:
        self._checkpoint.save(
            {
                "progress": asdict(self._at),
                "model": self._model.state_dict(),
                "best": {name: torch.from_numpy(value) for name, value in self._best.items()},
                "optimizer": self._optimizer.state_dict(),
                "state": self._state,
            }
        )

    def _resume(self) -> None:
        found = self._checkpoint.load()
        if found is None:
            return
        self._at = _Progress(**found["progress"])
        if self._at.ended == "time":
            self._at.ended = ""
        self._best = {name: value.numpy() for name, value in found["best"].items()}
        self._model.load_state_dict(found["model"])
        self._optimizer.load_state_dict(found["optimizer"])
        hidden, cell = found["state"]
        self._state = (hidden.to(self._device), cell.to(self._device))


def held_out_bits(model: CharLM, stream: IntArray) -> float:
    """Return how many bits the model needs for each character of a stream (base-2 entropy)."""
    device = next(model.parameters()).device
    read, following = columns(stream, min(_MEASURE_BATCH, max(1, len(stream) // 64)))
    shape = (1, read.shape[1], model.recurrent.hidden_size)
    state = (torch.zeros(shape, device=device), torch.zeros(shape, device=device))
    total = 0.0
    was_training = model.training
    model.eval()
    with torch.no_grad():
        for begin in range(0, len(read), _MEASURE_WINDOW):
            place = slice(begin, begin + _MEASURE_WINDOW)
            ids, wanted = (
                torch.from_numpy(part[place].astype(np.int64)).to(device)
                for part in (read, following)
            )
            scores, state = model(ids, state)
            total += float(
                functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="sum")
            )
    model.train(was_training)
    return total / read.size / math.log(2)


def _make_optimizer(model: CharLM, config: CharLMConfig) -> torch.optim.Optimizer:
    if config.optimizer == "sgd":
        return torch.optim.SGD(model.parameters(), lr=config.learning_rate)
    return torch.optim.Adam(model.parameters(), lr=config.learning_rate)


def _mix(seed: int, epoch: int, window: int) -> int:
    """Return a seed of its own for each window."""
    return int(np.random.SeedSequence((seed, epoch, window)).generate_state(1, np.uint64)[0] >> 1)
