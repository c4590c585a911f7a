"""Ensembles for tests, of members that train in a blink."""

from __future__ import annotations

import tomllib
from typing import Any

from scrubjay.learning.configs import build_config
from scrubjay.learning.ensemble_config import EnsembleConfig
from tests.tiny_crf import TINY
from tests.tiny_tbed import TINY_RULES


def tiny_table(method: str = "svm", **combiner: Any) -> dict[str, Any]:
    """Return the table of an ensemble of rules, a CRF and patterns."""
    return {
        "kind": "ensemble",
        "members": {
            "rules": {"config": tomllib.loads(TINY_RULES) | {"training": {"max-rules": 25}}},
            "crf": {"config": tomllib.loads(TINY) | {"training": {"max-iterations": 8}}},
            "patterns": {"config": "patterns"},
        },
        "combiner": {"method": method, **combiner},
        "crossfit": {"folds": 3, "by": "document"},
    }


def tiny_ensemble(method: str = "svm", **combiner: Any) -> EnsembleConfig:
    """Return that ensemble."""
    config = build_config(tiny_table(method, **combiner), origin="tiny")
    assert isinstance(config, EnsembleConfig)
    return config
