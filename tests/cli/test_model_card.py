"""What `scrubjay models info` tells at once: a card that can be read in a moment."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import Manifest
from scrubjay.cli import _model_card
from scrubjay.cli import main as cli
from scrubjay.cli._model_card import describe_card
from scrubjay.labels import KINDS
from scrubjay.models import ModelDescription, describe_model, member_manifests, shipped_names

ROOT = Path(__file__).parents[2]
_MOST_LINES = 17


def rows(members: dict[str, Manifest] | None = None, **entries: Any) -> dict[str, str]:
    known: dict[str, Any] = {
        "name": "m", "kind": "crf", "language": "en", "label_set": "i2b2-2014",
        "labels": ("AGE", "DATE"), "stores_words": False,
    }  # fmt: skip
    model = ModelDescription(Path("somewhere/m"), 1_250_000, Manifest(**(known | entries)))
    return dict(describe_card(model, members or {}))


def member(kind: str, **entries: Any) -> Manifest:
    known: dict[str, Any] = {
        "name": "x",
        "language": "en",
        "label_set": "",
        "labels": (),
        "stores_words": False,
    }
    return Manifest(kind=kind, **known | entries)


@pytest.mark.parametrize("name", shipped_names())
def test_the_card_of_a_model_that_ships_fills_no_screen(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run(["models", "info", name]) == 0
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) <= _MOST_LINES
    told = re.findall(r"^ (\w[\w, ]*?)  +(.*?) *$", shown, re.MULTILINE)
    assert [row[0] for row in told] == [
        "model", "is", "learned from", "finds", "measured", "speed, size", "needs",
        "capitals", "stores words", "recall dial", "licence", "card", "more",
    ]  # fmt: skip
    assert "put together" not in shown
    assert "no identifiers of real patients" in " ".join(shown.split())


def test_whether_capitals_are_restored_is_told_of_a_model_or_of_its_members() -> None:
    restoring: dict[str, Any] = {"config": {"capitals": "restored"}}
    told = "restored where a text has none, or nothing else"
    assert rows(**restoring)["capitals"] == told
    members = {"one": member("crf", **restoring), "two": member("bilstm")}
    assert rows(members, kind="ensemble")["capitals"] == f"{told} (by one)"
    assert "capitals" not in rows()


@pytest.mark.parametrize("name", shipped_names())
def test_what_it_learned_from_stands_in_its_card(name: str) -> None:
    page = (ROOT / "docs" / "models.md").read_text("utf-8")
    card = page.split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    learned = card.partition("- **Trained on**")[2].partition("- **")[0]
    told = dict(describe_card(describe_model(name)))["learned from"]
    assert ("MEDDOCAN" in told) == ("MEDDOCAN" in learned)
    assert ("real texts with invented identifiers" in told) == ("real texts" in learned)
    assert "invented ones" in told
    assert "written notes" in learned
    assert dict(describe_card(describe_model(name)))["card"] == f"docs/models.md#{name}"


def test_the_licence_of_a_model_that_ships_is_that_of_the_package() -> None:
    told = dict(describe_card(describe_model("en")))["licence"]
    licence = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"]
    assert told.partition(";")[0] == licence
    assert "NOTICE" in told


@pytest.mark.parametrize("name", shipped_names())
def test_what_ships_and_was_not_measured_tells_its_licence_all_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_model_card, "figures_of", lambda _: None)
    model = describe_model(name)
    told = dict(describe_card(model, member_manifests(name)))
    assert told["licence"].startswith("Apache-2.0; in it are works of others, see NOTICE")
    assert told["card"] == f"docs/models.md#{name}"
    assert "no identifiers of real patients" in told["learned from"]
    # As the section of the README tells.
    section = (ROOT / "README.md").read_text("utf-8").split("\n## Licence\n")[1].split("\n## ")[0]
    spanish, english, encoders = re.split(r"4\.0\), |4\.0\); the models ", section)
    for work, models in (("MEDDOCAN", spanish), ("ACI-Bench", english), ("MIT", encoders)):
        assert (work in told["licence"]) == (f"`{name}`" in models)


def test_a_model_of_ones_own() -> None:
    parent = {"training-data": {"documents": 9_000, "spans": 70_000}}
    dev = {"dev": {"binary-token-recall": 0.75, "strict": {"f1": 0.5}}}
    found = rows(
        training_data={"documents": 20, "parent": parent}, metrics=dev, notes="Ours.",
        stores_words=True,
    )  # fmt: skip
    assert found["model"] == "m, for English"
    assert found["is"] == "CRF"
    assert found["learned from"] == "9,000 notes with 70,000 mentions"
    assert found["finds"] == "2 labels of i2b2-2014: AGE, DATE"
    assert found["measured"] == "on its dev data: token recall 0.7500, strict F1 0.5000"
    assert found["speed, size"] == "1.2 MB"
    assert found["stores words"].startswith("yes, ")
    assert found["licence"] == "not told by the model: ask who made it"
    assert found["card"] == "Ours."
    bare = rows(language="", label_set="", labels=("X",))
    assert bare["finds"] == "1 label: X"
    assert bare["model"] == "m, for any language"
    assert (bare["needs"], bare["stores words"]) == ("nothing", "no")
    assert not {"learned from", "measured", "card", "recall dial"} & set(bare)


def test_an_ensemble_by_the_kinds_of_its_members() -> None:
    members = {
        "a": member("bilstm"),
        "b": member("bilstm", config={"encoder": {"layers": 4}}),
        "c": member("crf", training_data={"merged": {"m": {"documents": 12, "spans": 3}}}),
        "d": member("regex"),
    }
    found = rows(members, kind="ensemble", training_data={"documents": 2, "spans": 1})
    assert found["is"] == "an ensemble of 2 networks (1 over an encoder), 1 CRF, patterns"
    assert found["learned from"] == "12 notes with 3 mentions"


def test_every_kind_of_label_is_told_as_something() -> None:
    assert set(" ".join(_model_card._THINGS.values()).split()) == set(KINDS)


def test_what_a_model_went_on_from_and_its_licence() -> None:
    start = {
        "name": "en-medium", "sha256": "0", "member": "blstm",
        "training-data": {"documents": 10_574, "spans": 174_514},
    }  # fmt: skip
    data = {"documents": 30, "spans": 200, "start": start}
    told = rows(kind="bilstm", training_data=data)
    assert told["learned from"] == ("30 notes with 200 mentions; went on from blstm of en-medium")
    assert told["licence"].startswith("not told by the model. What it has of en-medium: Apache-2.0")
    assert "NOTICE" in told["licence"]
    pool = rows({"blstm": member("bilstm", training_data=data)}, kind="ensemble")
    assert pool["learned from"].endswith("blstm went on from blstm of en-medium with 30 notes")
    assert "What it has of en-medium: Apache-2.0" in pool["licence"]
    # A model of a model of one's own, a pool with members of a shipped one, and one adapted.
    second = {"documents": 5, "spans": 9, "start": {"name": "m1", "training-data": data}}
    assert "of en-medium: Apache-2.0" in rows(training_data=second)["licence"]
    members = [{"name": "crf", "model": "es", "member": "crf"}, {"name": "patterns"}]
    assert "of es: Apache-2.0" in rows(kind="ensemble", config={"members": members})["licence"]
    adapted = {"documents": 5, "spans": 9, "parent": {"name": "nl-fast", "training-data": {}}}
    assert "of nl-fast: Apache-2.0" in rows(training_data=adapted)["licence"]
    assert rows(training_data=adapted)["learned from"].endswith("adapted from nl-fast to 5 notes")
    # Of what nobody knows nothing is said.
    other = {"documents": 5, "spans": 9, "start": {"name": "sw.pt", "sha256": "0"}}
    told = rows(training_data=other)
    assert told["licence"] == "not told by the model: ask who made it, and sw.pt before it"
    assert rows()["licence"] == "not told by the model: ask who made it"
