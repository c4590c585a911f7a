"""What is kept of kernels: where it is read, when it is not believed, and who compiles."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from scrubjay import compiling, kernel_cache
from scrubjay.kernel_cache import Tally


def test_wrapped_kernels_are_kept_by_the_line_of_their_wrapper(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("llvmlite")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "_a.py").write_text("import x\n\n\n@compiled\ndef kernel(a):\n", "utf-8")
    monkeypatch.setattr(kernel_cache, "_PACKAGE", tmp_path)
    assert not kernel_cache.were_compiled("_a.py", "kernel")
    major, minor = sys.version_info[:2]
    name = f"_a.kernel-4.py{major}{minor}.nbi"
    (tmp_path / "__pycache__" / name).write_bytes(kernel_cache._processor())
    assert kernel_cache.were_compiled("_a.py", "kernel")


@pytest.fixture
def tallied(monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Count what is compiled and loaded in a test alone."""
    tally = Tally()
    monkeypatch.setattr(kernel_cache, "TALLY", tally)
    return tally


def _kernel(folder: Path) -> Callable[[int], int]:
    """Return a small kernel of a file in a folder, as a process has it that was just begun."""
    path = folder / "_a.py"
    path.write_text("def kernel(number):\n    return number + 1\n", "utf-8")
    namespace: dict[str, Any] = {"__name__": "_a"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
    kernel: Callable[[int], int] = compiling.compiled(namespace["kernel"])
    return kernel


def test_a_kernel_within_another_counts_when_it_is_compiled_and_when_it_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    pytest.importorskip("numba")

    def run() -> int:
        monkeypatch.setattr(compiling, "_KERNELS", [])
        inner = _kernel(tmp_path)
        path = tmp_path / "_b.py"
        path.write_text("def outer(number):\n    return inner(number) + 1\n", "utf-8")
        namespace: dict[str, Any] = {"__name__": "_b", "inner": inner}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
        assert compiling.compiled(namespace["outer"])(1) == 3
        assert inner(1) == 2
        return compiling.count_kept()

    assert run() == tallied.kept == 2
    assert run() == 2
    assert tallied.kept == 2
    assert (tallied.compiled, tallied.loaded) == (1, 2)


def test_kernels_are_read_where_they_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.loaded) == (1, 0)
    kept = sorted((tmp_path / "__pycache__").iterdir())
    assert {each.suffix for each in kept} == {".nbc", ".nbi"}

    def refuse(locator: Any) -> None:
        raise PermissionError(locator)

    monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", refuse)
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (1, 1, 0)
    assert _kernel(tmp_path)(1.5) == 2.5  # type: ignore[arg-type]
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (2, 1, 1)
    assert sorted((tmp_path / "__pycache__").iterdir()) == kept
    assert tallied.folders == {tmp_path}


def test_a_full_disk_costs_a_run_what_is_kept_and_no_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    caching = pytest.importorskip("numba.core.caching")

    def refuse(*given: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", refuse)
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.lost) == (1, 1)
    assert not kernel_cache._TURN.is_on


@pytest.mark.parametrize("ending", [".nbc", ".nbi"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda all: all[: len(all) // 2],
        lambda all: b"",
        bytes.swapcase,
        lambda all: (
            all[: len(all) // 5] + bytes([all[len(all) // 5] ^ 1]) + all[len(all) // 5 + 1 :]
        ),
    ],
    ids=["half", "empty", "letters", "bit"],
)
def test_what_is_damaged_is_compiled_anew(
    tmp_path: Path, tallied: Tally, damage: Callable[[bytes], bytes], ending: str
) -> None:
    pytest.importorskip("numba")
    assert _kernel(tmp_path)(1) == 2
    (kept,) = (tmp_path / "__pycache__").glob(f"*{ending}")
    kept.write_bytes(damage(kept.read_bytes()))
    for loaded in (0, 1):  # a bit of the code would end the process, or change what it gives
        assert _kernel(tmp_path)(1) == 2
        assert (tallied.compiled, tallied.loaded, tallied.lost) == (2, loaded, 0)


def test_a_kernel_in_the_place_of_another_is_compiled_anew(tmp_path: Path, tallied: Tally) -> None:
    pytest.importorskip("numba")
    assert (_kernel(tmp_path)(1), _kernel(tmp_path)(1.5)) == (2, 2.5)  # type: ignore[arg-type]
    whole, broken = sorted((tmp_path / "__pycache__").glob("*.nbc"))
    whole.write_bytes(broken.read_bytes())
    assert (_kernel(tmp_path)(1), _kernel(tmp_path)(1.5)) == (2, 2.5)  # type: ignore[arg-type]
    assert (tallied.compiled, tallied.loaded) == (3, 1)


def test_what_is_not_this_users_to_read_is_compiled_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    """As what was kept under a umask of 077 by an administrator."""
    caching = pytest.importorskip("numba.core.caching")
    assert _kernel(tmp_path)(1) == 2

    def refuse(*given: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(caching.IndexDataCacheFile, "_load_index", refuse)
    monkeypatch.setattr(caching.IndexDataCacheFile, "_save_index", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (2, 0, 1)
    assert compiling.count_kept() == 0
    compiling.are_kept()


@pytest.mark.skipif(os.name == "nt", reason="no POSIX files")
def test_code_that_others_may_have_put_there_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "shared"))
    monkeypatch.setattr(caching.config, "CACHE_DIR", str(tmp_path / "shared"))
    assert _kernel(tmp_path)(1) == 2
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (1, 1, 0)
    (place,) = (tmp_path / "shared").iterdir()
    place.chmod(0o777)
    assert _kernel(tmp_path)(1) == 2
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (2, 1, 1)


def test_one_process_compiles_and_others_wait_for_what_it_keeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    pytest.importorskip("numba")
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(kernel_cache, "_PACKAGE", tmp_path)  # another test may be compiling
    assert _kernel(tmp_path)(1) == 2
    kept, away = tmp_path / "__pycache__", tmp_path / "away"
    kept.rename(away)
    kernel = _kernel(tmp_path)
    with ThreadPoolExecutor(1) as other:
        handle = os.open(kernel_cache._PACKAGE, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        answer = other.submit(kernel, 1)
        wait([answer], timeout=0.5)
        assert not answer.done()
        for each in away.iterdir():
            each.rename(kept / each.name)
        os.close(handle)
        assert answer.result() == 2
    assert (tallied.compiled, tallied.loaded, tallied.lost) == (1, 1, 0)
    handle = os.open(kernel_cache._PACKAGE, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody has the turn any more
    os.close(handle)


def test_nobody_waits_for_ever_for_a_process_that_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tallied: Tally
) -> None:
    pytest.importorskip("numba")
    fcntl = pytest.importorskip("fcntl")
    turn = kernel_cache._Turn()
    turn._patience = 0.1
    monkeypatch.setattr(kernel_cache, "_TURN", turn)
    handle = os.open(kernel_cache._PACKAGE, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    assert _kernel(tmp_path)(1) == 2
    os.close(handle)
    assert (tallied.compiled, tallied.lost) == (1, 0)
