"""The shipped patterns: every entry by its examples, safe, and with a label in every set."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from scrubjay.labels import find_label_set
from scrubjay.languages import LANGUAGES
from scrubjay.taggers._search.bounded import find_hazards
from scrubjay.taggers._search.matcher import Matcher, check_examples
from scrubjay.taggers.patterns import Pattern, find_patterns

SECONDS = 20.0
"""Far more than any text of a test should take, and far less than a pattern that hangs."""


def _entries() -> Iterator[Any]:
    seen: set[Pattern] = set()
    for language in LANGUAGES:
        for pattern in find_patterns(language).patterns:
            if pattern not in seen:
                seen.add(pattern)
                yield pytest.param(pattern, id=f"{language}:{pattern.name}")


ENTRIES = list(_entries())


@pytest.mark.parametrize("pattern", ENTRIES)
def test_examples_are_found_and_counter_examples_are_not(pattern: Pattern) -> None:
    assert pattern.examples
    assert pattern.counter_examples
    assert check_examples(pattern) == ""


@pytest.mark.parametrize("pattern", ENTRIES)
def test_every_expression_is_bounded(pattern: Pattern) -> None:
    empty_may_match = bool(pattern.words) and pattern.stand in {"first", "last"}
    for expression in (pattern.pattern, pattern.before, pattern.after):
        hazards = find_hazards(expression) if expression else []
        if expression is not pattern.pattern or empty_may_match:
            hazards = [hazard for hazard in hazards if "empty" not in hazard]
        assert hazards == []


@pytest.mark.parametrize("pattern", ENTRIES)
def test_no_entry_hangs_on_its_own_examples_repeated(pattern: Pattern) -> None:
    matcher = Matcher([pattern])
    began = time.process_time()
    for example in (*pattern.examples, *pattern.counter_examples):
        plain = example.replace("{", "").replace("}", "")
        for text in (plain, plain[: len(plain) // 2], plain.replace(" ", "")):
            matcher.find((text or "x") * (5_000 // len(text or "x")))
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label_set", ["i2b2-2014", "meddocan", "trienes-2020"])
def test_every_kind_has_a_label_in_every_set(language: str, label_set: str) -> None:
    found = find_patterns(language)
    table = found.label_table(find_label_set(label_set))
    assert set(table.values()) <= set(find_label_set(label_set).labels)
    assert set(found.labels[label_set]) == set(found.labels["i2b2-2014"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label_set", ["ngrid-2016", "hipaa", "binary"])
def test_other_label_sets_follow_the_label_maps(language: str, label_set: str) -> None:
    table = find_patterns(language).label_table(find_label_set(label_set))
    assert set(table.values()) <= set(find_label_set(label_set).labels)
    assert table["phone"] == {"ngrid-2016": "PHONE", "hipaa": "PHONE", "binary": "PHI"}[label_set]


STRUCTURED = {
    *("date", "phone", "email", "url", "ip", "ssn", "age", "vehicle", "device", "hospital"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_patterns_for_the_structured_kinds(language: str) -> None:
    kinds = {pattern.kind for pattern in find_patterns(language).patterns}
    assert kinds >= STRUCTURED
    assert kinds & {"zip", "address"}
    assert kinds & {"record-number", "id"}
    assert kinds & {"patient", "person"}


PIECES = (
    *("a", "Aa ", "AA ", "A. ", "1 ", "12-", "1/", "1.", "(1", "@", "a@", "a@b.", "www.", "://"),
    *("a.com ", "MD ", "Aa, ", "Hospital ", "Aa Hospital ", "1 Aa St ", "C/ Aa ", "fax 1 "),
    *("MRN A1-", "12 de ", "mayo de ", "May 1 ", "in 1999 ", "son Aa ", "Nombre: Aa ", "28001 Aa "),
    *("Aa España ", "dhr. van der ", "Aa straat ", "::", "'9", "TX 1", "Aa, TX ", "\n", "O'Aa-"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_repetition_does_not_blow_up(language: str) -> None:
    matcher = Matcher(find_patterns(language).patterns)
    for piece in PIECES:
        began = time.process_time()
        matcher.find(piece * (20_000 // len(piece)))
        assert time.process_time() - began < SECONDS, repr(piece)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("piece", ["1", "A", "a@"])
def test_a_million_characters_take_their_time_but_end(language: str, piece: str) -> None:
    matcher = Matcher(find_patterns(language).patterns)
    began = time.process_time()
    matcher.find(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < SECONDS
