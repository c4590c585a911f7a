"""Contextual string embeddings again: token by token, one character at a time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from scrubjay.features._sessions import make_session
from scrubjay.features.alphabet import BORDER, read_alphabet
from scrubjay.text.tokens import Tokens


def embed_slowly(
    files: dict[str, bytes], tokens: Tokens, *, chunk: int, warm_up: int
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Return the vector of each token: forward at its last character, backward at its first."""
    alphabet = read_alphabet(files["alphabet.json"])
    numbers = alphabet.encode(tokens.text).tolist()
    size = len(numbers)
    forward, backward = [BORDER, *numbers], [BORDER, *numbers[::-1]]
    vectors = []
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        ahead = _state(files["forward.onnx"], forward, end, chunk, warm_up)
        behind = _state(files["backward.onnx"], backward, size - start, chunk, warm_up)
        vectors.append(np.concatenate([ahead, behind]))
    return vectors


def _state(
    graph: bytes, numbers: list[int], place: int, chunk: int, warm_up: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the state after `numbers[place]`, read from a fresh state at the chunk's warm-up."""
    session = _session(graph)
    width = session.get_inputs()[1].shape[-1]
    hidden = np.zeros((1, 1, width), dtype=np.float32)
    cell = hidden
    begin = place - place % chunk - warm_up
    for number in numbers[max(0, begin) : place + 1]:
        given = {"ids": np.array([[number]], dtype=np.int64), "hidden": hidden, "cell": cell}
        hidden, cell = session.run(["last_hidden", "last_cell"], given)
    state: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = hidden[0, 0]
    return state


@cache
def _session(graph: bytes) -> Any:
    return make_session(graph, threads=1)
