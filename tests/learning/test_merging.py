"""CRFs of a pool made into one, against the pool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.cli import main as cli
from scrubjay.errors import ConfigError
from scrubjay.learning.merging import merge, merge_crfs
from scrubjay.models import load_model
from scrubjay.taggers._combining.combiners import Filled, Union
from scrubjay.taggers._combining.pool import Pool
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member
from scrubjay.taggers.regex import describe_regex, make_regex_detector
from tests.corpus_samples import make_notes
from tests.tiny_crf import TINY, tiny_config

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")

from scrubjay.learning.configs import parse_config
from scrubjay.learning.crf import CrfLearner

NOTES = make_notes(30, seed=5)
FILL = ("patterns",)


def learn(config: Any, number: int) -> Any:
    """Return a CRF of ten of the notes."""
    return CrfLearner(config, language="en").fit(NOTES[10 * number : 10 * number + 10])


def plain_config() -> Any:
    """Return a configuration without training dictionaries, which differ from notes to notes."""
    return parse_config(TINY.replace(', "dictionary:*"', ""), origin="plain")


@pytest.fixture(scope="module")
def pool() -> EnsembleDetector:
    """A pool of three CRFs that learned from different notes, and patterns."""
    crfs = [learn(plain_config(), number) for number in range(3)]
    patterns = make_regex_detector("en", "i2b2-2014")
    members = [
        *(Member(name, crf, crf.manifest) for name, crf in zip("xyz", crfs, strict=True)),
        Member(
            "patterns",
            patterns,
            describe_regex(patterns, "en", label_set="i2b2-2014", name="patterns"),
        ),
    ]
    labels = tuple(sorted({label for member in members for label in member.detector.labels}))
    manifest = Manifest(
        name="pool", kind="ensemble", language="en", label_set="i2b2-2014", labels=labels,
        stores_words=True,
        config={"members": [{"name": name, "model": name} for name in ("x", "y", "z", "patterns")]},
    )  # fmt: skip
    combiner = Filled(Pool(("x", "y", "z"), (2.0, 1.0, 0.5)), ("x", "y", "z", "patterns"), FILL)
    return EnsembleDetector(members, combiner, manifest=manifest, dial=0.5)


def test_the_merged_pool_finds_the_same(pool: EnsembleDetector) -> None:
    merged = merge(pool)
    assert [member.name for member in merged.members] == ["x", "patterns"]
    assert merged.combiner.record() == {"method": "pool", "weights": [3.5], "fill": ["patterns"]}
    assert merged.manifest.config["members"] == [
        {"name": "x", "model": "x", "weight": 3.5}, {"name": "patterns", "model": "patterns"}
    ]  # fmt: skip
    assert set(merged.members[0].manifest.training_data["merged"]) == {"x", "y", "z"}
    unseen = make_notes(20, seed=6)
    for notes in (NOTES, unseen):
        found = merged.detect(notes)
        assert any(found)
        for spans, others in zip(found, pool.detect(notes), strict=True):
            assert spans == others
            for one, other in zip(spans, others, strict=True):
                # The weights of one are rounded once, those of the others each for itself.
                assert (one.score or 0.0) == pytest.approx(other.score or 0.0, abs=1e-3)
    assert merged.with_dial(9.0).detect(unseen) == pool.with_dial(9.0).detect(unseen)


def test_the_dials_of_the_crfs_are_kept(pool: EnsembleDetector, tmp_path: Path) -> None:
    members = [m.with_dial(2.0 * n) for n, m in enumerate(pool.members[:3])]
    turned = EnsembleDetector(
        [*members, pool.members[3]], pool.combiner, manifest=pool.manifest, dial=0.5
    )
    merged = merge(turned)
    assert merged.detect(NOTES) == turned.detect(NOTES) != pool.detect(NOTES)
    save_artifact(tmp_path / "one", merged.manifest, files=merged.files())
    again: Any = load_model(tmp_path / "one")
    assert again.with_dial(0.5).detect(NOTES) == turned.detect(NOTES)


def test_the_crfs_of_a_cascade_are_made_into_one_where_none_is_late(
    pool: EnsembleDetector,
) -> None:
    base: Any = pool.combiner
    late = replace(base, base=replace(base.base, late=("z",)))
    with pytest.raises(ConfigError, match="the CRF 'z' is late"):
        merge(EnsembleDetector(pool.members, late, manifest=pool.manifest))


def test_the_command_writes_it(
    pool: EnsembleDetector, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_artifact(tmp_path / "pool", pool.manifest, files=pool.files())
    assert cli.run(["models", "merge", str(tmp_path / "pool"), "--out", str(tmp_path / "one")]) == 0
    whole: Any = load_model(tmp_path / "one")
    assert whole.with_dial(0.5).detect(NOTES) == pool.detect(NOTES)
    assert cli.run(["models", "merge", str(tmp_path / "one"), "--out", str(tmp_path / "two")]) == 2
    assert "no two CRFs" in capsys.readouterr().err
    assert not (tmp_path / "two").exists()


def test_what_would_not_be_the_same_beside_a_network_is_refused(pool: EnsembleDetector) -> None:
    def beside_a_network(unseen: float) -> EnsembleDetector:
        members = list(pool.members)
        for number in range(3):
            crf: Any = members[number].detector
            transitions = crf.tagger.model.transitions.copy()
            transitions[np.isneginf(transitions)] = -5.0
            transitions[:, 2] += unseen
            tagger = type(crf.tagger)(replace(crf.tagger.model, transitions=transitions))
            members[number] = replace(members[number], detector=replace(crf, tagger=tagger))
        network: Any = _Network(members[2].detector)
        members[2] = replace(members[2], detector=network)
        return EnsembleDetector(members, pool.combiner, manifest=pool.manifest)

    whole = beside_a_network(0.0)
    merged = merge(whole)
    assert merged.combiner.record()["weights"] == [3.0, 0.5]
    assert merged.detect(NOTES) == whole.detect(NOTES)
    with pytest.raises(ConfigError, match="tags that none of them has ever seen"):
        merge(beside_a_network(-np.inf))


class _Network:
    """A tagger that is no CRF, but says what one says."""

    def __init__(self, crf: Any) -> None:
        self._crf = crf
        self.tokenizer, self.labels = crf.tokenizer, crf.labels

    def detect_tokens(self, batch: Any) -> Any:
        return self._crf.detect_tokens(batch)

    def read_tokens(self, batch: Any) -> Any:
        return self._crf.read_tokens(batch)


def test_labels_in_another_order_are_refused() -> None:
    crfs = [learn(plain_config(), number) for number in range(2)]
    turned = [
        replace(crf, tagger=type(crf.tagger)(replace(crf.tagger.model, labels=crf.labels[::-1])))
        for crf in crfs
    ]
    with pytest.raises(ConfigError, match="labels of the CRFs are not sorted"):
        merge_crfs(turned, [0.5, 0.5])


def test_crfs_that_look_at_other_things_are_refused() -> None:
    one, other = learn(tiny_config(), 0), learn(plain_config(), 1)
    with pytest.raises(ConfigError, match="different features"):
        merge_crfs([one, other], [0.5, 0.5])
    strange = learn(tiny_config(), 1)
    encoder = replace_dictionaries(strange.tagger.model.encoder)
    model = replace(strange.tagger.model, encoder=encoder)
    strange = replace(strange, tagger=type(strange.tagger)(model))
    with pytest.raises(ConfigError, match="different training dictionaries"):
        merge_crfs([one, strange], [0.5, 0.5])
    with pytest.raises(ConfigError, match="no pool"):
        merge(one)
    members = [Member("x", one, one.manifest)]
    with pytest.raises(ConfigError, match="no pool"):
        merge(EnsembleDetector(members, Union(("x",)), manifest=one.manifest))


def replace_dictionaries(encoder: Any) -> Any:
    """Return an encoder with other training dictionaries."""
    return type(encoder)(
        encoder.templates,
        encoder.alphabets,
        scope=encoder.scope,
        dictionaries={name: frozenset({"qqq"}) for name in encoder.dictionaries},
    )
