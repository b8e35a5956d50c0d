"""ARP: the remaining layers read each key sentence with the claim; the article's score is made of what they saw.

For each key sentence, v = [mean of the claim's vectors; mean of the sentence's; nearest pattern]. Σ weight · v goes through five linear
layers, each half as wide as the one before, to two classes. Embeddings and first layer come from ROT and stay as they are. The memory
and its votes are part of the module's state, so a checkpoint holds them and a resumed run goes on exactly where it stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.rank.mtm.keys import KEYS, Chosen, choose
from twicetold.rank.mtm.known import NAMES, NEAREST
from twicetold.rank.mtm.memory import Array
from twicetold_lab.train.mtm.encoded import Padded, Source, mean_of
from twicetold_lab.train.mtm.patterns import Votes, updated
from twicetold_lab.train.mtm.variants import Variant
from twicetold_lab.train.trunk import Trunk

LINEAR_LAYERS = 5


class Arp(nn.Module):
    """The whole model but for ROT's head. `forward` takes (claim, article) ids and gives logits of "no" and "yes"."""

    patterns: Tensor
    right_total: Tensor
    right_weight: Tensor
    wrong_total: Tensor
    wrong_weight: Tensor

    def __init__(self, trunk: Trunk, patterns: Array, variant: Variant, *, frozen: int = 1) -> None:
        super().__init__()
        self.trunk = trunk
        self.trunk.freeze(frozen)
        self.variant = variant
        votes = Votes.none(patterns)
        for name, array in {
            "patterns": patterns,
            "right_total": votes.total,
            "right_weight": votes.weight,
            "wrong_total": votes.total,
            "wrong_weight": votes.weight,
        }.items():
            self.register_buffer(name, torch.tensor(array))
        self.classifier = nn.ModuleList(_layers(trunk.shape.width * parts(variant)))
        if variant.compared:
            self.balance = nn.Linear(len(NAMES), 1)
            nn.init.zeros_(self.classifier[-1].weight)

    def memory(self) -> Array | None:
        """Return the patterns (K, D), or None for the variant without."""
        return self.patterns.numpy() if self.variant.memory else None

    def nearest(self, claim: str, article: str, source: Source) -> Chosen:
        """Choose an article's nearest sentences by the memory as it is now; the first of them are the key sentences."""
        residuals = source.vectors.residuals(claim, article)
        quoted = source.encoded.quoted(claim, article) if self.variant.quoted else None
        return choose(residuals, self.memory(), quoted=quoted, most=NEAREST, is_weighted=self.variant.weighted)

    def forward(self, asked: Sequence[tuple[str, str]], source: Source) -> tuple[Tensor, list[Chosen]]:
        """Score articles, each with at least one sentence: logits (B, 2), and the key sentences they came from."""
        nearest = [self.nearest(claim, article, source) for claim, article in asked]
        chosen = [near.first(KEYS) for near in nearest]
        pairs = [
            source.encoded.pair(claim, article, place, is_stretched=self.variant.stretched)
            for (claim, article), keys in zip(asked, chosen, strict=True)
            for place in keys.place.tolist()
        ]
        padded = Padded.of(pairs)
        x = self.trunk(padded.ids, padded.mask, padded.types)  # (T, D)
        said, told = mean_of(x, padded, padded.is_claim), mean_of(x, padded, padded.is_sentence)  # (S, D)
        seen = self._features(said, told, chosen)  # (S, F)
        weight = torch.tensor(np.concatenate([keys.weight for keys in chosen]), dtype=x.dtype)
        owner = torch.tensor([row for row, keys in enumerate(chosen) for _ in keys.place])
        pooled = seen.new_zeros(len(asked), seen.shape[1]).index_add(0, owner, weight[:, None] * seen)  # (B, F)
        logits = self.classify(pooled)
        if self.variant.compared:
            odds = self.balance(torch.tensor(source.known(asked, nearest)))  # (B, 1)
            logits = logits + torch.cat([-odds, odds], dim=1) / 2
        return logits, chosen

    def _features(self, claim: Tensor, sentence: Tensor, chosen: Sequence[Chosen]) -> Tensor:
        columns = [claim, sentence]
        if self.variant.memory and self.variant.told:
            columns.append(self.patterns[torch.tensor(np.concatenate([keys.pattern for keys in chosen]))])
        return torch.cat(columns, dim=1)

    def classify(self, pooled: Tensor) -> Tensor:
        """Return logits (B, 2)."""
        *inner, last = self.classifier
        for layer in inner:
            pooled = layer(pooled) if self.variant.legacy else F.gelu(layer(pooled))
        logits = last(pooled)
        return F.gelu(F.dropout(F.gelu(logits), 0.5, self.training)) if self.variant.legacy else logits

    # --- the memory after an epoch -------------------------------------------------------------------------------------

    def vote(self, residuals: Array, chosen: Chosen, chance: float) -> None:
        """Note what a reading says of the patterns of its key sentences; `chance` is the probability it gave the true label."""
        side = "right" if chance > 0.5 else "wrong"
        total, weight = getattr(self, f"{side}_total"), getattr(self, f"{side}_weight")
        votes = Votes(total.numpy(), weight.numpy()).add(chosen.pattern, residuals[chosen.place], abs(chance - 0.5))
        total.copy_(torch.from_numpy(votes.total))
        weight.copy_(torch.from_numpy(votes.weight))

    def end_epoch(self) -> float:
        """Move the patterns by the votes, forget these, and return how far the patterns moved on average."""
        right, wrong = (
            Votes(getattr(self, f"{side}_total").numpy(), getattr(self, f"{side}_weight").numpy()) for side in ("right", "wrong")
        )
        before = self.patterns.numpy().copy()
        if self.variant.memory and self.variant.updated:
            self.patterns.copy_(torch.from_numpy(updated(before, right, wrong)))
        for name in ("right_total", "right_weight", "wrong_total", "wrong_weight"):
            getattr(self, name).zero_()
        return float(np.linalg.norm(self.patterns.numpy() - before, axis=1).mean())


def parts(variant: Variant) -> int:
    """How many vectors are joined into what the classifier sees."""
    return 2 + (variant.memory and variant.told)


def _layers(width: int) -> list[nn.Linear]:
    """Each half as wide as the one before, the last with two classes and no bias."""
    widths = [width >> halved for halved in range(LINEAR_LAYERS)]
    layers = [nn.Linear(a, b) for a, b in pairwise(widths)] + [nn.Linear(widths[-1], 2, bias=False)]
    for layer in layers:  # torch's own start shrinks what passes five layers to nothing
        nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.normal_(layers[-1].weight, std=0.05)
    return layers


def with_rot(trunk: Trunk, rot: Trunk) -> Trunk:
    """Put ROT's embeddings and first layer into a trunk, in place, and return it."""
    state: Mapping[str, Tensor] = rot.state_dict()
    trunk.load_state_dict({**trunk.state_dict(), **state})
    return trunk
