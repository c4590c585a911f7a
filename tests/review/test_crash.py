"""Killed and crowded: nothing acknowledged is lost, and several processes annotate at once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scrubjay.errors import ConflictError
from scrubjay.review.marks import Add
from scrubjay.review.project import Project
from tests.review.samples import new_project, note

KILLS = 4
ROOT = Path(__file__).parents[2]


def _start(folder: Path, annotator: str, count: int, *documents: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.review.writers", str(folder), annotator, str(count)]
    return subprocess.Popen(
        [*command, *documents], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=dict(os.environ)
    )


def _require_kept(project: Project, annotator: str, acknowledged: list[list[str]]) -> None:
    """Assert that each document has what was acknowledged last, or what came right after."""
    last = {document: (int(revision), marks) for document, revision, marks in acknowledged}
    for document, (revision, marks) in last.items():
        version = project.version(document, annotator)
        assert version.revision in (revision, revision + 1)
        if version.revision == revision:
            assert (",".join(str(one.start) for one in version.marks) or "-") == marks
    assert project.check().faults == ()


def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    new_project(folder, [note("n1"), note("n2")], annotators=["ana"]).close()
    chance = random.Random(7)
    for _ in range(KILLS):
        acknowledged: list[list[str]] = []
        with _start(folder, "ana", 10_000, "n1", "n2") as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline().split() == ["ready", "2"], "every commit is on disk"
            for _ in range(chance.randint(1, 12)):
                acknowledged.append(writer.stdout.readline().split()[1:])
            writer.kill()
            # What was on its way when it was killed; a line cut short was not acknowledged.
            for line in writer.stdout:
                if line.endswith("\n"):
                    acknowledged.append(line.split()[1:])
        with Project.open(folder) as project:
            _require_kept(project, "ana", acknowledged)


def test_several_processes_annotate_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    people = ["ana", "ben", "cem"]
    new_project(folder, [note("n1"), note("n2")], annotators=people).close()
    writers = [_start(folder, name, 10, "n1", "n2") for name in people]
    for name, writer in zip(people, writers, strict=True):
        with writer:
            assert writer.stdout is not None
            lines = [line.split() for line in writer.stdout]
        assert writer.returncode == 0
        assert [line[0] for line in lines] == ["ready", *["edit"] * 10], name
        with Project.open(folder) as project:
            assert {project.version(n, name).revision for n in ("n1", "n2")} == {5}
            _require_kept(project, name, [line[1:] for line in lines[1:]])


def test_two_windows_of_one_annotator_never_overwrite_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    new_project(folder, [note("n1")], annotators=["ana"]).close()
    writers = [_start(folder, "ana", 15, "n1") for _ in range(2)]
    edits = 0
    for writer in writers:
        with writer:
            assert writer.stdout is not None
            edits += sum(line.startswith("edit") for line in writer.stdout)
        assert writer.returncode == 0
    with Project.open(folder) as project:
        assert project.version("n1", "ana").revision == edits
        assert project.check().faults == ()


def test_threads_share_a_project(tmp_path: Path) -> None:
    people = [f"a{number}" for number in range(4)]
    problems: list[Exception] = []
    with new_project(tmp_path / "p", [note("n1")], annotators=people) as project:

        def annotate(name: str) -> None:
            try:
                version = project.begin("n1", name)
                for start in range(10):
                    version = project.edit(
                        "n1", name, Add(start, start + 1, "AGE"), revision=version.revision
                    )
            except Exception as error:
                problems.append(error)

        threads = [threading.Thread(target=annotate, args=(name,)) for name in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        assert {project.version("n1", name).revision for name in people} == {10}


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")], annotators=["ana"]) as project:
        project.begin("n1", "ana")
        store = project._store

        def change_and_fail() -> None:
            with store.write():
                store.set("guidelines", "other")
                project.edit("n1", "ana", Add(0, 1, "AGE"), revision=0)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            change_and_fail()
        assert project.guidelines() != "other"
        assert project.version("n1", "ana").revision == 0
        with pytest.raises(ConflictError):
            project.edit("n1", "ana", Add(0, 1, "AGE"), revision=1)


def test_the_journal_is_only_ever_added_to(tmp_path: Path) -> None:
    from scrubjay.errors import ProjectError

    with new_project(tmp_path / "p", [note("n1")], annotators=["ana"]) as project:
        project.begin("n1", "ana")
        project.edit("n1", "ana", Add(0, 1, "AGE"), revision=0)
        for statement in ("UPDATE journal SET added = '[]'", "DELETE FROM journal"):
            with pytest.raises(ProjectError):
                project._store.run(statement)
        assert project.check().entries == 1


def test_a_project_that_was_altered_is_told(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")], annotators=["ana"]) as project:
        project.begin("n1", "ana")
        project.edit("n1", "ana", Add(0, 1, "AGE"), revision=0)
        project._store.run("UPDATE versions SET spans = '[]'")
        (fault,) = project.check().faults
        assert fault == "document 'n1', 'ana': the journal gives other marks"
