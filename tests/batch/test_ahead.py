"""The batch ahead: the same outcomes with and without, whatever fails, and never two of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import cores
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.proof import Prover
from scrubjay.batch.resume import WORK
from scrubjay.batch.run import Here, Input, deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.stopping import Stop
from scrubjay.batch.windows import Windowed
from scrubjay.batch.work import AnnotateWork, Batch, DeidWork, Work
from scrubjay.cores import Begun, Expected
from scrubjay.corpora import write_corpus
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.detectors import ExpectedSpans, ScoreFilter
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError
from scrubjay.known.detector import LayeredDetector
from scrubjay.known.identifiers import UnknownPatientError
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy
from tests.toys import CANARY, DateDetector, RaisingDetector

PLAIN = Policy("plain", Placeholder("[{label}]"))
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cores.BOUND, raising=False)
    monkeypatch.setattr(cores, "available_cores", lambda: 3)
    monkeypatch.setattr(cores, "_share", cores.MOST_THREADS)


@dataclass(frozen=True)
class Eager(RaisingDetector):
    """Finds dates document by document, in other threads where it is asked to expect some.

    `fails` is where it raises over the canary; `seen` notes what happens to whom.
    """

    fails: str = "thread"
    seen: list[tuple[str, str]] = field(default_factory=list, hash=False)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document, or raise."""
        self.seen.extend(("detect", document.id) for document in documents)
        return super().detect(documents)

    def expect(self, documents: Sequence[Document]) -> ExpectedSpans:
        """Let other threads begin."""
        self.seen.extend(("expect", document.id) for document in documents)
        bad = any(CANARY in document.text for document in documents)
        if bad and self.fails == "expect":
            raise RuntimeError(documents)
        begun = Begun(self._one, documents)

        def finish() -> list[tuple[Span, ...]]:
            self.seen.extend(("finish", document.id) for document in documents)
            if bad and self.fails == "finish":
                raise RuntimeError(documents)
            return list(begun)[bad and self.fails == "count" :]

        return Expected(finish, begun.cancel)

    def _one(self, document: Document) -> tuple[Span, ...]:
        if CANARY in document.text and self.fails == "thread":
            raise RuntimeError(document.text)
        (found,) = DateDetector().detect([document])
        return found


def make_work(detector: Any, *, annotate: bool = False, **settings: Any) -> Work:
    deidentifier = Deidentifier(detector, PLAIN, **settings)
    if annotate:
        return AnnotateWork(deidentifier)
    return DeidWork(deidentifier, Prover(PLAIN), "replace")


def outcomes(work: Work, notes: Sequence[Document], *, ahead: bool) -> list[list[Outcome]]:
    batches = work.deidentifier.batches(notes)
    return [record for batch in Here(work, ahead=ahead).map(batches) for record in batch]


def make_notes(count: int) -> list[Document]:
    return [Document(str(n), f"note {n} on {n % 28 + 1}/4/2019\r\n") for n in range(count)]


class Strangers(DateDetector):
    """Stands for known identifiers: finds nothing, and raises for a patient whom nobody knows."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return nothing for each document, or raise."""
        if any(document.text == "UNKNOWN" for document in documents):
            raise UnknownPatientError("nobody")
        return [() for _ in documents]


def surrounded(fails: str) -> LayeredDetector:
    """Return a detector as a run has it, whose windows are short."""
    windows = Windowed(Eager(fails=fails), longest=50, core=40, overlap=15)
    strangers: Any = Strangers()
    return LayeredDetector(ScoreFilter(windows, 0.5), known=strangers)


# The same with and without


@settings(max_examples=50)
@given(
    texts=st.lists(st.sampled_from(["on 3/4/2019", "4/4/2019 " * 9, "", CANARY, "UNKNOWN"])),
    fails=st.sampled_from(["expect", "thread", "finish", "count"]),
    size=st.integers(1, 4),
    annotate=st.booleans(),
    records=st.integers(0, 3),
)
def test_outcomes_are_the_same_with_and_without(
    texts: list[str], fails: str, size: int, annotate: bool, records: int
) -> None:
    notes = [Document(str(n), text) for n, text in enumerate(texts)]

    def patient_of(document: Document) -> str:
        return str(int(document.id) // records) if records else ""

    found = [
        outcomes(
            make_work(
                surrounded(fails), annotate=annotate,
                batch_documents=size, batch_characters=100, patient_of=patient_of,
            ),
            notes,
            ahead=ahead,
        )
        for ahead in (False, True)
    ]  # fmt: skip
    assert found[0] == found[1]
    assert [each.id for record in found[1] for each in record] == [note.id for note in notes]


@pytest.mark.parametrize("fails", ["expect", "thread", "finish", "count"])
def test_a_bad_document_of_the_batch_ahead_fails_alone(fails: str) -> None:
    notes = make_notes(9)
    notes[4] = Document("4", CANARY)
    detector = Eager(fails=fails)
    found = outcomes(make_work(detector, batch_documents=3), notes, ahead=True)
    failures = [each.failure for record in found for each in record if each.failure]
    assert failures == [Failure("4", "detect", "RuntimeError")]
    assert ("expect", "4") in detector.seen
    assert ("finish", "8") in detector.seen  # of the batch after it the work goes on ahead


def test_what_fails_ahead_alone_does_not_fail() -> None:
    """As memory that was short while two batches were at work."""

    class Once(Eager):
        def expect(self, documents: Sequence[Document]) -> ExpectedSpans:
            def finish() -> list[tuple[Span, ...]]:
                raise MemoryError

            return Expected(finish, lambda: None)

    found = outcomes(make_work(Once(), batch_documents=1), make_notes(3), ahead=True)
    assert not [each for record in found for each in record if each.failure]


# How far, and when


class Steps:
    """Batches of one document, which note when they are read."""

    def __init__(self, seen: list[tuple[str, str]], count: int = 4) -> None:
        self.seen = seen
        self.count = count

    def __iter__(self) -> Iterator[Batch]:
        for note in make_notes(self.count):
            self.seen.append(("read", note.id))
            yield [[note]]


def test_one_batch_is_read_ahead_when_the_one_before_is_detected() -> None:
    detector = Eager()
    here = Here(make_work(detector), ahead=True)
    for place, _ in enumerate(here.map(iter(Steps(detector.seen)))):
        detector.seen.append(("out", str(place)))
    told = [f"{what} {name}" for what, name in detector.seen]
    assert told == [
        "read 0", "detect 0", "read 1", "expect 1", "out 0", "finish 1", "read 2", "expect 2",
        "out 1", "finish 2", "read 3", "expect 3", "out 2", "finish 3", "out 3",
    ]  # fmt: skip


@pytest.mark.parametrize("why", ["off", "one thread", "bound"])
def test_nothing_is_read_ahead_without_leave_or_threads(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "one thread":
        monkeypatch.setattr(cores, "available_cores", lambda: 1)
    if why == "bound":
        monkeypatch.setenv(cores.BOUND, "1")
    detector = Eager()
    here = Here(make_work(detector), ahead=why != "off")
    for place, _ in enumerate(here.map(iter(Steps(detector.seen, 2)))):
        detector.seen.append(("out", str(place)))
    told = [f"{what} {name}" for what, name in detector.seen]
    assert told == ["read 0", "detect 0", "out 0", "read 1", "detect 1", "out 1"]


def test_a_record_greater_than_a_batch_is_not_begun() -> None:
    detector = Eager()
    notes = [Document("1", "3/4/2019"), Document("2", "3/4/2019 " * 20), Document("3", "3/4/2019")]
    outcomes(make_work(detector, batch_characters=100), notes, ahead=True)
    assert [name for what, name in detector.seen if what == "expect"] == ["3"]


def test_only_files_are_read_ahead(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", "utf-8")
    assert Input((str(tmp_path), str(tmp_path / "a.txt"))).is_stored()
    assert not Input(("-",)).is_stored()
    assert not Input((str(tmp_path), "/dev/null")).is_stored()
    assert not Input((str(tmp_path / "absent"),)).is_stored()
    assert not Input((str(tmp_path / ("x" * 5000)),)).is_stored()


# Runs over files


def run(folder: Path, out: str, detector: Any, **settings: Any) -> Any:
    return deidentify_corpus(
        Input((str(folder / "in"),)),
        Output(folder / out),
        deidentifier=Deidentifier(detector, PLAIN, batch_documents=2),
        model="toy",
        missed="replace",
        **settings,
    )


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("at", [1, 2, 5, 6])
@pytest.mark.parametrize("how", ["killed", "asked"])
def test_a_run_that_is_cut_off_goes_on_where_it_was(tmp_path: Path, at: int, how: str) -> None:
    write_corpus(make_notes(8), tmp_path / "in", format="text")
    run(tmp_path, "whole", RaisingDetector())
    stop = Stop()

    def report(tally: Any) -> None:
        if tally.documents == at:
            if how == "killed":
                raise KeyboardInterrupt
            stop.ask()

    first, second = Eager(), Eager()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "out", first, report=report, stop=stop)
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))
    done = -(-at // 2) * 2
    assert max(int(name) for _, name in first.seen) < done + 2  # one batch ahead, no more
    summary = run(tmp_path, "out", second, interrupted="resume")
    assert summary.resumed == done
    assert {int(name) for _, name in second.seen} == set(range(done, 8))
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_nothing_goes_on_after_a_run_that_was_cut_off(tmp_path: Path) -> None:
    write_corpus(make_notes(4), tmp_path / "in", format="text")
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    class Slow(Eager):
        def _one(self, document: Document) -> tuple[Span, ...]:
            began.set()
            assert go_on.wait(PATIENCE)
            done.append(document.id)
            return super()._one(document)

    def report(tally: Any) -> None:
        assert began.wait(PATIENCE)
        threading.Timer(0.05, go_on.set).start()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "out", Slow(), report=report)
    assert go_on.is_set()  # it was waited for what had begun
    assert set(done) <= {"2", "3"}


def test_bad_input_of_the_batch_ahead_is_raised_after_the_one_before(tmp_path: Path) -> None:
    write_corpus(make_notes(2), tmp_path / "in", format="text")
    (tmp_path / "in" / "z.txt").write_bytes(b"\xff")
    seen: list[int] = []
    with pytest.raises(FormatError.__mro__[1], match=r"z\.txt, byte 0"):
        run(tmp_path, "out", Eager(), report=lambda tally: seen.append(tally.documents))
    assert seen == [1, 2]
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("threads", [1, 3])
def test_to_be_asked_to_stop_before_bad_input_is_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int, count: int
) -> None:
    """What nobody could read is missing, though all that was read is done."""
    monkeypatch.setattr(cores, "available_cores", lambda: threads)
    write_corpus(make_notes(count), tmp_path / "in", format="text")
    (tmp_path / "in" / "z.txt").write_bytes(b"\xff")
    stop = Stop()
    with pytest.raises(FormatError.__mro__[1], match=r"z\.txt, byte 0"):
        run(tmp_path, "out", Eager(), report=lambda tally: stop.ask(), stop=stop)
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))
