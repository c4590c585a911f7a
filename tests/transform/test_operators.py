"""Operators: what stands in the place of a mention."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import (
    KEY_VARIABLE,
    Keep,
    KeyedHash,
    Mask,
    Mention,
    Placeholder,
    Redact,
    read_key,
)
from scrubjay.transform.registry import OPERATORS, make_operator
from tests.strategies import texts

KEY = b"0123456789abcdef"


def mention(text: str, label: str = "DATE") -> Mention:
    return Mention(Span(0, max(1, len(text)), label), text, "doc")


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (Placeholder(), "[DATE-1]"),
        (Placeholder(template="[{label}]"), "[DATE]"),
        (Placeholder(template="<{label}>"), "<DATE>"),
        (Mask(), "X XXXX\r\nXXXX"),
        (Mask(filler="█"), "█ ████\r\n████"),
        (Redact(), "***"),
        (Redact(replacement=""), ""),
        (Keep(), "3 July\r\n2019"),
    ],
)
def test_what_stands_in_the_place_of_a_mention(operator: object, expected: str) -> None:
    assert operator.replace(mention("3 July\r\n2019")) == expected  # type: ignore[attr-defined]


@settings(max_examples=100)
@given(texts())
def test_mask_keeps_length_and_white_space_and_nothing_else(text: str) -> None:
    masked = Mask(filler="#").replace(mention(text))
    assert len(masked) == len(text)
    for old, new in zip(text, masked, strict=True):
        assert new == (old if old.isspace() else "#")


def test_hash_is_keyed_and_repeatable() -> None:
    operator = KeyedHash(KEY, digits=64, template="{label} {digest}")
    digest = hmac.new(KEY, "4:DATEété".encode(), hashlib.sha256).hexdigest()
    assert operator.replace(mention("été")) == f"DATE {digest}"
    short = KeyedHash(KEY)
    assert short.replace(mention("x")) == KeyedHash(KEY).replace(mention("x"))
    assert short.replace(mention("x")) != KeyedHash(KEY + b"!").replace(mention("x"))
    assert short.replace(mention("x")) != short.replace(mention("y"))
    assert short.replace(mention("TEx", "DA")) != short.replace(mention("x", "DATE"))
    assert len(short.replace(mention("x"))) == len("[DATE:]") + 16


def test_hash_takes_any_text() -> None:
    assert KeyedHash(KEY).replace(mention("\ud800")).startswith("[DATE:")


@pytest.mark.parametrize("key", [b"", b"short"])
def test_hash_without_a_proper_key_is_an_error(key: bytes) -> None:
    with pytest.raises(ConfigError, match=r"needs a key.*--key-file.*SCRUBJAY_KEY") as caught:
        KeyedHash(key)
    assert "short " not in str(caught.value)


@pytest.mark.parametrize("digits", [7, 65])
def test_a_digest_is_neither_too_short_nor_too_long(digits: int) -> None:
    with pytest.raises(ConfigError, match="8 to 64"):
        KeyedHash(KEY, digits=digits)


@pytest.mark.parametrize("filler", ["", "XX", " ", "\n", "\u200b"])
def test_a_filler_is_one_visible_character(filler: str) -> None:
    with pytest.raises(ConfigError, match="one visible character"):
        Mask(filler=filler)


@pytest.mark.parametrize(
    "template",
    ["PHI", "{", "{label}{other}", "{label.real}", "{label!r}", "{label:>9}", "{}", "{number}"],
)
def test_a_template_holds_the_label_alone(template: str) -> None:
    with pytest.raises(ConfigError, match="template"):
        Placeholder(template=template)


def test_a_hash_template_holds_the_digest() -> None:
    with pytest.raises(ConfigError, match=r"\{label\}\{digest\}"):
        KeyedHash(KEY, template="[{label}]")


def test_reprs_hold_neither_text_nor_key() -> None:
    assert "CANARY" not in repr(mention("CANARY"))
    assert KEY.decode() not in repr(KeyedHash(KEY))


def test_operators_know_their_names_and_travel_to_workers() -> None:
    for name in OPERATORS:
        operator = make_operator(name, key=KEY)
        assert operator.name == name
        assert pickle.loads(pickle.dumps(operator)) == operator


def test_the_key_comes_from_the_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert read_key() is None
    monkeypatch.setenv(KEY_VARIABLE, " environment-key-1 ")
    assert read_key() == b"environment-key-1"
    path = tmp_path / "key"
    path.write_bytes(KEY + b"\r\n")
    assert read_key(path) == KEY


def test_a_key_that_cannot_be_used_is_an_error_that_does_not_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    for content in (b"", b"hunter2\n"):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match="fewer than 16") as caught:
            read_key(path)
        assert "hunter2" not in str(caught.value)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_key(tmp_path / "absent")
    monkeypatch.setenv(KEY_VARIABLE, "hunter2")
    with pytest.raises(ConfigError, match=r"\$SCRUBJAY_KEY: the key has 7 bytes") as caught:
        read_key()
    assert "hunter2" not in str(caught.value)
