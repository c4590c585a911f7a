"""Learning from what was accepted: retraining beside the work, with a curve of what it gives.

A run adapts the project's base model to the accepted documents (`learning/adaptation.py`), save a
share that a hash of the id keeps for measuring. One whose process is gone can be resumed (`runs`).
The new model suggests nothing before it is chosen.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from scrubjay.corpora import write_corpus
from scrubjay.document import Document
from scrubjay.errors import ConfigError, ScrubjayError, StateError
from scrubjay.evaluation.pairs import Pair, labelled_pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.models import find_model, load_model, verify_model
from scrubjay.review.exporting import marked_documents
from scrubjay.review.prelabels import (
    is_held_out,
    model_folder,
    model_place,
    own_folder,
    prelabel_documents,
    require_model_labels,
)
from scrubjay.review.records import CurvePoint, Prelabelled, Run, Shown
from scrubjay.review.runs import (
    Reporter,
    Stopped,
    describe_run,
    end_run,
    find_run,
    is_held,
    require_idle,
    run_row,
    take_lock,
)
from scrubjay.review.settings import label_set_of
from scrubjay.review.store import Row, Store, now

LEAST_DOCUMENTS = 2
"""Fewer accepted documents with marks than this cannot be learned from."""


@dataclass(frozen=True, slots=True)
class LearnRequest:
    """How to retrain.

    `base` is the model to begin with, "" for the one that the project's model came from.
    `dev_share` of the accepted documents are kept to measure on. `weight`, `folds` and `seed` are
    those of `scrubjay adapt`. With `auto` the new model is chosen when it is done.
    """

    base: str = ""
    dev_share: float = 0.2
    weight: float | None = None
    folds: int = 3
    seed: int = 0
    auto: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.dev_share < 1.0:
            raise ConfigError("the share of documents to measure on is 0 or more and below 1")
        if self.folds < 2:
            raise ConfigError("there are 2 folds at least")


class Retraining:
    """The part of a project that is about learning (`Project.retraining`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start(self, request: LearnRequest | None = None, *, background: bool = False) -> Run:
        """Retrain on the accepted documents, and return the run.

        In the background it is a process of its own, whose run `runs` tells. Raises `StateError`
        for too few accepted documents and while another run is going on.
        """
        store, request = self._store, request or LearnRequest()
        base = _base(store, request.base)
        require_model_labels(store, base)
        with store.write():
            require_idle(store)
            accepted = [(one.id, bool(one.spans)) for one in marked_documents(store, "accepted")]
            dev = [one for one, _ in accepted if is_held_out(store, one, request.dev_share)]
            held = set(dev)
            train = [(one, marked) for one, marked in accepted if one not in held]
            if sum(marked for _, marked in train) < LEAST_DOCUMENTS:
                raise StateError(
                    f"{len(train)} accepted documents are there to learn from, and "
                    f"{LEAST_DOCUMENTS} with marks are needed; {len(dev)} more are kept to "
                    "measure on"
                )
            cursor = store.run(
                "INSERT INTO runs (state, stage, share, base, request, train, dev, made) "
                "VALUES ('waiting', '', 0, ?, ?, ?, ?, ?)",
                base, json.dumps(asdict(request)), json.dumps([one for one, _ in train]),
                json.dumps(dev), now(),
            )  # fmt: skip
            number = int(cursor.lastrowid or 0)
            lock = take_lock(store, number)
        return _launch(store, number, lock, background=background)

    def resume(self, run: int, *, background: bool = False) -> Run:
        """Go on with a run that was interrupted, cancelled or failed, but for what it has done."""
        with self._store.write():
            found = find_run(self._store, run)
            if found.state not in ("interrupted", "cancelled", "failed"):
                raise StateError(f"run {run} is {found.state}; there is nothing to resume")
            require_idle(self._store)
            self._store.run(
                "UPDATE runs SET state = 'waiting', stop = 0, error = '', ended = NULL "
                "WHERE number = ?",
                run,
            )
            lock = take_lock(self._store, run)
        return _launch(self._store, run, lock, background=background)

    def cancel(self, run: int) -> Run:
        """Ask a run to stop, as it does at its next step; one without a process is cancelled."""
        with self._store.write():
            row = run_row(self._store, run)
            if row["state"] not in ("waiting", "running"):
                raise StateError(f"run {run} is {row['state']}; there is nothing to cancel")
            self._store.run("UPDATE runs SET stop = 1 WHERE number = ?", run)
            if not is_held(self._store, run):
                end_run(self._store, run, "cancelled")
        return find_run(self._store, run)

    def runs(self) -> tuple[Run, ...]:
        """Return the runs, oldest first."""
        with self._store.read():
            rows = self._store.all("SELECT * FROM runs ORDER BY number")
            return tuple(describe_run(self._store, row) for row in rows)

    def choose(self, run: int, *, shown: Shown = "all") -> Prelabelled:
        """Make the model of a run the project's own, and let it suggest; as `prelabel`."""
        found = find_run(self._store, run)
        if found.state != "done":
            raise StateError(f"run {run} is {found.state} and has no model")
        return prelabel_documents(self._store, found.model, shown=shown, documents=None)

    def curve(self) -> tuple[CurvePoint, ...]:
        """Return what each run gave on the documents held out, after what the base model gives.

        The point of run 0 is that of the first run's base on the documents of the last run that
        began with it.
        """
        runs = [run for run in self.runs() if run.state == "done" and run.metrics.get("dev")]
        if not runs:
            return ()
        begun = [run for run in runs if run.base == runs[0].base]
        first = replace(begun[-1], number=0, train=0)
        return (_point(first, "before"), *(_point(run, "after") for run in runs))


def _launch(store: Store, number: int, lock: IO[bytes], *, background: bool) -> Run:
    with lock:
        if not background:
            work_on(store, number)
            return find_run(store, number)
        # The process inherits the lock, and holds it however this one ends.
        command = [sys.executable, "-m", "scrubjay.review.background", str(store.folder.resolve())]
        found = subprocess.run(
            [*command, str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(lock.fileno(),),
            check=False,
        )
    if found.returncode:
        raise StateError(f"the process of run {number} could not be started")
    return find_run(store, number)


def _base(store: Store, asked: str) -> str:
    """Return the model to begin with: what was asked for, or where the project's came from."""
    model = model_place(store, asked) if asked else str(store.setting("model"))
    if not model:
        raise ConfigError(
            "the project has no model to begin with",
            hint="Name one as the base, or let one suggest marks first (prelabel)",
        )
    row = store.find("SELECT base FROM runs WHERE model = ?", model)
    return model if row is None else str(row["base"])


def work_on(store: Store, number: int) -> None:
    """Do a run, and write down how it ended; raises nothing that is about its documents.

    Errors are kept by their message where it is one of ours, which hold no text, else by class.
    """
    row = run_row(store, number)
    try:
        if row["state"] != "waiting":
            raise StateError(f"run {number} is {row['state']}")
        store.run("UPDATE runs SET state = 'running' WHERE number = ?", number)
        _do(store, row)
    except Stopped:
        end_run(store, number, "cancelled")
    except ScrubjayError as error:
        end_run(store, number, "failed", str(error))
    except KeyboardInterrupt:
        end_run(store, number, "cancelled")
        raise
    except Exception as error:
        end_run(store, number, "failed", type(error).__name__)
    finally:
        with suppress(OSError):
            _notes(store, number).unlink(missing_ok=True)


def _do(store: Store, row: Row) -> None:
    from scrubjay.learning.adaptation import AdaptationRequest, adapt_model

    number, request = row["number"], LearnRequest(**json.loads(row["request"]))
    progress = Reporter(store, number)
    progress("read", 0.0)
    train, dev = _documents(store, json.loads(row["train"])), json.loads(row["dev"])
    folder = own_folder(store, "models", f"run-{number}") / "model"
    if not _is_whole(folder):
        notes = _notes(store, number)
        write_corpus(train, notes, format="jsonl", permissions="private")
        adapt_model(
            AdaptationRequest(
                model=model_folder(store, row["base"]),
                corpora=(notes,),
                out=folder,
                weight=request.weight,
                seed=request.seed,
                folds=request.folds,
                name=f"{store.setting('name')}-run-{number}",
                overwrite=True,
            ),
            progress=progress,
        )
    progress("measure", 0.95)
    metrics = _measure(store, row["base"], folder, _documents(store, dev))
    place = model_place(store, str(folder))
    with store.write():
        progress.require_going_on()
        store.run(
            "UPDATE runs SET state = 'done', stage = '', share = 1, model = ?, metrics = ?, "
            "ended = ? WHERE number = ?",
            place, json.dumps(metrics), now(), number,
        )  # fmt: skip
    if request.auto:
        try:
            prelabel_documents(store, place, shown="all", documents=None)
        except ScrubjayError as error:
            # The run is done all the same, and its model can be chosen by hand.
            store.run("UPDATE runs SET error = ? WHERE number = ?", str(error), number)


def _is_whole(folder: Path) -> bool:
    try:
        verify_model(folder)
    except (ScrubjayError, OSError):
        return False
    return True


def _documents(store: Store, wanted: list[str]) -> list[Document]:
    """Return those of some documents that are still accepted, with the marks they have now."""
    names = set(wanted)
    with store.snapshot() as view:
        return [one for one in marked_documents(view, "accepted") if one.id in names]


def _measure(store: Store, base: str, model: Path, dev: list[Document]) -> dict[str, Any]:
    """Return the figures of both models on the documents that neither has learned from here."""
    adapted = json.loads((find_model(model) / "manifest.json").read_text("utf-8"))["metrics"]
    metrics: dict[str, Any] = {"adaptation": adapted.get("adaptation", {}), "dev": len(dev)}
    if dev:
        bare = [one.with_spans(()) for one in dev]
        for name, place in (("before", model_folder(store, base)), ("after", str(model))):
            found = load_model(place).detect(bare)
            pairs = [
                labelled_pair(g, g.with_spans(spans)) for g, spans in zip(dev, found, strict=True)
            ]
            metrics[name] = _figures(store, pairs)
    return metrics


def _figures(store: Store, pairs: list[Pair]) -> dict[str, float | None]:
    report = evaluate_pairs(pairs, scorer="i2b2", label_set=label_set_of(store))
    assert report.i2b2 is not None
    strict = report.i2b2["Strict"].counts
    return {
        "precision": strict.precision,
        "recall": strict.recall,
        "f1": strict.f1,
        "token_recall": report.binary_token_recall,
    }


def _point(run: Run, name: str) -> CurvePoint:
    figures = run.metrics[name]
    return CurvePoint(run.number, run.train, int(run.metrics["dev"]), **figures)


def _notes(store: Store, number: int) -> Path:
    return store.folder / "models" / f"run-{number}" / "notes.jsonl"
