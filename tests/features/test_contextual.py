"""Contextual string embeddings: against one character at a time, and apart from their batch."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ArtifactError
from scrubjay.features import contextual
from scrubjay.features.alphabet import make_alphabet
from scrubjay.features.contextual import ALPHABET, ContextualEmbedder
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.oracles.contextual import embed_slowly
from tests.tiny_charlm import LETTERS, tiny_charlm

FILES = tiny_charlm()
EMBEDDER = ContextualEmbedder(FILES, threads=1)
TOKENIZER = make_tokenizer("subword")
TEXTS = st.text(alphabet=LETTERS + "é😀", max_size=60)


def _tokens(*texts: str) -> list[Tokens]:
    return [TOKENIZER.tokenize(text) for text in texts]


@settings(max_examples=20)
@given(st.lists(TEXTS, max_size=3))
def test_as_one_character_at_a_time(texts: list[str]) -> None:
    batch = _tokens(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contextual, "CHUNK", 7)
        patch.setattr(contextual, "WARM_UP", 3)
        patch.setattr(contextual, "_ROWS", 2)
        found = EMBEDDER.embed(batch)
    expected = [v for t in batch for v in embed_slowly(FILES, t, chunk=7, warm_up=3)]
    assert found.shape == (sum(map(len, batch)), EMBEDDER.dimension)
    assert found.dtype == np.float32
    for vector, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(vector, wanted, atol=1e-5)


def test_no_text_changes_the_vectors_of_another() -> None:
    rng = np.random.default_rng(3)
    texts = ["".join(rng.choice(list(LETTERS), size)) for size in (700, 3, 255, 256, 257, 1500)]
    batch = _tokens(*texts)
    alone = np.concatenate([EMBEDDER.embed([tokens]) for tokens in batch])
    np.testing.assert_allclose(EMBEDDER.embed(batch), alone, atol=1e-5)


def test_far_text_is_not_seen_but_near_text_is() -> None:
    text = "word " * 200
    (plain,) = _tokens(text)
    (changed,) = _tokens("drow " + text[5:])
    before, after = EMBEDDER.embed([plain]), EMBEDDER.embed([changed])
    forward = slice(0, EMBEDDER.dimension // 2)
    assert not np.allclose(before[1, forward], after[1, forward], atol=1e-6)
    np.testing.assert_allclose(before[-1, forward], after[-1, forward], atol=1e-6)


def test_without_tokens_there_are_no_vectors() -> None:
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimension)
    assert EMBEDDER.embed(_tokens("", " \n ")).shape == (0, EMBEDDER.dimension)


def test_files_and_pickles_give_the_same_embedder() -> None:
    batch = _tokens("Seen 12 Jan.")
    expected = EMBEDDER.embed(batch)
    extra = {**EMBEDDER.files(), "weights.npy": b"of the tagger"}
    again = ContextualEmbedder(extra, threads=1)
    np.testing.assert_array_equal(again.embed(batch), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again)).embed(batch), expected)
    assert again.files() == FILES
    assert repr(again) == f"ContextualEmbedder(dimension=12, alphabet={again.alphabet!r})"


def test_missing_damaged_and_unequal_files_are_refused() -> None:
    with pytest.raises(ArtifactError, match=r"lack backward\.onnx"):
        ContextualEmbedder({k: v for k, v in FILES.items() if k[0] != "b"})
    with pytest.raises(ArtifactError, match="graph"):
        ContextualEmbedder({**FILES, "forward.onnx": b"no graph"})
    wider = tiny_charlm(hidden=7)
    with pytest.raises(ArtifactError, match="differ in size"):
        ContextualEmbedder({**FILES, "forward.onnx": wider["forward.onnx"]})


def test_an_alphabet_of_other_models_is_refused() -> None:
    larger = make_alphabet([LETTERS, "é"]).to_json().encode()
    with pytest.raises(ArtifactError, match="the alphabet is not that of the character language"):
        ContextualEmbedder({**FILES, ALPHABET: larger})
