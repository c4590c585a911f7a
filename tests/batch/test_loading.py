"""Loading without collections: they are put off, and what was loaded is left out of later ones."""

from __future__ import annotations

import gc

import pytest

from scrubjay.batch.loading import loading


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
