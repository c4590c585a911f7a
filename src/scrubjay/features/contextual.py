"""Contextual string embeddings: what character language models know at the edges of each token.

A forward model has read the text up to a token's last character, a backward model, coming from
the end, up to its first: their states together are the token's vector (Akbik et al. 2018,
section 2.3; Trienes et al. 2020, section 4.3).

Texts are not read in one go. The characters of a text are cut, in the order of reading, into
chunks of `CHUNK`; each chunk is read from a fresh state, beginning `WARM_UP` characters before
it (the first one: at the border of the text), and the states of the warm-up are dropped. So a
state has seen between `WARM_UP` and `WARM_UP + CHUNK` characters rather than the whole text
before it: chunks of all texts run side by side, which makes it many times faster, and little
is lost, for a model's memory is hardly longer. What a token's vector is depends on its own text
alone, never on the other texts of a batch (but for the rounding of floating-point sums).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact
from scrubjay.errors import ArtifactError
from scrubjay.features._sessions import make_session
from scrubjay.features.alphabet import BORDER, Alphabet, read_alphabet
from scrubjay.text.tokens import IntArray, Tokens

if TYPE_CHECKING:
    import onnxruntime

FloatArray = npt.NDArray[np.float32]

KIND = "charlm"
FORWARD, BACKWARD, ALPHABET = "forward.onnx", "backward.onnx", "alphabet.json"

CHUNK = 256
WARM_UP = 64

_ROWS = 32
"""So many chunks are read side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Which chunks of a stream to read, and where the wanted states are in them.

    Chunk `i` is `stream[begins[i] : begins[i] + lengths[i]]`; the state of wanted place `j` is
    that after character `offsets[j]` of chunk `chunks[j]`.
    """

    begins: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    chunks: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]


class ContextualEmbedder:
    """Embeds tokens by a pair of character language models; immutable, loads without torch.

    Made by `load_contextual` from a saved model, or of the bytes of its files (others are passed
    over), so that a tagger can carry them in its own folder. It can be pickled. `threads` is that
    of `make_session`. Raises `ArtifactError` for missing or damaged files and `MissingExtraError`
    where ONNX Runtime is not installed.
    """

    def __init__(self, files: Mapping[str, bytes], *, threads: int = 0) -> None:
        missing = sorted({FORWARD, BACKWARD, ALPHABET} - files.keys())
        if missing:
            raise ArtifactError(f"the character language models lack {', '.join(missing)}")
        self._files = {name: bytes(files[name]) for name in (FORWARD, BACKWARD, ALPHABET)}
        self._threads = threads
        self._alphabet = read_alphabet(self._files[ALPHABET])
        self._forward = make_session(self._files[FORWARD], threads=threads)
        self._backward = make_session(self._files[BACKWARD], threads=threads)
        self._hidden = _hidden_size(self._forward)
        if _hidden_size(self._backward) != self._hidden:
            raise ArtifactError("the two character language models differ in size")
        for session in (self._forward, self._backward):
            self._require_alphabet(session)

    def _require_alphabet(self, session: onnxruntime.InferenceSession) -> None:
        """Raise `ArtifactError` unless a model knows all characters of the alphabet."""
        highest = np.array([len(self._alphabet) - 1], dtype=np.int64)
        one = np.ones(1, dtype=np.int64)
        try:
            self._run(session, highest, one - 1, one)
        except Exception as error:  # ONNX Runtime has a dozen kinds and no common base
            raise ArtifactError(
                "the alphabet is not that of the character language models "
                f"({type(error).__name__}). Copy all files again from where they came"
            ) from error

    def __reduce__(self) -> tuple[object, ...]:
        return partial(ContextualEmbedder, threads=self._threads), (self._files,)

    def __repr__(self) -> str:
        return f"ContextualEmbedder(dimension={self.dimension}, alphabet={self._alphabet!r})"

    @property
    def dimension(self) -> int:
        """The width of a token's vector: the states of both models."""
        return 2 * self._hidden

    @property
    def alphabet(self) -> Alphabet:
        """The characters that the models know."""
        return self._alphabet

    def files(self) -> dict[str, bytes]:
        """Return the files of both models and their alphabet."""
        return dict(self._files)

    def embed(self, batch: Sequence[Tokens]) -> FloatArray:
        """Return the vectors of all tokens of a batch, one text after another.

        Float32, shape `(n, dimension)`: the forward state after each token's last character,
        then the backward state after its first.
        """
        sizes = np.array([len(tokens.text) for tokens in batch], dtype=np.int64)
        codes = [self._alphabet.encode(tokens.text) for tokens in batch]
        counts = np.array([len(tokens) for tokens in batch], dtype=np.int64)
        vectors = np.empty((int(counts.sum()), self.dimension), dtype=np.float32)
        if not len(vectors):
            return vectors
        lengths = np.repeat(sizes, counts)
        ends = np.concatenate([tokens.ends for tokens in batch]).astype(np.int64)
        starts = np.concatenate([tokens.starts for tokens in batch]).astype(np.int64)
        texts = np.repeat(np.arange(len(batch)), counts)
        # Place 0 of the order of reading is the border, so that character i is at i + 1.
        hidden = self._hidden
        self._read(self._forward, codes, texts, ends, vectors[:, :hidden])
        reversed_codes = [numbers[::-1] for numbers in codes]
        self._read(self._backward, reversed_codes, texts, lengths - starts, vectors[:, hidden:])
        return vectors

    def _read(
        self,
        session: onnxruntime.InferenceSession,
        codes: Sequence[IntArray],
        texts: npt.NDArray[np.int64],
        places: npt.NDArray[np.int64],
        out: FloatArray,
    ) -> None:
        """Fill `out` with the states after the given places of the given texts."""
        border = np.array([BORDER], dtype=np.int64)
        stream = np.concatenate([part for numbers in codes for part in (border, numbers)])
        sizes = np.array([len(numbers) + 1 for numbers in codes], dtype=np.int64)
        plan = _plan_chunks(texts, places, sizes)
        order = np.argsort(-plan.lengths, kind="stable")
        rows = np.empty_like(order)
        rows[order] = np.arange(len(order))
        wanted_rows = rows[plan.chunks]
        by_row = np.argsort(wanted_rows, kind="stable")
        groups = np.arange(0, len(order) + _ROWS, _ROWS)
        bounds = np.searchsorted(wanted_rows[by_row], groups)
        for group, (begin, end) in enumerate(pairwise(bounds.tolist())):
            chosen = order[groups[group] : groups[group] + _ROWS]
            wanted = by_row[begin:end]
            states = self._run(session, stream, plan.begins[chosen], plan.lengths[chosen])
            out[wanted] = states[plan.offsets[wanted], wanted_rows[wanted] - groups[group]]

    def _run(
        self,
        session: onnxruntime.InferenceSession,
        stream: npt.NDArray[np.int64],
        begins: npt.NDArray[np.int64],
        lengths: npt.NDArray[np.int64],
    ) -> FloatArray:
        """Return the states (T, B, H) of the chunks; those after a chunk's end mean nothing."""
        steps = np.arange(int(lengths.max()))[:, None]
        ids = stream[np.minimum(begins + steps, len(stream) - 1)]
        zeros = np.zeros((1, len(begins), self._hidden), dtype=np.float32)
        states: FloatArray
        (states,) = session.run(["states"], {"ids": ids, "hidden": zeros, "cell": zeros})
        return states


def load_contextual(artifact: Artifact) -> ContextualEmbedder:
    """Return the embedder of a saved pair of character language models (kind "charlm").

    Raises `ArtifactError` for an artifact of another kind or with damaged files, and
    `MissingExtraError` where ONNX Runtime is not installed.
    """
    if artifact.manifest.kind != KIND:
        raise ArtifactError(
            f"{artifact.folder}: a model of the kind {artifact.manifest.kind!r}, not {KIND!r}. "
            "Give a folder written by scrubjay pretrain charlm"
        )
    files = {name: artifact.read(name) for name in (FORWARD, BACKWARD, ALPHABET)}
    return ContextualEmbedder(files)


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield nothing: character language models store characters, no words.

    What they may have learned by heart no list can tell.
    """
    yield from ()


def _hidden_size(session: onnxruntime.InferenceSession) -> int:
    shapes = {given.name: given.shape for given in session.get_inputs()}
    if shapes.keys() != {"ids", "hidden", "cell"} or not isinstance(shapes["hidden"][-1], int):
        raise ArtifactError("the graph is not that of a character language model")
    return int(shapes["hidden"][-1])


def _plan_chunks(
    texts: npt.NDArray[np.int64], places: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]
) -> _Plan:
    """Lay the wanted places of each text on its chunks, of which only those are read.

    `places` count from the border of their text, `sizes` are those of the texts with it. A chunk
    is read up to its last wanted place.
    """
    firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    numbers = places // CHUNK
    most = int(numbers.max()) + 1
    used, chunks = np.unique(texts * most + numbers, return_inverse=True)
    text, number = used // most, used % most
    warm = np.maximum(0, number * CHUNK - WARM_UP)
    offsets = places - warm[chunks]
    lengths = np.zeros(len(used), dtype=np.int64)
    np.maximum.at(lengths, chunks, offsets + 1)
    return _Plan(firsts[text] + warm, lengths, chunks, offsets)
