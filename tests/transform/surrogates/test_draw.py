"""Draws: the same everywhere under one key, never what is avoided, silent about the key."""

import hmac
import re
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.surrogates.draw import (
    Draw,
    _message,
    fold,
    fold_known,
    fold_plainly,
    heading,
    letters_of,
    row,
    row_known,
    row_of_fold,
)  # fmt: skip
from scrubjay.transform.surrogates.operator import Surrogate

KEY = b"0123456789abcdef0123456789abcdef"
words = st.text(max_size=8)


def test_a_draw_is_the_same_in_another_process_under_another_hash_seed() -> None:
    script = (
        "from scrubjay.transform.surrogates.draw import Draw\n"
        f"draw = Draw({KEY!r}, 'p1')\n"
        "print(draw.whole(0, 10**12, 'shift'), draw.choose('abcdefgh', 'x'), draw.order(6))"
    )
    draw = Draw(KEY, "p1")
    expected = f"{draw.whole(0, 10**12, 'shift')} {draw.choose('abcdefgh', 'x')} {draw.order(6)}"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert run.stdout.strip() == expected


def test_the_draws_of_version_1_stay_what_they_are() -> None:
    """A change here would break the consistency of everybody's earlier output."""
    draw = Draw(KEY, "p1")
    assert draw.whole(0, 10**12, "shift") == WHOLE
    assert draw.choose(["anna", "berta", "clara", "dora"], "name", "x") == CHOSEN


@given(st.text(), st.lists(words, min_size=1, max_size=3), st.integers(0, 99))
def test_a_draw_is_the_hmac_of_its_words(patient: str, what: list[str], attempt: int) -> None:
    secret = hmac.digest(KEY, _message(("scrubjay surrogates 1", patient)), "sha256")
    plain = hmac.digest(secret, b"%d:" % attempt + _message(tuple(what)), "sha256")
    drawn = Draw(KEY, patient)._number(tuple(what), attempt)
    assert drawn == int.from_bytes(plain[:16], "big")


@given(st.lists(words, max_size=3), st.integers(0, 200), st.integers(1, 10**9))
def test_a_number_below_a_heading_is_the_whole_number(
    what: list[str], last: int, size: int
) -> None:
    draw = Draw(KEY, "p")
    assert draw.below(size, heading(*what), last) == draw.whole(0, size - 1, *what, str(last))


WHOLE, CHOSEN = 642119614892, "dora"


@given(st.lists(words, min_size=1, max_size=6), st.lists(words, max_size=4), words, words)
def test_choose_never_gives_what_is_avoided(
    options: list[str], avoid: list[str], patient: str, what: str
) -> None:
    refused = {fold(text) for text in avoid}
    assume(any(fold(option) not in refused for option in options))
    drawn = Draw(KEY, patient).choose(options, what, avoid=frozenset(avoid))
    assert drawn in options
    assert fold(drawn) not in refused


@given(st.integers(-5, 5), st.integers(0, 9), st.lists(words, max_size=3))
def test_whole_stays_in_its_range(low: int, more: int, what: list[str]) -> None:
    draw = Draw(KEY, "p")
    assert low <= draw.whole(low, low + more, *what) <= low + more
    assert draw.whole(low, low + more, *what) == draw.whole(low, low + more, *what)


@given(st.integers(0, 12), words)
def test_an_order_holds_each_number_once(size: int, what: str) -> None:
    assert sorted(Draw(KEY, "p").order(size, what)) == list(range(size))


def test_all_options_and_all_numbers_come_up() -> None:
    draw = Draw(KEY, "p")
    counts = [0] * 8
    for index in range(4000):
        counts[draw.whole(0, 7, str(index))] += 1
    assert min(counts) > 400
    assert {draw.choose("abcdefgh", str(index)) for index in range(200)} == set("abcdefgh")


def test_another_key_patient_or_word_gives_other_draws() -> None:
    wide = 2**64
    base = Draw(KEY, "p").whole(0, wide, "a", "b")
    others = {
        Draw(KEY[::-1], "p").whole(0, wide, "a", "b"),
        Draw(KEY, "q").whole(0, wide, "a", "b"),
        Draw(KEY, "p").whole(0, wide, "ab", ""),
        Draw(KEY, "p").whole(0, wide, "ab"),
        Draw(KEY, "p").whole(0, wide, "b", "a"),
    }
    assert len(others | {base}) == 6


def test_nothing_left_is_an_error_without_the_texts() -> None:
    with pytest.raises(ConfigError, match="no surrogate is left") as caught:
        Draw(KEY, "p").choose(["Zanzibar"], "city", avoid=["ZANZIBAR"])
    assert "anzibar" not in str(caught.value).lower()
    with pytest.raises(ConfigError, match="no surrogate is left"):
        Draw(KEY, "p").choose([], "city")


@pytest.mark.parametrize("key", [b"", b"tooshort"])
def test_a_missing_or_short_key_is_an_error_without_the_key(key: bytes) -> None:
    with pytest.raises(ConfigError, match="need a key") as caught:
        Draw(key, "p")
    assert "tooshort" not in str(caught.value)


def test_an_empty_range_is_an_error() -> None:
    with pytest.raises(ValueError, match="no whole number"):
        Draw(KEY, "p").whole(2, 1)


def test_the_repr_shows_neither_key_nor_patient() -> None:
    assert repr(Draw(KEY, "secret-patient")) == "Draw()"


@pytest.mark.parametrize(
    ("left", "right"),
    [("GARCÍA  Pérez", "garcia perez"), ("Straße", "STRASSE"), ("a\nb", "a b"), (" a", "A")],
)
def test_fold_makes_equal_what_only_case_accents_and_space_part(left: str, right: str) -> None:
    assert fold(left) == fold(right)


def _plain_fold(text: str) -> str:
    """The definition: NFKD, without case and combining characters, white space as one space."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return " ".join("".join(c for c in parts if not unicodedata.combining(c)).split())


@given(st.text(max_size=60), st.text("aÉñ\u0301\u0327\u1abe\U0001d165ßİ \n\u00a0Ω", max_size=40))
def test_fold_is_its_definition(any_text: str, accents: str) -> None:
    for text in (any_text, accents):
        assert fold(text) == fold_known(text) == fold_known(text) == _plain_fold(text)
        assert row_known(text) == row_of_fold(fold(text)) == row(fold(text))


@given(st.lists(st.text(st.characters(), max_size=12), max_size=5))
def test_a_message_is_each_part_after_its_bytes(parts: list[str]) -> None:
    expected = b""
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        expected += str(len(encoded)).encode() + b":" + encoded
    assert _message(tuple(parts)) == expected


def test_once_makes_what_is_shared_once_for_a_record() -> None:
    draw, made = Draw(KEY, "p"), []

    def make() -> list[int]:
        made.append(1)
        return made

    first, second = frozenset({"a"}), frozenset({"b"})
    assert draw.once("x", first, make) is draw.once("x", frozenset({"a"}), make)
    assert len(made) == 1
    draw.once("x", second, make)
    draw.once("y", first, make)
    Draw(KEY, "p").once("x", first, make)
    assert len(made) == 4


def test_long_texts_are_not_remembered_beyond_their_document() -> None:
    operator = Surrogate(b"k" * 16)
    record = Record("a", "", "", "en")
    # The first word stays, so that a look at the whole has to tell that no original does.
    for text, kept in (("Hospital C" + "e" * 600, False), ("Hospital C" + "e" * 60, True)):
        fold_known.cache_clear()
        row_known.cache_clear()
        operator.replace_all([Mention(Span(0, len(text), "HOSPITAL"), text, "a")], record)
        assert bool(fold_known.cache_info().currsize) == kept
        assert bool(row_known.cache_info().currsize) == kept


@given(st.text(), st.text("aÉñ\u0301ßİ \n\u00a0Ως’–\ud800", max_size=40))
def test_the_letters_of_a_text_are_those_of_its_fold(any_text: str, accents: str) -> None:
    for text in (any_text, accents, any_text + accents):
        words = re.compile(r"[^\W\d_]+")
        assert words.findall(letters_of(text)) == words.findall(fold(text))


def test_each_character_folds_in_its_text_as_it_does_by_itself() -> None:
    """Texts of characters below 256 go by a table."""
    for code in range(0x250):
        text = f"Aß {chr(code)}{chr(code)}b" if code % 2 else f"A {chr(code)}{chr(code)}b"
        assert fold(text) == fold_plainly(text), hex(code)
        letters = re.compile(r"[^\W\d_]+")
        assert letters.findall(letters_of(text)) == letters.findall(fold(text)), hex(code)
