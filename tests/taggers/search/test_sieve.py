"""The sieve lets every match through, and its compiled search finds what the plain one does."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.languages import LANGUAGES
from scrubjay.taggers._search import automaton, matcher
from scrubjay.taggers._search.matcher import Match, Matcher
from scrubjay.taggers._search.sieve import NUMBER, OPENING, WORD
from scrubjay.taggers._search.sieve_tables import Sifted, Tables
from scrubjay.taggers.patterns import Pattern, find_patterns
from tests.corpus_samples import make_notes
from tests.strategies import texts
from tests.taggers.expression_samples import EXPRESSIONS, Sample

_OWN = [
    Pattern(name="a", kind="id", pattern=r"[ ]?(?P<span>\d{2})", words=("Straße", "İd", "x2 a(b)")),
    Pattern(name="b", kind="id", pattern=r"\w{1,9}[ ]", words=("ſd", "d/c on", "D"), stand="after"),
    Pattern(name="c", kind="id", pattern=r"(?<!x)\d{2}-\d", at=("number", "-", "’"), before="[a ]"),
    Pattern(name="d", kind="id", pattern=r"[^\W\d_]{1,3}\d", at=("code",), after=r"\Z|\W"),
    Pattern(name="e", kind="id", pattern=" y", words=("Kelvin", "ΟΣ"), stand="first", case="exact"),
]


@cache
def _patterns(name: str) -> tuple[Pattern, ...]:
    return tuple(_OWN) if name == "own" else find_patterns(name).patterns


@cache
def _matchers(name: str) -> tuple[Matcher, Matcher]:
    return Matcher(_patterns(name)), Matcher(_patterns(name))


@cache
def _pieces(name: str) -> tuple[str, ...]:
    """Return the examples of the patterns, whole and cut at their words."""
    whole = [
        text.replace("{", "").replace("}", "")
        for pattern in _patterns(name)
        for text in (*pattern.examples, *pattern.counter_examples, *pattern.words)
    ]
    parts = [part for text in whole for part in text.split(" ") if part]
    odd = ["Straße 12", "STRASSE 12", "İD 12", "i\u0307d 12", "x2 a(b)77", "ſD", "d/c on", "ab-1-2"]
    return tuple(dict.fromkeys([*whole, *parts, *odd, "Kelvin y", "ΟΣ y", "οσ y", "ab7", "12-3"]))


_TURNS = st.sampled_from([
    str, str.upper, str.lower, str.swapcase, str.title,
    lambda text: text.replace(" ", "\u00a0"), lambda text: text.replace(" ", "\t "),
    lambda text: text.replace("s", "\u017f"), lambda text: text.replace("k", "\u212a"),
    lambda text: text.replace("1", "\u0661"), lambda text: text.replace("2", "\U0001d7d0"),
    lambda text: text.replace("e", "e\u0301"), lambda text: text.replace("a", "\u00e0"),
    lambda text: text.replace("3", "\u00b3"), lambda text: text.replace("-", "\u2013"),
    lambda text: text[1:], lambda text: text[:-1],
])  # fmt: skip
_GLUE = st.sampled_from(
    ["", " ", " ", "\n", ", ", "(", "’", "+", "/", "\u00a0", "\u200b", "\ud800"]
)


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, str]:
    name = draw(st.sampled_from([*LANGUAGES, "own"]))
    parts = draw(
        st.lists(st.tuples(st.sampled_from(_pieces(name)), _TURNS, _GLUE), min_size=1, max_size=6)
    )
    return name, "".join(turn(piece) + glue for piece, turn, glue in parts)


def _plainly(matcher: Matcher, text: str) -> set[Match]:
    """Return what a matcher finds without a sieve, before it chooses."""
    return set(matcher._try_all(text))


def _sift(matcher: Matcher, several: Sequence[str]) -> list[Sifted | None]:
    tables = matcher.tables()
    return [sifted for part in tables.cut(several) for sifted in tables.read(tables.walk(part))]


def _sifted(matcher: Matcher, text: str) -> set[Match] | None:
    (sifted,) = _sift(matcher, [text])
    return None if sifted is None else set(matcher._try(text, sifted))


@settings(max_examples=300)
@given(_texts())
@example(("own", "ΟΣ y and οΣ y, İD 12, Straße 12 STRASSE 12"))
@example(("own", "\U0001d7d0\U0001d7d0-\U0001d7d0 ab\U0001d7d0"))
@example(("own", "((12-3 ’’’12-3 ++12-3"))
@example(("own", ""))
def test_the_compiled_sieve_loses_no_match_and_finds_no_other(drawn: tuple[str, str]) -> None:
    pytest.importorskip("numba")
    name, text = drawn
    plain, quick = _matchers(name)
    for _ in range(2):  # first what is worked out by the way, then what was
        found = _sifted(quick, text)
        if found is None:
            assert max(map(ord, text)) > 0xFFFF
        else:
            assert found == _plainly(plain, text)


@st.composite
def _several(draw: st.DrawFn) -> tuple[str, list[str]]:
    name = draw(st.sampled_from([*LANGUAGES, "own"]))
    pieces = st.sampled_from(_pieces(name))
    return name, draw(st.lists(st.one_of(pieces, st.just(""), texts()), min_size=1, max_size=6))


@given(_several(), st.sampled_from([0, 30, 1_000]))
@example(("own", ["12", "x", "-3 \U0001d7d0", "", "www.", "12"]), 1_000)
def test_texts_are_searched_together_as_each_alone(drawn: tuple[str, list[str]], most: int) -> None:
    pytest.importorskip("numba")
    name, several = drawn
    plain, quick = _matchers(name)
    for _ in range(2):
        quick.tables()._most = most
        sifted = _sift(quick, several)
        for text, sieved in zip(several, sifted, strict=True):
            if sieved is None:
                assert max(map(ord, text)) > 0xFFFF
            else:
                assert set(quick._try(text, sieved)) == _plainly(plain, text)


@settings(max_examples=100)
@given(_texts())
def test_the_plain_sieve_loses_no_match_and_finds_no_other(drawn: tuple[str, str]) -> None:
    name, text = drawn
    plain, _ = _matchers(name)
    found: list[Match] = []
    for place, number in _walk_plainly(_sieve(name), text):
        plain._tries[number](text, place, found)
    plain._at_signs(text, plain._signs, found)
    assert set(found) == _plainly(plain, text)


def _walk_plainly(sieve: matcher.Sieve, text: str) -> Iterator[tuple[int, int]]:
    """Yield what may match at each word, and at each number and the signs before it."""
    places = [word.start() for word in WORD.finditer(text)]
    for number in NUMBER.finditer(text):
        end = number.end() - len(number.group().lstrip(OPENING))
        places += range(number.start(), end + 1)
    for place in places:
        for entries in sieve.find_at(text, place):
            yield from ((place, entry) for entry in entries)


@cache
def _sieve(name: str) -> matcher.Sieve:
    return Matcher(_patterns(name)).sieve()


@given(_texts())
def test_the_compiled_sieve_is_the_plain_one(drawn: tuple[str, str]) -> None:
    pytest.importorskip("numba")
    name, text = drawn
    tables = Tables(_sieve(name), ["-", "’", "www."])
    (sifted,) = tables.read(tables.walk([text]))
    if sifted is not None:
        tries, signs = sifted
        plain = set(_walk_plainly(_sieve(name), text))
        assert {(place, entry) for place, found in tries for entry in found} == plain
        assert {"-", "www."}.intersection(signs) == {s for s in ("-", "www.") if s in text}


_PHRASES = st.sampled_from([
    "in", "d/c", "mid-", "D.O.B", "end of", "Straße", "İd", "bay İd", "bay \u017fd", "bay 2",
    "a_b", "x2", "a(b)", "ab\u00a0cd", "ΟΣ",
])  # fmt: skip


@given(
    EXPRESSIONS,
    st.sampled_from(["", "a", "(?:x|\\A)", "(?<!a)\\W", "[^\\W\\d]{1,3} "]),
    st.lists(_PHRASES, max_size=2),
    st.sampled_from(["before", "first", "last", "after"]),
    st.sampled_from([("number",), ("code", "-"), ("number", "7")]),
    st.sampled_from(["any", "exact"]),
    _TURNS,
    st.sampled_from(["", " ", "\u00a0\t", "\n", "7", "(7"]),
)
def test_any_patterns(
    sample: Sample,
    beside: str,
    phrases: list[str],
    stand: str,
    at: tuple[str, ...],
    case: str,
    turn: Callable[[str], str],
    gap: str,
) -> None:
    pytest.importorskip("numba")
    body, text = sample
    matcher = Matcher([
        Pattern(
            name="x", kind="date", pattern=body, words=tuple(phrases), at=at, case=case,
            stand=stand if phrases else "before", before=beside, after=beside[:4] and "[ab7]|\\Z",
        )
    ])  # fmt: skip
    for phrase in phrases or ["7", "a7", "+7"]:
        for whole in (phrase + gap + text, text + gap + phrase, "x " + phrase + text + gap):
            found = _sifted(matcher, turn(whole))
            assert found is None or found == _plainly(matcher, turn(whole))


@given(st.sampled_from(LANGUAGES), texts())
def test_any_texts(language: str, text: str) -> None:
    pytest.importorskip("numba")
    plain, quick = _matchers(language)
    found = _sifted(quick, text)
    assert found is None or found == _plainly(plain, text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("most", [70, 8_000])
def test_notes_with_any_number_of_nodes(
    language: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(automaton, "MOST_NODES", most)
    plain, quick = Matcher(_patterns(language)), Matcher(_patterns(language))
    notes = [note.text for note in make_notes(20, seed=5)]
    notes += [" ".join(_pieces(language)), "\n".join(_pieces(language)[::-1])]
    for _ in range(2):
        for text in notes:
            assert _sifted(quick, text) == _plainly(plain, text)
    assert quick._tables is not None
    assert len(quick._tables._sieve.automaton.nodes) <= 2 * most


def test_threads_that_work_it_out_together_find_the_same() -> None:
    pytest.importorskip("numba")
    notes = [note.text for note in make_notes(30, seed=8)] + list(_pieces("en"))
    plain = Matcher(_patterns("en"))
    expected = [_plainly(plain, text) for text in notes]
    for _ in range(3):
        quick = Matcher(_patterns("en"))
        with ThreadPoolExecutor(4) as pool:
            rounds = list(pool.map(lambda _: [_sifted(quick, text) for text in notes], range(4)))  # noqa: B023
        assert rounds == [expected] * 4


def test_what_was_walked_is_read_by_the_tables_that_walked() -> None:
    pytest.importorskip("numba")
    notes = [note.text for note in make_notes(10, seed=8)]
    quick, plain = Matcher(_patterns("en")), Matcher(_patterns("en"))
    tables = quick.tables()
    walked = [tables.walk(part) for part in tables.cut(notes)]
    # Another thread made its own meanwhile, and knows other nodes by their numbers.
    quick._tables = None
    quick.tables().read(quick.tables().walk(["31/12/2020 and Dr. Roe"]))
    found = list(quick.finish(walked))
    assert found == [plain.find(text) for text in notes]
    assert any(found)


def test_few_places_that_stay_unknown_do_not_cut_what_comes_next() -> None:
    pytest.importorskip("numba")
    notes = [note.text for note in make_notes(30, seed=8)]
    tables = Matcher(_patterns("en")).tables()
    tables.read(tables.walk(notes))
    assert len(tables.cut(notes)) > 1  # all was new
    known = tables.walk(notes)
    tables.read(known)
    assert len(tables.cut(notes)) == 1
    nodes = known.nodes.copy()
    nodes[: len(nodes) // 100] = automaton.UNKNOWN
    tables.read(replace(known, nodes=nodes))
    assert len(tables.cut(notes)) == 1
    nodes[: len(nodes) // 10] = automaton.UNKNOWN
    tables.read(replace(known, nodes=nodes))
    assert len(tables.cut(notes)) > 1


def test_a_matcher_goes_to_other_processes_without_what_it_worked_out() -> None:
    pytest.importorskip("numba")
    matcher = Matcher(_OWN)
    text = "Straße 12"
    found = _sifted(matcher, text)
    copy = pickle.loads(pickle.dumps(matcher))
    assert copy._tables is None
    assert _sifted(copy, text) == found == {(7, 9, 0)}
