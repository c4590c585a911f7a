"""Vectors of tokens from a tuned encoder: its states over sub-tokens, pooled to our tokens.

The counterpart of `contextual.py` (character language models): a recurrent tagger carries one of
the two in its own folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from scrubjay.artifacts import encode_json
from scrubjay.errors import ArtifactError
from scrubjay.features._sessions import make_session
from scrubjay.features.subtokens import FloatArray, SubtokenEncoder, Subtokens
from scrubjay.tags import IndexArray
from scrubjay.text.tokens import Tokens

if TYPE_CHECKING:
    import onnxruntime

GRAPH, TOKENIZER, WINDOWS = "encoder.onnx", "tokenizer.json", "windows.json"

#: Names of the graph's input, sub-tokens (1, s), and output, states (1, s, d).
INPUT, OUTPUT = "subtokens", "states"


class EncoderEmbedder:
    """Embeds tokens by a tuned encoder; immutable, loads without torch, can be pickled.

    Windows are run one by one and without padding: a text has the same vectors whatever stands
    beside it in a batch. Raises `ArtifactError` for missing or damaged files, and
    `MissingExtraError` without ONNX Runtime or tokenizers.
    """

    def __init__(self, files: Mapping[str, bytes], *, threads: int = 0) -> None:
        missing = sorted({GRAPH, TOKENIZER, WINDOWS} - files.keys())
        if missing:
            raise ArtifactError(f"the encoder lacks {', '.join(missing)}")
        self._files = {name: bytes(files[name]) for name in (GRAPH, TOKENIZER, WINDOWS)}
        self._threads = threads
        self.subtokens = read_subtokens(self._files)
        self._session = make_session(self._files[GRAPH], threads=threads)
        self._dimension = _dimension(self._session)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(EncoderEmbedder, threads=self._threads), (self._files,)

    def __repr__(self) -> str:
        return f"EncoderEmbedder(dimension={self.dimension})"

    @property
    def dimension(self) -> int:
        """The width of a token's vector."""
        return self._dimension

    def files(self) -> dict[str, bytes]:
        """Return the files of the encoder."""
        return dict(self._files)

    def embed(self, batch: Sequence[Tokens]) -> FloatArray:
        """Return the vectors of all tokens of a batch, one text after another, (n, dimension).

        A token without sub-tokens has a vector of zeros.
        """
        bounds = np.cumsum([0, *(len(tokens) for tokens in batch)]).tolist()
        vectors = np.zeros((bounds[-1], self.dimension), dtype=np.float32)
        for tokens, (begin, end) in zip(batch, pairwise(bounds), strict=True):
            self._embed(self.subtokens.encode(tokens), vectors[begin:end])
        return vectors

    def embed_ranges(self, tokens: Tokens, ranges: IndexArray, out: FloatArray) -> None:
        """Write the vectors of the tokens in ranges (k, 2) of a text to `out` (n, dimension).

        Those of other tokens stay as they are.
        """
        self._embed(self.subtokens.encode(tokens, ranges=ranges), out)

    def _embed(self, cut: Subtokens, out: FloatArray) -> None:
        skip = len(self.subtokens.prefix)
        for window, scored, size in cut.asked():
            ids = self.subtokens.window_ids(cut, window)
            states = self._session.run([OUTPUT], {INPUT: ids[None]})[0][0]
            out[scored] = cut.pool(window, states[skip : skip + size])


def write_subtokens(subtokens: SubtokenEncoder) -> dict[str, bytes]:
    """Return the files that `read_subtokens` reads."""
    windows = {
        "window": subtokens.window,
        "overlap": subtokens.overlap,
        "pieces": subtokens.pieces,
    }
    return {TOKENIZER: subtokens.definition.encode("utf-8"), WINDOWS: encode_json(windows)}


def read_subtokens(files: Mapping[str, bytes]) -> SubtokenEncoder:
    """Return the sub-tokens of an encoder; raises `ArtifactError` for damaged files."""
    try:
        windows: dict[str, Any] = json.loads(files[WINDOWS])
        return SubtokenEncoder(
            files[TOKENIZER].decode("utf-8"),
            window=int(windows["window"]),
            overlap=int(windows["overlap"]),
            pieces=windows["pieces"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ArtifactError(
            f"the encoder's {WINDOWS} or {TOKENIZER} cannot be read ({type(error).__name__}). "
            "Copy all files of the model again from where it came"
        ) from error


def _dimension(session: onnxruntime.InferenceSession) -> int:
    inputs = [node.name for node in session.get_inputs()]
    outputs = [(node.name, node.shape) for node in session.get_outputs()]
    if inputs != [INPUT] or len(outputs) != 1 or outputs[0][0] != OUTPUT:
        raise ArtifactError("the encoder's graph does not give the states of sub-tokens")
    width = outputs[0][1][-1]
    if not isinstance(width, int):
        raise ArtifactError("the encoder's graph does not say how wide its states are")
    return width
