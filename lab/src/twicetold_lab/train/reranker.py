"""Train the reranker: a short cross-encoder that must also tell a claim from its negation and its look-alikes.

Every list holds a query with its answer, hard negatives, and contrast cases made by rule from the query or the answer (`contrast`).
Three losses are at hand: pointwise (each pair alone), pairwise (answer against each other one), listwise (softmax over the list).
The trunk starts as three layers of the claim encoder.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from twicetold.text import unpost
from twicetold_lab.crossencoder import MAX_TOKENS
from twicetold_lab.train import loop
from twicetold_lab.train.contrast import alter, names_in
from twicetold_lab.train.heads import PairModel
from twicetold_lab.train.noise import add_noise
from twicetold_lab.train.pairs import Pair
from twicetold_lab.train.trunk import Trunk

LAYERS = (0, 2, 5)
TRAINED_TOKENS = 80
LISTS = 6
NEGATIVES = 3
CONTRASTS = 2
SHARES = {"snopes": 0.22, "debates": 0.12, "tweets": 0.30, "bodies": 0.16, "wordings": 0.20}
"""`wordings` are the claim and the title of one Snopes fact-check: the cleanest place to learn what an altered claim is."""


def pointwise(scores: Tensor) -> Tensor:
    """Cross-entropy of each pair alone; the answer counts as much as all the others together.

    Scores are (lists, candidates) with the answer first, and -inf where a list is shorter: so in all three losses.
    """
    real = torch.isfinite(scores)
    right = torch.zeros_like(scores)
    right[:, 0] = 1
    weight = torch.where(right > 0, (real.sum(dim=1, keepdim=True) - 1).float(), 1.0)
    return F.binary_cross_entropy_with_logits(scores[real], right[real], weight[real])


def pairwise(scores: Tensor) -> Tensor:
    """Logistic loss of the answer's lead over each other candidate."""
    lead = scores[:, :1] - scores[:, 1:]
    return F.softplus(-lead[torch.isfinite(lead)]).mean()


def listwise(scores: Tensor) -> Tensor:
    """Softmax over the list, the answer being right."""
    return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))


LOSSES: dict[str, Callable[[Tensor], Tensor]] = {"pointwise": pointwise, "pairwise": pairwise, "listwise": listwise}


@dataclass(frozen=True, slots=True)
class Source:
    """Pairs by source, and the names to swap with."""

    pairs: dict[str, list[Pair]]
    names: list[str]


def shorter(trunk: Trunk, layers: Sequence[int] = LAYERS, dropout: float = 0.1) -> Trunk:
    """Return a trunk made of some layers of another."""
    small = Trunk(len(layers), dropout, trunk.shape)
    state = trunk.state_dict()
    kept = {name: state[name] for name in small.state_dict() if not name.startswith("layers.")}
    for i, layer in enumerate(layers):
        kept |= {name.replace(f"layers.{layer}.", f"layers.{i}.", 1): t for name, t in state.items() if name.startswith(f"layers.{layer}.")}
    small.load_state_dict(kept)
    return small


def sources(pairs: Sequence[Pair]) -> Source:
    """Sort pairs by source and add the wordings of Snopes fact-checks that stand as negatives (so: none of a judged answer)."""
    by_source = {source: [pair for pair in pairs if pair.source == source] for source in SHARES}
    known = {views for pair in by_source["snopes"] for views in pair.negatives if len(views) == 3}
    by_source["wordings"] = [Pair("wordings", claim, (title,), claim) for _, title, claim in sorted(known)]
    return Source(by_source, names_in([pair.views[0] for pair in pairs]))


def candidates(pair: Pair, source: Source, rng: random.Random) -> list[tuple[str, str]]:
    """Return (query, wording) pairs, the true one first: then negatives, then contrast cases of either side."""
    query = pair.query if pair.source == "wordings" else add_noise(unpost(pair.query) or pair.query, rng, share=0.25)
    answer = pair.views[0] if rng.random() < 0.75 else rng.choice(pair.views)
    drawn = rng.sample(pair.negatives, min(NEGATIVES, len(pair.negatives)))
    others = [(query, views[0]) for views in drawn] or [
        (query, rng.choice(source.pairs["wordings"]).views[0]) for _ in range(NEGATIVES // 2)
    ]
    altered = [(case.text, answer) for case in alter(query, rng, source.names)]
    altered += [(query, case.text) for case in alter(answer, rng, source.names)]
    return [(query, answer), *others, *rng.sample(altered, min(CONTRASTS, len(altered)))]


def loss_of_lists(model: PairModel, lists: Sequence[Sequence[tuple[str, str]]], loss: Callable[[Tensor], Tensor]) -> Tensor:
    """Score all pairs of some lists at once and take the loss."""
    flat = model([pair for one in lists for pair in one])[:, 0]
    widest = max(len(one) for one in lists)
    scores = flat.new_full((len(lists), widest), -torch.inf)
    real = torch.tensor([[place < len(one) for place in range(widest)] for one in lists])
    scores[real] = flat
    return loss(scores)


def train_model(trunk: Trunk, source: Source, plan: loop.Plan, *, loss: str = "listwise", resume: bool = False) -> PairModel:
    """Train a reranker on `trunk` and return it."""
    model = PairModel(trunk, 1, TRAINED_TOKENS)

    def step(_: int, rng: random.Random) -> Tensor:
        drawn = rng.choices(list(SHARES), list(SHARES.values()), k=LISTS)
        lists = [candidates(rng.choice(source.pairs[one]), source, rng) for one in drawn]
        return loss_of_lists(model, lists, LOSSES[loss])

    loop.run(model, step, plan, resume=resume)
    return model


def train(data_root: Path, out: Path, *, encoder_training: Path, steps: int = 600, seed: int = 0, resume: bool = False) -> None:
    """Train on the encoder's pairs, from its trunk, and write the model folder."""
    from twicetold_lab.train.encoder import pairs_in, trained_trunk

    source = sources(pairs_in(encoder_training, data_root))
    trunk = shorter(trained_trunk(encoder_training))
    plan = loop.Plan(out / "training", steps, rate=1e-4, seed=seed, save_every=40)
    model = train_model(trunk, source, plan, resume=resume)
    model.export(out, {"name": "claim-reranker", "layers": len(LAYERS), "max_tokens": MAX_TOKENS})
