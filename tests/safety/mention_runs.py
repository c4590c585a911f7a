"""A document that is hardly more than its mentions, taken through a policy and its proof."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.batch.proof import Proved, Prover
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.policy import Policy

Row = tuple[str, str]
"""A label, and a mention."""


class Nothing:
    """A model that finds nothing: the mentions are given."""

    labels = ("PATIENT",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return no span for any document."""
        return [() for _ in documents]


def prove_mentions(
    rows: Sequence[Row], language: str, policy: Policy, *, head: str, gap: str, end: str = ""
) -> Deidentified:
    """Return what becomes of a document of mentions with `gap` behind each; it has to be proved."""
    text, spans = head, []
    for label, mention in rows:
        spans.append(Span(len(text), len(text) + len(mention), label))
        text += mention + gap
    document = Document("d", f"{text}{end}")
    deidentifier = Deidentifier(Nothing(), policy, language=language)
    prover = Prover(policy, language=language)
    ((result,),) = deidentifier.transform_records([[(document, tuple(spans))]])
    assert isinstance(result, Deidentified), result
    ((found,),) = prover.complete([[(document, result)]])
    ((result,),) = deidentifier.transform_records([[(document, found)]])
    assert isinstance(result, Deidentified), result
    ((outcome,),) = prover.prove([[(document, result)]])
    assert isinstance(outcome, Proved), (outcome, rows)
    return result
