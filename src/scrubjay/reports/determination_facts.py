"""What only people know about a release, read from a TOML file, with hashes of what it names.

The file tells method, sample, annotators, policy and what remains, for the report of an expert
determination (docs/reports.md shows one). All of it may be left out; the report then says that
it was not given. Paths are relative to the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from scrubjay.artifacts import MANIFEST, encode_json, hash_manifest, load_artifact
from scrubjay.errors import ConfigError
from scrubjay.files import read_bytes, read_toml
from scrubjay.models import find_model
from scrubjay.transform.operators import Operator
from scrubjay.transform.policy import POLICIES, Policy, find_policy

SETTINGS: dict[str, tuple[str, ...]] = {
    "release": ("title", "recipients", "purpose", "prepared_by", "expert", "date"),
    "method": ("description", "command", "model"),
    "sample": ("population", "drawn", "drawn_by", "plan"),
    "agreement": ("description", "report"),
    "policy": ("description", "file"),
    "remains": ("description", "safeguards", "known"),
}
"""Table -> its settings; every one is a string but `known`, a list of strings."""

_LISTS = frozenset({"known"})
_NUMBERS = frozenset({"population"})
_STAND_IN = b"a key that opens nothing, to describe a policy"


@dataclass(frozen=True, slots=True)
class FileHash:
    """A file by its name, without its folder, and its sha256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a saved model is, by its manifest; every file of it was read and verified."""

    name: str
    kind: str
    language: str
    package_version: str
    seed: int | None
    manifest_sha256: str
    config_sha256: str
    training_data: Mapping[str, Any]
    files: tuple[FileHash, ...]


@dataclass(frozen=True, slots=True)
class PolicyFacts:
    """A policy as rows of label, operator and settings, the default first; no key is in it."""

    name: str
    file: FileHash | None
    rows: tuple[tuple[str, str, str], ...]

    @property
    def operators(self) -> frozenset[str]:
        """The names of all operators."""
        return frozenset(operator for _, operator, _ in self.rows)


@dataclass(frozen=True, slots=True)
class AgreementFacts:
    """Means over all pairs of annotators: label, strict F1, relaxed F1, overlap F1, kappa."""

    file: FileHash
    annotators: int
    documents: int
    rows: tuple[tuple[str, float | None, float | None, float | None, float | None], ...]


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """A sampling plan: its hash, the plain values at its top, and how long its lists are.

    `frame_documents` and the ids of the `documents` that were drawn are None where the plan does
    not tell them.
    """

    file: FileHash
    values: tuple[tuple[str, str], ...]
    path: Path
    frame_documents: int | None = None
    documents: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeterminationFacts:
    """All that was given. `texts` are the plain settings by (table, setting).

    `path` is the file of facts, None where there is none.
    """

    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    known: tuple[str, ...] = ()
    model: ModelFacts | None = None
    plan: PlanFacts | None = None
    agreement: AgreementFacts | None = None
    policy: PolicyFacts | None = None
    path: Path | None = None

    def text(self, table: str, setting: str) -> str:
        """Return a plain setting, "" where it was not given."""
        return self.texts.get((table, setting), "")


def read_determination_facts(path: Path) -> DeterminationFacts:
    """Read the file and hash what it names.

    Raises `ConfigError` for a file that cannot be read, an unknown or wrong setting, an unknown
    model or policy, and an agreement report or plan that is none; `ArtifactError` for a model
    that is damaged.
    """
    data = read_toml(path)
    texts: dict[tuple[str, str], str] = {}
    known: tuple[str, ...] = ()
    for table, settings in data.items():
        for setting, value in _require_table(table, settings, path).items():
            checked = _require_value(table, setting, value, path)
            if isinstance(checked, tuple):
                known = checked
            elif checked:
                texts[table, setting] = checked

    def place(table: str, setting: str) -> Path | None:
        named = texts.get((table, setting))
        return None if named is None else path.parent / named

    plan, report = place("sample", "plan"), place("agreement", "report")
    return DeterminationFacts(
        texts=texts,
        known=known,
        model=_model(texts.get(("method", "model")), path.parent),
        plan=_read_plan(plan) if plan is not None else None,
        agreement=_read_agreement(report) if report is not None else None,
        policy=_policy(texts.get(("policy", "file")), path.parent),
        path=path,
    )


def _require_table(table: str, settings: Any, path: Path) -> dict[str, Any]:
    if table not in SETTINGS:
        hint = f"Known tables: {', '.join(SETTINGS)}"
        raise ConfigError(f"unknown table {table!r}", path=path, hint=hint)
    if not isinstance(settings, dict):
        raise ConfigError(f"{table!r} must be a table", path=path, hint=f"Write [{table}]")
    for setting in settings:
        if setting not in SETTINGS[table]:
            raise ConfigError(
                f"unknown setting {setting!r}",
                path=path,
                place=table,
                hint=f"Known settings: {', '.join(SETTINGS[table])}",
            )
    return settings


def _require_value(table: str, setting: str, value: Any, path: Path) -> str | tuple[str, ...]:
    if setting in _LISTS:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        kind = "a list of strings"
    elif setting in _NUMBERS:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return str(value)
        kind = "a whole number"
    elif isinstance(value, str):
        return value.strip()
    elif setting == "date" and hasattr(value, "isoformat"):
        return str(value.isoformat())
    else:
        kind = "a string"
    raise ConfigError(f"{setting!r} must be {kind}", path=path, place=table)


def _hash(path: Path, content: bytes) -> FileHash:
    return FileHash(path.name, hashlib.sha256(content).hexdigest())


def _model(named: str | None, folder: Path) -> ModelFacts | None:
    if named is None:
        return None
    beside = folder / named
    artifact = load_artifact(beside if (beside / MANIFEST).is_file() else find_model(named))
    artifact.verify()
    manifest = artifact.manifest
    return ModelFacts(
        name=manifest.name,
        kind=manifest.kind,
        language=manifest.language,
        package_version=manifest.package_version,
        seed=manifest.seed,
        manifest_sha256=hash_manifest(artifact.folder),
        config_sha256=hashlib.sha256(encode_json(manifest.config)).hexdigest(),
        training_data=manifest.training_data,
        files=tuple(FileHash(name, digest) for name, digest in sorted(manifest.files.items())),
    )


def _policy(named: str | None, folder: Path) -> PolicyFacts | None:
    if named is None:
        return None
    if named in POLICIES:
        return _describe(find_policy(named, key=_STAND_IN), None)
    path = folder / named
    content = read_bytes(path, kind=ConfigError)
    return _describe(find_policy(path, key=_STAND_IN), _hash(path, content))


def _describe(policy: Policy, file: FileHash | None) -> PolicyFacts:
    named = [(label, policy.operators[label]) for label in sorted(policy.operators)]
    rows = [("every other label", policy.default), *named]
    return PolicyFacts(
        policy.name,
        file,
        tuple((label, operator.name, _settings(operator)) for label, operator in rows),
    )


def _settings(operator: Operator) -> str:
    if not is_dataclass(operator):
        return ""
    shown = [
        entry for entry in fields(operator) if entry.repr and entry.name not in ("key", "name")
    ]
    return ", ".join(f"{entry.name} = {getattr(operator, entry.name)!r}" for entry in shown)


def _read_json(path: Path) -> tuple[dict[str, Any], FileHash]:
    content = read_bytes(path, kind=ConfigError)
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        raise ConfigError("not valid JSON", path=path) from None
    if not isinstance(record, dict):
        raise ConfigError("not a JSON object", path=path)
    return record, _hash(path, content)


def _read_plan(path: Path) -> PlanFacts:
    record, file = _read_json(path)
    values = [
        (name.replace("_", " "), str(len(value)) if isinstance(value, list) else str(value))
        for name, value in record.items()
        if isinstance(value, (str, int, float, list)) and name != "format_version"
    ]
    frame, drawn = record.get("frame_documents"), record.get("documents")
    if frame is not None and (not isinstance(frame, int) or isinstance(frame, bool)):
        raise ConfigError("must be a whole number", path=path, place="frame_documents")
    if drawn is None:
        return PlanFacts(file, tuple(values), path, frame)
    if not isinstance(drawn, list) or not all(isinstance(name, str) for name in drawn):
        raise ConfigError("must be a list of ids", path=path, place="documents")
    return PlanFacts(file, tuple(values), path, frame, tuple(drawn))


def _read_agreement(path: Path) -> AgreementFacts:
    record, file = _read_json(path)
    figures = ("strict", "relaxed", "overlap", "kappa")
    try:
        if record["format_version"] != 1:
            raise ValueError
        rows = []
        for row in record["means"]:
            strict, relaxed, overlap, kappa = (_ratio(row[figure]) for figure in figures)
            rows.append((str(row["label"]), strict, relaxed, overlap, kappa))
        return AgreementFacts(
            file, len(record["annotators"]), int(record["documents"]), tuple(rows)
        )
    except (KeyError, TypeError, ValueError):
        raise ConfigError(
            "not a report of agreement that this release reads",
            path=path,
            hint="Write one with: scrubjay agreement A B --json FILE",
        ) from None


def _ratio(value: Any) -> float | None:
    return None if value is None else float(value)
