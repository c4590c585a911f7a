"""Runs that are killed and go on: nothing is done twice, nothing skipped, nothing shown early."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import threading
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.batch.input import Input
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.resume import WORK, Journal, code_state, input_state, state_of
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.summary import RunSummary, Tally
from scrubjay.batch.work import DeidWork
from scrubjay.corpora import jsonl, write_corpus
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document, Span
from scrubjay.errors import AlteredTextError, ConfigError, FullDiskError, InputError, OutputError
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy
from tests.batch.written import files
from tests.strategies import texts
from tests.toys import CANARY, DateDetector, RaisingDetector

PLAIN = Policy("plain", Placeholder())
NOTES = [Document(f"{n // 3}-{n}", f"note {n} on {n + 1}/4/2019\r\n") for n in range(12)]


@dataclass(frozen=True)
class Counting(RaisingDetector):
    """Notes the documents that it sees."""

    seen: list[str] = field(default_factory=list, hash=False)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document, or raise."""
        found = super().detect(documents)
        self.seen.extend(document.id for document in documents)
        return found


class Killed(BaseException):
    """Stands for a process that ends at once."""


def run(
    folder: Path, *, kill: int = -1, detector: DateDetector | None = None, **settings: Any
) -> RunSummary:
    """Run over `folder/in`, killed when `kill` documents are done."""

    def report(tally: Tally) -> None:
        if tally.documents == kill:
            raise Killed

    place = settings.pop("out", folder / "out")
    existing = settings.pop("existing", "replace")
    format = settings.pop("format", None)
    model = Deidentifier(
        detector or DateDetector(),
        settings.pop("policy", PLAIN),
        batch_documents=settings.pop("batch", 2),
        patient_of=lambda document: document.id.partition("-")[0],
    )
    return deidentify_corpus(
        Input((str(folder / "in"),), format=format),
        Output(place, existing=existing),
        work=DeidWork(model),
        model="toy",
        report=report,
        **settings,
    )


def kill(folder: Path, at: int, **settings: Any) -> None:
    with pytest.raises(Killed):
        run(folder, kill=at, **settings)


def test_no_run_goes_on_by_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(code_state()) == 64
    write_corpus(NOTES, tmp_path / "in", format="text")
    kill(tmp_path, 6)
    monkeypatch.setattr("scrubjay.batch.run.code_state", lambda: "another")
    with pytest.raises(ConfigError, match="scrubjay itself: it was another version"):
        run(tmp_path, interrupted="resume")
    assert run(tmp_path, interrupted="restart").resumed == 0


def test_the_state_of_a_package_is_that_of_its_rules_in_a_folder_and_in_a_zip_file(
    tmp_path: Path,
) -> None:
    package = tmp_path / "package"
    rules = package / "resources" / "rules.toml"
    beside = [package / "shipped" / "en" / "model", package / "__pycache__" / "code.pyc"]
    for file in (package / "code.py", rules, *beside, package / ".hidden"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("as it was")
    state = state_of(package)
    for file in (*beside, package / ".hidden"):
        file.write_text("changed")
    assert state_of(package) == state
    shutil.make_archive(str(tmp_path / "whole"), "zip", tmp_path, "package")
    with zipfile.ZipFile(tmp_path / "whole.zip") as whole:
        assert state_of(zipfile.Path(whole, "package/")) == state
    rules.write_text("changed")
    changed = state_of(package)
    rules.rename(package / "rules.toml")
    assert len({state, changed, state_of(package)}) == 3


@pytest.mark.parametrize("format", ["text", "brat", "jsonl", "csv", "conll"])
@pytest.mark.parametrize("at", [1, 6, 12])
def test_a_killed_run_goes_on_where_it_was(format: str, at: int, tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format=format)
    whole = run(tmp_path, out=tmp_path / "whole")
    first, second = Counting(), Counting()
    kill(tmp_path, at, detector=first)
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))
    summary = run(tmp_path, detector=second, interrupted="resume")
    assert files(tmp_path / "out") == files(tmp_path / "whole")
    assert summary.resumed == len(NOTES) - len(second.seen) >= at
    facts, expected = summary.to_json(), whole.to_json()
    for name in ("documents", "failed", "characters", "phi_per_label", "proof"):
        assert facts[name] == expected[name]


def test_a_run_may_be_killed_many_times(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    run(tmp_path, out=tmp_path / "whole")
    kill(tmp_path, 2)
    for at in (5, 7, 11):
        kill(tmp_path, at, interrupted="resume")
    run(tmp_path, interrupted="resume")
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_failures_stay_failures_and_are_not_tried_again(tmp_path: Path) -> None:
    notes = [*NOTES[:4], Document("0-bad", CANARY), *NOTES[4:]]
    write_corpus(notes, tmp_path / "in", format="text")
    kill(tmp_path, 8, detector=Counting())
    later = Counting()
    summary = run(tmp_path, detector=later, interrupted="resume")
    assert summary.failures == (Failure("0-bad", "detect", "RuntimeError"),)
    assert "0-bad" not in later.seen
    assert "0-bad.txt" not in files(tmp_path / "out")


def test_the_journal_holds_no_original(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    kill(tmp_path, 6)
    assert not any(b"4/2019" in content for content in files(tmp_path / "out").values())
    work = tmp_path / "out" / WORK
    assert stat.S_IMODE(work.stat().st_mode) == 0o700
    assert stat.S_IMODE((work / "journal").stat().st_mode) == 0o600


def test_a_run_that_ends_well_leaves_no_journal(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    run(tmp_path)
    assert sorted(files(tmp_path / "out")) == sorted(f"{note.id}.txt" for note in NOTES)
    run(tmp_path, interrupted="resume")
    assert not (tmp_path / "out" / WORK).exists()


def test_an_interrupted_run_is_neither_forgotten_nor_mixed_up(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    kill(tmp_path, 6)
    with pytest.raises(OutputError, match=r"interrupted run lies there, with 6 .*--resume"):
        run(tmp_path)
    with pytest.raises(ConfigError, match="--policy \\(it was 'plain', and is 'other'\\)"):
        run(tmp_path, interrupted="resume", policy=Policy("other", Placeholder("<{label}>")))
    with pytest.raises(ConfigError, match="What differs: seed"):
        run(tmp_path, interrupted="resume", facts={"seed": 1})
    assert run(tmp_path, interrupted="resume").resumed == 6


def test_a_run_can_begin_anew(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    kill(tmp_path, 6)
    (tmp_path / "in" / "0-0.txt").write_text("on 1/1/2019")
    with pytest.raises(ConfigError, match="What differs: the input: files came"):
        run(tmp_path, interrupted="resume")
    summary = run(tmp_path, interrupted="restart")
    assert (summary.resumed, summary.documents) == (0, 12)
    assert files(tmp_path / "out")["0-0.txt"] == b"on [DATE-1]"
    assert WORK not in {path.name for path in (tmp_path / "out").iterdir()}


def test_another_order_of_documents_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    kill(tmp_path, 6)
    state = input_state([str(tmp_path / "in")])
    monkeypatch.setattr("scrubjay.batch.run.input_state", lambda paths: state)
    (tmp_path / "in" / "0-0.txt").write_text("on 1/1/2019, longer")
    with pytest.raises(InputError, match="'0-0' was another one"):
        run(tmp_path, interrupted="resume")


def test_an_error_leaves_the_journal_only_to_be_resumed(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    (tmp_path / "in" / "z.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match="byte 0"):
        run(tmp_path)
    assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match="byte 0"):
        run(tmp_path, interrupted="resume")
    assert (tmp_path / "out" / WORK).is_dir()
    with pytest.raises(InputError, match="byte 0"):
        run(tmp_path, interrupted="restart")
    assert list((tmp_path / "out").iterdir()) == []


def fill_disk(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Let writing fail at the seventh document, as a full disk does."""
    full = OSError(errno.ENOSPC, "No space left on device")
    calls = count()

    def wrap(method: Any) -> Any:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            if next(calls) >= 6:
                raise full
            return method(*arguments, **named)

        return wrapped

    owner, name = where.rsplit(".", 1)
    monkeypatch.setattr(where, wrap(getattr(resolve_name(owner), name)))


@pytest.mark.parametrize(
    ("format", "where"),
    [
        ("text", "pathlib.Path.write_bytes"),
        ("jsonl", "scrubjay.corpora.jsonl.LineEncoder.add"),
        ("csv", "scrubjay.batch.resume._write_line"),
        ("jsonl", "scrubjay.batch.sink._digest"),
    ],
)
def test_a_full_disk_stops_a_run_that_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, where: str
) -> None:
    write_corpus(NOTES, tmp_path / "in", format=format)
    run(tmp_path, out=tmp_path / "whole")
    with monkeypatch.context() as patch:
        fill_disk(patch, where)
        with pytest.raises(FullDiskError, match="No space left on device"):
            run(tmp_path)
    assert all(name.startswith(WORK) for name in files(tmp_path / "out"))
    assert run(tmp_path, interrupted="resume").resumed >= 2
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_a_run_that_did_nothing_blocks_no_other(tmp_path: Path) -> None:
    """Neither what fails at once nor what was killed before its first document is in the way."""
    write_corpus(NOTES, tmp_path / "in", format="text")
    (tmp_path / "in" / "0-0.txt").write_bytes(b"\xff")
    for interrupted in ("refuse", "resume", "refuse"):
        with pytest.raises(InputError, match="byte 0"):
            run(tmp_path, interrupted=interrupted)
        assert not (tmp_path / "out").exists()
    with suppress(Killed), Journal(tmp_path / "out", run={"a": 1}, interrupted="refuse") as journal:
        begun = (journal.staging / "journal").read_bytes()
        raise Killed
    work = tmp_path / "out" / WORK
    work.mkdir(parents=True)
    (work / "journal").write_bytes(begun)
    (tmp_path / "in" / "0-0.txt").write_text("on 1/1/2019")
    assert run(tmp_path).resumed == 0
    assert not work.exists()


def test_what_a_run_keeps_is_for_the_owner_alone(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    old = os.umask(0)
    try:
        kill(tmp_path, 6)
    finally:
        os.umask(old)
    for path in (tmp_path / "out" / WORK).iterdir():
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_kill_while_files_move_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(NOTES, tmp_path / "in", format="text")
    move = Path.replace

    def killed(self: Path, target: Path) -> Path:
        if self.name == "2-7.txt":
            raise Killed
        return move(self, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(Killed):
        run(tmp_path, existing="error")
    monkeypatch.undo()
    summary = run(tmp_path, existing="error", interrupted="resume")
    assert summary.resumed == 12
    assert sorted(files(tmp_path / "out")) == sorted(f"{note.id}.txt" for note in NOTES)


def test_two_runs_cannot_write_to_one_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    write_corpus(NOTES, tmp_path / "in", format="text")
    with (
        Journal(tmp_path / "out", run={}, interrupted="refuse"),
        pytest.raises(OutputError, match="another run writes there"),
    ):
        run(tmp_path)


OUTCOMES = st.builds(
    Outcome,
    st.text(max_size=5),
    st.integers(0, 9),
    texts(),
    st.just((Span(0, 1, "DATE", score=0.5, source="toy"),)),
    st.just({"DATE": 1}),
    st.just({"searched": 1}),
    st.sampled_from([None, Failure("x", "detect", "RuntimeError")]),
)


@settings(max_examples=60)
@given(
    records=st.lists(st.lists(OUTCOMES, min_size=1, max_size=3), min_size=1, max_size=4),
    data=st.data(),
)
def test_whatever_is_cut_off_whole_records_are_taken_over(
    records: list[list[Outcome]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    path, ends = folder / WORK / "journal", []
    with suppress(Killed), Journal(folder, run={"a": 1}, interrupted="refuse") as journal:
        for record in records:
            journal.add([record])
            ends.append(path.stat().st_size)
        raise Killed
    size = data.draw(st.integers(0, path.stat().st_size))
    with path.open("r+b") as stream:
        stream.truncate(size)
        stream.seek(0, os.SEEK_END)
        stream.write(data.draw(st.sampled_from([b"", b"torn", b"00000000 {}\n"])))
    whole = [record for record, end in zip(records, ends, strict=True) if end <= size]
    expected = [outcome for record in whole for outcome in record]
    with Journal(folder, run={"a": 1}, interrupted="resume") as journal:
        found = list(journal.replay())
        assert journal.done == len(expected)
    assert [outcome.to_json() for outcome in found] == [o.to_json() for o in expected]


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    work = tmp_path / WORK
    work.mkdir()
    body = b'{"scrubjay":2,"run":{}}'
    (work / "journal").write_bytes(b"%08x %s\n" % (zlib.crc32(body), body))
    with pytest.raises(ConfigError, match="another version"):
        Journal(tmp_path, run={}, interrupted="resume").__enter__()
    with Journal(tmp_path, run={}, interrupted="restart") as journal:
        assert journal.done == 0


@pytest.mark.parametrize(
    ("permissions", "file", "folder"), [("private", 0o600, 0o700), ("umask", 0o644, 0o755)]
)
@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_files_are_for_the_owner_alone_unless_said_otherwise(
    tmp_path: Path, format: str, permissions: Any, file: int, folder: int
) -> None:
    write_corpus([Document("a/b", "on 3/4/2019")], tmp_path / "in", format=format)
    old = os.umask(0o022)
    try:
        deidentify_corpus(
            Input((str(tmp_path / "in"),)),
            Output(tmp_path / "new" / "out", permissions=permissions),
            work=DeidWork(Deidentifier(DateDetector(), PLAIN)),
            model="toy",
        )
    finally:
        os.umask(old)
    for path in (tmp_path / "new").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (folder if path.is_dir() else file)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == folder


def spoil(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make texts with a comma go wrong on their way into a file."""
    encode = str.encode

    def spoiled(text: str, encoding: str, *, document_id: str) -> bytes:
        return encode(text.replace(",", ";"), encoding)

    monkeypatch.setattr("scrubjay.corpora.text.encode_note", spoiled)


def test_a_file_that_does_not_hold_its_text_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch)
    write_corpus([*NOTES[:2], Document("9-9", "x; y")], tmp_path / "in", format="text")
    (tmp_path / "in" / "9-9.txt").write_text("x, y")
    summary = run(tmp_path)
    assert summary.failures == (Failure("9-9", "prove", "AlteredTextError"),)
    assert sorted(files(tmp_path / "out")) == ["0-0.txt", "0-1.txt"]


def test_a_container_that_does_not_hold_its_texts_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(NOTES, tmp_path / "in", format="jsonl")
    digests = iter(range(1000))
    monkeypatch.setattr("scrubjay.batch.sink._digest", lambda *content: b"%d" % next(digests))
    with pytest.raises(AlteredTextError, match="Nothing was written"):
        run(tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_pipe_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # To open it again would wait for a writer that never comes.
    (tmp_path / "in").mkdir()
    pipe = tmp_path / "in.jsonl"
    write_corpus(NOTES, tmp_path / "in", format="jsonl")
    (content,) = files(tmp_path / "in").values()
    os.mkfifo(pipe)
    digests = iter(range(1000))
    monkeypatch.setattr("scrubjay.batch.sink._digest", lambda *content: b"%d" % next(digests))
    writer = threading.Thread(target=pipe.write_bytes, args=[content], daemon=True)
    writer.start()
    with pytest.raises(AlteredTextError, match="Nothing was written"):
        deidentify_corpus(
            Input((str(pipe),), format="jsonl"),
            Output(tmp_path / "out"),
            work=DeidWork(Deidentifier(DateDetector(), PLAIN)),
            model="toy",
        )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kill", [-1, 5])
def test_a_record_that_does_not_read_back_costs_itself_alone(
    kill: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One of them cost all files of the run.
    write_corpus(NOTES, tmp_path / "in", format="jsonl")
    dump = jsonl.dump_spans

    def spoiled(spans: Sequence[Span]) -> str:
        return dump([replace(span, end=span.end + (span.start > 10)) for span in spans])

    monkeypatch.setattr(jsonl, "dump_spans", spoiled)
    seen = Counting()
    if kill >= 0:
        with pytest.raises(Killed):
            run(tmp_path, kill=kill, detector=seen)
    summary = run(tmp_path, detector=seen, interrupted="resume")
    assert summary.failures == tuple(
        Failure(f"3-{number}", "prove", "AlteredTextError") for number in (10, 11)
    )
    assert (summary.documents, summary.read_back) == (12, 10)
    assert len(seen.seen) == len(set(seen.seen)) == 12  # nothing is detected anew
    (written,) = files(tmp_path / "out").values()
    assert written.count(b"\n") == 10
    assert not (tmp_path / "out" / WORK).exists()
