"""Networks of tests are tiny: a second thread would cost more than it does."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _one_thread(one_torch_thread: None) -> None:
    pass
