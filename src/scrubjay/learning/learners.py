"""The table of learners: a kind of model -> the learner that fits it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from scrubjay.artifacts import Manifest
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.learning.configs import Config
from scrubjay.learning.preparation import Progress

LEARNERS: Mapping[str, str] = {
    "bilstm": "scrubjay.learning.bilstm:BilstmLearner",
    "crf": "scrubjay.learning.crf:CrfLearner",
    "tbed": "scrubjay.learning.tbed:TbedLearner",
    "transformer": "scrubjay.learning.transformer:TransformerLearner",
}
"""Kind of a configuration -> where its learner is."""

#: The kinds whose training can be interrupted and resumed.
RESUMABLE = frozenset({"bilstm", "tbed", "transformer"})

#: The kinds whose detectors have a recall dial.
DIALLED = frozenset({"bilstm", "crf", "transformer"})

#: The kinds that can be trained on a GPU.
ON_DEVICES = frozenset({"bilstm", "transformer"})


class Trained(Protocol):
    """A fitted detector that can be saved."""

    manifest: Manifest

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `detect` can give."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""

    def files(self) -> dict[str, bytes]:
        """Return the files of its artifact."""


class Learner(Protocol):
    """Frozen configuration that fits a detector."""

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = ...,
    ) -> Trained:
        """Return a detector trained on documents with gold spans; `dev` is never trained on."""


def make_learner(
    config: Config,
    *,
    language: str,
    label_set: str = "",
    name: str = "",
    checkpoint: Path | None = None,
    device: str = "auto",
) -> Learner:
    """Return the learner of a configuration's kind.

    `label_set` is a name or a TOML file, "" where none is known. Raises `ConfigError` for a
    `checkpoint` where the learner cannot be resumed, and a `device` where it has no use for one.
    """
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        if config.kind not in RESUMABLE:
            raise ConfigError(
                f"the training of {config.name!r} cannot be resumed", hint="Leave --checkpoint out"
            )
        settings["checkpoint"] = checkpoint
    if config.kind in ON_DEVICES:
        settings["device"] = device
    elif device not in ("auto", "cpu"):
        raise ConfigError(f"{config.name!r} is trained on the CPU", hint="Leave --device out")
    module, _, attribute = LEARNERS[config.kind].partition(":")
    learner: Learner = getattr(importlib.import_module(module), attribute)(
        config, language=language, label_set=label_set, name=name, **settings
    )
    return learner


def side_checkpoint(checkpoint: Path) -> Path:
    """Return the folder beside a checkpoint for those of what is trained before the model."""
    return checkpoint.with_name(f"{checkpoint.name}.before")
