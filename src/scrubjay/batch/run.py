"""Runs over files: documents in, files and a summary out, in one process.

A run streams: a batch of documents is in memory at a time. Its files appear when it ends well;
where it raises (bad input, a full disk), none does.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scrubjay.batch.metadata import STRUCTURE, bare_metadata, table_has_spans
from scrubjay.batch.sink import Output, Sink, file_name
from scrubjay.batch.summary import RunSummary, Tally
from scrubjay.corpora import annotation_free, detect_format, find_format, read_corpora
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.document import Document, Span

Result = tuple[Document, tuple[Span, ...]] | Failure
Report = Callable[[Tally], None]


@dataclass(frozen=True, slots=True)
class Input:
    """What a run reads: paths (`-` is standard input), their format, options of its reader."""

    paths: tuple[str, ...]
    format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def read(self) -> Iterator[Document]:
        """Return the stream of documents; see `scrubjay.corpora.read_corpora` for errors."""
        return read_corpora(self.paths, format=self.format, **self._all_options())

    def _all_options(self) -> dict[str, Any]:
        """Return the options, with the annotations of the input read as laxly as can be.

        They are not used, so discontinuous spans and stale copies of mentions are no errors.
        """
        formats = {self.format or detect_format(path) for path in self.paths}
        known = [find_format(name).read_options() for name in formats]
        lax = {"fragments": "cover", "text_check": "ignore"}
        shared = {name: lax[name] for name in lax if all(name in each for each in known)}
        return shared | self.options


def deidentify_corpus(
    source: Input,
    output: Output,
    *,
    deidentifier: Deidentifier,
    model: str,
    keep_columns: Sequence[str] = (),
    report: Report = lambda tally: None,
) -> RunSummary:
    """De-identify documents and write them, in their own formats, where `output` says.

    Of the metadata only structure and `keep_columns` are written. A document that fails at any
    stage leaves no output file, not even one of an earlier run. `model` names the model in the
    summary; `report` is called after each document. Raises `InputError` for bad input and
    places that cannot be written; then nothing was written.
    """
    stripped = replace(deidentifier, keep_metadata=STRUCTURE)

    def process(documents: Iterable[Document]) -> Iterator[Result]:
        bare = (
            replace(document, metadata=bare_metadata(document, keep_columns=keep_columns))
            for document in documents
        )
        for result in stripped.pipe(bare):
            yield _output(result) if isinstance(result, Deidentified) else result

    run = _Run("deid", source, output, model, deidentifier.policy.name, report)
    return run(process)


def annotate_corpus(
    source: Input,
    output: Output,
    *,
    deidentifier: Deidentifier,
    model: str,
    report: Report = lambda tally: None,
) -> RunSummary:
    """Write documents as they are with the detected spans in place of their own.

    Annotations of the input do not come along. Parameters, errors and failures are those of
    `deidentify_corpus`; the policy is not used.
    """

    def process(documents: Iterable[Document]) -> Iterator[Result]:
        free = (
            replace(document, metadata=annotation_free(document.metadata)) for document in documents
        )
        for result in deidentifier.detect(free):
            yield result if isinstance(result, Failure) else (result, result.spans)

    return _Run("annotate", source, output, model, None, report)(process)


def _output(result: Deidentified) -> Result:
    document = result.document
    if not table_has_spans(document):
        document = document.with_spans(())
    return document, result.found


@dataclass(frozen=True, slots=True)
class _Run:
    """The part that all runs share: read, process, write, count."""

    command: str
    source: Input
    output: Output
    model: str
    policy: str | None
    report: Report

    def __call__(self, process: Callable[[Iterable[Document]], Iterator[Result]]) -> RunSummary:
        begin = time.perf_counter()
        tally = Tally()
        # What is read and not yet written; results come in the order of the documents.
        waiting: deque[tuple[str, str]] = deque()
        failed: set[tuple[str, str]] = set()
        with Sink(self.output, inputs=self.source.paths) as sink:
            documents = self._note_names(tally.reading(self.source.read()), waiting)
            for result in process(documents):
                name = waiting.popleft()
                outcome = result if isinstance(result, Failure) else sink.write(*result)
                if isinstance(outcome, Failure):
                    tally.fail(outcome)
                    failed.add(name)
                else:
                    tally.add(outcome)
                self.report(tally)
            sink.clear(failed)
        return RunSummary(
            command=self.command,
            documents=tally.documents,
            characters=tally.characters,
            labels=dict(sorted(tally.labels.items())),
            failures=tuple(tally.failures),
            seconds=time.perf_counter() - begin,
            model=self.model,
            policy=self.policy,
            output=str(self.output.place) if isinstance(self.output.place, Path) else "-",
        )

    def _note_names(
        self, documents: Iterable[Document], waiting: deque[tuple[str, str]]
    ) -> Iterator[Document]:
        for document in documents:
            waiting.append(file_name(document, self.output))
            yield document
