"""Feature templates and their tables: what is read, written, and refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.features.templates import (
    MAX_OFFSET,
    MAX_PARTS,
    FeatureConfig,
    Template,
    parse_template,
    read_feature_config,
    write_feature_config,
)

parts = st.tuples(
    st.sampled_from(("lower", "shape+length", "lexicon:en.cities", "cluster:es:6", "key")),
    st.integers(-MAX_OFFSET, MAX_OFFSET),
)
templates = st.lists(parts, min_size=1, max_size=MAX_PARTS).map(lambda some: Template(tuple(some)))
groups = st.dictionaries(
    st.sampled_from(("lexical", "shapes", "global")),
    st.lists(templates, min_size=1, max_size=4).map(tuple),
    min_size=1,
)


@settings(max_examples=50)
@given(templates)
def test_a_template_reads_as_it_is_written(template: Template) -> None:
    assert parse_template(str(template)) == template
    assert template.is_cross == (len(template.parts) > 1)


@settings(max_examples=50)
@given(groups, st.sampled_from(("document", "sentence")), st.integers(1, 5))
def test_a_configuration_reads_as_it_is_written(
    some: dict[str, tuple[Template, ...]], scope: str, documents: int
) -> None:
    config = FeatureConfig(some, scope, documents)
    assert read_feature_config(write_feature_config(config)) == config


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lower", (("lower", 0),)),
        ("lower@-1", (("lower", -1),)),
        ("  lower@+2   shape@0 ", (("lower", 2), ("shape", 0))),
        ("lower@", (("lower", 0),)),
        ("lexicon:en.cities@1", (("lexicon:en.cities", 1),)),
    ],
)
def test_templates_by_hand(text: str, expected: tuple[tuple[str, int], ...]) -> None:
    assert parse_template(text).parts == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty feature template"),
        ("  ", "empty feature template"),
        ("lower@x", "'x' is not an offset"),
        ("lower@1.5", "'1.5' is not an offset"),
        ("lower@1@2", "is not an offset"),
        ("lower@5", "offsets reach from -4 to 4"),
        ("lower@-5", "offsets reach from -4 to 4"),
        ("a b c d", "at most 3 parts"),
    ],
)
def test_templates_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_template(text)


def test_groups_keep_their_order_and_templates_occur_once() -> None:
    config = read_feature_config(
        {
            "groups": {
                "b": {"attributes": ["lower", "shape"], "offsets": [-1, 0]},
                "a": {"attributes": ["lower"], "crosses": ["lower@0 shape@0", "lower@-1"]},
            }
        }
    )
    assert list(map(str, config.templates())) == [
        "lower@-1",
        "lower@0",
        "shape@-1",
        "shape@0",
        "lower@0 shape@0",
    ]
    assert (config.scope, config.dictionary_documents) == ("document", 2)


def test_some_groups_alone() -> None:
    config = FeatureConfig(
        {"a": (parse_template("lower"),), "b": (parse_template("shape"),)}, "sentence", 3
    )
    chosen = config.only(["b"])
    assert list(map(str, chosen.templates())) == ["shape@0"]
    assert (chosen.scope, chosen.dictionary_documents) == ("sentence", 3)
    with pytest.raises(ConfigError, match=r"no feature group 'c'\. Known: a, b"):
        config.only(["a", "c"])


A_GROUP = {"words": {"attributes": ["lower"]}}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "at least one feature group"),
        ({"groups": {"words": {}}}, "at least one feature group"),
        ({"groups": A_GROUP, "window": 2}, r"\[features\] has an unknown setting 'window'"),
        (
            {"groups": {"words": {"attribute": ["lower"]}}},
            r"\[features.groups.words\] has an unknown setting 'attribute'",
        ),
        ({"groups": A_GROUP, "scope": "line"}, "unknown scope 'line'"),
        ({"groups": [1]}, "features.groups must be a table"),
        ({"groups": {"words": ["lower"]}}, r"\[features.groups.words\] must be a table"),
        ({"groups": {"words": {"attributes": "lower"}}}, "attributes must be a list of strings"),
        ({"groups": {"words": {"attributes": [1]}}}, "attributes must be a list of strings"),
        (
            {"groups": {"words": {"attributes": ["lower"], "offsets": 1}}},
            "offsets must be a list of whole numbers",
        ),
        (
            {"groups": {"words": {"attributes": ["lower"], "offsets": [True]}}},
            "offsets must be a list of whole numbers",
        ),
        ({"groups": {"words": {"crosses": "lower"}}}, "crosses must be a list of strings"),
        ({"groups": A_GROUP, "dictionary-documents": 0}, "whole number of at least 1"),
        ({"groups": A_GROUP, "dictionary-documents": "2"}, "whole number of at least 1"),
    ],
)
def test_tables_that_are_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_feature_config(table)
