"""Codes of ids: the same for the same, by key and kind, and nothing of the id in them."""

from __future__ import annotations

import hashlib
import hmac
import math
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora._fhir_walk import IdSlot
from scrubjay.corpora.fhir import render_id
from scrubjay.document import Span
from scrubjay.errors import ConfigError, NoCodeError
from scrubjay.transform.codes import DOCUMENT, PATIENT, Coder, id_text
from scrubjay.transform.operators import KeyedHash, Mention
from scrubjay.transform.pseudonyms import Pseudonym

KEY = b"0123456789abcdef0123456789abcdef"
VALUES = st.text(st.characters(exclude_categories=()), max_size=40)
KINDS = st.sampled_from([PATIENT, DOCUMENT, "visit", "note_id", ""])


@given(VALUES, KINDS)
def test_a_code_is_an_hmac_of_kind_and_id(value: str, kind: str) -> None:
    data = [part.encode("utf-8", "surrogatepass") for part in (kind, value)]
    message = b"scrubjay code\0" + b"".join(str(len(p)).encode() + b":" + p for p in data)
    wanted = "c" + hmac.new(KEY, message, hashlib.sha256).hexdigest()[:24]
    assert Coder(KEY).code(value, kind) == Coder(KEY).code(value, kind) == wanted


@given(st.tuples(VALUES, KINDS), st.tuples(VALUES, KINDS))
def test_no_two_ids_or_kinds_share_a_code(one: tuple[str, str], other: tuple[str, str]) -> None:
    coder = Coder(KEY)
    assert (coder.code(*one) == coder.code(*other)) == (one == other)


@given(st.binary(min_size=16, max_size=40), st.binary(min_size=16, max_size=40), VALUES)
def test_another_key_gives_another_code(key: bytes, other: bytes, value: str) -> None:
    # HMAC fills short keys with zeros, and none is longer than its block here.
    same = key.ljust(64, b"\0") == other.ljust(64, b"\0")
    assert (Coder(key).code(value) == Coder(other).code(value)) == same


def test_no_collision_on_many_ids_that_follow_each_other() -> None:
    coder = Coder(KEY)
    codes = {coder.code(str(number), kind) for number in range(50_000) for kind in ("a", "b")}
    assert len(codes) == 100_000
    # Nor do they tell the order of the ids, or their digits.
    rows = sorted((coder.code(str(number)), number) for number in range(1000))
    assert sum(a[1] < b[1] for a, b in pairwise(rows)) in range(430, 570)


def test_parts_are_kept_apart() -> None:
    coder = Coder(KEY)
    assert coder.code("bc", "a") != coder.code("c", "ab")
    assert coder.code("1:b", "a") != coder.code("b", "a1:")


def test_no_other_use_of_the_key_gives_the_same() -> None:
    digest = Coder(KEY).code("17")[1:]
    mention = Mention(Span(0, 2, "patient"), "17", "17", "17")
    for other in (KeyedHash(KEY, 24), Pseudonym(KEY, 24)):
        assert digest not in other.replace(mention)
    assert digest not in render_id(IdSlot("17", "", ""), KEY)
    assert digest not in hmac.new(KEY, b"17", "sha256").hexdigest()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None), ("", ""), (17, "17"), ("017", "017"), (17.0, "17"), (17.5, "17.5"),
        (Decimal("17.00"), "17"), (Decimal("1E+3"), "1000"), (math.nan, None), (" 17", " 17"),
        (math.inf, None), (Decimal("NaN"), None), (Decimal("sNaN"), None),
        (Decimal("-Infinity"), None), (Decimal("88120.0000"), "88120"), (-0.0, "0"),
        (Decimal("123456789012345678901234567890123.00"), "123456789012345678901234567890123"),
        (Decimal("12345678901234567890123456789012.5"), "12345678901234567890123456789012.5"),
        (Decimal("1E+999999"), "1E+999999"),
    ],
)  # fmt: skip
def test_ids_are_texts_and_whole_numbers(value: Any, text: str | None) -> None:
    assert id_text(value) == text
    wanted = Coder(KEY).code(text, "x") if text else text
    assert Coder(KEY).code_value(value, "x") == wanted


@pytest.mark.parametrize("value", [True, False, {"a": 1}, ["4711"], [], object()])
def test_what_is_neither_text_nor_number_has_no_code(value: Any) -> None:
    with pytest.raises(NoCodeError, match="texts or numbers"):
        Coder(KEY).code_value(value, "x")


@pytest.mark.parametrize("key", [b"", b"short"])
def test_there_is_no_code_without_a_key(key: bytes) -> None:
    with pytest.raises(ConfigError, match="codes need a key"):
        Coder(key)
    assert KEY.decode() not in repr(Coder(KEY))
