"""Texts cut by the kernel against the same cut by numpy and by expressions."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.text import tokenizers
from scrubjay.text.sentences import SENTENCE_MODES, SentenceMode
from scrubjay.text.subwords import UppercasePolicy
from scrubjay.text.tokenizers import cut_compiled, make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import make_notes
from tests.strategies import CLINICAL_PIECES, NASTY_PIECES, texts
from tests.text.test_wrapping import PROSE

pytest.importorskip("numba")

POLICIES: tuple[UppercasePolicy, ...] = ("camel", "every", "none")

PIECES = (
    *CLINICAL_PIECES,
    *NASTY_PIECES,
    *("\n" * 6),
    *(" " * 6),
    *("Dr.", "p.m.", "St.", "No.", "etc.", "word", "Word", "WORD", "hemi-", "word,", "end?", "a."),
    *(
        "- ",
        "1) ",
        "(a) ",
        "(12. ",
        "h. ",
        "i. ",
        "1234. ",
        "key: ",
        "two words :",
        "Key",
        ":",
        "_",
    ),
    *("   x", "a\tb", "\u0301", "²", "½", "ǅ", "ª", "*", "…", ")", "”", "NEW LINE HERE", "x" * 38),
)
"""What lines are told apart by."""


def _plain(text: str, uppercase: UppercasePolicy, sentences: SentenceMode) -> Tokens:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizers, "use_compiled", lambda size, late: False)
        tokenizer = make_tokenizer("subword", uppercase=uppercase, sentences=sentences)
        return tokenizer.tokenize(text)


def _require_same(text: str, uppercase: UppercasePolicy, sentences: SentenceMode) -> None:
    plain = _plain(text, uppercase, sentences)
    cut = cut_compiled(text, uppercase=uppercase, sentences=sentences)
    if cut is None:
        assert max(text) >= "\U00010000"
        return
    for name in ("starts", "ends", "sentence_starts"):
        one, other = getattr(cut, name), getattr(plain, name)
        np.testing.assert_array_equal(one, other, err_msg=name)
        assert one.dtype == other.dtype == np.int32, name


@settings(max_examples=300)
@given(
    st.one_of(texts(), st.lists(st.sampled_from(PIECES), max_size=24).map("".join)),
    st.sampled_from(POLICIES),
    st.sampled_from(SENTENCE_MODES),
)
@example("", "camel", "paragraph")
@example("\u0301a \u0301\u0301b\n\u0301", "camel", "paragraph")
@example("he was seen by Dr.\nVincent and\r\n\r\nwell", "camel", "paragraph")
def test_the_kernel_cuts_alike(
    text: str, uppercase: UppercasePolicy, sentences: SentenceMode
) -> None:
    _require_same(text, uppercase, sentences)


@given(
    st.lists(st.text(alphabet="aA1_:- .\t²(", max_size=12), min_size=2, max_size=4),
    st.sampled_from(["\n", "\r\n", "\r", "\x1e"]),
)
@settings(max_examples=300)
def test_lines_of_few_characters(lines: list[str], end: str) -> None:
    _require_same(end.join(lines), "camel", "paragraph")


@given(st.integers(30, 120), st.sampled_from(["\n", "\r\n", "\u2028"]), st.booleans())
def test_wrapped_prose(width: int, end: str, shouted: bool) -> None:
    prose = f"{PROSE}. {PROSE.capitalize()}, dr. {PROSE}: {PROSE}"
    lines = textwrap.wrap(prose.upper() if shouted else prose, width)
    _require_same(end.join(lines) * 2, "camel", "paragraph")


@pytest.mark.parametrize("sentences", SENTENCE_MODES)
def test_notes_and_long_texts(sentences: SentenceMode) -> None:
    for document in make_notes(10, seed=3):
        _require_same(document.text, "camel", sentences)
    for piece in ("a ", "a.", "a", "\n", "a, b\n", ": ", " \t"):
        _require_same(piece * 3000, "camel", sentences)


def test_astral_characters_are_left_to_numpy() -> None:
    assert cut_compiled("a \U0001f468", uppercase="camel", sentences="none") is None
