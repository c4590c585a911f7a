"""The table of learners: a kind of model -> the learner that fits it."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from scrubjay.artifacts import Manifest
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.labels import find_label_set
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import Config, CrfConfig
from scrubjay.learning.copies import add_copies
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.ensemble_config import MEMBERS_DIALLED, EnsembleConfig, MemberConfig
from scrubjay.learning.preparation import Progress
from scrubjay.learning.starts import STARTING, find_start, find_teacher
from scrubjay.learning.tbed_config import TbedConfig

LEARNERS: Mapping[str, str] = {
    "bilstm": "scrubjay.learning.bilstm:BilstmLearner",
    "crf": "scrubjay.learning.crf:CrfLearner",
    "encoder-bilstm": "scrubjay.learning.encoder_bilstm:EncoderBilstmLearner",
    "ensemble": "scrubjay.learning.ensemble:EnsembleLearner",
    "tbed": "scrubjay.learning.tbed:TbedLearner",
    "transformer": "scrubjay.learning.transformer:TransformerLearner",
}
"""Kind of a configuration -> where its learner is."""

#: The kinds whose training can be interrupted and resumed.
RESUMABLE = frozenset({"bilstm", "encoder-bilstm", "ensemble", "tbed", "transformer"})

#: Those of them whose state is a folder, which is kept: other trainings may find their parts in it.
KEEPING = frozenset({"ensemble"})

#: The kinds that can learn from a network that was trained before.
TAUGHT = frozenset({"encoder-bilstm"})

#: The kinds whose detectors have a recall dial.
DIALLED = frozenset({"bilstm", "crf", "encoder-bilstm", "ensemble", "transformer"})

#: The kinds that can be trained on a GPU.
ON_DEVICES = frozenset({"bilstm", "encoder-bilstm", "ensemble", "transformer"})

#: The kinds whose training can be bound to a number of threads.
THREADED = frozenset({"bilstm", "ensemble"})

#: The kinds that train several models, which processes can share.
SHARED = frozenset({"ensemble"})

#: The kinds that make copies of documents with other PHI themselves, apart for each model.
COPYING = frozenset({"ensemble"})


def is_seeded(config: MemberConfig) -> bool:
    """Tell whether another seed may give another model of the same documents."""
    if isinstance(config, CrfConfig):
        return config.training.algorithm != "lbfgs"
    return config.kind != "tbed"


def stops_by_dev(config: Config | MemberConfig) -> bool:
    """Tell whether dev data has a say in when training ends; an ensemble asks for each member."""
    if isinstance(config, TbedConfig):
        return config.training.patience > 0
    return not isinstance(config, (CrfConfig, EnsembleConfig))


def has_dial(config: Config) -> bool:
    """Tell whether what a configuration trains has a recall dial."""
    if isinstance(config, EnsembleConfig) and config.combiner.method in MEMBERS_DIALLED:
        return any(member.kind in (*DIALLED, "model") for member in config.members)
    return config.kind in DIALLED


class Trained(Protocol):
    """A fitted detector that can be saved."""

    @property
    def manifest(self) -> Manifest:
        """Return what its artifact says of it."""

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
    threads: int = 0,
    jobs: int = 1,
    swap_copies: int = 0,
    start_from: str | Path | None = None,
    start_member: str = "",
    teacher: Path | None = None,
    save_weights: Path | None = None,
) -> Learner:
    """Return the learner of a configuration's kind.

    `label_set` is a name or a TOML file, "" where none is known. `threads` is for the kinds in
    `THREADED`, `swap_copies` for those in `COPYING`. Raises `ConfigError` for a `checkpoint` where
    the learner cannot be resumed, for weights to start from or to save where it is not in
    `STARTING`, for a `teacher` where it is not in `TAUGHT`, and for a `device` or several `jobs`
    where it has no use for them.
    """
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        if config.kind not in RESUMABLE:
            raise ConfigError(
                f"the training of {config.name!r} cannot be resumed", hint="Leave --checkpoint out"
            )
        settings["checkpoint"] = checkpoint
    require_start(config, start_from, save_weights, member=start_member)
    require_teacher(config, teacher)
    if config.kind in STARTING:
        settings |= {
            "start_from": start_from,
            "start_member": start_member,
            "save_weights": save_weights,
        }
    if config.kind in TAUGHT:
        settings["teacher"] = teacher
    if config.kind in ON_DEVICES:
        settings["device"] = device
    elif device not in ("auto", "cpu"):
        raise ConfigError(f"{config.name!r} is trained on the CPU", hint="Leave --device out")
    if config.kind in THREADED:
        settings["threads"] = threads
    if config.kind in SHARED:
        settings["jobs"] = jobs
    elif jobs != 1:
        raise ConfigError(f"{config.name!r} is trained in one process", hint="Leave --jobs out")
    if config.kind in COPYING:
        settings["swap_copies"] = swap_copies
    module, _, attribute = LEARNERS[config.kind].partition(":")
    learner: Learner = getattr(importlib.import_module(module), attribute)(
        config, language=language, label_set=label_set, name=name, **settings
    )
    return learner


def fit_config(
    config: Config,
    documents: Sequence[Document],
    *,
    language: str,
    label_set: str,
    dev: Sequence[Document],
    seed: int,
    swap_copies: int,
    progress: Progress,
    **settings: Any,
) -> Trained:
    """Return what a configuration makes of documents and of copies of them with other PHI.

    `settings` are further ones of `make_learner`. Raises like it and `Learner.fit`.
    """
    learner = make_learner(
        config, language=language, label_set=label_set, swap_copies=swap_copies, **settings
    )
    training = add_copies(
        documents,
        0 if config.kind in COPYING else swap_copies,
        language=language,
        label_set=find_label_set(label_set) if label_set else None,
        seed=seed,
    )
    return learner.fit(training, dev=dev, seed=seed, progress=progress)


def require_start(
    config: Config,
    start_from: str | Path | None,
    save_weights: Path | None,
    *,
    member: str = "",
) -> None:
    """Raise `ConfigError` for weights that are not there, or that the kind has no use for.

    So does the name of a `member` without a model.
    """
    if member and start_from is None:
        raise ConfigError(
            f"there is no model that {member!r} could be a member of",
            hint="Give it with --start-from, or leave --start-member out",
        )
    if config.kind not in STARTING and (start_from is not None or save_weights is not None):
        raise ConfigError(
            f"the training of {config.name!r} starts from no weights, and saves none",
            hint="Leave --start-from and --save-weights out, or name a network by --config",
        )
    contextual = isinstance(config, BilstmConfig) and config.contextual.models
    if contextual and (start_from is not None or save_weights is not None):
        raise ConfigError(
            "a network with contextual embeddings starts from no weights, and saves none",
            hint="Leave [contextual] out, or --start-from and --save-weights",
        )
    if start_from is not None:
        find_start(start_from)


def require_teacher(config: Config, teacher: Path | None) -> None:
    """Raise `ConfigError` for a teacher that is not there, or that the kind cannot learn from."""
    if teacher is None:
        return
    if config.kind not in TAUGHT:
        raise ConfigError(
            f"the training of {config.name!r} has no teacher", hint="Leave --teacher out"
        )
    if isinstance(config, EncoderBilstmConfig) and not config.encoder.path:
        raise ConfigError(
            f"the training of {config.name!r} has no encoder that could learn from a teacher",
            hint="Give one with --encoder, or leave --teacher out",
        )
    find_teacher(teacher)


def drop_checkpoint(checkpoint: Path) -> None:
    """Remove a checkpoint that is a file, and what lies beside it, once a training is over."""
    checkpoint.unlink(missing_ok=True)
    shutil.rmtree(side_checkpoint(checkpoint), ignore_errors=True)


def side_checkpoint(checkpoint: Path) -> Path:
    """Return the folder beside a checkpoint for those of what is trained before the model."""
    return checkpoint.with_name(f"{checkpoint.name}.before")
