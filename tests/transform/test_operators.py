"""Operators: what stands in the place of a mention."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.operators import (
    KEY_VARIABLE,
    Keep,
    KeyedHash,
    Mask,
    Mention,
    Operator,
    Placeholder,
    Record,
    Redact,
    read_key,
)
from scrubjay.transform.policy import Policy
from scrubjay.transform.pseudonyms import Pseudonym
from scrubjay.transform.registry import OPERATORS, make_operator
from tests.strategies import texts
from tests.transform.alone import replace_alone

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
def test_what_stands_in_the_place_of_a_mention(operator: Operator, expected: str) -> None:
    assert replace_alone(operator, mention("3 July\r\n2019")) == expected


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


def test_what_html_writes_otherwise_is_the_same_mention() -> None:
    plain, coded = "José Muñoz", "Jos&eacute;&nbsp;Mu&ntilde;oz"
    for operator in (KeyedHash(KEY), Pseudonym(KEY)):
        assert operator.replace(mention(coded)) == operator.replace(mention(plain))
    text = f"{plain} {coded}"
    both = [
        Mention(Span(0, 10, "PATIENT"), plain, "doc"),
        Mention(Span(11, len(text), "PATIENT"), coded, "doc"),
    ]
    record = Record("doc", "", text, "en")
    assert Placeholder().replace_all(both, record) == ["[PATIENT-1]"] * 2


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


def numbered(
    text: str, *marked: tuple[str, str], template: str = "[{label}-{number}]"
) -> list[str]:
    """Return the placeholders of the words, in the order of their places in the text."""
    mentions, position = [], 0
    for word, label in marked:
        start = text.index(word, position)
        position = start + len(word)
        mentions.append(Mention(Span(start, position, label), word, "doc"))
    return Placeholder(template).replace_all(mentions, Record("doc", "", text, "en"))


def test_placeholders_count_persons_by_label_and_not_texts() -> None:
    text = "John Smith saw Dr. Ann Lee. Mr. Smith met Paul Jones on 3/4. SMITH left 3/4 with Jones."
    assert numbered(
        text,
        ("John Smith", "PATIENT"),
        ("Ann Lee", "DOCTOR"),
        ("Mr. Smith", "PATIENT"),
        ("Paul Jones", "PATIENT"),
        ("3/4", "DATE"),
        ("SMITH", "PATIENT"),
        ("3/4", "DATE"),
        ("Jones", "PATIENT"),
    ) == [
        "[PATIENT-1]", "[DOCTOR-1]", "[PATIENT-1]", "[PATIENT-2]", "[DATE-1]", "[PATIENT-1]",
        "[DATE-1]", "[PATIENT-2]",
    ]  # fmt: skip


def test_placeholders_of_an_earlier_run_stay_and_their_numbers_are_not_given_again() -> None:
    text = "[PATIENT-1] came with Ann and [PATIENT-2]; Paul with [DATE-1]"
    words = ("[PATIENT-1]", "Ann", "[PATIENT-2]", "Paul")
    assert numbered(text, *((word, "PATIENT") for word in words)) == [
        "[PATIENT-1]", "[PATIENT-3]", "[PATIENT-2]", "[PATIENT-4]",
    ]  # fmt: skip
    assert numbered("Ann, PATIENT1", ("Ann", "PATIENT"), template="{label}{number}") == ["PATIENT2"]


def test_no_two_labels_share_a_placeholder() -> None:
    words = (("Ann", "A1"), ("Bob", "A"), ("Cyd", "A"))
    assert numbered("Ann Bob Cyd", *words, template="{label}{number}") == ["A11", "A1", "A2"]
    many = [(f"K{number}", "A") for number in range(11)]
    text = "Ann " + " ".join(word for word, _ in many)
    new = numbered(text, ("Ann", "A1"), *many, template="{label}{number}")
    assert len(set(new)) == 12


def test_placeholders_without_a_number_are_as_their_template() -> None:
    assert numbered("Ann Bob", ("Ann", "X"), ("Bob", "X"), template="<{label}>") == ["<X>", "<X>"]


@given(texts(), st.lists(st.integers(0, 30), max_size=6))
def test_a_second_run_over_placeholders_changes_nothing(text: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts})
    spans = [Span(a, b, "N0"[: 1 + a % 2]) for a, b in pairwise(places)]
    policy = Policy("p", Placeholder())
    first = apply_edits(text, policy.plan(Document("d", text), spans))
    moved = [
        Span(start, end, span.label)
        for span, start, end in zip(
            spans, first.offsets.new_starts, first.offsets.new_ends, strict=True
        )
    ]
    assert apply_edits(first.text, policy.plan(Document("d", first.text), moved)).text == first.text
