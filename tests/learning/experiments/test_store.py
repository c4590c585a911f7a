"""The folder of an experiment: resumed by the same one alone, and never half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import InputError, OutputError
from scrubjay.learning.experiments.cells import WHOLE, Cell, CellResult, score
from scrubjay.learning.experiments.store import differences, open_store
from scrubjay.learning.experiments.systems import named_systems
from tests.learning.experiments.samples import make_data

TREES = st.recursive(
    st.integers(0, 2), lambda inner: st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
)


def made(data, folder: Path):  # type: ignore[no-untyped-def]
    """Return a store and the result of a cell, the spans being gold."""
    (system,) = named_systems(["patterns"])
    cell = Cell("patterns, seed 0", system, 0, data.train, {WHOLE: data.dev})
    gold = data.at(data.dev)
    spans = tuple(document.spans for document in gold)
    figures = score(gold, spans, data.label_set)
    result = CellResult(cell, {WHOLE: figures}, {"training": 1.0, "detection": 0.1}, {}, spans)
    return open_store(folder, {"a": 1}, extent={"seeds": [0]}), cell, result


def test_a_cell_comes_back(tmp_path: Path) -> None:
    data = make_data()
    store, cell, result = made(data, tmp_path / "out")
    assert store.read(cell, data) is None
    store.write(result, data)
    known = store.read(cell, data)
    assert known is not None
    assert known.figures == result.figures
    assert known.figures.strict.f1 == 1.0
    gold = data.at(data.dev)
    assert [d.spans for d in store.predictions(cell, gold)] == [d.spans for d in gold]


def test_predictions_hold_no_text(tmp_path: Path) -> None:
    data = make_data()
    store, _, result = made(data, tmp_path / "out")
    store.write(result, data)
    written = "".join(path.read_text() for path in (tmp_path / "out").rglob("*.*"))
    for document in data.at(data.dev):
        for span in document.spans:
            mention = document.text[span.start : span.end]
            assert len(mention) < 6 or mention not in written


def test_a_cell_of_something_else_is_refused(tmp_path: Path) -> None:
    data = make_data()
    store, cell, result = made(data, tmp_path / "out")
    store.write(result, data)
    with pytest.raises(OutputError, match="another configuration or other documents"):
        store.read(cell, make_data(train=13, dev=5))
    path = tmp_path / "out" / "cells" / f"{cell.slug}.json"
    path.write_text("{}")
    with pytest.raises(OutputError, match=r"not the result of a cell.*Delete it"):
        store.read(cell, data)
    path.unlink()
    assert store.read(cell, data) is None


def test_predictions_of_other_texts_are_refused(tmp_path: Path) -> None:
    data = make_data()
    store, cell, result = made(data, tmp_path / "out")
    store.write(result, data)
    first = data.at(data.dev)[0]
    with pytest.raises(InputError, match=f"{first.id!r} has .* characters, predicted were"):
        store.predictions(cell, [Document(first.id, first.text + "x")])
    with pytest.raises(InputError, match="no prediction for document 'other'"):
        store.predictions(cell, [Document("other", "x", (Span(0, 1, "AGE"),))])


def test_a_folder_belongs_to_one_experiment(tmp_path: Path) -> None:
    identity = {"systems": {"CRF": {"config": {"training": {"c1": 0.1}}}}, "kind": "compare"}
    open_store(tmp_path / "out", identity, extent={"seeds": [0], "trials": 5}).begin()
    before = (tmp_path / "out" / "experiment.json").read_bytes()
    other = {"systems": {"CRF": {"config": {"training": {"c1": 0.2}}}}, "kind": "compare"}
    with pytest.raises(OutputError) as caught:
        open_store(tmp_path / "out", other, extent={"seeds": [0], "trials": 5})
    assert "systems.CRF.config.training.c1 is 0.1 there, 0.2 here" in str(caught.value)
    assert (tmp_path / "out" / "experiment.json").read_bytes() == before


def test_seeds_and_trials_may_grow_but_not_shrink(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    open_store(folder, {}, extent={"seeds": [0], "trials": 5}).begin()
    open_store(folder, {}, extent={"seeds": [1, 0], "trials": 9}).begin()
    for extent in ({"seeds": [0], "trials": 9}, {"seeds": [0, 1], "trials": 5}):
        with pytest.raises(OutputError, match="Results may be added to, not taken from"):
            open_store(folder, {}, extent=extent)


def test_what_is_not_begun_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    open_store(folder, {}, extent={"trials": 9})
    assert not folder.exists()
    store = open_store(folder, {}, extent={"trials": 5})
    store.begin()
    before = (folder / "experiment.json").read_bytes()
    open_store(folder, {}, extent={"trials": 9})
    assert (folder / "experiment.json").read_bytes() == before
    # Once is enough: a search runs cells many times.
    (folder / "experiment.json").unlink()
    store.begin()
    assert not (folder / "experiment.json").exists()


def test_what_a_report_shows_may_be_added_to_but_not_taken_from(tmp_path: Path) -> None:
    folder, extent = tmp_path / "out", {"reference": "", "by-label": False, "shuffles": 99}
    open_store(folder, {}, extent=extent).begin()
    grown = {"reference": "CRF", "by-label": True, "shuffles": 100}
    open_store(folder, {}, extent=grown).begin()
    for change, message in (
        ({"reference": "Rules"}, 'reference "CRF", asked for is "Rules".*--predicted FOLDER'),
        ({"reference": ""}, 'asked for is "".*choose another folder, or the same reference'),
        ({"by-label": False}, "by-label true, asked for is false.*or by-label true"),
        ({"shuffles": 99}, "shuffles 100, asked for is 99.*or more shuffles"),
    ):
        with pytest.raises(OutputError, match=message):
            open_store(folder, {}, extent=grown | change)
    open_store(folder, {}, extent=grown)


def test_a_damaged_description_tells_what_to_do(tmp_path: Path) -> None:
    for content in ("[]", "{", '{"identity": {}}', '{"identity": {}, "extent": 3}', "\udcff"):
        (tmp_path / "experiment.json").write_bytes(content.encode("utf-8", "surrogateescape"))
        with pytest.raises(OutputError, match=r"not a description.*Choose another folder, or del"):
            open_store(tmp_path, {}, extent={"seeds": [0]})
        (tmp_path / "experiment.json").write_text('{"identity": {}, "extent": {"seeds": "0"}}')
        with pytest.raises(OutputError, match="not taken from"):
            open_store(tmp_path, {}, extent={"seeds": [0]})


def test_other_places_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="is a file"):
        open_store(tmp_path / "file", {}, extent={})
    with pytest.raises(OutputError, match="holds something else"):
        open_store(tmp_path, {}, extent={})
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "experiment.json").write_text("[]")
    with pytest.raises(OutputError, match="not a description of an experiment"):
        open_store(tmp_path / "odd", {}, extent={})


@settings(max_examples=80)
@given(TREES, TREES)
def test_differences_are_none_exactly_between_equals(one: object, other: object) -> None:
    found = list(differences(one, other))
    assert (not found) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
    assert len(found) == len(list(differences(other, one)))
