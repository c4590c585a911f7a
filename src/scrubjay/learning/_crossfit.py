"""Cross-fitting: the members of an ensemble, and each trained without one fold.

The work is cut into tasks, one for each member and fold and one for each finished member. A task
leaves a model in a work folder, under a name that tells all it depends on, so that an
interrupted training, or another one with the same member and data, goes on from there.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scrubjay import __version__
from scrubjay.artifacts import MANIFEST, encode_json, load_artifact, save_artifact
from scrubjay.cores import bound_threads, share_cores
from scrubjay.document import Document
from scrubjay.errors import ArtifactError, InputError, MissingExtraError, OutputError
from scrubjay.learning.ensemble_config import MemberConfig
from scrubjay.learning.learners import (
    KEEPING,
    ON_DEVICES,
    RESUMABLE,
    Trained,
    drop_checkpoint,
    fit_config,
    is_seeded,
)
from scrubjay.learning.preparation import Progress, fingerprint
from scrubjay.taggers.kinds import Loaded, load_artifact_model
from scrubjay.taggers.members import Member


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What all trainings of an ensemble have in common; see `scrubjay.learning.ensemble`."""

    language: str
    label_set: str
    seed: int
    device: str = "auto"
    threads: int = 0
    swap_copies: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """One training of one member.

    It learns from `train` and may stop by `stop`. The result is a model; with a `fold` it is for
    the documents of that fold, which it must not see, and otherwise for the ensemble itself.
    """

    member: str
    config: MemberConfig
    circumstances: Circumstances
    train: Sequence[Document]
    stop: Sequence[Document] = ()
    fold: int | None = None

    @property
    def shown(self) -> str:
        """The task in words."""
        return f"{self.member}, " + ("whole" if self.fold is None else f"fold {self.fold + 1}")

    @property
    def seed(self) -> int:
        """The seed of the training; always 0 where nothing is drawn, so that seeds share it."""
        here = self.circumstances
        return here.seed if is_seeded(self.config) or here.swap_copies else 0

    def identity(self) -> str:
        """Return a sha256 of all that decides the result."""
        here = self.circumstances
        table = self.config.table()
        facts = {
            "config": {key: table[key] for key in table if key not in ("name", "citation")},
            "language": here.language,
            "label-set": here.label_set,
            "seed": self.seed,
            "swap-copies": here.swap_copies,
            "documents": [fingerprint(part) for part in (self.train, self.stop)],
            "version": __version__,
        }
        return hashlib.sha256(encode_json(facts)).hexdigest()

    def place(self, work: Path) -> Path:
        """Return where its result is, once it is done."""
        return work / f"{self.config.kind}-{self.identity()[:16]}"


@contextmanager
def work_folder(folder: Path | None) -> Iterator[Path]:
    """Give a folder for results that stays, or without one a folder for the time being.

    Raises `OutputError` for a folder that cannot be made.
    """
    if folder is None:
        with TemporaryDirectory(prefix="scrubjay-") as temporary:
            yield Path(temporary)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            "no folder can be made there", path=folder, hint="Give --checkpoint another folder"
        ) from error
    yield folder


def run_tasks(tasks: Sequence[Task], work: Path, *, jobs: int, progress: Progress) -> None:
    """Do the tasks whose results are not in the work folder yet, in so many processes.

    Raises like `Learner.fit`; what was done until then stays.
    """
    # Members of one configuration are trained once.
    different = list({task.place(work): task for task in tasks}.values())
    waiting = [task for task in different if not is_done(task, work)]
    done = len(tasks) - len(waiting)
    progress("members", done / max(1, len(tasks)))
    if jobs <= 1 or len(waiting) <= 1:
        for task in waiting:

            def report(stage: str, share: float, task: Task = task, done: int = done) -> None:
                progress(f"members: {task.shown}: {stage}", (done + min(share, 1.0)) / len(tasks))

            run_task(task, work, report)
            done += 1
        progress("members", 1.0)
        return
    context = multiprocessing.get_context("spawn")
    jobs = min(jobs, len(waiting))
    with ProcessPoolExecutor(jobs, context, bound_threads, (share_cores(jobs),)) as pool:
        try:
            futures = {pool.submit(_run_apart, task, work): task for task in waiting}
            for future in as_completed(futures):
                future.result()
                done += 1
                progress(f"members: {futures[future].shown}: done", done / len(tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    progress("members", 1.0)


def is_done(task: Task, work: Path) -> bool:
    """Tell whether the result of a task is in the work folder."""
    return (task.place(work) / MANIFEST).is_file()


def _run_apart(task: Task, work: Path) -> None:
    """Do a task in a process of its own, whose errors have to find the way back."""
    try:
        run_task(task, work, lambda stage, share: None)
    except MissingExtraError as error:
        raise InputError(str(error)) from None


def run_task(task: Task, work: Path, progress: Progress) -> None:
    """Train, and leave the result in the work folder."""
    place, state = task.place(work), None
    if task.config.kind in RESUMABLE and task.config.kind not in KEEPING:
        state = place.with_name(f"{place.name}.state")
    fitted = _fit(task, state, progress)
    private = fitted.manifest.stores_words
    save_artifact(place, fitted.manifest, files=fitted.files(), private=private)
    if state is not None:
        drop_checkpoint(state)


def _fit(task: Task, state: Path | None, progress: Progress) -> Trained:
    here = task.circumstances
    config: Any = task.config
    return fit_config(
        config,
        task.train,
        dev=task.stop,
        seed=task.seed,
        progress=progress,
        language=here.language,
        label_set=here.label_set,
        name=task.member,
        checkpoint=state,
        device=here.device if config.kind in ON_DEVICES else "auto",
        threads=here.threads,
        swap_copies=here.swap_copies,
    )


def read_member(task: Task, work: Path) -> Member:
    """Return the model of a task as a member, whatever name it was trained under.

    Raises `ArtifactError` for a damaged one.
    """
    try:
        artifact = load_artifact(task.place(work))
        detector: Loaded = load_artifact_model(artifact)
    except ArtifactError as error:
        again = f"Or delete {task.place(work)}: the work in it will be done again"
        raise ArtifactError(f"{error}. {again}") from error
    return Member(task.member, detector, replace(artifact.manifest, name=task.member))
