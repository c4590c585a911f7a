"""A rule learner's configuration for tests, with every kind of template, that learns in a blink."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrubjay.learning.configs import parse_config
from scrubjay.learning.tbed_config import TbedConfig

TINY_RULES = """
kind = "tbed"
initial = "none"
[templates]
scope = "sentence"
dictionary-documents = 1
[templates.groups]
words = ["lower", "previous.lower", "lower@-3..-1", "short-shape next.lower", "dictionary:*"]
tags = ["next.tag", "previous.tag short-shape", "tag@-2..-1 lower"]
places = ["pattern", "key short-shape", "lexicon:*.months previous.tag"]
[training]
min-score = 1
"""
"""The configuration as a file has it."""


def tiny_rules(**training: Any) -> TbedConfig:
    """Return the tiny configuration with some settings of its training changed."""
    config = parse_config(TINY_RULES, origin="tiny")
    assert isinstance(config, TbedConfig)
    return replace(config, training=replace(config.training, **training))
