"""Loading without collections: they are put off, and what was loaded is left out of later ones."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from scrubjay.batch.loading import YOUNG_OBJECTS, loading


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Leave the collector of the process of the tests as it was."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_collections_wait_and_what_is_loaded_is_left_alone() -> None:
    before = gc.get_freeze_count()
    try:
        with loading():
            assert not gc.isenabled()
            kept = [[number] for number in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(kept)
    finally:
        gc.unfreeze()


def test_collections_go_on_where_nothing_could_be_loaded() -> None:
    with pytest.raises(ValueError, match="damaged"), loading():
        raise ValueError("damaged")
    assert gc.isenabled()


def test_collections_that_were_off_stay_off() -> None:
    gc.disable()
    try:
        with loading():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()


def test_collections_are_rare_afterwards() -> None:
    gc.set_threshold(700, 10, 10)
    try:
        with loading():
            pass
        assert gc.get_threshold() == (YOUNG_OBJECTS, 10, 10)
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("young", [0, YOUNG_OBJECTS + 1])
def test_collections_that_are_rarer_yet_stay_so(young: int) -> None:
    gc.set_threshold(young, 10, 10)
    try:
        with loading():
            pass
        assert gc.get_threshold() == (young, 10, 10)
    finally:
        gc.unfreeze()
