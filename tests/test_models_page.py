"""The page of the shipped models shows what was measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from lxml import etree
from scripts import write_models_page
from scripts.write_models_page import MARK, PLOT, TARGET, draw, render, tables

from scrubjay.models import list_models


def test_the_page_and_its_picture_are_fresh() -> None:
    page = TARGET.read_text(encoding="utf-8")
    assert render(page) == page, "run scripts/write_models_page.py"
    assert draw() == PLOT.read_text(encoding="utf-8"), "run scripts/write_models_page.py"


def test_every_model_has_every_table() -> None:
    page = TARGET.read_text(encoding="utf-8")
    assert sorted(found[2] for found in MARK.finditer(page)) == sorted(tables())
    names = {model.manifest.name for model in list_models()}
    assert {name for names in write_models_page.MODELS.values() for name in names} == names


def test_every_card_has_the_same_parts_in_the_same_order() -> None:
    cards = TARGET.read_text(encoding="utf-8").split("\n## `")[1:]
    parts = ["Finds", "Is", "Trained on", "Figures", "Dial", "Weak", "Stores", "Speed", "Adapt"]
    for card in cards:
        lines = [line for line in card.splitlines() if line.startswith("- **")]
        assert [line[4:].partition("**")[0] for line in lines] == parts, card[:9]


def test_the_dial_that_a_page_tells_is_the_one_that_ships() -> None:
    page = TARGET.read_text(encoding="utf-8")
    told = re.findall(r"\n## `([\w-]+)`.*?\*\*Dial\*\*: ships at (\d+(?:\.\d+)?)", page, re.DOTALL)
    ships = {model.manifest.name: model.manifest.config["recall-dial"] for model in list_models()}
    assert {name: float(dial) for name, dial in told} == ships


def test_dials_stand_in_order_and_the_one_that_ships_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = {"f1": 0.5, "binary-token-recall": 0.25, "false-positives-per-1000": 3.0}
    rows = {
        f"{dial}{source}": {"model": "toy", "source": source, "dial": dial, "ships": dial == 1.0}
        | figures
        for dial in (2.0, 1.0)
        for source in ("written notes dev", "en-notes dev")
    }
    (tmp_path / "dials.json").write_text(json.dumps({"rows": rows}))
    monkeypatch.setattr(write_models_page, "RESULTS", tmp_path)
    head, _, first, second = write_models_page.render_dials("toy").splitlines()
    assert head.startswith("| `--recall-dial` | en-notes dev: F1 | token recall | false | written")
    assert first == "| **1**, as it ships" + " | 0.5000 | 0.2500 | 3.0" * 2 + " |"
    assert second.startswith("| 2 | 0.5000 |")


def test_pictures_of_dials_are_of_the_results() -> None:
    rows = json.loads((PLOT.parent / "dials.json").read_text("utf-8"))["rows"].values()
    named = {
        title.text
        for language in ("en", "es", "nl")
        for title in etree.parse(PLOT.parent / f"dials-{language}.svg").iter("{*}title")
    }
    assert named == {f"{row['model']}, {row['source']}, dial {row['dial']:g}" for row in rows}
