"""Checkpoints of trainings: what another version or training wrote is refused, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from scrubjay.errors import ConfigError  # noqa: E402
from scrubjay.learning.neural.state_files import StateFile  # noqa: E402


def test_a_state_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state", {"data": "a"})
    assert file.load() is None
    file.save({"step": 7})
    assert file.load() == {"step": 7}


def test_a_state_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state"
    torch.save({"identity": "a", "state": {"step": 7}}, path)  # as before layouts were told
    with pytest.raises(ConfigError, match="another version") as caught:
        StateFile(path, "a").load()
    assert "begin anew" in caught.value.hint
