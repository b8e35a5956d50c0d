"""CTM, the text half of Vo & Lee 2020: grids of similarities between a claim's words and an article's, read by a small CNN.

Two kinds of word vectors, static ones (the trunk's table) and contextual ones (the trunk's first layer), stand in for GloVe and ELMo.
Each goes through an n-gram convolution of its own; the cosines of claim and article words under either kind, their difference and their
product are the four channels of a grid. Two convolutions, the strongest signals of each claim word, and a network of 128 and 64 units give
the score; the loss is the hinge of the right article's lead over the mean of three wrong ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold_lab.mtm.baselines import Scorer
from twicetold_lab.mtm.candidates import Asked
from twicetold_lab.train import loop
from twicetold_lab.train.mtm.encoded import Encoded
from twicetold_lab.train.mtm.teach import Lists
from twicetold_lab.train.trunk import Trunk

CLAIM_WORDS, ARTICLE_WORDS = 50, 256
FILTERS, PLANES, STRONGEST = 256, 16, 32
NEGATIVES, BATCH = 3, 8


@dataclass(frozen=True, slots=True)
class Sight:
    """Static and contextual vectors of one text's words: (L, D) each."""

    static: Tensor
    contextual: Tensor


class Ctm(nn.Module):
    """Scores an article by the grid of its words against the claim's."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.static, self.contextual = nn.Linear(width, FILTERS), nn.Linear(width, FILTERS)  # n-grams of one word
        self.planes = nn.Sequential(nn.Conv2d(4, PLANES, 3, padding=1), nn.ReLU(), nn.Conv2d(PLANES, PLANES, 3, padding=1), nn.ReLU())
        strongest = CLAIM_WORDS * STRONGEST
        self.score = nn.Sequential(nn.Linear(strongest, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, claim: Sight, articles: Sequence[Sight]) -> Tensor:
        """Return a score for each article, (B,)."""
        return torch.cat([self.score(self._strongest(self._grid(claim, article))) for article in articles])

    def _grid(self, claim: Sight, article: Sight) -> Tensor:
        """The four channels, (1, 4, claim words, article words)."""
        static = self._ngrams(self.static, claim.static) @ self._ngrams(self.static, article.static).T
        contextual = self._ngrams(self.contextual, claim.contextual) @ self._ngrams(self.contextual, article.contextual).T
        return torch.stack([static, contextual, static - contextual, static * contextual])[None]

    @staticmethod
    def _ngrams(layer: nn.Module, vectors: Tensor) -> Tensor:
        return F.normalize(torch.tanh(layer(vectors)), dim=1)

    def _strongest(self, grid: Tensor) -> Tensor:
        """Each claim word's strongest signals, padded to the size the network wants: (1, words · strongest)."""
        signals = self.planes(grid).amax(dim=1)[0]  # (claim words, article words)
        best = signals.topk(min(STRONGEST, signals.shape[1]), dim=1).values
        return F.pad(best, (0, STRONGEST - best.shape[1], 0, CLAIM_WORDS - best.shape[0])).reshape(1, -1)


@dataclass(frozen=True, slots=True)
class Sights:
    """The vectors of all claims and of every article that has words, made once: the trunk is not tuned."""

    claims: Mapping[str, Sight]
    articles: Mapping[str, Sight]

    @classmethod
    def of(cls, encoded: Encoded, trunk: Trunk) -> Sights:
        """Look at every text once."""
        texts = {doc: [token for sentence in some for token in sentence][:ARTICLE_WORDS] for doc, some in encoded.articles.items()}
        return cls(
            {id: _sight(trunk, ids[:CLAIM_WORDS]) for id, ids in encoded.claims.items() if ids},
            {doc: _sight(trunk, ids) for doc, ids in texts.items() if ids},
        )


def _sight(trunk: Trunk, ids: Sequence[int]) -> Sight:
    row = torch.tensor([list(ids)])
    mask = torch.ones_like(row, dtype=torch.bool)
    places = torch.arange(row.shape[1])
    with torch.no_grad():
        x = trunk.norm(trunk.words(row[0]) + trunk.places(places) + trunk.types(torch.zeros_like(row[0])))
        return Sight(trunk.words(row[0]), trunk.layers[0](x, mask))


def teach(model: Ctm, lists: Lists, sights: Sights, plan: loop.Plan, *, resume: bool = False) -> None:
    """Train in place: the hinge of each claim's right article against the mean of some wrong ones."""

    def step(_: int, rng: random.Random) -> Tensor:
        losses = []
        for claim, right, wrong in (rng.choice(lists.rows) for _ in range(BATCH)):
            docs = [rng.choice(right), *(rng.choice(wrong) for _ in range(NEGATIVES))]
            lead, *others = model(sights.claims[claim], [sights.articles[doc] for doc in docs])[:, 0]
            losses.append(F.relu(1 - lead + torch.stack(others).mean()))
        return torch.stack(losses).mean()

    loop.run(model, step, plan, resume=resume)


def by_ctm(model: Ctm, sights: Sights) -> Scorer:
    """Score each candidate; those without words come last."""

    def score(one: Asked) -> list[float]:
        model.eval()
        with torch.no_grad():
            return [
                float(model(sights.claims[one.id], [sights.articles[doc]])) if doc in sights.articles and one.id in sights.claims else -1e9
                for doc in one.candidates
            ]

    return score
