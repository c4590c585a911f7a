"""Saved models: a folder with a manifest, written atomically and verified when it is read.

An artifact is a folder that holds `manifest.json` and the files that it names, each with its
sha256. The manifest carries a sha256 of itself, so that no byte of an artifact can change
unnoticed. Nothing is pickled: JSON, JSON lines and `.npy` arrays only.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay import __version__
from scrubjay.errors import ArtifactError, OutputError, unwritable

if TYPE_CHECKING:
    import numpy.typing as npt

FORMAT_VERSION = 1
MANIFEST = "manifest.json"

_SEAL = "manifest_sha256"
_JOINT = "."
_REPAIR = "Copy the model again from where it came, or train it again"
_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "kind": (str,),
    "language": (str,),
    "label_set": (str,),
    "labels": (list,),
    "scheme": (str,),
    "tokenizer": (dict,),
    "config": (dict,),
    "seed": (int, type(None)),
    "training_data": (dict,),
    "metrics": (dict,),
    "stores_words": (bool,),
    "notes": (str,),
    "files": (dict,),
    "format_version": (int,),
    "package_version": (str,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a saved model says about itself; every value is plain JSON.

    `kind` chooses the loader ("crf"), `language` is an ISO 639-1 code, `tokenizer` is the name
    and the parameters that rebuild the tokenizer, `config` the effective configuration.
    `training_data` holds counts and a fingerprint of the training corpus, never its text;
    `stores_words` tells whether the files hold words of it (see `scrubjay models audit`).
    `files` maps each file name to its sha256 and is filled in by `save_artifact`.
    """

    name: str
    kind: str
    language: str
    label_set: str
    labels: tuple[str, ...]
    stores_words: bool
    scheme: str = "BIO"
    tokenizer: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    training_data: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    notes: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    format_version: int = FORMAT_VERSION
    package_version: str = __version__


@dataclass(frozen=True, slots=True)
class Artifact:
    """A saved model whose manifest was verified; each file is verified when it is read.

    `prefix` begins the names of its files in the folder: "" except for a part of another model.
    """

    folder: Path
    manifest: Manifest
    prefix: str = ""

    def part(self, name: str) -> Artifact:
        """Return the model that `nest_files` put into this one under `name`.

        Raises `ArtifactError` where there is none, or its manifest is not as saved.
        """
        prefix = f"{self.prefix}{name}{_JOINT}"
        path = self.folder / f"{prefix}{MANIFEST}"
        content = self.read(f"{name}{_JOINT}{MANIFEST}")
        return Artifact(self.folder, _read_manifest(content, path), prefix)

    def read(self, name: str) -> bytes:
        """Return the bytes of a file of the artifact.

        Raises `ArtifactError` if the manifest does not name it, or if it is missing or altered.
        """
        path = self._path(name)
        expected = self.manifest.files.get(name)
        if expected is None:
            raise ArtifactError(f"{path}: the manifest names no such file. {_REPAIR}")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ArtifactError(
                f"{path}: the file cannot be read ({type(error).__name__}). {_REPAIR}"
            ) from error
        if hashlib.sha256(content).hexdigest() != expected:
            raise ArtifactError(
                f"{path}: the file is truncated or altered (its sha256, over {len(content)} "
                f"bytes, is not the manifest's). {_REPAIR}"
            )
        return content

    def read_json(self, name: str) -> Any:
        """Return the value of a JSON file of the artifact; raises like `read`."""
        try:
            return json.loads(self.read(name))
        except (ValueError, RecursionError) as error:
            raise ArtifactError(f"{self._path(name)}: not valid JSON. {_REPAIR}") from error

    def read_array(self, name: str) -> npt.NDArray[Any]:
        """Return the array of an `.npy` file of the artifact; raises like `read`.

        Arrays of objects are refused: they would be pickled.
        """
        import numpy as np

        content = io.BytesIO(self.read(name))
        try:
            array: npt.NDArray[Any] = np.lib.format.read_array(content, allow_pickle=False)
        except Exception as error:  # a header may break the parser, or ask for all memory
            raise ArtifactError(f"{self._path(name)}: not a plain .npy array. {_REPAIR}") from error
        return array

    def verify(self) -> None:
        """Read every file once; raises `ArtifactError` at the first that is not as saved."""
        for name in sorted(self.manifest.files):
            self.read(name)

    def _path(self, name: str) -> Path:
        return self.folder / f"{self.prefix}{name}"


def nest_files(name: str, manifest: Manifest, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a model as files of another one that it is a part of.

    `Artifact.part` finds it there by its name. The manifest of the part is one of the files, so
    that nothing of it can change unnoticed. Raises `OutputError` for a name with a dot.
    """
    if _JOINT in name or not _is_plain_name(name):
        raise OutputError(f"{name!r} cannot name a part of a model", hint="Use letters and hyphens")
    sealed = replace(manifest, files=_hash_files(files))
    nested = {f"{name}{_JOINT}{file}": content for file, content in files.items()}
    return {f"{name}{_JOINT}{MANIFEST}": _encode_manifest(sealed), **nested}


def _hash_files(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def encode_json(value: Any) -> bytes:
    """Return a value as readable, byte-for-byte reproducible JSON (sorted keys, UTF-8).

    Raises `ValueError` for a number that JSON does not know (nan, inf).
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    return (text + "\n").encode("utf-8")


def encode_array(array: npt.NDArray[Any]) -> bytes:
    """Return an array as the bytes of an `.npy` file; arrays of objects raise `ValueError`."""
    import numpy as np

    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def save_artifact(
    folder: Path | str,
    manifest: Manifest,
    *,
    files: Mapping[str, bytes],
    overwrite: bool = False,
    private: bool = False,
) -> Manifest:
    """Write a model to a folder in one step and return its manifest with the sha256 of each file.

    Everything is written to a sibling folder first, which is then renamed, so that a reader
    sees the whole model or none. With `overwrite` an older model in the same place is replaced;
    a folder that holds anything but a model is always refused. A `private` model is its owner's
    alone to read: it may hold words of notes.

    Raises `OutputError` if the place is taken or cannot be written.
    """
    target = Path(folder)
    require_place(target, overwrite=overwrite)
    for name in files:
        _require_plain_name(name, folder=target)
    sealed = replace(manifest, files=_hash_files(files))
    sibling = target.parent / f".{target.name}.{uuid.uuid4().hex[:12]}.partial"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sibling.mkdir(mode=0o700 if private else 0o777)
        for name, content in sorted(files.items()):
            _write_durably(sibling / name, content)
        _write_durably(sibling / MANIFEST, _encode_manifest(sealed))
        if private:
            for path in sibling.iterdir():
                path.chmod(0o600)
        _move_into_place(sibling, target)
    except OSError as error:
        hint = "Choose a folder that can be written"
        raise unwritable(target, error, what="the model", hint=hint) from error
    finally:
        shutil.rmtree(sibling, ignore_errors=True)
    return sealed


def is_private(folder: Path | str) -> bool:
    """Tell whether a model is its owner's alone to read: so is what is made of it."""
    return not Path(folder).stat().st_mode & 0o077


def hash_manifest(folder: Path) -> str:
    """Return the SHA-256 of a model's manifest, which holds those of all its files."""
    return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()


def load_artifact(folder: Path | str) -> Artifact:
    """Open a saved model: verify its manifest and that every file is there.

    The content of a file is verified when it is read; `Artifact.verify` reads them all.
    Raises `ArtifactError` for a folder that is no model, a truncated or altered manifest, a
    missing file, and a format version that this release does not know.
    """
    path = Path(folder)
    try:
        content = (path / MANIFEST).read_bytes()
    except OSError as error:
        raise ArtifactError(
            f"{path}: not a model, it holds no readable {MANIFEST} ({type(error).__name__}). "
            "Give a folder written by scrubjay train, or a name from scrubjay models list"
        ) from error
    manifest = _read_manifest(content, path / MANIFEST)
    for name in sorted(manifest.files):
        if not (path / name).is_file():
            raise ArtifactError(f"{path / name}: the file is missing. {_REPAIR}")
    return Artifact(path, manifest)


def _read_manifest(content: bytes, path: Path) -> Manifest:
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ArtifactError(f"{path}: the manifest is truncated or altered. {_REPAIR}") from error
    if not isinstance(record, dict) or "format_version" not in record:
        raise ArtifactError(f"{path}: not the manifest of a Scrubjay model. {_REPAIR}")
    version = record["format_version"]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise ArtifactError(
            f"{path}: format version {version!r}, but this release reads {FORMAT_VERSION}. "
            "Install the Scrubjay release that wrote the model, or train it again"
        )
    seal = record.pop(_SEAL, None)
    if not _is_sealed(record, seal, content):
        raise ArtifactError(f"{path}: the manifest is truncated or altered. {_REPAIR}")
    return _build_manifest(record, path)


def _build_manifest(record: dict[str, Any], path: Path) -> Manifest:
    """Return the manifest of a JSON record; raises `ArtifactError` naming a wrong field."""
    for name in sorted(_TYPES.keys() ^ record.keys()):
        state = "missing" if name in _TYPES else "unknown"
        raise ArtifactError(f"{path}: {state} field {name!r}. {_REPAIR}")
    for name, types in _TYPES.items():
        value = record[name]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ArtifactError(f"{path}: the field {name!r} has the wrong type. {_REPAIR}")
    if not all(isinstance(label, str) for label in record["labels"]):
        raise ArtifactError(f"{path}: the field 'labels' has the wrong type. {_REPAIR}")
    for name, digest in record["files"].items():
        if not _is_plain_name(name) or not isinstance(digest, str):
            raise ArtifactError(f"{path}: the field 'files' names no plain files. {_REPAIR}")
    return Manifest(**{**record, "labels": tuple(record["labels"])})


def _encode_manifest(manifest: Manifest) -> bytes:
    plain = {
        entry.name: dict(value) if isinstance(value, Mapping) else value
        for entry in fields(manifest)
        for value in (getattr(manifest, entry.name),)
    }
    try:
        # Through JSON once, so that the seal is that of what a reader will see.
        record = json.loads(encode_json(plain))
    except (TypeError, ValueError) as error:
        raise ArtifactError(
            f"the manifest of model {manifest.name!r} holds a value that JSON does not know "
            f"({type(error).__name__}). Use plain numbers, strings, lists and dicts, and None "
            "for an undefined figure"
        ) from error
    return encode_json({**record, _SEAL: _seal(record)})


def _seal(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(encode_json(record)).hexdigest()


def _is_sealed(record: Mapping[str, Any], seal: Any, content: bytes) -> bool:
    try:
        return bool(seal == _seal(record) and content == encode_json({**record, _SEAL: seal}))
    except ValueError:  # NaN or an infinite number, which no manifest is written with
        return False


def _is_plain_name(name: str) -> bool:
    return (
        bool(name)
        and name == Path(name).name
        and name not in {".", "..", MANIFEST}
        and ("\\" not in name and "\0" not in name)
    )


def _require_plain_name(name: str, *, folder: Path) -> None:
    if not _is_plain_name(name):
        raise OutputError(
            f"{name!r} cannot name a file of a model",
            path=folder,
            hint=f"Use a plain file name other than {MANIFEST}",
        )


def require_place(target: Path, *, overwrite: bool) -> None:
    """Raise `OutputError` unless a model may be written to `target`.

    A model that is there may be replaced with `overwrite`; a file or a folder that holds
    anything else never.
    """
    if not os.path.lexists(target):
        return
    if not target.is_dir() or target.is_symlink():
        raise OutputError("the place is taken by a file", path=target, hint="Choose another")
    is_model = (target / MANIFEST).is_file()
    if is_model and not overwrite:
        raise OutputError(
            "a model is already there",
            path=target,
            hint="Choose another folder, or replace the model with --overwrite",
        )
    if not is_model and any(target.iterdir()):
        raise OutputError(
            "the folder holds files that are no model", path=target, hint="Choose another folder"
        )


def _write_durably(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _move_into_place(sibling: Path, target: Path) -> None:
    """Rename `sibling` to `target`; an older model there is put back if that fails."""
    if not target.is_dir() or not any(target.iterdir()):
        sibling.replace(target)
        return
    old = sibling.with_suffix(".replaced")
    target.rename(old)
    try:
        sibling.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)
