"""One person, one label: the mentions of a name decide together, as a plain count says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.persons import agree_persons, may_vote

TEXT = "Frank Blake is 40. Blake sleeps. Dr. Wu saw Mr. Blake. Wu signed."


def spans_of(*marked: tuple[str, int, str, float]) -> list[Span]:
    """Return spans by word, its number among equal words, label and score."""
    found = []
    for word, number, label, score in marked:
        start = -1
        for _ in range(number):
            start = TEXT.index(word, start + 1)
        found.append(Span(start, start + len(word), label, score=score))
    return found


def test_a_person_has_one_label() -> None:
    rows = spans_of(
        ("Frank Blake", 1, "PATIENT", 0.9),
        ("Blake", 2, "PATIENT", 0.8),
        ("Wu", 1, "DOCTOR", 0.9),
        ("Blake", 3, "DOCTOR", 0.6),
        ("Wu", 2, "PATIENT", 0.5),
    )
    labels = [span.label for span in agree_persons(TEXT, rows)]
    # "Wu" is too short a word to tell one person from another.
    assert labels == ["PATIENT", "PATIENT", "DOCTOR", "PATIENT", "PATIENT"]


def test_equal_votes_change_nothing_and_other_labels_have_none() -> None:
    rows = spans_of(("Blake", 1, "PATIENT", 0.7), ("Blake", 2, "DOCTOR", 0.7))
    assert [span.label for span in agree_persons(TEXT, rows)] == ["PATIENT", "DOCTOR"]
    rows = spans_of(("Blake", 1, "CITY", 0.9), ("Blake", 2, "DOCTOR", 0.1))
    assert [span.label for span in agree_persons(TEXT, rows)] == ["CITY", "DOCTOR"]


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(1, 8), st.sampled_from(["PATIENT", "DOCTOR"])),
        max_size=8,
    )
)
def test_borders_of_persons_stay(raw: list[tuple[int, int, str]]) -> None:
    spans, at = [], 0
    for start, size, label in sorted(raw):
        if at <= start < start + size <= len(TEXT):
            spans.append(Span(start, start + size, label))
            at = start + size
    found = agree_persons(TEXT, spans)
    assert [(one.start, one.end) for one in found] == [(one.start, one.end) for one in spans]


def test_where_all_mentions_of_a_name_agree_no_score_decides() -> None:
    text = "Mr. Blake, Mrs. Wong. Blake sleeps. Wong left. Dr. Wong-Li. Gray"
    places = [(4, 9), (16, 20), (22, 27), (36, 40), (51, 58), (60, 64)]
    assert [text[slice(*place)] for place in places][-2:] == ["Wong-Li", "Gray"]
    labels = ["PATIENT", "PATIENT", "PATIENT", "PATIENT", "DOCTOR", "DOCTOR"]
    mentions = [(*place, label) for place, label in zip(places, labels, strict=True)]
    # "wong" stands in "Wong-Li", too, of which another part may be a name to others.
    expected = [False, True, False, True, False, False]
    assert may_vote(text, mentions) == expected
    # Where others spoke before, they may call one Blake a doctor.
    assert may_vote(text, mentions, speaks_first=False) == [True, True, True, True, False, False]
    assert may_vote(f"{text} Blake", mentions) == [True, True, True, True, False, False]


def test_all_mentions_count_that_share_a_word_with_one_that_may_change() -> None:
    text = "Blake Wong, Blake, Wong, Gray"
    mentions = [(0, 10, "PATIENT"), (12, 17, "PATIENT"), (19, 23, "DOCTOR"), (25, 29, "DOCTOR")]
    assert may_vote(text, mentions) == [True, True, True, False]


WORDS = st.sampled_from(
    [
        "Blake",
        "blake",
        "Wong",
        "Wu",
        "O\u2019Hara",
        "Wong-Li",
        "\u03a3\u03bf\u03c6\u03af\u03b1",
        "\u0130pek",
        "of",
    ]
)
LABELS = st.sampled_from(["PATIENT", "DOCTOR", "CITY"])
SCORES = st.none() | st.sampled_from([0.25, 0.5, 0.75, 1.0])


@st.composite
def named_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Return a text of names, and spans over some of them: one or several words each."""
    text, spans = "", []
    for _ in range(draw(st.integers(1, 10))):
        name = " ".join(draw(st.lists(WORDS, min_size=1, max_size=3)))
        if draw(st.booleans()):
            end = len(text) + len(name)
            spans.append(Span(len(text), end, draw(LABELS), score=draw(SCORES)))
        text += name + draw(st.sampled_from([". ", ", ", "\n"]))
    return text, spans


@given(named_texts())
def test_labels_are_those_of_a_plain_count(named: tuple[str, list[Span]]) -> None:
    text, spans = named
    votes: dict[str, Counter[str]] = {}
    for span in spans:
        for word in words_of(text, span):
            votes.setdefault(word, Counter())[span.label] += 1 if span.score is None else span.score
    expected = []
    for span in spans:
        total: Counter[str] = Counter({span.label: 0})
        for word in words_of(text, span):
            total.update(votes[word])
        most = max(total.values())
        best = min(label for label in total if total[label] == most)
        expected.append(replace(span, label=best) if most > total[span.label] else span)
    assert agree_persons(text, spans) == tuple(expected)


def words_of(text: str, span: Span) -> list[str]:
    """Return the words of a person that vote."""
    if span.label not in STAFF_AND_PATIENTS:
        return []
    found = re.findall(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*", text[span.start : span.end])
    return [word.lower() for word in found if len(word) >= 3]


@given(named_texts(), st.lists(SCORES, min_size=10, max_size=10))
def test_scores_that_may_not_vote_change_nothing(
    named: tuple[str, list[Span]], others: list[float | None]
) -> None:
    text, spans = named
    voting = may_vote(text, [(span.start, span.end, span.label) for span in spans])
    changed = [
        span if votes else replace(span, score=other)
        for span, votes, other in zip(spans, voting, others, strict=False)
    ]
    assert [span.label for span in agree_persons(text, spans)] == [
        span.label for span in agree_persons(text, changed)
    ]


@given(named_texts())
def test_borders_scores_and_other_labels_stay(named: tuple[str, list[Span]]) -> None:
    text, spans = named
    found = agree_persons(text, spans)
    assert [(one.start, one.end, one.score) for one in found] == [
        (one.start, one.end, one.score) for one in spans
    ]
    assert [one.label == "CITY" for one in found] == [one.label == "CITY" for one in spans]
