"""Training of CRF taggers with CRFsuite (L-BFGS with L1 and L2, or its online algorithms)."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoded, Encoder, fit_encoder
from scrubjay.features.resources import expand_attributes
from scrubjay.learning._crfsuite import CrfsuiteWeights, read_crfsuite
from scrubjay.learning.configs import CrfConfig
from scrubjay.learning.preparation import (
    Progress,
    make_manifest,
    prepare,
    silent,
    training_dictionaries,
)
from scrubjay.learning.requirements import require_trainer
from scrubjay.taggers._linear.weights import FeatureWeights
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger
from scrubjay.tags import find_scheme


@dataclass(frozen=True, slots=True)
class CrfLearner:
    """Frozen configuration that fits a CRF detector.

    `language` chooses lexicons and clusters; `label_set` (a name or a TOML file) is recorded.
    CRFsuite's L-BFGS has no randomness: a seed matters to the online algorithms' shuffling
    alone, and is recorded with every model.
    """

    config: CrfConfig
    language: str
    label_set: str = ""
    name: str = ""

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        weights_file: Path | None = None,
        progress: Progress = silent,
    ) -> CrfDetector:
        """Return a detector trained on documents with gold spans.

        `dev` is not looked at: CRFsuite stops by its own objective.
        `weights_file` keeps CRFsuite's own model file there. Raises `InputError` for a corpus
        without documents or without PHI on any token, `ConfigError` for features that the
        language has nothing for, `MissingExtraError` without python-crfsuite.
        """
        require_trainer(self.config)
        progress("tokenize", 0.0)
        data = prepare(documents, self.config.tokenizer, align=self.config.training.align)
        labels = data.labels
        features = expand_attributes(self.config.features, language=self.language, labels=labels)
        if not features.templates():
            raise ConfigError(f"none of the features exists for language {self.language!r}")
        dictionaries = training_dictionaries(data.batch, data.aligned, features)
        progress("features", 0.0)
        encoder, encoded = fit_encoder(features, data.batch, dictionaries=dictionaries)
        scheme = find_scheme(self.config.scheme)
        gold = data.gold_tags(scheme)
        _seed_shuffling(seed)
        trained = self._train(encoder, encoded, gold, weights_file, progress)
        model = build_model(encoder, trained, scheme=scheme.name, labels=labels)
        manifest = make_manifest(self, data, seed=seed)
        return CrfDetector(data.tokenizer, CrfTagger(model), manifest=manifest)

    def _train(
        self,
        encoder: Encoder,
        encoded: Encoded,
        gold: Any,
        weights_file: Path | None,
        progress: Progress,
    ) -> CrfsuiteWeights:
        import pycrfsuite

        training = self.config.training
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.select(training.algorithm)
        trainer.set_params(training.parameters())
        strings = feature_strings(encoder, encoded)
        bounds = encoded.bounds.tolist()
        names = gold.astype(str).tolist()
        for number, (begin, end) in enumerate(pairwise(bounds)):
            trainer.append([next(strings) for _ in range(end - begin)], names[begin:end])
            if number % 500 == 0:
                progress("features", begin / max(1, bounds[-1]))
        watch_training(trainer, training.max_iterations, progress)
        with tempfile.TemporaryDirectory() as folder:
            path = weights_file or Path(folder) / "model.crfsuite"
            trainer.train(str(path))
            return read_crfsuite(path)


def _seed_shuffling(seed: int) -> None:
    """Seed `rand` of the C library, by which CRFsuite shuffles and which it never seeds."""
    library = ctypes.CDLL("ucrtbase" if os.name == "nt" else None)
    library.srand(ctypes.c_uint((seed + 1) & 0xFFFFFFFF))  # srand(0) is srand(1)


def watch_training(trainer: Any, limit: int, progress: Progress) -> None:
    """Make a CRFsuite trainer report the share of its iterations to `progress`."""

    def report(line: str) -> None:
        if line.startswith("***** Iteration #"):
            progress("train", min(1.0, int(line.split("#")[1].split()[0]) / max(1, limit)))

    trainer.message = report


def feature_strings(encoder: Encoder, encoded: Encoded) -> Iterator[list[str]]:
    """Yield the features of each token as strings `template:value[:value...]`."""
    columns: list[tuple[int, list[list[int]]]] = []
    cache: dict[tuple[str, int], list[int]] = {}
    for number, template in enumerate(encoder.templates):
        parts = []
        for part in template.parts:
            if part not in cache:
                cache[part] = encoder.part_values(encoded, *part).tolist()
            parts.append(cache[part])
        columns.append((number, parts))
    for token in range(len(encoded)):
        row: list[str] = []
        for number, parts in columns:
            values = [part[token] for part in parts]
            if 0 not in values:
                row.append(f"{number}:" + ":".join(map(str, values)))
        yield row


def build_model(
    encoder: Encoder, trained: CrfsuiteWeights, *, scheme: str, labels: tuple[str, ...]
) -> CrfModel:
    """Lay the trained weights out for inference, and forget every value without weight."""
    tag_count = 1 + len(labels) * len(find_scheme(scheme).prefixes)
    tag_of = np.array([int(label) for label in trained.labels], dtype=np.int64)
    # A tag that never occurs in training is out of reach, as it is for CRFsuite.
    transitions = np.full((tag_count, tag_count), -np.inf)
    transitions[np.ix_(tag_of, tag_of)] = 0.0
    moves = trained.transitions
    transitions[tag_of[moves["source"]], tag_of[moves["target"]]] = moves["weight"]
    states = trained.states
    states = states[states["weight"].astype(np.float32) != 0]
    used = np.unique(states["source"])
    table = np.zeros((len(used), 4), dtype=np.int64)
    for row, attribute in enumerate(used.tolist()):
        numbers = list(map(int, trained.attributes[attribute].split(":")))
        table[row, : len(numbers)] = numbers
    order = np.lexsort(table.T[::-1])
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    rows = rank[np.searchsorted(used, states["source"])]
    arranged = np.lexsort((tag_of[states["target"]], rows))
    features = FeatureWeights(
        templates=table[order, 0].astype(np.uint16),
        values=table[order, 1:].astype(np.int32),
        indptr=np.searchsorted(rows[arranged], np.arange(len(used) + 1)).astype(np.int32),
        tags=tag_of[states["target"]][arranged].astype(np.uint16),
        weights=states["weight"][arranged].astype(np.float32),
    )
    compact, renumbered = forget_unused(encoder, features)
    return CrfModel(compact, renumbered, transitions, scheme, labels)


def forget_unused(encoder: Encoder, features: FeatureWeights) -> tuple[Encoder, FeatureWeights]:
    """Renumber the values that carry weight; a model stores no other word."""
    used: dict[str, set[int]] = {name: set() for name in encoder.alphabets}
    for number, template in enumerate(encoder.templates):
        rows = features.values[features.templates == number]
        for column, (name, _) in enumerate(template.parts):
            used[name].update(np.unique(rows[:, column]).tolist())
    alphabets: dict[str, dict[str, int]] = {}
    renumber: dict[str, Any] = {}
    for name, alphabet in encoder.alphabets.items():
        kept = [value for value, number in alphabet.items() if number in used[name]]
        alphabets[name] = {value: number for number, value in enumerate(kept, start=1)}
        lookup = np.zeros(len(alphabet) + 1, dtype=np.int32)
        for value, number in alphabets[name].items():
            lookup[alphabet[value]] = number
        renumber[name] = lookup
    values = features.values.copy()
    for number, template in enumerate(encoder.templates):
        chosen = features.templates == number
        for column, (name, _) in enumerate(template.parts):
            values[chosen, column] = renumber[name][values[chosen, column]]
    asked = {name.partition(":")[2] for name in alphabets if name.startswith("dictionary:")}
    dictionaries = {k: v for k, v in encoder.dictionaries.items() if k in asked}
    compact = Encoder(encoder.templates, alphabets, scope=encoder.scope, dictionaries=dictionaries)
    return compact, replace(features, values=values)
