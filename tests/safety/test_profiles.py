"""The profiles of Hypothesis: how many examples a property test tries, and where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROPERTY = """
from hypothesis import given, settings, strategies as st
tried = []

@settings(max_examples=7)
@given(st.integers(0, 10**9))
def test_named(number):
    tried.append(number)

def test_count():
    assert len(tried) == {expected}
"""


@pytest.mark.parametrize(
    ("profile", "room", "expected"),
    [("dev", "safety", 7), ("ci", "safety", 200), ("ci", "text", 7), ("nightly", "known", 5_000)],
)
def test_rooms_that_must_not_leak_try_all_examples(
    root: Path, tmp_path: Path, profile: str, room: str, expected: int
) -> None:
    (tmp_path / room).mkdir()
    (tmp_path / "conftest.py").write_bytes((root / "tests" / "conftest.py").read_bytes())
    (tmp_path / room / "test_it.py").write_text(PROPERTY.format(expected=expected))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        env={"HYPOTHESIS_PROFILE": profile, "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode()
