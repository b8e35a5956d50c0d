"""Write MTM as a model folder: the layers as an int8 graph, the word vectors and everything else as arrays.

The graph is fed word vectors rather than token ids: the table that key sentences are chosen by then ships once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from twicetold.models import write_sums
from twicetold.rank.mtm.model import KIND
from twicetold.rank.saved import write_model
from twicetold_lab.train.export import Graph, _layer
from twicetold_lab.train.mtm.arp import Arp
from twicetold_lab.train.mtm.encoded import Prepared
from twicetold_lab.train.trunk import Trunk


def export(arp: Arp, prepared: Prepared, out: Path, settings: Mapping[str, Any]) -> None:
    """Write `model.onnx`, `weights.npz`, `model.json` and the checksums of these and of a tokenizer that stands there."""
    variant, pairing = arp.variant, prepared.encoded.pairing
    arrays = {
        "words": prepared.words.integers,
        "scales": prepared.words.scales,
        **({"patterns": arp.patterns.numpy()} if variant.memory else {}),
    }
    if variant.compared:
        arrays |= {"balance": arp.balance.weight.detach().numpy()[0], "shift": arp.balance.bias.detach().numpy()[0]}
    for number, layer in enumerate(arp.classifier):
        arrays[f"matrix{number}"] = layer.weight.detach().numpy().T.astype(np.float16)
        if layer.bias is not None:
            arrays[f"bias{number}"] = layer.bias.detach().numpy()
    record = {
        "claim_tokens": pairing.claim_tokens,
        "sentence_tokens": pairing.sentence_tokens,
        "is_weighted": variant.weighted,
        "is_quoted": variant.quoted,
        "is_compared": variant.compared,
        "is_told": variant.told and variant.memory,
        "is_stretched": variant.stretched,
        "is_legacy": variant.legacy,
        **settings,
    }
    write_model(out, KIND, record, arrays)
    _write_graph(arp.trunk, out / "model.onnx")
    write_sums(out)


def _write_graph(trunk: Trunk, file: Path) -> None:
    """The layers over word vectors (B, L, D): the means of the claim's and of the sentence's token vectors, (B, D) each."""
    graph = Graph()
    weights = {name: tensor.detach().numpy() for name, tensor in trunk.state_dict().items()}
    x = graph.node("Add", "word_vectors", graph.node("Gather", graph.constant(weights["types.weight"]), "token_type_ids"))
    length = graph.node("Gather", graph.node("Shape", "token_type_ids"), graph.constant(np.array(1)))
    places = graph.node("Range", graph.constant(np.array(0)), length, graph.constant(np.array(1)))
    x = graph.node("Add", x, graph.node("Gather", graph.constant(weights["places.weight"]), places))
    norm = (graph.constant(weights["norm.weight"]), graph.constant(weights["norm.bias"]))
    x = graph.node("LayerNormalization", x, *norm, epsilon=1e-12, axis=-1)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)
    for i in range(len(trunk.layers)):
        layer = {name.removeprefix(f"layers.{i}."): array for name, array in weights.items() if name.startswith(f"layers.{i}.")}
        x = _layer(graph, x, mask, layer, heads=trunk.shape.heads)
    # A matrix product per text: ReduceSum adds in another order for another batch size, which shows in the last bits.
    means = {
        name: graph.node("Squeeze", graph.node("MatMul", f"{name}_share", x), graph.constant(np.array([1])))
        for name in ("claim", "sentence")
    }
    inputs = [
        helper.make_tensor_value_info("word_vectors", TensorProto.FLOAT, ["batch", "tokens", trunk.shape.width]),
        helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "tokens"]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"]),
        helper.make_tensor_value_info("claim_share", TensorProto.FLOAT, ["batch", 1, "tokens"]),
        helper.make_tensor_value_info("sentence_share", TensorProto.FLOAT, ["batch", 1, "tokens"]),
    ]
    graph.save(file, means, inputs)
