"""The assembled report: choices, JSON, tables, speed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.deidentifier import Failure
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError
from scrubjay.evaluation.i2b2 import I2b2Scorer
from scrubjay.evaluation.meddocan import SentenceCounter
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.reading import GUESSING_DOCUMENTS
from scrubjay.evaluation.report import (
    count_binary_tokens,
    count_plain_tokens,
    evaluate_corpora,
    require_scorer,
    to_json,
)
from scrubjay.evaluation.tables import report_tables
from scrubjay.labels import GUESSED_SETS, find_label_map, find_label_set
from tests.evaluation.samples import pairs, read_brat, read_xml

ONE_SENTENCE = SentenceCounter("one", lambda document: 1)


def document(*spans: Span, name: str = "d") -> Document:
    return Document(name, "Lee came on 3/4", spans)


def test_reference_files_in_one_call(shared: Path) -> None:
    folder = shared / "reference-scores" / "i2b2-2014"
    gold = read_xml(shared / "corpora" / "en-notes" / "dev" / "xml")
    report = evaluate_corpora(gold, read_xml(folder / "predicted"))
    reference = json.loads((folder / "scores.json").read_text("utf-8"))
    assert (report.scorer, report.label_set, report.documents) == ("i2b2", "i2b2-2014", 148)
    assert report.binary_token_recall == pytest.approx(
        reference["Binary Token"]["micro"]["recall"], abs=1e-12
    )


def test_meddocan_is_recognised_by_its_labels(shared: Path) -> None:
    folder = shared / "reference-scores" / "meddocan"
    gold = read_brat(shared / "corpora" / "meddocan" / "dev" / "brat")
    report = evaluate_corpora(
        gold, read_brat(folder / "predicted"), sentences=ONE_SENTENCE, unpaired="skip"
    )
    assert (report.scorer, report.label_set) == ("meddocan", "meddocan")
    assert (report.documents, report.gold_alone, report.predicted_alone) == (60, 190, 0)
    assert report.meddocan is not None
    assert report.meddocan.ner.tp == 1101


@pytest.mark.parametrize("name", GUESSED_SETS)
def test_a_label_set_is_guessed_from_all_its_labels(name: str) -> None:
    text = "x" * 40
    spans = tuple(Span(at, at + 1, label) for at, label in enumerate(find_label_set(name).labels))
    gold = [Document("d", text, spans)]
    report = evaluate_corpora(gold, gold, scorer="i2b2")
    assert report.label_set == name


def test_labels_of_no_known_set_stand_for_themselves() -> None:
    report = evaluate_corpora([document(Span(0, 3, "HERO"))], [document()])
    assert report.label_set is None
    assert [(row.category, row.label) for row in report.per_label] == [("HERO", "HERO")]


def test_a_guess_that_fails_late_says_so() -> None:
    gold = [document(Span(0, 3, "DOCTOR"), name=f"{n:04}") for n in range(GUESSING_DOCUMENTS)]
    gold.append(document(Span(0, 3, "HERO"), name="last"))
    with pytest.raises(LabelError, match="guessed from the first 200 documents"):
        evaluate_corpora(gold, gold)


def test_a_named_set_is_binding() -> None:
    gold = [document(Span(0, 3, "HERO"))]
    with pytest.raises(LabelError, match="'i2b2-2014' has no label 'HERO'"):
        evaluate_corpora(gold, gold, label_set="i2b2-2014")


def test_a_label_map_serves_both_sides_and_leaves_its_targets_alone() -> None:
    report = evaluate_corpora(
        [document(Span(0, 3, "NOMBRE_PERSONAL_SANITARIO"), Span(12, 15, "FECHAS"))],
        [document(Span(0, 3, "DOCTOR"), Span(12, 15, "DATE"))],
        label_map=find_label_map("meddocan", "i2b2-2014"),
    )
    assert report.label_set == "i2b2-2014"
    assert report.i2b2 is not None
    assert report.i2b2["Strict"].counts.f1 == 1.0


def test_labels_without_counterpart_are_left_out_and_counted() -> None:
    gold = [document(Span(0, 3, "DOCTOR"), Span(12, 15, "DATE"))]
    report = evaluate_corpora(gold, gold, label_map=find_label_map("i2b2-2014", "hipaa"))
    assert report.outside == {"DOCTOR": 2}
    assert [row.label for row in report.per_label] == ["DATE"]
    assert ("left out, DOCTOR", "2") in report_tables(report)[0].rows


def test_a_label_unknown_to_the_map_is_an_error() -> None:
    gold = [document(Span(0, 3, "HERO"))]
    with pytest.raises(LabelError, match="'HERO' of 'meddocan' has no counterpart"):
        evaluate_corpora(gold, gold, label_map=find_label_map("meddocan", "i2b2-2014"))


@given(pairs())
def test_binary_tokens_are_those_of_the_i2b2_scorer(drawn: Pair) -> None:
    scorer = I2b2Scorer(find_label_set("i2b2-2014"))
    scorer.add(drawn)
    assert count_binary_tokens(drawn) == scorer.scores()["Binary Token"].counts


@given(pairs())
def test_plain_tokens_are_the_runs_that_no_span_touches(drawn: Pair) -> None:
    gold = drawn.gold
    held = {place for span in gold.spans for place in range(span.start, span.end)}
    runs = [run.span() for run in re.finditer(r"[a-zA-Z0-9]+", gold.text)]
    plain = [each for each in runs if held.isdisjoint(range(*each))]
    assert count_plain_tokens(gold) == len(plain)


def test_what_nobody_labelled_is_no_plain_token() -> None:
    assert count_plain_tokens(document()) == 5
    assert count_plain_tokens(document(Span(13, 14, "DATE"))) == 5  # the stroke of 3/4
    assert count_plain_tokens(document(Span(5, 6, "DATE"), Span(12, 15, "DATE"))) == 2
    part = replace(document(Span(0, 3, "DATE")), metadata={IGNORE_KEY: [[9, 13]]})
    assert count_plain_tokens(part) == 2


@pytest.mark.parametrize("scorer", ["i2b2", "meddocan"])
def test_false_positives_are_told_of_1000_tokens_that_are_none(scorer: str) -> None:
    text = "Dr Lee saw Ann on Monday at noon"  # 8 tokens, 3 of them PHI
    gold = Document(
        "a", text, (Span(3, 6, "PATIENT"), Span(11, 14, "PATIENT"), Span(18, 24, "DATE"))
    )
    found = gold.with_spans((Span(3, 6, "CITY"), Span(18, 24, "DATE"), Span(28, 32, "DATE")))
    report = evaluate_corpora(
        [gold], [found], scorer=require_scorer(scorer), sentences=ONE_SENTENCE
    )
    figures = to_json(report)
    assert (figures["plain_tokens"], figures["false_positives_per_1000"]) == (5, 200.0)
    assert figures["strict_f1"] == pytest.approx(1 / 3)
    rows = report_tables(report)[0].rows
    assert ("strict F1", "0.3333") in rows
    assert ("false positives per 1,000", "200.0") in rows
    none = gold.with_spans(()), gold.with_spans([Span(0, len(text), "DATE")])
    whole = evaluate_corpora(none[1:], none[:1], scorer=require_scorer(scorer))
    assert whole.false_positives_per_1000 is None
    assert ("false positives per 1,000", "-") in report_tables(whole)[0].rows


@pytest.mark.parametrize("scorer", ["i2b2", "meddocan"])
def test_json_is_plain_values_and_holds_no_text(scorer: str) -> None:
    gold = [document(Span(0, 3, "DOCTOR"))]
    report = evaluate_corpora(
        gold, [document()], scorer=require_scorer(scorer), sentences=ONE_SENTENCE
    )
    text = json.dumps(to_json(report))
    figures = json.loads(text)
    assert figures["scorer"] == scorer
    assert scorer in figures
    assert figures["binary_token_recall"] == 0.0
    assert figures["per_label"] == [
        {"category": "NAME", "label": "DOCTOR"}
        | {"tp": 0, "fp": 0, "fn": 1, "precision": None, "recall": 0.0, "f1": 0.0}
    ]
    assert "Lee" not in text


@pytest.mark.parametrize("scorer", ["i2b2", "meddocan"])
def test_tables_are_rectangular(scorer: str) -> None:
    gold = [document(Span(0, 3, "DOCTOR"), Span(12, 15, "DATE"))]
    tables = report_tables(
        evaluate_corpora(gold, gold, scorer=require_scorer(scorer), sentences=ONE_SENTENCE)
    )
    assert [table.title for table in tables][-1] == "Strict, by label"
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.header)}
    assert tables[-1].rows[0][:5] == ("NAME", "DOCTOR", "1", "1", "1")


def test_no_document_at_all() -> None:
    report = evaluate_corpora([], [])
    assert report.documents == 0
    assert report.binary_token_recall is None
    assert report.per_label == ()


def test_scorers_by_name() -> None:
    assert require_scorer("meddocan") == "meddocan"
    with pytest.raises(ConfigError, match="Known: auto, i2b2, meddocan"):
        require_scorer("conll")


def test_a_failure_is_no_document_to_score() -> None:
    failed: Any = [Failure("d", "detect", "X")]
    for label_map in (None, find_label_map("i2b2-2014", "binary")):
        with pytest.raises(InputError, match=r"a Failure stands .* pass over each Failure"):
            evaluate_corpora([document()], failed, label_map=label_map)
