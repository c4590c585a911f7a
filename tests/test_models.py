"""Models by name or folder: loading, listing, describing, auditing."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay import models
from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.deidentifier import load
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, DetectionError, LabelError
from scrubjay.features.vectors import WordVectors, vector_files
from scrubjay.taggers.kinds import KINDS, PARTS
from scrubjay.transform.operators import Keep, Redact
from scrubjay.transform.policy import Policy, find_policy
from tests.toys import CANARY, DateDetector, save_toy_model, ship_toy_model


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of shipped models with one, `toy`."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    (tmp_path / "shipped" / "README.md").write_text("no model")
    return tmp_path / "shipped"


def test_a_model_is_loaded_by_name_and_by_folder(shipped: Path) -> None:
    assert models.load_model("toy") == DateDetector()
    assert models.load_model(shipped / "toy") == DateDetector()
    assert models.load_model(str(shipped / "toy")) == DateDetector()


def test_the_order_of_dates_is_loaded_with_the_policy(shipped: Path) -> None:
    key = b"0123456789abcdef0123456789abcdef"
    days = {}
    for order in ("", "dmy", "mdy"):
        given = load("toy", "surrogate", key=key, date_order=order)
        text = given.deidentify("Seen 5/6/2021, then 8/7/2021.")
        found = []
        for numbers in re.findall("([0-9]+)/([0-9]+)/([0-9]+)", text):
            one, two, year = map(int, numbers)
            found.append(date(year, two, one) if order == "dmy" else date(year, one, two))
        days[order] = (found[1] - found[0]).days
    assert days == {"": 93, "dmy": 33, "mdy": 93}
    with pytest.raises(ConfigError, match="shifts no dates"):
        load("toy", "mask", date_order="dmy")
    with pytest.raises(ConfigError, match="no order 'ymd'"):
        load("toy", "surrogate", key=key, date_order="ymd")


def test_what_was_found_once_is_removed_everywhere_unless_that_is_not_wanted() -> None:
    text = "Seen by Dr. Oyelaran.\nCBC oyelaran BMP normal\n"
    assert "oyelaran" not in load("en-fast").deidentify(text).lower()
    assert "oyelaran" in load("en-fast", propagate=False).deidentify(text)


def test_load_joins_a_model_and_a_policy(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRUBJAY_KEY", raising=False)
    assert load("toy").deidentify("on 3/4/2019") == "on [DATE-1]"
    assert load(shipped / "toy", "mask").deidentify("on 3/4/2019") == "on XXXXXXXX"
    assert load("toy", find_policy("redact")).deidentify("on 3/4/2019") == "on ***"
    assert load("toy", "hash", key=b"0" * 16).deidentify("on 3/4/2019").startswith("on [DATE:")
    with pytest.raises(ConfigError, match="needs a key") as caught:
        load("toy", "hash")
    assert 'in Python give key=b"..."' in str(caught.value)


class Rooms:
    """Finds rooms such as `bed 12`: a detector of the user's own."""

    labels = ("ROOM",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            tuple(Span(*found.span(), "ROOM") for found in re.finditer(r"bed \d+", document.text))
            for document in documents
        ]


def test_load_takes_lists_identifiers_and_detectors(shipped: Path, tmp_path: Path) -> None:
    text = "Tranter, ADA in bed 12 on 3/4/2019 and 5/6/2019; Project Bluebird."
    known = {"17": {"given": "Ada", "family": "Tranter"}}
    model = load(
        "toy",
        patient_of=lambda document: "17",
        identifiers=known,
        allow=["5/6/2019"],
        deny={"project bluebird": "HOSPITAL"},
        detectors=[Rooms()],
    )
    new = "[PATIENT-1] in [ROOM-1] on [DATE-1] and 5/6/2019; [HOSPITAL-1]."
    assert model.deidentify(text) == new
    assert model.detector.labels[:2] == ("ROOM", "DATE")
    (tmp_path / "terms.txt").write_text("5/6/2019\n")
    (tmp_path / "known.csv").write_text("patient,given,family\n17,Ada,Tranter\n")
    model = load(
        "toy",
        patient_of=lambda document: "17",
        identifiers=tmp_path / "known.csv",
        allow=str(tmp_path / "terms.txt"),
        deny=["project bluebird"],
    )
    assert model.deidentify(text) == ("[PATIENT-1] in bed 12 on [DATE-1] and 5/6/2019; [OTHER-1].")
    assert load("toy", allow=[], deny=[]).deidentify("on 3/4/2019") == "on [DATE-1]"


def test_a_mapping_of_denied_terms_the_wrong_way_round_shows_none(shipped: Path) -> None:
    with pytest.raises(LabelError, match="term 1: this is no label") as caught:
        load("toy", deny={"DEPARTMENT": CANARY})
    assert CANARY not in str(caught.value)


def test_load_lets_documents_of_unknown_patients_pass_where_told(shipped: Path) -> None:
    known = {"17": {"name": "Ada Tranter"}}
    given: Any = {"patient_of": lambda document: "18", "identifiers": known}
    with pytest.raises(DetectionError, match="UnknownPatientError"):
        load("toy", **given).deidentify("on 3/4/2019")
    assert load("toy", unknown_patient="pass", **given).deidentify("3/4/2019") == "[DATE-1]"


def test_load_takes_a_dial() -> None:
    text = "Project Bluebird. Tranter, ADA well."
    assert load("en-fast", recall_dial=-20).deidentify(text) == text
    assert "Bluebird" not in load("en-fast", recall_dial=3).deidentify(text)


def test_load_takes_a_least_score(shipped: Path) -> None:
    assert load("toy", min_score=0.75).deidentify("on 3/4/2019") == "on [DATE-1]"
    assert load("toy", min_score=0.8).deidentify("on 3/4/2019") == "on 3/4/2019"
    with pytest.raises(ConfigError, match="has no recall dial"):
        load("toy", recall_dial=1.0)


def test_what_a_policy_finds_too_doubtful_is_not_propagated(shipped: Path, tmp_path: Path) -> None:
    (tmp_path / "sure.toml").write_text('default = "redact"\n[min-score]\nDATE = 0.8\n')
    text = "on 3/4/2019 and 3/4/2019"
    assert load("toy", tmp_path / "sure.toml").deidentify(text) == text


def test_load_refuses_a_policy_with_labels_that_nothing_gives(
    shipped: Path, tmp_path: Path
) -> None:
    (tmp_path / "ward.toml").write_text('default = "mask"\n[labels]\nDATES = "keep"\n')
    with pytest.raises(LabelError, match=r"ward\.toml, labels\.DATES.*Did you mean 'DATE'"):
        load("toy", tmp_path / "ward.toml")
    policy = Policy("mine", Redact(), {"BED": Keep()})
    with pytest.raises(LabelError, match="unknown label 'BED'"):
        load("toy", policy)
    beds: Any = Rooms()
    beds.labels = ("BED",)
    assert load("toy", policy, detectors=[beds]).deidentify("on 3/4/2019") == "on ***"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recall_dial": "high"}, "recall_dial is a str, no number"),
        ({"min_score": "0.5"}, "min_score is a str, no number"),
        ({"min_score": 2}, "must be 0 to 1"),
        ({"detectors": Rooms()}, "detectors is a Rooms. Give a list"),
        ({"detectors": ["en"]}, "the detector is a str, and has no method"),
        ({"unknown_patient": "skip"}, "Known: fail, pass"),
        ({"identifiers": {"1": {"name": "Ann"}}}, "in Python patient_of="),
        ({"identifiers": 5, "patient_of": str}, "the identifiers are an int"),
        ({"allow": "Foley"}, "allow is a string, and not the path .* a list"),
        ({"deny": "Foley"}, "deny is a string, and not the path .* a list"),
        ({"allow": 5}, "allow is an int"),
        ({"allow": ["--"]}, "term 1 has no letter or digit"),
        ({"deny": [None]}, "term 1 is None, no string"),
        ({"allow": {"Foley": "DEVICE"}}, "term 1: an allow-list has no labels"),
        ({"allow": ["Foley"], "deny": ["foley"]}, "1 terms are in the allow-list and in"),
    ],
)
def test_settings_of_another_kind_are_typed_errors(
    shipped: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load("toy", **settings)


def test_load_reads_the_key_of_the_environment(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = load("toy", "hash", key=b"1" * 16).deidentify("on 3/4/2019")
    monkeypatch.setenv("SCRUBJAY_KEY", "1" * 16)
    assert load("toy", "hash").deidentify("on 3/4/2019") == given
    other = load("toy", "hash", key=b"0" * 16).deidentify("on 3/4/2019")
    assert other != given


def test_an_unknown_model_is_an_error_that_lists_the_known(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("yy", "none.md", "a/b"):
        with pytest.raises(ConfigError, match=r"unknown model .*Known: toy"):
            models.load_model(name)
    for name in ("Toy", "TOY", "tuy"):
        with pytest.raises(ConfigError, match=r"Did you mean 'toy'\? Known: toy"):
            models.load_model(name)
    monkeypatch.setattr(models, "SHIPPED", shipped / "absent")
    with pytest.raises(ConfigError, match="none is shipped"):
        models.load_model("toy")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *(("dutch", "nl"), ("English", "en"), ("spanish", "es"), ("Español", "es")),
        *(("dutch-fast", "nl-fast"), ("DUTCH medium", "nl-medium"), ("spanish_medium", "es")),
    ],
)
def test_the_name_of_a_language_gets_its_model(name: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=rf"Did you mean '{meant}'\? Known: en, "):
        models.find_model(name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("em", "Did you mean 'en' or 'es'? Known: "),
        ("nk", "Did you mean 'nl'? Known: "),
        ("en-fsat", "Did you mean 'en-fast'? Known: "),
        ("de", "Known: "),
        ("xx", "Known: "),
    ],
)
def test_a_slip_in_a_name_is_told(name: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        models.find_model(name)
    assert caught.value.hint.startswith(told)


def test_a_language_that_no_model_reads_gets_none(shipped: Path) -> None:
    for name in ("dutch", "german"):
        with pytest.raises(ConfigError, match=rf"unknown model '{name}'\. Known: toy"):
            models.find_model(name)


def test_it_is_told_which_models_need_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {model.manifest.name: model.extra for model in models.list_models()}
    assert {name for name, extra in needs.items() if not extra} == {"en-fast", "es-fast", "nl-fast"}
    assert set(needs.values()) == {"", "neural"}
    assert models.has_packages("")
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    assert models.has_packages("")
    assert not models.has_packages("neural")


def test_a_model_of_an_unknown_kind_is_an_error(shipped: Path) -> None:
    save_toy_model(shipped / "odd", kind="oracle")
    with pytest.raises(ArtifactError, match=r"unknown kind of model 'oracle'.*toy"):
        models.load_model("odd")


def test_a_damaged_model_is_an_error(shipped: Path) -> None:
    (shipped / "toy" / "words.json").write_bytes(b"[]")
    with pytest.raises(ArtifactError, match="truncated or altered"):
        models.load_model("toy")
    with pytest.raises(ArtifactError, match="truncated or altered"):
        models.audit_model("toy")


def test_models_are_listed_and_described(shipped: Path) -> None:
    (description,) = models.list_models()
    assert description == models.describe_model(shipped / "toy")
    assert description.manifest.name == "toy"
    assert description.folder == shipped / "toy"
    assert description.size == sum(path.stat().st_size for path in (shipped / "toy").iterdir())


def test_an_audit_names_the_stored_words(shipped: Path) -> None:
    corpus = [
        Document(
            "a",
            "Mr. NÚÑEZ-Roe on 3/4/2019, Roe",
            (Span(4, 13, "PATIENT"), Span(17, 25, "DATE"), Span(27, 30, "PATIENT")),
        )
    ]
    audit = models.audit_model("toy", corpus=corpus)
    assert audit.words == ("3/4/2019", "Núñez", "aspirin")
    assert audit.consistent
    assert audit.mention_words == {"DATE": 1, "PATIENT": 2}
    assert audit.stored_mention_words == {"DATE": 1, "PATIENT": 1}


def test_an_audit_finds_words_that_the_manifest_does_not_declare(shipped: Path) -> None:
    save_toy_model(shipped / "sly", stores_words=False)
    assert not models.audit_model("sly").consistent


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_the_table_can_be_loaded(kind: str) -> None:
    module = importlib.import_module(KINDS[kind])
    assert callable(getattr(module, f"load_{kind}"))
    assert callable(module.stored_words)


@pytest.mark.parametrize("kind", sorted(PARTS))
def test_parts_of_taggers_are_audited_but_no_models(kind: str, tmp_path: Path) -> None:
    files = vector_files(WordVectors(("roe", "the"), np.ones((2, 3), dtype=np.float32)))
    manifest = Manifest(
        name="part", kind=kind, language="en", label_set="", labels=(), stores_words=True
    )
    save_artifact(tmp_path / "part", manifest, files=files)
    stored = ("roe", "the") if kind == "vectors" else ()
    assert models.audit_model(tmp_path / "part").words == stored
    with pytest.raises(ConfigError, match=f"kind '{kind}' finds no PHI by itself"):
        models.load_model(tmp_path / "part")


@pytest.mark.parametrize(
    ("model", "told"), [(None, "the model is None"), (3, "is an int"), ("", "model is empty")]
)
def test_what_is_no_name_of_a_model_is_told(model: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load(model)


def test_a_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "model.bin").touch()
    with pytest.raises(ConfigError, match="is a file, and a model is a folder"):
        load(tmp_path / "model.bin")


def test_keys_and_policies_of_other_types_are_told() -> None:
    for settings, told in (
        ({"policy": None}, "the policy is None"),
        ({"policy": ""}, "the policy is empty"),
        ({"policy": "surrogate", "key": "secretsecretsecret"}, "the key is a str, not bytes"),
    ):
        given: Any = settings
        with pytest.raises(ConfigError, match=told) as caught:
            load("en-fast", **given)
        assert "secretsecret" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [{"propagate": "x"}, {"propagate": None}, {"date_order": None}, {"date_direction": 3}],
)
def test_settings_of_another_type_are_told(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(settings))} is "):
        load("en-fast", **settings)
