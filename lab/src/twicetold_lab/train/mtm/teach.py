"""The training loop of ARP: as many right as wrong candidates, the memory moved after each epoch, the best state by dev MRR kept."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from twicetold_lab.mtm.candidates import Asked
from twicetold_lab.train import loop
from twicetold_lab.train.mtm.arp import Arp
from twicetold_lab.train.mtm.encoded import Source

BEST = "best.pt"
_UNREAD = -1e9
"""The log-odds of an article without a sentence."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is learnt: articles a step, candidates of a claim that wrong ones are drawn from, steps of an epoch, rate.

    All but the last `tuned` layers stay as they are: the first is ROT's.
    """

    batch: int = 16
    candidates: int = 10
    epoch: int = 50
    rate: float = 1e-4
    tuned: int = 2


@dataclass(frozen=True, slots=True)
class Drawn:
    """A claim, one of its candidates, and whether it is right."""

    claim: str
    article: str
    is_right: bool


@dataclass(frozen=True)
class Lists:
    """Each claim's right and wrong candidates that have a sentence; claims without either are left out."""

    rows: list[tuple[str, list[str], list[str]]] = field(default_factory=list)

    @classmethod
    def of(cls, asked: Sequence[Asked], source: Source, candidates: int) -> Lists:
        """Read the lists; wrong ones are among the first `candidates`."""
        rows = []
        for one in asked:
            readable = [doc for doc in one.candidates if source.encoded.articles[doc]]
            right = [doc for doc in readable if doc in one.right]
            wrong = [doc for doc in readable[:candidates] if doc not in one.right]
            if right and wrong and source.encoded.claims[one.id]:
                rows.append((one.id, right, wrong))
        return cls(rows)

    def draw(self, rng: random.Random, size: int) -> list[Drawn]:
        """Draw pairs, right and wrong in turn: the same as weighing each class by 1 / its size."""
        drawn = []
        for number in range(size):
            claim, right, wrong = rng.choice(self.rows)
            is_right = number % 2 == 0
            drawn.append(Drawn(claim, rng.choice(right if is_right else wrong), is_right))
        return drawn


@dataclass(frozen=True, slots=True)
class Dev:
    """Claims to choose the best state by."""

    asked: Sequence[Asked]
    source: Source


def begin(arp: Arp, lists: Lists, source: Source, *, most: int = 300, seed: int = 0) -> None:
    """Balance what is known without learning by logistic regression on some training claims; nothing for other variants.

    Numbers are compared within a claim's candidates, since these are what is to be ordered; how certain that makes of a single article
    is fitted afterwards, to as many right as wrong ones.
    """
    from sklearn.linear_model import LogisticRegression

    if not arp.variant.compared:
        return
    apart, plain, is_right = [], [], []
    for claim, right, wrong in random.Random(seed).sample(lists.rows, min(most, len(lists.rows))):
        asked = [(claim, article) for article in (*right, *wrong)]
        known = source.known(asked, [arp.nearest(*pair, source) for pair in asked]).astype(np.float64)  # (N, 5)
        apart.append(known - known.mean(axis=0))
        plain.append(known)
        is_right += [True] * len(right) + [False] * len(wrong)
    within, numbers = np.concatenate(apart), np.concatenate(plain)
    spread = within.std(axis=0) + 1e-6
    weights = LogisticRegression(class_weight="balanced").fit(within / spread, is_right).coef_[0] / spread  # (5,)
    certain = LogisticRegression(class_weight="balanced").fit((numbers @ weights)[:, None], is_right)
    with torch.no_grad():
        arp.balance.weight.copy_(torch.tensor(weights * certain.coef_[0, 0])[None])
        arp.balance.bias.copy_(torch.tensor(certain.intercept_))


def teach(arp: Arp, lists: Lists, dev: Dev, plan: loop.Plan, budget: Budget, *, resume: bool = False) -> float:
    """Train in place and leave the state with the best dev MRR in it; returns that MRR.

    The votes for the patterns are the predictions of the epoch's own steps: another pass over the training pairs, as published,
    would cost a third of the time.
    """
    best = Best(plan.folder / BEST, is_new=not resume)
    if best.score < 0:
        sys.stderr.write(f"before the first step: dev MRR {best.offer(arp, mrr(arp, dev)):.4f}\n")

    def step(number: int, rng: random.Random) -> Tensor:
        if number and number % budget.epoch == 0:
            _end_epoch(arp, dev, best, number)
        drawn = lists.draw(rng, budget.batch)
        logits, chosen = arp([(one.claim, one.article) for one in drawn], dev.source)
        labels = torch.tensor([int(one.is_right) for one in drawn])
        chances = logits.detach().softmax(1)[torch.arange(len(drawn)), labels].tolist()
        if arp.variant.memory:
            for one, keys, chance in zip(drawn, chosen, chances, strict=True):
                arp.vote(dev.source.vectors.residuals(one.claim, one.article), keys, chance)
        return F.cross_entropy(logits, labels)

    loop.run(arp, step, plan, resume=resume)
    _end_epoch(arp, dev, best, plan.steps)
    return best.restore(arp)


def _end_epoch(arp: Arp, dev: Dev, best: Best, step: int) -> None:
    """Validate before and after the memory moves, as published; keep whichever is better."""
    before = best.offer(arp, mrr(arp, dev))
    moved = arp.end_epoch()
    after = best.offer(arp, mrr(arp, dev)) if moved else before
    sys.stderr.write(f"step {step}: dev MRR {before:.4f}, after the patterns moved by {moved:.4f}: {after:.4f}\n")


class Best:
    """The best state so far, on disk with its dev MRR."""

    def __init__(self, file: Path, *, is_new: bool) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        if is_new:
            file.unlink(missing_ok=True)
        self.score = float(torch.load(file, weights_only=True)["mrr"]) if file.exists() else -1.0

    def offer(self, arp: Arp, score: float) -> float:
        """Keep this state if it is better; returns the score."""
        if score > self.score:
            self.score = score
            torch.save({"mrr": score, "model": arp.state_dict()}, self._file)
        return score

    def restore(self, arp: Arp) -> float:
        """Put the best state into the model."""
        arp.load_state_dict(torch.load(self._file, weights_only=True)["model"])
        arp.eval()
        return self.score


def settle(arp: Arp, asked: Sequence[Asked], source: Source) -> None:
    """Shift the log-odds so that even odds are even among all candidates of a claim, of which few are right; no order changes.

    Right and wrong were drawn equally in training. Nothing for variants whose log-odds have no shift.
    """
    from sklearn.linear_model import LogisticRegression

    if not arp.variant.compared:
        return
    rows = [(score, doc in one.right) for one in asked for doc, score in zip(one.candidates, scores(arp, one, source), strict=True)]
    said, is_right = zip(*[row for row in rows if row[0] > _UNREAD], strict=True)
    fitted = LogisticRegression().fit(np.array(said)[:, None], is_right)
    with torch.no_grad():
        arp.balance.bias += float(fitted.intercept_[0] / fitted.coef_[0, 0])


def scores(arp: Arp, asked: Asked, source: Source) -> list[float]:
    """Return log-odds of each candidate; those without a sentence come last."""
    readable = [doc for doc in asked.candidates if source.encoded.articles[doc]]
    was_training = arp.training
    arp.eval()
    with torch.no_grad():
        logits = torch.cat([arp([(asked.id, doc) for doc in readable[i : i + 8]], source)[0] for i in range(0, len(readable), 8)])
    arp.train(was_training)
    found = dict(zip(readable, (logits[:, 1] - logits[:, 0]).tolist(), strict=True))
    return [found.get(doc, _UNREAD) for doc in asked.candidates]


def mrr(arp: Arp, dev: Dev) -> float:
    """Mean reciprocal rank of the first right candidate, over the dev claims; ties count against it."""
    total = 0.0
    for one in dev.asked:
        said = scores(arp, one, dev.source)
        best = max(score for doc, score in zip(one.candidates, said, strict=True) if doc in one.right)
        total += 1 / sum(score >= best for score in said)
    return total / len(dev.asked)
