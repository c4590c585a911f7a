"""The table of kinds: what kind of model a saved one is -> the module that loads it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from scrubjay.artifacts import MANIFEST, Artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError

KINDS: Mapping[str, str] = {
    "bilstm": "scrubjay.taggers.bilstm",
    "crf": "scrubjay.taggers.crf",
    "ensemble": "scrubjay.taggers.ensemble",
    "regex": "scrubjay.taggers.regex",
    "tbed": "scrubjay.taggers.tbed",
    "transformer": "scrubjay.taggers.transformer",
}
"""Kind of a model -> the module with its `load_<kind>(artifact)` and `stored_words(artifact)`."""

PARTS: Mapping[str, str] = {
    "charlm": "scrubjay.features.contextual",
    "vectors": "scrubjay.features.vectors",
}
"""Kind of what taggers are made with, and which finds no PHI by itself -> the module with its
`stored_words(artifact)`."""


class Loaded(Protocol):
    """What a loaded model can do; `files` are those that it was loaded from."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `detect` can give."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""

    def files(self) -> dict[str, bytes]:
        """Return the files of its artifact."""


def load_artifact_model(artifact: Artifact) -> Loaded:
    """Return the detector of a verified artifact, by the kind that its manifest states.

    Raises `ConfigError` for what is only a part of taggers, and `ArtifactError` for a kind that
    this release does not know and for damaged files.
    """
    if artifact.manifest.kind in PARTS:
        raise ConfigError(
            f"a model of the kind {artifact.manifest.kind!r} finds no PHI by itself",
            path=artifact.folder,
            hint="Name its folder in the configuration of a tagger",
        )
    load: Callable[[Artifact], Loaded] = _hook(artifact, f"load_{artifact.manifest.kind}")
    return load(artifact)


def read_stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield the words of its training data that an artifact stores; raises like loading it."""
    stored: Callable[[Artifact], Iterator[str]] = _hook(artifact, "stored_words")
    return stored(artifact)


def _hook(artifact: Artifact, attribute: str) -> Any:
    """Return a function of the module of the artifact's kind."""
    kind = artifact.manifest.kind
    modules = {**KINDS, **PARTS}
    if kind not in modules:
        raise ArtifactError(
            f"{artifact.folder / MANIFEST}: unknown kind of model {kind!r}. This release knows: "
            f"{', '.join(sorted(modules))}; install the one that wrote the model"
        )
    return getattr(importlib.import_module(modules[kind]), attribute)
