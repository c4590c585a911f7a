"""When kernels are compiled: by the work of the process, and where compiled ones were kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay import compiling, kernel_cache
from scrubjay.taggers import _reading_loops
from scrubjay.taggers._reading_loops import best_path_loop


def test_small_batches_do_not_wait_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "_compile_from", lambda: compiling.COMPILE_FROM)
    workload = compiling.Workload()
    assert not workload.grow(compiling.COMPILE_FROM - compiling.A_CALL - 1)
    assert workload.grow(1) == compiling.has_numba()


def test_calls_count_beside_their_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "_compile_from", lambda: 10 * compiling.A_CALL)
    workload = compiling.Workload()
    assert not any(workload.grow(1) for _ in range(9))
    workload.grow(0)  # a kernel that counts as no work is no call either
    assert workload.tokens == 9 * (compiling.A_CALL + 1)
    assert workload.grow(compiling.A_CALL) == compiling.has_numba()


def test_a_numba_that_cannot_be_loaded_is_none(tmp_path: Path) -> None:
    package = tmp_path / "numba"
    package.mkdir()
    package.joinpath("__init__.py").write_text("raise ImportError('Numba needs another NumPy')")
    program = (
        "from scrubjay.models import load_model\n"
        "from scrubjay import compiling\n"
        "from scrubjay.document import Document\n"
        "compiling.compile_from_now_on()\n"
        "assert compiling.has_numba()\n"
        "found = load_model('es-fast').detect([Document('a', 'Paciente: Juan Ruiz, 61 años')])\n"
        "assert found[0] and not compiling.use_compiled(10**9)\n"
        "from scrubjay.batch.kernels import compile_kernels\n"
        "compile_kernels()\n"
    )
    where = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    run = subprocess.run(
        [sys.executable, "-c", program], env=where, capture_output=True, text=True, check=False
    )
    assert "ConfigError: numba is installed and cannot be loaded" in run.stderr, run.stderr


def test_batches_that_go_on_through_other_kernels_do_not_wait_for_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "_compile_from", lambda: 30)
    monkeypatch.setattr(compiling, "A_CALL", 0)
    assert not compiling.Workload().grow(9, ahead=2)
    workload = compiling.Workload()
    assert workload.grow(10, ahead=2) == compiling.has_numba()
    assert workload.tokens == 10


def test_kernels_that_were_compiled_before_load_sooner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("llvmlite")
    folder = tmp_path / "taggers"
    (folder / "__pycache__").mkdir(parents=True)
    source = Path(str(_reading_loops.__file__)).read_text("utf-8")
    (folder / "_reading_loops.py").write_text(source, "utf-8")
    monkeypatch.setattr(kernel_cache, "_PACKAGE", tmp_path)
    line, (major, minor) = best_path_loop.__code__.co_firstlineno, sys.version_info[:2]
    kept = folder / "__pycache__" / f"_reading_loops.best_path_loop-{line}.py{major}{minor}.nbi"
    (kept.parent / "_reading_loops.best_path_loop-1.py311.nbi").write_bytes(
        kernel_cache._processor()
    )  # of another source
    compiling._compile_from.cache_clear()
    assert compiling._compile_from() == compiling.COMPILE_FROM
    kept.write_bytes(b"another processor")
    compiling._compile_from.cache_clear()
    assert compiling._compile_from() == compiling.COMPILE_FROM
    kept.write_bytes(b"of " + kernel_cache._processor())
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


def test_processes_that_share_work_compile_when_it_pays_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(compiling, "_WORKLOAD", compiling.Workload())
    monkeypatch.setattr(compiling, "_numba_kept", lambda *kernel: False)
    late = ("text/_cut_kernel.py", "cut_text")
    share = compiling.COMPILE_LATE_FROM // 4
    assert not compiling.use_compiled(share, late=late)
    compiling.share_work(4)
    assert compiling.use_compiled(0, late=late)


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
