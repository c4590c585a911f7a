"""Every kernel that finds PHI compiled at once, before there is work: made-up notes are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.compiling import (
    are_kept,
    compile_from_now_on,
    count_kept,
    has_numba,
    keeping_folder,
    loads_numba,
)
from scrubjay.detectors import drop_scores
from scrubjay.document import Document
from scrubjay.errors import ConfigError, MissingExtraError, OutputError, counted
from scrubjay.kernel_cache import TALLY
from scrubjay.models import list_models, load_model
from scrubjay.taggers.crf import LONG

_ELSEWHERE = (
    "Set NUMBA_CACHE_DIR to a folder that can be written to, here and wherever Scrubjay runs"
)
_NOTE = (
    "Patient: Ann Lee\nMRN: 4471902  DOB: 03/04/1951\n\n"
    "Ms. Lee, 67, of 12 Elm Street, Springfield 02139, was seen by Dr. Bo Ray on 3/4/2019.\n"
    "Her son (Tom Lee, 617-555-0122, tom@lee.example) drove her to Mercy Hospital.\n\n"
    "Signed: B. Ray, MD\n"
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """What came of compiling: how many kernels were compiled, how many there were, and where.

    Those that others call count, too, so that what one call compiles the next one finds.
    """

    compiled: int
    kept_before: int
    folders: tuple[Path, ...]


def network_free() -> tuple[str, ...]:
    """Return the names of the shipped models without a network, which have all kernels."""
    return tuple(model.manifest.name for model in list_models() if not model.extra)


def compile_kernels(
    models: Sequence[str] = (), *, tell: Callable[[str], None] = lambda _: None
) -> Compiled:
    """Compile what models need of kernels, as any run, service or task uses them, and keep it.

    Without `models` those that ship. `tell` hears the name of each model before it is loaded.
    Raises `MissingExtraError` without numba, `ConfigError` where it is broken, `OutputError` where
    what is compiled cannot be kept, and what loading a model raises.
    """
    if not has_numba():
        raise MissingExtraError("numba", "fast")
    if not loads_numba():
        raise ConfigError(
            "numba is installed and cannot be loaded: it does not fit the packages beside it",
            hint="Install those that do: pip install -c constraints.txt '.[fast]'. Until then "
            "texts are read without compiled kernels",
        )
    given, folder = os.environ.get("NUMBA_CACHE_DIR"), keeping_folder()
    unfit = folder is None or (given and folder != Path(given).absolute())
    if unfit and not are_kept():
        raise OutputError(
            "what is compiled can be kept nowhere: neither the package's folder nor that of this "
            "user's caches can be written to",
            hint=_ELSEWHERE,
        )
    before = replace(TALLY, folders=set())
    TALLY.folders.clear()
    compile_from_now_on()
    for name in models or network_free():
        tell(name)
        _read(name)
    if TALLY.lost > before.lost:
        raise OutputError(
            f"{counted(TALLY.lost - before.lost, 'compiled kernel')} could not be kept",
            path=folder,
            hint=f"Make room there, or let it be written to, by this user alone. {_ELSEWHERE}",
        )
    compiled = TALLY.kept - before.kept
    return Compiled(compiled, count_kept() - compiled, tuple(sorted(TALLY.folders)))


def _read(name: str) -> None:
    """Have a model read notes in every way in which a kernel gets other kinds of arguments."""
    model = load_model(name)
    notes = [Document(str(number), _NOTE * number) for number in range(1, 4)]
    long = Document("long", _NOTE + "Stable.\n" * LONG)
    for detector in (model, drop_scores(model)):
        detector.detect(notes[:1])
        detector.detect(notes)
    model.detect([long])
