"""What the tests of recurrent taggers share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Artifact, load_artifact, save_artifact
from scrubjay.document import Document
from scrubjay.taggers.bilstm import BilstmDetector, BilstmModel
from scrubjay.text.tokens import Tokens
from tests.tiny_bilstm import Weights, tiny_model


def tokenize(detector: BilstmDetector, documents: list[Document]) -> list[Tokens]:
    """Return the tokens of documents as the detector cuts them."""
    return [detector.tokenizer.tokenize(document.text) for document in documents]


def save(detector: BilstmDetector, folder: Path, **changes: bytes) -> Artifact:
    """Save a detector with some files changed."""
    files = {**detector.files(), **changes}
    save_artifact(folder, detector.manifest, files=files)
    return load_artifact(folder)


def with_names(**files: bytes) -> dict[str, bytes]:
    """Return files by names whose dot is written as two underscores."""
    return {name.replace("__", "."): content for name, content in files.items()}


class ToyEmbedder:
    """Gives each token the code points of its first and last character, from a file's factor."""

    dimension = 2

    def __init__(self, files: dict[str, bytes], *, threads: int) -> None:
        assert threads == 1, "a tagger runs on one thread"
        self.factor = float(files["factor.txt"])

    def embed(self, batch: list[Tokens]) -> np.ndarray[Any, Any]:
        """Return (n, 2) vectors of a batch."""
        rows = [
            (ord(tokens.text[start]), ord(tokens.text[end - 1]))
            for tokens in batch
            for start, end in zip(tokens.starts, tokens.ends, strict=True)
        ]
        return np.array(rows, dtype=np.float32).reshape(-1, 2) * np.float32(self.factor)


def with_embedder(monkeypatch: pytest.MonkeyPatch) -> tuple[BilstmModel, Weights]:
    """Return a model that reads contextual embeddings, those of `ToyEmbedder`, and its weights."""
    module = pytest.importorskip("scrubjay.features.contextual")
    monkeypatch.setattr(module, "ContextualEmbedder", ToyEmbedder)
    model, weights = tiny_model(contextual=2)
    return replace(model, contextual={"factor.txt": b"0.01"}), weights
