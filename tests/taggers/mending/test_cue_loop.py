"""The compiled search for cues finds what the plain one does, and all that steps look for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.taggers._mending import cues
from scrubjay.taggers._mending.cue_loop import KINDS
from scrubjay.taggers._mending.cues import Cues, find_cues
from scrubjay.taggers._mending.people.bare_surnames import (
    CREDENTIALS,
    DEEDS,
    RELATIVES,
    SAYINGS,
    add_bare_surnames,
)
from scrubjay.taggers._mending.people.initials import KEYS, add_initials
from tests.taggers.mending.test_cues import PIECES
from tests.taggers.mending.test_cues import TEXTS as KEYED_TEXTS

pytest.importorskip("numba")

BESIDE = [*KEYS, *DEEDS, *SAYINGS, *CREDENTIALS, *RELATIVES]
NAMES = st.sampled_from(["Hess", "Graves", "Rice", "GRIMALDIAN", "É"])
SIGNS_BETWEEN = st.sampled_from([
    " ", "  ", ", ", "'s ", "s' ", "’s ", " (", "(", "\n", "\r\n", "/", ": ", ":", "|", "\t", "-",
    "–", '"', "“", "7", " 15 ", "A", "y", " F", "@", "`", "\x0f", "\x00", "_", "'", "4B", "lv/ca",
    "µ", "İ", "漢", "ÿ", "À",
])  # fmt: skip
TEXTS = st.lists(
    st.lists(
        st.one_of(
            PIECES, NAMES, SIGNS_BETWEEN,
            st.sampled_from(BESIDE), st.sampled_from(KEYS).map(str.upper),
        ),
        max_size=9,
    ).map("".join),
    max_size=4,
)  # fmt: skip
LOOSE = "beside"
"""The kind of which the kernel looks at whole words, and the plain search at their begins: what the
steps that look at the text there find is the same."""


def look_at(text: str, places: list[int]) -> list[object]:
    """Return what the steps that look beside such words find at places."""
    return [add_bare_surnames(text, (), places), add_initials(text, (), pairs=(), keys=places)]


def find_both(texts: Sequence[str], language: str) -> tuple[list[Cues], list[Cues]]:
    """Return what the plain search finds, and what the compiled one does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cues, "use_compiled", lambda *_, **__: False)
        plain = find_cues(texts, language)
        patch.setattr(cues, "use_compiled", lambda *_, **__: True)
        return plain, find_cues(texts, language)


@given(st.one_of(TEXTS, KEYED_TEXTS), st.sampled_from(["en", "nl", "es"]))
@example(["Na 129 :", "", "7", "M"], "en")
@example(["Graves RN| 3pm", "| Graves RN? at bedside", 'Hess MD"', "rm\x00 Hess RN*"], "en")
@settings(deadline=None)
def test_the_kernel_finds_what_the_plain_search_does(texts: list[str], language: str) -> None:
    for text, plain, fast in zip(texts, *find_both(texts, language), strict=True):
        for kind in KINDS:
            own, other = getattr(plain, kind), getattr(fast, kind)
            if kind == LOOSE:
                assert set(other) <= set(own)
                assert other == sorted(other)
                assert look_at(text, own) == look_at(text, other)
            else:
                assert other == own, kind


@given(TEXTS)
@settings(deadline=None)
def test_no_surname_beside_a_word_is_left_out(texts: list[str]) -> None:
    _, found = find_both(texts, "en")
    for text, fast in zip(texts, found, strict=True):
        assert look_at(text, fast.beside) == look_at(text, list(range(len(text))))


def test_each_word_is_found_where_it_may_tell_of_somebody() -> None:
    texts = [f"Hess {verb} to" for verb in DEEDS]
    texts += [f"{saying} Hess" for saying in SAYINGS]
    texts += [f"{saying[0].upper()}{saying[1:]} Hess" for saying in SAYINGS]
    texts += [f"Hess, {credential}" for credential in CREDENTIALS]
    texts += [f"Hess's {relative} here" for relative in RELATIVES]
    texts += [f"({key.upper()}: gm" for key in KEYS]
    _, found = find_both(texts, "en")
    for text, fast in zip(texts, found, strict=True):
        assert fast.beside, text


@pytest.mark.parametrize(
    "text",
    ["The presentation of Hess", "Hess deniesx", "discussed with the", "signs", "family history",
     "Hess MDs", "room air"],
)  # fmt: skip
def test_other_words_are_passed_over(text: str) -> None:
    _, (fast,) = find_both([text], "en")
    assert not fast.beside


@pytest.mark.parametrize(
    "texts",
    [["name: x|" * 400], ["Hess MD (" * 300, "", "x| " * 200], [": " * 999, "tech " * 99]],
)
def test_texts_dense_in_cues_take_another_walk(texts: list[str]) -> None:
    plain, fast = find_both(texts, "en")
    signs = sum(map(len, texts))
    most = max(sum(len(getattr(one, kind)) for one in fast) for kind in KINDS)
    assert most > signs // 20 + 1
    for kind in KINDS:
        if kind != LOOSE:
            assert [getattr(one, kind) for one in fast] == [getattr(one, kind) for one in plain]


def test_a_long_text_takes_a_few_bytes_a_sign() -> None:
    text = "The patient slept well, and ate some of the soup. " * 20_000
    find_both(["warm up"], "en")
    rooms: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        make = np.empty

        def empty(size: int | tuple[int, ...], dtype: type[np.int32]) -> object:
            rooms.append(math.prod(np.atleast_1d(size)) * np.dtype(dtype).itemsize)
            return make(size, dtype)

        patch.setattr(np, "empty", empty)
        find_both([text], "en")
    assert rooms
    assert sum(rooms) < 5 * len(text)


def test_every_kind_has_its_place() -> None:
    assert {field.name for field in fields(Cues)} == {*KINDS, "rare_steps", "odd_parts"}
