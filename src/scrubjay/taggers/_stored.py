"""What saved taggers have in common: encoders as JSON, the tokenizer and the dial by manifest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact, Manifest
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.features.resources import resource_fingerprints, warn_of_changed_resources
from scrubjay.features.templates import parse_template
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer

#: What reading parts of a model may raise where they do not fit together.
MISFITS = (KeyError, IndexError, TypeError, ValueError, AttributeError, ConfigError)


def describe_encoder(encoder: Encoder) -> dict[str, Any]:
    """Return what `build_encoder` needs, as plain JSON."""
    return {
        "templates": [str(template) for template in encoder.templates],
        "scope": encoder.scope,
        "alphabets": {name: encoder.values_of(name) for name in encoder.alphabets},
        "dictionaries": {name: sorted(words) for name, words in encoder.dictionaries.items()},
        "resources": resource_fingerprints(encoder.alphabets),
    }


def build_encoder(description: Mapping[str, Any], *, model: str) -> Encoder:
    """Return the encoder of a description; raises one of `MISFITS` where it is none.

    Warns where a shipped list is not what it was when `model` was trained.
    """
    alphabets = {name: number_from(values, 1) for name, values in description["alphabets"].items()}
    dictionaries = {name: frozenset(words) for name, words in description["dictionaries"].items()}
    templates = [parse_template(text) for text in description["templates"]]
    encoder = Encoder(templates, alphabets, scope=description["scope"], dictionaries=dictionaries)
    warn_of_changed_resources(model, description["resources"], alphabets)
    return encoder


def number_from(values: list[str], first: int) -> dict[str, int]:
    """Return the number of each value, counted from `first`."""
    return {value: number for number, value in enumerate(values, start=first)}


def encoder_words(description: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values and dictionary words that the description of an encoder holds."""
    for values in (*description["alphabets"].values(), *description["dictionaries"].values()):
        yield from values


def merge_words(artifact: Artifact) -> Iterator[str]:
    """Yield the pieces of words that the merges of the artifact's tokenizer hold."""
    return ("".join(pair) for pair in artifact.manifest.tokenizer.get("merges", ()))


def read_tokenizer_and_dial(artifact: Artifact) -> tuple[Tokenizer, float]:
    """Return the tokenizer and the recall dial that a manifest states.

    Raises `ArtifactError` for a tokenizer that this release does not know, and for a dial that is
    no finite number.
    """
    settings = dict(artifact.manifest.tokenizer)
    try:
        tokenizer = make_tokenizer(settings.pop("name", ""), **settings)
        dial = read_dial(artifact.manifest)
    except (ConfigError, TypeError, ValueError) as error:
        raise ArtifactError(f"{artifact.folder}: {error}. Train the model again") from error
    return tokenizer, dial


def read_dial(manifest: Manifest) -> float:
    """Return the recall dial that a manifest states, 0 if none.

    Raises `ValueError` for one that is no finite number: with NaN no token would be PHI.
    """
    dial = float(manifest.config.get("recall-dial", 0.0))
    if not math.isfinite(dial):
        raise ValueError("the recall dial is no finite number")
    return dial


def require_moves(transitions: npt.NDArray[np.float64], *, tags: int) -> None:
    """Raise `ValueError` unless there is a score for the move from each of the tags to each.

    A score is a finite number, or -inf for a move that is never made. With NaN or +inf, or where no
    move leads on from a tag, there is no best path: whatever came out could pass over PHI in
    silence.
    """
    if transitions.shape != (tags, tags):
        raise ValueError(f"transitions between {transitions.shape} tags, not {tags}")
    if not (transitions < np.inf).all():  # so that NaN is refused, too
        raise ValueError("a transition is neither a finite number nor -inf")
    moves = transitions > -np.inf
    if not moves[moves.any(axis=0)].any(axis=1).all() or not moves.any():
        raise ValueError("no transition leads on from a tag")


def misfit(artifact: Artifact, error: Exception) -> ArtifactError:
    """Return the error that says that the parts of a model do not fit together."""
    return ArtifactError(
        f"{artifact.folder}: the parts of the model do not fit together "
        f"({type(error).__name__}). Train it again with this release"
    )
