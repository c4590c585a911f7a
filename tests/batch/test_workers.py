"""Workers: ordered, bounded, and replaced when they are lost; no document pays for another."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import cores
from scrubjay.batch import stopping
from scrubjay.batch.input import Input
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.run import annotate_corpus, deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.stopping import Stop
from scrubjay.batch.work import outcomes_of
from scrubjay.batch.worker import Worker
from scrubjay.batch.workers import TOGETHER, Workers
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document
from scrubjay.errors import ConfigError, WorkerError
from tests import stuck
from tests.toys import CANARY

SECONDS = 1.0
DATE = "Seen 3/4/2019."
in_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    """Return two workers without limits."""
    with Workers(stuck.make_work, count=2) as workers:
        yield workers


@pytest.fixture
def guarded() -> Iterator[Workers]:
    """Return a worker with a limit of time, whose detector does what its texts ask for."""
    with Workers(stuck.make_work, seconds=SECONDS) as workers:
        yield workers


def results(
    workers: Workers, documents: Sequence[Document], *, batch: int = TOGETHER
) -> list[Outcome]:
    shape = replace(stuck.make_stuck(), batch_documents=batch)
    found = [
        outcome
        for records in workers.map(shape.batches(iter(documents)))
        for record in records
        for outcome in record
    ]
    assert [outcome.id for outcome in found] == [document.id for document in documents]
    return found


def expected(documents: Sequence[Document]) -> list[dict[str, Any]]:
    return [outcome.to_json() for outcome in outcomes_of(stuck.make_work(), documents)]


def codes(found: Sequence[Outcome]) -> dict[str, tuple[str, str]]:
    return {each.id: (each.failure.stage, each.failure.code) for each in found if each.failure}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    sizes=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3000)), max_size=12),
    batch=st.integers(1, 6),
)
def test_outcomes_are_those_of_one_process(
    two: Workers, sizes: list[tuple[int, int]], batch: int
) -> None:
    documents = [
        Document(f"p{patient}-{note}", f"Ann {patient} {DATE} " + "x" * length)
        for patient, (notes, length) in enumerate(sizes)
        for note in range(notes)
    ]
    found = results(two, documents, batch=batch)
    assert [outcome.to_json() for outcome in found] == expected(documents)
    assert two.started == 2


def test_it_reads_only_a_little_ahead(two: Workers) -> None:
    read: list[int] = []

    def batches() -> Iterator[list[list[Document]]]:
        for number in range(200):
            read.append(number)
            yield [[Document(str(number), DATE)]]

    for done, _ in enumerate(two.map(batches()), start=1):
        assert len(read) <= done + 6
    assert len(read) == 200


def test_an_error_of_the_input_comes_after_what_was_read(two: Workers) -> None:
    def batches() -> Iterator[list[list[Document]]]:
        yield [[Document("a", DATE)]]
        yield [[Document("b", DATE)]]
        raise KeyError("the input")

    found: list[str] = []
    with pytest.raises(KeyError, match="the input"):
        found.extend(batch[0][0].id for batch in two.map(batches()))
    assert found == ["a", "b"]


def test_what_is_under_way_is_finished_when_it_stops_and_no_more_is_begun(two: Workers) -> None:
    stop = Stop()

    def batches() -> Iterator[list[list[Document]]]:
        for number in range(100):
            if number == 5:
                time.sleep(0.05)  # so that two are begun
                stop.ask()
            yield [[Document(str(number), f"WAIT {DATE}")]]

    found = [batch[0][0].id for batch in two.map(batches(), stop=stop)]
    assert found == [str(number) for number in range(len(found))]
    assert 1 <= len(found) <= 5


def test_what_takes_longer_than_a_moment_is_left_when_it_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stopping, "GRACE_SECONDS", 1.0)
    stop = Stop()

    def batches() -> Iterator[list[list[Document]]]:
        yield [[Document("0", DATE)]]
        yield [[Document("1", "SLEEP")]]
        time.sleep(0.05)  # so that both are begun
        stop.ask()
        yield [[Document("2", DATE)]]

    with Workers(stuck.make_work, count=2) as workers:
        found = [batch[0][0].id for batch in workers.map(batches(), stop=stop)]
    assert found == ["0"]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("REGEX", "TimeLimitError"),
        ("KILL", "WorkerDiedError"),
        ("CRASH", "WorkerDiedError"),
        ("LEAVE", "WorkerDiedError"),
        ("RAISE", "RuntimeError"),
    ],
)
def test_what_hangs_or_dies_fails_its_document(guarded: Workers, word: str, code: str) -> None:
    found = results(guarded, [Document("a", f"{word} {DATE}"), Document("b", DATE)], batch=1)
    assert codes(found) == {"a": ("detect", code)}


def test_a_record_stays_one_without_the_document_that_is_lost(guarded: Workers) -> None:
    """What is found in one document of a patient is looked for in the others, all the same."""
    texts = {"a-1": DATE, "a-2": "KILL", "a-3": f"MISS {DATE}", "b-1": f"MISS {DATE}"}
    found = results(guarded, [Document(name, text) for name, text in texts.items()])
    assert codes(found) == {"a-2": ("detect", "WorkerDiedError")}
    assert [outcome.text for outcome in found] == [
        "Seen [DATE].", "", "MISS Seen [DATE].", f"MISS {DATE}",
    ]  # fmt: skip


def test_the_stage_is_told(guarded: Workers) -> None:
    found = results(guarded, [Document("SLEEP", DATE), Document("a", DATE)], batch=1)
    assert codes(found) == {"SLEEP": ("transform", "TimeLimitError")}


def test_a_limit_is_not_spent_by_the_documents_before(guarded: Workers) -> None:
    begin = time.monotonic()
    found = results(guarded, [Document(f"{n}", f"SLEEP {n}") for n in range(2)])
    assert set(codes(found).values()) == {("detect", "TimeLimitError")}
    assert time.monotonic() - begin >= 4 * SECONDS  # two together, then each alone


def test_no_document_pays_for_what_is_read_when_first_needed() -> None:
    with Workers(stuck.make_slow, seconds=SECONDS) as workers:
        assert codes(results(workers, [Document("a", DATE)])) == {}
        assert workers.started == 1


def test_a_document_that_cannot_be_sent_fails_alone(two: Workers) -> None:
    bad = Document("b", DATE, metadata={"lock": threading.Lock()})
    found = results(two, [Document("a", DATE), bad, Document("c", DATE)])
    assert codes(found) == {"b": ("detect", "TypeError")}
    assert two.started == 2


def test_a_worker_that_is_killed_by_another_costs_no_document() -> None:
    with Workers(stuck.make_work, count=2) as workers:
        documents = [Document(f"p{n // 3}-{n}", f"{DATE} Note {n}.") for n in range(30)]
        found = []
        shape = replace(stuck.make_stuck(), batch_documents=3)
        for done, records in enumerate(workers.map(shape.batches(iter(documents)))):
            found += [outcome for record in records for outcome in record]
            if done in (1, 4):
                with suppress(ProcessLookupError, IndexError):
                    os.kill(workers.processes[0], signal.SIGKILL)
        assert [outcome.to_json() for outcome in found] == expected(documents)
        # A worker that was killed at rest is missed when it is asked: here, or in the next round.
        found = results(workers, documents, batch=1)
        assert [outcome.to_json() for outcome in found] == expected(documents)
        assert workers.started in (3, 4)


@in_proc
def test_a_document_that_needs_too_much_memory_fails_alone() -> None:
    texts = {"b": f"EAT {DATE}", "c": f"GULP {DATE}", "d": DATE}
    with Workers(stuck.make_work, memory=400_000_000) as workers:
        found = results(workers, [Document(*each) for each in texts.items()])
    assert codes(found) == {
        "b": ("detect", "MemoryLimitError"),
        "c": ("detect", "MemoryLimitError"),
    }


@in_proc
def test_a_memory_limit_below_the_model_is_told() -> None:
    with (
        pytest.raises(ConfigError, match=r"takes [0-9]+ MB before the first document"),
        Workers(stuck.make_work, memory=2_000_000),
    ):
        pass


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (stuck.make_nothing, ConfigError, "nothing can be made. Try something"),
        (stuck.make_noise, WorkerError, "could not be started: unexpected RuntimeError"),
        (stuck.make_corpse, WorkerError, "could not be started: it died"),
    ],
)
def test_a_worker_that_cannot_start(
    make: Any, error: type[Exception], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error, match=message) as told, Workers(make, count=2):
        pass
    assert CANARY not in str(told.value) + "".join(capfd.readouterr())


@pytest.mark.parametrize("count", [1, 2, 5])
def test_workers_share_the_cores(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cores.BOUND, raising=False)
    share = min(max(1, cores.available_cores() // count), cores.MOST_THREADS)
    with (
        pytest.raises(ConfigError, match=f"^{share} threads"),
        Workers(stuck.make_count, count=count),
    ):
        pass


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_a_limit_is_a_time(seconds: float) -> None:
    with pytest.raises(ConfigError, match="above 0 and at most 86,400 seconds"):
        Workers(stuck.make_work, seconds=seconds)


@pytest.mark.parametrize("count", [0, -1, 257])
def test_there_are_some_workers_and_not_too_many(count: int) -> None:
    with pytest.raises(ConfigError, match=f"must be 1 to 256, .*not {count}"):
        Workers(stuck.make_work, count=count)


TEXTS = {
    "a": DATE,
    "b": f"SHOUT {CANARY} {DATE}",
    "c": f"RAISE {CANARY} {DATE}",
    "d": f"SHOUT CRASH {CANARY} {DATE}",
    "e": f"LEAVE {CANARY}",
    "f": DATE,
}


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_run_goes_on_and_tells_no_text(
    tmp_path: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write_corpus((Document(*each) for each in TEXTS.items()), tmp_path / "in", format="text")
    source, output = Input((str(tmp_path / "in"),)), Output(tmp_path / "out")
    make: Any = stuck.make_work if command == "deid" else stuck.make_annotating
    with Workers(make, count=2) as workers:
        shape = replace(make(), deidentifier=replace(stuck.make_stuck(), batch_documents=TOGETHER))
        run: Any = deidentify_corpus if command == "deid" else annotate_corpus
        summary = run(source, output, work=shape, workers=workers, model="toy")
    assert [(failure.id, failure.code) for failure in summary.failures] == [
        ("c", "RuntimeError"),
        ("d", "WorkerDiedError"),
        ("e", "WorkerDiedError"),
    ]
    assert summary.exit_code == 1
    assert [document.id for document in read_corpus(tmp_path / "out")] == ["a", "b", "f"]
    assert CANARY not in summary.to_text() + "".join(capfd.readouterr())
    files = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert files == {"in", "out"}


ORPHAN = """
import os, signal
from scrubjay.batch import worker
from scrubjay.document import Document
from tests import stuck

asked = worker.Worker(stuck.make_work)
asked.start()
print(asked.number, flush=True)
{then}
os.kill(os.getpid(), signal.SIGKILL)
"""


@in_proc
@pytest.mark.parametrize(
    "then", ["pass", 'asked._child.pipe.send(([[Document("a", "SLEEP")]], None))']
)
def test_no_worker_outlives_who_asked_it(root: Path, then: str) -> None:
    script = ORPHAN.format(then=then)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, check=False, text=True
    )
    assert done.returncode == -signal.SIGKILL
    running = Path(f"/proc/{int(done.stdout)}/stat")
    end = time.monotonic() + 30
    while running.exists() and running.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end
        time.sleep(0.05)


def never_made() -> Any:
    raise AssertionError


@pytest.mark.parametrize("memory", [None, 1 << 50])
def test_an_answer_after_the_end_is_none(memory: int | None) -> None:
    worker = Worker(never_made, memory=memory)
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs:
        theirs.send(("answer", []))
        assert not worker._poll(ours, time.monotonic())
        assert worker._poll(ours, time.monotonic() + 60)
