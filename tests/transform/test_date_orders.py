"""The order of numeric dates that a policy has for all documents."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.date_orders import (
    asks_documents,
    set_dates,
    suppose_date_order,
    told_order,
    told_orders,
)
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.policy import find_policy, parse_policy

KEY = b"0123456789abcdef0123456789abcdef"
TEXT = "Seen 08/10/2025 and 02/11/2024"
SPANS = (Span(5, 15, "DATE"), Span(20, 30, "DATE"))


def test_a_set_order_is_that_of_the_dates_and_of_the_fingerprint() -> None:
    policy = find_policy("surrogate", key=KEY)
    new = []
    for order in ("dmy", "mdy"):
        ordered = set_dates(policy, order=order)
        edits = ordered.plan(Document("1", TEXT), SPANS, patient="p", language="en")
        new.append(apply_edits(TEXT, edits).text)
        assert ordered.fingerprint() != policy.fingerprint()
        assert told_order(ordered, Document("1", TEXT), SPANS, language="en") == ""
    assert new[0] != new[1]


def test_a_policy_file_may_set_the_order() -> None:
    settings = {
        "default": "placeholder", "kinds": {"date": {"operator": "surrogate", "date-order": "dmy"}}
    }  # fmt: skip
    policy = parse_policy(settings, key=KEY)
    plain = set_dates(find_policy("surrogate", key=KEY), order="dmy")
    document = Document("1", TEXT)
    assert policy.plan(document, SPANS, language="en") == plain.plan(document, SPANS, language="en")
    settings["kinds"] = {"date": {"operator": "surrogate", "date-order": "day first"}}
    with pytest.raises(ConfigError, match="no order"):
        parse_policy(settings, key=KEY)


def test_a_direction_is_set_for_all_dates_and_part_of_the_fingerprint() -> None:
    policy = find_policy("surrogate", key=KEY)
    years: dict[str, set[str]] = {}
    for way in ("past", "future", ""):
        moved = set_dates(policy, direction=way)
        for patient in map(str, range(20)):
            edits = moved.plan(Document("1", TEXT), SPANS, patient=patient, language="en")
            years.setdefault(way, set()).add(apply_edits(TEXT, edits).text[11:15])
        assert (moved.fingerprint() == policy.fingerprint()) == (way == "")
    assert max(years["past"]) <= "2025" <= min(years["future"])
    assert min(years[""]) < "2025" < max(years[""])
    kinds = {"date": {"operator": "surrogate", "date-direction": "past"}}
    same = parse_policy({"default": "placeholder", "kinds": kinds}, key=KEY)
    wanted = set_dates(policy, direction="past")
    document = Document("1", TEXT)
    assert same.plan(document, SPANS, language="en") == wanted.plan(document, SPANS, language="en")
    with pytest.raises(ConfigError, match="no direction 'up'"):
        set_dates(policy, direction="up")
    with pytest.raises(ConfigError, match="'mask' shifts no dates: to set their direction"):
        set_dates(find_policy("mask"), direction="past")


def test_what_documents_tell_is_asked_of_shifted_dates_alone() -> None:
    document = Document("1", TEXT)
    policy = find_policy("surrogate", key=KEY)
    assert told_order(policy, document, SPANS, language="en") == "open"
    assert told_order(policy, document, SPANS[:0], language="en") == ""
    assert told_order(policy, document, [Span(5, 15, "MEDICALRECORD")], language="en") == ""
    assert told_order(find_policy("mask"), document, SPANS, language="en") == ""
    signed = Document("1", f"{TEXT}, NHS")
    assert told_order(policy, signed, SPANS, language="en") == "dmy"


def test_a_policy_that_shifts_no_dates_refuses_an_order() -> None:
    with pytest.raises(ConfigError, match="'mask' shifts no dates"):
        set_dates(find_policy("mask"), order="dmy")
    settings = {"default": "surrogate", "kinds": {"date": "safe-date"}}
    with pytest.raises(ConfigError, match="shifts no dates"):
        set_dates(parse_policy(settings, key=KEY), order="dmy")
    settings = {"default": "placeholder", "labels": {"DATE": "surrogate"}}
    assert set_dates(parse_policy(settings, key=KEY), order="dmy").default.name == "placeholder"


def test_a_usual_order_is_that_of_documents_that_tell_none() -> None:
    policy = find_policy("surrogate", key=KEY)
    for order in ("dmy", "mdy"):
        usual = suppose_date_order(policy, order)
        assert usual.fingerprint() == policy.fingerprint()
        assert "usual" not in str(usual.describe())
        assert told_order(usual, Document("1", TEXT), SPANS, language="en") == "open"
        found = usual.plan(Document("1", TEXT), SPANS, patient="p", language="en")
        as_set = set_dates(policy, order=order)
        assert found == as_set.plan(Document("1", TEXT), SPANS, patient="p", language="en")
    # A document that tells its own keeps it, and so does a set order.
    signed = Document("1", f"{TEXT}, NHS")
    usual = suppose_date_order(policy, "mdy")
    plain = policy.plan(signed, SPANS, patient="p", language="en")
    assert usual.plan(signed, SPANS, patient="p", language="en") == plain
    both = set_dates(usual, order="dmy")
    alone = set_dates(policy, order="dmy").plan(signed, SPANS, patient="p", language="en")
    assert both.plan(signed, SPANS, patient="p", language="en") == alone
    with pytest.raises(ConfigError, match="unknown parameter 'usual-order'"):
        parse_policy({"default": {"operator": "surrogate", "usual-order": "dmy"}}, key=KEY)


def test_whether_a_policy_asks_the_documents() -> None:
    assert asks_documents(find_policy("surrogate", key=KEY), "en")
    assert not asks_documents(set_dates(find_policy("surrogate", key=KEY), order="dmy"), "en")
    assert not asks_documents(find_policy("mask"), "en")
    for language in ("es", "nl"):  # in which nothing but whole dates tells the order
        assert not asks_documents(find_policy("surrogate", key=KEY), language)
    settings: dict[str, Any] = {"default": "surrogate", "kinds": {"date": "safe-date"}}
    assert not asks_documents(parse_policy(settings, key=KEY), "en")
    settings["labels"] = {"DATE": "surrogate"}
    assert asks_documents(parse_policy(settings, key=KEY), "en")


def test_open_documents_of_a_record_tell_what_the_others_tell() -> None:
    policy = find_policy("surrogate", key=KEY)
    quiet, told = Document("1", "Seen 08/10/2025"), Document("2", "Seen 18/10/2025")
    spans = (Span(5, 15, "DATE"),)
    record = [(quiet, spans), (told, spans), (Document("3", "Well"), ())]
    assert told_orders(policy, record, language="en") == ["dmy", "dmy", ""]
    assert told_orders(policy, record[:1], language="en") == ["open"]
