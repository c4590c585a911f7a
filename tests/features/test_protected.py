from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.features.lexicons import normal_word
from scrubjay.features.positions import Place, find_position_attribute, is_position_attribute
from scrubjay.features.protected import (
    BARE_EPONYM,
    PROTECTED_KINDS,
    find_protected,
    protected_fingerprints,
    protected_index,
    protected_lists,
    protected_terms,
)
from scrubjay.features.resources import resource_fingerprints
from scrubjay.taggers._combining.candidates import collect_candidates
from scrubjay.taggers._combining.stacking_features import FeatureLayout, make_features
from scrubjay.text.tokenizers import make_tokenizer

WANTED = {
    "eponym": 600,
    "drug": 1500,
    "test": 400,
    "anatomy": 600,
    "device": 300,
    "gene": 150,
    "microbe": 200,
    "heading": 200,
}


def found(text, language="en"):
    return [(text[t.start : t.end], t.kind) for t in find_protected(text, language)]


def test_english_has_enough_terms_of_each_kind():
    counts = Counter(protected_terms("en").values())
    assert set(counts) == {*PROTECTED_KINDS, BARE_EPONYM}
    assert {kind: counts[kind] >= least for kind, least in WANTED.items()} == dict.fromkeys(
        WANTED, True
    )


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_terms_are_of_known_kinds(language):
    assert set(protected_terms(language).values()) <= {*PROTECTED_KINDS, BARE_EPONYM}
    assert "world.protected" in protected_lists(language)


def test_a_language_without_a_list_has_no_terms():
    assert protected_lists("xx") == []
    assert dict(protected_terms("xx")) == {}
    assert protected_fingerprints("xx") == {}
    assert found("Murphy's sign", "xx") == []


def test_no_title_or_name_of_a_place_alone_is_protected():
    terms = protected_terms("en")
    bare = [w for w in ("mr", "mrs", "ms", "dr", "boston", "denver", "ma", "may") if w in terms]
    assert [w for w in bare if terms[w] != BARE_EPONYM] == []


def test_the_longest_term_wins_in_any_case():
    assert found("MURPHY'S SIGN negative, Murphy’s sign, Dr. Murphy on metformin") == [
        ("MURPHY'S SIGN", "eponym"),
        ("Murphy’s sign", "eponym"),
        ("Murphy", BARE_EPONYM),
        ("metformin", "drug"),
    ]


def test_terms_go_over_a_line_break_but_not_over_an_empty_line():
    assert ("Parkinson's\ndisease", "eponym") in found("has Parkinson's\ndisease.")
    assert ("Parkinson's\n\ndisease", "eponym") not in found("Parkinson's\n\ndisease")


def test_terms_are_whole_words():
    assert found("brca1") == [("brca1", "gene")]
    assert found("brca12") == []


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Foley", "catheter", "x9", "Bell's", "palsy", ",", "\n\n", "q6h", "é", "3"]
        )
    )
)
def test_terms_are_disjoint_sorted_and_listed(parts):
    text = " ".join(parts)
    terms = list(find_protected(text, "en"))
    assert all(a.end <= b.start for a, b in pairwise(terms))
    kinds = protected_index("en").kinds
    assert all(term.kind in kinds.values() and text[term.start : term.end] for term in terms)


def test_the_attribute_names_kind_and_place_in_the_term():
    tokens = make_tokenizer("wi-deid").tokenize("A Swan-Ganz catheter and metformin .")
    words = {word: number for number, word in enumerate(tokens.words())}
    assert is_position_attribute("protected:en")
    values = find_position_attribute("protected:en")(Place(tokens, tokens.starts))
    shown = [values.values[n] if n >= 0 else None for n in values.index.tolist()]
    assert shown[words["Swan"]] == "device-first"
    assert shown[words["catheter"]] == "device-later"
    assert shown[words["metformin"]] == "drug"
    assert shown[words["and"]] is None


@pytest.mark.parametrize("language", ["en", "nl"])
def test_what_is_spared_besides_is_normal_and_new(language):
    known, spared = protected_terms(language), protected_terms(language, spared=True)
    added = [term for term in spared if term not in known]
    assert len(added) > 500
    assert not [t for t in added if t != normal_word(t) or t != " ".join(t.split()) or not t]
    halves = {term for term in known if term.count("(") != term.count(")")}
    assert halves  # "17)" of "t(15;17)": an age in brackets is none of it
    assert {term: kind for term, kind in spared.items() if term in known} == {
        term: kind for term, kind in known.items() if term not in halves
    }
    assert dict(protected_terms("xx", spared=True)) == {}


def test_fingerprints_name_every_list():
    assert set(resource_fingerprints(["protected:en"])) == {
        f"lexicon:{name}" for name in protected_lists("en")
    }


TEXT = "Murphy's sign. Dr. Murphy gave metformin to Anna."


def features(spans):
    documents = [Document("d", TEXT)]
    found = [[tuple(sorted(spans))]]
    candidates = collect_candidates(found, {"NAME": 0})
    layout = FeatureLayout(("x",), (), ("NAME",), protected="en")
    table = make_features(layout, candidates, documents)
    assert table.shape[1] == len(layout.names())
    names = [name for name in layout.names() if "protected" in name or "eponym" in name]
    assert names == list(layout.names()[-4:])
    return table[:, -4:].tolist()


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        (0, 6, [1.0, 1.0, 1.0, 0.0]),  # Murphy of Murphy's sign
        (0, 13, [1.0, 1.0, 0.0, 0.0]),
        (19, 25, [0.0, 0.0, 0.0, 1.0]),  # Dr. Murphy
        (31, 40, [1.0, 0.0, 0.0, 0.0]),
        (44, 48, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_a_stacker_sees_how_far_terms_cover_a_candidate(start, end, wanted):
    assert features([Span(start, end, "NAME")]) == [wanted]


def test_a_layout_without_a_language_has_no_columns_for_terms():
    names = FeatureLayout(("x",), (), ("NAME",)).names()
    assert not [name for name in names if "protected" in name]
