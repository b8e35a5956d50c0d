"""How the constants of mining were chosen: on RumourEval's training threads and the demo posts, never on the test threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from twicetold.mine.retrieve import by_both
from twicetold.mine.statements import statement
from twicetold.posts import Posts
from twicetold.stage import ask
from twicetold.types import Claim
from twicetold_lab.datasets.mythqa import Contested
from twicetold_lab.mining.benchmark import Benchmark

GRID = {"share.context": (0.0, 1.0, 1.4, 2.0), "dense.text": (0.0, 0.2, 0.4, 0.6)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A post found for a claim: its retrieval signals, whether it is about the claim, and on which side it is evidence ("" for none)."""

    signals: Mapping[str, float]
    is_about: bool
    side: str


def candidates(posts: Posts, questions: Sequence[Contested], *, depth: int = 1000) -> Iterator[list[Candidate]]:
    """Yield the posts found for every claim of the questions; a reply is about what its thread's first post is about."""
    for question in questions:
        for answer in question.answers[:1] if question.kind == "yes-no" else question.answers:
            claim = statement(question.question.text, answer.text)
            [ranking] = ask(by_both(posts, depth=depth), [Claim("c", claim, lang="en")])
            side = dict.fromkeys(answer.supporting, "supporting") | dict.fromkeys(answer.refuting, "refuting")
            known = {*answer.supporting, *answer.refuting, *answer.neutral}
            yield [Candidate(match.signals, match.doc.id in known, side.get(match.doc.id, "")) for match in ranking.matches]


def fit_about(sets: Sequence[tuple[Posts, Benchmark]]) -> dict[str, float]:
    """Fit how likely a post is about a claim, from `near` (the larger share) and `dense.text`; every set counts the same."""
    from sklearn.linear_model import LogisticRegression

    rows: list[tuple[float, float]] = []
    labels: list[bool] = []
    weights: list[float] = []
    for posts, benchmark in sets:
        found = [one for some in candidates(posts, benchmark.questions) for one in some]
        rows += [(max(c.signals["share.text"], c.signals["share.context"]), c.signals.get("dense.text", 0.0)) for c in found]
        labels += [candidate.is_about for candidate in found]
        weights += [1000 / len(found)] * len(found)
    model: Any = LogisticRegression(C=10, max_iter=1000).fit(np.array(rows), labels, sample_weight=weights)
    near, dense = model.coef_[0]
    return {"bias": float(model.intercept_[0]), "near": float(near), "dense.text": float(dense)}


def weigh_signals(sets: Sequence[tuple[Posts, Benchmark]], *, k: int = 30) -> list[tuple[dict[str, float], list[float]]]:
    """Return, for every choice of weights, the share of the evidence of either side found among the first `k` posts, set by set."""
    found = [list(candidates(posts, benchmark.questions)) for posts, benchmark in sets]
    table = []
    for context, dense in product(GRID["share.context"], GRID["dense.text"]):
        weights = {"share.text": 1.0, "share.context": context, "dense.text": dense}
        table.append((weights, [float(np.mean([_recall(some, weights, k) for some in one])) for one in found]))
    return table


def _recall(found: Sequence[Candidate], weights: Mapping[str, float], k: int) -> float:
    """Mean over the two sides of the share of a side's posts that stand among the first k; both count the same."""
    ordered = sorted(found, key=lambda c: -sum(weight * c.signals.get(name, 0.0) for name, weight in weights.items()))
    shares = []
    for side in ("supporting", "refuting"):
        total = sum(candidate.side == side for candidate in found)
        if total:
            shares.append(sum(candidate.side == side for candidate in ordered[:k]) / total)
    return float(np.mean(shares)) if shares else 1.0
