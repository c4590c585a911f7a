"""Recall by how well PHI is known from training, against counts made the slow way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.familiarity import (
    BAND_STARTS,
    Band,
    FamiliarityScorer,
    Found,
    make_bands,
)
from scrubjay.analysis.training_strings import LEVELS, NORMALISATIONS, read_training
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import find_label_set
from tests.evaluation.samples import pairs
from tests.oracles import familiarity as oracle

WORDS = ("Ann", "ann", "LEE", "Lee ", " Ann  Lee", "Ann\nLee", "3/4", "_", "St Ann", "ß", "SS")


@st.composite
def marked(draw: st.DrawFn) -> Document:
    """Documents of few words, so that strings come again; each word may bear a label."""
    text, spans = "", []
    for word in draw(st.lists(st.sampled_from(WORDS), max_size=5)):
        label = draw(st.sampled_from(("", "DOCTOR", "PATIENT", "DATE")))
        if label:
            spans.append(Span(len(text), len(text) + len(word), label))
        text += word + " "
    return Document("d", text, tuple(spans))


@st.composite
def marked_pairs(draw: st.DrawFn) -> Pair:
    gold = draw(marked())
    kept = [span for span in gold.spans if draw(st.booleans())]
    other = draw(st.lists(st.integers(0, max(len(gold.text) - 3, 0)), max_size=2))
    loose = [Span(start, start + 2, "DATE") for start in other if start + 2 <= len(gold.text)]
    return Pair(gold, gold.with_spans((*kept, *loose)))


@given(
    st.lists(marked(), max_size=4),
    st.lists(marked_pairs() | pairs(), max_size=3),
    st.sampled_from(tuple(NORMALISATIONS)),
)
@settings(max_examples=60)
def test_counts_are_those_of_the_slow_way(
    training: list[Document], test: list[Pair], how: str
) -> None:
    scorer = FamiliarityScorer(read_training(training, normalisation=how))
    expected: dict[tuple[str | None, str, str], Found] = {}
    bands = make_bands(BAND_STARTS)

    def name(number: int) -> str:
        fits = [b for b in bands if b.first <= number and (b.last is None or number <= b.last)]
        assert len(fits) == 1
        return str(fits[0])

    for pair in test:
        scorer.add(pair)
        for key in oracle.spans_of(pair.gold):
            label, start, end = key
            level, mentions, documents = oracle.look_up(
                training, pair.gold.text[start:end], label, how
            )
            strict = key in oracle.spans_of(pair.predicted)
            found = Found(1, strict, oracle.is_covered(pair, start, end))
            for row in (label, None):
                for kind, place in (
                    ("levels", level),
                    ("by_documents", name(documents)),
                    ("by_mentions", name(mentions)),
                ):
                    old = expected.get((row, kind, place), Found())
                    expected[row, kind, place] = old + found
    report = scorer.report()
    counted = {}
    for row in report.labels:
        for kind, places, values in (
            ("levels", LEVELS, row.levels),
            ("by_documents", map(str, bands), row.by_documents),
            ("by_mentions", map(str, bands), row.by_mentions),
        ):
            for place, found in zip(places, values, strict=True):
                if found.gold:
                    counted[row.label, kind, place] = found
    assert counted == expected
    assert report.all_labels.seen + report.all_labels.unseen == report.all_labels.whole


@given(st.lists(marked(), max_size=5))
@settings(max_examples=40)
def test_document_frequencies_are_those_of_the_slow_way(training: list[Document]) -> None:
    report = FamiliarityScorer(read_training(training)).report()
    strings = {
        (label, oracle.normalise(document.text[start:end], "case"))
        for document in training
        for label, start, end in oracle.spans_of(document)
    }
    for label in {label for label, _ in strings}:
        row = next(row for row in report.training if row.label == label)
        seen = [
            oracle.look_up(training, text, label, "case") for own, text in strings if own == label
        ]
        assert row.strings == sum(row.bands) == len(seen)
        assert row.mentions == sum(mentions for _, mentions, _ in seen)
        documents = sorted(documents for _, _, documents in seen)
        assert row.mean == pytest.approx(sum(documents) / len(documents))
        middle = documents[(len(documents) - 1) // 2], documents[len(documents) // 2]
        assert row.median == sum(middle) / 2
    assert len(report.training) == len({label for label, _ in strings})


def test_patients_are_new_where_doctors_are_known() -> None:
    """Jiang 2017, section 8.3.4: a low document frequency beside a high rate of missing."""
    texts = [("Dr. Lee saw Ann Ames", 12), ("Dr. Lee saw Bo Berg", 12), ("Dr. Lee saw Cy Cole", 12)]
    training = [
        Document(str(n), text, (Span(4, 7, "DOCTOR"), Span(at, len(text), "PATIENT")))
        for n, (text, at) in enumerate(texts)
    ]
    text = "LEE saw Ann Berg, Ann  Ames and Lee Moe"
    spans = (
        Span(0, 3, "DOCTOR"),
        Span(8, 16, "PATIENT"),
        Span(18, 27, "PATIENT"),
        Span(32, 35, "PATIENT"),
        Span(32, 39, "PATIENT"),
    )
    gold = Document("t", text, spans)
    scorer = FamiliarityScorer(read_training(training))
    scorer.add(Pair(gold, gold.with_spans((spans[0], Span(8, 27, "PATIENT")))))
    report = scorer.report()
    doctor, patient, whole = report.labels
    assert [row.label for row in report.labels] == ["DOCTOR", "PATIENT", None]
    assert doctor.seen == doctor.by_documents[3] == Found(1, 1, 1)
    assert dict(zip(LEVELS, patient.levels, strict=True)) == {
        "same-label": Found(1, 0, 1),
        "other-label": Found(1, 0, 0),
        "all-words": Found(1, 0, 1),
        "some-words": Found(1, 0, 0),
        "new": Found(),
    }
    assert whole.unseen == patient.unseen == Found(3, 0, 1)
    assert whole.whole.strict_recall == 1 / 5
    assert [(row.label, row.strings, row.mean) for row in report.training] == [
        ("DOCTOR", 1, 3.0),
        ("PATIENT", 3, 1.0),
    ]
    shown = json.dumps(report.record())
    assert json.loads(shown)["labels"][0]["by_documents"]["3-5"]["gold"] == 1
    assert not any(word in shown.casefold() for word in ("ames", "berg", "lee", "moe"))


def test_normalisations_differ_by_what_they_say() -> None:
    training = [Document("d", "Ann\nLee", (Span(0, 7, "DOCTOR"),))]
    levels = {
        how: [
            read_training(training, normalisation=how).look_up(text, "DOCTOR").level
            for text in ("Ann\nLee", " Ann Lee", "ann lee")
        ]
        for how in NORMALISATIONS
    }
    assert levels == {
        "exact": ["same-label", "all-words", "new"],
        "spaces": ["same-label", "same-label", "new"],
        "case": ["same-label"] * 3,
    }


def test_training_may_be_a_stream_and_leaves_no_text_in_its_repr() -> None:
    documents = (Document(str(n), "Ann Lee", (Span(0, 7, "doctor"),)) for n in range(3))
    strings = read_training(documents, label_of=find_label_set("i2b2-2014").spelled)
    assert repr(strings) == "TrainingStrings(3 documents, 1 strings)"
    known = strings.look_up("ann lee", "DOCTOR")
    assert (known.mentions, known.documents, known.seen) == (3, 3, True)


def test_ratios_without_gold_are_undefined() -> None:
    report = FamiliarityScorer(read_training(())).report()
    assert report.all_labels.whole.strict_recall is None
    assert report.all_labels.whole.covered_recall is None
    assert (report.training, report.training_documents) == ((), 0)


def test_bands_hold_every_number_once() -> None:
    assert list(map(str, make_bands(BAND_STARTS))) == ["0", "1", "2", "3-5", "6-10", "11-50", "51+"]
    assert make_bands((0, 1)) == (Band(0, 0), Band(1, None))


@pytest.mark.parametrize("starts", [(), (0,), (1, 2), (0, 2), (0, 1, 1), (0, 1, 5, 3)])
def test_bands_that_do_not_ascend_are_refused(starts: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match="must ascend"):
        make_bands(starts)


def test_unknown_normalisations_and_labels_are_refused() -> None:
    with pytest.raises(ConfigError, match="unknown normalisation 'loud'"):
        read_training((), normalisation="loud")
    document = Document("d", "Ann", (Span(0, 3, "WIZARD"),))
    with pytest.raises(LabelError, match="WIZARD"):
        read_training([document], label_of=find_label_set("i2b2-2014").spelled)
