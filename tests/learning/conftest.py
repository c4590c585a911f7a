"""What the tests of learning share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

_TRIED: set[tuple[str, int, str]] = set()
"""Exports that have worked: of what, for windows of which size, and the layers with their sizes."""


@pytest.fixture(scope="module")
def exports_tried_once() -> Iterator[None]:
    """Try before a training whether its encoder can be exported, but once for encoders alike.

    A trial takes seconds, a tiny training less than one. What is exported after the training, and
    compared with its network, is exported each time.
    """
    from scrubjay.learning.neural import encoded_fit, tuned_encoder

    with pytest.MonkeyPatch.context() as patch:
        for module in (encoded_fit, tuned_encoder):
            for name in ("require_classifier_graph", "require_encoder_graph"):
                if hasattr(module, name):
                    patch.setattr(module, name, _once(name, getattr(module, name)))
        yield


def _once(name: str, real: Callable[..., None]) -> Callable[..., None]:
    def tried(network: Any, *, window: int) -> None:
        kind = (name, window, str(network))
        if kind not in _TRIED:
            real(network, window=window)
            _TRIED.add(kind)

    return tried
