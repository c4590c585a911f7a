"""The work of annotators: edits, conflicts, undo, states, blindness, suggestions."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import (
    BlindError,
    ConfigError,
    ConflictError,
    InputError,
    LabelError,
    NotFoundError,
    OutputError,
    ProjectError,
    ProjectVersionError,
    SpanError,
    StateError,
)
from scrubjay.review.marks import Add, Delete, Move, Relabel
from scrubjay.review.project import Project
from scrubjay.review.records import to_json
from tests.review.samples import TEXT, find, mark_all, new_project, note
from tests.strategies import texts

LEE = find(TEXT, "Lee", "DOCTOR")
DATE = find(TEXT, "3/4/2019", "DATE")
LATER = find(TEXT, "5/6/2019", "DATE")


def test_a_project_is_private_and_tells_what_it_is(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        info = project.info()
        assert (info.name, info.label_set, info.documents) == ("p", "i2b2-2014", 1)
        assert info.annotators == ("ana", "ben")
        assert project.guidelines() == "# Mark all *dates*"
        assert "DOCTOR" in project.label_set
        for path in (tmp_path / "p").rglob("*"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "p").stat().st_mode) == 0o700


def test_a_project_begins_in_an_empty_folder_and_opens_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "file").touch()
    with pytest.raises(OutputError, match="is not an empty folder"):
        Project.create(tmp_path / "p")
    with pytest.raises(ConfigError, match="there is no review project"):
        Project.open(tmp_path / "p")
    with pytest.raises(ConfigError, match="unknown label set"):
        Project.create(tmp_path / "q", labels="nothing")
    assert not (tmp_path / "q").exists()


def test_another_version_and_another_file_are_told(tmp_path: Path) -> None:
    new_project(tmp_path / "p", []).close()
    database = tmp_path / "p" / "project.sqlite"
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(ProjectVersionError, match="a project of version 2"):
        Project.open(tmp_path / "p")
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA application_id = 1")
    connection.close()
    with pytest.raises(ProjectError, match="is not the database of a review project"):
        Project.open(tmp_path / "p")
    database.write_bytes(b"Quixotebury-77" * 400)
    with pytest.raises(ProjectError) as caught:
        Project.open(tmp_path / "p")
    assert "Quixotebury" not in str(caught.value)


def test_marks_are_added_moved_relabelled_and_deleted(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1", spans=[LEE])]) as project:
        version = project.begin("n1", "ana")
        assert (version.marks, version.suggested, version.revision) == ((LEE,), (LEE,), 0)
        version = project.edit("n1", "ana", Add(DATE.start, DATE.end, "AGE"), revision=0)
        age = version.marks[1]
        version = project.edit("n1", "ana", Relabel(age, "DATE"), revision=1)
        version = project.edit("n1", "ana", Move(DATE, DATE.start, DATE.end - 5), revision=2)
        assert version.marks == (LEE, Span(DATE.start, DATE.end - 5, "DATE"))
        version = project.edit("n1", "ana", Delete(LEE), revision=3)
        assert (version.revision, version.can_undo, version.can_redo) == (4, True, False)
        assert version.marks[0].source == "ana"
        assert project.version("n1", "ben").marks == (LEE,)
        assert [entry.action for entry in project.history("n1", "ana")] == [
            "add", "relabel", "move", "delete",
        ]  # fmt: skip


def test_everything_is_undone_and_done_again(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        version = project.begin("n1", "ana")
        stages = [version.marks]
        for start in (0, 5, 8):
            version = project.edit(
                "n1", "ana", Add(start, start + 2, "AGE"), revision=version.revision
            )
            stages.append(version.marks)
        for marks in reversed(stages[:-1]):
            version = project.undo("n1", "ana", revision=version.revision)
            assert version.marks == marks
        with pytest.raises(StateError, match="nothing to undo"):
            project.undo("n1", "ana", revision=version.revision)
        for marks in stages[1:]:
            version = project.redo("n1", "ana", revision=version.revision)
            assert version.marks == marks
        version = project.undo("n1", "ana", revision=version.revision)
        version = project.edit("n1", "ana", Add(30, 31, "AGE"), revision=version.revision)
        assert not version.can_redo
        with pytest.raises(StateError, match="nothing to redo"):
            project.redo("n1", "ana", revision=version.revision)
        assert project.check().faults == ()


STEPS = st.lists(
    st.one_of(
        st.sampled_from(("undo", "redo")),
        st.tuples(st.integers(0, 20), st.integers(1, 5), st.sampled_from(("AGE", "DATE"))),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Give a project to which each example of a property test adds a document."""
    with new_project(tmp_path_factory.mktemp("shelf") / "p", [], annotators=["ana"]) as project:
        yield project


def _shelve(project: Project, text: str = TEXT) -> str:
    name = f"n{project.info().documents}"
    project.import_documents([note(name, text)])
    return name


@settings(max_examples=15)
@given(STEPS)
def test_undo_and_redo_follow_two_plain_stacks(shelf: Project, steps: list[object]) -> None:
    done: list[tuple[Span, ...]] = [()]
    undone: list[tuple[Span, ...]] = []
    name = _shelve(shelf)
    version = shelf.begin(name, "ana")
    for step in steps:
        try:
            if isinstance(step, tuple):
                start, size, label = step
                action = Add(start, start + size, label)
                found = shelf.edit(name, "ana", action, revision=version.revision)
                if found.revision > version.revision:
                    done.append(found.marks)
                    undone.clear()
            elif step == "undo":
                found = shelf.undo(name, "ana", revision=version.revision)
                undone.append(done.pop())
            else:
                found = shelf.redo(name, "ana", revision=version.revision)
                done.append(undone.pop())
        except (SpanError, StateError):
            continue
        version = found
        assert version.marks == done[-1]
        assert (version.can_undo, version.can_redo) == (len(done) > 1, bool(undone))
    assert shelf.check().faults == ()


def test_an_edit_of_old_marks_is_a_conflict_and_changes_nothing(tmp_path: Path) -> None:
    with (
        new_project(tmp_path / "p", [note("n1")]) as project,
        Project.open(tmp_path / "p") as other,
    ):
        version = project.begin("n1", "ana")
        other.edit("n1", "ana", Add(0, 4, "AGE"), revision=version.revision)
        for attempt in (
            lambda: project.edit("n1", "ana", Add(5, 7, "AGE"), revision=0),
            lambda: project.undo("n1", "ana", revision=0),
            lambda: project.finish("n1", "ana", revision=0),
            lambda: project.mark_same("n1", "ana", 0, 4, label="AGE", revision=0),
        ):
            with pytest.raises(ConflictError) as caught:
                attempt()
            assert (caught.value.expected, caught.value.revision) == (0, 1)
        assert project.version("n1", "ana").revision == 1


def test_bad_edits_are_refused(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        with pytest.raises(StateError, match="is not begun"):
            project.edit("n1", "ana", Add(0, 4, "AGE"), revision=0)
        project.begin("n1", "ana")
        with pytest.raises(LabelError, match="has no label 'NOPE'"):
            project.edit("n1", "ana", Add(0, 4, "NOPE"), revision=0)
        with pytest.raises(SpanError, match="outside of the text"):
            project.edit("n1", "ana", Add(0, 4000, "AGE"), revision=0)
        with pytest.raises(NotFoundError, match="no document 'n9'"):
            project.begin("n9", "ana")
        with pytest.raises(NotFoundError, match="no annotator 'eva'"):
            project.begin("n1", "eva")
        with pytest.raises(InputError, match="no string to look for"):
            project.mark_same("n1", "ana", 7, 8, label="AGE", revision=0)
        with pytest.raises(InputError, match="time spent"):
            project.spend("n1", "ana", float("nan"))
        assert project.history("n1", "ana") == ()


def test_same_strings_in_document_and_project(tmp_path: Path) -> None:
    notes = [note("n1"), note("n2", "Lee came."), note("n3", "Lee left."), note("n4", "no one")]
    with new_project(tmp_path / "p", notes) as project:
        mark_all(project, "n3", "ana", [])
        version = project.begin("n1", "ana")
        applied = project.mark_same(
            "n1", "ana", LEE.start, LEE.end, label="DOCTOR", revision=version.revision
        )
        assert (applied.documents, applied.places) == (("n1",), 2)
        version = project.version("n1", "ana")
        applied = project.mark_same(
            "n1", "ana", LEE.start, LEE.end, label="PATIENT", scope="project",
            revision=version.revision,
        )  # fmt: skip
        assert applied.documents == ("n1", "n2")
        assert (applied.places, applied.closed) == (3, 1)
        assert project.version("n3", "ana").marks == ()
        assert project.version("n2", "ben").marks == ()
        second = project.version("n2", "ana")
        project.edit("n2", "ana", Add(4, 8, "AGE"), revision=second.revision)
        undone = project.undo_batch("ana", applied.batch)
        assert (undone.documents, undone.skipped) == (("n1",), 1)
        assert [mark.label for mark in project.version("n1", "ana").marks] == ["DOCTOR", "DOCTOR"]
        assert project.check().faults == ()


def test_finished_documents_are_closed_until_reopened(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")], annotators=["ana"]) as project:
        mark_all(project, "n1", "ana", [DATE])
        version = project.version("n1", "ana")
        assert version.state == "done"
        assert not version.can_undo
        with pytest.raises(StateError, match="Reopen it first"):
            project.edit("n1", "ana", Add(0, 4, "AGE"), revision=version.revision)
        row = project.document("n1")
        assert (row.state, row.accepted) == ("done", True)
        version = project.reopen("n1", "ana")
        version = project.undo("n1", "ana", revision=version.revision)
        assert version.marks == ()
        with pytest.raises(StateError, match="is not finished"):
            project.reopen("n1", "ana")


def test_a_newcomer_does_not_make_finished_documents_unfinished(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1"), note("n2")], annotators=["ana"]) as project:
        mark_all(project, "n1", "ana", [DATE])
        project.add_annotator("ben")
        project.add_annotator("ben")
        states = [(row.id, row.state, row.annotators) for row in project.documents()]
        assert states == [("n1", "done", ("ana",)), ("n2", "open", ("ana", "ben"))]


@pytest.mark.parametrize("name", ["", "all", "Adjudicated", "a/b", "a\nb", " a", "a ", "x" * 65])
def test_bad_names_are_refused(tmp_path: Path, name: str) -> None:
    with new_project(tmp_path / "p", []) as project:
        with pytest.raises(InputError, match="annotator"):
            project.add_annotator(name)
        with pytest.raises(InputError, match="in case alone"):
            project.add_annotator("ANA")
        assert project.annotators() == ("ana", "ben")


def test_documents_are_assigned_evenly(tmp_path: Path) -> None:
    notes = [note(f"n{number}") for number in range(9)]
    people = ["ana", "ben", "cem"]
    with new_project(tmp_path / "p", notes, annotators=people) as project:
        assert project.assign(people, per_document=2) == 18
        assert project.assign(people, per_document=2) == 0
        rows = project.documents()
        assert all(len(row.annotators) == 2 for row in rows)
        assert [len(project.documents(annotator=name)) for name in people] == [6, 6, 6]
        lacking = next(row for row in rows if "ana" not in row.annotators)
        with pytest.raises(StateError, match="is not assigned"):
            project.begin(lacking.id, "ana")
        with pytest.raises(ConfigError, match="4 of 3 annotators"):
            project.assign(people, per_document=4)


def test_documents_are_listed_by_state_and_page(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note(f"n{n}") for n in range(4)]) as project:
        project.begin("n1", "ana")
        mark_all(project, "n2", "ana", [])
        mark_all(project, "n2", "ben", [])
        states = [row.state for row in project.documents()]
        assert states == ["open", "in progress", "done", "open"]
        assert [row.id for row in project.documents(state="open")] == ["n0", "n3"]
        assert [row.id for row in project.documents(offset=1, limit=2)] == ["n1", "n2"]
        mine = [row.mine for row in project.documents(annotator="ana")]
        assert mine == ["open", "in progress", "done", "open"]


def test_an_import_is_whole_or_not_at_all(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        with pytest.raises(InputError, match="'n1' already"):
            project.import_documents([note("n2"), note("n1")])
        with pytest.raises(LabelError, match="document 'n3'"):
            project.import_documents([note("n2"), note("n3", spans=[Span(0, 4, "NOPE")])])
        assert [row.id for row in project.documents()] == ["n1"]
        counts = project.import_documents([note("n3", spans=[LEE])], spans="drop")
        assert (counts.documents, counts.suggestions) == (1, 0)


def test_an_import_counts_texts_that_are_there_under_another_id(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        notes = [note("n2"), note("n3", "other"), note("n4", "other"), note("n5", "OTHER")]
        assert project.import_documents(notes).repeated == 2
        assert project.import_documents([note("n6", "new")]).repeated == 0


def test_what_is_begun_comes_first_and_what_is_not_ones_own_never(tmp_path: Path) -> None:
    notes = [note(f"n{number}") for number in range(6)]
    with new_project(tmp_path / "p", notes) as project:
        project.assign(["ben"], documents=["n1"])
        project.begin("n3", "ana")
        project.begin("n4", "ana")
        mark_all(project, "n2", "ana", [])
        mark_all(project, "n0", "ben", [])
        coming = [one.document for one in project.upcoming("ana")]
        assert coming == ["n3", "n4", "n0", "n5"]
        assert [one.document for one in project.upcoming("ben", most=2)] == ["n1", "n2"]
        mark_all(project, "n0", "ana", [DATE])
        project.deciding.decide("n0", DATE.start, DATE.end, "none", decider="eva")
        project.deciding.adjudicate("n0", decider="eva")
        project.add_annotator("cem")
        assert [one.document for one in project.upcoming("cem")] == ["n2", "n3", "n4", "n5"]


@settings(max_examples=25)
@given(texts())
def test_texts_come_back_as_they_were(shelf: Project, text: str) -> None:
    name = _shelve(shelf, text)
    assert shelf.text(name) == text
    assert shelf.document(name).size == len(text)


def test_texts_that_utf8_cannot_write_come_back_too(tmp_path: Path) -> None:
    text = "half \ud83d and \x00 nothing"
    with new_project(tmp_path / "p", [Document("n1", text)]) as project:
        assert project.text("n1") == text


def test_hidden_suggestions_are_not_what_one_begins_with(tmp_path: Path) -> None:
    notes = [note("n1", spans=[LEE]), note("n2", spans=[LEE])]
    with new_project(tmp_path / "p", notes) as project:
        project.set_shown(["n2"], shown=False)
        assert project.begin("n1", "ana").suggested == (LEE,)
        hidden = project.begin("n2", "ana")
        assert (hidden.marks, hidden.suggested, hidden.shown) == ((), (), False)
        project.set_shown(["n2"], shown=True)
        assert project.version("n2", "ana").marks == ()
        assert project.version("n2", "ben").marks == (LEE,)


def test_what_suggestions_save_is_counted(tmp_path: Path) -> None:
    mr = find(TEXT, "Abend", "PATIENT")
    suggested = [LEE, Span(DATE.start, DATE.end - 2, "DATE"), find(TEXT, "called", "CITY")]
    notes = [note("n1", spans=suggested), note("n2")]
    with new_project(tmp_path / "p", notes, annotators=["ana"]) as project:
        mark_all(project, "n1", "ana", [LEE, DATE, LATER, mr])
        mark_all(project, "n2", "ana", [DATE])
        project.spend("n1", "ana", 10.0)
        project.spend("n1", "ana", 20.0)
        project.spend("n2", "ana", 60.0)
        found = project.savings()
        assert (found.accepted, found.changed, found.deleted, found.added) == (1, 1, 1, 3)
        assert (found.seconds, found.timed_with, found.timed_without) == (90.0, 1, 1)
        assert found.saved == pytest.approx(0.5)
        progress = project.progress()
        assert (progress.done, progress.accepted, progress.disputed) == (2, 2, 0)
        assert progress.annotators[0].savings == found
        assert to_json(progress)["annotators"][0]["done"] == 2


def test_records_become_json(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1", spans=[LEE])]) as project:
        record = to_json(project.begin("n1", "ana"))
        assert record["marks"] == [
            {"start": LEE.start, "end": LEE.end, "label": "DOCTOR", "score": None, "source": ""}
        ]


def test_nobody_sees_others_before_all_are_done(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        mark_all(project, "n1", "ana", [LEE])
        for look in (
            lambda: project.deciding.differences("n1"),
            lambda: project.deciding.versions("n1"),
            lambda: project.deciding.adjudicate("n1", decider="eva"),
            lambda: project.deciding.decide("n1", 0, 1, "ana", decider="eva"),
        ):
            with pytest.raises(BlindError, match="ben"):
                look()
        with pytest.raises(StateError, match="finished by two"):
            project.deciding.agreement()


def test_an_annotator_who_has_begun_nothing_can_go(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")]) as project:
        project.add_annotator("bne")
        project.remove_annotator("bne")
        assert project.annotators() == ("ana", "ben")
        for name in ("ana", "ben"):
            mark_all(project, "n1", name, [])
        assert project.progress().accepted == 1
        with pytest.raises(StateError, match="'ana' has begun documents"):
            project.remove_annotator("ana")
        with pytest.raises(NotFoundError, match="no annotator 'bne'"):
            project.remove_annotator("bne")
        project.import_documents([note("n2", "Lee was here.")])
        project.add_annotator("bne")
        project.assign(["bne"], documents=["n2"])
        with pytest.raises(StateError, match="assigned to 'bne' alone"):
            project.remove_annotator("bne")


def test_a_value_of_another_type_is_no_damaged_database(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("a")]) as project:
        with pytest.raises(TypeError, match="of another type"):
            project.begin(object(), "ana")  # type: ignore[arg-type]
        assert project.begin("a", "ana").revision == 0
    with pytest.raises(StateError, match="the project is closed"):
        project.begin("a", "ana")


def test_values_that_no_database_holds_are_input_errors(tmp_path: Path) -> None:
    half, huge = "secret\ud800", 10**30
    with new_project(tmp_path / "p", [note("a")]) as project:
        for call in (
            lambda: project.begin(half, "ana"),
            lambda: project.begin("a", half),
            lambda: project.document(half),
            lambda: project.undo_batch("ana", half),
            lambda: project.assign(["ana"], documents=[half]),
            lambda: project.import_documents([note(half)]),
        ):
            with pytest.raises(InputError, match="half of a surrogate pair") as error:
                call()
            assert "secret" not in str(error.value)
        with pytest.raises(InputError, match="a number is too large"):
            project.begin(huge, "ana")  # type: ignore[arg-type]
        assert [row.id for row in project.documents(limit=huge)] == ["a"]
        assert project.documents(offset=huge, limit=huge) == ()
        assert project.begin("a", "ana").revision == 0
