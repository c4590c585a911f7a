"""Character language models: they learn, they go on exactly, their graphs agree with torch."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from scrubjay.errors import ConfigError, FormatError
from scrubjay.features._sessions import make_session
from scrubjay.learning.charlm_config import CharLMConfig
from scrubjay.learning.neural import charlm
from scrubjay.learning.neural.charlm import (
    CharLM,
    DirectionTrainer,
    Interrupted,
    Measurement,
    TrainedDirection,
    held_out_bits,
)
from scrubjay.learning.neural.charlm_data import prepare_texts
from scrubjay.learning.neural.charlm_export import export_charlm
from scrubjay.learning.neural.state_files import StateFile

TINY = CharLMConfig(
    hidden=12, embedding=6, batch=4, window=16, epochs=3, min_count=1, learning_rate=0.02,
    measure_every=1000,
)  # fmt: skip
TEXTS = [f"Paciente {number}: dolor desde {number % 7} de enero.\n" * 3 for number in range(40)]


def _trainer(
    config: CharLMConfig = TINY,
    *,
    path: Path | None = None,
    identity: str = "",
    seconds: float | None = None,
) -> DirectionTrainer:
    data = prepare_texts(TEXTS, config)
    training, held_out = data.reading("forward")
    return DirectionTrainer(
        training,
        held_out,
        config,
        characters=len(data.alphabet),
        direction="forward",
        checkpoint=StateFile(path, identity),
        seconds=seconds,
        device=torch.device("cpu"),
    )


def _train(trainer: DirectionTrainer, *, stop_after: int = 10**9) -> TrainedDirection:
    """Train, and ask to stop after so many windows."""
    windows = 0

    def stopped() -> bool:
        nonlocal windows
        windows += 1
        return windows >= stop_after

    return trainer.train(progress=lambda share: None, report=lambda point: None, stopped=stopped)


def _untimed(history: tuple[Measurement, ...]) -> list[Measurement]:
    return [replace(point, seconds=0.0) for point in history]


def test_it_learns() -> None:
    trained = _train(_trainer())
    assert trained.ended == "epochs"
    bits = [point.bits for point in trained.history]
    assert trained.bits == min(bits) < 0.8 * bits[0] < math.log2(30)
    assert trained.history[-1].epoch == 2
    assert trained.history[0].rate > trained.history[-1].rate


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
@pytest.mark.parametrize("stops", [(1,), (20, 37), (55, 1, 1)])
def test_interrupted_and_resumed_is_as_uninterrupted(
    tmp_path: Path, optimizer: str, stops: tuple[int, ...]
) -> None:
    config = replace(TINY, optimizer=optimizer, epochs=2)
    whole = _train(_trainer(config))
    path = tmp_path / "forward.state"
    for stop in stops:
        with pytest.raises(Interrupted):
            _train(_trainer(config, path=path), stop_after=stop)
    resumed = _train(_trainer(config, path=path))
    assert _untimed(resumed.history) == _untimed(whole.history)
    for name, value in whole.weights.items():
        np.testing.assert_array_equal(resumed.weights[name], value)


def test_a_finished_training_is_not_trained_again(tmp_path: Path) -> None:
    path = tmp_path / "forward.state"
    first = _train(_trainer(path=path))
    shown: list[Measurement] = []
    again = _trainer(path=path).train(
        progress=lambda share: None, report=shown.append, stopped=lambda: True
    )
    assert tuple(shown) == again.history == first.history


def test_the_clock_ends_a_training_that_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "forward.state"
    short = _train(_trainer(path=path, seconds=1e-6))
    assert short.ended == "time"
    assert len(short.history) == 1
    assert _train(_trainer(path=path)).ended == "epochs"


def test_patience_halves_the_rate_and_then_ends() -> None:
    config = replace(TINY, learning_rate=1e-9, patience=1, early_stop=3, epochs=50)
    trained = _train(_trainer(config))
    best = min(range(len(trained.history)), key=lambda place: trained.history[place].bits)
    if trained.ended == "early stop":
        assert len(trained.history) >= best + 3
        assert trained.history[-1].rate < 0.3 * trained.history[0].rate
    else:
        assert trained.history[-1].epoch == 49


def test_other_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "forward.state"
    with pytest.raises(Interrupted):
        _train(_trainer(path=path, identity="this"), stop_after=1)
    with pytest.raises(ConfigError, match="another training"):
        _train(_trainer(path=path, identity="that"))
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match="damaged"):
        _train(_trainer(path=path, identity="this"))


def test_chance_comes_from_the_seed_alone() -> None:
    torch.manual_seed(1)
    first = _train(_trainer(replace(TINY, epochs=1)))
    torch.manual_seed(2)
    before = torch.get_rng_state()
    second = _train(_trainer(replace(TINY, epochs=1)))
    assert torch.equal(torch.get_rng_state(), before)
    other = _train(_trainer(replace(TINY, epochs=1, seed=1)))
    assert first.bits == second.bits != other.bits


def test_the_graph_has_the_states_of_torch() -> None:
    model = CharLM(11, TINY, torch.Generator().manual_seed(4))
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    session = make_session(export_charlm(weights), threads=1)
    ids = np.random.default_rng(0).integers(0, 11, (9, 3))
    start = np.random.default_rng(1).normal(size=(2, 1, 3, TINY.hidden)).astype(np.float32)
    with torch.no_grad():
        expected, last = model.recurrent(
            model.embedding(torch.from_numpy(ids)), tuple(map(torch.from_numpy, start))
        )
    given = {"ids": ids, "hidden": start[0], "cell": start[1]}
    states, hidden, cell = session.run(["states", "last_hidden", "last_cell"], given)
    np.testing.assert_allclose(states, expected.numpy(), atol=1e-5)
    np.testing.assert_allclose(hidden, last[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(cell, last[1].numpy(), atol=1e-5)


def test_bits_of_a_model_that_knows_nothing() -> None:
    model = CharLM(8, TINY, torch.Generator().manual_seed(4))
    with torch.no_grad():
        model.decoder.weight.zero_()
    assert held_out_bits(model, np.arange(900, dtype=np.int32) % 8) == pytest.approx(3.0)


def test_a_training_that_comes_apart_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charlm, "held_out_bits", lambda model, stream: math.nan)
    with pytest.raises(ConfigError, match="came apart in epoch 1"):
        _train(_trainer())
