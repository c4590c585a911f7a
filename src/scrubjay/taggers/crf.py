"""The CRF tagger: decoding a trained linear-chain model over integer features.

Inference needs neither the trainer nor strings of features; see `learning/crf.py` for
training and `_weights.py` for how scores are summed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact, Manifest, encode_array
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.features.resources import resource_fingerprints, warn_of_changed_resources
from scrubjay.features.templates import parse_template
from scrubjay.taggers._viterbi import FloatArray, best_path, segment_probabilities
from scrubjay.taggers._weights import Emissions, FeatureWeights
from scrubjay.tags import TagArray, TokenRange, decode_tags, find_scheme
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer
from scrubjay.text.tokens import IntArray, Tokens

KIND = "crf"


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """The parameters of a trained CRF: what an artifact stores.

    `transitions` (tags, tags) holds -inf wherever a tag that training never saw is involved.
    """

    encoder: Encoder
    features: FeatureWeights
    transitions: FloatArray
    scheme: str
    labels: tuple[str, ...]

    @property
    def tag_count(self) -> int:
        return len(self.transitions)


class CrfTagger:
    """Tags tokens with the best path of a CRF.

    `dial` is subtracted from the score of `O` at every token: above 0 it finds more (recall),
    below 0 less (precision), 0 is the model as trained.
    """

    def __init__(self, model: CrfModel, *, dial: float = 0.0) -> None:
        self.model = model
        self.dial = dial
        self.scheme = find_scheme(model.scheme)
        self.labels = model.labels
        self._emissions = Emissions(model.encoder, model.features, model.tag_count)
        self._unseen = np.flatnonzero(np.isneginf(model.transitions).all(axis=0))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild_tagger, (self.model, self.dial))

    def with_dial(self, dial: float) -> CrfTagger:
        """Return the same tagger at another point between precision and recall."""
        return CrfTagger(self.model, dial=dial)

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        _, _, tags = self._decode(batch)
        return _split(tags, batch)

    def tag_spans(self, batch: Sequence[Tokens], *, source: str = KIND) -> list[tuple[Span, ...]]:
        """Return the spans of each text, each with the probability of its path as score."""
        bounds, scores, tags = self._decode(batch)
        found: list[list[TokenRange]] = [
            decode_tags(part, scheme=self.scheme, labels=self.labels)
            for part in _split(tags, batch)
        ]
        offsets = _offsets(batch).tolist()
        segments = [
            (first + offset, last + offset)
            for ranges, offset in zip(found, offsets[:-1], strict=True)
            for first, last, _ in ranges
        ]
        values = iter(
            segment_probabilities(
                scores,
                bounds,
                self.model.transitions,
                np.array(segments, dtype=np.int64).reshape(-1, 2),
                tags,
            ).tolist()
        )
        return [
            _make_spans(tokens, ranges, values, source=source)
            for tokens, ranges in zip(batch, found, strict=True)
        ]

    def _decode(self, batch: Sequence[Tokens]) -> tuple[IntArray, FloatArray, TagArray]:
        """Return sentence bounds, emission scores without the dial, and tags of the batch."""
        encoded = self.model.encoder.encode(batch)
        scores = self._emissions.score(encoded)
        scores[:, self._unseen] = -np.inf
        scores[:, 0] -= self.dial
        tags = best_path(scores, encoded.bounds, self.model.transitions)
        scores[:, 0] += self.dial
        return encoded.bounds, scores, tags


def _offsets(batch: Sequence[Tokens]) -> IntArray:
    """Return where each text begins in the batch, and where the last ends."""
    return np.cumsum([0, *(len(tokens) for tokens in batch)], dtype=np.int32)


def _split(tags: TagArray, batch: Sequence[Tokens]) -> list[TagArray]:
    bounds = _offsets(batch).tolist()
    return [tags[begin:end] for begin, end in pairwise(bounds)]


def _make_spans(
    tokens: Tokens, ranges: Sequence[TokenRange], values: Iterator[float], *, source: str
) -> tuple[Span, ...]:
    if not ranges:
        return ()
    firsts = tokens.starts[[first for first, _, _ in ranges]].tolist()
    lasts = tokens.ends[[last - 1 for _, last, _ in ranges]].tolist()
    # Six decimals, and never 0: a score lies in (0, 1].
    return tuple(
        Span(start, end, label, score=max(round(next(values), 6), 1e-6), source=source)
        for start, end, (_, _, label) in zip(firsts, lasts, ranges, strict=True)
    )


def _rebuild_tagger(model: CrfModel, dial: float) -> CrfTagger:
    return CrfTagger(model, dial=dial)


class CrfDetector:
    """Finds PHI in documents with one tokenizer and one CRF tagger."""

    def __init__(self, tokenizer: Tokenizer, tagger: CrfTagger, *, manifest: Manifest) -> None:
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.manifest = manifest
        self.labels = tagger.labels

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""
        batch = [self.tokenizer.tokenize(document.text) for document in documents]
        return self.tagger.tag_spans(batch, source=self.manifest.name or KIND)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return model_files(self.tagger.model)

    def with_dial(self, dial: float) -> CrfDetector:
        """Return the same detector at another point between precision and recall."""
        return CrfDetector(self.tokenizer, self.tagger.with_dial(dial), manifest=self.manifest)


def model_files(model: CrfModel) -> dict[str, bytes]:
    """Return the files of an artifact: alphabets as JSON, arrays as .npy.

    Features are sorted by template; `values.npy` holds only as many numbers as a template has
    parts, and `sizes.npy` how many tags each feature has weights for.
    """
    encoder, features = model.encoder, model.features
    parts = np.array([len(template.parts) for template in encoder.templates], dtype=np.int64)
    kept = np.arange(3)[None, :] < parts[features.templates][:, None]
    description = {
        "templates": [str(template) for template in encoder.templates],
        "scope": encoder.scope,
        "alphabets": {name: encoder.values_of(name) for name in encoder.alphabets},
        "dictionaries": {name: sorted(words) for name, words in encoder.dictionaries.items()},
        "resources": resource_fingerprints(encoder.alphabets),
    }
    counts = np.bincount(features.templates, minlength=len(parts))
    tag_dtype = np.uint8 if model.tag_count <= 256 else np.uint16
    return {
        "features.json": json.dumps(description, ensure_ascii=False).encode(),
        "counts.npy": encode_array(counts.astype(np.int32)),
        "values.npy": encode_array(features.values[kept].astype(np.int32)),
        "sizes.npy": encode_array(np.diff(features.indptr).astype(np.uint16)),
        "tags.npy": encode_array(features.tags.astype(tag_dtype)),
        "weights.npy": encode_array(features.weights),
        "transitions.npy": encode_array(model.transitions),
    }


def read_model(artifact: Artifact) -> CrfModel:
    """Read the parameters of a CRF; raises `ArtifactError` where they do not fit together."""
    try:
        model = _build_model(artifact)
        _require_fit(model)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ConfigError) as error:
        raise ArtifactError(
            f"{artifact.folder}: the parts of the model do not fit together "
            f"({type(error).__name__}). Train it again with this release"
        ) from error
    return model


def _build_model(artifact: Artifact) -> CrfModel:
    manifest = artifact.manifest
    description: Mapping[str, Any] = artifact.read_json("features.json")
    templates = [parse_template(text) for text in description["templates"]]
    alphabets = {
        name: {value: number for number, value in enumerate(values, start=1)}
        for name, values in description["alphabets"].items()
    }
    dictionaries = {name: frozenset(words) for name, words in description["dictionaries"].items()}
    encoder = Encoder(templates, alphabets, scope=description["scope"], dictionaries=dictionaries)
    warn_of_changed_resources(manifest.name, description["resources"], alphabets)
    counts, sizes = _read_vector(artifact, "counts.npy"), _read_vector(artifact, "sizes.npy")
    if (counts < 0).any() or int(counts.sum()) != len(sizes):
        raise ValueError("the counts do not add up")
    parts = np.array([len(template.parts) for template in templates], dtype=np.int64)
    numbers = np.repeat(np.arange(len(parts), dtype=np.uint16), counts)
    values = np.zeros((len(numbers), 3), dtype=np.int32)
    values[np.arange(3)[None, :] < parts[numbers][:, None]] = _read_vector(artifact, "values.npy")
    features = FeatureWeights(
        numbers,
        values,
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int32),
        _read_vector(artifact, "tags.npy").astype(np.uint16),
        _read_vector(artifact, "weights.npy"),
    )
    transitions = artifact.read_array("transitions.npy").astype(np.float64)
    return CrfModel(encoder, features, transitions, manifest.scheme, tuple(manifest.labels))


def _read_vector(artifact: Artifact, name: str) -> npt.NDArray[Any]:
    array = artifact.read_array(name)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions")
    return array


def _require_fit(model: CrfModel) -> None:
    """Raise `ValueError` where numbers point beyond what they count."""
    features, encoder = model.features, model.encoder
    tag_count = 1 + len(model.labels) * len(find_scheme(model.scheme).prefixes)
    sizes = [[len(encoder.alphabets[name]) for name, _ in t.parts] for t in encoder.templates]
    highest = np.array([[*row, 0, 0][:3] for row in sizes], dtype=np.int32).reshape(-1, 3)
    entries = int(features.indptr[-1])
    if (
        model.transitions.shape != (tag_count, tag_count)
        or len(features.indptr) != len(features.templates) + 1
        or not len(features.tags) == len(features.weights) == entries
        or (features.tags >= tag_count).any()
        or (features.values < 0).any()
        or (features.values > highest[features.templates]).any()
    ):
        raise ValueError("the arrays do not fit together")


def load_crf(artifact: Artifact) -> CrfDetector:
    """Return the detector that an artifact of kind "crf" describes, at its recall dial.

    Raises `ArtifactError` for a tokenizer that this release does not know, and like
    `read_model`.
    """
    manifest = artifact.manifest
    settings = dict(manifest.tokenizer)
    try:
        tokenizer = make_tokenizer(settings.pop("name", ""), **settings)
        dial = float(manifest.config.get("recall-dial", 0.0))
    except (ConfigError, TypeError, ValueError) as error:
        raise ArtifactError(f"{artifact.folder}: {error}. Train the model again") from error
    return CrfDetector(tokenizer, CrfTagger(read_model(artifact), dial=dial), manifest=manifest)


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every word, affix or key of the training data that the artifact stores, sorted.

    The merges of a byte pair encoding are pieces of its words, too.
    """
    description = artifact.read_json("features.json")
    found = {value for values in description["alphabets"].values() for value in values}
    for words in description["dictionaries"].values():
        found.update(words)
    found.update("".join(pair) for pair in artifact.manifest.tokenizer.get("merges", ()))
    yield from sorted(found)
