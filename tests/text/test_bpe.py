"""Byte pair encoding: our merging equals that of the package `tokenizers`."""

from __future__ import annotations

import random
import sys
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.text.bpe import piece_starts, rank_merges, train_merges
from scrubjay.text.tokenizers import make_tokenizer

SENTENCES = (
    "la paciente refiere dolor torácico opresivo irradiado a brazo izquierdo",
    "the patient presented with progressive dyspnea and was presented to cardiology",
    "patientenzorg tijdens het gesprek met de patiënte en haar dochter 2016 2017 2016 12 12 120",
)
CORPUS = [word for sentence in SENTENCES for word in sentence.split()] * 5

Merges = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def merges() -> Merges:
    pytest.importorskip("tokenizers")
    return train_merges(CORPUS, 60)


def _package(merges: Merges, alphabet: str) -> Any:
    from tokenizers import Tokenizer, models

    symbols = dict.fromkeys([*alphabet, *(left + right for left, right in merges)])
    vocabulary = {symbol: number for number, symbol in enumerate(symbols)}
    return Tokenizer(models.BPE(vocab=vocabulary, merges=list(merges)))


def _pieces(word: str, merges: Merges) -> list[str]:
    starts = piece_starts(word, rank_merges(merges))
    return [word[s:e] for s, e in zip(starts, [*starts[1:], len(word)], strict=True)]


def test_training_learns_what_is_frequent(merges: Merges) -> None:
    assert 0 < len(merges) <= 60
    assert _pieces("patient", merges) == ["patient"]
    assert _pieces("zzq", merges) == ["z", "z", "q"]


def test_training_depends_on_counts_alone(merges: Merges) -> None:
    shuffled = list(CORPUS)
    random.Random(3).shuffle(shuffled)
    assert train_merges(iter(shuffled), 60) == merges
    assert train_merges(CORPUS, 20) == merges[:20]
    assert train_merges([], 20) == ()
    assert train_merges(CORPUS, 0) == ()


@given(word=st.text(st.sampled_from("aeinoprtdc12"), min_size=1, max_size=25))
@settings(max_examples=100)
def test_pieces_equal_those_of_the_package(merges: Merges, word: str) -> None:
    alphabet = "".join(sorted(set("".join(CORPUS))))
    package = _package(merges, alphabet)
    assert _pieces(word, merges) == package.encode(word).tokens


def test_pieces_equal_those_of_the_package_on_real_words(merges: Merges) -> None:
    package = _package(merges, "".join(sorted(set("".join(CORPUS)))))
    for word in sorted(set(CORPUS)):
        assert _pieces(word, merges) == package.encode(word).tokens


@given(
    word=st.text(st.sampled_from("abc"), min_size=1, max_size=12),
    pairs=st.lists(st.tuples(*[st.text(st.sampled_from("abc"), min_size=1, max_size=2)] * 2)),
)
@settings(max_examples=100)
def test_pieces_equal_the_plain_rule(word: str, pairs: list[tuple[str, str]]) -> None:
    ranks = rank_merges(pairs)
    pieces = list(word)
    while True:
        found = [
            (ranks[pair], place) for place, pair in enumerate(pairwise(pieces)) if pair in ranks
        ]
        if not found:
            break
        place = min(found)[1]
        pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
    assert _pieces(word, tuple(pairs)) == pieces


def test_a_long_word_takes_no_quadratic_time() -> None:
    ranks = rank_merges([("a", "b"), ("ab", "ab")])
    assert len(piece_starts("ab" * 50_000, ranks)) == 25_000


def test_marks_stay_with_their_letter() -> None:
    assert piece_starts("e\u0301e\u0301", rank_merges([])) == (0, 2)
    assert piece_starts("ae\u0301", rank_merges([["a", "e"]])) == (0,)


def test_the_tokenizer_keeps_its_merges(merges: Merges) -> None:
    tokenizer = make_tokenizer("subword", merges=merges)
    assert tokenizer.parameters()["merges"] == [list(pair) for pair in merges]
    assert repr(tokenizer) == (
        f"SubwordTokenizer(uppercase='camel', {len(merges)} merges, sentences='clinical')"
    )
    tokens = tokenizer.tokenize("la patient zz")
    assert tokens.words() == ["la", "patient", "z", "z"]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"scrubjay\[train\]"):
        train_merges(CORPUS, 3)


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(ConfigError):
        train_merges(CORPUS, -1)
