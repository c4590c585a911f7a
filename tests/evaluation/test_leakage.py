"""What leaks, against counts character by character."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.direct import DirectLabels, find_direct_labels
from scrubjay.evaluation.leakage import LeakageScorer, UnitLeaks, count_characters
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import count_binary_tokens
from scrubjay.labels import find_label_set
from tests.evaluation.samples import pairs

I2B2 = find_label_set("i2b2-2014")
DIRECT = find_direct_labels(I2B2)


def pair_of(text: str, gold: list[Span], predicted: list[Span], name: str = "d") -> Pair:
    return Pair(Document(name, text, tuple(gold)), Document(name, text, tuple(predicted)))


def plain_counting(text: str, span: Span) -> set[int]:
    """Return the offsets of a span that count, one character at a time."""
    offsets = range(span.start, span.end)
    return (
        {offset for offset in offsets if text[offset].isalnum()}
        or {offset for offset in offsets if not text[offset].isspace()}
        or set(offsets)
    )


def plain_covered(spans: tuple[Span, ...]) -> set[int]:
    return {offset for span in spans for offset in range(span.start, span.end)}


@settings(max_examples=60)
@given(pairs())
def test_mentions_leak_where_a_character_of_theirs_is_not_covered(pair: Pair) -> None:
    text, covered = pair.gold.text, plain_covered(pair.predicted.spans)
    scorer = LeakageScorer(DIRECT, label_set=I2B2)
    found = scorer.add(pair)
    wanted = []
    for start, end, label in sorted({(s.start, s.end, s.label) for s in pair.gold.spans}):
        counting = plain_counting(text, Span(start, end, label))
        stays = counting - covered
        outcome = "removed" if not stays else "missed" if stays == counting else "partly"
        wanted.append((start, end, label, I2B2[label].direct, outcome))
        mention = next(m for m in found if (m.start, m.end, m.label) == (start, end, label))
        left = {offset for piece in mention.left for offset in range(*piece)}
        assert left & counting == stays
        assert not left & covered
        assert left <= set(range(start, end))
    assert [(m.start, m.end, m.label, m.direct, m.outcome) for m in found] == wanted
    leakage = scorer.leakage()
    outcomes = [row[-1] for row in wanted]
    assert sum(row.removed for row in leakage.labels) == outcomes.count("removed")
    assert sum(row.partly for row in leakage.labels) == outcomes.count("partly")
    assert sum(row.missed for row in leakage.labels) == outcomes.count("missed")
    assert leakage.direct.leaks == sum(row[3] and row[4] != "removed" for row in wanted)
    assert leakage.tokens == count_binary_tokens(pair)


@settings(max_examples=60)
@given(pairs())
def test_characters_count_once_each(pair: Pair) -> None:
    text, covered = pair.gold.text, plain_covered(pair.predicted.spans)
    gold = {offset for span in pair.gold.spans for offset in plain_counting(text, span)}
    everything = plain_covered(pair.gold.spans)
    extra = {offset for offset in covered - everything if text[offset].isalnum()}
    wanted = Counts(len(gold & covered), len(extra), len(gold - covered))
    assert count_characters(pair) == wanted


def test_documents_and_patients_with_any_leak() -> None:
    text = "Ann Lee, 3/4, Rome"
    name, date, city = Span(0, 7, "PATIENT"), Span(9, 12, "DATE"), Span(14, 18, "CITY")
    scorer = LeakageScorer(
        DIRECT, label_set=I2B2, patient_of=lambda pair: pair.gold.id.split("-")[0]
    )
    scorer.add(pair_of(text, [name, date, city], [name, city], "1-1"))
    scorer.add(pair_of(text, [name, date, city], [Span(0, 3, "DOCTOR"), date, city], "1-2"))
    scorer.add(pair_of(text, [name], [name, date], "2-1"))
    scorer.add(pair_of(text, [], [], "3-1"))
    found = scorer.leakage()
    assert found.documents == UnitLeaks(units=4, with_phi=3, leaking=2, leaking_direct=1)
    assert found.patients == UnitLeaks(units=3, with_phi=2, leaking=1, leaking_direct=1)
    assert [(row.label, row.removed, row.partly, row.missed) for row in found.labels] == [
        ("PATIENT", 2, 1, 0),
        ("CITY", 2, 0, 0),
        ("DATE", 1, 0, 1),
    ]
    assert [(leak.document, leak.mention.left) for leak in found.leaks] == [
        ("1-1", ((9, 12),)),
        ("1-2", ((3, 7),)),
    ]
    assert found.characters == Counts(6 + 4 + 3 + 2 + 4 + 6, 2, 2 + 3)
    assert (found.mentions, found.leaking_mentions) == (7, 2)
    assert found.by_document[1].missed_characters == 3


def test_marks_at_the_borders_are_no_leak_and_marks_alone_are() -> None:
    assert (
        not LeakageScorer(DIRECT)
        .add(pair_of("(Dr. Lee)", [Span(0, 9, "DOCTOR")], [Span(1, 8, "DOCTOR")]))[0]
        .left
    )
    alone = pair_of("*** a", [Span(0, 3, "IDNUM")], [Span(0, 1, "IDNUM")])
    assert LeakageScorer(DIRECT).add(alone)[0].outcome == "partly"
    assert count_characters(alone) == Counts(1, 0, 2)


def test_one_pair_without_patient_leaves_patients_unknown() -> None:
    scorer = LeakageScorer(
        DIRECT, patient_of=lambda pair: None if pair.gold.id == "b" else pair.gold.id
    )
    for name in "abc":
        scorer.add(pair_of("x", [], [], name))
    assert scorer.leakage().patients is None
    assert LeakageScorer(DIRECT).leakage().documents == UnitLeaks()


def test_text_is_kept_only_where_it_is_asked_for() -> None:
    pair = pair_of("Seen by Wilhelmina today", [Span(8, 18, "PATIENT")], [])
    silent, open_ = LeakageScorer(DIRECT), LeakageScorer(DIRECT, show_text=True)
    silent.add(pair)
    open_.add(pair)
    leak = silent.leakage().leaks[0]
    assert (leak.shape, leak.before, leak.text, leak.after) == ("Aaaaaaaaaa", "", "", "")
    assert "text" not in leak.record()
    shown = open_.leakage().leaks[0]
    assert (shown.before, shown.text, shown.after) == ("Seen by ", "Wilhelmina", " today")
    assert shown.record()["text"] == "Wilhelmina"
    assert "Wilhelmina" not in repr(shown)


def test_labels_keep_the_spelling_of_the_set_and_unknown_ones_are_errors() -> None:
    scorer = LeakageScorer(DIRECT, label_set=I2B2)
    assert scorer.add(pair_of("Ann", [Span(0, 3, "patient")], []))[0].label == "PATIENT"
    for gold, predicted in (([Span(0, 3, "NOBODY")], []), ([], [Span(0, 3, "NOBODY")])):
        with pytest.raises(LabelError, match="NOBODY"):
            scorer.add(pair_of("Ann", gold, predicted))


@pytest.mark.parametrize("name", ["i2b2-2014", "ngrid-2016", "meddocan", "trienes-2020", "hipaa"])
def test_every_label_set_names_direct_labels(name: str) -> None:
    label_set = find_label_set(name)
    direct = find_direct_labels(label_set)
    assert direct.source == f"label set {name}"
    assert direct.labels is not None
    categories = {label_set.category(label) for label in direct.labels}
    assert {"NAME", "CONTACT", "ID"} <= categories
    assert not {"DATE", "AGE", "PROFESSION"} & categories


def test_without_a_table_every_label_is_direct() -> None:
    for label_set in (None, find_label_set("binary")):
        direct = find_direct_labels(label_set)
        assert direct.labels is None
        assert "ANYTHING" in direct
        assert direct.source.startswith("every label")


def test_a_file_names_the_direct_labels(tmp_path: Path) -> None:
    path = tmp_path / "direct.toml"
    path.write_text('direct = ["DATE", "patient"]\n', "utf-8")
    found = find_direct_labels(I2B2, file=path)
    assert found == DirectLabels(frozenset({"DATE", "PATIENT"}), "direct.toml")
    assert find_direct_labels(None, file=path).labels == frozenset({"DATE", "patient"})


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"direct = []", ConfigError, "list of labels"),
        (b"direct = [1]", ConfigError, "list of labels"),
        (b'labels = ["DATE"]', ConfigError, "unknown setting 'labels'"),
        (b"direct = [", ConfigError, "not valid TOML"),
        (b"direct = '\xff'", ConfigError, "not UTF-8"),
        (b'direct = ["DATUM"]', LabelError, "Nearest: DATE"),
        (None, ConfigError, "cannot be read"),
    ],
)
def test_broken_files_of_direct_labels(
    tmp_path: Path, content: bytes | None, error: type[Exception], said: str
) -> None:
    path = tmp_path / "direct.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=said) as caught:
        find_direct_labels(I2B2, file=path)
    assert "direct.toml" in str(caught.value)
