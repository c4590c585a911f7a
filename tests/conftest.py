"""Fixtures and hypothesis profiles of the whole test suite."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings

from scrubjay import cores
from scrubjay.taggers._linear import units as _units

if TYPE_CHECKING:
    from tests.cores_samples import Give, OneThread

ROOT = Path(__file__).resolve().parent.parent

# Networks of tests are tiny: a second thread costs more than it does.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# `dev` at the desk, `ci` before a merge (the same examples each time), `nightly` to search on.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True, max_examples=200)
settings.register_profile("nightly", deadline=None, print_blob=True, max_examples=5_000)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
settings.load_profile(PROFILE)

_SEARCHED = {"batch", "known", "safety", "transform"}
"""Folders whose property tests try all examples of the profiles, whatever number they name."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the property tests of what must not leak as many examples as the profile asks for.

    At the desk they try the number that they name.
    """
    if PROFILE == "dev":
        return
    wanted = settings().max_examples
    for item in items:
        test = getattr(item, "obj", None)
        own = getattr(test, _OWN_SETTINGS, None)
        if own is not None and own.max_examples < wanted and item.path.parent.name in _SEARCHED:
            setattr(test, _OWN_SETTINGS, settings(own, max_examples=wanted))


_OWN_SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps what a test was decorated with."""


@pytest.fixture(scope="module")
def one_torch_thread() -> Iterator[None]:
    """Train tiny networks in one thread: with more, sums depend on how many a machine has."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def fine_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let emission scores be sums of the finer units that large weights have, whatever theirs."""
    finer = {kind: least for kind, least in _units._COARSEST.items() if kind != np.int16}
    monkeypatch.setattr(_units, "_COARSEST", finer)


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


@pytest.fixture
def give_threads(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Return a function that lets this process work on so many threads."""

    def give(threads: int) -> None:
        monkeypatch.delenv(cores.BOUND, raising=False)
        monkeypatch.setattr(cores, "available_cores", lambda: threads)

    monkeypatch.setattr(cores, "_share", cores.MOST_THREADS)
    return give


@pytest.fixture
def one_thread(give_threads: Give, monkeypatch: pytest.MonkeyPatch) -> OneThread:
    """Return the threads of this process, of which the first alone can be started."""
    # Here, since this file is run elsewhere, too, by a test of the profiles.
    from tests.cores_samples import OneThread

    give_threads(3)
    pool = OneThread(2)
    pool.submit(lambda: None).result()  # starts it
    monkeypatch.setattr(pool, "met", threading.Event())
    monkeypatch.setattr(pool._idle_semaphore, "acquire", lambda timeout: False)
    monkeypatch.setattr(cores, "_pool", lambda size: pool)
    return pool
