"""Saved models: atomic save, verified load, and an error for every kind of damage."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scrubjay import artifacts
from scrubjay.artifacts import Manifest, encode_array, encode_json, load_artifact, save_artifact
from scrubjay.errors import ArtifactError, OutputError, ScrubjayError


def make_manifest(**changes: object) -> Manifest:
    settings: dict[str, object] = {
        "name": "demo",
        "kind": "crf",
        "language": "en",
        "label_set": "i2b2-2014",
        "labels": ("DATE", "DOCTOR"),
        "tokenizer": {"name": "whitespace", "parameters": {}},
        "metrics": {"f1": 0.5, "undefined": None},
        "seed": 7,
        "stores_words": False,
        **changes,
    }
    return Manifest(**settings)  # type: ignore[arg-type]


FILES = {
    "weights.npy": encode_array(np.arange(12, dtype=np.float32).reshape(3, 4)),
    "words.json": encode_json(["été", "x"]),
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    save_artifact(folder, make_manifest(), files=FILES)
    return folder


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    saved = save_artifact(tmp_path / "deep" / "model", make_manifest(), files=FILES)
    artifact = load_artifact(tmp_path / "deep" / "model")
    artifact.verify()
    assert artifact.manifest == saved
    assert artifact.manifest.labels == ("DATE", "DOCTOR")
    assert sorted(saved.files) == sorted(FILES)
    assert artifact.read("words.json") == FILES["words.json"]
    assert artifact.read_json("words.json") == ["été", "x"]
    assert artifact.read_array("weights.npy").tolist() == np.arange(12).reshape(3, 4).tolist()
    assert pickle.loads(pickle.dumps(artifact)) == artifact


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_artifact(tmp_path / name, make_manifest(), files=FILES)
    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("name", ["manifest.json", "weights.npy", "words.json"])
def test_any_altered_byte_is_found(model: Path, name: str) -> None:
    path = model / name
    content = path.read_bytes()
    for position in range(0, len(content), max(1, len(content) // 97)):
        altered = bytearray(content)
        altered[position] ^= 1
        path.write_bytes(bytes(altered))
        with pytest.raises(ArtifactError, match=name):
            load_artifact(model).verify()
    path.write_bytes(content)
    load_artifact(model).verify()


def _truncate(folder: Path) -> None:
    path = folder / "weights.npy"
    path.write_bytes(path.read_bytes()[:-1])


def _truncate_manifest(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_bytes(path.read_bytes()[:-40])


def _remove(folder: Path) -> None:
    (folder / "weights.npy").unlink()


def _rewrite(folder: Path, **changes: object) -> None:
    """Change the manifest and seal it again, as a forger or another release would."""
    path = folder / "manifest.json"
    record = json.loads(path.read_bytes())
    record.pop("manifest_sha256")
    record.update(changes)
    record = {name: value for name, value in record.items() if value is not ...}
    record["manifest_sha256"] = artifacts._seal(record)
    path.write_bytes(encode_json(record))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_truncate, r"weights\.npy: the file is truncated or altered.*Copy the model again"),
        (_truncate_manifest, r"manifest\.json: the manifest is truncated or altered"),
        (_remove, r"weights\.npy: the file is missing"),
        (lambda f: (f / "manifest.json").unlink(), r"not a model.*scrubjay train"),
        (lambda f: (f / "manifest.json").write_text("[1]"), "not the manifest of a Scrubjay"),
        (lambda f: (f / "manifest.json").write_text("[" * 100_000), "truncated or altered"),
        (lambda f: _rewrite(f, format_version=99), "format version 99, but this release reads 1"),
        (lambda f: _rewrite(f, format_version=True), "format version True"),
        (lambda f: _rewrite(f, seed=...), "missing field 'seed'"),
        (lambda f: _rewrite(f, other=1), "unknown field 'other'"),
        (lambda f: _rewrite(f, labels=[1]), "'labels' has the wrong type"),
        (lambda f: _rewrite(f, seed=True), "'seed' has the wrong type"),
        (lambda f: _rewrite(f, files={"../words.json": "0"}), "names no plain files"),
        (lambda f: _rewrite(f, files={"/etc/hostname": "0"}), "names no plain files"),
    ],
)
def test_a_damaged_model_is_an_error(
    model: Path, damage: Callable[[Path], object], message: str
) -> None:
    damage(model)
    with pytest.raises(ArtifactError, match=message):
        load_artifact(model).verify()


def test_a_file_that_goes_after_loading_is_an_error(model: Path) -> None:
    artifact = load_artifact(model)
    (model / "weights.npy").unlink()
    with pytest.raises(ArtifactError, match=r"weights\.npy: the file cannot be read"):
        artifact.read_array("weights.npy")


def test_a_folder_that_is_no_model_is_an_error(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent"):
        with pytest.raises(ArtifactError, match="not a model"):
            load_artifact(place)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<i4', 'fortran_order': False, 'shape': (10000000000000,), }",
        "[[[",
        f"{{'descr': '<i4', 'fortran_order': False, 'shape': {'(' * 3000}{')' * 3000}, }}",
    ],
)
def test_arrays_whose_heads_are_a_trap_are_refused(tmp_path: Path, header: str) -> None:
    """More memory than there is, and what the parser of heads has no error of its own for."""
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    save_artifact(tmp_path / "model", make_manifest(), files={"a.npy": content})
    with pytest.raises(ArtifactError, match=r"not a plain \.npy array"):
        load_artifact(tmp_path / "model").read_array("a.npy")


def test_pickled_arrays_and_broken_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        encode_array(np.array([{}], dtype=object))
    pickled = b"\x93NUMPY\x01\x00F\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    save_artifact(
        tmp_path / "m",
        make_manifest(),
        files={"o.npy": pickled.ljust(80) + b"cos\nsystem", "short.npy": b"\x93NUM", "j": b"{"},
    )
    artifact = load_artifact(tmp_path / "m")
    for name in ("o.npy", "short.npy"):
        with pytest.raises(ArtifactError, match=r"not a plain \.npy array"):
            artifact.read_array(name)
    with pytest.raises(ArtifactError, match="not valid JSON"):
        artifact.read_json("j")
    with pytest.raises(ArtifactError, match="names no such file"):
        artifact.read("manifest.json")


def test_values_that_json_does_not_know_are_refused(tmp_path: Path) -> None:
    for value in (float("nan"), object()):
        with pytest.raises(ArtifactError, match="None for an undefined figure"):
            save_artifact(tmp_path / "m", make_manifest(metrics={"f1": value}), files={})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x", "a/b", "", "..", "manifest.json", "a\\b", "a\0"])
def test_a_file_of_a_model_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="plain file name"):
        save_artifact(tmp_path / "m", make_manifest(), files={name: b""})
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_replaced_only_when_asked(model: Path) -> None:
    with pytest.raises(OutputError, match="already there"):
        save_artifact(model, make_manifest(), files={})
    save_artifact(model, make_manifest(name="second"), files={}, overwrite=True)
    assert load_artifact(model).manifest.name == "second"
    assert [path.name for path in model.iterdir()] == ["manifest.json"]
    assert [path.name for path in model.parent.iterdir()] == ["model"]


def test_a_folder_of_other_files_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    for overwrite in (True, False):
        with pytest.raises(OutputError, match="no model"):
            save_artifact(tmp_path, make_manifest(), files={}, overwrite=overwrite)
        with pytest.raises(OutputError, match="taken by a file"):
            save_artifact(tmp_path / "thesis.txt", make_manifest(), files={}, overwrite=overwrite)
    assert (tmp_path / "thesis.txt").read_text() == "x"


def test_a_failed_save_leaves_the_old_model_and_nothing_else(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match="No space left"):
        save_artifact(model, make_manifest(name="second"), files=FILES, overwrite=True)
    assert [path.name for path in model.parent.iterdir()] == ["model"]
    assert load_artifact(model).manifest.name == "demo"


def test_a_failed_rename_puts_the_old_model_back(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def fail_from_partial(self: Path, target: Path) -> Path:
        if self.suffix == ".partial":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_from_partial)
    with pytest.raises(OutputError, match="cannot be written"):
        save_artifact(model, make_manifest(name="second"), files=FILES, overwrite=True)
    assert load_artifact(model).manifest.name == "demo"
    assert [path.name for path in model.parent.iterdir()] == ["model"]


def test_a_parent_that_is_a_file_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError) as caught:
        save_artifact(tmp_path / "file" / "model", make_manifest(), files={})
    assert isinstance(caught.value, ScrubjayError)
    assert caught.value.exit_code == 2
