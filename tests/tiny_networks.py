"""A configuration of a recurrent tagger for tests that trains in a second or two."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import parse_config

TINY_NETWORK = """
kind = "bilstm"
[features.groups.all]
attributes = ["short-shape", "suffix2", "key", "sentence-begins", "dictionary:*"]
[words]
dimension = 16
[characters]
dimension = 8
kernels = [2, 3]
channels = 6
longest = 12
[network]
hidden = 16
feature-dimension = 3
dropout = 0.1
[windows]
size = 24
context = 6
[training]
learning-rate = 0.02
epochs = 8
batch = 4
"""
"""The configuration as a file has it."""


def tiny_network(**sections: dict[str, Any]) -> BilstmConfig:
    """Return the tiny configuration with some settings of some sections changed."""
    config = parse_config(TINY_NETWORK, origin="tiny")
    assert isinstance(config, BilstmConfig)
    changed = {name: replace(getattr(config, name), **values) for name, values in sections.items()}
    return replace(config, **changed)


def require_packages() -> None:
    """Skip a test where a package that training needs is not installed."""
    import pytest

    for package in ("torch", "onnx", "onnxruntime"):
        pytest.importorskip(package, reason="training needs the extra `train`")
