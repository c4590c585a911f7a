"""Restoring over files: de-identified documents and a vault in, the original texts out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from scrubjay import __version__
from scrubjay.batch.input import Input
from scrubjay.batch.sink import Output, Sink, file_name
from scrubjay.batch.summary import dump_summary
from scrubjay.corpora import annotation_free
from scrubjay.deidentifier import Failure
from scrubjay.document import Document
from scrubjay.errors import UnknownDocumentError
from scrubjay.transform.restoring import Restored, restore_exactly, restore_partly
from scrubjay.transform.vault import Vault

EditedTexts = Literal["refuse", "partial"]
"""What to do with documents that were edited after they were de-identified."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A document that was edited, so that only `restored` of its `mentions` came back."""

    id: str
    mentions: int
    restored: int


@dataclass(slots=True)
class RestoreTally:
    """Counts documents as a run goes on."""

    documents: int = 0
    exact: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    partial: list[Partial] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return what a progress display shows."""
        return {
            "documents": self.documents,
            "mentions": self.labels.total(),
            "failures": len(self.failures),
        }

    def taken_over(self) -> dict[str, int]:
        """Return nothing: restoring is never taken up where it was."""
        return {}

    def share_done(self) -> float:
        """Return 1: each document is done before another is read."""
        return 1.0


@dataclass(frozen=True, slots=True)
class RestoreSummary:
    """What a run of restoring did: numbers, and the ids of documents that are not as they were.

    `labels` are the restored mentions by label. `seconds` is the wall time without opening the
    vault.
    """

    documents: int
    exact: int
    partial: tuple[Partial, ...]
    failures: tuple[Failure, ...]
    labels: dict[str, int]
    seconds: float
    output: str

    @property
    def exit_code(self) -> int:
        """Return 0 where every document is exactly as it was, else 1."""
        return 1 if self.failures or self.partial else 0

    def to_text(self) -> str:
        """Return the summary as JSON text with a line end."""
        return dump_summary(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain JSON values."""
        return {
            "command": "restore",
            "version": __version__,
            "output": self.output,
            "documents": self.documents,
            "exact": self.exact,
            "partial": [
                {"id": each.id, "mentions": each.mentions, "restored": each.restored}
                for each in self.partial
            ],
            "failed": len(self.failures),
            "failures": [
                {"id": failure.id, "stage": failure.stage, "code": failure.code}
                for failure in self.failures
            ],
            "restored": sum(self.labels.values()),
            "restored_per_label": self.labels,
            "seconds": round(self.seconds, 3),
        }


def restore_corpus(
    source: Input,
    output: Output,
    *,
    vault: Vault,
    edited: EditedTexts = "refuse",
    report: Callable[[RestoreTally], None] = lambda tally: None,
) -> RestoreSummary:
    """Write documents with their original texts, in the formats they came in.

    A document that the vault does not know is a failure, and so is one that was edited since,
    unless `edited` is "partial"; then what is certain comes back, and the summary tells how
    much. The spans of the input come along, moved to where the originals stand. Raises
    `InputError` for bad input and places that cannot be written; then nothing was written.
    """
    begin = time.perf_counter()
    tally = RestoreTally()
    failed: set[tuple[str, str]] = set()
    with Sink(output, inputs=source.paths, reading=source.all_options()) as sink:
        for document in source.read():
            tally.documents += 1
            outcome = _restore(document, vault, edited)
            problem = (
                outcome
                if isinstance(outcome, Failure)
                else sink.write(_original(document, outcome))
            )
            if isinstance(outcome, Failure) or problem is not None:
                assert isinstance(problem, Failure)
                tally.failures.append(problem)
                failed.add(file_name(document, output))
            else:
                _count(tally, document.id, outcome)
            report(tally)
        sink.finish()
        sink.clear(failed)
    return RestoreSummary(
        documents=tally.documents,
        exact=tally.exact,
        partial=tuple(tally.partial),
        failures=tuple(tally.failures),
        labels=dict(sorted(tally.labels.items())),
        seconds=time.perf_counter() - begin,
        output=str(output.place) if isinstance(output.place, Path) else "-",
    )


def _count(tally: RestoreTally, document_id: str, restored: Restored) -> None:
    tally.labels.update(restored.labels)
    if restored.exact:
        tally.exact += 1
    else:
        tally.partial.append(Partial(document_id, restored.mentions, len(restored.labels)))


def _restore(document: Document, vault: Vault, edited: EditedTexts) -> Restored | Failure:
    try:
        record = vault.find_for(document.id, document.text)
        if record is None:
            raise UnknownDocumentError("the vault holds nothing of the document")
        restore = restore_partly if edited == "partial" else restore_exactly
        return restore(document.text, record)
    except OSError:
        raise
    except Exception as error:
        return Failure(document.id, "restore", type(error).__name__)


def _original(document: Document, restored: Restored) -> Document:
    """Return the document with its text restored; notes on the text that was go."""
    return replace(
        document,
        text=restored.edited.text,
        spans=restored.edited.moved(document.spans),
        metadata=annotation_free(document.metadata),
    )
