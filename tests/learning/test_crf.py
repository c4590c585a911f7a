"""The CRF learner: what it refuses, counts and records, and that it depends on nothing hidden."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, MissingExtraError
from scrubjay.features.encoder import fit_encoder
from scrubjay.features.templates import FeatureConfig, parse_template
from scrubjay.learning.configs import parse_config
from scrubjay.learning.crf import CrfLearner, feature_strings
from scrubjay.learning.preparation import fingerprint, training_dictionaries
from scrubjay.taggers.crf import CrfDetector, model_files
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import align_spans
from tests.corpus_samples import LABELS, make_notes
from tests.tiny_crf import TINY, tiny_config
from tests.toys import CANARY

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")

LEARNER = CrfLearner(tiny_config(), language="en")


def _digest(detector: CrfDetector) -> str:
    files = model_files(detector.tagger.model)
    return hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest()


def test_what_the_manifest_says() -> None:
    notes = make_notes(20, seed=1)
    learner = replace(LEARNER, label_set="i2b2-2014", name="mine")
    manifest = learner.fit(notes, seed=7).manifest
    assert (manifest.name, manifest.kind, manifest.language) == ("mine", "crf", "en")
    assert (manifest.labels, manifest.label_set) == (LABELS, "i2b2-2014")
    assert (manifest.scheme, manifest.seed, manifest.stores_words) == ("BIO", 7, True)
    tokenizer = make_tokenizer("subword")
    assert manifest.tokenizer == {"name": "subword", **tokenizer.parameters()}
    assert manifest.config == learner.config.table()
    data = dict(manifest.training_data)
    assert data == {
        "documents": 20,
        "tokens": sum(len(tokenizer.tokenize(note.text)) for note in notes),
        "spans": sum(len(note.spans) for note in notes),
        "misaligned": 0,
        "collided": 0,
        "empty": 0,
        "fingerprint": fingerprint(notes),
    }
    assert LEARNER.fit(notes).manifest.name == "tiny"


def test_misaligned_and_collided_spans_are_counted() -> None:
    text = "seen by Anna Castell today"
    odd = Document(
        "odd", text, (Span(8, 14, "DOCTOR"), Span(13, 20, "PATIENT"), Span(4, 5, "CITY"))
    )
    manifest = LEARNER.fit([*make_notes(5), odd]).manifest
    counts = {key: manifest.training_data[key] for key in ("misaligned", "collided", "empty")}
    assert counts == {"misaligned": 1, "collided": 1, "empty": 1}
    assert set(manifest.labels) >= {"CITY", "DOCTOR", "PATIENT"}


def test_a_corpus_without_documents_or_phi_is_refused() -> None:
    with pytest.raises(InputError, match="no documents"):
        LEARNER.fit([])
    with pytest.raises(InputError, match="no document has a span"):
        LEARNER.fit([Document("a", CANARY)])
    blank = Document("a", "a  b", (Span(1, 3, "DATE"),))
    with pytest.raises(InputError, match="no span covers a token"):
        LEARNER.fit([blank])
    inside = replace(LEARNER, config=tiny_config(align="strict"))
    with pytest.raises(InputError, match="no span covers a token"):
        inside.fit([Document("a", "Castell", (Span(1, 3, "DATE"),))])


def test_features_that_the_language_has_nothing_for_are_refused() -> None:
    config = parse_config(
        'kind = "crf"\n[features.groups.clusters]\nattributes = ["cluster:4"]\n', origin="x"
    )
    with pytest.raises(ConfigError, match="none of the features exists for language 'nl'"):
        CrfLearner(config, language="nl").fit(make_notes(2))
    assert CrfLearner(config, language="en").fit(make_notes(2)).labels


def test_without_the_trainer_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[train\]"'):
        LEARNER.fit(make_notes(2))


def test_labels_without_a_token_are_never_predicted() -> None:
    spare = Document("spare", "a  b", (Span(1, 3, "PROFESSION"),))
    detector = LEARNER.fit([*make_notes(10), spare])
    assert "PROFESSION" in detector.labels
    turned = detector.with_dial(1000.0)
    found = {span.label for spans in turned.detect(make_notes(10, seed=3)) for span in spans}
    assert found
    assert "PROFESSION" not in found


@pytest.mark.parametrize("algorithm", ["ap", "l2sgd", "pa", "arow"])
def test_online_algorithms_shuffle_by_the_seed(algorithm: str) -> None:
    learner = replace(LEARNER, config=tiny_config(algorithm=algorithm, max_iterations=5))
    notes = make_notes(15, seed=1)
    first = _digest(learner.fit(notes, seed=0))
    assert _digest(learner.fit(notes, seed=1)) != first
    assert _digest(learner.fit(notes, seed=0)) == first


def test_lbfgs_has_no_randomness() -> None:
    notes = make_notes(10, seed=1)
    assert _digest(LEARNER.fit(notes, seed=0)) == _digest(LEARNER.fit(notes, seed=5))


_IN_A_PROCESS = """
import hashlib
from scrubjay.learning.crf import CrfLearner
from scrubjay.taggers.crf import model_files
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config
detector = CrfLearner(tiny_config(), language="en").fit(make_notes(10, seed=1))
files = model_files(detector.tagger.model)
print(hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest())
"""


def test_the_hash_seed_of_the_process_changes_nothing(root: Path) -> None:
    expected = _digest(LEARNER.fit(make_notes(10, seed=1)))
    for seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root))),
        }
        done = subprocess.run(
            [sys.executable, "-c", _IN_A_PROCESS],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected


def test_progress_goes_from_stage_to_stage() -> None:
    calls: list[tuple[str, float]] = []
    LEARNER.fit(make_notes(10), progress=lambda stage, share: calls.append((stage, share)))
    assert list(dict.fromkeys(stage for stage, _ in calls)) == ["tokenize", "features", "train"]
    shares = [share for stage, share in calls if stage == "train"]
    assert shares == sorted(shares)
    assert all(0.0 <= share <= 1.0 for _, share in calls)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    LEARNER.fit(make_notes(3))
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_the_trainers_own_file_is_kept_only_where_asked(tmp_path: Path) -> None:
    LEARNER.fit(make_notes(3), weights_file=tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_fingerprint_tells_corpora_apart() -> None:
    notes = make_notes(4, seed=1)
    known = fingerprint(notes)
    assert fingerprint(notes[::-1]) == known
    assert fingerprint(make_notes(4, seed=2)) != known
    assert fingerprint(notes[:3]) != known
    changed = [notes[0].with_spans(notes[0].spans[1:]), *notes[1:]]
    assert fingerprint(changed) != known
    other_text = Document(notes[0].id, notes[0].text + " ", notes[0].spans)
    assert fingerprint([other_text, *notes[1:]]) != known
    lone = Document("a", "\ud800", (Span(0, 1, "DATE"),))
    assert len(fingerprint([lone])) == 64


def test_training_dictionaries_by_hand() -> None:
    texts = ["Anna, of Oude Dorp", "Greta of Oude Veen", "Oude-Oude"]
    spans = [
        (Span(0, 5, "PATIENT"), Span(9, 18, "CITY")),
        (Span(0, 5, "PATIENT"), Span(9, 18, "CITY")),
        (Span(0, 9, "CITY"),),
    ]
    batch = [make_tokenizer("subword").tokenize(text) for text in texts]
    aligned = [align_spans(tokens, some) for tokens, some in zip(batch, spans, strict=True)]
    wanted = (parse_template("dictionary:CITY@0"), parse_template("dictionary:STATE@-1 lower@0"))

    def dictionaries(least: int) -> dict[str, frozenset[str]]:
        return training_dictionaries(
            batch, aligned, FeatureConfig({"all": wanted}, "document", least)
        )

    assert dictionaries(1) == {"CITY": frozenset({"oude", "dorp", "veen"}), "STATE": frozenset()}
    assert dictionaries(2)["CITY"] == {"oude"}
    assert dictionaries(4)["CITY"] == frozenset()
    plain = FeatureConfig({"all": (parse_template("lower"),)})
    assert training_dictionaries(batch, aligned, plain) == {}


def test_feature_strings_hold_numbers_alone() -> None:
    templates = tuple(map(parse_template, ("lower@0", "lower@-1 lower@0", "has-digit@0")))
    tokens = make_tokenizer("subword").tokenize("a b 7 a")
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}), [tokens])
    assert list(feature_strings(encoder, encoded)) == [
        ["0:1"],
        ["0:2", "1:1:2"],
        ["0:3", "1:2:3", "2:1"],
        ["0:1", "1:3:1"],
    ]


def test_rare_features_are_cut_off() -> None:
    def size(least: int) -> int:
        learner = replace(LEARNER, config=tiny_config(min_frequency=least))
        return len(learner.fit(make_notes(15, seed=1)).tagger.model.features.templates)

    assert size(1) > size(4) > 0


def test_l1_makes_models_small() -> None:
    def size(c1: float) -> int:
        learner = replace(LEARNER, config=tiny_config(c1=c1))
        return len(learner.fit(make_notes(15, seed=1)).tagger.model.features.weights)

    assert size(1.0) < size(0.0) / 2


def test_merges_are_learned_from_the_training_texts() -> None:
    config = parse_config(
        TINY + '[tokenizer]\nname = "subword"\ntrain-merges = 30\n', origin="merged"
    )
    detector = CrfLearner(config, language="en").fit(make_notes(8))
    assert len(detector.manifest.tokenizer["merges"]) == 30
    rebuilt = dict(detector.manifest.tokenizer)
    tokenizer = make_tokenizer(rebuilt.pop("name"), **rebuilt)
    text = make_notes(1, seed=9)[0].text
    assert tokenizer.tokenize(text).words() == detector.tokenizer.tokenize(text).words()
