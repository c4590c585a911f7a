"""Pruned CRFs: what is left, that a plain sum agrees, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import is_private, load_artifact, save_artifact
from scrubjay.cli import main as cli
from scrubjay.errors import ConfigError
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.pruning import drop_labels, prune, prune_crf
from scrubjay.models import find_model, load_model
from scrubjay.taggers.crf import CrfDetector, CrfTagger, load_crf
from scrubjay.taggers.regex import make_regex_detector
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config

NOTES = make_notes(6, seed=3)


@pytest.fixture(scope="module")
def crf() -> CrfDetector:
    """A CRF that has learned some notes."""
    return CrfLearner(tiny_config(), language="en").fit(make_notes(12, seed=1))


def weights_by_name(detector: CrfDetector) -> dict[tuple[object, ...], float]:
    """Return each weight under the values, spelt out, of its feature: a plain view of the model."""
    model = detector.tagger.model
    encoder, features = model.encoder, model.features
    spelt = {
        name: {number: value for value, number in alphabet.items()}
        for name, alphabet in encoder.alphabets.items()
    }
    found = {}
    for row, template in enumerate(features.templates.tolist()):
        parts = encoder.templates[template].parts
        values = tuple(
            spelt[name].get(number)
            for (name, _), number in zip(parts, features.values[row].tolist(), strict=False)
        )
        for place in range(features.indptr[row], features.indptr[row + 1]):
            key = (template, values, int(features.tags[place]))
            found[key] = float(features.weights[place])
    return found


@settings(max_examples=15, deadline=None)
@given(least=st.floats(0.0, 2.0))
def test_the_large_weights_are_left_and_no_others(crf: CrfDetector, least: float) -> None:
    whole, small = weights_by_name(crf), prune_crf(crf, least=least)
    assert weights_by_name(small) == {
        key: value for key, value in whole.items() if abs(value) >= least
    }
    np.testing.assert_array_equal(small.tagger.model.transitions, crf.tagger.model.transitions)


def test_without_a_limit_all_stays(crf: CrfDetector, tmp_path: Path) -> None:
    assert prune(crf, least=0.0).detect(NOTES) == crf.detect(NOTES)
    small = prune(crf, least=0.1)
    save_artifact(tmp_path / "m", small.manifest, files=small.files())
    assert load_crf(load_artifact(tmp_path / "m")).detect(NOTES) == small.detect(NOTES)
    assert isinstance(small.tagger, CrfTagger)


def test_an_ensemble_is_pruned_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    assert cli.run(["models", "prune", "es-fast", "--least", "0.2", "--out", str(out)]) == 0
    assert not is_private(out)
    assert " -> " in capsys.readouterr().err
    whole, small = load_model("es-fast"), load_model(str(out))
    assert small.labels == whole.labels
    sizes = [
        sum(f.stat().st_size for f in folder.iterdir()) for folder in (find_model("es-fast"), out)
    ]
    assert sizes[1] < sizes[0] / 5
    note = NOTES[0].with_spans(())
    assert all(span.end <= len(note.text) for span in small.detect([note])[0])


@pytest.mark.parametrize("least", [-1.0, float("nan"), float("inf")])
def test_what_is_refused(crf: CrfDetector, least: float) -> None:
    with pytest.raises(ConfigError, match="the least weight must be"):
        prune(crf, least=least)
    with pytest.raises(ConfigError, match="no CRF in this model"):
        prune(make_regex_detector("en", "i2b2-2014"), least=0.1)


def test_labels_go_with_their_weights_and_no_others(crf: CrfDetector) -> None:
    labels = crf.tagger.model.labels
    gone = {labels[0], labels[-1]}
    fewer = drop_labels(crf, frozenset(gone))
    assert fewer.tagger.model.labels == fewer.manifest.labels == labels[1:-1]
    width = (crf.tagger.model.tag_count - 1) // len(labels)
    last = crf.tagger.model.tag_count - width
    weights = weights_by_name(crf)
    assert weights_by_name(fewer) == {
        (*key, tag and tag - width): value
        for (*key, tag), value in weights.items()
        if tag == 0 or width < tag < last
    }
    kept = np.r_[0, width + 1 : last]
    np.testing.assert_array_equal(
        fewer.tagger.model.transitions, crf.tagger.model.transitions[np.ix_(kept, kept)]
    )
    found = fewer.detect([note.with_spans(()) for note in NOTES])
    assert {span.label for spans in found for span in spans} <= {*labels[1:-1]}
    assert any(found)


def test_a_label_that_is_not_there_is_refused(crf: CrfDetector) -> None:
    with pytest.raises(ConfigError, match="no label 'NOBODY'"):
        drop_labels(crf, frozenset({"NOBODY"}))
