"""The compiled walk over texts tells of their capitals what the plain search does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.features import capitals
from scrubjay.features._case_walk import look_through, sieve_words
from scrubjay.features.capitals import find_capitals

PIECES = st.sampled_from([
    "Seen by Dr Okafor, ", "seen by dr okafor in leeds ", "smith ", "utrecht ", "garcía ", "maria",
    "José, ", "ñandú ", "5 mg ", "Nº 5", "m² ", "?", "é", "-", "A", "b ", "\n",
    "\n\n", "😀", "µg ", "…",
    "THE PATIENT WAS SEEN TODAY IN THE WARD BY HIM", "RESTS WELL. ", "PO", "4 of 5\n",
    "Then she Went to the Shop with the Doctor. ", "Patient Went Home Today. ",
])  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40), max_size=5)


def as_compiled(texts: list[str], language: str) -> list[str]:
    pytest.importorskip("numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capitals, "use_compiled", lambda *_, **__: True)
        return find_capitals(language).restore_all(texts)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["en", "nl", "es"]))
def test_texts_get_their_capitals_alike(texts: list[str], language: str) -> None:
    plain = [find_capitals(language).restore(text) for text in texts]
    assert as_compiled(texts, language) == plain


def test_a_text_that_lacks_none_is_the_very_same() -> None:
    texts = ["Mr. Smith was seen by Dr. Okafor in Leeds, and by Jo Roe."] * 40
    assert all(a is b for a, b in zip(as_compiled(texts, "en"), texts, strict=True))


def test_many_words_that_may_tell_have_room() -> None:
    texts = [20 * "Seen by Dr Okafor. " + 50 * "\nseen by smith, okafor in leeds", "okafor"]
    plain = [find_capitals("en").restore(text) for text in texts]
    assert plain[0] != texts[0]
    assert as_compiled(texts, "en") == plain


def test_a_sieve_lets_its_words_through_and_hardly_others() -> None:
    pytest.importorskip("numba")
    sieve = sieve_words({"roe", "zoë", "st. john", "łódź"})
    (look,) = look_through(["Ann roe and zoë doe, \nTom Łee łódź st. john Roe"], sieve)
    assert [row[:3] for row in look.words] == [(4, 7, 0), (12, 15, 0)]
    assert look.is_plain


@pytest.mark.parametrize(
    ("text", "titled", "within"),
    [("Ann Roe saw Tom, and Jo.", 4, 3), ("the\nTom MacRoe; Ávila", 4, 2), ("", 0, 0)],
)
def test_capitals_are_counted(text: str, titled: int, within: int) -> None:
    pytest.importorskip("numba")
    (look,) = look_through([text], sieve_words({"roe"}))
    assert (look.titled, look.within) == (titled, within)
