"""ONNX graphs, put together one operation after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, checker, helper, numpy_helper

Array = npt.NDArray[Any]

OPSET = 17
#: The format of ONNX 1.12, old enough for every release of ONNX Runtime that Scrubjay admits.
IR_VERSION = 8


def lstm_gates(array: Array) -> Array:
    """Return the gates in ONNX's order (input, output, forget, cell) from torch's (i, f, c, o)."""
    entry, forget, cell, exit_ = np.split(array, 4)
    return np.concatenate([entry, exit_, forget, cell])


def torch_gates(array: Array) -> Array:
    """Return the gates in torch's order from ONNX's: what undoes `lstm_gates`."""
    entry, exit_, forget, cell = np.split(array, 4)
    return np.concatenate([entry, forget, cell, exit_])


class Graph:
    """A graph under construction: constants and operations; what an operation gives is a name.

    Names are numbered in the order of their making, so that the same network always gives the
    same bytes. `prefix` keeps those of a loop's body apart from those around it.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self.inputs: list[ValueInfoProto] = []
        self.nodes: list[NodeProto] = []
        self._constants: dict[str, TensorProto] = {}
        self._count = 0

    def input(self, name: str, kind: int, shape: Sequence[str | int]) -> str:
        """Declare an input; `kind` is that of `TensorProto`."""
        name = self._prefix + name
        self.inputs.append(helper.make_tensor_value_info(name, kind, list(shape)))
        return name

    def constant(self, array: Array, name: str = "") -> str:
        """Return the name of a constant; one with the same name must be the same array."""
        name = self._prefix + name if name else self._fresh("constant")
        self._constants.setdefault(
            name, numpy_helper.from_array(np.asarray(array, order="C"), name)
        )
        return name

    def integers(self, *values: int) -> str:
        """Return the name of a constant vector of int64, made once."""
        return self.constant(np.array(values, dtype=np.int64), "_".join(map(str, ("n", *values))))

    def add(self, kind: str, *inputs: str, outputs: int = 1, **settings: Any) -> Any:
        """Add an operation; returns the name of its output, or a list of several."""
        names = [self._fresh(kind) for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **settings))
        return names[0] if outputs == 1 else names

    def table(self, rows: Array, name: str, numbers: str) -> str:
        """Return rows of a table by their numbers."""
        return str(self.add("Gather", self.constant(rows, name), numbers))

    def body(self, outputs: Sequence[tuple[str, Sequence[str | int]]]) -> GraphProto:
        """Return what has been built as the body of a loop; it may use constants of the graph
        around it by name.
        """
        return helper.make_graph(
            self.nodes,
            "body",
            self.inputs,
            [_float_value(name, shape) for name, shape in outputs],
            initializer=list(self._constants.values()),
        )

    def finish(
        self,
        outputs: Mapping[str, tuple[str, Sequence[str | int]]],
        *,
        name: str,
        metadata: Mapping[str, str] = MappingProxyType({}),
    ) -> bytes:
        """Return the graph as a file; `outputs` are values and shapes, by what to call them."""
        for outer, (inner, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [inner], [outer]))
        model = helper.make_model(
            helper.make_graph(
                self.nodes,
                name,
                self.inputs,
                [_float_value(outer, shape) for outer, (_, shape) in outputs.items()],
                initializer=list(self._constants.values()),
            ),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="scrubjay",
        )
        helper.set_model_props(model, dict(metadata))
        checker.check_model(model)
        return bytes(model.SerializeToString(deterministic=True))

    def _fresh(self, kind: str) -> str:
        self._count += 1
        return f"{self._prefix}{kind.lower()}_{self._count}"


def _float_value(name: str, shape: Sequence[str | int]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))
