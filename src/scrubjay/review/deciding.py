"""What a project tells of its annotators side by side: agreement, differences, final marks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scrubjay.document import Span
from scrubjay.review import settings
from scrubjay.review.records import Difference, Gold, Version
from scrubjay.review.store import Store

if TYPE_CHECKING:
    from scrubjay.evaluation.agreement import AgreementReport


class Deciding:
    """The part of a project that is about several annotators (`Project.deciding`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def agreement(self) -> AgreementReport:
        """Measure how far annotators agree on the documents that all have finished.

        `evaluation.agreement.to_json` turns it into JSON. Raises `StateError` where there are
        none with two annotators.
        """
        from scrubjay.review.adjudication import measure_project_agreement

        return measure_project_agreement(self._store)

    def differences(self, document: str) -> tuple[Difference, ...]:
        """Return where the annotators of a document differ, and what was decided.

        From here on it cannot be reopened. Raises `BlindError` before all have finished it.
        """
        from scrubjay.review.adjudication import find_differences

        return find_differences(self._store, document)

    def versions(self, document: str) -> tuple[Version, ...]:
        """Return the marks of all annotators of a document; errors as of `differences`."""
        from scrubjay.review.adjudication import compare_versions

        return compare_versions(self._store, document)

    def decide(
        self,
        document: str,
        start: int,
        end: int,
        choice: str,
        *,
        decider: str,
        marks: Iterable[Span] = (),
    ) -> tuple[Difference, ...]:
        """Decide one difference: an annotator's name, "own" with marks, "none", or "" for open.

        Returns all differences of the document. Raises `NotFoundError` where there is no such
        difference, `StateError` for a document that is adjudicated, `SpanError` and `LabelError`
        for marks that do not fit.
        """
        from scrubjay.review.adjudication import decide_difference

        own = tuple(marks)
        for mark in own:
            settings.require_label(self._store, mark.label)
        return decide_difference(
            self._store, document, start, end, choice, decider=decider, marks=own
        )

    def adjudicate(self, document: str, *, decider: str) -> Gold:
        """Make the final marks of a document from its decisions.

        Raises `StateError` where a difference is not decided, `BlindError` as `differences`.
        """
        from scrubjay.review.adjudication import adjudicate_document

        return adjudicate_document(self._store, document, decider=decider)

    def gold(self, document: str) -> Gold | None:
        """Return the final marks of a document that is adjudicated, None for any other."""
        from scrubjay.review.adjudication import gold_of

        return gold_of(self._store, document)

    def withdraw(self, document: str) -> None:
        """Take the final marks of a document back; its decisions stay, to be changed."""
        from scrubjay.review.adjudication import withdraw_gold

        withdraw_gold(self._store, document)
