"""Kernels compiled by numba, where it is installed and the work is worth it.

Each kernel exists as plain Python or numpy, which is its oracle. What loads the compiled ones is
how much work a process has met: the first use of a kernel on a machine costs seconds of compiling,
and small runs do without.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

#: Tokens that pass through plain kernels of learning before the compiled ones are loaded; one that
#: passes through four kernels counts four times.
COMPILE_FROM = 500_000

#: The same where they were compiled before: loading them costs what they save on so many.
LOAD_FROM = 100_000

#: The same for the kernels that find PHI. All of them take some twenty seconds to compile and save
#: some seventeen microseconds for a token, which passes through four: a run that is shorter than a
#: million tokens does without.
COMPILE_LATE_FROM = 4_000_000

_PACKAGE = Path(__file__).parent


@cache
def _numba_installed() -> bool:
    return importlib.util.find_spec("numba") is not None


@cache
def _numba_kept(module: str, kernel: str) -> bool:
    return _were_compiled(module, kernel)


@cache
def _compile_from() -> int:
    """Return from how many tokens on compiled kernels pay on this machine."""
    return (
        LOAD_FROM if _were_compiled("taggers/_reading_loops.py", "best_path_loop") else COMPILE_FROM
    )


def _were_compiled(module: str, kernel: str) -> bool:
    """Tell whether numba kept a kernel, compiled by this Python from the source as it is now."""
    lines = (_PACKAGE / module).read_text("utf-8").splitlines()
    line = next((n for n, text in enumerate(lines, 1) if text.startswith(f"def {kernel}(")), 0)
    if line > 1 and lines[line - 2] == "@compiled":
        line -= 1  # a function begins with what it is wrapped in
    version = "".join(map(str, sys.version_info[:2]))
    name = f"{Path(module).stem}.{kernel}-{line}.py{version}.nbi"  # as numba names it
    if folder := os.environ.get("NUMBA_CACHE_DIR"):
        return any(Path(folder).glob(f"*/{name}"))
    return ((_PACKAGE / module).parent / "__pycache__" / name).exists()


class Workload:
    """Counts the tokens of a process, to tell when compiled kernels pay for themselves."""

    def __init__(self) -> None:
        self.tokens = 0

    def grow(self, size: int, *, ahead: int = 0) -> bool:
        """Add a batch; tell whether it should run on compiled kernels.

        `ahead` is how many more kernels it is to pass through: where those reach the number that
        pays, this one need not wait for it.
        """
        self.tokens += size
        expected = self.tokens + ahead * size
        return _numba_installed() and ("numba" in sys.modules or expected >= _compile_from())


_WORKLOAD = Workload()


def use_compiled(size: int, *, ahead: int = 0, late: tuple[str, str] | None = None) -> bool:
    """Count a pass over `size` tokens; tell whether it should run on compiled kernels.

    `ahead` is how many more kernels the same tokens are to pass through. `late` names a kernel, by
    its file and its name, of those that find PHI: it is used where it was compiled before, else
    not before `COMPILE_LATE_FROM`.
    """
    if not _WORKLOAD.grow(size, ahead=ahead):
        return False
    return late is None or _WORKLOAD.tokens >= COMPILE_LATE_FROM or _numba_kept(*late)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel with numba, cached on disk where there is a place to write to."""
    import numba

    result: Callable[..., Any]
    try:
        result = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # read-only package folder and home
        result = numba.njit(nogil=True)(function)
    return result


@cache
def compiled_exchange() -> Callable[[Any, int], bool]:
    """Return a function for kernels, which sets a flag (uint8) of an array and tells if it was set.

    Of several threads that set a flag one alone is told that it was not; and whoever sees that it
    is set sees all that was written before by the thread that set it.

    What numba has kept of a kernel holds this as it was: change that kernel's file with it.
    """
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def exchange(context: Any, flags: Any, number: Any) -> Any:
        def write(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            array = target.make_array(kind)(target, builder, arguments[0])
            point: Callable[..., Any] = cgutils.get_item_pointer
            place = point(target, builder, kind, array, [arguments[1]])
            one, zero = (ir.Constant(ir.IntType(8), value) for value in (1, 0))
            before = builder.atomic_rmw("xchg", place, one, "seq_cst")
            return builder.icmp_unsigned("!=", before, zero)

        return types.boolean(flags, number), write

    made: Any = intrinsic(exchange)
    return cast("Callable[[Any, int], bool]", made)
