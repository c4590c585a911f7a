"""Runs over files: documents in, files and a summary out.

A run streams: some batches of documents are in memory at a time. Its files appear when
it ends well; where it raises (bad input, a full disk), none does. A run that was killed can go on
where it was (`scrubjay.batch.resume`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.batch.input import Input
from scrubjay.batch.kept_mentions import KeptList
from scrubjay.batch.metadata import has_record_ids, id_column, record_name, table_has_spans
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.resume import Journal, code_state, input_state
from scrubjay.batch.sink import Output, Sink, file_name, require_place
from scrubjay.batch.stopping import Stop
from scrubjay.batch.summary import RunSummary, Tally
from scrubjay.batch.work import AnnotateWork, DeidWork, Here, Runner, Work, work_facts
from scrubjay.document import Document
from scrubjay.errors import AlteredTextError, InputError, is_full, unwritable

if TYPE_CHECKING:
    from scrubjay.transform.vault import Interrupted, VaultWriter


Report = Callable[[Tally], None]


def deidentify_corpus(
    source: Input,
    output: Output,
    *,
    work: DeidWork,
    model: str,
    workers: Runner | None = None,
    vault: VaultWriter | None = None,
    interrupted: Interrupted = "refuse",
    facts: Mapping[str, Any] | None = None,
    same: Mapping[str, Any] | None = None,
    report: Report = lambda tally: None,
    stop: Stop | None = None,
    kept: KeptList | None = None,
) -> RunSummary:
    """De-identify documents, prove the outputs, and write them in their own formats to `output`.

    Of the metadata only structure, kept columns and codes are written, as `work` has them. A
    document that fails at any stage leaves no output file, not even one of an earlier run. What
    replaced what goes into the `vault`, if there is one, before an output is shown.

    `interrupted` says what to do where an interrupted run lies in the output folder. `model`
    names the model in the summary, and `facts` are told there, too. A run that goes on with
    another must agree with it in the input, in all settings here, in `facts` and in `same`.
    `report` is called after each document. `workers` do the same work in other processes, for
    which `scrubjay.batch.workers` has conditions; the output is the same, and `work` may then be
    without its model. `kept` gets the mentions that the policy keeps, if `work` lists them; whoever
    asks for them publishes the list. Where `stop` is asked, the run gives the batches that are open
    a moment, notes what is done, and ends by `KeyboardInterrupt`. Raises `InputError` for bad input
    and places that cannot be written; then nothing was written.
    """
    assert vault is None or workers is None or work.vault, "workers must seal what a vault gets"
    policy = work.deidentifier.policy
    here = Here(replace(work, vault=vault is not None, ids_stay=output.ids_stay))
    run = _Run(
        "deid", source, output, model, policy.name, report,
        {**work_facts(policy, work.keep_columns, work.coding), **(facts or {})},
        work, workers or here, stop or Stop(), interrupted,
        {"missed": work.missed, **(same or {})}, vault, kept,
    )  # fmt: skip
    return run()


def annotate_corpus(
    source: Input,
    output: Output,
    *,
    work: AnnotateWork,
    model: str,
    workers: Runner | None = None,
    facts: Mapping[str, Any] | None = None,
    report: Report = lambda tally: None,
) -> RunSummary:
    """Write documents as they are with the detected spans in place of their own.

    Annotations of the input do not come along. Parameters, errors and failures are those of
    `deidentify_corpus`; nothing is proved, and the run cannot be resumed, since its journal would
    hold the original texts.
    """
    run = _Run(
        "annotate", source, output, model, None, report, dict(facts or {}),
        work, workers or Here(work), Stop(),
    )  # fmt: skip
    return run()


@contextmanager
def _full_disk_told(output: Output) -> Iterator[None]:
    """Raise `FullDiskError` where the system tells of a full disk by an error of its own."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        place = output.place if isinstance(output.place, Path) else "standard output"
        raise unwritable(place, error) from None


def _changed(how: str) -> InputError:
    return InputError(
        f"the input has changed meanwhile: {how}", hint="Give --restart to begin anew"
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """The part that all runs share: read, process, write, count."""

    command: str
    source: Input
    output: Output
    model: str
    policy: str | None
    report: Report
    facts: Mapping[str, Any]
    work: Work
    runner: Runner
    stop: Stop
    interrupted: Interrupted | None = None
    same: Mapping[str, Any] = field(default_factory=dict)
    vault: VaultWriter | None = None
    kept: KeptList | None = None

    def __call__(self) -> RunSummary:
        begin = time.perf_counter()
        tally = Tally()
        documents = self._documents(tally)
        failed: set[tuple[str, str]] = set()
        with ExitStack() as stack:
            journal = self._journal(stack)
            stack.enter_context(_full_disk_told(self.output))
            files = stack.enter_context(ExitStack())
            sink = files.enter_context(self._sink(journal))
            outcomes = chain(
                self._taken_over(documents, journal, tally), self._worked_on(documents, journal)
            )
            for bare, outcome, behind in outcomes:
                self._write(sink, bare, outcome, tally=tally, failed=failed)
                tally.behind = behind
                self.report(tally)
            self.stop.end()
            try:
                sink.finish()
            except AlteredTextError as error:
                if journal is None or not self.source.can_be_read_again():
                    raise
                sink.__exit__(type(error), error, error.__traceback__)
                files.pop_all()  # nothing of it is left
                tally = Tally(resumed=tally.resumed, resumed_characters=tally.resumed_characters)
                sink = files.enter_context(self._sink(journal, careful=True))
                self._write_again(sink, journal, tally=tally, failed=failed)
            if self.vault is not None:
                self.vault.commit()
            if journal is not None:
                journal.publish()
            sink.clear(failed)
        return self._summary(tally, sink, seconds=time.perf_counter() - begin)

    def _documents(self, tally: Tally) -> Iterator[Document]:
        """Return the documents of the input, counted as they pass."""
        documents = self.source.read(passed=tally.pass_over)
        return tally.reading(documents, patient_of=self.work.deidentifier.patient_of)

    def _summary(self, tally: Tally, sink: Sink, *, seconds: float) -> RunSummary:
        """Return what a run did that took so long."""
        return RunSummary(
            command=self.command,
            documents=tally.documents,
            characters=tally.characters,
            labels=dict(sorted(tally.labels.items())),
            failures=tuple(tally.failures),
            failure_names=dict(tally.failure_names),
            seconds=seconds,
            model=self.model,
            policy=self.policy,
            output=str(self.output.place) if isinstance(self.output.place, Path) else "-",
            resumed=tally.resumed,
            resumed_characters=tally.resumed_characters,
            with_ids=tally.with_ids,
            ids_stay=tally.ids_stay,
            proof=None if self.policy is None else dict(sorted(tally.proof.items())),
            read_back=sink.read_back,
            facts=self.facts,
            workers=self.runner.count,
            language=self.work.deidentifier.language or "",
            languages=dict(sorted(tally.languages.items())),
            language_ids=tally.language_ids,
            open_dates=tuple(tally.open_dates),
            short_names=tuple(tally.short_names),
            first_language=tally.first_language,
            passed_over=tally.passed_over,
            passed_names=tuple(tally.passed_names),
            other_files=sink.count_others(),
            patients_apart=tally.apart,
            columns=tally.rows.to_json(
                delimiter=self.source.options.get("delimiter"),
                kept=None if self.command == "annotate" else self.facts.get("keep_columns", ()),
                coded=self.facts.get("code_columns", ()),
            ),
        )

    def _journal(self, stack: ExitStack) -> Journal | None:
        """Return the journal of a run into a folder; other runs have none."""
        place = self.output.place
        if self.interrupted is None or not isinstance(place, Path):
            return None
        require_place(place, self.source.paths)
        run = {
            "command": self.command,
            "scrubjay": code_state(),
            "input": input_state(self.source.paths),
            "model": self.model,
            "policy": self.policy,
            "format": self.source.format,
            "options": self.source.options,
            **self.facts,
            **self.same,
        }
        return stack.enter_context(
            Journal(
                place, run=run, interrupted=self.interrupted, permissions=self.output.permissions
            )
        )

    def _write_again(
        self, sink: Sink, journal: Journal, *, tally: Tally, failed: set[tuple[str, str]]
    ) -> None:
        """Write all that is done once more, without the records that do not read back alone.

        Raises `AlteredTextError` where files do not read back even so.
        """
        documents = self._documents(tally)
        if self.kept is not None:
            self.kept.clear()
        for outcome in journal.replay(all=True):
            bare = self._bare_of(next(documents, None), outcome)
            self._write(sink, bare, outcome, tally=tally, failed=failed)
        if next(documents, None) is not None:
            raise _changed("there is another document at its end")
        sink.finish()

    def _sink(self, journal: Journal | None, *, careful: bool = False) -> Sink:
        output = self.output
        if journal is not None and journal.published:
            # Its own files may be in their places already.
            output = replace(output, existing="replace")
        return Sink(
            output,
            inputs=self.source.paths,
            reading=self.source.all_options(),
            staging=None if journal is None else journal.staging,
            careful=careful,
        )

    def _taken_over(
        self, documents: Iterator[Document], journal: Journal | None, tally: Tally
    ) -> Iterator[tuple[Document, Outcome, int]]:
        """Yield what `_worked_on` does of the documents that were done before an interrupt."""
        for done in journal.replay() if journal is not None else ():
            bare = self._bare_of(next(documents, None), done)
            if self.vault is not None and done.failure is None:
                self.vault.require(bare.id, done.text)
            tally.take_over(done.size)
            self.stop.keep()
            yield *self._pair(bare, done), 0

    def _bare_of(self, document: Document | None, done: Outcome) -> Document:
        """Return the bare original of what was done; raises `InputError` where it is another."""
        if document is None or (document.id, len(document.text)) != (done.id, done.size):
            raise _changed(f"document {done.id!r} was another one")
        return self.work.bare(document)

    def _worked_on(
        self, documents: Iterator[Document], journal: Journal | None
    ) -> Iterator[tuple[Document, Outcome, int]]:
        """Yield the bare original and the outcome of each document that is left.

        A bare original has no text, and of the metadata what its output gets. With them comes how
        many documents of the same batch are still to come.
        """
        waiting: deque[Document] = deque()
        errors: list[Exception] = []

        def noted() -> Iterator[Document]:
            try:
                for document in documents:
                    waiting.append(self.work.bare(document))
                    yield document
            except Exception as error:
                errors.append(error)
                raise

        self.stop.hold()
        batches = self.work.deidentifier.batches(noted(), small_first=True)
        for batch in self.runner.map(batches, stop=self.stop):
            if self.vault is not None:
                for outcome in chain.from_iterable(batch):
                    if outcome.sealed is not None:
                        self.vault.write(outcome.sealed)
                self.vault.flush()
            pairs = [[self._pair(waiting.popleft(), each) for each in record] for record in batch]
            if journal is not None:
                journal.add([[outcome for _, outcome in record] for record in pairs])
                self.stop.keep(sum(map(len, pairs)))
            behind = sum(map(len, pairs))
            for pair in chain.from_iterable(pairs):
                behind -= 1
                yield *pair, behind
        if waiting or next(documents, None) is not None:
            raise KeyboardInterrupt
        if errors:  # it was asked to stop before it met the error: this is no end
            raise errors[0]

    def _pair(self, bare: Document, outcome: Outcome) -> tuple[Document, Outcome]:
        """Return both, without spans that the output does not have: after `deid`, tables alone do.

        For the journal to note those of each document takes as long as the texts.
        """
        if outcome.spans and self.command == "deid" and not table_has_spans(bare):
            outcome = replace(outcome, spans=())
        return bare, outcome

    def _write(
        self,
        sink: Sink,
        bare: Document,
        outcome: Outcome,
        *,
        tally: Tally,
        failed: set[tuple[str, str]],
    ) -> None:
        failure = outcome.failure
        if failure is None:
            failure = sink.write(Document(bare.id, outcome.text, outcome.spans, bare.metadata))
            if failure is not None:  # told by the id that its owner knows
                failure = replace(failure, id=outcome.id)
        if failure is None:
            tally.add(outcome.size, outcome.labels, outcome.proof, id=outcome.id)
            if self.kept is not None:
                self.kept.add(outcome.id, outcome.kept)
            tally.with_ids = tally.with_ids or (bare.id == outcome.id and bool(id_column(bare)))
            tally.ids_stay = tally.ids_stay or (self.output.ids_stay and has_record_ids(bare))
        else:
            tally.fail(outcome.size, failure, name=record_name(bare))
            failed.add(file_name(bare, self.output))
