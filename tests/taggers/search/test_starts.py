"""A walk back tells where a match may begin, and leaves out no place where one does."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.taggers._search import starts as module
from scrubjay.taggers._search.automaton import Automaton, Node
from scrubjay.taggers._search.expression import Expression
from scrubjay.taggers._search.matcher import Matcher
from scrubjay.taggers._search.starts import TRIES_AHEAD, Starts
from scrubjay.taggers.patterns import find_patterns
from tests.taggers.expression_samples import EXPRESSIONS, Sample

_SIGNS = st.text(st.sampled_from("aAbBcxXksS7 -’\u017f\u212a\u2009\n\x1céÉ中_."), max_size=8)


def _expression(body: str) -> str:
    return rf"(?<!\w)(?:{body})\Z"


def _walking(pattern: str, flags: int) -> Starts:
    starts = Starts(pattern, flags)
    starts._tries = TRIES_AHEAD
    return starts


@given(EXPRESSIONS, _SIGNS, _SIGNS, st.booleans(), st.integers(0, 30))
@example(("a{1,2}", "aa"), "a ", "", False, 0)
@example(("(?:)", ""), "", "x", False, 0)
def test_a_search_by_walks_is_a_search(
    sample: Sample, before: str, behind: str, any_case: bool, back: int
) -> None:
    flags = re.IGNORECASE if any_case else re.NOFLAG
    pattern = _expression(sample[0])
    regex = Expression(pattern, flags)
    text = before + sample[1] + behind
    place = len(before + sample[1])
    begin = max(0, place - back)
    found = _walking(pattern, flags).search(regex, text, begin, place)
    expected = regex.search(text, begin, place)
    assert (found and found.span()) == (expected and expected.span())


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_shipped_patterns_are_found_the_same(language: str) -> None:
    patterns = [p for p in find_patterns(language).patterns if p.stand in ("last", "after")]
    texts = [example.replace("{", "").replace("}", "") for p in patterns for example in p.examples]
    text = "\n".join(texts)
    assert any(pattern.words for pattern in patterns)
    for entry in Matcher(patterns)._entries:
        if entry.starts is not None:
            entry.regex.compile()
            starts = entry.starts
            starts._tries = TRIES_AHEAD
            for place in range(len(text) + 1):
                begin = max(0, place - 80)
                found = starts.search(entry.regex, text, begin, place)
                expected = entry.regex.search(text, begin, place)
                assert (found and found.span()) == (expected and expected.span())


def test_few_places_are_tried() -> None:
    starts = _walking(_expression("[A-Z][a-z]{1,9} [A-Z][a-z]{1,9}, "), re.NOFLAG)
    text = "Then he Was seen by Quentin Abara, MD"
    assert starts.find(text, 0, text.index("MD")) == [text.index("Quentin")]
    assert starts.find(text, 24, text.index("MD")) == []


def test_the_first_searches_make_no_machine() -> None:
    starts = Starts(_expression("a"), re.NOFLAG)
    regex = Expression(_expression("a"), re.NOFLAG)
    for _ in range(TRIES_AHEAD):
        assert starts.search(regex, "b a", 0, 3)
    assert starts._machine is None
    assert starts.search(regex, "b a", 0, 3)
    assert starts._machine is not None


def test_a_machine_that_is_full_leaves_it_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = _expression("[a-z]{1,9}[ ][a-z]{1,9}")
    starts = _walking(pattern, re.NOFLAG)
    assert starts.find("some words", 0, 10) == [0]
    monkeypatch.setattr(module, "MOST_NODES", 1)
    assert starts.find("some words", 0, 10) is None
    found = starts.search(Expression(pattern, re.NOFLAG), "some words", 0, 10)
    assert found is not None
    assert found.span() == (0, 10)


def test_two_threads_that_make_a_machine_at_once_keep_one_with_its_own_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A start of another machine would tell that a full one has room: starts were left out."""
    starts = _walking(_expression("[a-z]{1,9}"), re.NOFLAG)
    meet = threading.Barrier(2)
    begin = Automaton.start

    def begin_together(self: Automaton, items: list[int]) -> Node:
        node = begin(self, items)
        meet.wait(10)
        return node

    monkeypatch.setattr(Automaton, "start", begin_together)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: starts.find("words", 0, 5), range(2)))
    assert found == [[0], [0]]
    assert starts._machine is not None
    automaton, start = starts._machine
    assert any(node is start for node in automaton.nodes)
