"""Models by name or folder: loading, listing, describing, auditing."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay import models
from scrubjay.artifacts import Artifact, Manifest, encode_json, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from tests.toys import DateDetector

WORDS = ["Núñez", "aspirin", "3/4/2019", "aspirin"]


def _load_toy(artifact: Artifact) -> DateDetector:
    artifact.verify()
    return DateDetector()


def _stored_words(artifact: Artifact) -> Iterator[str]:
    yield from artifact.read_json("words.json")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of shipped models with one, `xx`, of the kind `toy`."""
    module = types.ModuleType("toy_kind")
    module.load_toy = _load_toy  # type: ignore[attr-defined]
    module.stored_words = _stored_words  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_kind", module)
    monkeypatch.setattr(models, "KINDS", {"toy": "toy_kind"})
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "shipped")
    save_toy(tmp_path / "shipped" / "xx")
    (tmp_path / "shipped" / "README.md").write_text("no model")
    return tmp_path / "shipped"


def save_toy(folder: Path, *, kind: str = "toy", stores_words: bool = True) -> None:
    manifest = Manifest(
        name=folder.name,
        kind=kind,
        language="en",
        label_set="i2b2-2014",
        labels=("DATE",),
        stores_words=stores_words,
    )
    save_artifact(folder, manifest, files={"words.json": encode_json(WORDS)})


def test_a_model_is_loaded_by_name_and_by_folder(shipped: Path) -> None:
    assert models.load_model("xx") == DateDetector()
    assert models.load_model(shipped / "xx") == DateDetector()
    assert models.load_model(str(shipped / "xx")) == DateDetector()


def test_an_unknown_model_is_an_error_that_lists_the_known(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("yy", "README.md", "a/b"):
        with pytest.raises(ConfigError, match=r"unknown model .*Known: xx"):
            models.load_model(name)
    monkeypatch.setattr(models, "SHIPPED", shipped / "absent")
    with pytest.raises(ConfigError, match="none is shipped"):
        models.load_model("xx")


def test_a_model_of_an_unknown_kind_is_an_error(shipped: Path) -> None:
    save_toy(shipped / "odd", kind="oracle")
    with pytest.raises(ArtifactError, match=r"unknown kind of model 'oracle'.*toy"):
        models.load_model("odd")


def test_a_damaged_model_is_an_error(shipped: Path) -> None:
    (shipped / "xx" / "words.json").write_bytes(b"[]")
    with pytest.raises(ArtifactError, match="truncated or altered"):
        models.load_model("xx")
    with pytest.raises(ArtifactError, match="truncated or altered"):
        models.audit_model("xx")


def test_models_are_listed_and_described(shipped: Path) -> None:
    (description,) = models.list_models()
    assert description == models.describe_model(shipped / "xx")
    assert description.manifest.name == "xx"
    assert description.folder == shipped / "xx"
    assert description.size == sum(path.stat().st_size for path in (shipped / "xx").iterdir())


def test_an_audit_names_the_stored_words(shipped: Path) -> None:
    corpus = [
        Document(
            "a",
            "Mr. NÚÑEZ-Roe on 3/4/2019, Roe",
            (Span(4, 13, "PATIENT"), Span(17, 25, "DATE"), Span(27, 30, "PATIENT")),
        )
    ]
    audit = models.audit_model("xx", corpus=corpus)
    assert audit.words == ("3/4/2019", "Núñez", "aspirin")
    assert audit.consistent
    assert audit.mention_words == {"DATE": 1, "PATIENT": 2}
    assert audit.stored_mention_words == {"DATE": 1, "PATIENT": 1}


def test_an_audit_finds_words_that_the_manifest_does_not_declare(shipped: Path) -> None:
    save_toy(shipped / "sly", stores_words=False)
    assert not models.audit_model("sly").consistent


@pytest.mark.parametrize("kind", sorted(models.KINDS))
def test_every_kind_of_the_table_can_be_loaded(kind: str) -> None:
    module = importlib.import_module(models.KINDS[kind])
    assert callable(getattr(module, f"load_{kind}"))
    assert callable(module.stored_words)
