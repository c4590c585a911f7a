"""What a model found is mended by the rest of the document, where its manifest asks for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import load_artifact
from scrubjay.cli.main import run
from scrubjay.corpora import read_corpus
from scrubjay.detectors import drop_scores
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.features.phrases import PIECE
from scrubjay.models import describe_model, find_model, load_model
from scrubjay.spans import overlap
from scrubjay.synthesis.generation import generate
from scrubjay.taggers._persons import agree_persons, may_vote
from scrubjay.taggers._spared import _last_piece, _lies_in_term, may_spare, spare_terms
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.kinds import load_artifact_model
from scrubjay.taggers.mending import MendingScores, is_mending, mend, mending_manifest

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


@pytest.mark.parametrize(
    ("text", "date", "kept"),
    [
        ("MMSE 27/30 today", "27/30", False),
        ("seen 12/30, well", "12/30", True),
        ("seen 30/12, well", "30/12", True),
        ("since 9/31", "9/31", True),
        ("1/32 of it", "1/32", True),
        ("nights 13/14 March", "13/14", True),
        ("nights of 13/14 of may", "13/14", True),
        ("on March 13/14 he", "13/14", True),
        ("march past, 13/14 he", "13/14", False),
        ("on 13/14/2061", "13/14/2061", True),
        ("17/19", "17/19", False),
        ("at 28/40 weeks", "28/40", False),
        ("page 62/14", "62/14", True),
        ("nacht van 13/14 mei", "13/14", True),
        ("mrt 13/14", "13/14", True),
        ("toen 31/42, nu", "31/42", False),
    ],
)
def test_scores_that_can_be_no_date_are_spared(text: str, date: str, kept: bool) -> None:
    start = text.index(date)
    span = Span(start, start + len(date), "DATE", score=1.0)
    assert mend(text, [span], "en") == ((span,) if kept else ())
    number = replace(span, label="IDNUM")
    assert mend(text, [number], "en") == (number,)
    assert mend(text, [span], "nl") == ((span,) if kept else ())
    assert mend(text, [span], "es") == (span,)


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


@pytest.mark.parametrize(
    ("marked", "score", "stays"),
    [
        ("ruled out [[Murphy]]'s sign today", 0.6, False),
        ("ruled out [[Murphy]]'s sign today", 0.995, True),
        ("seen by [[Murphy]] today", 0.6, True),
        ("took [[metformin]] and left", 0.3, False),
        ("x" * 60 + " [[metformin]] " + "y" * 60, 0.3, False),
        ("[[metformin Smith]] left", 0.3, True),
    ],
)
def test_doubtful_spans_in_terms_are_spared(marked: str, score: float, stays: bool) -> None:
    start, end = marked.index("[["), marked.index("]]") - 2
    text = marked.replace("[[", "").replace("]]", "")
    span = Span(start, end, "PATIENT", score=score)
    assert list(spare_terms(text, [span])) == ([span] if stays else [])
    assert list(spare_terms(text, [replace(span, score=None)])) == [span]


PIECES = st.sampled_from([
    "Murphy", "'s", " ", " ", "  ", "sign", "vitamin", "B12", "hla", "-", "b", "27", "3", "/", "12",
    "Frank", "Blake", "blake", "DR", "DRBLAKE", "Wu", "O’Hara", "\n\n", ".", "(", ")", "é",
    "e\u0301", "t", "score", "4", "troponin", "Parkinson", "disease", "ΑΣ", "ας", "\t",
])  # fmt: skip


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Return a text of pieces, some of which are parts of terms, and disjoint spans with scores."""
    text = "".join(draw(st.lists(PIECES, min_size=1, max_size=30)))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    spans = [
        Span(start, end, draw(st.sampled_from(["PATIENT", "DOCTOR", "DATE"])), score=score)
        for start, end in zip(borders[::2], borders[1::2], strict=False)
        for score in [draw(st.sampled_from([0.3, 0.6, 0.8, 0.999]))]
    ]
    return text, spans


@given(st.text("aé\u0301b_7\u0661²-’ \u00a0\u2003\n", max_size=6))
def test_the_last_piece_is_what_the_expression_finds(text: str) -> None:
    found = re.search(rf"({PIECE})\s*\Z", text)
    assert _last_piece(text) == (found[1] if found else "")


@given(marked_texts(), st.sampled_from(["en", "nl"]))
def test_the_quick_look_for_terms_misses_none(
    marked: tuple[str, list[Span]], language: str
) -> None:
    text, spans = marked
    places = [(span.start, span.end) for span in spans]
    expected = [_lies_in_term(text, start, end, language) for start, end in places]
    assert may_spare(text, places, language) == expected


@given(marked_texts(), st.sampled_from(["en", "nl"]))
def test_mending_asks_for_no_other_scores(marked: tuple[str, list[Span]], language: str) -> None:
    text, spans = marked
    wanted = MendingScores(language)(text, [(s.start, s.end, s.label) for s in spans])
    fewer = [s if one else replace(s, score=None) for s, one in zip(spans, wanted, strict=True)]
    assert mend(text, fewer, language) == mend(text, spans, language)


LABELS = st.sampled_from(["PATIENT", "DOCTOR"])
SAID = st.none() | st.tuples(LABELS, st.sampled_from([0.1, 0.3, 0.6, 0.8]))
NAMES = st.sampled_from(
    ["Blake", "Wong", "Blake Wong", "Wong-Li", "DRBLAKE", "DRBLAKE Wong", "MOMBLAKE"]
)


@settings(max_examples=500)
@given(st.lists(st.tuples(NAMES, SAID, SAID), min_size=2, max_size=9), st.booleans())
def test_what_others_say_is_never_taken_for_known(
    said: list[tuple[str, tuple[str, float] | None, tuple[str, float] | None]], speaks_first: bool
) -> None:
    text, own, others = "", [], []
    for name, one, other in said:
        for spans, score in ((own, one), (others, other)):
            if score:
                spans.append(Span(len(text), len(text) + len(name), *score))
        text += f"{name}, "
    wanted = MendingScores("en", speaks_first)(text, [(s.start, s.end, s.label) for s in own])
    fewer = [s if one else replace(s, score=None) for s, one in zip(own, wanted, strict=True)]
    mended = [mend(text, _first_then(some, others, speaks_first), "en") for some in (fewer, own)]
    assert mended[0] == mended[1]


def _first_then(own: Sequence[Span], others: Sequence[Span], speaks_first: bool) -> list[Span]:
    first, second = (own, others) if speaks_first else (others, own)
    free = [span for span in second if not any(overlap(span, other) for other in first)]
    return sorted([*first, *free])


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


def test_a_key_behind_a_gap_is_no_part_of_a_name_that_votes() -> None:
    text = "cc: Wu   DRNAKAGAWA today. Nakagawa ok."
    mentions = [(4, 19, "PATIENT"), (27, 35, "DOCTOR")]
    assert MendingScores("en")(text, mentions) == [True, True]
    spans = [Span(*one, score=score) for one, score in zip(mentions, (0.3, 0.7), strict=True)]
    assert {span.label for span in mend(text, spans, "en")[1:]} == {"DOCTOR"}


def test_a_title_before_a_name_is_no_part_of_a_name_that_votes() -> None:
    text = "MOMGRIMALDI came. Seen by GRIMALDI today."
    mentions = [(0, 11, "PATIENT"), (26, 34, "DOCTOR")]
    assert MendingScores("en")(text, mentions) == [True, True]
    spans = [Span(*one, score=score) for one, score in zip(mentions, (0.5, 0.7), strict=True)]
    assert {span.label for span in mend(text, spans, "en")} == {"DOCTOR"}


def test_of_very_long_lists_all_persons_keep_their_scores() -> None:
    names = [f"Nm{number:x}{number * 7919:x}" for number in range(4_000)]
    text = "\n".join(names)
    starts = [text.index(name) for name in names[:2000]]
    mentions = [(start, start + 4, "PATIENT") for start in starts]
    assert all(MendingScores("en")(text, mentions))


NOTES = Path(__file__).parents[2] / "corpora"


@pytest.mark.parametrize("name", ["en-fast", "nl-fast"])
def test_a_model_that_mends_finds_the_same_without_most_scores(name: str) -> None:
    model = load_model(name)
    language = describe_model(name).manifest.language
    written = list(read_corpus(NOTES / f"written-{language}" / "dev.jsonl"))[::2]
    notes = [*generate(language, 12, 5, names="dev"), *written]
    found, quiet = model.detect(notes), drop_scores(model).detect(notes)
    assert quiet == found
    scored = [
        [s.score for row in spans for s in row if s.score is not None] for spans in (quiet, found)
    ]
    assert len(scored[0]) < len(scored[1]) / 2
    assert set(scored[0]) <= set(scored[1])


def test_what_mends_and_is_asked_for_scores_besides_keeps_all() -> None:
    def all_of(text: str, mentions: Sequence[tuple[int, int, str]], /) -> list[bool]:
        return [True] * len(mentions)

    model = load_model("en-fast")
    assert isinstance(model, EnsembleDetector)
    assert model.without_scores(but=all_of) is model
    assert model.without_scores() is not model


def test_a_model_mends_after_models_mend(tmp_path: Path) -> None:
    assert run(["models", "mend", "en-fast", "--out", str(tmp_path / "ours")]) == 0
    mended = load_model(str(tmp_path / "ours"))
    plain = load_model("en-fast")
    manifest = describe_model(str(tmp_path / "ours")).manifest
    assert is_mending(manifest)
    assert manifest.name == "ours"
    notes = [
        Document("1", "FACILITY: Mercy Hospital        Springfield\nSeen by DRNAKAGAWA.\n"),
        Document("2", "Patient: Frank Blake\nDr. Blake called. Frank Blake is stable.\n"),
    ]
    unmended = replace(manifest, config={**manifest.config, "spans": "as-tagged"})
    assert not is_mending(unmended)
    for note, found, before in zip(notes, mended.detect(notes), plain.detect(notes), strict=True):
        again = mend(note.text, before, "en")
        assert [(one.start, one.end, one.label) for one in found] == [
            (one.start, one.end, one.label) for one in again
        ]


def test_a_dutch_model_spares_terms_alone() -> None:
    text = "Kreeg metformine van Dr. Blake.\nBlake belde."
    doubtful = Span(6, 16, "NAME", score=0.6)
    persons = (Span(25, 30, "NAME", score=0.6), Span(32, 37, "INITIALS", score=0.6))
    assert mend(text, [doubtful, *persons], "nl") == persons
    assert is_mending(mending_manifest(load_artifact_model(load_artifact(find_model("nl")))))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"labels": ("DATE",)}, "no labels DOCTOR and PATIENT"),
        ({"language": "xx"}, "no clinical terms to spare in 'xx'"),
        ({"kind": "tbed"}, "a model of rules"),
    ],
)
def test_other_models_are_refused(change: dict[str, Any], told: str) -> None:
    model = load_artifact_model(load_artifact(find_model("en-fast")))
    other = SimpleNamespace(manifest=replace(model.manifest, **change))
    with pytest.raises(ConfigError, match=told):
        mending_manifest(cast("Any", other))


def test_an_unknown_model_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["models", "mend", "no-such-model", "--out", str(tmp_path / "m")]) == 2
    assert not (tmp_path / "m").exists()
