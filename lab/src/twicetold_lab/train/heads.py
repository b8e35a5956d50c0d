"""What sits on the trunk: scores of a pair of texts, or the start and end of an answer; in torch, and as ONNX."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnx import TensorProto
from torch import Tensor, nn

from twicetold.models import FORMAT, write_sums
from twicetold_lab.train.export import Graph, add_trunk
from twicetold_lab.train.tokens import tokenise
from twicetold_lab.train.trunk import WIDTH, Trunk, mean_pool


class PairModel(nn.Module):
    """Reads two texts together; gives `outputs` logits: one for a reranker, three for a stance."""

    def __init__(self, trunk: Trunk, outputs: int, max_tokens: int) -> None:
        super().__init__()
        self.trunk = trunk
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, outputs)
        self.max_tokens = max_tokens

    def forward(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Return logits (B, outputs)."""
        tokens = tokenise(pairs, self.max_tokens)
        pooled = mean_pool(self.trunk(tokens.ids, tokens.mask, tokens.types), tokens.mask)  # (B, D)
        return self.out(torch.tanh(self.hidden(pooled)))  # type: ignore[no-any-return]

    def export(self, out: Path, settings: Mapping[str, Any]) -> None:
        """Write the model folder."""
        graph = Graph()
        pooled = add_mean(graph, add_trunk(graph, self.trunk))
        hidden = graph.node("Tanh", graph.linear(pooled, _array(self.hidden.weight), _array(self.hidden.bias)))
        graph.save(out / "model.onnx", {"logits": graph.linear(hidden, _array(self.out.weight), _array(self.out.bias))})
        write_settings(out, settings)


class SpanModel(nn.Module):
    """Reads a question and a text together; gives each token a logit for starting and one for ending the answer."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.out = nn.Linear(WIDTH, 2)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Return start and end logits, (B, L) each; padding gets the smallest number there is."""
        logits = self.out(self.trunk(ids, mask, types))  # (T, 2)
        padded = logits.new_full((*mask.shape, 2), torch.finfo(logits.dtype).min)  # (B, L, 2)
        padded[mask] = logits
        return padded[..., 0], padded[..., 1]

    def export(self, out: Path, settings: Mapping[str, Any]) -> None:
        """Write the model folder."""
        graph = Graph()
        x = add_trunk(graph, self.trunk)
        weight, bias = _array(self.out.weight), _array(self.out.bias)
        ends = {}
        for i, name in enumerate(("starts", "ends")):
            logits = graph.linear(x, weight[i : i + 1], bias[i : i + 1])  # (B, L, 1)
            ends[name] = graph.node("Squeeze", logits, graph.constant(np.array([2])))  # (B, L)
        graph.save(out / "model.onnx", ends)
        write_settings(out, settings)


def add_mean(graph: Graph, x: str) -> str:
    """Add the mean of each text's token vectors: (B, L, D) to (B, D)."""
    mask = graph.node("Unsqueeze", graph.node("Cast", "attention_mask", to=TensorProto.FLOAT), graph.constant(np.array([1])))
    total = graph.node("MatMul", mask, x)  # (B, 1, D)
    count = graph.node("ReduceSum", mask, graph.constant(np.array([2])), keepdims=1)  # (B, 1, 1), whole numbers: exact in any order
    return graph.node("Squeeze", graph.node("Div", total, count), graph.constant(np.array([1])))


def write_settings(out: Path, settings: Mapping[str, Any]) -> None:
    """Write `model.json` and the checksums of a folder whose weights are there."""
    (out / "model.json").write_text(json.dumps({"format": FORMAT, **settings}, indent=1) + "\n", encoding="utf-8")
    write_sums(out)


def _array(tensor: Tensor) -> np.ndarray[Any, Any]:
    return tensor.detach().numpy()
