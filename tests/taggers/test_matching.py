"""Applying rules by indexes against applying them one token at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.taggers import _matching
from scrubjay.taggers._matching import TokenIndex, apply_rules, number_rules
from scrubjay.taggers.rules import Condition, Part, Rule, parse_rule
from scrubjay.taggers.tbed import make_encoder
from tests.oracles import tbed as oracle
from tests.rule_samples import NAMES, WORDS, make_tokens, read

Sentences = list[list[tuple[str, str]]]


def sentences() -> st.SearchStrategy[Sentences]:
    """Sentences of (word, first tag); a text may be empty."""
    token = st.tuples(st.sampled_from(WORDS), st.sampled_from(NAMES))
    return st.lists(st.lists(token, min_size=1, max_size=8), max_size=5)


def rules() -> st.SearchStrategy[list[Rule]]:
    """Ordered rules on words and tags, some with ranges, some without any condition."""
    words = st.builds(
        Condition,
        st.builds(
            lambda name, first, width: Part(name, first, first + width),
            st.sampled_from(["word", "lower", "all-upper"]),
            st.integers(-2, 1),
            st.integers(0, 2),
        ),
        st.sampled_from([*WORDS, "1", "absent"]),
    )
    tags = st.builds(
        lambda part, value: Condition(Part("tag", *part), value),
        st.sampled_from([(-1, -1), (1, 1), (-2, -1), (1, 2)]),
        st.sampled_from(NAMES),
    )
    pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(
        lambda pair: pair[0] != pair[1]
    )
    conditions = st.lists(words | tags, max_size=3)
    return st.lists(
        st.builds(lambda pair, found: Rule(*pair, tuple(found)), pairs, conditions), max_size=12
    )


@settings(max_examples=80)
@given(texts=st.lists(sentences(), min_size=1, max_size=3), listed=rules(), scope=st.data())
def test_rules_fire_where_the_plain_loop_fires(
    texts: list[Sentences], listed: list[Rule], scope: Any
) -> None:
    window = scope.draw(st.sampled_from(["sentence", "document"]))
    batch = [make_tokens([[w for w, _ in sentence] for sentence in text]) for text in texts]
    sequences = [sentence for text in texts for sentence in text]
    if window == "document":
        sequences = [[token for sentence in text for token in sentence] for text in texts]
    words = [[word for word, _ in sequence] for sequence in sequences]
    tags = [[tag for _, tag in sequence] for sequence in sequences]
    first = np.array([NAMES.index(tag) for row in tags for tag in row], dtype=np.int16)
    offsets = np.cumsum([0, *map(len, words)]).tolist()
    expected = []
    for number, rule in enumerate(listed):
        for row, sequence in enumerate(words):
            places = oracle.apply_rule(rule, sequence, tags[row], read)
            expected += [(number, offsets[row] + place) for place in places]
    final = [NAMES.index(tag) for row in tags for tag in row]
    for compiled in (False, True):
        if compiled:
            pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(_matching, "use_compiled", lambda size, answer=compiled: answer)
            index, table = _index(batch, listed, window)
            found = first.copy()
            fired = apply_rules(index, table, found)
        assert found.tolist() == final
        pairs = list(zip(fired.rules.tolist(), fired.tokens.tolist(), strict=True))
        assert sorted(pairs) == expected
        assert fired.rules.tolist() == sorted(fired.rules.tolist())


def _index(batch: Any, listed: list[Rule], scope: str) -> tuple[TokenIndex, Any]:
    encoder = make_encoder(listed, scope=scope, dictionaries={})
    table = number_rules(listed, encoder.alphabets, NAMES)
    return TokenIndex(encoder, encoder.encode(batch), table.attributes), table


def test_more_firings_than_expected_still_fit() -> None:
    """The tags of one text go to and fro, many times as often as there are tokens."""
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
    there, back = parse_rule("O -> B-X if word=a"), parse_rule("B-X -> O if word=a")
    batch = [make_tokens([["a"] * 40])]
    index, table = _index(batch, [there, back] * 50, "document")
    tags = np.zeros(40, dtype=np.int16)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(_matching, "use_compiled", lambda size: True)
        fired = apply_rules(index, table, tags)
    assert len(fired.rules) == 40 * 100
    assert not tags.any()


def test_an_unknown_tag_is_no_number() -> None:
    with pytest.raises(KeyError):
        number_rules([parse_rule("O -> B-Z if word=a")], {"word": {"a": 1}}, NAMES)
