"""Learning in the loop: what comes next, retraining, its curve, cancelling and resuming."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from scrubjay.artifacts import save_artifact
from scrubjay.document import Span
from scrubjay.errors import ConfigError, LabelError, NotFoundError, StateError
from scrubjay.review.learn import LearnRequest
from scrubjay.review.project import Project
from scrubjay.review.ranking import bag_of_words, disagreement_of, spread
from scrubjay.review.records import Run
from tests.corpus_samples import make_notes
from tests.review.samples import TEXT, mark_all, new_project, note
from tests.tiny_crf import tiny_config
from tests.toys import CANARY, RaisingDetector, save_toy_model, ship_toy_model


def test_a_model_suggests_where_nobody_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped", detector=RaisingDetector())
    notes = [note("n1"), note("n2"), note("n3", f"{CANARY} 3/4/2019")]
    with new_project(tmp_path / "p", notes) as project:
        project.begin("n2", "ana")
        found = project.prelabel("toy")
        assert (found.documents, found.suggestions, found.failures) == (1, 2, ("n3",))
        assert [row.suggestions for row in project.documents()] == [2, 0, 0]
        version = project.begin("n1", "ana")
        assert [(mark.label, mark.score) for mark in version.marks] == [("DATE", 0.75)] * 2
        assert (version.model, project.info().model) == ("toy", "toy")
        with pytest.raises(ConfigError, match="unknown model"):
            project.prelabel("nothing")


def test_imported_suggestions_that_give_way_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    notes = [note("n1", spans=[Span(12, 15, "DOCTOR")]), note("n2")]
    with new_project(tmp_path / "p", notes) as project:
        assert project.prelabel("toy").replaced == 1
        assert project.prelabel("toy").replaced == 0


def test_lots_decide_who_sees_suggestions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    with new_project(tmp_path / "p", [note(f"n{n}") for n in range(40)]) as project:
        project.prelabel("toy", shown="half")
        first = [row.shown for row in project.documents()]
        assert 5 < sum(first) < 35
        project.prelabel("toy", shown="half")
        assert [row.shown for row in project.documents()] == first
        project.prelabel("toy", shown="none")
        assert not any(row.shown for row in project.documents())


def test_a_model_of_other_labels_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    with Project.create(tmp_path / "p", labels="meddocan") as project:
        with pytest.raises(LabelError, match="gives the label 'DATE'"):
            project.prelabel("toy")
        with pytest.raises(LabelError, match="gives the label 'DATE'"):
            project.retraining.start(LearnRequest(base="toy"))
        assert project.info().model == ""


def test_disagreement_is_the_share_of_spans_that_one_has_alone() -> None:
    a, b, c = Span(0, 1, "DATE"), Span(2, 3, "DATE"), Span(4, 5, "AGE")
    both = {"DATE", "AGE"}
    assert disagreement_of([[a, b], [a]], [both, both]) == 0.5
    assert disagreement_of([[a, c], [a]], [both, {"DATE"}]) == 0.0
    assert disagreement_of([[], []], [both, both]) == 0.0
    assert disagreement_of([[a], [b], [a]], [both] * 3) == pytest.approx(2 / 3)


def test_the_order_is_unsure_first_and_then_unlike_what_came() -> None:
    words = ["aspirin daily", "aspirin daily", "seen by doctor", "house and garden"]
    features = np.array([bag_of_words(text) for text in words])
    unsure = np.array([0.9, 0.9, 0.5, 0.1])
    none = np.zeros((0, features.shape[1]), dtype=np.float32)
    assert spread(features, unsure, known=none) == [0, 2, 3, 1]
    assert spread(features, unsure, known=features[:1]) == [2, 3, 0, 1]
    assert spread(features, unsure, known=none, most=1) == [0, 1, 2, 3]


def test_documents_come_in_the_order_of_the_ranking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    notes = [note("same", TEXT), note("again", TEXT), note("plain", "no fever"), note("none", "")]
    with new_project(tmp_path / "p", notes) as project:
        with pytest.raises(ConfigError, match="no model to rank"):
            project.rank()
        first = project.next("ana")
        assert first is not None
        assert (first.document, first.margin) == ("same", None)
        project.prelabel("toy")
        assert project.rank() == 4
        assert project.rank() == 0
        planned = project.upcoming("ana")
        assert [one.place for one in planned] == [1, 2, 3, 4]
        assert project.upcoming("ana", most=2) == planned[:2]
        assert all(project.document(one.document).number == one.number for one in planned)
        order = []
        while (found := project.next("ana")) is not None:
            assert found.margin is not None
            assert project.next("ana") == found
            order.append(found.document)
            mark_all(project, found.document, "ana", [])
        assert order == [one.document for one in planned]
        assert order[0] == "same"
        assert order.index("again") > 1
        project.import_documents([note("new", "3/4/2019")])
        found = project.next("ana")
        assert found is not None
        assert found.document == "new"
        begun = project.begin("new", "ana")
        assert begun.state == "in progress"
        again = project.next("ana")
        assert again is not None
        assert again.document == "new"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small model."""
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    from scrubjay.learning.crf import CrfLearner

    fitted = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014").fit(make_notes(6))
    folder = tmp_path_factory.mktemp("base") / "crf"
    save_artifact(folder, fitted.manifest, files=fitted.files())
    return folder


@pytest.fixture
def accepted(tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a project with ten accepted notes, and a model."""
    notes = make_notes(10, seed=1)
    # The id tells which notes are kept to measure on.
    seeded = SimpleNamespace(token_hex=lambda _size: "5eed")
    monkeypatch.setattr("scrubjay.review.project.secrets", seeded)
    project = new_project(tmp_path / "p", [one.with_spans(()) for one in notes], annotators=["ana"])
    project.prelabel(base)
    for one in notes:
        mark_all(project, one.id, "ana", one.spans)
    return project


REQUEST = LearnRequest(dev_share=0.5, folds=2, weight=1.0)


def test_too_little_to_learn_from_is_refused(tmp_path: Path) -> None:
    with new_project(tmp_path / "p", [note("n1")], annotators=["ana"]) as project:
        with pytest.raises(ConfigError, match="no model to begin with"):
            project.retraining.start()
        save_toy_model(tmp_path / "toy", kind="regex")
        with pytest.raises(StateError, match="0 accepted documents are there"):
            project.retraining.start(LearnRequest(base=str(tmp_path / "toy")))
        with pytest.raises(NotFoundError, match="no run 3"):
            project.retraining.cancel(3)
    for bad in ({"dev_share": 1.0}, {"folds": 1}):
        with pytest.raises(ConfigError):
            LearnRequest(**bad)  # type: ignore[arg-type]


def test_a_run_makes_a_model_that_is_chosen_by_hand(accepted: Project, base: Path) -> None:
    with accepted as project:
        run = project.retraining.start(REQUEST)
        assert (run.state, run.error) == ("done", "")
        assert run.train + run.dev == 10
        assert 0 < run.dev < 9
        assert run.metrics["after"]["f1"] is not None
        assert (run.chosen, project.info().model) == (False, str(base))
        points = project.retraining.curve()
        assert [(one.run, one.train, one.dev) for one in points] == [
            (0, 0, run.dev),
            (1, run.train, run.dev),
        ]
        assert points[1].f1 == run.metrics["after"]["f1"]
        project.import_documents(make_notes(2, seed=9, prefix="new"), spans="drop")
        found = project.retraining.choose(run.number)
        assert (found.model, found.documents) == ("project:models/run-1/model", 2)
        assert project.retraining.runs()[0].chosen
        second = project.retraining.start(REQUEST)
        assert (second.number, second.base) == (2, str(base))
        assert not list(project.folder.rglob("notes.jsonl"))
        for path in project.folder.joinpath("models").iterdir():
            assert path.stat().st_mode & 0o077 == 0


def test_documents_held_out_are_the_same_in_every_run(accepted: Project) -> None:
    with accepted as project:
        store = project._store
        project.retraining.start(REQUEST)
        project.retraining.start(REQUEST)
        rows = store.all("SELECT train, dev FROM runs")
        assert rows[0]["dev"] == rows[1]["dev"]
        for row in rows:
            assert not set(json.loads(row["train"])) & set(json.loads(row["dev"]))


def test_a_run_stops_when_it_is_told_to_and_goes_on_later(
    accepted: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrubjay.learning import adaptation

    real = adaptation.adapt_model

    def cancel_first(request: object, *, progress: object) -> object:
        project.retraining.cancel(1)
        monkeypatch.setattr(adaptation, "adapt_model", real)
        return real(request, progress=progress)  # type: ignore[arg-type]

    with accepted as project:
        monkeypatch.setattr(adaptation, "adapt_model", cancel_first)
        run = project.retraining.start(REQUEST)
        assert (run.state, run.model) == ("cancelled", "")
        with pytest.raises(StateError, match="is cancelled and has no model"):
            project.retraining.choose(1)
        with pytest.raises(StateError, match="nothing to cancel"):
            project.retraining.cancel(1)
        run = project.retraining.resume(1)
        assert run.state == "done"
        with pytest.raises(StateError, match="nothing to resume"):
            project.retraining.resume(1)


def test_a_failed_run_says_what_is_ours_and_hides_the_rest(
    accepted: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrubjay.learning import adaptation

    def fail(request: object, *, progress: object) -> object:
        raise RuntimeError(CANARY)

    with accepted as project:
        with monkeypatch.context() as patch:
            patch.setattr(adaptation, "adapt_model", fail)
            run = project.retraining.start(REQUEST)
        assert (run.state, run.error) == ("failed", "RuntimeError")
        assert project.retraining.resume(run.number).state == "done"


def _wait(project: Project, number: int) -> Run:
    """Return a run when it has ended, however slow the machine is."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        run = next(one for one in project.retraining.runs() if one.number == number)
        if run.state not in ("waiting", "running"):
            return run
        time.sleep(0.2)
    raise AssertionError("the run does not end")


def test_a_run_in_the_background_is_watched_from_here(accepted: Project) -> None:
    with accepted as project:
        run = project.retraining.start(REQUEST, background=True)
        assert run.state in ("waiting", "running", "done")
        run = _wait(project, run.number)
        assert (run.state, run.error, run.share) == ("done", "", 1.0)
        assert project.check().faults == ()


def test_a_run_whose_process_is_gone_can_be_resumed(accepted: Project) -> None:
    with accepted as project:
        project.retraining.start(REQUEST)
        # As a kill leaves it: the model is whole, but nobody wrote down that the run is done.
        project._store.run("UPDATE runs SET state = 'running', model = '', metrics = '{}'")
        (run,) = project.retraining.runs()
        assert run.state == "interrupted"
        model = project.folder / "models" / "run-1" / "model" / "manifest.json"
        before = model.stat().st_mtime_ns
        run = project.retraining.resume(1)
        assert (run.state, model.stat().st_mtime_ns) == ("done", before)


def test_a_note_of_no_words_has_no_features() -> None:
    assert not bag_of_words("").any()
    assert bag_of_words("9/9").tolist() == bag_of_words("1/2").tolist()
