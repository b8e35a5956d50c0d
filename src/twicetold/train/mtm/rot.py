"""ROT: teach embeddings and first layer to see how much of the claim a sentence quotes.

From the first layer's [CLS] of claim and sentence, ROUGE-2 precision and recall are predicted. So that the word vectors keep what they
knew, the squared change of all parameters is part of the loss; the reference is a copy taken at the start. (In the published code the
reference is the live parameters themselves, so the term is always 0; `penalty=0` is that.)
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.lab.mtm.candidates import Asked
from twicetold.rerank.mtm.rouge import rouge2
from twicetold.train import loop
from twicetold.train.mtm.encoded import Encoded, Padded
from twicetold.train.reranker import shorter
from twicetold.train.trunk import Trunk, first_token

PENALTY = 1e-4
"""The paper prints .05, which its code never applied; applied, it stops all learning (docs/mtm.md)."""
BATCH = 32


@dataclass(frozen=True, slots=True)
class Quote:
    """A claim, a sentence of an article, and the sentence's ROUGE-2 precision and recall."""

    claim: str
    article: str
    place: int
    rouge: tuple[float, float]


class Rot(nn.Module):
    """A trunk of one layer that regresses ROUGE-2, and the parameters it started with."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.trunk.words.weight.requires_grad_(True)
        self.pool = nn.Linear(trunk.shape.width, trunk.shape.width)
        self.out = nn.Linear(trunk.shape.width, 2, bias=False)
        # Begin by saying 0.05 of every sentence, near the mean: steps spent on getting there would shake the trunk.
        nn.init.ones_(self.pool.bias)
        nn.init.normal_(self.out.weight, mean=-3 / (math.tanh(1) * trunk.shape.width), std=0.01)
        self._start = {name: p.detach().clone() for name, p in trunk.named_parameters()}

    def forward(self, pairs: Padded) -> Tensor:
        """Return precision and recall, (B, 2), each between 0 and 1."""
        x = self.trunk(pairs.ids, pairs.mask, pairs.types)
        return torch.sigmoid(self.out(torch.tanh(self.pool(first_token(x, pairs.mask)))))

    def change(self) -> Tensor:
        """Return the squared length of the change of all of the trunk's parameters since the start."""
        return torch.stack([((p - self._start[name]) ** 2).sum() for name, p in self.trunk.named_parameters()]).sum()


def quotes(asked: Sequence[Asked], encoded: Encoded, rng: random.Random, *, each: int = 24) -> list[Quote]:
    """Draw `each` sentences of candidates a claim: half at random from a right article, half from any; with their ROUGE-2."""
    found = []
    for one in asked:
        right = [doc for doc in one.candidates if doc in one.right and encoded.articles[doc]]
        others = [doc for doc in one.candidates if encoded.articles[doc]]
        for number in range(each if others else 0):
            doc = rng.choice(right if right and number % 2 else others)
            place = rng.randrange(len(encoded.articles[doc]))
            found.append(Quote(one.id, doc, place, rouge2(encoded.articles[doc][place], encoded.claims[one.id])))
    return found


def balanced(some: Sequence[Quote], rng: random.Random) -> list[Quote]:
    """Keep all that share a pair of tokens with their claim, and as many that share none: most sentences share none."""
    shared = [one for one in some if one.rouge[0] > 0]
    none = [one for one in some if one.rouge[0] == 0]
    return shared + rng.sample(none, min(len(none), len(shared)))


def distinct(some: Sequence[Quote]) -> list[Quote]:
    """Keep the first of each (precision, recall), as the published code does."""
    seen: Mapping[tuple[float, float], Quote] = {one.rouge: one for one in reversed(some)}
    return [one for one in some if seen[one.rouge] is one]


def loss_of(rot: Rot, some: Sequence[Quote], encoded: Encoded, penalty: float) -> Tensor:
    """Mean squared error plus the penalty of change."""
    error = F.mse_loss(predicted(rot, some, encoded), torch.tensor([one.rouge for one in some]))
    return error + penalty * rot.change() if penalty else error


def predicted(rot: Rot, some: Sequence[Quote], encoded: Encoded) -> Tensor:
    """Return what the model says of each, (B, 2)."""
    return rot(Padded.of([encoded.pair(one.claim, one.article, one.place) for one in some]))


def teach(
    trunk: Trunk,
    some: Sequence[Quote],
    encoded: Encoded,
    plan: loop.Plan,
    *,
    penalty: float = PENALTY,
    resume: bool = False,
) -> Rot:
    """Teach the embeddings and first layer of `trunk`; returns a trunk of one layer, the given one stays as it is."""
    rot = Rot(shorter(trunk, (0,), dropout=0.0))

    def step(_: int, rng: random.Random) -> Tensor:
        return loss_of(rot, [rng.choice(some) for _ in range(BATCH)], encoded, penalty)

    loop.run(rot, step, plan, resume=resume)
    return rot


def error_on(rot: Rot, some: Sequence[Quote], encoded: Encoded) -> tuple[float, float]:
    """Return the mean squared error, and that of always saying the mean: what the model must beat."""
    with torch.no_grad():
        said = torch.cat([predicted(rot, some[i : i + BATCH], encoded) for i in range(0, len(some), BATCH)])
    truth = torch.tensor([one.rouge for one in some])
    return float(F.mse_loss(said, truth)), float(F.mse_loss(truth.mean(0).expand_as(truth), truth))
