"""Token classifiers and encoders as ONNX graphs over the sub-tokens of one window."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features._sessions import make_session
from scrubjay.features.encoders import OUTPUT as STATES
from scrubjay.learning.neural.encoded_network import StatesOnly
from scrubjay.learning.neural.token_classifier import TokenClassifier
from scrubjay.taggers.transformer import INPUT, OUTPUT

#: What protocol buffers, and so a graph in one file, can hold.
_LARGEST = 2**31 - 1

#: How far a number of a graph may lie from that of the network it was exported from.
_TOLERANCE = 1e-3

_OTHER_ENCODER = "Choose an encoder of another architecture, such as BERT or RoBERTa"


class _OneWindow(nn.Module):
    """The classifier over one window without padding."""

    def __init__(self, classifier: TokenClassifier) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, subtokens: Tensor) -> Tensor:
        """Return scores (1, s, tags) of sub-tokens (1, s)."""
        scores: Tensor = self.classifier(subtokens, torch.ones_like(subtokens))
        return scores


def export_classifier(classifier: TokenClassifier, *, window: int) -> bytes:
    """Return a classifier as an ONNX graph for windows of 2 to `window` sub-tokens.

    Equal weights give equal bytes, and no path of this machine is in them. Raises `ConfigError`
    for an encoder that cannot be a graph, `MissingExtraError` without onnx and onnxscript.
    """
    _require_exporter()
    return _export(classifier, _OneWindow(classifier), window=window, output=OUTPUT)


def export_encoder(encoder: nn.Module, *, window: int) -> bytes:
    """Return an encoder as an ONNX graph from sub-tokens to states.

    Otherwise like `export_classifier`.
    """
    _require_exporter()
    return _export(encoder, StatesOnly(encoder), window=window, output=STATES)


def require_classifier_graph(classifier: TokenClassifier, *, window: int) -> None:
    """Raise what `export_classifier` raises: before hours of training, not after them."""
    export_classifier(classifier, window=window)


def require_encoder_graph(encoder: nn.Module, *, window: int) -> None:
    """Raise what `export_encoder` raises: before hours of training, not after them."""
    export_encoder(encoder, window=window)


def require_equal(graph: bytes, ids: Tensor, wanted: Tensor, *, output: str) -> None:
    """Raise `ConfigError` unless a graph gives for sub-tokens (1, s) what its network gives."""
    (found,) = make_session(graph, threads=1).run([output], {INPUT: ids.numpy()})
    worst = float(np.abs(found - wanted.numpy()).max())
    if not worst <= _TOLERANCE:
        raise ConfigError(
            f"the exported graph gives other {output} than its network, by up to {worst:.3g}",
            hint=_OTHER_ENCODER,
        )


def _require_exporter() -> None:
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(error.name or "onnxscript", "transformers") from None


def _export(trained: nn.Module, module: nn.Module, *, window: int, output: str) -> bytes:
    """Return a module that reads one window; `trained` is what it wraps, and stays as it was."""
    size = sum(parameter.numel() for parameter in trained.parameters()) * 4
    if size > _LARGEST:
        raise ConfigError(
            f"the encoder has {size / 2**30:.1f} GB of weights, and a model file holds at most 2",
            hint="Choose a smaller encoder",
        )
    training = trained.training
    module.eval()
    example = torch.ones((1, max(2, min(8, window))), dtype=torch.int64)
    try:
        with _quiet(), torch.no_grad():
            program: Any = torch.onnx.export(
                module,
                (example.to(next(trained.parameters()).device),),
                dynamo=True,
                verbose=False,
                input_names=[INPUT],
                output_names=[output],
                dynamic_shapes={"subtokens": {1: torch.export.Dim("length", min=2, max=window)}},
            )
        return _plain_bytes(program.model_proto)
    except Exception as error:  # whatever an architecture breaks in the exporter
        raise ConfigError(
            f"the encoder cannot be exported as an ONNX graph ({type(error).__name__})",
            hint=_OTHER_ENCODER,
        ) from error
    finally:
        trained.train(training)


def _plain_bytes(model: Any) -> bytes:
    """Return a graph without what its exporter noted beside it: paths, source lines, shapes."""
    graph = model.graph
    graph.ClearField("value_info")
    for part in (graph.node, graph.input, graph.output, graph.initializer):
        for entry in part:
            entry.ClearField("metadata_props")
            entry.ClearField("doc_string")
    for entry in (graph, model):
        entry.ClearField("metadata_props")
        entry.ClearField("doc_string")
    plain: bytes = model.SerializeToString(deterministic=True)
    return plain


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporter from writing to the screen; its own deprecations are not ours."""
    logger, trace = logging.getLogger("torch.onnx"), logging.getLogger("torch.__trace")
    level, handlers = logger.level, trace.handlers[:]
    logger.setLevel(logging.CRITICAL)
    # torch writes each step of an export down as soon as anyone listens, which takes minutes.
    trace.handlers.clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        trace.handlers[:] = handlers
