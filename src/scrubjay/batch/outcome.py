"""What came of one document, without the document: what a journal keeps and a sink writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrubjay.deidentifier import Failure
from scrubjay.document import Span

if TYPE_CHECKING:
    from scrubjay.batch.kept_mentions import Kept
    from scrubjay.transform.vault import VaultLine

TELLING_ID = "telling-id"
"""Among the counts of a proof: an id that shows a mention of its own text."""
TELLING_COLUMN = "telling-column:"
"""The same of a kept column, whose name follows."""
DATE_ORDER = "date-order:"
"""Among them, too: what the document tells of the order of its dates (`told_orders`) follows."""
SHORT_NAME = "short-name"
"""That a name too short to be looked for may stand in the output."""
KEPT_LABEL = "kept-label:"
"""Mentions that the policy keeps, by the label that follows."""
OPEN_DATES = f"{DATE_ORDER}open"
"""That nothing tells the order of dates that may be either."""


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """The new text and spans of a document, or its failure.

    `size` is the number of characters of the original; `labels` counts the mentions found in it,
    `proof` what was looked for in the output (`scrubjay.batch.proof.Proved`), `TELLING_ID`,
    `TELLING_COLUMN`, `SHORT_NAME`, `KEPT_LABEL` and `DATE_ORDER`. `kept` are the places of mentions
    that the policy keeps, where they are asked for. `sealed` is what a vault gets; it holds
    originals, so that no journal has it.
    """

    id: str
    size: int
    text: str = ""
    spans: tuple[Span, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict)
    proof: Mapping[str, int] = field(default_factory=dict)
    failure: Failure | None = None
    sealed: VaultLine | None = field(default=None, compare=False)
    kept: tuple[Kept, ...] = ()

    def __reduce__(self) -> tuple[Callable[..., Outcome], tuple[Any, ...]]:
        """Pickle as plain values: a worker sends many outcomes, with many spans each."""
        spans = [(s.start, s.end, s.label, s.score, s.source) for s in self.spans]
        counts = (dict(self.labels), dict(self.proof))
        rest = (self.failure, self.sealed, self.kept)
        return _restore, (self.id, self.size, self.text, spans, *counts, *rest)

    def __repr__(self) -> str:
        return f"Outcome({self.id!r}, {self.failure or f'{len(self.text)} characters'})"

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as plain JSON values, without what is empty."""
        failure = self.failure
        values = {
            "id": self.id,
            "size": self.size,
            "text": self.text,
            "spans": [[s.start, s.end, s.label, s.score, s.source] for s in self.spans],
            "labels": dict(self.labels),
            "proof": dict(self.proof),
            "failure": [] if failure is None else [failure.stage, failure.code],
            "kept": list(self.kept),
        }
        return {name: value for name, value in values.items() if value or name in ("id", "size")}

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Outcome:
        """Return the outcome that `to_json` gave."""
        failure = values.get("failure")
        return Outcome(
            values["id"],
            values["size"],
            values.get("text", ""),
            tuple(
                Span(start, end, label, score=score, source=source)
                for start, end, label, score, source in values.get("spans", ())
            ),
            values.get("labels", {}),
            values.get("proof", {}),
            None if not failure else Failure(values["id"], failure[0], failure[1]),
            kept=tuple(map(tuple, values.get("kept", ()))),
        )


def _restore(
    id: str,
    size: int,
    text: str,
    spans: list[tuple[int, int, str, float | None, str]],
    labels: Mapping[str, int],
    proof: Mapping[str, int],
    failure: Failure | None,
    sealed: VaultLine | None,
    kept: tuple[Kept, ...],
) -> Outcome:
    return Outcome(
        id, size, text, tuple(Span(*each) for each in spans), labels, proof, failure, sealed, kept
    )
