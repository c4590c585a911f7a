"""Whether the two networks of a recurrent tagger and its numbering belong together.

A graph does not say how large its tables are, so that it is asked: the last number of each
table must be known to it, and the one after that must not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError
from scrubjay.taggers._bilstm_model import FIRST_NUMBER, BilstmModel
from scrubjay.text.tokens import IntArray

if TYPE_CHECKING:
    import onnxruntime

Matrix = npt.NDArray[np.float32]


def run_words(
    session: onnxruntime.InferenceSession, numbers: IntArray, spellings: IntArray
) -> Matrix:
    """Return the vectors (w, d) of words by their vocabulary numbers and spellings."""
    feed = {"words": numbers.astype(np.int64), "spellings": spellings.astype(np.int64)}
    vectors: Matrix = session.run(["vectors"], feed)[0]
    return vectors


def require_fit(
    words: onnxruntime.InferenceSession, sequence: onnxruntime.InferenceSession, model: BilstmModel
) -> bool:
    """Tell whether the sequence network reads features.

    Raises `ArtifactError` where the networks do not take what the model gives, or know more or
    fewer words, characters or values of features than the model numbers.
    """
    _require_names(words, {"words", "spellings"}, set())
    _require_names(sequence, {"vectors", "lengths"}, {"features"})
    vector = _require_vocabulary(words, model)
    reads_features = "features" in _names(sequence)
    sizes = model.inputs.feature_sizes() if reads_features else []
    highest = np.array(sizes, dtype=np.int64) - 1
    scores = _scores(sequence, vector, highest if reads_features else None)
    if scores is None:
        raise _mismatch(f"the sequence network does not take the {len(sizes)} features, or vectors")
    if scores.shape != (1, 1, model.tag_count):
        raise _mismatch(f"the sequence network does not score the {model.tag_count} tags")
    if sizes:
        highest[-1] += 1
        if _scores(sequence, vector, highest) is not None:
            raise _mismatch("the sequence network knows more values of features")
    return reads_features


def _require_vocabulary(words: onnxruntime.InferenceSession, model: BilstmModel) -> Matrix:
    """Return the vector of the last word of the vocabulary."""
    inputs = model.inputs
    word = FIRST_NUMBER + len(inputs.vocabulary) - 1
    character = FIRST_NUMBER + len(inputs.characters) - 1
    vector = _vector(words, word, character, inputs.longest)
    if vector is None:
        raise _mismatch("the word network knows fewer words or characters")
    for name, beyond, unused in (
        ("words", (word + 1, character), (0, character)),
        ("characters", (word, character + 1), (word, 0)),
    ):
        found = _vector(words, *beyond, inputs.longest)
        # A network that leaves words or characters out gives the same for every number.
        plain = _vector(words, *unused, inputs.longest)
        if found is not None and (plain is None or not np.array_equal(found, plain)):
            raise _mismatch(f"the word network knows more {name} than the model numbers")
    return vector


def _vector(
    words: onnxruntime.InferenceSession, word: int, character: int, longest: int
) -> Matrix | None:
    """Return the vector (1, d) of a word of one repeated character, None if that is refused."""
    numbers = np.array([word], dtype=np.int32)
    spelling = np.full((1, longest), character, dtype=np.int32)
    try:
        vector = run_words(words, numbers, spelling)
    except Exception:  # ONNX Runtime has a dozen kinds and no common base
        return None
    return vector if vector.ndim == 2 else None


def _scores(
    sequence: onnxruntime.InferenceSession, vector: Matrix, features: Any
) -> npt.NDArray[Any] | None:
    """Return the scores of one token alone, None if its vector or features are refused."""
    feed: dict[str, Any] = {"vectors": vector[None], "lengths": np.ones(1, dtype=np.int32)}
    if features is not None:
        feed["features"] = features[None, None]
    try:
        scores: npt.NDArray[Any] = sequence.run(["scores"], feed)[0]
    except Exception:
        return None
    return scores


def _require_names(
    session: onnxruntime.InferenceSession, required: set[str], possible: set[str]
) -> None:
    names = _names(session)
    if not required <= names <= required | possible:
        raise _mismatch(f"a network asks for {', '.join(sorted(names)) or 'nothing'}")


def _names(session: onnxruntime.InferenceSession) -> set[str]:
    return {node.name for node in session.get_inputs()}


def _mismatch(what: str) -> ArtifactError:
    return ArtifactError(
        f"networks and numbering are not those of one model: {what}. "
        "Copy all files of the model again from where it came, or train it again"
    )
