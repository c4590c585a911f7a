"""Garbage is looked for seldom inside a block, and as before behind it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from scrubjay.garbage import seldom_collected


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_what_was_set_comes_back_behind_the_block() -> None:
    gc.set_threshold(700, 11, 12)
    with seldom_collected():
        assert gc.get_threshold() == (50_000, 11, 12)
        with seldom_collected():
            assert gc.get_threshold() == (50_000, 11, 12)
        assert gc.get_threshold() == (50_000, 11, 12)
    assert gc.get_threshold() == (700, 11, 12)


def _fail() -> None:
    with seldom_collected():
        raise ValueError("inside")


def test_it_comes_back_where_the_block_raises() -> None:
    gc.set_threshold(700, 11, 12)
    with pytest.raises(ValueError, match="inside"):
        _fail()
    assert gc.get_threshold() == (700, 11, 12)


@pytest.mark.parametrize("threshold", [(0, 10, 10), (90_000, 10, 10)])
def test_a_process_that_looks_more_seldom_is_left_as_it_is(
    threshold: tuple[int, int, int],
) -> None:
    gc.set_threshold(*threshold)
    with seldom_collected():
        assert gc.get_threshold() == threshold
    assert gc.get_threshold() == threshold


def test_the_last_thread_to_leave_sets_it_back() -> None:
    gc.set_threshold(700, 10, 10)
    first_is_in, first_is_out = Barrier(2), Barrier(2)

    def other() -> None:
        with seldom_collected():
            first_is_in.wait()
            first_is_out.wait()

    thread = Thread(target=other)
    with seldom_collected():
        thread.start()
        first_is_in.wait()
    assert gc.get_threshold()[0] == 50_000
    first_is_out.wait()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)
