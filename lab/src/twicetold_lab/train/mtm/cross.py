"""Baselines of Table 2 that read whole articles: BERT (claim and the article's beginning) and DuoBERT (which of two articles is better).

Both start from the same trunk as MTM. As published, BERT tunes its last layer only, DuoBERT all but embeddings and first layer, and
DuoBERT orders the candidates that BERT puts first by the sum of their chances to beat each other.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.rank.mtm.pairing import Pair
from twicetold_lab.mtm.baselines import Scorer
from twicetold_lab.mtm.candidates import Asked
from twicetold_lab.train import loop
from twicetold_lab.train.mtm.encoded import Encoded, Padded
from twicetold_lab.train.mtm.teach import Lists
from twicetold_lab.train.trunk import Trunk, mean_pool

ARTICLE_TOKENS = 128
DUO_TOKENS = 56
DUO_FIRST = 8
BATCH = 16

Head = Mapping[str, Tensor] | None
"""The head of the model that the trunk comes from, if it has one."""


class Cross(nn.Module):
    """A trunk over joined texts with one logit on the mean of its vectors."""

    def __init__(self, trunk: Trunk, *, frozen: int, head: Head = None) -> None:
        super().__init__()
        self.trunk = trunk
        self.trunk.freeze(frozen)
        self.hidden = nn.Linear(trunk.shape.width, trunk.shape.width)
        self.out = nn.Linear(trunk.shape.width, 1)
        if head is not None:
            self.load_state_dict({**self.state_dict(), **head})

    def forward(self, pairs: Sequence[Pair]) -> Tensor:
        """Return a logit for each, (B,)."""
        padded = Padded.of(list(pairs))
        pooled = mean_pool(self.trunk(padded.ids, padded.mask, padded.types), padded.mask)
        return self.out(torch.tanh(self.hidden(pooled)))[:, 0]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Texts:
    """Claims and articles as runs of tokens."""

    encoded: Encoded

    def one(self, claim: str, article: str) -> Pair:
        """Join a claim with the beginning of an article."""
        return self._joined(claim, self._beginning(article, ARTICLE_TOKENS), ARTICLE_TOKENS)

    def two(self, claim: str, first: str, second: str) -> Pair:
        """Join a claim with the beginnings of two articles."""
        both = [*self._beginning(first, DUO_TOKENS), self.encoded.pairing.sep, *self._beginning(second, DUO_TOKENS)]
        return self._joined(claim, both, 2 * DUO_TOKENS + 1)

    def _beginning(self, article: str, most: int) -> list[int]:
        tokens: list[int] = []
        for sentence in self.encoded.articles[article]:
            tokens += sentence
            if len(tokens) >= most:
                break
        return tokens[:most]

    def _joined(self, claim: str, rest: Sequence[int], most: int) -> Pair:
        wide = dataclasses.replace(self.encoded.pairing, sentence_tokens=most)
        return wide.join(self.encoded.claims[claim], rest)


def teach_bert(trunk: Trunk, lists: Lists, texts: Texts, plan: loop.Plan, *, head: Head = None, resume: bool = False) -> Cross:
    """Teach the last layer to tell right candidates from wrong ones, as many of each."""
    model = Cross(trunk, frozen=len(trunk.layers) - 1, head=head)

    def step(_: int, rng: random.Random) -> Tensor:
        drawn = lists.draw(rng, BATCH)
        logits = model([texts.one(one.claim, one.article) for one in drawn])
        return F.binary_cross_entropy_with_logits(logits, torch.tensor([float(one.is_right) for one in drawn]))

    loop.run(model, step, plan, resume=resume)
    return model


def teach_duo(trunk: Trunk, lists: Lists, texts: Texts, plan: loop.Plan, *, resume: bool = False) -> Cross:
    """Teach all but the first layer which of two candidates is the right one; each pair is shown in either order in turn."""
    model = Cross(trunk, frozen=1)

    def step(_: int, rng: random.Random) -> Tensor:
        drawn = [rng.choice(lists.rows) for _ in range(BATCH)]
        chosen = [(claim, rng.choice(right), rng.choice(wrong)) for claim, right, wrong in drawn]
        pairs = [
            texts.two(claim, right, wrong) if number % 2 else texts.two(claim, wrong, right)
            for number, (claim, right, wrong) in enumerate(chosen)
        ]
        return F.binary_cross_entropy_with_logits(model(pairs), torch.tensor([float(n % 2) for n in range(BATCH)]))

    loop.run(model, step, plan, resume=resume)
    return model


def by_bert(model: Cross, texts: Texts) -> Scorer:
    """Score each candidate by itself."""

    def score(one: Asked) -> list[float]:
        return _logits(model, [texts.one(one.id, doc) for doc in one.candidates])

    return score


def by_duo(model: Cross, first: Scorer, texts: Texts) -> Scorer:
    """Order the first candidates by the sum of chances to beat each of the others; the rest follow in the first scorer's order."""

    def score(one: Asked) -> list[float]:
        before = first(one)
        order = sorted(range(len(before)), key=lambda place: (-before[place], place))
        scores = [-1.0 - order.index(place) for place in range(len(before))]
        best = order[:DUO_FIRST]
        duels = [(a, b) for a in best for b in best if a != b]
        logits = _logits(model, [texts.two(one.id, one.candidates[a], one.candidates[b]) for a, b in duels])
        for place in best:
            scores[place] = 0.0
        for (a, _), logit in zip(duels, logits, strict=True):
            scores[a] += float(torch.sigmoid(torch.tensor(logit)))
        return scores

    return score


def _logits(model: Cross, pairs: Sequence[Pair]) -> list[float]:
    model.eval()
    with torch.no_grad():
        return [logit for i in range(0, len(pairs), BATCH) for logit in model(pairs[i : i + BATCH]).tolist()]
