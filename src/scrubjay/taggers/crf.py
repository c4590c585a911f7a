"""The CRF tagger: decoding a trained linear-chain model over integer features.

Inference needs neither the trainer nor strings of features; see `learning/crf.py` for
training and `_linear/weights.py` for how scores are summed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact, encode_array
from scrubjay.cores import Ahead, Begun, Flags, Numbers, run_all
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.taggers._decoding.chain import ChainDecoder, Decoded, Paths, Reading, split_tags
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers._decoding.viterbi import FloatArray, find_moves
from scrubjay.taggers._linear.weights import (
    READING,
    SCORING,
    Emissions,
    FeatureWeights,
    Held,
)
from scrubjay.taggers._parts import cut_parts
from scrubjay.taggers._reading_loops import BEYOND, compiled_reading
from scrubjay.taggers._stored import (
    MISFITS,
    build_encoder,
    describe_encoder,
    encoder_words,
    merge_words,
    misfit,
    read_tokenizer_and_dial,
    require_moves,
)
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

KIND = "crf"

#: A text of more tokens is read some at a time: scores take a hundred times what they do.
LONG = 65_536

_TOKENS_AT_ONCE = 16_384


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

    def __init__(
        self, model: CrfModel, *, dial: float = 0.0, emissions: Emissions | None = None
    ) -> None:
        self.model = model
        self.dial = dial
        self.labels = model.labels
        # The dial has no part in them: a tagger at another one may share them.
        self._emissions = (
            Emissions(model.encoder, model.features, model.tag_count)
            if emissions is None
            else emissions
        )
        self._decoder = ChainDecoder(
            model.transitions, scheme=model.scheme, labels=model.labels, dial=dial
        )
        self._has_kernels = False

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(CrfTagger, dial=self.dial), (self.model,)

    def with_dial(self, dial: float) -> CrfTagger:
        """Return the same tagger at another point between precision and recall."""
        return CrfTagger(self.model, dial=dial, emissions=self._emissions)

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        return split_tags(self.read(batch).decoded.tags, batch)

    def read(self, batch: Sequence[Tokens]) -> Reading:
        """Return what the tagger makes of the texts."""
        encoded, scores = self._score(batch)
        if isinstance(scores, Held):
            scores = scores.score(encoded)
        return Reading(self._decoder, scores, encoded.bounds, batch)

    def begin(self, batch: Sequence[Tokens]) -> Begun[Reading] | Ahead[Reading] | Begun[Paths]:
        """Begin to read the texts, and return what gives readings of some after others of them.

        Much text is read in parts, by other threads where there are any; the tags are the same.
        Of a long text (`LONG`) no scores are held: those that are asked for are summed again.
        """
        if max(map(len, batch), default=0) > LONG:
            with self.model.encoder.lock:
                encoded = self.model.encoder.encode(batch)
                scorer = self._emissions.scorer(encoded)
            summed = _SummedScores(scorer, encoded, self._decoder.unseen)
            return Begun(self._find_paths, [(summed, batch)], ahead=True)
        encoded, held = self._score(batch, kernel=READING)
        if not isinstance(held, Held):
            return Begun(_as_it_is, [Reading(self._decoder, held, encoded.bounds, batch)])
        # The first time loads or compiles kernels, which one thread is to do.
        offsets, texts = cut_parts(batch, most=None if self._has_kernels else 1)
        self._has_kernels = True
        borders = np.array([[offsets[first], offsets[last]] for first, last in texts])
        parts = np.concatenate([borders, np.searchsorted(encoded.bounds, borders)], axis=1)
        # In one piece, and by this thread: what others get and give back the system gets back, too.
        scores, tags = held.room(len(encoded)), np.empty(len(encoded), dtype=np.int16)
        decoder, tables, moves = self._decoder, held.tables(), find_moves(self._decoder.transitions)
        read_parts = compiled_reading()

        def work(numbers: Numbers, begun: Flags, done: Flags) -> None:
            read_parts(
                numbers, parts, begun, done,
                encoded.word_ids, encoded.positions, encoded.segments, scores, tables,
                encoded.bounds, decoder.unseen, decoder.dial, moves, tags,
            )  # fmt: skip

        def reading(number: int) -> Reading:
            first, last, begin, end = parts[number].tolist()
            bounds = encoded.bounds[begin : end + 1] - np.int32(first)
            some = batch[slice(*texts[number])]
            return Reading(decoder, scores[first:last], bounds, some, tags=tags[first:last])

        return Ahead(work, reading, len(texts))

    def _find_paths(self, job: tuple[_SummedScores, Sequence[Tokens]]) -> Paths:
        """Return the best paths, for which scores are held of a few sentences at a time."""
        scores, batch = job
        bounds = scores.encoded.bounds
        tags = np.empty(len(scores), dtype=np.int16)

        def fill(part: tuple[int, int]) -> None:
            own = bounds[part[0] : part[1] + 1]
            begin, end = int(own[0]), int(own[-1])
            tags[begin:end] = self._decoder.decode(scores[begin:end], own - begin).tags

        cuts = np.flatnonzero(np.diff(bounds[:-1] // _TOKENS_AT_ONCE, prepend=-1)).tolist()
        run_all(fill, list(pairwise([*cuts, len(bounds) - 1])))
        return Paths(self._decoder, Decoded(scores, bounds, tags), batch)

    def _score(
        self, batch: Sequence[Tokens], *, kernel: tuple[str, str] = SCORING
    ) -> tuple[Encoded, FloatArray | Held]:
        """Return the texts as integers, and their scores, or what gives those of any part."""
        encoder = self.model.encoder
        with encoder.lock:
            encoded = encoder.encode(batch)
            held = self._emissions.hold(encoded, kernel=kernel)
            return encoded, self._emissions.score_numpy(encoded) if held is None else held

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return model_files(self.model)


@dataclass(frozen=True, slots=True, eq=False)
class _SummedScores:
    """The emission scores of a batch, which are summed for those tokens that are asked for."""

    scorer: Callable[[Encoded], FloatArray]
    encoded: Encoded
    unseen: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.encoded)

    def __getitem__(self, tokens: slice) -> FloatArray:
        begin, end, _ = tokens.indices(len(self))
        first, last = max(0, begin - BEYOND), min(len(self), end + BEYOND)
        scores = self.scorer(self.encoded.part(first, last))[begin - first : end - first]
        scores[:, self.unseen] = -np.inf
        return scores


def _as_it_is(reading: Reading) -> Reading:
    return reading


CrfDetector = ChainDetector[CrfTagger]
"""Finds PHI in documents with one tokenizer and one CRF tagger."""


def is_crf(detector: object) -> TypeGuard[CrfDetector]:
    """Tell whether a detector is a `CrfDetector`."""
    return isinstance(getattr(detector, "tagger", None), CrfTagger)


def model_files(model: CrfModel) -> dict[str, bytes]:
    """Return the files of an artifact: alphabets as JSON, arrays as .npy.

    Features are sorted by template; `values.npy` holds only as many numbers as a template has
    parts, and `sizes.npy` how many tags each feature has weights for.
    """
    encoder, features = model.encoder, model.features
    parts = np.array([len(template.parts) for template in encoder.templates], dtype=np.int64)
    kept = np.arange(3)[None, :] < parts[features.templates][:, None]
    counts = np.bincount(features.templates, minlength=len(parts))
    tag_dtype = np.uint8 if model.tag_count <= 256 else np.uint16
    return {
        "features.json": json.dumps(describe_encoder(encoder), ensure_ascii=False).encode(),
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
    except MISFITS as error:
        raise misfit(artifact, error) from error
    return model


def _build_model(artifact: Artifact) -> CrfModel:
    manifest = artifact.manifest
    encoder = build_encoder(artifact.read_json("features.json"), model=manifest.name)
    counts, sizes = _read_vector(artifact, "counts.npy"), _read_vector(artifact, "sizes.npy")
    if (counts < 0).any() or (sizes < 0).any() or int(counts.sum()) != len(sizes):
        raise ValueError("the counts do not add up")
    parts = np.array([len(template.parts) for template in encoder.templates], dtype=np.int64)
    numbers = np.repeat(np.arange(len(parts), dtype=np.uint16), counts)
    values = np.zeros((len(numbers), 3), dtype=np.int32)
    values[np.arange(3)[None, :] < parts[numbers][:, None]] = _read_vector(artifact, "values.npy")
    features = FeatureWeights(
        numbers,
        values,
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int32),
        _read_tags(artifact),
        _read_vector(artifact, "weights.npy"),
    )
    transitions = artifact.read_array("transitions.npy").astype(np.float64)
    return CrfModel(encoder, features, transitions, manifest.scheme, tuple(manifest.labels))


def _read_tags(artifact: Artifact) -> npt.NDArray[np.uint16]:
    tags = _read_vector(artifact, "tags.npy")
    if not np.can_cast(tags.dtype, np.uint16):
        raise ValueError(f"tags.npy holds {tags.dtype}")
    return tags.astype(np.uint16)


def _read_vector(artifact: Artifact, name: str) -> npt.NDArray[Any]:
    array = artifact.read_array(name)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions")
    return array


def _require_fit(model: CrfModel) -> None:
    """Raise `ValueError` where numbers point beyond what they count, or scores are none.

    Raises as `require_moves` and `units` do, too.
    """
    features, encoder = model.features, model.encoder
    tag_count = 1 + len(model.labels) * len(find_scheme(model.scheme).prefixes)
    sizes = [[len(encoder.alphabets[name]) for name, _ in t.parts] for t in encoder.templates]
    highest = np.array([[*row, 0, 0][:3] for row in sizes], dtype=np.int32).reshape(-1, 3)
    entries = int(features.indptr[-1])
    require_moves(model.transitions, tags=tag_count)
    if (
        len(features.indptr) != len(features.templates) + 1
        or not len(features.tags) == len(features.weights) == entries
        or (features.tags >= tag_count).any()
        or (features.values < 0).any()
        or (features.values > highest[features.templates]).any()
    ):
        raise ValueError("the arrays do not fit together")
    if _repeats_tags(features):
        raise ValueError("a feature has two weights for one tag")
    features.units()


def _repeats_tags(features: FeatureWeights) -> bool:
    """Tell whether a feature lists a tag twice: kernels may add its weights or take one."""
    tags, indptr = features.tags, features.indptr
    rises = np.ones(len(tags) + 1, dtype=bool)
    rises[1:-1] = tags[1:] > tags[:-1]
    rises[indptr] = True
    if rises.all():  # as a learner lists them: nothing has to be sorted
        return False
    owners = np.repeat(np.arange(len(indptr) - 1, dtype=np.int64), np.diff(indptr))
    keys = np.sort(owners << 16 | tags)
    return bool((keys[1:] == keys[:-1]).any())


def load_crf(artifact: Artifact) -> CrfDetector:
    """Return the detector that an artifact of kind "crf" describes, at its recall dial.

    Raises `ArtifactError` for a tokenizer that this release does not know, and like
    `read_model`.
    """
    tokenizer, dial = read_tokenizer_and_dial(artifact)
    tagger = CrfTagger(read_model(artifact), dial=dial)
    return CrfDetector(tokenizer, tagger, manifest=artifact.manifest)


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every word, affix or key of the training data that the artifact stores, sorted.

    The merges of a byte pair encoding are pieces of its words, too.
    """
    description = artifact.read_json("features.json")
    yield from sorted({*encoder_words(description), *merge_words(artifact)})
