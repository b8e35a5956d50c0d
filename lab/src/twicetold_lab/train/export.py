"""Write a trained trunk and its head as an int8 ONNX graph.

The graph is built node by node, so what ships is exactly what is written here: weights are int8 with one scale per output column, and
are widened to float32 once, when the model is loaded (Cast and Mul of constants, which onnxruntime folds). Activations stay float32:
integer matrix products with a range taken over the batch would give a text another vector beside other neighbours, and without
VNNI they are no faster. Fused nodes are those of onnxruntime's `com.microsoft` domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from twicetold_lab.train.trunk import HEADS, Trunk

Array = np.ndarray[Any, Any]


class Graph:
    """Nodes and constants, gathered until `save`. Every adding method returns the name of its output."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def constant(self, array: Array) -> str:
        """Add an array as it is."""
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(array.copy(order="C"), name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output."""
        name = f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def weights(self, matrix: Array) -> str:
        """Add a matrix (inputs, outputs) as int8 with a scale per column."""
        rows, scales = quantise(matrix, axis=0)
        wide = self.node("Cast", self.constant(rows), to=TensorProto.FLOAT)
        return self.node("Mul", wide, self.constant(scales))

    def linear(self, x: str, weight: Array, bias: Array) -> str:
        """x @ weight.T + bias, for a torch Linear's arrays."""
        return self.node("Add", self.node("MatMul", x, self.weights(weight.T)), self.constant(bias))

    def save(self, file: Path, outputs: Mapping[str, str], inputs: Sequence[onnx.ValueInfoProto] = ()) -> None:
        """Write the graph; `outputs` maps public names to node names. The inputs are a tokenised text's unless said."""
        for public, inner in outputs.items():
            self._nodes.append(helper.make_node("Identity", [inner], [public]))
        usual = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in INPUTS]
        results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph(self._nodes, "twicetold", list(inputs) or usual, results, self._constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="twicetold")
        file.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(model, str(file))


INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def quantise(matrix: Array, *, axis: int) -> tuple[Array, Array]:
    """Round to int8 with the largest value along `axis` at 127. Returns the integers and the scales, `axis` left out."""
    scales = np.maximum(np.abs(matrix).max(axis=axis), 1e-8) / 127
    integers = np.rint(matrix / np.expand_dims(scales, axis)).astype(np.int8)
    return integers, scales.astype(np.float32)


def add_trunk(graph: Graph, trunk: Trunk) -> str:
    """Add the trunk; returns the name of the token vectors (B, L, D)."""
    weights = {name: tensor.detach().numpy() for name, tensor in trunk.state_dict().items()}
    x = _embed(graph, weights)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)
    for i in range(len(trunk.layers)):
        layer = {name.removeprefix(f"layers.{i}."): array for name, array in weights.items() if name.startswith(f"layers.{i}.")}
        x = _layer(graph, x, mask, layer)
    return x


def _embed(graph: Graph, weights: Mapping[str, Array]) -> str:
    words, scales = quantise(weights["words.weight"], axis=1)
    rows = graph.node("Cast", graph.node("Gather", graph.constant(words), "input_ids"), to=TensorProto.FLOAT)  # (B, L, D)
    scale = graph.node("Gather", graph.constant(scales[:, None]), "input_ids")  # (B, L, 1)
    x = graph.node("Mul", rows, scale)
    x = graph.node("Add", x, graph.node("Gather", graph.constant(weights["types.weight"]), "token_type_ids"))
    length = graph.node("Gather", graph.node("Shape", "input_ids"), graph.constant(np.array(1)))
    places = graph.node("Range", graph.constant(np.array(0)), length, graph.constant(np.array(1)))
    x = graph.node("Add", x, graph.node("Gather", graph.constant(weights["places.weight"]), places))
    norm = (graph.constant(weights["norm.weight"]), graph.constant(weights["norm.bias"]))
    return graph.node("LayerNormalization", x, *norm, epsilon=1e-12, axis=-1)


def _layer(graph: Graph, x: str, mask: str, layer: Mapping[str, Array], *, heads: int = HEADS) -> str:
    joined = np.concatenate([layer[f"{part}.weight"].T for part in ("query", "key", "value")], axis=1)  # (D, 3D)
    bias = np.concatenate([layer[f"{part}.bias"] for part in ("query", "key", "value")])
    seen = graph.node("Attention", x, graph.weights(joined), graph.constant(bias), mask, domain="com.microsoft", num_heads=heads)
    x = _add_and_norm(graph, graph.node("MatMul", seen, graph.weights(layer["mix.weight"].T)), x, layer, "mix")
    wide = graph.node("MatMul", x, graph.weights(layer["widen.weight"].T))
    wide = graph.node("BiasGelu", wide, graph.constant(layer["widen.bias"]), domain="com.microsoft")
    return _add_and_norm(graph, graph.node("MatMul", wide, graph.weights(layer["narrow.weight"].T)), x, layer, "narrow")


def _add_and_norm(graph: Graph, new: str, old: str, layer: Mapping[str, Array], part: str) -> str:
    constants = [graph.constant(layer[name]) for name in (f"norm_{part}.weight", f"norm_{part}.bias", f"{part}.bias")]
    return graph.node("SkipLayerNormalization", new, old, *constants, domain="com.microsoft", epsilon=1e-12)


def add_mean(graph: Graph, x: str) -> str:
    """Average the token vectors under the mask and make the mean a unit: (B, D)."""
    # A matrix product per text: ReduceSum adds in another order for another batch size, which shows in the last bits.
    mask = graph.node("Unsqueeze", graph.node("Cast", "attention_mask", to=TensorProto.FLOAT), graph.constant(np.array([1])))  # (B, 1, L)
    total = graph.node("Squeeze", graph.node("MatMul", mask, x), graph.constant(np.array([1])))  # (B, D)
    return graph.node("LpNormalization", total, axis=-1, p=2)
