"""A tiny pair reader with random weights, of the signature of the shipped one, for tests that need a model and not its judgement."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from twicetold.models import shipped

WIDTH = 8


def write_reader(folder: Path, *, seed: int = 0, relations: int = 12, opinion: float = 0.0) -> Path:
    """Write a graph of the right inputs and outputs: token and type vectors, summed for the heads and read one by one for the marks.

    Without an `opinion` all relations are equally likely, so that what is counted decides.
    """
    onnx = pytest.importorskip("onnx", reason="a tiny model is written with onnx, which is not installed")
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(seed)
    shapes = {
        "words": (30522, WIDTH),
        "types": (2, WIDTH),
        "relation_w": (WIDTH, relations),
        "answers_w": (WIDTH, 1),
        "stance_w": (WIDTH, 3),
    }
    weights = {name: (0.3 * rng.normal(size=shape)).astype(np.float32) for name, shape in {**shapes, "differs_w": (WIDTH, 1)}.items()}
    weights["relation_w"] *= np.float32(opinion)
    weights |= {"first": np.array([1], np.int64), "last": np.array([2], np.int64)}
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["w"]),
        helper.make_node("Gather", ["types", "token_type_ids"], ["t"]),
        helper.make_node("Add", ["w", "t"], ["x"]),
        # A matrix product for each text: a mean over tokens would add in another order in another batch.
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "first"], ["row"]),
        helper.make_node("MatMul", ["row", "x"], ["total"]),
        helper.make_node("Squeeze", ["total", "first"], ["m"]),
        helper.make_node("MatMul", ["m", "relation_w"], ["relation"]),
        helper.make_node("MatMul", ["m", "answers_w"], ["answers"]),
        helper.make_node("MatMul", ["m", "stance_w"], ["stance"]),
        helper.make_node("MatMul", ["x", "differs_w"], ["d"]),
        helper.make_node("Squeeze", ["d", "last"], ["differs"]),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("relation", "answers", "stance", "differs")]
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, constants)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(folder / "model.onnx"))
    shutil.copy(shipped("tokenizer.json"), folder)
    (folder / "model.json").write_text(json.dumps({"format": 1, "name": "tiny pairs"}), encoding="utf-8")
    return folder
