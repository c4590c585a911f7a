"""A CRF configuration for tests, with every kind of feature, that trains in a blink."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrubjay.learning.configs import CrfConfig, parse_config

TINY = """
kind = "crf"
[features]
scope = "sentence"
dictionary-documents = 1
[features.groups.all]
attributes = ["lower", "short-shape", "suffix2", "key", "pattern", "dictionary:*"]
offsets = [-1, 0, 1]
crosses = ["lower@-1 lower@0", "key@0 short-shape@0 lower@-1"]
[training]
max-iterations = 30
"""
"""The configuration as a file has it."""


def tiny_config(**training: Any) -> CrfConfig:
    """Return the tiny configuration with some settings of its training changed."""
    config = parse_config(TINY, origin="tiny")
    assert isinstance(config, CrfConfig)
    return replace(config, training=replace(config.training, **training))
