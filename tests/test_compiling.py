"""When kernels are compiled: by the work of the process, and where compiled ones were kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay import compiling
from scrubjay.taggers import _reading_loops
from scrubjay.taggers._reading_loops import best_path_loop


def test_small_batches_do_not_wait_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "_compile_from", lambda: compiling.COMPILE_FROM)
    workload = compiling.Workload()
    assert not workload.grow(compiling.COMPILE_FROM - 1)
    assert workload.grow(1) == compiling._numba_installed()


def test_batches_that_go_on_through_other_kernels_do_not_wait_for_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "_compile_from", lambda: 30)
    assert not compiling.Workload().grow(9, ahead=2)
    workload = compiling.Workload()
    assert workload.grow(10, ahead=2) == compiling._numba_installed()
    assert workload.tokens == 10


def test_kernels_that_were_compiled_before_load_sooner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "taggers"
    (folder / "__pycache__").mkdir(parents=True)
    source = Path(str(_reading_loops.__file__)).read_text("utf-8")
    (folder / "_reading_loops.py").write_text(source, "utf-8")
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    line, (major, minor) = best_path_loop.__code__.co_firstlineno, sys.version_info[:2]
    kept = folder / "__pycache__" / f"_reading_loops.best_path_loop-{line}.py{major}{minor}.nbi"
    (
        folder / "__pycache__" / "_reading_loops.best_path_loop-1.py311.nbi"
    ).touch()  # of another source
    compiling._compile_from.cache_clear()
    assert compiling._compile_from() == compiling.COMPILE_FROM
    kept.touch()
    compiling._compile_from.cache_clear()
    assert compiling._compile_from() == compiling.LOAD_FROM
    compiling._compile_from.cache_clear()


def test_kernels_that_save_less_are_compiled_later(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    kept: list[tuple[str, str]] = []
    monkeypatch.setattr(compiling, "_WORKLOAD", compiling.Workload())
    monkeypatch.setattr(compiling, "_numba_kept", lambda *kernel: kernel in kept)
    late = ("text/_cut_kernel.py", "cut_text")
    assert compiling.use_compiled(compiling.COMPILE_FROM)
    assert not compiling.use_compiled(0, late=late)
    kept.append(late)
    assert compiling.use_compiled(0, late=late)
    kept.clear()
    assert compiling.use_compiled(compiling.COMPILE_LATE_FROM, late=late)


def test_wrapped_kernels_are_kept_by_the_line_of_their_wrapper(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "_a.py").write_text("import x\n\n\n@compiled\ndef kernel(a):\n", "utf-8")
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    assert not compiling._were_compiled("_a.py", "kernel")
    major, minor = sys.version_info[:2]
    (tmp_path / "__pycache__" / f"_a.kernel-4.py{major}{minor}.nbi").touch()
    assert compiling._were_compiled("_a.py", "kernel")


def test_kernels_compile_where_no_cache_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    real = numba.njit

    def without_cache(*given: Any, **settings: Any) -> Any:
        if settings.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*given, **settings)

    monkeypatch.setattr(numba, "njit", without_cache)
    kernel = compiling.compiled(lambda number: number + 1)
    assert kernel(1) == 2
