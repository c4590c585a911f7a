"""What a project does to learn: runs, what they gave, and the model that is chosen of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.review.records import CurvePoint, Prelabelled, Run, Shown
from scrubjay.review.store import Store

if TYPE_CHECKING:
    from scrubjay.review.learn import LearnRequest


class Retraining:
    """The part of a project that is about learning (`Project.retraining`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start(self, request: LearnRequest | None = None, *, background: bool = False) -> Run:
        """Retrain on the accepted documents, and return the run.

        In the background it is a process of its own, whose run `runs` tells. Raises `StateError`
        for too few accepted documents and while another run is going on.
        """
        from scrubjay.review import learn

        return learn.start_run(self._store, request or learn.LearnRequest(), background=background)

    def resume(self, run: int, *, background: bool = False) -> Run:
        """Go on with a run that was interrupted, cancelled or failed."""
        from scrubjay.review import learn

        return learn.resume_run(self._store, run, background=background)

    def cancel(self, run: int) -> Run:
        """Ask a run to stop; it does so at its next step."""
        from scrubjay.review import learn

        return learn.cancel_run(self._store, run)

    def runs(self) -> tuple[Run, ...]:
        """Return the runs, oldest first."""
        from scrubjay.review import learn

        return learn.list_runs(self._store)

    def choose(self, run: int, *, shown: Shown = "all") -> Prelabelled:
        """Make the model of a run the project's own, and let it suggest; as `prelabel`."""
        from scrubjay.review import learn
        from scrubjay.review.prelabels import prelabel_documents

        return prelabel_documents(
            self._store, learn.model_of(self._store, run), shown=shown, documents=None
        )

    def curve(self) -> tuple[CurvePoint, ...]:
        """Return what each retraining gave on the accepted documents held out."""
        from scrubjay.review import learn

        return learn.read_curve(self._store)
