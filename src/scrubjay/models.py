"""Models by name or by folder: load, list, describe, audit.

Shipped models are artifacts in the folder `shipped` of the package; any other model is given
by the path of its folder. Nothing is ever fetched from a network.
"""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from scrubjay.artifacts import MANIFEST, Manifest, load_artifact
from scrubjay.detectors import Detector, ScoreFilter, turn_recall_dial
from scrubjay.document import Document
from scrubjay.errors import ConfigError, told_type
from scrubjay.labels import Label, LabelSet, find_label_set, kind_of
from scrubjay.near_names import did_you_mean
from scrubjay.taggers.kinds import load_artifact_model, read_stored_words
from scrubjay.text.languages import NAMES
from scrubjay.windows import Windowed

SHIPPED = Path(__file__).parent / "shipped"
"""The folder of the shipped models, one folder for each name."""

_WORD = re.compile(r"[^\W_]{2,}")
_NETWORK = ".onnx"
_EXTRA, _PACKAGES = "neural", ("onnxruntime", "tokenizers")
"""The extra that networks need, and what it installs."""
_OWN_NAMES = {"es": ("español", "espanol", "castellano"), "nl": ("nederlands", "flemish")}
"""Languages by other names than their English ones."""


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """What is known about a model without loading it: its place, size and manifest."""

    folder: Path
    size: int
    """Bytes of all its files together."""
    manifest: Manifest

    @property
    def extra(self) -> str:
        """Return the extra that it needs to run, "" where it needs none."""
        return _EXTRA if any(name.endswith(_NETWORK) for name in self.manifest.files) else ""


@dataclass(frozen=True, slots=True)
class ModelAudit:
    """Which words of its training data a model stores.

    `words` are the distinct stored words, sorted. `declared` is what the manifest says; a model
    that stores words but does not declare it must not be given away. Where a corpus was given,
    `mention_words` counts the distinct words inside its gold spans, per label, and
    `stored_mention_words` how many of those the model stores.
    """

    name: str
    declared: bool
    words: tuple[str, ...]
    mention_words: Mapping[str, int]
    stored_mention_words: Mapping[str, int]

    @property
    def consistent(self) -> bool:
        """Tell whether the manifest declares what the files hold."""
        return self.declared or not self.words


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped models, sorted."""
    if not SHIPPED.is_dir():
        return ()
    return tuple(sorted(path.name for path in SHIPPED.iterdir() if (path / MANIFEST).is_file()))


def find_model(name_or_path: str | Path) -> Path:
    """Return the folder of a model, given the name of a shipped one or a path.

    A shipped name wins over a folder of that name; write `./en` for the folder. Raises
    `ConfigError`, with the known names and the nearest one, or that of the language which is named
    (`dutch`, `Spanish-fast`), where there is neither.
    """
    names = shipped_names()
    if not isinstance(name_or_path, str | os.PathLike) or not str(name_or_path):
        empty = isinstance(name_or_path, str)
        raise ConfigError(
            "the name of the model is empty"
            if empty
            else f"the model is {told_type(name_or_path)}, neither a name nor the path of a folder",
            hint=f"Give {', '.join(names) or 'the folder of a model'}"
            + (" (was a variable of the shell not set?)" if empty else ""),
        )
    if str(name_or_path) in names:
        return SHIPPED / str(name_or_path)
    path = Path(name_or_path)
    if path.is_dir():
        return path
    if path.is_file():
        raise ConfigError(
            "is a file, and a model is a folder",
            path=path,
            hint="Give the folder that scrubjay train has written, or a name from scrubjay models "
            "list",
        )
    known = ", ".join(names) or "none is shipped with this installation"
    near = _by_language(str(name_or_path), names) or _nearest(str(name_or_path).casefold(), names)
    raise ConfigError(
        f"unknown model {str(name_or_path)!r}",
        hint=f"{did_you_mean(*near)}Known: {known}; or give the folder of a model",
    )


def _nearest(name: str, names: Collection[str]) -> list[str]:
    """Return the names that a name is nearly; of one of two letters those that share one in place.

    The code of a language that none of them is for is no slip.
    """
    if len(name) != 2 or name in NAMES:
        return difflib.get_close_matches(name, names, n=1)
    short = [each for each in names if len(each) == 2]
    return [each for each in short if each[0] == name[0] or each[1] == name[1]]


def _by_language(name: str, names: Collection[str]) -> list[str]:
    """Return the model of a name that begins with that of a language, [] where there is none."""
    codes = {told.casefold(): code for code, told in NAMES.items()}
    codes |= {told: code for code, others in _OWN_NAMES.items() for told in others}
    language, _, size = re.sub(r"[\W_]+", "-", name.casefold()).partition("-")
    if (code := codes.get(language)) is None:
        return []
    return [each for each in (f"{code}-{size}", code, f"{code}-fast") if each in names][:1]


def has_packages(extra: str) -> bool:
    """Tell whether what an extra that models need installs is there; so it is for none, ""."""
    return not extra or all(find_spec(package) is not None for package in _PACKAGES)


def load_model(name_or_path: str | Path) -> Detector:
    """Return the detector of a model, given the name of a shipped one or the path of its folder.

    Raises `ConfigError` for an unknown name and for what is only a part of taggers, and
    `ArtifactError` for a model that is damaged or of a kind that this release does not know.
    """
    return load_artifact_model(load_artifact(find_model(name_or_path)))


def load_detector(
    name_or_path: str | Path,
    *,
    recall_dial: float | None = None,
    min_score: float | None = None,
    by_label: Mapping[str, float] | None = None,
) -> Detector:
    """Return the detector of a model, set as the options and least scores by label say.

    It takes very long texts in windows. Raises as `load_model` does, and `ConfigError` for a dial
    where there is none.
    """
    detector = load_model(name_or_path)
    if recall_dial is not None:
        detector = turn_recall_dial(detector, recall_dial)
    detector = Windowed(detector)
    if min_score is None and not by_label:
        return detector
    return ScoreFilter(detector, min_score or 0.0, by_label or {})


def list_models() -> tuple[ModelDescription, ...]:
    """Describe every shipped model, sorted by name."""
    return tuple(describe_model(name) for name in shipped_names())


def describe_model(name_or_path: str | Path) -> ModelDescription:
    """Describe a model without loading it; raises like `load_model`."""
    folder = find_model(name_or_path)
    manifest = load_artifact(folder).manifest
    size = sum((folder / name).stat().st_size for name in (*manifest.files, MANIFEST))
    return ModelDescription(folder, size, manifest)


def member_manifests(name_or_path: str | Path) -> dict[str, Manifest]:
    """Return the manifests of the members of an ensemble by their names; {} for other models.

    Raises like `load_model`.
    """
    artifact = load_artifact(find_model(name_or_path))
    ending = f".{MANIFEST}"
    names = [file.removesuffix(ending) for file in artifact.manifest.files if file.endswith(ending)]
    found = {name: artifact.part(name).manifest for name in names}
    members = artifact.manifest.config.get("members", ())
    order = [member["name"] for member in members if member.get("name") in found]
    return {name: found[name] for name in dict.fromkeys((*order, *sorted(found)))}


def verify_model(name_or_path: str | Path) -> None:
    """Read every file of a model and compare it with its hash; raises like `load_model`."""
    load_artifact(find_model(name_or_path)).verify()


def audit_model(
    name_or_path: str | Path, *, corpus: Iterable[Document] | None = None
) -> ModelAudit:
    """Verify every file of a model and tell which words of its training data it stores.

    With a `corpus`, usually the training corpus, also how many of the words inside its gold
    spans are stored. Words are compared without case, in runs of two or more letters and
    digits. Raises like `load_model`.
    """
    artifact = load_artifact(find_model(name_or_path))
    artifact.verify()
    words = tuple(sorted(set(read_stored_words(artifact))))
    pieces = {piece for word in words for piece in _pieces(word)}
    seen = set(_mention_words(corpus or ()))
    return ModelAudit(
        name=artifact.manifest.name,
        declared=artifact.manifest.stores_words,
        words=words,
        mention_words=_count(label for label, _ in seen),
        stored_mention_words=_count(label for label, piece in seen if piece in pieces),
    )


def _mention_words(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    for document in documents:
        for span in document.spans:
            for piece in _pieces(document.text[span.start : span.end]):
                yield span.label, piece


def _pieces(text: str) -> list[str]:
    return [piece.casefold() for piece in _WORD.findall(text)]


def _count(labels: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(labels).items()))


def label_set_of(manifest: Manifest) -> LabelSet:
    """Return the label set of a model; one of the user's own is known by its labels alone."""
    try:
        return find_label_set(manifest.label_set)
    except ConfigError:
        labels = (Label(name, "", kind=kind_of("", name)) for name in manifest.labels)
        return LabelSet(manifest.label_set, tuple(labels))
