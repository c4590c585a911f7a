"""The transformer tagger: a tuned encoder as an ONNX graph, decoded as a chain of tags.

Inference needs ONNX Runtime and tokenizers, neither torch nor transformers; see
`learning/transformer.py` for training and `features/subtokens.py` for windows and alignment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact, encode_array, encode_json
from scrubjay.errors import ArtifactError
from scrubjay.features._sessions import make_session
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading, require_finite, split_tags
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._stored import (
    MISFITS,
    merge_words,
    misfit,
    read_tokenizer_and_dial,
    require_moves,
)
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

if TYPE_CHECKING:
    import onnxruntime

KIND = "transformer"

#: Names of the graph's input, sub-tokens (1, s), and output, scores (1, s, tags).
INPUT, OUTPUT = "subtokens", "scores"


@dataclass(frozen=True, slots=True, eq=False)
class TransformerModel:
    """A tuned encoder: what an artifact stores.

    `network` is an ONNX graph that scores the sub-tokens of one window, `bias` (tags,) the scores
    of a token without sub-tokens. `transitions` (tags, tags) is -inf wherever a tag that training
    never saw is involved, and else 0 without a CRF.
    """

    network: bytes
    subtokens: SubtokenEncoder
    transitions: FloatArray
    bias: npt.NDArray[np.float32]
    scheme: str
    labels: tuple[str, ...]


class Network:
    """An ONNX graph and its session, which is made when it is first used and never pickled."""

    def __init__(self, graph: bytes, *, threads: int = 0) -> None:
        self.graph = graph
        self.threads = threads

    @cached_property
    def session(self) -> onnxruntime.InferenceSession:
        """Return the session; raises like `make_session`."""
        return make_session(self.graph, threads=self.threads)

    def score(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the scores of the tags (s, tags) at each sub-token of a window (s,)."""
        scores: npt.NDArray[np.float32] = self.session.run([OUTPUT], {INPUT: ids[None]})[0][0]
        return scores


class TransformerTagger:
    """Tags tokens with an encoder that reads overlapping windows of each text.

    The path is sought through the whole text, not sentence by sentence. `dial` is that of
    `ChainDecoder`; `threads` bounds the cores that one text uses, 0 is all of them.
    """

    def __init__(
        self,
        model: TransformerModel,
        *,
        dial: float = 0.0,
        threads: int = 0,
        network: Network | None = None,
    ) -> None:
        self.model = model
        self.dial = dial
        self.threads = threads
        self.labels = model.labels
        self.network = network or Network(model.network, threads=threads)
        self._decoder = ChainDecoder(
            model.transitions, scheme=model.scheme, labels=model.labels, dial=dial
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(TransformerTagger, dial=self.dial, threads=self.threads), (self.model,)

    def with_dial(self, dial: float) -> TransformerTagger:
        """Return the same tagger at another point between precision and recall."""
        return TransformerTagger(self.model, dial=dial, threads=self.threads, network=self.network)

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        return split_tags(self.read(batch).decoded.tags, batch)

    def read(self, batch: Sequence[Tokens]) -> Reading:
        """Return what the tagger makes of the texts."""
        empty = np.zeros((0, len(self.model.bias)))
        scores = np.concatenate([empty, *(self.emissions(tokens) for tokens in batch)])
        # Texts without tokens are no stretches of the path.
        bounds = np.cumsum([0, *(len(tokens) for tokens in batch if len(tokens))], dtype=np.int32)
        return Reading(self._decoder, scores, bounds, batch)

    def emissions(self, tokens: Tokens) -> FloatArray:
        """Return the scores of the tags at each token of a text, shape (tokens, tags).

        Windows are run one by one and without padding: a text has the same scores whatever
        stands beside it in a batch. Raises `DetectionError` for scores that are no finite numbers.
        """
        model = self.model
        subtokens = model.subtokens.encode(tokens)
        scores = np.tile(model.bias, (len(tokens), 1))
        skip = len(model.subtokens.prefix)
        for window, scored, size in subtokens.asked():
            ids = model.subtokens.window_ids(subtokens, window)
            inner = self.network.score(ids)[skip : skip + size] - model.bias
            require_finite(inner)
            scores[scored] += subtokens.pool(window, inner)
        return scores.astype(np.float64)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return model_files(self.model)


TransformerDetector = ChainDetector[TransformerTagger]
"""Finds PHI in documents with one tokenizer and one transformer tagger."""


def model_files(model: TransformerModel) -> dict[str, bytes]:
    """Return the files of an artifact: the graph, the encoder's tokenizer, windows, arrays."""
    subtokens = model.subtokens
    windows = {
        "window": subtokens.window,
        "overlap": subtokens.overlap,
        "pieces": subtokens.pieces,
    }
    return {
        "encoder.onnx": model.network,
        "tokenizer.json": subtokens.definition.encode("utf-8"),
        "windows.json": encode_json(windows),
        "transitions.npy": encode_array(model.transitions),
        "bias.npy": encode_array(model.bias),
    }


def read_model(artifact: Artifact) -> TransformerModel:
    """Read a tuned encoder; raises `ArtifactError` where its parts do not fit together.

    Raises `MissingExtraError` without the package `tokenizers`.
    """
    manifest = artifact.manifest
    try:
        windows = artifact.read_json("windows.json")
        model = TransformerModel(
            network=artifact.read("encoder.onnx"),
            subtokens=SubtokenEncoder(
                artifact.read("tokenizer.json").decode("utf-8"),
                window=int(windows["window"]),
                overlap=int(windows["overlap"]),
                pieces=windows["pieces"],
            ),
            transitions=artifact.read_array("transitions.npy").astype(np.float64),
            bias=artifact.read_array("bias.npy").astype(np.float32),
            scheme=manifest.scheme,
            labels=tuple(manifest.labels),
        )
        tags = 1 + len(model.labels) * len(find_scheme(model.scheme).prefixes)
        require_moves(model.transitions, tags=tags)
        if model.bias.shape != (tags,) or not np.isfinite(model.bias).all():
            raise ValueError("the biases are not one finite number for each tag")
    except MISFITS as error:
        raise misfit(artifact, error) from error
    return model


def load_transformer(artifact: Artifact) -> TransformerDetector:
    """Return the detector that an artifact of kind "transformer" describes, at its recall dial.

    Raises `ArtifactError` for a graph that does not fit the labels, and like `read_model`.
    """
    tokenizer, dial = read_tokenizer_and_dial(artifact)
    tagger = TransformerTagger(read_model(artifact), dial=dial)
    session = tagger.network.session
    names = [node.name for node in session.get_inputs()]
    outputs = [(node.name, node.shape[-1:]) for node in session.get_outputs()]
    if names != [INPUT] or outputs != [(OUTPUT, [len(tagger.model.bias)])]:
        raise ArtifactError(
            f"{artifact.folder}: the network does not score the tags of the model. "
            "Train it again with this release"
        )
    return TransformerDetector(tokenizer, tagger, manifest=artifact.manifest)


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield the words of the training data that the artifact stores as such, sorted.

    These are the pieces of the tokenizer's merges alone, where it has any: `tokenizer.json` is
    the encoder's own, from before the training. What the weights may have learned by heart no
    list can tell.
    """
    yield from sorted(set(merge_words(artifact)))
