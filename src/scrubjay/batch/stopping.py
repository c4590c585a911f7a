"""How a run is asked to stop from outside, and how long it goes on with what is open then."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

GRACE_SECONDS = 2.0
"""How long batches that are open may go on; a batch that takes longer is done by the run that goes
on."""


class Stop:
    """Asks a run to stop. A handler of signals may call `ask` and look at `may_break`.

    A run holds it while there is something to finish; before that, and when it is asked twice,
    it is to be ended at once.
    """

    def __init__(self) -> None:
        self._asked: float | None = None
        self._held = False
        self._kept = 0
        self._ending = False
        self._breaking = False

    @property
    def asked(self) -> bool:
        """Tell whether the run was asked to stop."""
        return self._asked is not None

    @property
    def may_break(self) -> bool:
        """Tell whether the work that is under way here may be broken off now."""
        return self._breaking and not self.left

    @property
    def left(self) -> float:
        """Return the seconds that open batches may still take, infinite where nobody asked."""
        if self._asked is None:
            return math.inf
        return max(0.0, self._asked + GRACE_SECONDS - time.monotonic())

    def ask(self) -> bool:
        """Ask the run to stop; tell whether it will, and need not be ended at once."""
        if self.asked:
            return False
        self._asked = time.monotonic()
        return self._held

    def hold(self) -> None:
        """Say that from now on the run looks whether it was asked."""
        self._held = True

    @property
    def kept(self) -> int:
        """Return how many documents are done that a run which goes on can take over."""
        return self._kept

    def keep(self, count: int = 1) -> None:
        """Say that so many more documents are done and noted."""
        self._kept += count

    @property
    def ending(self) -> bool:
        """Tell whether all documents are done, so that the run ends as if nobody had asked."""
        return self._ending

    def end(self) -> None:
        """Say that all documents are done, and that nothing but the last steps is left."""
        self._ending = True

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Let reading or work be broken off by `KeyboardInterrupt`: it takes its time alone."""
        self._breaking = True
        try:
            yield
        finally:
            self._breaking = False
