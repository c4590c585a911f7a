"""Limits of time: what hangs or crashes fails its own document, and the run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.batch.limited import LimitedDeidentifier, limited
from scrubjay.batch.run import Input, annotate_corpus, deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.deidentifier import Deidentified, Failure
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, WorkerError
from tests import stuck
from tests.toys import CANARY

SECONDS = 1.0
DATE = "Seen 3/4/2019."


@pytest.fixture
def guarded() -> Iterator[LimitedDeidentifier]:
    """Return a de-identifier under a limit whose detector does what its texts ask for."""
    with limited(stuck.make_stuck, stuck.make_stuck(), seconds=SECONDS) as deidentifier:
        yield deidentifier


def results(
    deidentifier: LimitedDeidentifier, documents: list[Document]
) -> dict[str, Deidentified | Failure]:
    found = [pair for record in deidentifier.records(documents) for pair in record]
    assert [document.id for document, _ in found] == [document.id for document in documents]
    return {document.id: result for document, result in found}


def codes(found: dict[str, Deidentified | Failure]) -> dict[str, tuple[str, str]]:
    return {
        name: (result.stage, result.code)
        for name, result in found.items()
        if isinstance(result, Failure)
    }


def test_results_are_those_without_a_limit(guarded: LimitedDeidentifier) -> None:
    documents = [Document(f"p{n // 3}-{n}", f"{DATE} Note {n}.") for n in range(25)]
    plain = stuck.make_stuck()
    assert list(guarded.records(documents)) == list(plain.records(documents))
    assert list(guarded.detect(documents)) == list(plain.detect(documents))
    assert guarded.worker.started == 1


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("SLEEP", "TimeLimitError"),
        ("REGEX", "TimeLimitError"),
        ("KILL", "WorkerDiedError"),
        ("CRASH", "WorkerDiedError"),
        ("LEAVE", "WorkerDiedError"),
        ("RAISE", "RuntimeError"),
    ],
)
def test_what_hangs_or_dies_fails_its_document(
    guarded: LimitedDeidentifier, word: str, code: str
) -> None:
    texts = {"a-1": DATE, "a-2": f"{word} {DATE}", "b-1": DATE}
    found = results(guarded, [Document(name, text) for name, text in texts.items()])
    assert codes(found) == {"a-2": ("detect", code)}
    # The batch, its records, the document: each lost worker is replaced once.
    assert guarded.worker.started == (1 if word == "RAISE" else 4)
    again = results(guarded, [Document("c-1", DATE)])
    assert codes(again) == {}


@pytest.mark.parametrize(
    ("word", "code"), [("SLEEP", "TimeLimitError"), ("KILL", "WorkerDiedError")]
)
def test_the_stage_is_told(guarded: LimitedDeidentifier, word: str, code: str) -> None:
    document = Document(word, DATE)
    assert codes(results(guarded, [document])) == {word: ("transform", code)}
    found = (Span(5, 13, "DATE"),)
    assert guarded.transform(document, found) == Failure(word, "transform", code)
    again = guarded.transform(Document("a", DATE), found)
    assert isinstance(again, Deidentified)
    assert again.document.text == "Seen [DATE]."


def test_detection_alone_has_the_limit_too(guarded: LimitedDeidentifier) -> None:
    documents = [Document("a", DATE), Document("b", f"SLEEP {DATE}"), Document("c", DATE)]
    first, second, third = guarded.detect(documents)
    assert second == Failure("b", "detect", "TimeLimitError")
    assert isinstance(first, Document)
    assert isinstance(third, Document)
    assert first.spans == third.spans == (Span(5, 13, "DATE"),)


def test_a_limit_is_not_spent_by_the_documents_before(guarded: LimitedDeidentifier) -> None:
    begin = time.monotonic()
    found = results(guarded, [Document(f"{n}", f"SLEEP {n}") for n in range(2)])
    assert set(codes(found).values()) == {("detect", "TimeLimitError")}
    assert time.monotonic() - begin >= 4 * SECONDS  # two together, then each alone


def test_no_document_pays_for_what_is_read_when_first_needed() -> None:
    with limited(stuck.make_slow, stuck.make_stuck(), seconds=SECONDS) as deidentifier:
        assert codes(results(deidentifier, [Document("a", DATE)])) == {}
        assert deidentifier.worker.started == 1


def test_a_document_that_cannot_be_sent_fails_alone(guarded: LimitedDeidentifier) -> None:
    bad = Document("b", DATE, metadata={"lock": threading.Lock()})
    found = results(guarded, [Document("a", DATE), bad, Document("c", DATE)])
    assert codes(found) == {"b": ("detect", "TypeError")}
    assert guarded.worker.started == 1


def test_a_worker_that_died_between_questions_is_replaced(guarded: LimitedDeidentifier) -> None:
    process = guarded.worker._process
    assert process is not None
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert codes(results(guarded, [Document("a", DATE)])) == {}
    assert guarded.worker.started == 2


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (stuck.make_nothing, ConfigError, "nothing can be made. Try something"),
        (stuck.make_noise, WorkerError, "could not be started: unexpected RuntimeError"),
        (stuck.make_corpse, WorkerError, "could not be started: it died"),
    ],
)
def test_a_worker_that_cannot_start(
    make: stuck.Make, error: type[Exception], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        pytest.raises(error, match=message) as told,
        limited(make, stuck.make_stuck(), seconds=SECONDS),
    ):
        pass
    assert CANARY not in str(told.value) + "".join(capfd.readouterr())


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_a_limit_is_a_time(seconds: float) -> None:
    with (
        pytest.raises(ConfigError, match="above 0 and at most 86,400 seconds"),
        limited(stuck.make_stuck, stuck.make_stuck(), seconds=seconds),
    ):
        pass


TEXTS = {
    "a": DATE,
    "b": f"SHOUT {CANARY} {DATE}",
    "c": f"REGEX {CANARY} {DATE}",
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
    with limited(stuck.make_stuck, stuck.make_stuck(), seconds=SECONDS) as deidentifier:
        run = deidentify_corpus if command == "deid" else annotate_corpus
        summary = run(source, output, deidentifier=deidentifier, model="toy")
    assert [(failure.id, failure.code) for failure in summary.failures] == [
        ("c", "TimeLimitError"),
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

worker._GRACE = 0.5
with worker.Worker(stuck.make_stuck) as asked:
    print(asked._process.pid, flush=True)
    {then}
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    "then",
    ["pass", 'asked._pipe.send(("detect", ([[Document("a", "REGEX")]],), 1.0))'],
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
