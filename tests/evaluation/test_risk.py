"""The whole measurement: bounds, patients, hiding in plain sight, JSON."""

from __future__ import annotations

import json
import math

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError
from scrubjay.evaluation.direct import find_direct_labels
from scrubjay.evaluation.groups import group_by_key
from scrubjay.evaluation.intervals import exact_interval
from scrubjay.evaluation.leakage import UnitLeaks
from scrubjay.evaluation.reading import PairedCorpora
from scrubjay.evaluation.risk import FINDERS, Risk
from scrubjay.evaluation.risk_meter import RiskMeter
from scrubjay.labels import find_label_map, find_label_set

TEXT = "Ann Lee on 3/4"
NAME, DATE = Span(0, 7, "PATIENT"), Span(11, 14, "DATE")
I2B2 = find_label_set("i2b2-2014")


def measure(rows: list[tuple[str, tuple[Span, ...]]], **settings: object) -> Risk:
    gold = [Document(name, TEXT, (NAME, DATE), {"site": name[0]}) for name, _ in rows]
    predicted = [Document(name, TEXT, spans) for name, spans in rows]
    pairs = PairedCorpora(gold, predicted, label_set=I2B2)
    return RiskMeter(pairs, direct=find_direct_labels(I2B2), **settings).measure()  # type: ignore[arg-type]


ALL = (NAME, DATE)
HALF = [("a-1", ALL), ("a-2", (NAME,)), ("b-1", ALL), ("b-2", (DATE,)), ("c-1", ALL)]


def test_shares_of_documents_patients_and_mentions() -> None:
    risk = measure(HALF)
    assert risk.leakage.documents == UnitLeaks(5, 5, 2, 1)
    assert risk.leakage.patients == UnitLeaks(3, 3, 2, 1)
    assert risk.patient_key == "id:(.+)-[^-]+"
    assert (risk.mention_leaks.events, risk.mention_leaks.trials) == (2, 10)
    mention, token, character = risk.recalls
    assert (mention.found, mention.gold, mention.value) == (8, 10, 0.8)
    assert (token.found, token.gold) == (16, 20)
    assert (character.found, character.gold) == (32, 40)
    assert mention.interval.low < 0.8 < mention.interval.high
    # Each document has two mentions, and none loses both.
    assert risk.design_effect == pytest.approx(5 / 4 * (3 * 0.16 + 2 * 0.36) / 100 / 0.016)
    assert risk.sizes[0].documents == 150
    assert risk.sizes[1].chance is not None
    row = risk.leakage.labels[0]
    assert risk.label_recall(row).interval == exact_interval(4, 5)


def test_leaks_hidden_in_plain_sight_follow_both_finders() -> None:
    risk = measure(HALF)
    assert [row.finder.found for row in risk.hidden] == [0.27, 0.68]
    assert [row.hidden for row in risk.hidden] == pytest.approx([0.2 * 0.73, 0.2 * 0.32])
    assert [row.exposed for row in risk.hidden] == pytest.approx([0.2 * 0.27, 0.2 * 0.68])
    for row, finder in zip(risk.hidden, FINDERS, strict=True):
        assert row.hidden_bound == pytest.approx(risk.leak_bound * (1 - finder.found))
        assert row.hidden_bound + row.exposed_bound == pytest.approx(risk.leak_bound)


def test_the_bound_of_leaks_is_that_of_documents_where_it_is_wider() -> None:
    risk = measure(HALF)
    # Two of ten mentions in five documents: as if one document of the five leaked.
    assert risk.leak_bound_by_document == pytest.approx(risk.share(1, 5).upper)
    assert risk.leak_bound == risk.leak_bound_by_document > risk.mention_leaks.upper
    clean = measure([(f"p{number}-1", ALL) for number in range(30)])
    assert clean.leak_bound == pytest.approx(1 - 0.05 ** (1 / 30))
    assert clean.leak_bound > clean.mention_leaks.upper
    leaking = clean.record()["leaking_mentions"]
    assert leaking["upper_bound_by_document"] == clean.leak_bound


def test_token_recall_is_below_one_where_a_wider_span_removes_all() -> None:
    gold = [Document("p1-1", "Lees house", [Span(0, 3, "PATIENT")])]
    found = [gold[0].with_spans([Span(0, 4, "PATIENT")])]
    pairs = PairedCorpora(gold, found)
    risk = RiskMeter(pairs, direct=find_direct_labels(pairs.label_set)).measure()
    assert risk.leakage.leaking_mentions == 0
    assert {recall.level: recall.value for recall in risk.recalls} == {
        "mention": 1.0,
        "token": 0.0,
        "character": 1.0,
    }


def test_where_nothing_leaks_bounds_say_what_is_not_excluded() -> None:
    risk = measure([(f"p{number}-1", ALL) for number in range(30)])
    share = risk.share(risk.leakage.documents.leaking, risk.leakage.documents.units)
    assert share.value == 0.0
    assert share.upper == pytest.approx(1 - 0.05 ** (1 / 30))
    assert share.rule_of_three == pytest.approx(0.1)
    # Bootstrap draws of nothing but successes are all alike: documents are the trials.
    assert all(recall.interval == exact_interval(30, 30) for recall in risk.recalls)
    assert risk.design_effect is None
    everything = measure([(f"p{number}-1", ()) for number in range(30)])
    assert all(recall.interval == exact_interval(0, 30) for recall in everything.recalls)


def test_patients_are_told_by_key_or_left_unknown() -> None:
    assert measure([("one", ALL), ("two", ALL)]).leakage.patients is None
    assert measure([("one", ALL), ("two", ALL)]).patient_key is None
    by_site = measure([("one", ALL), ("two", ())], patient_key="site")
    assert by_site.leakage.patients == UnitLeaks(2, 2, 1, 1)
    with pytest.raises(InputError, match="has no patient under 'ward'"):
        measure([("one", ALL)], patient_key="ward")
    with pytest.raises(ConfigError, match="no regular expression"):
        measure([("one", ALL)], patient_key="id:(")


def test_everything_is_json_without_text() -> None:
    risk = measure(HALF, groupings=[group_by_key("site")], confidence=0.9, claim=0.95)
    text = json.dumps(risk.record(), allow_nan=False)
    record = json.loads(text)
    assert "Ann" not in text
    assert record["recall"]["mention"]["found"] == 8
    assert record["documents"]["any_direct_leak"]["events"] == 1
    assert record["patients"]["any_leak"]["trials"] == 3
    assert record["direct_mentions"]["missed"] == 1
    assert record["sample_sizes"][0]["mentions"] == math.ceil(math.log(0.1) / math.log(0.95))
    assert record["groups"][0]["key"] == "site"
    assert [leak["document"] for leak in record["leaks"]] == ["a-2", "b-2"]
    assert record["leaks"][0]["shape"] == "0/0"


def test_documents_without_phi_have_no_recall() -> None:
    gold = [Document("a", "x")]
    pairs = PairedCorpora(gold, gold)
    risk = RiskMeter(pairs, direct=find_direct_labels(pairs.label_set)).measure()
    assert [recall.value for recall in risk.recalls] == [None] * 3
    assert risk.sizes[0].documents is None
    assert risk.hidden[0].hidden is None
    assert json.dumps(risk.record(), allow_nan=False)


def test_bad_settings_and_corpora_are_errors() -> None:
    with pytest.raises(ConfigError, match="backs no claim"):
        measure(HALF, confidence=0.2)
    with pytest.raises(ConfigError, match="no sample can show"):
        measure(HALF, claim=1.0)
    with pytest.raises(InputError, match="no document is left"):
        measure([])
    late = [Document(str(n), TEXT, (NAME,)) for n in range(201)]
    late[200] = Document("200", TEXT, (Span(0, 3, "NOBODY"),))
    pairs = PairedCorpora(late, late)
    with pytest.raises(LabelError, match="guessed"):
        RiskMeter(pairs, direct=find_direct_labels(pairs.label_set)).measure()


def test_labels_outside_the_map_are_counted_and_left_out() -> None:
    gold = [Document("a", TEXT, (Span(0, 7, "DOCTOR"), DATE))]
    pairs = PairedCorpora(
        gold, [Document("a", TEXT)], label_map=find_label_map("i2b2-2014", "hipaa")
    )
    risk = RiskMeter(pairs, direct=find_direct_labels(pairs.label_set)).measure()
    assert risk.label_set == "hipaa"
    assert risk.outside == {"DOCTOR": 1}
    assert risk.leakage.mentions == 1
