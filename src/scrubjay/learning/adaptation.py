"""A trained model and a few notes of the user's -> a model of their own: `scrubjay adapt`.

A CRF goes on from its own weights, alone or as a member of an ensemble, whose other members and
combiner stay. Any other model is kept as it is, and joined by a CRF of the notes alone: for each
label the one that was better on notes unseen by it is believed. See docs/adaptation.md.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrubjay import __version__
from scrubjay.artifacts import (
    Artifact,
    Manifest,
    hash_manifest,
    load_artifact,
    require_place,
    save_artifact,
)
from scrubjay.corpora import read_corpus
from scrubjay.corpora.regions import without_ignored
from scrubjay.corpora.splits import patient_finder
from scrubjay.corpora.unmarked import hint_spans
from scrubjay.corpora.writing import require_apart
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError, counted
from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.labels import LabelSet, find_label_set, place_of
from scrubjay.learning._folds import Folds, make_folds
from scrubjay.learning.crf_adaptation import CrfAdaptation, adapt_crf
from scrubjay.learning.crf_members import change_crfs, has_crf
from scrubjay.learning.ensemble_config import CrossfitSettings
from scrubjay.learning.joining import join_by_label, learn_notes, require_learner
from scrubjay.learning.preparation import Progress, fingerprint, require_paths, silent
from scrubjay.learning.training import manifest_figures, require_unseen, require_writable
from scrubjay.models import find_model
from scrubjay.taggers._combining.combiners import PerLabel
from scrubjay.taggers.crf import CrfDetector
from scrubjay.taggers.kinds import Loaded, load_artifact_model

Found = list[tuple[Span, ...]]

#: Fewer notes with PHI than this cannot be learned from and measured on.
LEAST_NOTES = 2


@dataclass(frozen=True, slots=True)
class AdaptationRequest:
    """What `scrubjay adapt` was asked for.

    `model` is a shipped name or a folder, `corpora` the user's notes, `dev` notes to measure on
    alone. `weight` says how far the notes may move a CRF (`learning.crf_adaptation`), None for
    the default. Figures are by cross-validation in so many `folds`, or fewer where there are few
    notes; those of a patient (`patient_key`) stay together. `seed` deals them. With 0 folds a CRF
    moves without figures, in a sixth of the time of five; a model that a CRF of the notes is to
    join needs them. `language` is that of the notes, None for that of the model.
    """

    model: str
    corpora: tuple[Path, ...]
    out: Path
    dev: tuple[Path, ...] = ()
    weight: float | None = None
    seed: int = 0
    folds: int = 5
    patient_key: str = ""
    language: str | None = None
    format: str | None = None
    name: str | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        require_paths(self.corpora, self.dev, out=self.out)


@dataclass(frozen=True, slots=True)
class AdaptationResult:
    """Where the model is, what it says about itself, and how it was made: "weights" or "join"."""

    folder: Path
    manifest: Manifest
    way: str
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Parent:
    """The model that there is, with the settings of its adaptation."""

    artifact: Artifact
    detector: Loaded
    settings: CrfAdaptation
    seed: int
    label_set: LabelSet | None

    @property
    def manifest(self) -> Manifest:
        return self.artifact.manifest

    @property
    def way(self) -> str:
        return "weights" if has_crf(self.detector) else "join"


def adapt_model(request: AdaptationRequest, *, progress: Progress = silent) -> AdaptationResult:
    """Adapt a model, measure it before and after, and save it.

    Raises `ConfigError` for a model that cannot be adapted, or not without folds, and for notes in
    another language than its own, `InputError` for too few notes, `LabelError` for labels that its
    label set does not have, `OutputError` for a place that is taken, and `ArtifactError` for a
    damaged model. All that can be refused is refused before any work.
    """
    began = time.monotonic()
    require_place(request.out, overwrite=request.overwrite)
    require_apart(request.out, [*request.corpora, *request.dev])
    require_writable(request.out)
    crossfit = _crossfit(request)
    parent = _open_parent(request)
    progress("read", 0.0)
    notes = _read(request.corpora, request.format)
    dev = _read(request.dev, request.format)
    _require_labels([*notes, *dev], parent)
    require_unseen(notes, dev)
    _require_notes(notes)
    folds = _deal(notes, crossfit, way=parent.way) if crossfit is not None else None
    before: Found = []
    if folds is not None:
        progress(f"measure: the model as it is, on {counted(len(notes), 'note')}", 0.0)
        before = parent.detector.detect([note.with_spans(()) for note in notes])
    detector, unseen = _adapt(parent, notes, before, folds, progress)
    metrics: dict[str, Any] = {}
    if folds is not None and unseen is not None:
        metrics["adaptation"] = {
            "folds": len(set(folds.numbers)),
            "by": folds.by,
            "before": _figures(notes, before, parent.label_set),
            "after": _figures(notes, unseen, parent.label_set),
        }
    if dev:
        progress("dev", 0.0)
        found = [model.detect(dev) for model in (parent.detector, detector)]
        metrics["dev-before"], metrics["dev"] = (_figures(dev, f, parent.label_set) for f in found)
    manifest = _manifest(request, parent, detector, notes, metrics)
    saved = save_artifact(
        request.out, manifest, files=detector.files(), overwrite=request.overwrite, private=True
    )
    return AdaptationResult(request.out, saved, parent.way, time.monotonic() - began)


def _crossfit(request: AdaptationRequest) -> CrossfitSettings | None:
    if request.folds == 0:
        return None
    if request.folds == 1:
        raise ConfigError(
            "--folds must be at least 2, or 0, not 1",
            hint="Give 0 to leave the figures on the notes out",
        )
    return CrossfitSettings(
        folds=request.folds, patient_key=request.patient_key, seed=request.seed,
        by="patient" if request.patient_key else "auto",
    )  # fmt: skip


def _open_parent(request: AdaptationRequest) -> _Parent:
    artifact = load_artifact(find_model(request.model))
    manifest = artifact.manifest
    if request.language is not None and request.language != manifest.language:
        raise ConfigError(
            f"the notes are in {request.language!r}, and {request.model!r} is a model for "
            f"{manifest.language!r}",
            hint="Choose a model of that language: scrubjay models list",
        )
    settings = CrfAdaptation()
    if request.weight is not None:
        settings = replace(settings, weight=request.weight)
    parent = _Parent(
        artifact, load_artifact_model(artifact), settings, request.seed, _known_set(manifest)
    )
    if parent.way == "join":
        if request.weight is not None:
            raise ConfigError(
                f"{request.model!r} has no CRF whose weights could move, so no --weight",
                hint="Leave --weight out: a CRF of the notes will join the model",
            )
        if request.folds == 0:
            raise ConfigError(
                f"{request.model!r} has no CRF that could move, and folds of the notes tell for "
                "which labels a CRF of theirs is to be believed",
                hint="Leave --folds 0 out",
            )
        require_learner(manifest.language)
    return parent


def _known_set(manifest: Manifest) -> LabelSet | None:
    """Return the label set of a model, if it is one that ships."""
    try:
        return find_label_set(manifest.label_set) if manifest.label_set else None
    except ConfigError:
        return None


def _read(corpora: Sequence[Path], format: str | None) -> list[Document]:
    paths = (document for path in corpora for document in read_corpus(path, format=format))
    return [without_ignored(document) for document in paths]


def _require_notes(notes: Sequence[Document]) -> None:
    """Refuse fewer notes than can be learned from and measured on."""
    labelled = sum(bool(note.spans) for note in notes)
    if labelled < LEAST_NOTES:
        raise InputError(
            f"{labelled} of the {len(notes)} notes have labelled PHI, and a model cannot be "
            f"adapted to fewer than {LEAST_NOTES}",
            hint=(hint_spans(notes) if not labelled else "")
            or "Label some more; about ten notes make a difference",
        )


def _require_labels(documents: Sequence[Document], parent: _Parent) -> None:
    """Refuse labels outside the label set of the model.

    A label of the set that the model never learned is new to it, and will be learned; a model
    without a set that ships has the labels it was trained on.
    """
    manifest = parent.manifest
    allowed = set(manifest.labels)
    if parent.label_set is not None:
        allowed |= set(parent.label_set.labels)
    combiner = getattr(parent.detector, "combiner", None)
    if parent.way == "weights" and isinstance(combiner, PerLabel):
        allowed = set(manifest.labels)
    for document in documents:
        for span in document.spans:
            if span.label not in allowed:
                known = manifest.label_set or ", ".join(manifest.labels)
                raise LabelError(
                    f"the notes have the label {span.label!r}, which the model cannot have (its "
                    f"labels: {known})",
                    place=place_of(document, span),
                    hint="Correct the label, or convert the notes first, with: scrubjay convert "
                    f"--label-map SOURCE:{manifest.label_set or 'TARGET'}",
                )


def _deal(notes: Sequence[Document], settings: CrossfitSettings, *, way: str) -> Folds | None:
    """Return folds of the notes, as many as asked for or as they allow; None for not even two."""
    if settings.patient_key:
        find = patient_finder(settings.patient_key)
        for note in notes:
            find(note)
    for count in range(settings.folds, 1, -1):
        try:
            return make_folds(notes, replace(settings, folds=count))
        except InputError:
            if len({note.id for note in notes}) < len(notes):
                raise
    if way == "join":
        raise InputError(
            "the notes cannot be cut into two folds with labelled PHI each, by which to learn "
            "where the model is to be believed and where the notes are",
            hint="Give more labelled notes",
        )
    return None


def _adapt(
    parent: _Parent,
    notes: Sequence[Document],
    before: Found,
    folds: Folds | None,
    progress: Progress,
) -> tuple[Any, Found | None]:
    """Return the adapted model, and what models adapted without each fold say of it."""
    fit = _move if parent.way == "weights" else _learn
    if folds is None:
        return fit(parent, notes, _part(progress, 0, 1)), None
    rounds = len(set(folds.numbers)) + 1
    unseen: Found = [() for _ in notes]
    for fold in range(rounds - 1):
        part = _part(progress, fold, rounds)
        fitted = fit(parent, folds.outside(fold, notes), part)
        inside = folds.inside(fold, notes)
        part("measure", 1.0)
        found = iter(fitted.detect([note.with_spans(()) for note in inside]))
        for number, own in enumerate(folds.numbers):
            if own == fold:
                unseen[number] = next(found)
    whole = fit(parent, notes, _part(progress, rounds - 1, rounds))
    if parent.way == "weights":
        return whole, unseen
    return join_by_label(
        parent.artifact.manifest, parent.detector, whole, notes, (before, unseen), folds.numbers
    )


def _part(progress: Progress, number: int, rounds: int) -> Progress:
    """Return a listener to one of several rounds that stand as one bar."""
    name = "the model" if number == rounds - 1 else f"fold {number + 1} of {rounds - 1}"
    return lambda stage, share: progress(
        f"adapt: {name}: {stage}", (number + min(share, 1.0)) / rounds
    )


def _learn(parent: _Parent, notes: Sequence[Document], progress: Progress) -> CrfDetector:
    manifest = parent.manifest
    return learn_notes(
        notes, language=manifest.language, label_set=manifest.label_set if parent.label_set else "",
        seed=parent.seed, progress=progress,
    )  # fmt: skip


def _move(parent: _Parent, notes: Sequence[Document], progress: Progress) -> Any:
    """Return the model with the weights of its CRFs moved."""
    return change_crfs(
        parent.detector, lambda crf: adapt_crf(crf, notes, parent.settings, progress=progress)
    )


def _figures(golds: Sequence[Document], found: Found, label_set: LabelSet | None) -> dict[str, Any]:
    return manifest_figures(evaluate_pairs(pair_found(golds, found), label_set=label_set))


def _manifest(
    request: AdaptationRequest,
    parent: _Parent,
    detector: Any,
    notes: Sequence[Document],
    metrics: dict[str, Any],
) -> Manifest:
    """Return what the new model says of itself: its parent by hash, the notes by counts."""
    old = parent.manifest
    facts = {
        "documents": len(notes),
        "spans": sum(len(note.spans) for note in notes),
        "fingerprint": fingerprint(notes),
        "adaptation": parent.way,
        "parent": {
            "name": old.name,
            "manifest-sha256": hash_manifest(parent.artifact.folder),
            "training-data": dict(old.training_data),
        },
    }
    if parent.way == "weights":
        facts["weight"] = parent.settings.weight
    manifest: Manifest = detector.manifest
    return replace(
        manifest,
        name=request.name or request.out.name,
        config=dict(manifest.config),
        seed=request.seed,
        training_data=facts,
        metrics=metrics,
        stores_words=True,
        files={},
        package_version=__version__,
        notes="",
    )
