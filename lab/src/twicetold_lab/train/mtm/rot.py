"""ROT: teach embeddings and first layer to see how much of the claim a sentence quotes.

ROUGE-2 precision and recall are predicted from what one layer makes of claim and sentence. So that the word vectors keep what they knew,
the squared change of all parameters is part of the loss; the reference is a copy taken at the start. (In the published code the
reference is the live parameters themselves, so the term is always 0; `penalty=0` is that.)

The paper reads both numbers at the first token (`AtFirst`). One layer shows that token the sum of all others and never which of them are
alike, and what it learns so is the mean. `ByToken` asks every token whether it is quoted: precision is the share of the sentence's tokens
that say so, recall that of the claim's. To know, a token must look for its own like in the other text, which takes long to be found by
chance; so some heads begin by doing just that.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.rank.mtm.pairing import Pair
from twicetold.rank.mtm.rouge import rouge2
from twicetold_lab.mtm.candidates import Asked
from twicetold_lab.train import loop
from twicetold_lab.train.mtm.encoded import Encoded, Padded, mean_of
from twicetold_lab.train.reranker import shorter
from twicetold_lab.train.trunk import Layer, Trunk, first_token

BATCH = 32
HEADS, SHARPNESS = 3, 1.5
"""Heads that begin by looking for their token's like, and how sharply."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A claim and a sentence of an article as they are read together, and the sentence's ROUGE-2 precision and recall."""

    pair: Pair
    rouge: tuple[float, float]


class Rot(nn.Module):
    """A trunk of one layer that regresses ROUGE-2, and the parameters it started with."""

    penalty: float
    """What of the squared change is added to the loss; the printed .05, which the published code never applied, stops all learning."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.trunk.words.weight.requires_grad_(True)
        self._start = {name: p.detach().clone() for name, p in trunk.named_parameters()}

    def error(self, some: Sequence[Quote]) -> Tensor:
        """What is to become small beside the penalty."""
        return F.mse_loss(self(_padded(some)), _truth(some))

    def change(self) -> Tensor:
        """Return the squared length of the change of all of the trunk's parameters since the start."""
        return torch.stack([((p - self._start[name]) ** 2).sum() for name, p in self.trunk.named_parameters()]).sum()


class AtFirst(Rot):
    """Both numbers from the first token, as printed."""

    penalty = 1e-4

    def __init__(self, trunk: Trunk) -> None:
        super().__init__(trunk)
        self.pool = nn.Linear(trunk.shape.width, trunk.shape.width)
        self.out = nn.Linear(trunk.shape.width, 2, bias=False)
        # Begin by saying 0.05 of every sentence, near the mean: steps spent on getting there would shake the trunk.
        nn.init.ones_(self.pool.bias)
        nn.init.normal_(self.out.weight, mean=-3 / (math.tanh(1) * trunk.shape.width), std=0.01)

    def forward(self, pairs: Padded) -> Tensor:
        """Return precision and recall, (B, 2), each between 0 and 1."""
        x = self.trunk(pairs.ids, pairs.mask, pairs.types)
        return torch.sigmoid(self.out(torch.tanh(self.pool(first_token(x, pairs.mask)))))


class ByToken(Rot):
    """Every token says whether it begins a pair that both texts have."""

    penalty = 1e-5

    def __init__(self, trunk: Trunk) -> None:
        look_for_likes(trunk.layers[0])
        super().__init__(trunk)
        self.out = nn.Linear(trunk.shape.width, 2)  # for a token of the sentence, and of the claim
        nn.init.normal_(self.out.weight, std=0.01)
        nn.init.constant_(self.out.bias, -3.0)

    def forward(self, pairs: Padded) -> Tensor:
        """Return precision and recall, (B, 2), each between 0 and 1."""
        return self._shares(self.out(self.trunk(pairs.ids, pairs.mask, pairs.types)), pairs)

    def error(self, some: Sequence[Quote]) -> Tensor:
        """The error of both numbers, and the cross-entropy of the tokens, which says where the quote is."""
        pairs = _padded(some)
        said = self.out(self.trunk(pairs.ids, pairs.mask, pairs.types))  # (T, 2)
        own = (pairs.is_claim | pairs.is_sentence)[pairs.mask]  # (T,)
        of_claim = pairs.is_claim[pairs.mask]
        quoted = torch.zeros(pairs.mask.shape)
        for row, one in enumerate(some):
            quoted[row, : len(one.pair.ids)] = torch.tensor(begin_shared_pairs(one.pair)).float()
        token = torch.where(of_claim, said[:, 1], said[:, 0])
        return F.binary_cross_entropy_with_logits(token[own], quoted[pairs.mask][own]) + 10 * F.mse_loss(
            self._shares(said, pairs), _truth(some)
        )

    def _shares(self, said: Tensor, pairs: Padded) -> Tensor:
        chance = torch.sigmoid(said)
        return torch.cat([mean_of(chance[:, :1], pairs, pairs.is_sentence), mean_of(chance[:, 1:], pairs, pairs.is_claim)], dim=1)


def look_for_likes(layer: Layer, *, heads: int = HEADS, sharpness: float = SHARPNESS) -> None:
    """Let the first heads attend by likeness: query and key become the same projection, so that a token finds its like wherever it is."""
    width, each = layer.shape.width, layer.shape.width // layer.shape.heads
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for head in range(min(heads, layer.shape.heads)):
            rows = slice(each * head, each * (head + 1))
            projection = torch.linalg.qr(torch.randn(width, each, generator=generator))[0].T  # (D/H, D)
            for linear in (layer.query, layer.key):
                linear.weight[rows] = sharpness * projection
                linear.bias[rows] = 0


def begin_shared_pairs(pair: Pair) -> list[bool]:
    """Say of every token whether it begins a pair of neighbours that claim and sentence both have; marks do not."""
    claim, sentence = pair.ids[pair.claim_span], pair.ids[pair.sentence_span]
    both = set(pairwise(claim)) & set(pairwise(sentence))
    found = [False] * len(pair.ids)
    for span, text in ((pair.claim_span, claim), (pair.sentence_span, sentence)):
        for place, neighbours in enumerate(pairwise(text), start=span.start):
            found[place] = neighbours in both
    return found


def quotes(asked: Sequence[Asked], encoded: Encoded, rng: random.Random, *, each: int = 24, is_stretched: bool = True) -> list[Quote]:
    """Draw `each` sentences of candidates a claim: half at random from a right article, half from any; with their ROUGE-2."""
    found = []
    for one in asked:
        right = [doc for doc in one.candidates if doc in one.right and encoded.articles[doc]]
        others = [doc for doc in one.candidates if encoded.articles[doc]]
        for number in range(each if others else 0):
            doc = rng.choice(right if right and number % 2 else others)
            pair = encoded.pair(one.id, doc, rng.randrange(len(encoded.articles[doc])), is_stretched=is_stretched)
            found.append(Quote(pair, rouge2(pair.ids[pair.sentence_span], pair.ids[pair.claim_span])))
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


def teach(rot: Rot, some: Sequence[Quote], plan: loop.Plan, *, penalty: float | None = None, resume: bool = False) -> None:
    """Teach embeddings and first layer, in place; `penalty` unless the reading's own is meant."""
    held = rot.penalty if penalty is None else penalty

    def step(_: int, rng: random.Random) -> Tensor:
        error = rot.error([rng.choice(some) for _ in range(BATCH)])
        return error + held * rot.change() if held else error

    loop.run(rot, step, plan, resume=resume)


def untaught(trunk: Trunk, *, by_token: bool) -> Rot:
    """Return a ROT that begins with embeddings and first layer of a trunk; the given one stays as it is."""
    first = shorter(trunk, (0,), dropout=0.0)
    return ByToken(first) if by_token else AtFirst(first)


def explained(rot: Rot, some: Sequence[Quote]) -> tuple[float, float]:
    """Return what share of the variance of precision and of recall the model explains: 0 is that of always saying the mean."""
    with torch.no_grad():
        said = torch.cat([rot(_padded(some[i : i + BATCH])) for i in range(0, len(some), BATCH)])
    truth = _truth(some)
    precision, recall = (1 - ((said - truth) ** 2).mean(dim=0) / truth.var(dim=0, correction=0)).tolist()
    return precision, recall


def _padded(some: Sequence[Quote]) -> Padded:
    return Padded.of([one.pair for one in some])


def _truth(some: Sequence[Quote]) -> Tensor:
    return torch.tensor([one.rouge for one in some])  # (B, 2)
