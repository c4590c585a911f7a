"""Neighbouring documents of one patient meet the detector together."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.policy import find_policy


class Watching:
    """A detector that finds nothing and notes what it was given together."""

    labels = ("DATE",)

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return no span for each document."""
        self.batches.append([document.id for document in documents])
        return [()] * len(documents)


def _batches(ids: Sequence[str], *, known: bool = True) -> list[list[str]]:
    detector = Watching()
    deidentifier = Deidentifier(
        detector,
        find_policy("placeholder"),
        batch_documents=2,
        patient_of=(lambda document: document.id[0]) if known else None,
    )
    results = list(deidentifier.pipe(Document(id, "text") for id in ids))
    assert [result.id for result in results] == list(ids)
    assert all(isinstance(result, Deidentified) for result in results)
    return detector.batches


def test_a_record_is_not_torn() -> None:
    batches = _batches(["a1", "b1", "b2", "b3", "c1"])
    assert any({"b1", "b2", "b3"} <= set(batch) for batch in batches)
    alone = _batches(["a1", "b1", "b2", "b3", "c1"], known=False)
    assert alone == [["a1", "b1"], ["b2", "b3"], ["c1"]]
