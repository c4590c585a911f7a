"""Training of ensembles: members by cross-fitting, then the combiner, then the members anew.

The combiner learns from what members say of documents that they were not trained on (Wolpert
1992; Zhao 2020, Ensemble Method): for each fold a member is trained on the other folds. The
members of the model are trained on all documents. See docs/ensemble.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrubjay.artifacts import Artifact, Manifest, load_artifact
from scrubjay.corpora.regions import without_ignored
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.labels import find_label_set
from scrubjay.learning._crossfit import (
    Circumstances,
    Task,
    read_member,
    run_tasks,
    work_folder,
)
from scrubjay.learning._folds import Folds, hold_out, make_folds
from scrubjay.learning._stacking import Evidence, FittedCombiner, fit_combiner
from scrubjay.learning.ensemble_config import EnsembleConfig, MemberSettings
from scrubjay.learning.label_sets import tell_unknown
from scrubjay.learning.learners import stops_by_dev
from scrubjay.learning.preparation import (
    Progress,
    fingerprint,
    known_tokenizer,
    silent,
    training_labels,
)
from scrubjay.models import find_model
from scrubjay.taggers._combining.candidates import collect_candidates, join_candidates
from scrubjay.taggers._combining.combiners import Filled, PerLabel
from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers.ensemble import (
    KIND,
    EnsembleDetector,
    member_artifacts,
    require_one_label_set,
)
from scrubjay.taggers.kinds import load_artifact_model
from scrubjay.taggers.members import (
    Member,
    MemberRunner,
    require_one_tokenizer,
    tokenizer_key,
)
from scrubjay.taggers.regex import describe_regex, make_regex_detector

#: Documents that members see at once, which bounds the memory of their scores.
_BATCH = 64


@dataclass(frozen=True, slots=True)
class EnsembleLearner:
    """Frozen configuration that fits an ensemble.

    `language` and `label_set` (a name or a TOML file) are those of all members. With a
    `checkpoint`, a folder, the predictions of each member and fold and each finished member are
    kept there, and any later fit takes from it what it would do again. Trainings are shared by
    `jobs` processes, on a `device` and with so many `threads` each (0: as many as there are
    cores for each). To each training documents come `swap_copies` copies with other PHI, made
    from the mentions of its own documents alone.
    """

    config: EnsembleConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"
    jobs: int = 1
    threads: int = 0
    swap_copies: int = 0

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> EnsembleDetector:
        """Return a detector trained on documents with gold spans.

        `dev` is seen by the finished members alone, as each sees its dev data on its own. Where
        that is to stop a training early, the members of the folds stop by a tenth of their own
        training documents in its place, never by the fold that they are to predict. Raises
        `InputError` for a corpus without documents or PHI, a fold without any, and members that
        leave the combiner nothing to learn, `ConfigError` for members with different label sets,
        and of a pool with different tokenizers: before any is trained, where settings tell.
        """
        documents = [without_ignored(document) for document in documents]
        labels = training_labels(documents)
        ready = {
            settings.name: self._find_ready(settings, labels, [*documents, *dev])
            for settings in self.config.members
            if settings.config is None
        }
        require_one_label_set([*ready.values(), *self._stand_ins(ready)])
        if self.config.combiner.method == "pool":  # refused before the others are trained
            self._refuse_other_tokenizers(ready)
        theirs = {label for member in ready.values() for label in member.detector.labels}
        taken = self._take_combiner(sorted({*labels, *theirs}))
        folds = None
        if self.config.needs_crossfit:
            folds = make_folds(documents, self.config.crossfit)
        tasks = self._tasks(documents, folds, dev=dev, seed=seed)
        with work_folder(self.checkpoint) as work:
            run_tasks(tasks, work, jobs=self.jobs, progress=progress)
            progress("combiner", 0.0)
            finished = {t.member: read_member(t, work) for t in tasks if t.fold is None} | ready
            members = [finished[settings.name] for settings in self.config.members]
            known = tuple(sorted({*labels, *(x for m in members for x in m.detector.labels)}))
            evidence = None
            if folds is not None:
                evidence = self._unseen(documents, folds, ready, tasks, known, work)
        fitted = taken or fit_combiner(self.config, known, evidence)
        if self.config.combiner.fill:
            names = tuple(member.name for member in members)
            filled = Filled(fitted.combiner, names, self.config.combiner.fill)
            fitted = replace(fitted, combiner=filled)
        manifest = self._manifest(documents, members, known, fitted, folds, seed)
        return EnsembleDetector(members, fitted.combiner, manifest=manifest)

    def _take_combiner(self, labels: Sequence[str]) -> FittedCombiner | None:
        """Return the combiner of a trained ensemble, if that is what is configured."""
        name = self.config.combiner.model
        if not name:
            return None
        artifact = load_artifact(find_model(name))
        ensemble = load_artifact_model(artifact)
        names = [member.name for member in self.config.combined]
        if not isinstance(ensemble, EnsembleDetector):
            raise ConfigError(
                f"the model {name!r} is no ensemble, so it has no combiner",
                hint="Give combiner.model an ensemble",
            )
        theirs = ensemble.combiner
        combined = [member.name for member in ensemble.members]
        if isinstance(theirs, Filled):
            combined = [member for member in combined if member not in theirs.fill]
            theirs = theirs.base
        if combined != names:
            raise ConfigError(
                f"the ensemble {name!r}, whose combiner is to be taken, combines other members "
                f"({', '.join(combined)}) than this one ({', '.join(names)})",
                hint="Members must have the same names in the same order; those that fill are none",
            )
        unknown = sorted(set(labels) - set(ensemble.labels))
        if unknown and isinstance(theirs, PerLabel):
            raise ConfigError(
                f"the combiner of {name!r} has no member for the label {unknown[0]!r}",
                hint="Train an ensemble anew on documents that have all labels",
            )
        combiner = read_combiner(
            theirs.record(),
            theirs.arrays(),
            members=tuple(names),
            labels=tuple(sorted({*labels, *ensemble.labels})),
        )
        return FittedCombiner(combiner, artifact.manifest.metrics.get("crossfit", {}))

    def _find_ready(
        self, settings: MemberSettings, labels: Sequence[str], documents: Iterable[Document]
    ) -> Member:
        """Return a member that is not trained: patterns, or a model that is."""
        if settings.model:
            artifact = _find_member(settings)
            return Member(settings.name, load_artifact_model(artifact), artifact.manifest)
        if not self.label_set:
            raise ConfigError(
                f"the member {settings.name!r} needs a label set that is known"
                + tell_unknown(documents),
                hint="Correct the labels, or give --label-set",
            )
        detector = make_regex_detector(
            self.language, self.label_set, extra_files=[Path(file) for file in settings.files]
        ).only(labels)
        manifest = describe_regex(
            detector, self.language, label_set=self.label_set, name=settings.name
        )
        return Member(settings.name, detector, manifest)

    def _refuse_other_tokenizers(self, ready: dict[str, Member]) -> None:
        """Refuse to train members of a pool of which settings tell that they cut texts otherwise.

        What a tokenizer will learn is not known before: of those that do, settings are compared.
        """
        pooled = [ready[one.name] for one in self.config.combined if one.name in ready]
        keys = MemberRunner(pooled, asked="scores").tokenizer_keys()
        known = [(one.name, key) for one, key in zip(pooled, keys, strict=True)]
        learned = []
        for settings in self.config.combined:
            if settings.config is not None:
                table = settings.config.table().get("tokenizer", {})
                cutter = known_tokenizer(table)
                if cutter is None:
                    learned.append((settings.name, json.dumps(dict(table), sort_keys=True)))
                else:
                    known.append((settings.name, tokenizer_key(cutter)))
        require_one_tokenizer(known)
        require_one_tokenizer(learned)

    def _stand_ins(self, ready: dict[str, Member]) -> list[Member]:
        """Return trained members' label sets before they are trained, as members without model."""
        if not self.label_set or not ready:
            return []
        manifest = Manifest(
            name="", kind="", language=self.language, labels=(), stores_words=False,
            label_set=find_label_set(self.label_set).name,
        )  # fmt: skip
        some = next(iter(ready.values()))
        return [
            Member(settings.name, some.detector, manifest)
            for settings in self.config.members
            if settings.config is not None
        ]

    def _tasks(
        self,
        documents: Sequence[Document],
        folds: Folds | None,
        *,
        dev: Sequence[Document],
        seed: int,
    ) -> list[Task]:
        """Return every training that there is to do: folds first, then the finished members."""
        threads = self.threads
        if self.jobs > 1 and not threads:
            threads = max(1, (os.cpu_count() or 1) // self.jobs)
        here = Circumstances(
            self.language, self.label_set, seed, self.device, threads, self.swap_copies
        )
        trained = [(m.name, m.config) for m in self.config.members if m.config is not None]
        tasks, whole = [], []
        for name, config in trained:
            if folds is not None and name not in self.config.combiner.fill:
                for fold in range(self.config.crossfit.folds):
                    train, stop = folds.outside(fold, documents), list[Document]()
                    if dev and stops_by_dev(config):
                        groups = folds.groups_of(documents)
                        train, stop = hold_out(train, groups, seed=self.config.crossfit.seed)
                    tasks.append(Task(name, config, here, train, stop, fold))
            whole.append(Task(name, config, here, documents, dev))
        return tasks + whole

    def _unseen(
        self,
        documents: Sequence[Document],
        folds: Folds,
        ready: dict[str, Member],
        tasks: Sequence[Task],
        labels: tuple[str, ...],
        work: Path,
    ) -> Evidence:
        """Return what each member says of each document unseen; those not trained see all so."""
        numbers = {label: number for number, label in enumerate(labels)}
        members = self.config.combined
        found: list[list[tuple[Span, ...]]] = [[() for _ in documents] for _ in members]
        candidates, places = [], []
        for fold in range(self.config.crossfit.folds):
            trained = {t.member: read_member(t, work) for t in tasks if t.fold == fold} | ready
            runner = MemberRunner([trained[settings.name] for settings in members])
            inside = [n for n, number in enumerate(folds.numbers) if number == fold]
            for begin in range(0, len(inside), _BATCH):
                some = inside[begin : begin + _BATCH]
                said, readings = runner.find([documents[n].with_spans(()) for n in some])
                for member, spans in zip(found, said, strict=True):
                    for number, each in zip(some, spans, strict=True):
                        member[number] = each
                candidates.append(collect_candidates(said, numbers, readings))
                places.append(some)
        joined = join_candidates(candidates, places)
        return Evidence(documents, found, folds.numbers, labels, joined, self.language)

    def _manifest(
        self,
        documents: Sequence[Document],
        members: Sequence[Member],
        labels: tuple[str, ...],
        fitted: FittedCombiner,
        folds: Folds | None,
        seed: int,
    ) -> Manifest:
        facts: dict[str, Any] = {
            "documents": len(documents),
            "spans": sum(len(document.spans) for document in documents),
            "fingerprint": fingerprint(documents),
        }
        if folds is not None:
            facts["crossfit"] = {
                "folds": self.config.crossfit.folds,
                "by": folds.by,
                "groups": len(set(folds.groups)),
                "labels-of-one-fold": _labels_of_one_fold(documents, folds),
            }
        label_sets = [m.manifest.label_set for m in members if m.manifest.label_set]
        known = find_label_set(self.label_set).name if self.label_set else ""
        return Manifest(
            name=self.name or self.config.name,
            kind=KIND,
            language=self.language,
            label_set=known or next(iter(label_sets), ""),
            labels=labels,
            config=self.config.table(),
            seed=seed,
            training_data=facts,
            metrics={"crossfit": dict(fitted.metrics)} if fitted.metrics else {},
            stores_words=any(member.manifest.stores_words for member in members),
        )


def _find_member(settings: MemberSettings) -> Artifact:
    """Return the trained model, or the member of it, that a member is to be."""
    artifact = load_artifact(find_model(settings.model))
    if not settings.member:
        return artifact
    parts = member_artifacts(artifact) if artifact.manifest.kind == KIND else {}
    if settings.member not in parts:
        raise ConfigError(
            f"the model {settings.model!r} has no member {settings.member!r}",
            hint=f"Its members: {', '.join(parts) or 'none, since it is no ensemble'}",
        )
    return parts[settings.member]


def _labels_of_one_fold(documents: Sequence[Document], folds: Folds) -> list[str]:
    """Return the labels that stand in one fold alone: members cannot find them there unseen."""
    places: dict[str, set[int]] = {}
    for document, fold in zip(documents, folds.numbers, strict=True):
        for span in document.spans:
            places.setdefault(span.label, set()).add(fold)
    return sorted(label for label, found in places.items() if len(found) == 1)
