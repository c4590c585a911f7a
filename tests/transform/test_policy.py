"""Policies: a mandatory default that never keeps, and errors that offer the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import Keep, Mask, Placeholder, Redact
from scrubjay.transform.policy import POLICIES, Policy, find_policy, make_operator, parse_policy

KEY = b"0123456789abcdef"

WARD = """
name = "ward"
default = { operator = "redact", replacement = "" }

[labels]
AGE = "keep"
DATE = { operator = "mask", filler = "#" }
"""


def test_a_policy_file_names_operators_for_labels(tmp_path: Path) -> None:
    path = tmp_path / "ward.toml"
    path.write_text(WARD)
    policy = find_policy(path)
    assert policy == Policy(
        "ward", Redact(replacement=""), {"AGE": Keep(), "DATE": Mask(filler="#")}
    )
    assert policy.operator("NEW-LABEL") == Redact(replacement="")


def test_a_policy_plans_one_edit_for_each_span() -> None:
    text = "Seen 3/4 aged 60 by Lee"
    policy = parse_policy({"default": "placeholder", "labels": {"AGE": "keep", "DATE": "mask"}})
    spans = [Span(5, 8, "DATE"), Span(14, 16, "AGE"), Span(20, 23, "DOCTOR")]
    assert policy.plan(Document("d", text), spans) == [
        Edit(5, 8, "XXX"),
        Edit(14, 16, "60"),
        Edit(20, 23, "[DOCTOR-1]"),
    ]


@pytest.mark.parametrize("name", POLICIES)
def test_each_named_policy_replaces_every_label(name: str) -> None:
    policy = find_policy(name, key=KEY)
    span = Span(0, 4, "ANYTHING")
    (edit,) = policy.plan(Document("d", "Anna"), [span])
    assert policy.name == name
    assert "Anna" not in edit.replacement


def test_hash_without_a_key_is_an_error() -> None:
    with pytest.raises(ConfigError, match="needs a key, which is missing"):
        find_policy("hash")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no default"),
        ({"labels": {"AGE": "mask"}}, "no default"),
        ({"default": "keep"}, "may not be 'keep'"),
        ({"default": "placehodler"}, "unknown operator 'placehodler'. Did you mean 'placeholder'"),
        ({"default": "Mask"}, "unknown operator 'Mask'. Did you mean 'mask'"),
        ({"default": "zzz"}, "Known: placeholder, mask, redact, hash, keep, safe-age"),
        ({"default": 3}, "an operator is its name, or a table"),
        ({"default": {"filler": "#"}}, "an operator is its name, or a table"),
        ({"default": "mask", "labesl": {}}, "unknown setting 'labesl'. Did you mean 'labels'"),
        ({"default": "mask", "labels": "AGE"}, "'labels' must be a table"),
        ({"default": "mask", "kinds": []}, "'kinds' must be a table"),
        ({"default": "mask", "min-score": 0.5}, "'min-score' must be a table"),
        ({"default": "mask", "min-score": {"AGE": "x"}}, "'AGE' must be a number from 0 to 1"),
        ({"default": "mask", "min-score": {"AGE": True}}, "'AGE' must be a number from 0 to 1"),
        ({"default": "mask", "min-score": {"AGE": 1.5}}, "'AGE'.* must be 0 to 1, not 1.5"),
        ({"default": "mask", "name": 3}, "'name' must be a string"),
        ({"default": "mask", "label-set": "i2b2-2041"}, "unknown label set .* i2b2-2014"),
        ({"default": "mask", "kinds": {"dat": "keep"}}, "unknown kind 'dat'. Did you mean 'date'"),
        ({"default": "mask", "kinds": {"other": "keep"}}, "kind 'other' .* may not be 'keep'"),
        ({"default": "mask", "kinds": {"date": "kep"}}, r"kinds\.date: unknown operator 'kep'"),
        ({"default": "surrogat"}, "Did you mean 'surrogate'"),
        (
            {"default": "mask", "kinds": {"zip": {"operator": "safe-zip", "census": "1990"}}},
            r"kinds\.zip: there is no ZIP table of the census '1990'. Known: 2000, 2010, 2020",
        ),
        (
            {"default": {"operator": "safe-date", "reference": 12}},
            "default: the reference of the operator 'safe-date' must be a year",
        ),
        ({"default": "mask", "labels": {"AGE": "kep"}}, r"labels\.AGE: unknown operator 'kep'"),
        (
            {"default": "mask", "labels": {"AGE": {"operator": "mask", "fill": "#"}}},
            r"labels\.AGE: unknown parameter 'fill' of the operator 'mask'. Did you mean 'filler'",
        ),
        (
            {"default": {"operator": "hash", "digits": "9"}},
            "default: the parameter 'digits' of the operator 'hash' must be of type int",
        ),
        ({"default": {"operator": "hash", "digits": True}}, "must be of type int"),
        ({"default": {"operator": "hash", "key": "x" * 32}}, "unknown parameter 'key'"),
        ({"default": "mask", "labels": {"A": {"operator": "keep", "x": 1}}}, "It takes none"),
        ({"default": {"operator": "mask", "filler": "  "}}, "default: the filler"),
    ],
)
def test_a_wrong_setting_is_an_error(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_policy(settings, key=KEY)


def test_the_default_of_a_policy_never_keeps() -> None:
    with pytest.raises(ConfigError, match="may not be 'keep'"):
        Policy("p", Keep())


def test_an_unknown_policy_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"unknown policy 'placholder'. Did you mean"):
        find_policy("placholder")
    with pytest.raises(ConfigError, match="cannot be read"):
        find_policy(tmp_path / "absent.toml")
    for content in (b"default = ", b"\xff\xfe"):
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(ConfigError, match=r"bad\.toml: not valid TOML"):
            find_policy(tmp_path / "bad.toml")


def test_a_misspelled_label_is_an_error() -> None:
    policy = Policy("p", Mask(), {"DOCTER": Placeholder()})
    with pytest.raises(LabelError, match=r"'DOCTER'. Did you mean 'DOCTOR'"):
        policy.require_labels(["DATE", "DOCTOR"])
    Policy("p", Mask(), {"DATE": Placeholder()}).require_labels(["DATE", "DOCTOR"])


def test_an_operator_is_made_from_its_name() -> None:
    assert make_operator("placeholder") == Placeholder()
    assert make_operator("mask", {"filler": "*"}) == Mask(filler="*")
