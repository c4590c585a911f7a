"""Policies: label -> operator, with a default that never keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.labels import find_label_set, kind_of, label_set_names
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import Keep, Mask, Mention, Placeholder, Record, Redact
from scrubjay.transform.policy import POLICIES, Policy, find_policy, parse_policy
from scrubjay.transform.registry import make_operator

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


def test_a_missing_key_of_a_shipped_policy_has_no_place_in_a_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\Asurrogates need a key.*--key-file") as caught:
        find_policy("surrogate")
    assert caught.value.__cause__ is None  # one error, not a chain of the same
    assert caught.value.__suppress_context__
    (tmp_path / "own.toml").write_text('default = "mask"\n[kinds]\nname = "surrogate"\n')
    with pytest.raises(ConfigError, match=r"own\.toml, kinds\.name: surrogates need a key"):
        find_policy(tmp_path / "own.toml")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no default"),
        ({"labels": {"AGE": "mask"}}, "no default"),
        ({"default": "keep"}, "may not be 'keep'"),
        ({"default": "placehodler"}, "unknown operator 'placehodler'. Did you mean 'placeholder'"),
        ({"default": "Mask"}, "unknown operator 'Mask'. Did you mean 'mask'"),
        ({"default": "zzz"}, "Known: placeholder, mask, redact, hash"),
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
    for content, wrong in ((b"default = ", ": not valid TOML"), (b"\xff\xfe", ", byte 0: not UTF")):
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(ConfigError, match=rf"bad\.toml{wrong}"):
            find_policy(tmp_path / "bad.toml")


def test_a_misspelled_label_is_an_error() -> None:
    policy = Policy("p", Mask(), {"DOCTER": Placeholder()})
    with pytest.raises(LabelError, match=r"'DOCTER'. Did you mean 'DOCTOR'"):
        policy.require_labels(["DATE", "DOCTOR"])
    Policy("p", Mask(), {"DATE": Placeholder()}).require_labels(["DATE", "DOCTOR"])


def test_an_operator_is_made_from_its_name() -> None:
    assert make_operator("placeholder") == Placeholder()
    assert make_operator("mask", {"filler": "*"}) == Mask(filler="*")


LIMITS = {
    "limited-dataset": {"DATE", "AGE", "CITY", "STATE", "ZIP", "COUNTRY", "TERRITORIO"},
    "safe-harbor": {"STATE", "COUNTRY"},
}


@pytest.mark.parametrize("name", POLICIES)
def test_no_policy_keeps_a_label_that_it_does_not_name(name: str) -> None:
    policy = find_policy(name, key=KEY)
    for label in ("ANYTHING", "OTHER", "PHI", "date", "DATES"):
        assert policy.operator(label) == policy.default
    assert not isinstance(policy.default, Keep)


@pytest.mark.parametrize("name", POLICIES)
def test_each_policy_keeps_what_it_says_and_no_direct_identifier(name: str) -> None:
    policy = find_policy(name, key=KEY)
    for label_set in map(find_label_set, label_set_names()):
        for label in label_set.definitions:
            kept = isinstance(policy.operator(label.name), Keep)
            assert not (kept and label.direct), label.name
            if label.kind != "sex" and label_set.name in ("i2b2-2014", "meddocan"):
                named = label.kind in {kind_of("", other) for other in LIMITS.get(name, ())}
                assert kept == named, label.name


def test_every_shipped_policy_has_a_name_and_nothing_else_ships() -> None:
    folder = resources.files("scrubjay.resources").joinpath("policies")
    assert {entry.name for entry in folder.iterdir()} == {f"{name}.toml" for name in POLICIES}
    for name in POLICIES:
        assert find_policy(name, key=KEY).name == name
        assert find_policy(name, key=KEY).description


def test_a_label_goes_before_its_kind_and_a_kind_before_the_default() -> None:
    policy = parse_policy(
        {"default": "redact", "kinds": {"name": "mask"}, "labels": {"DOCTOR": "keep"}}
    )
    assert policy.operator("DOCTOR") == Keep()
    assert policy.operator("PATIENT") == Mask()
    assert policy.operator("NOMBRE_SUJETO_ASISTENCIA") == Mask()
    assert policy.operator("CITY") == Redact()


def test_kinds_of_an_own_label_set_are_those_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(
        'labels = [{ name = "WARDEN", kind = "name" }, "CITY", { name = "DAY", category = "DATE" }]'
    )
    path = tmp_path / "ward.toml"
    path.write_text(
        'default = "mask"\nlabel-set = "ours.toml"\n[kinds]\nname = "keep"\ndate = "redact"'
    )
    policy = find_policy(path)
    operators = {label: policy.operator(label) for label in ("WARDEN", "CITY", "DAY", "PATIENT")}
    assert operators == {"WARDEN": Keep(), "CITY": Mask(), "DAY": Redact(), "PATIENT": Mask()}
    assert policy.describe()["label_set"] == "ours"
    names = Policy("p", Placeholder(), label_set=policy.label_set)
    text = "John Smith, Mr. Smith"
    spans = [Span(0, 10, "WARDEN"), Span(12, 21, "WARDEN")]
    edits = names.plan(Document("d", text), spans)
    assert [edit.replacement for edit in edits] == ["[WARDEN-1]", "[WARDEN-1]"]
    fakes = Policy("p", make_operator("surrogate", key=KEY), label_set=policy.label_set)
    new = [edit.replacement for edit in fakes.plan(Document("d", text), spans)]
    assert not any("[" in text or "Smith" in text for text in new)


def test_spans_below_the_least_score_of_their_label_are_dropped() -> None:
    policy = parse_policy({"default": "redact", "min-score": {"AGE": 0.5, "DATE": 1}})
    spans = (
        Span(0, 1, "AGE", score=0.49),
        Span(1, 2, "AGE", score=0.5),
        Span(2, 3, "AGE"),
        Span(3, 4, "CITY", score=0.01),
        Span(4, 5, "DATE", score=0.99),
    )
    assert policy.select(spans) == spans[1:4]
    assert [edit.start for edit in policy.plan(Document("d", "abcdef"), spans)] == [1, 2, 3]


@dataclass(frozen=True)
class Counting:
    """Replaces each mention by how many its operator sees together."""

    name: str = "counting"

    def replace(self, mention: Mention) -> str:
        raise AssertionError

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        assert [mention.span for mention in mentions] == sorted(m.span for m in mentions)
        assert {mention.patient for mention in mentions} == {record.patient}
        return [f"{len(mentions)} of {record.patient} in {record.language}"] * len(mentions)


def test_an_operator_of_records_sees_the_mentions_of_all_its_labels_at_once() -> None:
    policy = Policy("p", Mask(), {"A": Counting(), "B": Counting(), "C": Counting("other")})
    spans = [Span(0, 1, "A"), Span(1, 2, "X"), Span(2, 3, "B"), Span(3, 4, "C"), Span(4, 5, "A")]
    edits = policy.plan(Document("d", "abcdef"), spans, patient="p7", language="nl")
    assert [edit.replacement for edit in edits] == [
        "3 of p7 in nl", "X", "3 of p7 in nl", "1 of p7 in nl", "3 of p7 in nl",
    ]  # fmt: skip
    assert [(edit.start, edit.end) for edit in edits] == [(s.start, s.end) for s in spans]


def test_an_operator_that_answers_too_little_fails_the_document() -> None:
    class Short:
        name = "short"

        def replace(self, mention: Mention) -> str:
            return ""

        def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
            return [""] * (len(mentions) - 1)

    with pytest.raises(ValueError, match="zip"):
        Policy("p", Short()).plan(Document("d", "ab"), [Span(0, 1, "A"), Span(1, 2, "A")])


def test_records_and_mentions_show_neither_text_nor_patient() -> None:
    record = Record("d", "CANARY", "CANARY", "en")
    assert "CANARY" not in repr(record) + repr(Mention(Span(0, 6, "A"), "CANARY", "d", "CANARY"))


def test_the_year_up_to_which_ages_count_is_told() -> None:
    this_year = datetime.now(UTC).year
    policy = find_policy("safe-harbor")
    assert policy.reference_years() == [this_year]
    assert policy.describe()["kinds"]["date"]["reference"] == this_year
    dated = parse_policy(
        {"default": "mask", "kinds": {"date": {"operator": "safe-date", "reference": 2001}}}
    )
    assert dated.reference_years() == [2001]
    assert find_policy("mask").reference_years() == []


@dataclass(frozen=True)
class Many:
    """Sees the mentions of many documents; raises for a document, or for all."""

    fails: str = "bad"
    breaks: bool = False
    short: bool = False
    name: str = "many"

    def replace(self, mention: Mention) -> str:
        raise AssertionError

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        raise AssertionError

    def replace_many(
        self, records: Sequence[tuple[Sequence[Mention], Record]]
    ) -> list[list[str] | Exception]:
        if self.breaks and len(records) > 1:
            raise RuntimeError
        found: list[list[str] | Exception] = []
        for mentions, record in records:
            bad = record.document_id == self.fails
            found.append(KeyError("CANARY") if bad else ["x" * len(m.text) for m in mentions])
        return found[: -1 if self.short else None]


@pytest.mark.parametrize("operator", [Many(), Many(breaks=True)])
def test_a_document_that_fails_among_others_spoils_none(operator: Many) -> None:
    policy = Policy("p", operator, {"B": Mask("#")})
    spans = [Span(0, 2, "A"), Span(3, 4, "B")]
    rows = [(Document(name, "abcdef"), spans, "") for name in ("one", "bad", "two")]
    one, bad, two = policy.plan_all(rows)
    assert one == two == policy.plan(*rows[0][:2]) == [Edit(0, 2, "xx"), Edit(3, 4, "#")]
    assert isinstance(bad, KeyError)
    with pytest.raises(KeyError):
        policy.plan(*rows[1][:2])


def test_an_operator_that_forgets_a_document_fails_them() -> None:
    rows = [(Document(name, "ab"), [Span(0, 1, "A")], "") for name in ("one", "two")]
    for found in Policy("p", Many(short=True)).plan_all(rows):
        assert isinstance(found, ValueError)
