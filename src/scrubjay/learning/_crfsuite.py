"""Exact weights out of a model file of CRFsuite.

The layout is that of CRFsuite 0.12's `crf1d_model.c` and of the constant quark database it
embeds: little-endian, a header with offsets, then features of 20 bytes each. The textual dump
of the library rounds weights to six decimals; this does not.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError

_HEADER = struct.Struct("<4sI4sIIIIIIIII")
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class CrfsuiteWeights:
    """Labels and attributes by number; `(source, target, weight)` rows of both feature types.

    The source of a state feature is an attribute, that of a transition a label; the target is
    a label.
    """

    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    states: npt.NDArray[np.void]
    transitions: npt.NDArray[np.void]


def read_crfsuite(path: Path) -> CrfsuiteWeights:
    """Read a CRFsuite model file; raises `ArtifactError` where it is none."""
    content = path.read_bytes()
    try:
        return _parse(content)
    except (struct.error, ValueError) as error:
        raise ArtifactError(f"{path}: no CRFsuite first-order model ({error})") from None


def _parse(content: bytes) -> CrfsuiteWeights:
    header = _HEADER.unpack_from(content, 0)
    magic, kind, labels_count, attribute_count = header[0], header[2], header[5], header[6]
    feature_offset, label_offset, attribute_offset = header[7], header[8], header[9]
    if magic != b"lCRF" or kind != b"FOMC":
        raise ValueError("it begins otherwise")
    if header[1] != len(content):
        raise ValueError(f"{len(content)} bytes instead of {header[1]}")
    count = struct.unpack_from("<I", content, feature_offset + 8)[0]
    features = np.frombuffer(content, dtype=_FEATURE, count=count, offset=feature_offset + 12)
    return CrfsuiteWeights(
        _read_quarks(content, label_offset, labels_count),
        _read_quarks(content, attribute_offset, attribute_count),
        features[features["type"] == _STATE],
        features[features["type"] == _TRANSITION],
    )


def _read_quarks(content: bytes, offset: int, count: int) -> tuple[str, ...]:
    """Read the strings of a constant quark database through its backward links."""
    magic, _, _, _, size, links = struct.unpack_from("<4sIIIII", content, offset)
    if magic != b"CQDB" or size < count:
        raise ValueError("it has no readable table of names")
    positions = struct.unpack_from(f"<{count}I", content, offset + links)
    names = []
    for position in positions:
        length = struct.unpack_from("<I", content, offset + position + 4)[0]
        start = offset + position + 8
        names.append(content[start : start + length - 1].decode("utf-8"))
    return tuple(names)
