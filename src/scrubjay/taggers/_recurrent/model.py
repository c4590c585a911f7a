"""What a recurrent tagger consists of, and the files that keep it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrubjay.artifacts import Artifact, encode_array
from scrubjay.features.inputs import FIRST_NUMBER, InputEncoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._stored import (
    MISFITS,
    build_encoder,
    describe_encoder,
    encoder_words,
    merge_words,
    misfit,
    number_from,
    require_moves,
)
from scrubjay.tags import find_scheme

#: What the names of a contextual embedder's files begin with in an artifact.
CONTEXTUAL = "contextual-"


@dataclass(frozen=True, slots=True, eq=False)
class BilstmModel:
    """The parameters of a recurrent tagger: what an artifact stores.

    `words` and `sequence` are two ONNX graphs. The first gives the vectors of distinct words:
    `words` int64 (w,), `spellings` int64 (w, longest) -> `vectors` float32 (w, d). The second
    the scores of tokens: `vectors` float32 (t, b, d), time first, `features` int64 (t, b, f)
    where there are any, `lengths` int32 (b,) -> `scores` float32 (t, b, tags).

    Both state in their metadata how large their tables are (`fit.py`). `contextual` are
    the files of a `ContextualEmbedder` or an `EncoderEmbedder`, whose vectors then stand behind
    those of the words.
    `transitions` (tags, tags) are zeros for a network without a CRF. `window_size` and
    `window_context` count tokens, as in `cut_windows`.
    """

    inputs: InputEncoder
    words: bytes
    sequence: bytes
    transitions: FloatArray
    scheme: str
    labels: tuple[str, ...]
    window_size: int = 96
    window_context: int = 24
    contextual: Mapping[str, bytes] | None = None

    @property
    def tag_count(self) -> int:
        return len(self.transitions)


def model_files(model: BilstmModel) -> dict[str, bytes]:
    """Return the files of an artifact: numbering as JSON, networks as ONNX, moves as .npy."""
    description = {
        **describe_inputs(model.inputs),
        "windows": {"size": model.window_size, "context": model.window_context},
    }
    compact = json.dumps(description, ensure_ascii=False, separators=(",", ":"))
    return {
        "inputs.json": compact.encode(),
        "words.onnx": model.words,
        "sequence.onnx": model.sequence,
        "transitions.npy": encode_array(model.transitions),
        **{CONTEXTUAL + name: content for name, content in (model.contextual or {}).items()},
    }


def describe_inputs(inputs: InputEncoder) -> dict[str, Any]:
    """Return the numbering of inputs as plain values, for `build_inputs`."""
    return {
        "words": _in_order(inputs.vocabulary),
        "characters": _in_order(inputs.characters),
        "form": inputs.form,
        "longest": inputs.longest,
        "features": describe_encoder(inputs.encoder),
    }


def build_inputs(description: Mapping[str, Any], *, model: str) -> InputEncoder:
    """Return the numbering that was described; raises what `MISFITS` holds for another."""
    return InputEncoder(
        build_encoder(description["features"], model=model),
        number_from(description["words"], FIRST_NUMBER),
        number_from(description["characters"], FIRST_NUMBER),
        form=description["form"],
        longest=_count(description["longest"], least=1),
    )


def _in_order(numbers: Mapping[str, int]) -> list[str]:
    """Return what is numbered in order; raises `ValueError` unless it is from 2 up, gapless."""
    ordered = sorted(numbers, key=numbers.__getitem__)
    if number_from(ordered, FIRST_NUMBER) != numbers:
        raise ValueError("a vocabulary must be numbered from 2 up without gaps")
    return ordered


def read_model(artifact: Artifact) -> BilstmModel:
    """Read the parameters of a recurrent tagger.

    Raises `ArtifactError` where they do not fit together; whether the networks fit to them is
    seen when a tagger is made.
    """
    try:
        return _build_model(artifact)
    except MISFITS as error:
        raise misfit(artifact, error) from error


def _build_model(artifact: Artifact) -> BilstmModel:
    manifest = artifact.manifest
    description: Mapping[str, Any] = artifact.read_json("inputs.json")
    labels = tuple(manifest.labels)
    tag_count = 1 + len(labels) * len(find_scheme(manifest.scheme).prefixes)
    transitions = artifact.read_array("transitions.npy").astype(np.float64)
    require_moves(transitions, tags=tag_count)
    inputs = build_inputs(description, model=manifest.name)
    windows = description["windows"]
    contextual = {
        name.removeprefix(CONTEXTUAL): artifact.read(name)
        for name in sorted(manifest.files)
        if name.startswith(CONTEXTUAL)
    }
    return BilstmModel(
        inputs,
        artifact.read("words.onnx"),
        artifact.read("sequence.onnx"),
        transitions,
        manifest.scheme,
        labels,
        window_size=_count(windows["size"], least=0),
        window_context=_count(windows["context"], least=0),
        contextual=contextual or None,
    )


def _count(value: Any, *, least: int) -> int:
    if type(value) is not int or value < least:
        raise ValueError(f"a count must be a whole number of at least {least}")
    return value


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every word, affix or key of the training data that the artifact stores, sorted.

    The vocabulary of pre-trained vectors is among them where the model keeps it.
    """
    description = artifact.read_json("inputs.json")
    found = {*description["words"], *encoder_words(description["features"])}
    yield from sorted(found.union(merge_words(artifact)))
