"""What the tests of projects share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrubjay.review import store


@pytest.fixture(scope="session", autouse=True)
def _do_not_wait_for_the_disk() -> Iterator[None]:
    """Let commits of this process return at once: the tests of crashes use processes of their own.

    Waiting for the disk is most of the time that these tests would take.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "SYNCHRONOUS", "OFF")
        yield
