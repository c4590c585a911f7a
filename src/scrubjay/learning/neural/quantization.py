"""Recurrent taggers with 8-bit weights: smaller and faster, with a small loss.

Embeddings and the weights of LSTMs are stored as 8-bit integers; what an LSTM reads is rounded
to 8 bits as it comes, on a scale that is chosen for all that is read together (dynamic
quantization). So that no document's tags depend on its neighbours, a quantized LSTM reads
each window alone. The network over characters keeps its weights: it runs once per word; so do
coupled LSTMs (Jiang 2017), of which the embeddings alone become smaller. Of a tagger over an
encoder the encoder is rounded, too, each column of a matrix on its own scale, unless it is already.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from scrubjay.detectors import Detector
from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features.encoders import GRAPH
from scrubjay.learning.neural.fast_norms import spell_norms
from scrubjay.learning.neural.rounded_lstms import round_lstms
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers._recurrent.fit import ALONE
from scrubjay.taggers.bilstm import BilstmDetector, BilstmTagger

NOTE = "8-bit: its weights were rounded after training, and its figures are those before"


def quantize(detector: Detector) -> BilstmDetector:
    """Return a recurrent detector with 8-bit weights, named `<name>-int8`.

    Raises `ConfigError` for a detector of another kind or one that is quantized already, and
    `MissingExtraError` without the extra `train`.
    """
    if not isinstance(detector, ChainDetector) or not isinstance(detector.tagger, BilstmTagger):
        raise ConfigError(
            "only recurrent taggers can be quantized", hint="Give a model of the kind bilstm"
        )
    tagger, manifest = detector.tagger, detector.manifest
    encoded = GRAPH in (tagger.model.contextual or {})
    if NOTE in manifest.notes:
        raise ConfigError(
            f"the model {manifest.name!r} is quantized already", hint="Give the one it was made of"
        )
    model = replace(
        tagger.model,
        words=_quantize(tagger.model.words, ["Gather"]),
        sequence=round_sequence(
            # Above an encoder features keep theirs: they are few beside what the encoder weighs.
            tagger.model.sequence if encoded else _quantize(tagger.model.sequence, ["Gather"])
        ),
        contextual=_quantize_encoder(tagger.model.contextual),
    )
    noted = replace(
        manifest,
        name=f"{manifest.name}-int8",
        notes="\n".join(filter(None, [manifest.notes, NOTE])),
        files={},
    )
    turned = BilstmTagger(model, dial=tagger.dial)
    return BilstmDetector(detector.tokenizer, turned, manifest=noted)


def round_sequence(graph: bytes) -> bytes:
    """Return a network over tokens whose LSTMs have 8-bit weights, and which says so."""
    return _read_alone(round_lstms(graph))


def _quantize_encoder(files: Mapping[str, bytes] | None) -> Mapping[str, bytes] | None:
    """Return the files of a model's encoder with 8-bit weights.

    Language models stay as they are, and so does an encoder that has such weights. Its windows are
    run one by one in any case, so that rounding cannot tie texts together.
    """
    if files is None or GRAPH not in files:
        return files
    import onnx

    if _rounds(onnx.load_from_string(files[GRAPH])):
        return files
    kinds = ["Gather", "MatMul", "Gemm"]
    return {**files, GRAPH: spell_norms(_quantize(files[GRAPH], kinds, per_channel=True))}


def _quantize(graph: bytes, kinds: Sequence[str], *, per_channel: bool = False) -> bytes:
    """Return a graph whose operations of some kinds have 8-bit weights; its metadata stay.

    One that rounds what it reads says that it reads windows alone. With `per_channel` each column
    of a matrix has a scale of its own.
    """
    try:
        import onnx
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtraError((error.name or "onnx").partition(".")[0], "train") from None
    stated = {entry.key: entry.value for entry in onnx.load_from_string(graph).metadata_props}
    with tempfile.TemporaryDirectory() as folder, _logging_left_alone():
        before, after = Path(folder) / "before.onnx", Path(folder) / "after.onnx"
        before.write_bytes(graph)
        quantize_dynamic(
            str(before),
            str(after),
            op_types_to_quantize=list(kinds),
            weight_type=QuantType.QInt8,
            per_channel=per_channel,
        )
        model: Any = onnx.load(str(after))
    onnx.helper.set_model_props(model, stated)
    return _read_alone(bytes(model.SerializeToString(deterministic=True)))


def _read_alone(graph: bytes) -> bytes:
    """Return a graph that says that it reads windows alone, where it rounds what it reads."""
    import onnx

    model: Any = onnx.load_from_string(graph)
    if not _rounds(model):
        return graph
    stated = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, {**stated, ALONE: "true"})
    return bytes(model.SerializeToString(deterministic=True))


def _rounds(model: Any) -> bool:
    """Tell whether a graph has 8-bit weights and rounds what it reads."""
    return any(node.op_type.startswith("DynamicQuantize") for node in model.graph.node)


@contextmanager
def _logging_left_alone() -> Iterator[None]:
    """Keep a library from configuring the root logger, which its first message would do."""
    handler = logging.NullHandler()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
