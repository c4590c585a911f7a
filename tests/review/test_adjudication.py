"""Two annotators: agreement, differences, decisions, gold, and what is exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import FORMATS, find_format, read_corpus, write_corpus
from scrubjay.document import Span
from scrubjay.errors import (
    ConfigError,
    InputError,
    NotFoundError,
    OutputError,
    SpanError,
    StateError,
)
from scrubjay.review.marks import Add
from scrubjay.review.project import Project
from tests.corpus_samples import make_notes
from tests.review.samples import TEXT, find, mark_all, new_project, note

LEE = find(TEXT, "Lee", "DOCTOR")
AGAIN = find(TEXT, "Lee", "DOCTOR", nth=1)
DATE = find(TEXT, "3/4/2019", "DATE")
LATER = find(TEXT, "5/6/2019", "DATE")
MR = find(TEXT, "Abend", "PATIENT")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project in which two disagree about one note and agree about another."""
    made = new_project(tmp_path / "p", [note("n1"), note("n2"), note("n3")])
    mark_all(made, "n1", "ana", [LEE, DATE, MR])
    longer = Span(MR.start - 4, MR.end, "PATIENT")
    mark_all(made, "n1", "ben", [LEE, Span(DATE.start, DATE.end, "AGE"), longer, LATER])
    mark_all(made, "n2", "ana", [LEE])
    mark_all(made, "n2", "ben", [LEE])
    return made


def test_agreement_covers_what_all_have_finished(project: Project) -> None:
    with project:
        mark_all(project, "n3", "ana", [LEE])
        report = project.deciding.agreement()
        assert (report.annotators, report.documents) == (("ana", "ben"), 2)
        row = next(row for row in report.pairs[0].labels if row.label == "DOCTOR")
        assert row.strict.f1 == 1.0
        assert report.pairs[0].all_labels.strict.f1 == pytest.approx(2 * 2 / 9)
        assert project.progress().disputed == 1


def test_differences_are_decided_one_by_one(project: Project) -> None:
    with project:
        found = project.deciding.differences("n1")
        assert [one.kind for one in found] == ["label", "extent", "missing"]
        assert [side.annotator for side in found[0].sides] == ["ana", "ben"]
        with pytest.raises(StateError, match="3 of 3 differences"):
            project.deciding.adjudicate("n1", decider="eva")
        project.deciding.decide("n1", DATE.start, DATE.end, "ana", decider="eva")
        own = Span(MR.start, MR.end, "DOCTOR")
        project.deciding.decide(
            "n1", found[1].start, found[1].end, "own", decider="eva", marks=[own]
        )
        rest = project.deciding.decide("n1", LATER.start, LATER.end, "none", decider="eva")
        assert [one.choice for one in rest] == ["ana", "own", "none"]
        rest = project.deciding.decide("n1", LATER.start, LATER.end, "", decider="eva")
        assert rest[2].choice == ""
        project.deciding.decide("n1", LATER.start, LATER.end, "ben", decider="eva")
        gold = project.deciding.adjudicate("n1", decider="eva")
        assert gold.marks == (LEE, DATE, own, LATER)
        assert (gold.decider, project.deciding.gold("n1"), project.deciding.gold("n2")) == (
            "eva",
            gold,
            None,
        )
        row = project.document("n1")
        assert (row.state, row.accepted) == ("adjudicated", True)
        with pytest.raises(StateError, match="adjudicated"):
            project.deciding.decide("n1", LATER.start, LATER.end, "none", decider="eva")
        project.deciding.withdraw("n1")
        assert project.document("n1").state == "done"
        assert project.deciding.differences("n1")[2].choice == "ben"
        assert project.check().faults == ()


def test_who_was_compared_cannot_change_what_was_marked(project: Project) -> None:
    with project:
        project.reopen("n2", "ana")
        version = project.version("n2", "ana")
        project.finish("n2", "ana", revision=version.revision)
        project.deciding.differences("n2")
        with pytest.raises(StateError, match="blind no more"):
            project.reopen("n2", "ana")


def test_decisions_that_do_not_fit_are_refused(project: Project) -> None:
    with project:
        where = ("n1", DATE.start, DATE.end)
        with pytest.raises(NotFoundError, match="no difference at"):
            project.deciding.decide("n1", 0, 4, "ana", decider="eva")
        with pytest.raises(InputError, match="'eva' has no marks"):
            project.deciding.decide(*where, "eva", decider="eva")
        with pytest.raises(InputError, match="no marks are given"):
            project.deciding.decide(*where, "own", decider="eva")
        with pytest.raises(InputError, match="is not 'own'"):
            project.deciding.decide(*where, "none", decider="eva", marks=[DATE])
        with pytest.raises(SpanError, match="lies outside of its difference"):
            project.deciding.decide(*where, "own", decider="eva", marks=[LATER])
        beyond, wide = Span(DATE.start, 4000, "DATE"), Span(LEE.start, DATE.end, "DATE")
        with pytest.raises(SpanError, match="ends beyond the text"):
            project.deciding.decide(*where, "own", decider="eva", marks=[beyond])
        with pytest.raises(SpanError, match="overlaps"):
            project.deciding.decide(*where, "own", decider="eva", marks=[wide])
        with pytest.raises(InputError, match="must be named"):
            project.deciding.decide(*where, "ana", decider="")


def test_own_marks_must_not_reach_into_other_decisions(project: Project) -> None:
    with project:
        first, second, _ = project.deciding.differences("n1")
        wide = Span(first.start, second.start + 2, "DATE")
        project.deciding.decide("n1", first.start, first.end, "own", decider="eva", marks=[wide])
        project.deciding.decide("n1", second.start, second.end, "ben", decider="eva")
        project.deciding.decide("n1", LATER.start, LATER.end, "ana", decider="eva")
        with pytest.raises(SpanError, match="overlaps another mark of the outcome"):
            project.deciding.adjudicate("n1", decider="eva")
        project.deciding.decide("n1", second.start, second.end, "none", decider="eva")
        assert project.deciding.adjudicate("n1", decider="eva").marks == (LEE, wide)


def test_each_kind_of_marks_is_exported(project: Project, tmp_path: Path) -> None:
    with project:
        version = project.begin("n3", "ana")
        project.edit("n3", "ana", Add(DATE.start, DATE.end, "DATE"), revision=version.revision)
        accepted = tmp_path / "accepted"
        assert project.export(accepted, format="jsonl") == 1
        assert [one.spans for one in read_corpus(accepted)] == [(LEE,)]
        assert project.export(tmp_path / "ana", format="brat", whose="ana") == 2
        whole = tmp_path / "whole"
        assert project.export(whole, format="jsonl", whose="ana", unfinished=True) == 3
        assert project.export(tmp_path / "all", format="inline", whose="all") == 5
        assert sorted(one.name for one in (tmp_path / "all").iterdir()) == [
            "accepted", "ana", "ben",
        ]  # fmt: skip
        for path in accepted.iterdir():
            assert path.stat().st_mode & 0o077 == 0
        with pytest.raises(StateError, match="no adjudicated marks"):
            project.export(tmp_path / "gold", format="jsonl", whose="adjudicated")
        with pytest.raises(ConfigError, match="no unfinished"):
            project.export(tmp_path / "gold", format="jsonl", unfinished=True)
        with pytest.raises(NotFoundError, match="'eva'"):
            project.export(tmp_path / "gold", format="jsonl", whose="eva")
        with pytest.raises(OutputError):
            project.export(tmp_path / "p" / "out", format="jsonl")
        assert not (tmp_path / "gold").exists()


@pytest.mark.parametrize("format", [name for name in FORMATS if find_format(name).holds_spans])
def test_every_format_goes_in_and_out(tmp_path: Path, format: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    if format in ("i2b2-2006", "nursing"):
        pytest.skip("holds no i2b2-2014 labels as they are")
    notes = make_notes(2, seed=3)
    write_corpus(notes, tmp_path / "in", format=format)
    came = {one.id: one for one in read_corpus(tmp_path / "in", format=format)}
    with Project.create(tmp_path / "p", labels="i2b2-2014") as project:
        project.add_annotator("ana")
        project.import_corpus([tmp_path / "in"], format=format)
        for name in came:
            project.finish(name, "ana", revision=project.begin(name, "ana").revision)
        project.export(tmp_path / "out", format=format)
    back = {one.id: one for one in read_corpus(tmp_path / "out", format=format)}
    assert {name: (one.text, one.spans) for name, one in back.items()} == {
        name: (one.text, one.spans) for name, one in came.items()
    }
