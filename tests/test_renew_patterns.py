"""Models that ship have the patterns of today, and a script writes those of a model anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripts.renew_patterns import renewed, renewed_artifact

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.errors import ConfigError
from scrubjay.models import describe_model, load_model, shipped_names
from scrubjay.taggers.ensemble import EnsembleDetector, member_artifacts
from scrubjay.taggers.patterns import find_patterns
from scrubjay.taggers.regex import KIND, RegexDetector, load_regex, save_regex_model

CHOSEN = {"en", "en-medium"}
"""Models that have some of the patterns alone, as docs/models-made.md tells: a new one is none of
theirs until somebody tries it there."""


@pytest.mark.parametrize("name", shipped_names())
def test_a_model_that_ships_has_the_patterns_of_the_resources(name: str) -> None:
    """Fails where a pattern was changed since: `python scripts/renew_patterns.py` tells how."""
    artifact = load_artifact(describe_model(name).folder)
    parts = [part for part in member_artifacts(artifact).values() if part.manifest.kind == KIND]
    assert parts
    for part in parts:
        kept = load_regex(part)
        today = renewed(kept, part.manifest.language, add=() if name in CHOSEN else None)
        differing = {each.name for each in {*kept.patterns} ^ {*today.patterns}}
        assert not differing, f"write {name} anew with the patterns of today"
        assert kept.patterns == today.patterns


def _old(folder: Path) -> RegexDetector:
    """Return patterns of a release before: one is gone since, one was another, and one is new."""
    made = find_patterns("nl").patterns
    gone = replace(made[0], name="no-more")
    save_regex_model(folder, "nl", label_set="trienes-2020")
    now = load_regex(load_artifact(folder))
    return RegexDetector([gone, replace(made[1], priority=1), *now.patterns[3:]], now.table)


def test_a_model_keeps_its_choice_of_patterns_as_they_are_today(tmp_path: Path) -> None:
    old = _old(tmp_path / "now")
    today = [each for each in find_patterns("nl").patterns if each.kind in old.table]
    assert list(renewed(old, "nl", add=()).patterns) == [today[1], *today[3:]]
    assert list(renewed(old, "nl", add=[today[0].name]).patterns) == [*today[:2], *today[3:]]
    assert list(renewed(old, "nl", add=None).patterns) == today
    with pytest.raises(ConfigError, match="is called 'no-more'"):
        renewed(old, "nl", add=["no-more"])


def test_of_an_ensemble_nothing_but_patterns_changes(tmp_path: Path) -> None:
    artifact = load_artifact(describe_model("nl-fast").folder)
    made, files = renewed_artifact(artifact, add=None)
    save_artifact(tmp_path / "nl-new", made.manifest, files=files)
    new = load_model(tmp_path / "nl-new")
    assert isinstance(new, EnsembleDetector)
    assert new.files() == files
    assert files.keys() == artifact.manifest.files.keys()
    others = [name for name in files if not name.startswith("patterns.")]
    assert {name: files[name] for name in others} == {n: artifact.read(n) for n in others}


def test_a_model_without_patterns_is_refused() -> None:
    artifact = load_artifact(describe_model("nl-fast").folder)
    with pytest.raises(ConfigError, match="has no patterns"):
        renewed_artifact(artifact.part("crf"))
