"""Speed of inference against a python-crfsuite pipeline with string features, in one run.

    python benchmarks/throughput.py [--corpus meddocan] [--config zhao2020-crf] [--iterations 60]

Trains one CRF, keeps CRFsuite's own model file, and tags the dev texts twice: with Scrubjay
(tokenization to scored spans), and with the usual pipeline, which builds the features of each
token as strings (attributes cached per distinct word) and calls `pycrfsuite.Tagger`. Both must
give the same spans. Each figure is the best of `--repeat` runs in one process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
from harness import CORPORA, Results, read_split, write_table

from scrubjay.document import Document
from scrubjay.features.encoder import Encoder, fit_encoder
from scrubjay.features.positions import Place
from scrubjay.features.resources import expand_attributes, make_word_attribute
from scrubjay.learning.configs import find_crf_config
from scrubjay.learning.crf import CrfLearner
from scrubjay.taggers.crf import CrfDetector
from scrubjay.tags import decode_tags, find_scheme

#: Documents in a batch: some 200,000 characters of these corpora, as `Deidentifier` takes them.
BATCH = 64

Found = list[list[tuple[int, int, str]]]


class StringPipeline:
    """The plain way: per token a list of feature strings, then CRFsuite's tagger."""

    def __init__(self, detector: CrfDetector, encoder: Encoder, model: Path) -> None:
        self.detector = detector
        self.encoder = encoder
        self.tagger = pycrfsuite.Tagger()
        self.tagger.open(str(model))
        self._words: dict[str, dict[str, str]] = {}
        self._functions = {
            name: make_word_attribute(name, encoder.dictionaries) for name in encoder.word_names
        }

    def _attributes(self, word: str) -> dict[str, str]:
        found = self._words.get(word)
        if found is None:
            encoder = self.encoder
            found = {}
            for name, function in self._functions.items():
                value = function(word)
                number = 0 if value is None else encoder.alphabets[name].get(value, 0)
                if number:
                    found[name] = str(number)
            self._words[word] = found
        return found

    def _tokens(self, document: Document) -> tuple[Any, list[dict[str, str]]]:
        encoder = self.encoder
        tokens = self.detector.tokenizer.tokenize(document.text)
        rows = [dict(self._attributes(word)) for word in tokens.words()]
        place = Place(tokens, encoder.intern(tokens.words()))
        for name, function in zip(encoder.position_names, encoder._position_functions, strict=True):
            values = function(place)
            for row, index in zip(rows, values.index.tolist(), strict=True):
                number = encoder.alphabets[name].get(values.values[index], 0) if index >= 0 else 0
                if number:
                    row[name] = str(number)
        return tokens, rows

    def find(self, documents: Sequence[Document]) -> Found:
        """Return `(start, end, label)` of every span of each document."""
        return [self._find(document) for document in documents]

    def _find(self, document: Document) -> list[tuple[int, int, str]]:
        tokens, rows = self._tokens(document)
        bounds = tokens.sentence_bounds().tolist()
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)).tolist()
        whole = self.encoder.scope == "document"
        templates = [(n, t.parts) for n, t in enumerate(self.encoder.templates)]
        features = []
        for position in range(len(rows)):
            strings = []
            for number, parts in templates:
                values = [str(number)]
                for name, offset in parts:
                    there = position + offset
                    if not 0 <= there < len(rows):
                        break
                    if not whole and owner[there] != owner[position]:
                        break
                    value = rows[there].get(name)
                    if value is None:
                        break
                    values.append(value)
                else:
                    strings.append(":".join(values))
            features.append(strings)
        tags: list[int] = []
        for begin, end in pairwise(bounds):
            tags.extend(map(int, self.tagger.tag(features[begin:end])))
        tagger = self.detector.tagger
        ranges = decode_tags(
            np.array(tags, dtype=np.int16),
            scheme=find_scheme(tagger.model.scheme),
            labels=tagger.labels,
        )
        return [(int(tokens.starts[f]), int(tokens.ends[e - 1]), label) for f, e, label in ranges]


def best_time(function: Callable[[], Any], repeat: int) -> float:
    """Return the shortest of `repeat` runs, in seconds."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return min(times)


def prepare(corpus: str, name: str, iterations: int, folder: Path) -> tuple[CrfDetector, Encoder]:
    """Train; return the detector and the encoder with the alphabets of training."""
    _, _, label_set, language = CORPORA[corpus]
    config = find_crf_config(name)
    config = replace(config, training=replace(config.training, max_iterations=iterations))
    train = read_split(corpus, "train")
    learner = CrfLearner(config, language=language, label_set=label_set)
    detector = learner.fit(train, weights_file=folder / "model.crfsuite")
    features = expand_attributes(config.features, language=language, labels=detector.labels)
    batch = [detector.tokenizer.tokenize(document.text) for document in train]
    dictionaries = detector.tagger.model.encoder.dictionaries
    encoder, _ = fit_encoder(features, batch, dictionaries=dictionaries)
    return detector, encoder


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="meddocan", choices=CORPORA)
    parser.add_argument("--config", default="zhao2020-crf")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    documents = read_split(options.corpus, "dev")
    with tempfile.TemporaryDirectory() as folder:
        detector, encoder = prepare(
            options.corpus, options.config, options.iterations, Path(folder)
        )
        plain = StringPipeline(detector, encoder, Path(folder) / "model.crfsuite")
        tokens = sum(len(detector.tokenizer.tokenize(document.text)) for document in documents)
        expected = plain.find(documents)
        found = [
            [(span.start, span.end, span.label) for span in spans]
            for spans in detector.detect(documents)
        ]
        assert found == expected, "the two pipelines differ"
        ours = best_time(lambda: detect_in_batches(detector, documents), options.repeat)
        cold = best_time(lambda: detect_in_batches(fresh(detector), documents), 2)
        theirs = best_time(lambda: plain.find(documents), 2)
    row = {
        "tokens": tokens,
        "spans": sum(map(len, found)),
        "same-output": True,
        "features-per-token-templates": len(encoder.templates),
        "scrubjay-tokens-per-second": round(tokens / ours),
        "scrubjay-empty-caches-tokens-per-second": round(tokens / cold),
        "string-pipeline-tokens-per-second": round(tokens / theirs),
        "ratio": round(theirs / ours, 1),
        "ratio-empty-caches": round(theirs / cold, 1),
        "numba": "numba" in sys.modules,
    }
    Results("throughput").save(f"{options.corpus} {options.config}", row)
    saved = Results("throughput").rows
    head = ("model", "tokens", "Scrubjay tok/s", "empty caches", "CRFsuite strings", "ratio")
    keys = ("tokens", "scrubjay-tokens-per-second", "scrubjay-empty-caches-tokens-per-second",
            "string-pipeline-tokens-per-second", "ratio")  # fmt: skip
    rows = [(name, *(saved_row[key] for key in keys)) for name, saved_row in saved.items()]
    write_table("throughput", "Text to scored spans, one process, one run", head, rows)


def detect_in_batches(detector: CrfDetector, documents: Sequence[Document]) -> None:
    """Detect as a run does: about 200,000 characters at a time."""
    for first in range(0, len(documents), BATCH):
        detector.detect(documents[first : first + BATCH])


def fresh(detector: CrfDetector) -> CrfDetector:
    """Return the same detector with empty caches."""
    import pickle

    copy: CrfDetector = pickle.loads(pickle.dumps(detector))
    return copy


if __name__ == "__main__":
    main()
