"""What `scrubjay models info --all` says of a model in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import Manifest
from scrubjay.cli import main as cli
from scrubjay.cli._model_facts import describe_in_words
from scrubjay.models import ModelDescription, member_manifests, shipped_names


def rows(members: Mapping[str, Manifest] | None = None, **entries: Any) -> dict[str, str]:
    known: dict[str, Any] = {
        "name": "m", "kind": "crf", "language": "en", "label_set": "i2b2-2014",
        "labels": ("AGE", "DATE"), "stores_words": False,
    }  # fmt: skip
    manifest = Manifest(**(known | entries))
    model = ModelDescription(Path("somewhere/m"), 1_250_000, manifest)
    found = describe_in_words(model, members or {})
    assert len(dict(found)) == len(found)
    return dict(found)


def member(kind: str, **entries: Any) -> Manifest:
    known = {"name": "x", "language": "en", "label_set": "", "labels": (), "stores_words": False}
    return Manifest(kind=kind, **known | entries)


def test_a_plain_model() -> None:
    found = rows()
    assert found["size"] == "1.2 MB in 1 file"
    assert (found["kind"], found["labels"]) == ("CRF", "AGE, DATE")
    assert (found["recall dial"], found["words of its training data"]) == ("none", "none")
    assert "notes" not in found
    assert not any(name.startswith("figures") for name in found)


def test_an_ensemble_by_its_members_and_how_they_decide() -> None:
    config = {
        "members": [{"name": "crf", "model": "A3-m", "member": "crf"}, {"name": "patterns"}],
        "combiner": {"method": "pool", "gamma": 0.009},
        "recall-dial": 1.9,
    }
    found = rows(kind="ensemble", config=config, stores_words=True)
    assert found["kind"] == "ensemble of crf, patterns; scores added up"
    assert found["recall dial"] == "1.9"
    assert "models audit --words" in found["words of its training data"]
    assert "A3-m" not in str(found)
    config["combiner"] = {"method": "pool", "late": ["net"]}
    late = rows(kind="ensemble", config=config)["kind"]
    assert late.endswith("patterns; scores added up; net asked where the others doubt")


def test_tokenizer_and_features_of_a_model_and_of_members() -> None:
    groups = {"words": {"crosses": ["word@0", "lower@0"]}, "lists": {"crosses": ["lexicon:*@0"]}}
    entries: dict[str, Any] = {
        "tokenizer": {"name": "subword", "uppercase": "camel", "merges": []},
        "config": {"name": "zhao2020-crf", "features": {"groups": groups}},
        "scheme": "BIOEU",
    }
    found = rows(**entries)
    told = ("subword (uppercase camel); tags BIOEU", "lists 1, words 2")
    assert (found["tokenizer"], found["features"]) == told
    assert "tokenizer" not in rows()
    members = {
        "name": member("crf", **entries),
        "net": member("bilstm", config={"encoder": {"layers": 4}}),
        "rules": member("tbed", tokenizer={"name": "jiang"},
            config={"rules": 1, "templates": {"groups": {"tags": ["previous.tag"]}}},
        ),
        "patterns": member("regex", config={"patterns": 53}),
    }  # fmt: skip
    found = rows(members, kind="ensemble")
    assert found["name"] == "m"
    assert found["member name"] == "CRF, after the configuration zhao2020-crf"
    assert (found["name: tokenizer"], found["name: features"]) == told
    assert found["member net"] == "recurrent network over an encoder"
    assert found["member rules"] == "learned rules, 1 rule"
    assert (found["rules: tokenizer"], found["rules: features"]) == ("jiang; tags BIO", "tags 1")
    assert found["member patterns"] == "patterns, 53 of them"


def test_training_data_and_those_of_the_model_that_it_began_with() -> None:
    parent = {"name": "x", "training-data": {"documents": 1, "spans": 1, "fingerprint": "ab"}}
    data = {"documents": 2000, "spans": 30, "fingerprint": "cd", "parent": parent}
    found = rows(training_data=data)
    assert found["trained on"] == "2,000 documents, 30 spans"
    assert found["before that on"] == "1 document, 1 span"
    found = rows(training_data={"documents": 7, "parent": {"training-data": data}})
    assert found["2 stages before on"] == "1 document, 1 span"
    for size in (3000, 900, 8):
        data = {"documents": size, "parent": {"training-data": data}}
    found = rows(training_data=data)
    assert found["before that on"] == "900 documents"
    assert found["in between on"] == "2,000 to 3,000 documents"
    assert found["4 stages before on"] == "1 document, 1 span"


def test_figures_stand_by_corpus() -> None:
    strict = {"f1": 0.5, "precision": 0.25, "recall": 1.0}
    dev = {"binary-token-recall": 0.75, "documents": 1, "strict": strict}
    found = rows(metrics={"dev": dev, "dev-sources": {"1:notes": dev}, "loss": "none"})
    told = (
        "precision 0.2500, recall 1.0000, F1 0.5000, recall of tokens, whatever the label, "
        "0.7500, on 1 document"
    )
    assert found["figures on dev data"] == found["figures on notes"] == told
    crossfit = {"crossfit": {"candidates": 3, "ensemble": strict, "members": {"crf": strict}}}
    assert {name for name in rows(metrics=crossfit) if name.startswith("figures")} == {
        "figures on training data, cross-fitted ensemble",
        "figures on training data, cross-fitted crf",
    }


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_model_is_told_in_words(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["models", "info", name, "--all"]) == 0
    shown = capsys.readouterr().out
    assert "figures on test notes" in shown
    assert "{" not in shown
    assert "sha256" not in shown
    assert len(shown.splitlines()) < 78
    members = member_manifests(name)
    assert all(f" member {each} " in shown for each in members)
    assert any("tokenizer" in line for line in shown.splitlines())
    assert cli.run(["models", "info", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["members"]
    assert list(told) == list(members)
    assert all(facts["kind"] == members[each].kind for each, facts in told.items())


def test_a_pool_tells_what_weighed_its_members_and_what_its_members_trained_on() -> None:
    trained = {"documents": 12_000, "spans": 90_000}
    over = {"documents": 592, "spans": 17_681}
    strict = {"precision": 0.9, "recall": 0.8, "f1": 0.85}
    metrics = {
        "dev": {"strict": strict, "documents": 3},
        "dev-sources": {"1:a": {"strict": strict}, "2:b": {"strict": strict}},
    }
    found = rows(
        {"crf": member("crf", training_data=trained)},
        kind="ensemble", training_data=over, metrics=metrics,
    )  # fmt: skip
    assert found["crf: trained on"] == "12,000 documents, 90,000 spans"
    assert found["weights of its members from"] == "592 documents, 17,681 spans"
    assert "trained on" not in found
    learned = over | {"adaptation": "weights"}  # its members learned from these
    found = rows({"crf": member("crf")}, kind="ensemble", training_data=learned)
    assert found["trained on"] == "592 documents, 17,681 spans"
    assert "weights of its members from" not in found
    found = rows({"crf": member("crf", training_data=trained)}, kind="ensemble", metrics=metrics)
    assert "figures on all dev data together" in found
    assert "figures on a" in found


def test_what_a_network_went_on_with_and_from() -> None:
    known = {"documents": 10_574, "spans": 174_514}
    further = {**known, "further": {"documents": 2735, "spans": 48_280, "epochs": 3}}
    went_on = "10,574 documents, 174,514 spans; went on with 2,735 documents, 48,280 spans"
    assert rows(training_data=further)["trained on"] == went_on
    start = {"name": "en-medium", "member": "blstm", "sha256": "0", "training-data": further}
    own = {"documents": 30, "spans": 200, "start": start}
    found = rows({"net": member("bilstm", training_data=own)}, training_data=own)
    assert found["net: trained on"] == ("30 documents, 200 spans; went on from blstm of en-medium")
    assert found["net: before that on"] == went_on
    file = {"documents": 30, "spans": 200, "start": {"name": "sw.pt", "sha256": "0"}}
    found = rows(training_data=file)
    assert found["trained on"] == "30 documents, 200 spans; went on from sw.pt"
    assert "before that on" not in found
