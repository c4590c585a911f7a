"""Where training runs: devices, memory, and the state of torch while it lasts."""

from __future__ import annotations

import contextlib

import pytest
import torch

from scrubjay.errors import ConfigError
from scrubjay.learning.neural.devices import (
    choose_device,
    computes_bfloat16,
    memory_advice,
    random_state,
    require_precision,
    restore_random_state,
    training_state,
)

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("name", "found", "chosen"),
    [
        ("auto", True, "cuda"),
        ("auto", False, "cpu"),
        ("cpu", True, "cpu"),
        ("cpu", False, "cpu"),
        ("cuda", True, "cuda"),
    ],
)
def test_the_device_is_chosen_by_what_is_there(
    name: str, found: bool, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: found)
    assert choose_device(name).type == chosen


def test_a_gpu_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ConfigError) as caught:
        choose_device("cuda")
    assert str(caught.value) == (
        "the device 'cuda' was asked for, but torch finds no GPU that it can use. "
        "Give --device cpu, or install a torch that is built for this GPU"
    )


def test_a_seed_gives_the_same_numbers_and_leaves_others_alone() -> None:
    torch.manual_seed(1)
    expected = torch.rand(2)
    torch.manual_seed(1)
    drawn = []
    for seed in (5, 5, 6):
        with training_state(seed, CPU):
            drawn.append(torch.rand(3))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize("flushed", [False, True])
def test_threads_and_tiny_numbers_are_restored_even_after_an_error(flushed: bool) -> None:
    def tiny() -> float:
        return float(torch.tensor(1e-310, dtype=torch.float64) * 1.0)

    threads = torch.get_num_threads()
    torch.set_flush_denormal(flushed)
    try:
        with contextlib.suppress(KeyError), training_state(0, CPU, threads=threads + 1):
            seen = (tiny(), torch.get_num_threads())
            raise KeyError
        assert seen == (0.0, threads + 1)
        assert (tiny() == 0.0) == flushed
        assert torch.get_num_threads() == threads
    finally:
        torch.set_flush_denormal(False)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_a_lack_of_memory_becomes_advice(error: Exception) -> None:
    with (
        pytest.raises(ConfigError, match=r"^training ran out of memory\. Do less$"),
        memory_advice("Do less"),
    ):
        raise error


@pytest.mark.parametrize("error", [RuntimeError("shapes differ"), ValueError("out of memory")])
def test_other_errors_pass(error: Exception) -> None:
    with pytest.raises(type(error), match=str(error)) as caught, memory_advice("Do less"):
        raise error
    assert caught.value is error


def test_the_random_state_of_a_gpu_is_kept_beside_that_of_the_cpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    restored: list[torch.Tensor] = []
    kept = torch.arange(16, dtype=torch.uint8)
    monkeypatch.setattr("torch.cuda.get_rng_state", lambda device: kept)
    monkeypatch.setattr("torch.cuda.set_rng_state", lambda state, device: restored.append(state))
    with training_state(3, torch.device("cpu")):
        states = random_state(torch.device("cuda"))
        drawn = torch.rand(4)
        restore_random_state(states, torch.device("cuda"))
        assert torch.equal(torch.rand(4), drawn)
        assert restored == [kept]
        assert random_state(torch.device("cpu")).keys() == {"cpu"}
        restore_random_state(states, torch.device("cpu"))
        assert torch.equal(torch.rand(4), drawn)
        assert len(restored) == 1


def test_a_precision_that_the_device_has_no_recurrent_layers_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scrubjay.learning.neural.devices.computes_bfloat16", lambda _: False)
    recurrent = torch.nn.Sequential(torch.nn.LSTM(2, 2))
    with pytest.raises(ConfigError, match="bfloat16"):
        require_precision(recurrent, CPU, "bfloat16")
    require_precision(recurrent, CPU, "auto")
    require_precision(torch.nn.Linear(2, 2), CPU, "bfloat16")


def test_what_is_said_of_bfloat16_is_what_torch_does() -> None:
    layer = torch.nn.LSTM(4, 4)
    refused = contextlib.nullcontext()
    if not computes_bfloat16("cpu"):
        refused = pytest.raises(RuntimeError)  # type: ignore[assignment]
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16), refused:
        layer(torch.ones(3, 1, 4))
