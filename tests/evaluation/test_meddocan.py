"""The MEDDOCAN scorer: against its own output, against the oracle, and by example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from scrubjay.document import Document, Span
from scrubjay.errors import EncodingError, FormatError, InputError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.meddocan import (
    MeddocanScorer,
    SentenceCounter,
    count_merged,
    official_scores,
    own_sentence_counter,
    read_sentence_counts,
)
from scrubjay.evaluation.pairs import Pair, Pairing
from tests.evaluation.samples import pair, pairs, read_brat
from tests.oracles.scoring import close, merged_counts


def test_every_figure_of_the_official_output_is_matched(shared: Path) -> None:
    folder = shared / "reference-scores" / "meddocan"
    scorer = MeddocanScorer(read_sentence_counts(folder / "scores.json"))
    gold = read_brat(shared / "corpora" / "meddocan" / "dev" / "brat")
    pairing = Pairing(gold, read_brat(folder / "predicted"), "skip")
    for one in pairing:
        scorer.add(one)
    scores = scorer.scores()
    reference = json.loads((folder / "scores.json").read_text("utf-8"))
    assert close(official_scores(scores), reference["scores"])
    assert (scores.documents, pairing.predicted_alone) == (60, 0)
    assert scores.sentence_source == "file scores.json"


@given(pairs(disjoint=True))
def test_merged_equals_the_plain_oracle(drawn: Pair) -> None:
    counts = count_merged(drawn)
    assert (counts.tp, counts.fp, counts.fn) == merged_counts(drawn)


@given(pairs())
def test_merged_counts_are_bounded_by_the_strict_ones(drawn: Pair) -> None:
    merged = count_merged(drawn)
    gold = {(span.start, span.end) for span in drawn.gold.spans}
    predicted = {(span.start, span.end) for span in drawn.predicted.spans}
    assert merged.tp >= len(gold & predicted)
    assert merged.fp <= len(predicted - gold)
    assert merged.fn <= len(gold - predicted)


def test_two_halves_of_a_date_are_forgiven_when_merged() -> None:
    split = pair("3 - 4 y", [Span(0, 5, "FECHAS")], [Span(0, 1, "FECHAS"), Span(4, 5, "FECHAS")])
    scorer = MeddocanScorer(SentenceCounter("two", lambda document: 2))
    scorer.add(split)
    scores = scorer.scores()
    assert scores.ner == Counts(0, 2, 1)
    assert scores.strict == Counts(0, 2, 1)
    assert scores.merged == Counts(1, 0, 0)
    assert scores.leak == 0.5


def test_sub_task_2_ignores_labels() -> None:
    scorer = MeddocanScorer(SentenceCounter("none", lambda document: 0))
    scorer.add(pair("Ana", [Span(0, 3, "PAIS")], [Span(0, 3, "HOSPITAL")]))
    scores = scorer.scores()
    assert (scores.ner, scores.strict) == (Counts(0, 1, 1), Counts(1, 0, 0))
    assert scores.leak is None
    assert official_scores(scores)["Subtask1_Leak"] == 0.0


def test_own_sentences_are_counted_and_named() -> None:
    counter = own_sentence_counter()
    document = Document("d", "Vive sola en casa.\n\nToma un comprimido al día. Vuelve en mayo.\n")
    assert counter.count(document) == 3
    assert "not the official split" in counter.source


def test_sentence_numbers_come_from_a_plain_object_too(tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text('{"d": 4}', "utf-8")
    counter = read_sentence_counts(path)
    assert counter.count(Document("d", "")) == 4
    with pytest.raises(InputError, match=r"n\.json: no number of sentences for document 'e'"):
        counter.count(Document("e", ""))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[1]", "must be an object"),
        (b"{", "line 1: not valid JSON"),
        (b'{"d": "4"}', "document 'd': the number of sentences must be a whole number"),
        (b'{"d": true}', "whole number"),
        (b'{"d": -1}', "whole number"),
    ],
)
def test_broken_sentence_files_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "n.json"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_sentence_counts(path)


def test_a_missing_sentence_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    with pytest.raises(InputError, match="cannot be read"):
        read_sentence_counts(path)
    path.write_bytes(b"\xff")
    with pytest.raises(EncodingError, match="byte 0: not UTF-8"):
        read_sentence_counts(path)
