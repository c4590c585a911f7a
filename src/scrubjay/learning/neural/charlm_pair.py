"""Both directions of a character language model, trained side by side, as files of an artifact."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict

import torch

from scrubjay.cores import available_cores
from scrubjay.features.contextual import ALPHABET, BACKWARD, FORWARD
from scrubjay.learning.charlm_config import DIRECTIONS, CharLMConfig, CharLMRun
from scrubjay.learning.neural.charlm import (
    DirectionTrainer,
    Interrupted,
    Measurement,
    TrainedDirection,
)
from scrubjay.learning.neural.charlm_data import CharLMTexts
from scrubjay.learning.neural.charlm_export import export_charlm
from scrubjay.learning.neural.devices import choose_device
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.learning.preparation import Progress


def train_pair(
    texts: CharLMTexts,
    config: CharLMConfig,
    run: CharLMRun,
    *,
    progress: Progress,
    report: Callable[[Measurement], None],
) -> dict[str, TrainedDirection]:
    """Train both directions and return each under its name.

    With two threads or more they learn at the same time, each with half of them; the minutes then
    bound each, and otherwise each may take half. An interrupt stops both after the window that they
    are at, once their checkpoints are written. Raises what training raises.
    """
    stop = threading.Event()
    workers = run.threads or available_cores()
    beside = workers >= 2
    seconds = None if run.minutes is None else run.minutes * (60 if beside else 30)
    device = choose_device(run.device)
    trainers = {
        direction: _make_trainer(direction, texts, config, run, device=device, seconds=seconds)
        for direction in DIRECTIONS
    }

    def train(direction: str) -> TrainedDirection:
        return trainers[direction].train(
            progress=lambda done: progress(direction, done), report=report, stopped=stop.is_set
        )

    with (
        _threads(max(1, workers // 2) if beside else 1),
        ThreadPoolExecutor(2 if beside else 1) as pool,
    ):
        futures = {direction: pool.submit(train, direction) for direction in DIRECTIONS}
        try:
            wait(futures.values(), return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
        errors = [future.exception() for future in futures.values()]
        for error in errors:
            if error is not None and not isinstance(error, Interrupted):
                raise error
        return {direction: future.result() for direction, future in futures.items()}


def _make_trainer(
    direction: str,
    texts: CharLMTexts,
    config: CharLMConfig,
    run: CharLMRun,
    *,
    device: torch.device,
    seconds: float | None,
) -> DirectionTrainer:
    facts = [asdict(config), direction, texts.fingerprint, texts.alphabet.characters]
    identity = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    path = run.checkpoint / f"{direction}.state" if run.checkpoint else None
    training, held_out = texts.reading(direction)
    return DirectionTrainer(
        training,
        held_out,
        config,
        characters=len(texts.alphabet),
        direction=direction,
        checkpoint=StateFile(path, identity),
        seconds=seconds,
        device=device,
    )


def pair_files(texts: CharLMTexts, trained: dict[str, TrainedDirection]) -> dict[str, bytes]:
    """Return the files of the artifact: two graphs and the alphabet."""
    return {
        FORWARD: export_charlm(trained["forward"].weights),
        BACKWARD: export_charlm(trained["backward"].weights),
        ALPHABET: texts.alphabet.to_json().encode(),
    }


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
