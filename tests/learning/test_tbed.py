"""Learning rules from documents: what a fit gives, and how it stops, fails and goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, InputError, LabelError, OutputError
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.learning._tbed_curve import SpanCounter
from scrubjay.learning.tbed import TbedLearner
from scrubjay.taggers.tbed import TbedDetector
from scrubjay.tags import decode_tags, encode_tags, find_scheme
from scrubjay.text.tokens import align_spans
from tests.corpus_samples import make_notes
from tests.rule_samples import make_tokens, rule_templates
from tests.tiny_tbed import tiny_rules

LEARNER = TbedLearner(tiny_rules(), language="en", label_set="i2b2-2014", name="mine")
NOTES = make_notes(25, seed=1)
DEV = make_notes(12, seed=2)


@pytest.fixture(scope="module")
def fitted() -> TbedDetector:
    """A detector with a curve on dev."""
    return LEARNER.fit(NOTES, dev=DEV, seed=7)


def strict_f1(detector: TbedDetector, documents: Sequence[Document]) -> float:
    """Return the F1 of the scorer."""
    found = detector.detect(documents)
    pairs = [Pair(gold, gold.with_spans(s)) for gold, s in zip(documents, found, strict=True)]
    report = evaluate_pairs(pairs, scorer="i2b2").i2b2
    assert report is not None
    return report["Strict"].counts.f1 or 0.0


def test_rules_find_what_they_were_not_trained_on(fitted: TbedDetector) -> None:
    assert strict_f1(fitted, NOTES) > 0.99
    assert strict_f1(fitted, DEV) > 0.85


def test_the_manifest_tells_how_it_was_trained(fitted: TbedDetector) -> None:
    manifest = fitted.manifest
    assert (manifest.name, manifest.kind, manifest.language) == ("mine", "tbed", "en")
    assert (manifest.label_set, manifest.seed, manifest.stores_words) == ("i2b2-2014", 7, True)
    assert manifest.training_data["documents"] == 25
    assert manifest.config["rules"] == len(fitted.tagger.model.rules)
    assert manifest.config["training"]["min-score"] == 1


def test_scores_tell_what_each_rule_gains(fitted: TbedDetector) -> None:
    rules, errors = fitted.tagger.model.rules, fitted.curve["errors"]
    assert len(errors) == len(rules) + 1
    gains = [before - after for before, after in pairwise(errors)]
    assert gains == [rule.score for rule in rules]
    assert all(r.score == (r.fixed or 0) - (r.broken or 0) for r in rules)
    assert [rule.score for rule in rules[:1]] == [max(rule.score or 0 for rule in rules)]


def test_the_curve_is_what_the_scorer_gives(fitted: TbedDetector) -> None:
    assert fitted.curve["kept"] == len(fitted.tagger.model.rules)
    for count in (0, 3, 9, len(fitted.tagger.model.rules)):
        cut = fitted.with_rules(fitted.tagger.model.rules[:count])
        assert fitted.curve["train"][count] == pytest.approx(strict_f1(cut, NOTES), abs=1e-6)
        assert fitted.curve["dev"][count] == pytest.approx(strict_f1(cut, DEV), abs=1e-6)


def test_dev_changes_nothing_but_the_curve(fitted: TbedDetector) -> None:
    alone = LEARNER.fit(NOTES, seed=7)
    assert alone.tagger.model == fitted.tagger.model
    assert "dev" not in alone.curve
    assert alone.manifest == fitted.manifest


def test_the_same_fit_gives_the_same_bytes(fitted: TbedDetector) -> None:
    again = LEARNER.fit(NOTES, dev=DEV, seed=7)
    assert again.files() == fitted.files()
    assert again.manifest == fitted.manifest


def test_patience_stops_and_drops_what_came_after_the_best() -> None:
    config = tiny_rules(patience=4)
    stopped = replace(LEARNER, config=config).fit(NOTES, dev=DEV)
    dev = stopped.curve["dev"]
    best = dev.index(max(dev))
    assert stopped.curve["kept"] == best == len(stopped.tagger.model.rules)
    assert len(dev) - 1 <= best + 4
    assert strict_f1(stopped, DEV) == pytest.approx(max(dev), abs=1e-6)
    # Without dev data there is nothing to be patient about.
    assert replace(LEARNER, config=config).fit(NOTES).curve["kept"] > best


def test_max_rules_ends_the_list(fitted: TbedDetector) -> None:
    short = replace(LEARNER, config=tiny_rules(max_rules=5)).fit(NOTES)
    assert short.tagger.model.rules == fitted.tagger.model.rules[:5]


def test_min_accuracy_keeps_doubtful_rules_out() -> None:
    strict = replace(LEARNER, config=tiny_rules(min_accuracy=1.0)).fit(NOTES)
    assert strict.tagger.model.rules
    assert all(rule.broken == 0 for rule in strict.tagger.model.rules)


def test_only_dictionaries_that_a_rule_asks_for_are_kept(fitted: TbedDetector) -> None:
    model = fitted.tagger.model
    asked = {
        condition.part.attribute.partition(":")[2]
        for rule in model.rules
        for condition in rule.conditions
        if condition.part.attribute.startswith("dictionary:")
    }
    assert set(model.dictionaries) == asked


# Starting from patterns


def test_rules_start_from_the_patterns_of_the_language() -> None:
    config = replace(tiny_rules(), initial="regex")
    fitted = replace(LEARNER, config=config).fit(NOTES, dev=DEV)
    assert fitted.tagger.model.initial is not None
    bare = fitted.with_rules(())
    assert fitted.curve["dev"][0] == pytest.approx(strict_f1(bare, DEV), abs=1e-6)
    assert 0.1 < strict_f1(bare, DEV) < strict_f1(fitted, DEV)


def test_patterns_need_a_label_set() -> None:
    learner = replace(LEARNER, config=replace(tiny_rules(), initial="regex"), label_set="")
    with pytest.raises(ConfigError, match=r"'regex' needs a label set.*--label-set"):
        learner.fit(NOTES)
    with pytest.raises((ConfigError, LabelError)):
        replace(learner, label_set="i2b2-2031").fit(NOTES)


# Bad input


def test_a_corpus_without_phi_is_refused() -> None:
    with pytest.raises(InputError, match="no documents"):
        LEARNER.fit([])
    with pytest.raises(InputError, match="no PHI: no document has a span"):
        LEARNER.fit([note.with_spans(()) for note in NOTES])
    with pytest.raises(InputError, match="no PHI: no span covers a token"):
        LEARNER.fit([Document("a", "a   b", (Span(1, 4, "DATE"),))])


def test_a_language_without_what_templates_ask_for_is_refused() -> None:
    with pytest.raises(ConfigError, match="no lexicons are shipped for language 'fr'"):
        replace(LEARNER, language="fr").fit(NOTES)


def test_templates_that_expand_to_nothing_are_refused() -> None:
    table = replace(
        tiny_rules().templates, groups={"a": tiny_rules().templates.groups["words"][4:]}
    )
    config = replace(tiny_rules(), templates=table)
    odd = [Document("a", "Anna came", (Span(0, 4, "PATIENT"),))]
    assert replace(LEARNER, config=config).fit(odd).tagger.model.rules
    absent = replace(table, groups={"a": rule_templates("cluster:6")})
    with pytest.raises(ConfigError, match="none of the templates exists for language 'nl'"):
        replace(LEARNER, config=replace(config, templates=absent), language="nl").fit(odd)


def test_templates_may_look_at_tags_alone() -> None:
    groups = {"tags": rule_templates("next.tag|tag@-2..-1")}
    table = replace(tiny_rules().templates, groups=groups)
    config = replace(tiny_rules(), templates=table, initial="regex")
    fitted = replace(LEARNER, config=config).fit(NOTES, dev=DEV)
    attributes = {c.part.attribute for r in fitted.tagger.model.rules for c in r.conditions}
    assert attributes <= {"tag"}
    assert list(fitted.curve["errors"]) == sorted(fitted.curve["errors"], reverse=True)


# Interruption and resumption


class InterruptedTrainingError(Exception):
    """Stands for whatever ends a training before its time."""


def interrupt_after(count: int) -> Any:
    """Return a progress function that raises after so many rules."""
    seen = 0

    def progress(stage: str, share: float) -> None:
        nonlocal seen
        seen += stage == "rules"
        if seen > count:
            raise InterruptedTrainingError

    return progress


@pytest.mark.parametrize("cut", [b"", b'{"rule": "O -> B-'])
def test_an_interrupted_training_goes_on(fitted: TbedDetector, tmp_path: Path, cut: bytes) -> None:
    path = tmp_path / "rules.partial"
    learner = replace(LEARNER, checkpoint=path)
    with pytest.raises(InterruptedTrainingError):
        learner.fit(NOTES, dev=DEV, progress=interrupt_after(4))
    assert path.read_bytes().count(b"\n") == 6
    path.write_bytes(path.read_bytes() + cut)
    with pytest.raises(InterruptedTrainingError):
        learner.fit(NOTES, dev=DEV, progress=interrupt_after(3))
    assert path.read_bytes().count(b"\n") == 10
    resumed = learner.fit(NOTES, dev=DEV, seed=7)
    assert resumed.files() == fitted.files()
    assert path.read_bytes().count(b"\n") == len(fitted.tagger.model.rules) + 1
    assert learner.fit(NOTES, dev=DEV, seed=7).files() == fitted.files()


def test_the_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.partial"
    learner = replace(LEARNER, checkpoint=path)
    learner.fit(NOTES[:5], dev=DEV)
    before = path.read_bytes()
    for other in (
        lambda: learner.fit(NOTES[:6], dev=DEV),
        lambda: learner.fit(NOTES[:5]),
        lambda: replace(learner, config=tiny_rules(min_score=2)).fit(NOTES[:5], dev=DEV),
        lambda: replace(learner, language="nl").fit(NOTES[:5], dev=DEV),
    ):
        with pytest.raises(ConfigError, match=r"rules\.partial: .* is that of another training"):
            other()
    assert path.read_bytes() == before


def test_a_file_that_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my only copy\n")
    with pytest.raises(FormatError, match="not the checkpoint of a training"):
        replace(LEARNER, checkpoint=path).fit(NOTES[:5])
    assert path.read_text() == "my only copy\n"
    with pytest.raises(OutputError, match="cannot be written"):
        replace(LEARNER, checkpoint=tmp_path / "absent" / "x").fit(NOTES[:5])


def test_a_broken_rule_in_a_checkpoint_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.partial"
    learner = replace(LEARNER, checkpoint=path)
    learner.fit(NOTES[:5])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1], b'{"rule": "O ->"}\n']))
    with pytest.raises(FormatError, match=r"rules\.partial, line 3: a rule begins"):
        learner.fit(NOTES[:5])


def test_a_saved_model_keeps_its_curve(fitted: TbedDetector, tmp_path: Path) -> None:
    save_artifact(tmp_path / "model", fitted.manifest, files=fitted.files())
    assert load_artifact(tmp_path / "model").read_json("curve.json") == fitted.curve


# The counter of the curve


@settings(max_examples=60)
@given(
    scheme=st.sampled_from(["BIO", "BIOEU"]),
    sizes=st.lists(st.integers(0, 6), min_size=1, max_size=4),
    data=st.data(),
)
def test_f1_is_that_of_decoded_spans(scheme: str, sizes: list[int], data: Any) -> None:
    labels = ("A", "B")
    kind = find_scheme(scheme)
    count = len(kind.tag_names(labels))
    batch = [make_tokens([["w"] * size]) if size else make_tokens([]) for size in sizes]
    draw = lambda size: data.draw(st.lists(st.integers(0, count - 1), min_size=size, max_size=size))  # noqa: E731
    gold = [_ranges(draw(size), kind, labels) for size in sizes]
    spans = [
        tuple(Span(int(t.starts[a]), int(t.ends[b - 1]), label) for a, b, label in ranges)
        for t, ranges in zip(batch, gold, strict=True)
    ]
    aligned = [align_spans(t, s) for t, s in zip(batch, spans, strict=True)]
    first = _array([tag for size in sizes for tag in draw(size)])
    counter = SpanCounter(
        batch, aligned, first, scheme=kind, labels=labels, gold_spans=sum(map(len, gold))
    )
    for _ in range(3):
        expected = _plain_f1(counter.tags, sizes, gold, kind, labels)
        assert counter.f1() == pytest.approx(expected)
        if not len(first):
            return
        places = data.draw(st.sets(st.integers(0, len(first) - 1), min_size=1, max_size=4))
        counter.change(_array(sorted(places)).astype("int64"), data.draw(st.integers(0, count - 1)))


def _array(values: list[int]) -> Any:
    import numpy as np

    return np.array(values, dtype=np.int16)


def _ranges(tags: list[int], scheme: Any, labels: tuple[str, ...]) -> list[tuple[int, int, str]]:
    ranges = decode_tags(_array(tags), scheme=scheme, labels=labels)
    rebuilt = encode_tags(ranges, len(tags), scheme=scheme, labels=labels)
    return decode_tags(rebuilt, scheme=scheme, labels=labels)


def _plain_f1(
    tags: Any,
    sizes: list[int],
    gold: list[list[tuple[int, int, str]]],
    scheme: Any,
    labels: tuple[str, ...],
) -> float:
    found = right = offset = 0
    for size, ranges in zip(sizes, gold, strict=True):
        decoded = decode_tags(tags[offset : offset + size], scheme=scheme, labels=labels)
        found += len(decoded)
        right += len(set(decoded) & set(ranges))
        offset += size
    total = found + sum(map(len, gold))
    return 2 * right / total if total else 0.0
