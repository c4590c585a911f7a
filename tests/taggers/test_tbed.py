"""The rule tagger: order, sources, explanations, files by hand, and damaged models."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import Manifest, load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError
from scrubjay.models import audit_model, load_model
from scrubjay.taggers.regex import make_regex_detector
from scrubjay.taggers.rules import parse_rule, read_rules
from scrubjay.taggers.tbed import Firing, TbedDetector, TbedModel, TbedTagger, stored_words
from scrubjay.text.tokenizers import make_tokenizer

RULES = (
    "O -> B-STATE if word=Florida and next.word=,",
    "O -> B-DOCTOR if previous.lower@-1=dr".replace("previous.lower@-1", "previous.lower"),
    "O -> I-DOCTOR if tag@-2..-1=B-DOCTOR and short-shape=Aa",
    "B-STATE -> O if previous.tag=B-DOCTOR",
    "O -> B-DATE if dictionary:DATE=1",
)
TEXT = "Dr Ann Lee of Florida, since Easter.\nDr Florida, too"
WORDS = TEXT.split()


def make_detector(*rules: str, **settings: Any) -> TbedDetector:
    """Return a detector with rules by hand."""
    model = TbedModel(
        rules=tuple(map(parse_rule, rules or RULES)),
        scheme="BIO",
        labels=("DATE", "DOCTOR", "STATE"),
        scope="sentence",
        dictionaries={"DATE": frozenset({"easter"})},
    )
    tokenizer = make_tokenizer("subword", sentences="line")
    manifest = Manifest(
        name="hand",
        kind="tbed",
        language="en",
        label_set="i2b2-2014",
        labels=model.labels,
        stores_words=True,
        tokenizer={"name": tokenizer.name, **tokenizer.parameters()},
    )
    return TbedDetector(tokenizer, TbedTagger(replace(model, **settings)), manifest=manifest)


def found(detector: TbedDetector, text: str = TEXT) -> list[tuple[str, str, str]]:
    """Return words, label and source of each span."""
    (spans,) = detector.detect([Document("a", text)])
    assert all(span.score is None for span in spans)
    return [(text[span.start : span.end], span.label, span.source) for span in spans]


def test_rules_apply_in_order_and_sources_name_them() -> None:
    assert found(make_detector()) == [
        ("Ann Lee", "DOCTOR", "tbed:2,3"),
        ("Florida", "STATE", "tbed:1"),
        ("Easter", "DATE", "tbed:5"),
        ("Florida", "STATE", "tbed:1"),
    ]
    assert found(make_detector(*RULES[1:], RULES[0]))[-1] == ("Florida", "DOCTOR", "tbed:1")


def test_a_rule_does_not_feed_itself() -> None:
    detector = make_detector("O -> B-DATE if word=a", "O -> I-DATE if previous.tag=B-DATE")
    assert found(detector, "a b b") == [("a b", "DATE", "tbed:1,2")]


def test_windows_end_with_the_sentence_or_the_document() -> None:
    text = "a\nb"
    rule = "O -> B-DATE if previous.word=a"
    assert found(make_detector(rule), text) == []
    assert found(make_detector(rule, scope="document"), text) == [("b", "DATE", "tbed:1")]


def test_what_the_initial_annotator_found_is_told_from_rules() -> None:
    initial = make_regex_detector("en", "i2b2-2014")
    detector = make_detector("O -> I-DATE if previous.tag=I-DATE and lower=sharp", initial=initial)
    text = "Seen on 03/04/2019 sharp and 05/06/2019."
    assert found(detector, text) == [
        ("03/04/2019 sharp", "DATE", "tbed:initial,1"),
        ("05/06/2019", "DATE", "tbed:initial"),
    ]
    assert found(detector.with_rules(()), text)[0] == ("03/04/2019", "DATE", "tbed:initial")


def test_an_explanation_tells_every_change_in_order() -> None:
    detector = make_detector(*RULES, "B-DATE -> O if next.word=.")
    explanation = detector.explain(TEXT)
    assert explanation.initial == ()
    ann, lee, easter = TEXT.index("Ann"), TEXT.index("Lee"), TEXT.index("Easter")
    assert Firing(2, ann, ann + 3, "O", "B-DOCTOR") in explanation.firings
    assert Firing(3, lee, lee + 3, "O", "I-DOCTOR") in explanation.firings
    assert explanation.firings[-2:] == (
        Firing(5, easter, easter + 6, "O", "B-DATE"),
        Firing(6, easter, easter + 6, "B-DATE", "O"),
    )
    assert [firing.rule for firing in explanation.firings] == sorted(
        firing.rule for firing in explanation.firings
    )
    (spans,) = detector.detect([Document("a", TEXT)])
    assert explanation.spans == spans
    assert "Ann" not in repr(explanation)


def test_an_explanation_begins_with_the_initial_tags() -> None:
    detector = make_detector(initial=make_regex_detector("en", "i2b2-2014"))
    explanation = detector.explain("on 03/04/2019")
    assert explanation.initial[0] == (3, 5, "B-DATE")
    assert explanation.spans == (Span(3, 13, "DATE"),)
    assert explanation.firings == ()


def test_no_rules_and_no_patterns_find_nothing() -> None:
    assert found(make_detector().with_rules(())) == []
    assert make_detector().explain("").spans == ()


def test_other_rules_leave_no_figures_of_the_old_ones() -> None:
    before = make_detector()
    detector = TbedDetector(
        before.tokenizer,
        before.tagger,
        manifest=replace(before.manifest, metrics={"dev": 1}),
        curve={"train": [1.0]},
    )
    changed = detector.with_rules(detector.tagger.model.rules[:1])
    assert changed.manifest.metrics == {}
    assert changed.curve == {}
    assert found(changed) == [("Florida", "STATE", "tbed:1"), ("Florida", "STATE", "tbed:1")]


# As an artifact


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of a saved model that begins with patterns."""
    detector = make_detector(initial=make_regex_detector("en", "i2b2-2014"))
    save_artifact(tmp_path / "model", detector.manifest, files=detector.files())
    return tmp_path / "model"


def test_the_rules_of_a_model_are_lines_to_read(saved: Path) -> None:
    lines = (saved / "rules.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["rule"] for line in lines] == list(RULES)


def test_a_loaded_model_finds_the_same(saved: Path) -> None:
    loaded = load_model(saved)
    assert isinstance(loaded, TbedDetector)
    initial = make_regex_detector("en", "i2b2-2014")
    text = TEXT + " on 03/04/2019"
    assert found(loaded, text) == found(make_detector(initial=initial), text)
    assert loaded.files() == make_detector(initial=initial).files()


def test_stored_words_are_values_and_dictionaries(saved: Path) -> None:
    assert list(stored_words(load_artifact(saved))) == [",", "1", "Aa", "Florida", "dr", "easter"]
    assert audit_model(saved).consistent


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("rules.jsonl", lambda text: text + "{\n", r"rules\.jsonl, line 6: not a JSON object"),
        ("rules.jsonl", lambda text: text.replace("B-STATE", "B-CITY"), "line 1: unknown tag"),
        ("rules.jsonl", lambda text: text.replace("short-shape", "shirt"), "line 3: unknown word"),
        ("tagger.json", lambda text: text.replace('"scope"', '"scoop"'), "do not fit together"),
        ("tagger.json", lambda text: "[]", "do not fit together"),
        ("tagger.json", lambda text: text.replace('"easter"', "3"), "do not fit together"),
        ("tagger.json", lambda text: text.replace('"sentence"', '"page"'), "do not fit together"),
        ("tagger.json", lambda text: text.replace('": "DATE"', '": "DAY"'), "do not fit together"),
    ],
)
def test_a_model_whose_parts_do_not_fit_is_refused(
    saved: Path, tmp_path: Path, name: str, change: Any, message: str
) -> None:
    artifact = load_artifact(saved)
    files = {file: artifact.read(file) for file in artifact.manifest.files}
    text = files[name].decode("utf-8")
    files[name] = change(text).encode("utf-8")
    assert files[name].decode("utf-8") != text
    save_artifact(tmp_path / "odd", artifact.manifest, files=files)
    with pytest.raises(ArtifactError, match=message):
        load_model(tmp_path / "odd")


def test_a_model_trained_with_other_lists_warns(saved: Path, tmp_path: Path) -> None:
    detector = make_detector("O -> B-STATE if lexicon:en.regions=1")
    files = detector.files()
    settings = json.loads(files["tagger.json"])
    settings["resources"]["lexicon:en.regions"] = "0" * 16
    files["tagger.json"] = json.dumps(settings).encode()
    save_artifact(tmp_path / "old", detector.manifest, files=files)
    with pytest.warns(UserWarning, match=r"'hand' was trained with other versions of lexicon:en"):
        load_model(tmp_path / "old")


def test_rules_can_be_edited_and_put_back(saved: Path) -> None:
    loaded = load_model(saved)
    assert isinstance(loaded, TbedDetector)
    lines = (saved / "rules.jsonl").read_text("utf-8").replace("Florida", "Averil")
    edited = loaded.with_rules(read_rules(lines, origin="mine", tags=loaded.tagger.tag_names))
    assert found(edited, "near Averil, or") == [("Averil", "STATE", "tbed:1")]
    assert found(loaded, "near Averil, or") == []
