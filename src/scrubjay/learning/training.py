"""One training from corpus folders to a saved model, as `scrubjay train` runs it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from scrubjay.artifacts import Manifest, require_place, save_artifact
from scrubjay.corpora import read_corpus
from scrubjay.corpora.augmentation import make_swap_lists
from scrubjay.corpora.regions import without_ignored
from scrubjay.corpora.writing import require_apart
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError, OutputError
from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import EvaluationReport, evaluate_pairs
from scrubjay.labels import LabelSet, find_label_set
from scrubjay.learning.configs import Config
from scrubjay.learning.dial import choose_dial, require_recall
from scrubjay.learning.label_sets import choose_label_set
from scrubjay.learning.learners import (
    KEEPING,
    Trained,
    drop_checkpoint,
    fit_config,
    has_dial,
    require_start,
    require_teacher,
)
from scrubjay.learning.mixtures import Source, mix, require_weights
from scrubjay.learning.preparation import Progress, fingerprint, require_paths, silent
from scrubjay.learning.requirements import require_device, require_ready
from scrubjay.learning.start_configs import find_start_config
from scrubjay.learning.transformer_config import with_encoder


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What `scrubjay train` was asked for.

    `corpora` are trained on together, by `weights` where there are any (`learning.mixtures`);
    `dev`, corpora too, is never trained on. `language` chooses lexicons
    and clusters. `label_set` None means the first shipped set that has every label. Each training
    document is joined by `swap_copies` copies of it with other PHI (`corpora.augmentation`), so
    that the model learns contexts rather than names. `checkpoint` is a file that an interrupted
    training goes on from, for the kinds that can; it is removed once the model is saved. For an
    ensemble it is a folder that is kept. `device` is "auto", "cpu" or "cuda": where networks are
    trained. `jobs` is in how many processes the members of an ensemble are. `encoder` is the local
    folder that a transformer is tuned from, in place of the configuration's. `start_from` is a file
    of weights that a network begins with, or a model, of which `start_member` is meant where it is
    an ensemble with several networks; `config` may then be None, or change some settings of the
    model's (`learning.start_configs`). `teacher` is such a file of a network that it
    learns from, and `save_weights` where such a file is written.
    """

    corpora: tuple[Path, ...]
    out: Path
    config: str | None
    language: str
    dev: tuple[Path, ...] = ()
    seed: int = 0
    label_set: str | None = None
    format: str | None = None
    name: str | None = None
    min_recall: float | None = None
    swap_copies: int = 0
    checkpoint: Path | None = None
    device: str = "auto"
    jobs: int = 1
    encoder: str | None = None
    weights: tuple[float, ...] = ()
    start_from: str | Path | None = None
    start_member: str = ""
    teacher: Path | None = None
    save_weights: Path | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Which columns of tables hold texts and ids: options of their readers, for all corpora."""
    overwrite: bool = False

    def __post_init__(self) -> None:
        require_paths(self.corpora, self.dev, out=self.out)


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Where the model is, what it says about itself, and how it does on dev."""

    folder: Path
    manifest: Manifest
    seconds: float
    dev: EvaluationReport | None


def train_model(request: TrainingRequest, *, progress: Progress = silent) -> TrainingResult:
    """Train a model, measure it on dev, and save it.

    What can be refused is refused before training starts, and what needs no look at the corpora
    before they are read. Raises `ArtifactError`, `ConfigError`, `InputError`, `LabelError`,
    `MissingExtraError`, `OutputError`.
    """
    began = time.monotonic()
    chosen = find_start_config(request.config, request.start_from, member=request.start_member)
    config = with_encoder(chosen, request.encoder)
    _require_request(request, config)
    progress("read", 0.0)
    sources, dev_sources = _read_corpora(request)
    documents = [document for source in sources for document in source.documents]
    dev = [document for source in dev_sources for document in source.documents]
    label_set = choose_label_set(request.label_set, [*documents, *dev])
    mixture = mix(sources, seed=request.seed)
    detector = _fit(
        request, config, mixture.documents, dev=dev, label_set=label_set, progress=progress
    )
    dial = 0.0
    if request.min_recall is not None:
        progress("dial", 0.0)
        dial = choose_dial(detector.with_dial, dev, min_recall=request.min_recall).dial
        detector = detector.with_dial(dial)
    report, figures = _measure(detector, dev_sources, label_set)
    manifest = replace(
        detector.manifest,
        config=detector.manifest.config | ({"recall-dial": dial} if has_dial(config) else {}),
        # The counts are those of what was trained on, copies included and without what is ignored;
        # the fingerprint is the corpus's own, so that it can be recognised.
        training_data={
            **detector.manifest.training_data,
            "sources": list(mixture.facts),
            "swap-copies": request.swap_copies,
            "fingerprint": fingerprint(documents),
        },
        metrics={**detector.manifest.metrics, **figures},
    )
    saved = save_artifact(
        request.out,
        manifest,
        files=detector.files(),
        overwrite=request.overwrite,
        private=manifest.stores_words,
    )
    if request.checkpoint is not None and config.kind not in KEEPING:
        drop_checkpoint(request.checkpoint)
    return TrainingResult(request.out, saved, time.monotonic() - began, report)


def _require_request(request: TrainingRequest, config: Config) -> None:
    """Refuse what can be refused without a look at the corpora."""
    require_place(request.out, overwrite=request.overwrite)
    require_apart(request.out, [*request.corpora, *request.dev])
    require_weights(request.weights, corpora=len(request.corpora))
    require_writable(request.out)
    _require_checkpoint(request.checkpoint, folder=config.kind in KEEPING)
    _require_checkpoint(request.save_weights, folder=False)
    require_start(config, request.start_from, request.save_weights, member=request.start_member)
    require_teacher(config, request.teacher)
    _require_recall(request, config)
    if request.label_set is not None:
        find_label_set(request.label_set)
    if request.swap_copies:
        make_swap_lists(request.language)
    require_ready(config, language=request.language, start_from=request.start_from)
    require_device(config, request.device)


def _read(path: Path, request: TrainingRequest) -> Iterator[Document]:
    return read_corpus(path, format=request.format, **request.columns)


def _read_corpora(request: TrainingRequest) -> tuple[list[Source], list[Source]]:
    """Return the corpora to train on and those to measure on.

    Of the latter stays what may be measured on: sentences with regions to ignore are left out.
    """
    weights = require_weights(request.weights, corpora=len(request.corpora))
    sources = [
        Source(path.name, tuple(_read(path, request)), weight)
        for path, weight in zip(request.corpora, weights, strict=True)
    ]
    dev = [
        Source(path.name, tuple(map(without_ignored, _read(path, request)))) for path in request.dev
    ]
    measured = [document for source in dev for document in source.documents]
    require_unseen([d for source in sources for d in source.documents], measured)
    if request.min_recall is not None and not any(document.spans for document in measured):
        raise InputError(
            "the dev data have no PHI to choose the recall dial on", path=request.dev[0]
        )
    return sources, dev


def _fit(
    request: TrainingRequest,
    config: Config,
    documents: Sequence[Document],
    *,
    dev: Sequence[Document],
    label_set: LabelSet | None,
    progress: Progress,
) -> Any:
    return fit_config(
        config,
        documents,
        dev=dev,
        seed=request.seed,
        progress=progress,
        language=request.language,
        label_set=request.label_set or (label_set.name if label_set else ""),
        name=request.name or request.out.name,
        checkpoint=request.checkpoint,
        device=request.device,
        jobs=request.jobs,
        swap_copies=request.swap_copies,
        start_from=request.start_from,
        start_member=request.start_member,
        teacher=request.teacher,
        save_weights=request.save_weights,
    )


def _require_recall(request: TrainingRequest, config: Config) -> None:
    """Refuse a recall that no dial could be turned for, before any work."""
    if request.min_recall is None:
        return
    require_recall(request.min_recall)
    if not has_dial(config):
        raise ConfigError(
            f"a model of the kind {config.kind!r} has no recall dial",
            hint="Leave --min-recall out, or choose another configuration",
        )
    if not request.dev:
        raise ConfigError("--min-recall needs dev data", hint="Give it with --dev")


def require_writable(out: Path) -> None:
    """Refuse a place where no folder can be made, before any work."""
    parent = next(place for place in out.absolute().parents if place.exists())
    try:
        with tempfile.TemporaryFile(dir=parent):
            pass
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        raise OutputError(
            f"cannot be written ({reason})", path=out, hint="Choose another folder"
        ) from error


def _require_checkpoint(place: Path | None, *, folder: bool) -> None:
    """Refuse a checkpoint that could not be written, before any work."""
    if place is None:
        return
    if not place.parent.is_dir():
        raise OutputError("its folder does not exist", path=place, hint="Create it first")
    if place.is_dir() and not folder:
        raise OutputError("is a folder", path=place, hint="Give the name of a file")
    require_writable(place)


def require_unseen(train: Sequence[Document], dev: Sequence[Document]) -> None:
    """Refuse dev data that was trained on: figures would be worthless."""
    texts = {document.text for document in train if document.text.strip()}
    shared = [document.id for document in dev if document.text in texts]
    if shared:
        raise InputError(
            f"{len(shared)} dev documents stand in the training corpus too, first {shared[0]!r}",
            hint="Split them with: scrubjay corpus split",
        )


def _measure(
    detector: Trained, sources: Sequence[Source], label_set: LabelSet | None
) -> tuple[EvaluationReport | None, dict[str, Any]]:
    """Return how a detector does on all dev data, and that for the manifest, by source too."""
    pairs = [
        list(pair_found(source.documents, detector.detect(source.documents))) for source in sources
    ]
    if not any(pairs):
        return None, {}
    whole = evaluate_pairs(chain.from_iterable(pairs), label_set=label_set)
    metrics = {"dev": manifest_figures(whole)}
    if len(sources) > 1:
        metrics["dev-sources"] = {
            # Folders of one name, such as a/dev and b/dev, are told apart by their number.
            f"{number}:{source.name}": manifest_figures(evaluate_pairs(part, label_set=label_set))
            for number, (source, part) in enumerate(zip(sources, pairs, strict=True), start=1)
        }
    return whole, metrics


def manifest_figures(report: EvaluationReport) -> dict[str, Any]:
    """Return what the manifest of a model tells of an evaluation."""
    return {
        "documents": report.documents,
        "strict": report.strict.ratios(),
        "binary-token-recall": report.binary_token_recall,
    }
