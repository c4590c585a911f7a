"""The order of numeric dates that a policy has for all documents."""

from __future__ import annotations

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.date_orders import set_date_order, told_order
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.policy import find_policy, parse_policy

KEY = b"0123456789abcdef0123456789abcdef"
TEXT = "Seen 08/10/2025 and 02/11/2024"
SPANS = (Span(5, 15, "DATE"), Span(20, 30, "DATE"))


def test_a_set_order_is_that_of_the_dates_and_of_the_fingerprint() -> None:
    policy = find_policy("surrogate", key=KEY)
    new = []
    for order in ("dmy", "mdy"):
        ordered = set_date_order(policy, order)
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
    plain = set_date_order(find_policy("surrogate", key=KEY), "dmy")
    document = Document("1", TEXT)
    assert policy.plan(document, SPANS, language="en") == plain.plan(document, SPANS, language="en")
    settings["kinds"] = {"date": {"operator": "surrogate", "date-order": "day first"}}
    with pytest.raises(ConfigError, match="no order"):
        parse_policy(settings, key=KEY)


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
        set_date_order(find_policy("mask"), "dmy")
    settings = {"default": "surrogate", "kinds": {"date": "safe-date"}}
    with pytest.raises(ConfigError, match="shifts no dates"):
        set_date_order(parse_policy(settings, key=KEY), "dmy")
    settings = {"default": "placeholder", "labels": {"DATE": "surrogate"}}
    assert set_date_order(parse_policy(settings, key=KEY), "dmy").default.name == "placeholder"
