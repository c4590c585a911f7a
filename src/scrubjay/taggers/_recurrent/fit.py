"""Whether the two networks of a recurrent tagger and its numbering belong together.

A graph states in its metadata (`SIZES`, as JSON) how many of everything it has tables for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError
from scrubjay.features.inputs import FIRST_NUMBER, InputEncoder
from scrubjay.taggers._recurrent.model import BilstmModel
from scrubjay.text.tokens import IntArray

if TYPE_CHECKING:
    import onnxruntime

Matrix = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]

#: The key of a graph's metadata under which its sizes stand.
SIZES = "sizes"

#: The key by which a sequence network says that it must read each window alone: one with
#: 8-bit arithmetic rounds what it reads on a scale that all windows of a run share.
ALONE = "windows-alone"


def word_sizes(inputs: InputEncoder) -> dict[str, Any]:
    """Return the sizes that the word network states."""
    return {
        "words": FIRST_NUMBER + len(inputs.vocabulary),
        "characters": FIRST_NUMBER + len(inputs.characters),
        "longest": inputs.longest,
    }


def sequence_sizes(inputs: InputEncoder, *, tags: int) -> dict[str, Any]:
    """Return the sizes that the sequence network states."""
    return {"features": inputs.feature_sizes(), "tags": tags}


def reads_alone(session: onnxruntime.InferenceSession) -> bool:
    """Tell whether a sequence network must read each window alone."""
    return ALONE in session.get_modelmeta().custom_metadata_map


def run_words(
    session: onnxruntime.InferenceSession, numbers: IntArray, spellings: IntArray
) -> Matrix:
    """Return the vectors (w, d) of words by their vocabulary numbers and spellings."""
    rows = never_one(np.arange(len(numbers)))
    feed = {"words": numbers[rows].astype(np.int64), "spellings": spellings[rows].astype(np.int64)}
    vectors: Matrix = session.run(["vectors"], feed)[0]
    return vectors[: len(numbers)]


def never_one(rows: Indices) -> Indices:
    """Return the rows of a run, a lone one twice.

    ONNX Runtime multiplies matrices of a single row by another kernel, which rounds otherwise.
    """
    return np.repeat(rows, 2) if len(rows) == 1 else rows


def require_fit(
    words: onnxruntime.InferenceSession,
    sequence: onnxruntime.InferenceSession,
    *,
    model: BilstmModel,
    contextual: int = 0,
) -> bool:
    """Tell whether the sequence network reads features.

    `contextual` is the dimension of contextual embeddings. Raises `ArtifactError` where a
    network does not take what the model gives or give what it needs, or has tables of other
    sizes than the model's numbering.
    """
    inputs = model.inputs
    _require_names(words, {"words", "spellings"}, set())
    _require_names(sequence, {"vectors", "lengths"}, {"features"})
    reads_features = "features" in _names(sequence)
    _require_sizes(words, word_sizes(inputs))
    _require_sizes(sequence, sequence_sizes(inputs, tags=model.tag_count))
    feed: dict[str, Any] = {"lengths": np.ones(1, dtype=np.int32)}
    if reads_features:
        feed["features"] = np.zeros((1, 1, len(inputs.feature_sizes())), dtype=np.int64)
    try:
        nothing = np.zeros((1, inputs.longest), dtype=np.int32)
        vector = run_words(words, nothing[:, 0], nothing)
        feed["vectors"] = np.pad(vector, ((0, 0), (0, contextual)))[None]
        shape = sequence.run(["scores"], feed)[0].shape
    except Exception as error:  # ONNX Runtime has a dozen kinds and no common base
        raise _mismatch(f"they do not run together ({type(error).__name__})") from error
    if shape != (1, 1, model.tag_count):
        raise _mismatch(f"the sequence network does not score {model.tag_count} tags")
    return reads_features


def _require_sizes(session: onnxruntime.InferenceSession, expected: dict[str, Any]) -> None:
    try:
        sizes = json.loads(session.get_modelmeta().custom_metadata_map[SIZES])
        wrong = sorted(name for name in expected if sizes[name] != expected[name])
    except (ValueError, KeyError, TypeError) as error:
        raise _mismatch("a network states no sizes that can be read") from error
    if wrong:
        raise _mismatch(f"a network knows another number of {', '.join(wrong)}")


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
