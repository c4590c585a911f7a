"""Fixtures and hypothesis profiles of the whole test suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Networks of tests are tiny: a second thread costs more than it does.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """Return the folder of small files that tests read."""
    return ROOT / "tests" / "fixtures"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of corpora and reference scores, which is no part of the repository.

    It is `$SCRUBJAY_SHARED`, or `shared` beside the checkout; tests that need it are skipped
    where it is absent.
    """
    named = os.environ.get("SCRUBJAY_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "corpora").is_dir():
        pytest.skip("needs the corpora: set SCRUBJAY_SHARED to the folder that holds `corpora`")
    return folder.resolve()
