"""What the tests of recurrent taggers share; what they need of packages they ask for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scrubjay.document import Document
from tests.corpus_samples import make_notes

if TYPE_CHECKING:
    from scrubjay.taggers.bilstm import BilstmDetector, BilstmModel
    from tests.tiny_bilstm import Weights


@pytest.fixture(scope="module")
def built() -> tuple[BilstmModel, Weights]:
    """A model with every kind of input, and its weights."""
    from tests.tiny_bilstm import tiny_model

    return tiny_model()


@pytest.fixture(scope="module")
def model(built: tuple[BilstmModel, Weights]) -> BilstmModel:
    """The model alone."""
    return built[0]


@pytest.fixture(scope="module")
def detector(model: BilstmModel) -> BilstmDetector:
    """A detector of it."""
    from tests.tiny_bilstm import tiny_detector

    return tiny_detector(model)


@pytest.fixture
def contextual(monkeypatch: pytest.MonkeyPatch) -> tuple[BilstmModel, Weights]:
    """A model that reads contextual embeddings, and its weights."""
    from tests.taggers.bilstm_samples import with_embedder

    return with_embedder(monkeypatch)


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    """Notes with words that the model does not know among others."""
    return make_notes(12, seed=2)
