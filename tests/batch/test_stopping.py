"""Runs with workers that are stopped from outside: politely, or not at all politely."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from scrubjay.batch import stopping
from scrubjay.batch.input import Input
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.resume import WORK
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.sink import Output, Sink
from scrubjay.batch.summary import Tally
from scrubjay.batch.work import Batch, Here, Runner
from scrubjay.batch.workers import Workers
from scrubjay.cli import _progress, _stopping
from scrubjay.cli._progress import Pace, progress
from scrubjay.corpora import write_corpus
from scrubjay.document import Document
from scrubjay.errors import InputError, WorkerError
from tests import stuck
from tests.batch.written import files

RUN = """
import sys
from dataclasses import replace
from pathlib import Path
from scrubjay.batch.input import Input
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.work import DeidWork
from scrubjay.batch.workers import Workers
from scrubjay.cli import _progress, _stopping
from tests import stuck

folder = Path(sys.argv[1])
shape = replace(stuck.make_stuck(), batch_documents=2)

def run():
    with _stopping.stopping(resumable=True) as stop, Workers(stuck.make_work, count=2) as workers:
        print(*workers.processes, flush=True)
        deidentify_corpus(Input((str(folder / "in"),)), Output(folder / "out"),
                          work=DeidWork(shape, "replace"), workers=workers, model="toy", stop=stop)

try:
    run()
except KeyboardInterrupt:
    sys.exit(130)
"""


def resume(folder: Path, out: str) -> int:
    """Run in this process, going on where an interrupted run was; return what it took over."""
    summary = deidentify_corpus(
        Input((str(folder / "in"),)), Output(folder / out), work=stuck.make_work(),
        model="toy", interrupted="resume",
    )  # fmt: skip
    assert summary.failures == ()
    return summary.resumed


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)]
)
def test_a_run_with_workers_that_is_stopped_goes_on_in_one_process(
    tmp_path: Path, root: Path, sent: signal.Signals, code: int
) -> None:
    notes = [
        Document(f"p{n // 3:03d}-{n}", f"WAIT {'MISS' if n % 3 == 1 else ''} Seen {n}/4/2019.")
        for n in range(120)
    ]
    write_corpus(notes, tmp_path / "in", format="text")
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], cwd=root, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        numbers = process.stdout.readline().split()
        journal = tmp_path / "out" / WORK / "journal"
        end = time.monotonic() + 120
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(sent)
        _, told = process.communicate(timeout=120)
    assert process.returncode == code
    assert ("--resume goes on where it was" in told) == (sent is not signal.SIGKILL)
    assert set(files(tmp_path / "out")) >= {f"{WORK}/journal"}
    assert not [name for name in files(tmp_path / "out") if not name.startswith(WORK)]
    assert len(numbers) == 2
    for number in numbers:
        running = Path(f"/proc/{number}/stat")
        while running.exists() and running.read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < end + 60
            time.sleep(0.05)
    assert 0 < resume(tmp_path, "out") < len(notes)
    resume(tmp_path, "whole")
    assert files(tmp_path / "out") == files(tmp_path / "whole")


class Stuck:
    """Work that is interrupted in its second batch, and would go on for an hour."""

    deidentifier = stuck.make_stuck()

    def process(self, batch: Batch, **rest: object) -> list[list[Outcome]]:
        """Return one outcome for each document, if ever."""
        if batch[0][0].id == "2":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(3600)
        return [[Outcome(each.id, 0) for each in record] for record in batch]

    def bare(self, document: Document) -> Document:
        """Return the document."""
        return document


def test_a_batch_that_takes_longer_than_a_moment_is_broken_off_in_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stopping, "GRACE_SECONDS", 0.1)
    before = signal.getsignal(signal.SIGALRM)
    batches = iter([[[Document(name, "")]] for name in "1234"])
    found: list[str] = []
    with pytest.raises(KeyboardInterrupt), _stopping.stopping(resumable=True) as stop:  # noqa: PT012
        stop.hold()
        found.extend(each[0][0].id for each in Here(Stuck()).map(batches, stop=stop))
    assert found == ["1"]
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def silent() -> Iterator[Batch]:
    """Yield a batch, and then wait for another as long as a pipe may."""
    yield [[Document("1", "")]]
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
    pytest.fail("reading was not broken off")


@pytest.mark.parametrize("workers", [0, 1])
def test_input_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(stopping, "GRACE_SECONDS", 0.1)
    with ExitStack() as stack:
        runner: Runner = Here(Stuck())
        if workers:
            runner = stack.enter_context(Workers(stuck.make_work, count=workers))
        with pytest.raises(KeyboardInterrupt), _stopping.stopping(resumable=True) as stop:  # noqa: PT012
            stop.hold()
            list(runner.map(silent(), stop=stop))


@pytest.mark.parametrize("resumable", [True, False])
def test_what_is_not_begun_is_interrupted_at_once(resumable: bool) -> None:
    with pytest.raises(KeyboardInterrupt), _stopping.stopping(resumable=resumable) as stop:  # noqa: PT012
        if not resumable:
            stop.hold()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(3600)


@pytest.mark.parametrize("kept", [True, False])
def test_only_what_is_noted_is_gone_on_with(kept: bool, capsys: pytest.CaptureFixture[str]) -> None:
    for error in (KeyboardInterrupt, WorkerError):
        with pytest.raises(error), _stopping.stopping(resumable=True) as stop:  # noqa: PT012
            if kept:
                stop.keep()
            raise error
        told = capsys.readouterr().err
        assert ("--resume goes on where it was" in told) == kept
        assert ("interrupted with 1 document done; the same call with" in told) == (
            error is KeyboardInterrupt and kept
        )
        assert ("this call had done no document yet" in told) == (
            error is KeyboardInterrupt and not kept
        )


def test_what_cannot_be_resumed_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), _stopping.stopping(resumable=False):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "interrupted; the same call begins anew\n"


def test_a_run_that_has_just_begun_has_done_something_soon() -> None:
    """A first batch of 256 notes takes the slowest model ten seconds."""
    notes = [Document(str(n), "x" * 700) for n in range(1_000)]
    model = replace(stuck.make_stuck(), patient_of=None)
    sizes = [len(batch) for batch in model.batches(notes, small_first=True)]
    assert sizes == [16, 64, 256, 256, 256, 152]
    long = [Document(str(n), "x" * 7_000) for n in range(100)]
    sizes = [len(batch) for batch in model.batches(long, small_first=True)]
    assert sizes == [2, 9, 28, 28, 28, 5]
    assert [len(batch) for batch in model.batches(notes)] == [256, 256, 256, 232]
    small = replace(model, batch_documents=4)
    assert max(map(len, small.batches(notes, small_first=True))) == 4


def test_a_run_that_has_done_all_ends_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    finish = Sink.finish

    def interrupted(sink: Sink) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        finish(sink)

    monkeypatch.setattr(Sink, "finish", interrupted)
    write_corpus([Document("a", "Seen 3/4/2019.")], tmp_path / "in", format="text")
    with _stopping.stopping(resumable=True) as stop:
        summary = deidentify_corpus(
            Input((str(tmp_path / "in"),)), Output(tmp_path / "out"),
            work=stuck.make_work(), model="toy", stop=stop,
        )  # fmt: skip
    assert summary.documents == 1
    assert stop.kept
    assert set(files(tmp_path / "out")) == {"a.txt"}
    told = capfd.readouterr().err
    assert told == "all documents are done, the last steps are finished; once more stops at once\n"


def counted_so_far(documents: int, *, read: int = 0, behind: int = 0, before: int = 0) -> Tally:
    """Return a tally of documents of 2,000 characters, of which `read` were read."""
    return Tally(
        documents=documents, characters=2_000 * documents, behind=behind, resumed=before,
        resumed_characters=2_000 * before, read_characters=2_000 * (read or documents),
    )  # fmt: skip


def test_progress_tells_rates_and_what_is_left() -> None:
    pace = Pace(0.0)
    assert pace.describe(3.0) == "no document is done yet; 0:00:03 so far"
    tally = counted_so_far(100)
    tally.labels["DATE"] = 500
    pace.note(10.0, tally, 0.25)
    assert pace.describe(10.0) == (
        "100 documents, 200,000 characters, 500 spans, 0 failures; "
        "10 documents/s, 20,000 characters/s; 0:00:10 so far; 25%, about 0:00:30 left"
    )
    assert pace.describe(14.0).endswith("0:00:14 so far; 25%, about 0:00:26 left")
    assert pace.describe(50.0).endswith("about 0:00:00 left")
    pace.note(20.0, counted_so_far(200), None)
    assert pace.describe(20.0).endswith("20,000 characters/s; 0:00:20 so far")


def test_progress_goes_by_what_is_done_and_not_by_what_was_read() -> None:
    pace = Pace(0.0)
    pace.note(10.0, counted_so_far(100, read=200), 0.5)  # another batch is under way
    assert pace.describe(10.0).endswith("25%, about 0:00:30 left")
    pace.note(10.1, counted_so_far(101, read=200, behind=99), 0.5)  # it is being counted
    assert pace.describe(10.1).startswith("100 documents")


def test_the_rate_of_progress_is_that_of_the_last_minute() -> None:
    pace = Pace(0.0)
    for second in range(1, 61):  # while kernels are compiled
        pace.note(float(second), counted_so_far(second), 0.001 * second)
    assert pace.rates()["documents"] == pytest.approx(1.0)
    for second in range(61, 131):
        pace.note(float(second), counted_so_far(60 + 10 * (second - 60)), 0.1)
    assert pace.rates()["documents"] == pytest.approx(10.0)
    for number in range(10_000):
        pace.note(131.0 + number / 1_000, counted_so_far(760 + number), 0.1)
    assert len(pace._marks) < 150
    assert pace.rates()["documents"] == pytest.approx((760 + 9_999 - 170) / 60.0, rel=0.05)


def test_lumps_do_not_move_the_time_that_is_left() -> None:
    """The time left goes down by what has passed, whenever it is looked at between batches."""
    pace = Pace(0.0)
    shown: list[float] = []
    for batch in range(1, 10):
        pace.note(
            7.0 * batch, counted_so_far(256 * batch, read=256 * (batch + 1)), (batch + 1) / 20
        )
        shown.extend(pace.left(7.0 * batch + wait) or -1.0 for wait in (0.0, 3.0, 6.9))
    ends = [left + 7.0 * (n // 3 + 1) + (0.0, 3.0, 6.9)[n % 3] for n, left in enumerate(shown)]
    assert ends == pytest.approx([140.0] * len(ends))


def test_nothing_is_foretold_of_a_run_that_has_just_begun() -> None:
    pace = Pace(0.0)
    pace.note(0.5, counted_so_far(16, read=80), 0.001)
    assert pace.left(0.5) is None
    assert pace.describe(0.5).endswith("32 documents/s, 64,000 characters/s; 0:00:00 so far; 0%")


def test_progress_of_a_run_that_goes_on_is_that_of_what_it_does_itself() -> None:
    pace = Pace(0.0)
    for done in range(1, 801):
        pace.note(done / 100, counted_so_far(done, before=done), 0.4)
    assert pace.rates() == {}
    assert pace.left(8.0) is None
    pace.note(108.0, counted_so_far(1_000, before=800), 0.5)
    assert pace.describe(108.0).endswith(
        "2 documents/s, 4,000 characters/s; 0:01:48 so far; 50%, about 0:08:20 left"
    )


def test_a_file_gets_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, 59.0, 61.0, 62.0, 130.0])
    monkeypatch.setattr(_progress, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with progress(lambda: 0.5) as report:
        for number, behind in ((1, 0), (2, 3), (3, 0), (4, 0)):
            report(counted_so_far(number, behind=behind))
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["3 documents", "4 documents"]


def test_the_share_of_the_input_that_was_read(tmp_path: Path) -> None:
    write_corpus([Document(str(n), "x" * 1000) for n in range(4)], tmp_path / "in", format="text")
    source = Input((str(tmp_path / "in"),))
    assert source.fraction_read() is None
    shares = [source.fraction_read() for _ in source.read()]
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert Input(("-",)).fraction_read() is None


def test_to_be_asked_to_stop_before_bad_input_is_no_end(tmp_path: Path) -> None:
    """All that could be read is done, and what nobody could read is missing."""
    write_corpus([Document("a", "Seen 3/4/2019.")], tmp_path / "in", format="text")
    (tmp_path / "in" / "z.txt").write_bytes(b"\xff")
    stop = stopping.Stop()
    with pytest.raises(InputError, match=r"z\.txt, byte 0"):
        deidentify_corpus(
            Input((str(tmp_path / "in"),)), Output(tmp_path / "out"), stop=stop,
            work=stuck.make_work(), model="toy", report=lambda tally: stop.ask() and None,
        )  # fmt: skip
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))
