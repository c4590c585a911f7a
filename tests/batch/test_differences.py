"""What differs between an interrupted run and the one that would go on with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.batch import _differences
from scrubjay.batch._differences import tell_differences
from scrubjay.batch.resume import Journal
from scrubjay.cli import main as cli
from tests.toys import ship_toy_model

RUN: dict[str, Any] = {
    "input": "a", "model": "en", "model_sha256": "1", "language": "en", "label_set": "i2b2-2014",
    "policy": "mask", "policy_sha256": "2", "reference_years": [], "key": None, "format": None,
    "options": {"encoding": "latin-1"}, "propagate": True, "missed": "replace",
    "keep_columns": ["ward"], "lists": ["", "", ""], "allow": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, []),
        ({"policy": "hash", "policy_sha256": "3"}, ["--policy (it was 'mask', and is 'hash')"]),
        ({"policy_sha256": "3"}, ["the policy of that name was changed"]),
        (
            {"policy_sha256": "3", "date_order": "dmy"},
            ["--date-order (it was not given, and is 'dmy')"],
        ),
        (
            {"date_look": {"usual": "dmy"}},
            ["what the documents tell of the order of their dates (--date-order sets it)"],
        ),
        (
            {"date_look": {"usual": "dmy"}, "date_order": "each"},
            ["--date-order (it was not given, and is 'each')"],
        ),
        ({"key": "0f"}, ["the key of the policy (--key-file, or SCRUBJAY_KEY)"]),
        (
            {"model": "nl", "model_sha256": "3", "language": "nl", "label_set": "x"},
            ["--model (it was 'en', and is 'nl')"],
        ),
        ({"model_sha256": "3", "language": "nl"}, ["the model of that name was changed"]),
        (
            {"propagate": False, "missed": "fail"},
            ["--propagate (it was on, and is off)"],
        ),
        (
            {"keep_columns": ["lab_*", "ward"]},
            ["--keep-column (it was 'ward', and is 'lab_*', 'ward')"],
        ),
        ({"keep_columns": []}, ["--keep-column (it was 'ward', and is not given)"]),
        ({"options": {"text_column": "note"}}, ["--encoding", "--text-column"]),
        ({"options": {"encoding": "latin-1", "unknown": "drop"}}, ["--unknown-parts"]),
        ({"allow": True, "lists": ["", "x", ""]}, ["--allow"]),
        ({"lists": ["", "x", ""]}, ["the files of --identifiers, --allow or --deny were changed"]),
        ({"seed": 1}, ["seed"]),
        (
            {"scrubjay": "2", "policy_sha256": "3", "date_look": {}},
            ["scrubjay itself: it was another version, or was changed"],
        ),
    ],
)
def test_what_differs_is_told_by_options(changed: dict[str, Any], told: list[str]) -> None:
    assert tell_differences(RUN, {**RUN, **changed}) == told


def test_every_setting_of_a_run_has_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Seen 3/4/2019.")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    make = Journal.__init__

    def noted(self: Journal, folder: Path, **settings: Any) -> None:
        found.update(settings["run"])
        make(self, folder, **settings)

    monkeypatch.setattr(Journal, "__init__", noted)
    assert cli.run(["deid", "notes", "--out", "out", "--model", "toy"]) == 0
    told = {*_differences._SHOWN, *_differences._CHANGED, *_differences._FOLLOWS, "options"}
    assert set(found) <= told
