"""Attributes that look words up, and the names in configurations that stand for many of them."""

from __future__ import annotations

import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.clusters import find_cluster, load_clusters
from scrubjay.features.resources import (
    expand_attributes,
    make_word_attribute,
    resource_fingerprints,
)
from scrubjay.features.templates import FeatureConfig, parse_template


def _expand(text: str, *, language: str = "en", labels: tuple[str, ...] = ()) -> list[str]:
    config = FeatureConfig({"all": (parse_template(text),)}, "sentence", 3)
    expanded = expand_attributes(config, language=language, labels=labels)
    assert (expanded.scope, expanded.dictionary_documents) == ("sentence", 3)
    return list(map(str, expanded.templates()))


def test_plain_attributes_stay() -> None:
    assert _expand("lower@-1 lexicon:en.cities@0") == ["lower@-1 lexicon:en.cities@0"]
    assert _expand("cluster:es:4@0") == ["cluster:es:4@0"]


def test_lexicons_of_the_language_and_the_world() -> None:
    found = _expand("lexicon:*@1", language="nl")
    assert "lexicon:nl.cities@1" in found
    assert "lexicon:world.surnames@1" in found
    assert not [name for name in found if ":en." in name or ":es." in name]
    assert _expand("lexicon:*.surnames", language="es") == [
        "lexicon:es.surnames@0",
        "lexicon:world.surnames@0",
    ]
    assert _expand("phrase:*.cities", language="es") == ["phrase:es.cities@0"]


def test_clusters_where_the_language_has_them() -> None:
    assert _expand("cluster:6", language="es") == ["cluster:es:6@0"]
    assert _expand("cluster:6", language="nl") == []


def test_training_dictionaries_of_the_labels_there_are() -> None:
    labels = ("CITY", "DATE", "PATIENT")
    assert _expand("dictionary:*", labels=labels) == [f"dictionary:{name}@0" for name in labels]
    assert _expand("dictionary:place-or-date", labels=labels) == [
        "dictionary:CITY@0",
        "dictionary:DATE@0",
    ]
    assert _expand("dictionary:PATIENT", labels=labels) == ["dictionary:PATIENT@0"]
    assert _expand("dictionary:COUNTRY", labels=labels) == []


def test_crosses_multiply() -> None:
    found = _expand("dictionary:*@-1 lexicon:*.surnames@0", labels=("CITY", "DATE"))
    assert found == [
        f"dictionary:{label}@-1 lexicon:{place}.surnames@0"
        for label in ("CITY", "DATE")
        for place in ("en", "world")
    ]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"language 'fr'.*en, es, nl"):
        _expand("lexicon:*.cities", language="fr")
    assert _expand("cluster:4", language="fr") == []


def test_dictionaries_ignore_case() -> None:
    look = make_word_attribute("dictionary:CITY", {"CITY": frozenset({"dorp"})})
    assert (look("DORP"), look("dorpen")) == ("1", None)
    assert make_word_attribute("dictionary:STATE", {})("dorp") is None


def test_lexicons_give_a_class_of_frequency() -> None:
    look = make_word_attribute("lexicon:en.months", {})
    assert look("March") is not None
    assert look("marching") is None


def test_a_signature_tells_every_lexicon_that_has_a_word() -> None:
    look = make_word_attribute("lexicons:en", {})
    assert "months" in (look("March") or "").split("+")
    assert look("qqqqzzzz") == "none"
    assert look("12") is None
    assert (look("Paris") or "").split("+") == sorted(set((look("Paris") or "").split("+")))
    assert _expand("lexicons:*@-1", language="nl") == ["lexicons:nl@-1"]
    lists = resource_fingerprints(["lexicons:nl"])
    assert "lexicon:nl.cities" in lists
    assert "lexicon:world.surnames" in lists
    with pytest.raises(ConfigError, match="'fr'"):
        make_word_attribute("lexicons:fr", {})


@pytest.mark.parametrize(
    ("language", "word", "code"),
    [
        ("en", "NURSE", "1000"),
        ("en", "Boston", "0100"),
        ("en", "Nicaragua", "0010"),
        ("en", "Massachusetts", "0001"),
        ("en", "the", "0000"),
        ("en", "12/4", "0000"),
        ("es", "ENFERMERA", "1000"),
        ("es", "Gijón", "0100"),
        ("nl", "verpleegkundige", "1000"),
    ],
)
def test_a_code_tells_professions_cities_countries_and_regions(
    language: str, word: str, code: str
) -> None:
    assert make_word_attribute(f"dictionary-code:{language}", {})(word) == code


def test_the_lists_of_a_code_have_fingerprints() -> None:
    assert _expand("dictionary-code:*", language="nl") == ["dictionary-code:nl@0"]
    lists = resource_fingerprints(["dictionary-code:nl"])
    assert sorted(lists) == [
        *("lexicon:nl.cities", "lexicon:nl.countries", "lexicon:nl.professions"),
        *("lexicon:nl.regions", "lexicon:world.countries"),
    ]
    with pytest.raises(ConfigError, match="'fr'"):
        make_word_attribute("dictionary-code:fr", {})


@pytest.mark.parametrize("bits", [1, 4, 16])
def test_clusters_are_cut_to_their_bits(bits: int) -> None:
    clusters = load_clusters("en")
    look = make_word_attribute(f"cluster:en:{bits}", {})
    for word in ("Monday", "patient", "the"):
        number = find_cluster(clusters, word)
        assert number is not None
        assert look(word) == str(number % 2**bits)
    assert look("qqqqzzzz") is None


@pytest.mark.parametrize("name", ["cluster:en", "cluster:en:", "cluster:en:-1", "cluster:xx:4"])
def test_bad_clusters_are_refused(name: str) -> None:
    with pytest.raises(ConfigError):
        make_word_attribute(name, {})
