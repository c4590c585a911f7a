"""Kernels compiled by numba, where it is installed and the work is worth it.

Each kernel exists as plain Python or numpy, which is its oracle. What loads the compiled ones is
how much work a process has met: the first use of a kernel on a machine costs seconds of compiling,
and small runs do without. What numba keeps of them is in `kernel_cache`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

from scrubjay.kernel_cache import KernelCache, is_safe, other_caches, were_compiled

#: Tokens that pass through plain kernels of learning before the compiled ones are loaded; one that
#: passes through four kernels counts four times.
COMPILE_FROM = 500_000

#: The same where they were compiled before: loading them costs what they save on so many.
LOAD_FROM = 100_000

#: The same for the kernels that find PHI. All of them take some twenty seconds to compile and save
#: some seventeen microseconds for a token, which passes through five: a run that is shorter than
#: some 800,000 tokens does without.
COMPILE_LATE_FROM = 4_000_000

#: Tokens that a call counts for besides its own. Notes of a page that are read one by one, each in
#: five calls, lose some 20 ms each: after a thousand compiling would have paid.
A_CALL = 400


@cache
def has_numba() -> bool:
    """Tell whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


@cache
def loads_numba() -> bool:
    """Load numba; tell whether that worked: one that does not fit its numpy cannot be loaded."""
    try:
        importlib.import_module("numba")
    except Exception:  # a broken package may raise anything
        return False
    return True


def are_kept() -> bool:
    """Tell whether the kernels that find PHI were compiled before, and may be loaded."""
    return has_numba() and were_compiled("taggers/_reading_loops.py", "reading_loop")


@cache
def _numba_kept(module: str, kernel: str) -> bool:
    return were_compiled(module, kernel)


@cache
def _compile_from() -> int:
    """Return from how many tokens on compiled kernels pay on this machine."""
    return (
        LOAD_FROM if were_compiled("taggers/_reading_loops.py", "best_path_loop") else COMPILE_FROM
    )


class Workload:
    """Counts the tokens of a process, to tell when compiled kernels pay for themselves."""

    def __init__(self) -> None:
        self.tokens = 0
        self.processes = 1
        """How many processes share the work, each of which meets as much of it."""

    def grow(self, size: int, *, ahead: int = 0) -> bool:
        """Add a batch; tell whether it should run on compiled kernels.

        `ahead` is how many more kernels it is to pass through: where those reach the number that
        pays, this one need not wait for it.
        """
        self.tokens += size + A_CALL if size else 0
        expected = self.tokens + ahead * size
        is_worth = has_numba() and ("numba" in sys.modules or expected >= _compile_from())
        return is_worth and loads_numba()


_WORKLOAD = Workload()


def use_compiled(size: int, *, ahead: int = 0, late: tuple[str, str] | None = None) -> bool:
    """Count a pass over `size` tokens; tell whether it should run on compiled kernels.

    `ahead` is how many more kernels the same tokens are to pass through. `late` names a kernel, by
    its file and its name, of those that find PHI: it is used where it was compiled before, else
    not before `COMPILE_LATE_FROM`.
    """
    if not _WORKLOAD.grow(size, ahead=ahead):
        return False
    met = _WORKLOAD.tokens * _WORKLOAD.processes
    return late is None or met >= COMPILE_LATE_FROM or _numba_kept(*late)


def share_work(processes: int) -> None:
    """Tell that so many processes share the work that this one does a part of.

    What one of them compiles all load, so that it pays when it pays for all.
    """
    _WORKLOAD.processes = processes


def compile_from_now_on() -> None:
    """Have each kernel used from its next call on, as where very much work is to be expected."""
    _WORKLOAD.tokens += COMPILE_LATE_FROM


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel with numba, kept on disk where there is a place to write to."""
    import numba

    kernel: Any
    try:
        kernel = numba.njit(cache=True, nogil=True)(function)
        own = kernel._cache if is_safe(Path(kernel._cache.cache_path)) else None
    except RuntimeError:  # read-only package folder and home
        kernel, own = numba.njit(nogil=True)(function), None
    with suppress(AttributeError, ImportError, IndexError):  # a numba that is made otherwise
        from numba.core.caching import FunctionCache

        kernel._cache = KernelCache(own, other_caches(FunctionCache, function, own))
        _KERNELS.append(kernel)
    return cast("Callable[..., Any]", kernel)


_KERNELS: list[Any] = []
"""The kernels that this process has, compiled or not."""


def count_kept() -> int:
    """Return how many kernels are kept for this processor, of those that this process has.

    One counts for each kind of its arguments, and where another one calls it, too.
    """
    return sum(kernel._cache.count_kept(kernel.targetctx) for kernel in _KERNELS)


def keeping_folder() -> Path | None:
    """Return in which folder this process keeps what it compiles, None where it can in none."""
    import numba

    try:
        kernel: Any = numba.njit(cache=True)(were_compiled)
    except RuntimeError:
        return None
    return Path(kernel._cache.cache_path).parent


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
