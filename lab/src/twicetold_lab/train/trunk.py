"""The trunk all shipped models grow from: MiniLM (a small BERT), written out in torch.

Reads and writes the names of the published `model.safetensors`. Training runs without padding in the wide layers: token rows are packed,
and only attention sees the padded shape, which saves about a third of the time on posts of mixed length.
Model: Wang et al. 2020 (MiniLM); the sentence weights are all-MiniLM-L6-v2 (Apache-2.0).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

HEADS = 12
WIDTH = 384


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a BERT-like trunk; MiniLM's unless said."""

    words: int = 30522
    width: int = WIDTH
    heads: int = HEADS
    widened: int = 4 * WIDTH
    places: int = 512


MINILM = Shape()


class Layer(nn.Module):
    """One transformer layer over packed token rows."""

    def __init__(self, dropout: float, shape: Shape = MINILM) -> None:
        super().__init__()
        width = shape.width
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.widen, self.narrow = nn.Linear(width, shape.widened), nn.Linear(shape.widened, width)
        self.norm_mix, self.norm_narrow = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.dropout = dropout
        self.shape = shape

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: packed rows (T, D); mask: (B, L), true where a token stands."""
        mixed = self._drop(self.mix(self._attend(x, mask)))  # (T, D)
        x = self.norm_mix(x + mixed)
        return self.norm_narrow(x + self._drop(self.narrow(F.gelu(self.widen(x)))))  # type: ignore[no-any-return]

    def _attend(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length = mask.shape
        heads = []
        for linear in (self.query, self.key, self.value):
            padded = x.new_zeros(rows, length, self.shape.width)  # (B, L, D)
            padded[mask] = linear(x)
            heads.append(padded.view(rows, length, self.shape.heads, -1).transpose(1, 2))  # (B, H, L, D/H)
        drop = self.dropout if self.training else 0.0
        out = F.scaled_dot_product_attention(*heads, attn_mask=mask[:, None, None, :], dropout_p=drop)
        return out.transpose(1, 2).reshape(rows, length, self.shape.width)[mask]  # (T, D)

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


class Trunk(nn.Module):
    """Token ids to token vectors. Word vectors stay frozen: they are a third of the time of a step and hardly move."""

    def __init__(self, layers: int = 6, dropout: float = 0.1, shape: Shape = MINILM) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.places = nn.Embedding(shape.places, shape.width)
        self.types = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout, shape) for _ in range(layers))
        self.words.weight.requires_grad_(False)

    def freeze(self, layers: int) -> None:
        """Keep the embeddings and the lowest `layers` as they are."""
        for part in (self.places, self.types, self.norm, *self.layers[:layers]):
            part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """ids, mask, types: (B, L). Returns packed token vectors (T, D), row after row without padding."""
        places = torch.arange(ids.shape[1]).expand_as(ids)[mask]  # (T,)
        kinds = (torch.zeros_like(ids) if types is None else types)[mask]
        x = self.norm(self.words(ids[mask]) + self.places(places) + self.types(kinds))  # (T, D)
        for layer in self.layers:
            x = layer(x, mask)
        return x  # type: ignore[no-any-return]


def mean_pool(x: Tensor, mask: Tensor) -> Tensor:
    """Average packed token rows (T, D) per text: (B, D)."""
    text = torch.arange(mask.shape[0])[:, None].expand_as(mask)[mask]  # (T,)
    total = x.new_zeros(mask.shape[0], x.shape[1]).index_add(0, text, x)
    return total / mask.sum(dim=1, keepdim=True)


def first_token(x: Tensor, mask: Tensor) -> Tensor:
    """Take the first token's row of each text: (B, D)."""
    starts = F.pad(mask.sum(dim=1).cumsum(0)[:-1], (1, 0))
    return x[starts]


_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "norm_mix": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "norm_narrow": "output.LayerNorm",
}
_EMBEDDINGS = {"words": "word_embeddings", "places": "position_embeddings", "types": "token_type_embeddings", "norm": "LayerNorm"}


def published_names(layers: int, *, taken_from: tuple[int, ...] | None = None) -> dict[str, str]:
    """Map our parameter names to the published ones; `taken_from` lists which published layers a shorter trunk starts from."""
    names = {}
    for ours, theirs in _EMBEDDINGS.items():
        names[f"{ours}.weight"] = f"embeddings.{theirs}.weight"
    names["norm.bias"] = "embeddings.LayerNorm.bias"
    for i, source in enumerate(taken_from or tuple(range(layers))):
        for ours, theirs in _PARTS.items():
            for kind in ("weight", "bias"):
                names[f"layers.{i}.{ours}.{kind}"] = f"encoder.layer.{source}.{theirs}.{kind}"
    return names


def read_trunk(weights: Path, *, taken_from: tuple[int, ...] = (0, 1, 2, 3, 4, 5), dropout: float = 0.1) -> Trunk:
    """Load a trunk from a published `model.safetensors`, keeping the layers named."""
    from safetensors.torch import load_file

    published = load_file(str(weights))
    trunk = Trunk(len(taken_from), dropout)
    names = published_names(len(taken_from), taken_from=taken_from)
    trunk.load_state_dict({ours: published[theirs] for ours, theirs in names.items()})
    return trunk
