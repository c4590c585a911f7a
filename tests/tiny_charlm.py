"""Character language models with random weights, small enough for tests; no torch needed."""

from __future__ import annotations

import numpy as np

from scrubjay.features.alphabet import make_alphabet
from scrubjay.features.contextual import ALPHABET, BACKWARD, FORWARD
from scrubjay.learning.neural.charlm_export import export_charlm

LETTERS = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ0123456789.,:\n"


def tiny_charlm(*, hidden: int = 6, seed: int = 0) -> dict[str, bytes]:
    """Return the files of a pair of models over `LETTERS`."""
    alphabet = make_alphabet([LETTERS])
    return {
        FORWARD: export_charlm(tiny_weights(len(alphabet), hidden=hidden, seed=seed)),
        BACKWARD: export_charlm(tiny_weights(len(alphabet), hidden=hidden, seed=seed + 1)),
        ALPHABET: alphabet.to_json().encode(),
    }


def tiny_weights(
    characters: int, *, hidden: int, seed: int, embedding: int = 5
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Return random weights under the names of `CharLM`."""
    rng = np.random.default_rng(seed)
    shapes = {
        "embedding.weight": (characters, embedding),
        "recurrent.weight_ih_l0": (4 * hidden, embedding),
        "recurrent.weight_hh_l0": (4 * hidden, hidden),
        "recurrent.bias_ih_l0": (4 * hidden,),
        "recurrent.bias_hh_l0": (4 * hidden,),
    }
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
