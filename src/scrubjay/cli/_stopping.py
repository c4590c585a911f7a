"""How a run of `deid` or `annotate` is stopped: Ctrl-C, SIGTERM, a full disk, and what is told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import typer

from scrubjay.errors import counted

if TYPE_CHECKING:
    from scrubjay.batch.stopping import Stop


_LOOK_SECONDS = 0.2
_GO_ON = "the same call with --resume goes on where it was"
_AGAIN = "give the same call again: no document was done yet, and nothing is left behind"
_NOTHING_DONE = "this call had done no document yet: give it again"
_ANEW = "interrupted; the same call begins anew"
_STOPPING = b"stopping in a moment; once more stops at once\n"
_ENDING = b"all documents are done, the last steps are finished; once more stops at once\n"


@contextmanager
def stopping(*, resumable: bool) -> Iterator[Stop]:
    """Give what tells whether to stop: a run that can be resumed notes what is done first.

    Batches that are open have a moment to end in; what takes longer is broken off. A second Ctrl-C
    or SIGTERM, the first one while the model is loaded, and that of another run, end it at once; in
    no case is there a file that is half-written. After SIGTERM the exit code is 143.
    """
    from scrubjay.batch.stopping import GRACE_SECONDS, Stop
    from scrubjay.errors import FullDiskError, WorkerError

    stop = Stop()
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        asked.append(number)
        if not stop.ask() or not resumable:
            raise KeyboardInterrupt
        # No stream of Python may be written to in a handler of signals.
        os.write(2, _ENDING if stop.ending else _STOPPING)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS, _LOOK_SECONDS)

    def look(number: int, frame: object) -> None:
        if stop.may_break:
            raise KeyboardInterrupt

    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            handlers = {signal.SIGINT: ask, signal.SIGTERM: ask}
            if hasattr(signal, "setitimer"):
                handlers[signal.SIGALRM] = look
            for number, handler in handlers.items():
                stack.callback(signal.signal, number, signal.signal(number, handler))
            if hasattr(signal, "setitimer"):
                stack.callback(signal.setitimer, signal.ITIMER_REAL, 0.0)
        try:
            yield stop
        except (FullDiskError, WorkerError):
            if resumable:
                typer.echo(f"when that is mended, {_GO_ON if stop.kept else _AGAIN}", err=True)
            raise
        except KeyboardInterrupt:
            typer.echo(_interrupted(stop.kept, resumable=resumable), err=True)
            if signal.SIGTERM in asked:
                raise SystemExit(128 + signal.SIGTERM) from None
            raise


def _interrupted(done: int, *, resumable: bool) -> str:
    """Return what is told at an interruption: how many documents are done, and how to go on."""
    if not resumable:
        return _ANEW
    if not done:
        return f"interrupted; {_NOTHING_DONE}"
    return f"interrupted with {counted(done, 'document')} done; {_GO_ON}"
