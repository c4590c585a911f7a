"""Emission scores of a recurrent tagger: windows of tokens through its two networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrubjay.cores import run_all, usable_threads
from scrubjay.features._sessions import make_session
from scrubjay.features.inputs import NetworkInputs
from scrubjay.taggers._decoding.chain import require_finite
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._recurrent.fit import (
    Indices,
    Matrix,
    never_one,
    reads_alone,
    require_fit,
    run_words,
)
from scrubjay.taggers._recurrent.model import BilstmModel
from scrubjay.taggers._recurrent.windows import Windows, cut_ranges, cut_windows
from scrubjay.tags import IndexArray
from scrubjay.text.tokens import IntArray, Tokens

if TYPE_CHECKING:
    from scrubjay.features.contextual import ContextualEmbedder
    from scrubjay.features.encoders import EncoderEmbedder

#: Tokens that one run of the sequence network reads, padding included: small enough for the
#: caches of a core, large enough that a run's own cost does not count.
TOKENS_AT_ONCE = 1024

#: Distinct words that one run of the word network reads; bounds its memory.
WORDS_AT_ONCE = 512


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What the networks read of a batch: `words` by type, the rest by token."""

    inputs: NetworkInputs
    words: Matrix
    contextual: Matrix | None


class WindowScorer:
    """Scores tokens in windows; can be used by several threads at once, and not pickled.

    Sessions run on one thread each, batches of windows side by side, and never a window alone,
    unless all are: so the sums of a token are added up in the same order whatever else is in
    the batch, and its scores are the same to the last bit. Vectors are made once per distinct
    word and kept.
    """

    def __init__(self, model: BilstmModel) -> None:
        self._inputs = model.inputs
        self._size, self._context = model.window_size, model.window_context
        self._tag_count = model.tag_count
        self._words = make_session(model.words, threads=1)
        self._sequence = make_session(model.sequence, threads=1)
        # 1 token is room for one window: each is read alone.
        self._tokens_at_once = 1 if reads_alone(self._sequence) else TOKENS_AT_ONCE
        self._embedder = None if model.contextual is None else make_embedder(model.contextual)
        self._reads_features = require_fit(
            self._words,
            self._sequence,
            model=model,
            contextual=self._embedder.dimension if self._embedder is not None else 0,
        )
        self._generation = -1
        self._vectors: Matrix = np.zeros((0, 0), dtype=np.float32)

    def score(
        self, batch: Sequence[Tokens], *, ranges: IndexArray | None = None
    ) -> tuple[FloatArray, IntArray]:
        """Return the emission scores (n, tags) of a batch and the borders of its windows.

        With `ranges` (k, 2) of its tokens those alone are scored, and the others have 0; the
        borders are those of the texts then. A score depends on what stands around its range.

        Raises `DetectionError` for scores that are no finite numbers.
        """
        with self._inputs.lock:
            inputs = self._inputs.encode(batch)
            vectors = self._word_vectors()
        size, context = self._size, self._context
        if ranges is None:
            windows = cut_windows(inputs.bounds, inputs.documents, size=size, context=context)
            scores = np.empty((len(inputs), self._tag_count), dtype=np.float64)
            borders = windows.bounds() if len(windows) else np.zeros(1, dtype=np.int32)
        else:
            windows = cut_ranges(
                ranges, inputs.bounds, inputs.documents, size=size, context=context
            )
            scores = np.zeros((len(inputs), self._tag_count), dtype=np.float64)
            borders = np.unique(inputs.documents).astype(np.int32)
        if not len(windows):
            return scores, borders

        read = None if ranges is None else windows.reads()
        network_inputs = _Read(inputs, vectors, self._embed(batch, read))

        def fill(chosen: Indices) -> None:
            self._fill(scores, windows, chosen, read=network_inputs)

        run_all(fill, share_out(windows.sizes(), tokens=self._tokens_at_once))
        return scores, borders

    def _embed(self, batch: Sequence[Tokens], ranges: IndexArray | None) -> Matrix | None:
        """Return the contextual embeddings (n, e) of a batch, if the network reads any.

        With `ranges` (k, 2) of tokens those of the others may be zeros.
        """
        embedder = self._embedder
        if embedder is None:
            return None
        bounds = np.cumsum([0, *(len(tokens) for tokens in batch)])
        vectors = np.zeros((int(bounds[-1]), embedder.dimension), dtype=np.float32)
        if ranges is not None and (narrow := getattr(embedder, "embed_ranges", None)):
            cuts = np.searchsorted(ranges[:, 0], bounds)

            def embed_some(text: int) -> None:
                begin, end = bounds[text : text + 2]
                own = ranges[cuts[text] : cuts[text + 1]] - begin
                narrow(batch[text], own, vectors[begin:end])

            run_all(embed_some, np.flatnonzero(np.diff(cuts)).tolist())
            return vectors

        def embed(part: slice) -> None:
            chosen = batch[part]
            vectors[bounds[part.start] : bounds[part.start + len(chosen)]] = embedder.embed(chosen)

        step = max(1, -(-len(batch) // usable_threads()))
        run_all(embed, [slice(at, at + step) for at in range(0, len(batch), step)])
        return vectors

    def _word_vectors(self) -> Matrix:
        """Return the vectors of every cached word; the lock of the inputs is held."""
        if self._generation != self._inputs.generation:
            self._generation = self._inputs.generation
            self._vectors = self._vectors[:0]
        numbers, spellings = self._inputs.word_numbers(), self._inputs.spellings()
        known = len(self._vectors)
        if known < len(numbers):
            fresh = []
            for at in range(known, len(numbers), WORDS_AT_ONCE):
                part = slice(at, at + WORDS_AT_ONCE)
                fresh.append(run_words(self._words, numbers[part], spellings[part]))
            self._vectors = np.concatenate([self._vectors, *fresh] if known else fresh)
        return self._vectors

    def _fill(
        self,
        scores: FloatArray,
        windows: Windows,
        chosen: Indices,
        *,
        read: _Read,
    ) -> None:
        """Write the scores of the cores of some windows."""
        if self._tokens_at_once == 1:
            for number in chosen.tolist():
                self._fill_alone(scores, windows, number, read=read)
            return
        chosen = never_one(chosen)
        starts, lengths = windows.starts[chosen], windows.sizes()[chosen]
        times = np.arange(int(lengths.max()))[:, None]
        # Beyond its end a window repeats its last token, which the network does not read.
        tokens = starts + np.minimum(times, lengths - 1)
        vectors = read.words[read.inputs.types[tokens]]
        if read.contextual is not None:
            vectors = np.concatenate([vectors, read.contextual[tokens]], axis=2)
        feed: dict[str, Any] = {"vectors": vectors, "lengths": lengths}
        if self._reads_features:
            feed["features"] = read.inputs.features[tokens].astype(np.int64)
        (found,) = self._sequence.run(["scores"], feed)
        core = (tokens >= windows.firsts[chosen]) & (tokens < windows.lasts[chosen])
        core &= times < lengths
        require_finite(found[core])
        scores[tokens[core]] = found[core]

    def _fill_alone(
        self, scores: FloatArray, windows: Windows, number: int, *, read: _Read
    ) -> None:
        """Write the scores of the core of one window, which is read alone: all of it are slices."""
        start, end = int(windows.starts[number]), int(windows.ends[number])
        first, last = int(windows.firsts[number]), int(windows.lasts[number])
        vectors = read.words[read.inputs.types[start:end]]
        if read.contextual is not None:
            vectors = np.concatenate([vectors, read.contextual[start:end]], axis=1)
        feed: dict[str, Any] = {
            "vectors": vectors[:, None],
            "lengths": np.array([end - start], dtype=np.int32),
        }
        if self._reads_features:
            feed["features"] = read.inputs.features[start:end].astype(np.int64)[:, None]
        (found,) = self._sequence.run(["scores"], feed)
        core = found[first - start : last - start, 0]
        require_finite(core)
        scores[first:last] = core


def make_embedder(files: Mapping[str, bytes]) -> ContextualEmbedder | EncoderEmbedder:
    """Return what reads tokens in context, by the files that a model carries."""
    from scrubjay.features import contextual, encoders

    if encoders.GRAPH in files:
        return encoders.EncoderEmbedder(files, threads=1)
    return contextual.ContextualEmbedder(files, threads=1)


def share_out(sizes: IntArray, *, tokens: int) -> list[Indices]:
    """Share windows out into runs of about one size, the longest first; each is in one run.

    A run reads up to so many `tokens`, or a single window.
    """
    order = np.argsort(-sizes, kind="stable")
    runs: list[Indices] = []
    at = 0
    while at < len(order):
        count = max(1, tokens // int(sizes[order[at]]))
        runs.append(order[at : at + count])
        at += count
    return runs
