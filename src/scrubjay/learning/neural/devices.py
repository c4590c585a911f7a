"""Where training runs: the device, its memory and precision, and the state of torch there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import torch

from scrubjay.errors import ConfigError
from scrubjay.learning.preparation import require_device_name

#: What torch says, beside its own exception, where memory cannot be had.
_NO_MEMORY = ("allocate memory", "out of memory")


def choose_device(name: str) -> torch.device:
    """Return the device "cpu" or "cuda"; "auto" is a GPU where there is one.

    Raises `ConfigError` for another name, and for a GPU where torch finds none.
    """
    require_device_name(name)
    found = torch.cuda.is_available()
    if name == "cuda" and not found:
        raise ConfigError(
            "the device 'cuda' was asked for, but torch finds no GPU that it can use",
            hint="Give --device cpu, or install a torch that is built for this GPU",
        )
    return torch.device("cuda" if found and name != "cpu" else "cpu")


@contextmanager
def training_state(seed: int, device: torch.device, *, threads: int = 0) -> Iterator[None]:
    """Seed torch, and let it treat the tiniest numbers as 0, which is much faster, for a while.

    `threads` share one operator's work; 0 leaves torch's own choice (`OMP_NUM_THREADS`). Afterwards
    everything is as it was.
    """
    flushed = _flushes_denormals()
    before = torch.get_num_threads()
    devices = [torch.cuda.current_device()] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        try:
            torch.manual_seed(seed)
            torch.set_flush_denormal(True)
            if threads:
                torch.set_num_threads(threads)
            yield
        finally:
            torch.set_num_threads(before)
            torch.set_flush_denormal(flushed)


def random_state(device: torch.device) -> dict[str, torch.Tensor]:
    """Return the states of the generators that training on a device draws from."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def restore_random_state(states: Mapping[str, torch.Tensor], device: torch.device) -> None:
    """Go back to what `random_state` gave; on another kind of device to the common part of it."""
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)


@contextmanager
def mixed_precision(device: torch.device, precision: str = "auto") -> Iterator[None]:
    """Compute in bfloat16 where the device is a GPU that has it and `precision` is "auto".

    With "bfloat16" it is done on any device; new processors have instructions for it.
    """
    fit = device.type == "cuda" and precision == "auto" and torch.cuda.is_bf16_supported()
    fit = fit or precision == "bfloat16"
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=fit):
        yield


def require_precision(network: torch.nn.Module, device: torch.device, precision: str) -> None:
    """Raise `ConfigError` for "bfloat16" where the device has no recurrent layers in it.

    Processors without AVX-512 have none; layers of other kinds are computed so everywhere.
    """
    recurrent = any(isinstance(module, torch.nn.RNNBase) for module in network.modules())
    if precision == "bfloat16" and recurrent and not computes_bfloat16(device.type):
        raise ConfigError(
            "this device cannot compute recurrent layers in bfloat16",
            hint='Leave training.precision at "auto", or train where the device has them',
        )


@cache
def computes_bfloat16(kind: str) -> bool:
    """Return whether a kind of device ("cpu", "cuda") computes a recurrent layer in bfloat16.

    Torch has no other way to tell than to try.
    """
    layer = torch.nn.LSTM(8, 8, bidirectional=True).to(kind)
    try:
        with torch.no_grad(), torch.autocast(kind, dtype=torch.bfloat16):
            layer(torch.zeros(2, 1, 8, device=kind))
    except RuntimeError:
        return False
    return True


def _flushes_denormals() -> bool:
    return float(torch.tensor(1e-310, dtype=torch.float64) * 1.0) == 0.0


@contextmanager
def memory_advice(advice: str) -> Iterator[None]:
    """Turn the errors of a lack of memory into a `ConfigError` with advice."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        lacking = isinstance(error, (MemoryError, torch.OutOfMemoryError))
        if not lacking and not any(words in str(error) for words in _NO_MEMORY):
            raise
        raise ConfigError("training ran out of memory", hint=advice) from error
