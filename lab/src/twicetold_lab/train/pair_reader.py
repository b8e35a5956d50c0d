"""The pair reader in torch: how a claim and a check stand to each other, whether one answers the other, stance, and the words that differ.

One trunk reads both texts together. Each token gets a logit of differing; the heads see the mean of all tokens beside their mean weighted
by those logits, so that what differs weighs in what is said of the pair. Written as an int8 ONNX graph with four outputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from twicetold_lab.train.export import Graph, add_trunk
from twicetold_lab.train.heads import add_mean, write_settings
from twicetold_lab.train.trunk import WIDTH, Trunk

RELATIONS = ("same", "narrower", "broader", "part", "opposite", "number", "who", "where", "when", "scope", "related", "unrelated")


class PairReaderModel(nn.Module):
    """Gives relation (12), answers (1), stance (3) and, for each token, whether it differs."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.differs = nn.Linear(WIDTH, 1)
        self.hidden = nn.Linear(2 * WIDTH, WIDTH)
        self.relation = nn.Linear(WIDTH, len(RELATIONS))
        self.answers = nn.Linear(WIDTH, 1)
        self.stance = nn.Linear(WIDTH, 3)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """ids, mask, types: (B, L). Returns (B, 12), (B,), (B, 3), (B, L); padding's logits are large and negative."""
        x = read_padded(self.trunk, ids, mask, types)  # (B, L, D)
        differs = self.differs(x).squeeze(-1).float().masked_fill(~mask, -30.0)  # (B, L)
        weights = torch.softmax(differs, dim=1).unsqueeze(1).to(x.dtype)  # (B, 1, L)
        kept = mask.unsqueeze(-1).to(x.dtype)
        mean = (x * kept).sum(dim=1) / kept.sum(dim=1)  # (B, D)
        pooled = torch.cat([mean, (weights @ x).squeeze(1)], dim=1)  # (B, 2D)
        hidden = torch.tanh(self.hidden(nn.functional.dropout(pooled, 0.1, self.training)))
        return self.relation(hidden).float(), self.answers(hidden).float().squeeze(-1), self.stance(hidden).float(), differs

    def export(self, out: Path, settings: Mapping[str, Any]) -> None:
        """Write the model folder."""
        graph = Graph()
        x = add_trunk(graph, self.trunk)  # (B, L, D)
        differs = graph.linear(x, *_arrays(self.differs))  # (B, L, 1)
        weights = graph.node("Transpose", graph.node("Softmax", differs, axis=1), perm=[0, 2, 1])  # (B, 1, L)
        told = graph.node("Squeeze", graph.node("MatMul", weights, x), graph.constant(np.array([1])))  # (B, D)
        pooled = graph.node("Concat", add_mean(graph, x), told, axis=1)  # (B, 2D)
        hidden = graph.node("Tanh", graph.linear(pooled, *_arrays(self.hidden)))
        outputs = {name: graph.linear(hidden, *_arrays(getattr(self, name))) for name in ("relation", "answers", "stance")}
        outputs["differs"] = graph.node("Squeeze", differs, graph.constant(np.array([2])))  # (B, L)
        graph.save(out / "model.onnx", outputs)
        write_settings(out, settings)


def read_padded(trunk: Trunk, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
    """Run the trunk over padded rows, (B, L, D): batches are of nearly equal length, and bfloat16 wants whole matrices."""
    places = torch.arange(ids.shape[1])
    x = trunk.norm(trunk.words(ids) + trunk.places(places) + trunk.types(types))
    seen = None if bool(mask.all()) else mask[:, None, None, :]
    for layer in trunk.layers:
        heads = [part(x).view(*ids.shape, trunk.shape.heads, -1).transpose(1, 2) for part in (layer.query, layer.key, layer.value)]
        drop = layer.dropout if trunk.training else 0.0
        mixed = nn.functional.scaled_dot_product_attention(*heads, attn_mask=seen, dropout_p=drop).transpose(1, 2).reshape(*ids.shape, -1)
        x = layer.norm_mix(x + _drop(layer.mix(mixed), drop))
        x = layer.norm_narrow(x + _drop(layer.narrow(nn.functional.gelu(layer.widen(x))), drop))
    return x


def _drop(x: Tensor, share: float) -> Tensor:
    return nn.functional.dropout(x, share) if share else x


def _arrays(linear: nn.Linear) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return linear.weight.detach().float().numpy(), linear.bias.detach().float().numpy()
