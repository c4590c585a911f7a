"""The i2b2 2014 scorer: against its own output, against the oracle, and by example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import LabelError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.i2b2 import (
    HIPAA_CORRECTED_LABELS,
    HIPAA_LABELS,
    I2b2Scorer,
    I2b2Scores,
    evaluation_figures,
    official_scores,
)
from scrubjay.evaluation.pairs import Pair, Pairing
from scrubjay.labels import find_label_set
from tests.evaluation.samples import pair, pairs, read_xml
from tests.oracles.scoring import close, i2b2_counts, macro_figures

I2B2 = find_label_set("i2b2-2014")


def score(*documents: Pair, scorer: I2b2Scorer | None = None) -> I2b2Scores:
    used = scorer if scorer is not None else I2b2Scorer(I2B2)
    for one in documents:
        used.add(one)
    return used.scores()


@pytest.fixture(scope="module")
def reference(shared: Path) -> dict[str, Any]:
    scores = (shared / "reference-scores" / "i2b2-2014" / "scores.json").read_text("utf-8")
    return dict(json.loads(scores))


@pytest.fixture(scope="module")
def computed(shared: Path) -> dict[str, Any]:
    gold = read_xml(shared / "corpora" / "en-notes" / "dev" / "xml")
    predicted = read_xml(shared / "reference-scores" / "i2b2-2014" / "predicted")
    return official_scores(score(*Pairing(gold, predicted)))


def test_every_evaluation_of_the_official_output_is_there_in_its_order(
    reference: dict[str, Any], computed: dict[str, Any]
) -> None:
    assert list(computed) == list(reference)
    assert len(reference) == 26


def test_every_figure_of_the_official_output_is_matched(
    reference: dict[str, Any], computed: dict[str, Any]
) -> None:
    wrong = [name for name in reference if not close(computed[name], reference[name])]
    assert wrong == []


@given(st.lists(pairs(), min_size=1, max_size=4))
@settings(max_examples=60)
def test_every_evaluation_equals_the_plain_oracle(drawn: list[Pair]) -> None:
    for evaluation in score(*drawn):
        rows = [i2b2_counts(one, evaluation.name, I2B2.categories) for one in drawn]
        total = Counts(*(sum(column) for column in zip(*rows, strict=True)))
        assert evaluation.counts == total, evaluation.name
        figures = evaluation_figures(evaluation)
        assert close(figures["macro"], macro_figures(rows)), evaluation.name


def test_a_span_in_two_parts_is_right_by_tokens_and_wrong_strictly() -> None:
    scores = score(
        pair("2072 winter", [Span(0, 11, "DATE")], [Span(0, 4, "DATE"), Span(5, 11, "DATE")])
    )
    assert scores["Token"].counts == Counts(2, 0, 0)
    assert scores["Strict"].counts == Counts(0, 2, 1)


def test_relaxed_lets_the_end_differ_by_two() -> None:
    scores = score(pair("Lee Jr. came", [Span(0, 7, "DOCTOR")], [Span(0, 6, "DOCTOR")]))
    assert scores["Strict"].counts == Counts(0, 1, 1)
    assert scores["Relaxed"].counts == Counts(1, 0, 0)


def test_binary_ignores_labels_and_case_never_matters() -> None:
    scores = score(
        pair(
            "Lee, Kim",
            [Span(0, 3, "DOCTOR"), Span(5, 8, "PATIENT")],
            [Span(0, 3, "PATIENT"), Span(5, 8, "Patient")],
        )
    )
    assert scores["Strict"].counts == Counts(1, 1, 1)
    assert scores["Binary Strict"].counts == Counts(2, 0, 0)
    assert scores["NAME Strict"].counts == Counts(1, 1, 1)


def test_the_official_hipaa_list_misses_idnum_and_the_corrected_one_has_it() -> None:
    scores = score(pair("12345", [Span(0, 5, "IDNUM")], [Span(0, 5, "IDNUM")]))
    assert scores["HIPAA Strict"].counts == Counts(0, 0, 0)
    assert scores["HIPPA Token"].counts == Counts(0, 0, 0)
    assert scores["HIPAA corrected Strict"].counts == Counts(1, 0, 0)
    assert {"IDNUM"} == HIPAA_CORRECTED_LABELS - HIPAA_LABELS
    assert not scores["HIPAA corrected Strict"].official


def test_an_undefined_ratio_is_none_here_and_zero_in_the_official_figures() -> None:
    scores = score(pair("", [], []))
    assert evaluation_figures(scores["Token"])["micro"]["precision"] is None
    assert official_scores(scores)["Token"]["micro"]["precision"] == 0.0


def test_a_document_without_gold_pulls_the_macro_recall_down() -> None:
    right = pair("Lee", [Span(0, 3, "DOCTOR")], [Span(0, 3, "DOCTOR")])
    scores = score(right, pair("Lee", [], []))
    assert scores["Strict"].macro.recall == 0.5
    assert scores["Strict"].macro.recall_sd == 0.5
    assert scores["Strict"].counts.recall == 1.0


def test_without_a_label_set_each_label_is_its_own_category() -> None:
    scores = score(pair("Lee", [Span(0, 3, "ROLE")], []), scorer=I2b2Scorer())
    assert scores["ROLE Strict"].counts == Counts(0, 0, 1)
    with pytest.raises(KeyError):
        scores["HIPAA Strict"]


def test_a_label_set_of_another_kind_has_no_hipaa_figures() -> None:
    scorer = I2b2Scorer(find_label_set("trienes-2020"))
    scores = score(pair("Lee", [Span(0, 3, "NAME")], [Span(0, 3, "INITIALS")]), scorer=scorer)
    assert scores["NAME Strict"].counts == Counts(0, 1, 1)
    assert "HIPAA Strict" not in {one.name for one in scores}


def test_an_unknown_label_is_an_error_that_offers_the_nearest() -> None:
    with pytest.raises(LabelError, match="Nearest: DOCTOR"):
        score(pair("Lee", [Span(0, 3, "DOCTR")], []))
