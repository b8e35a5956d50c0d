"""Dense retrieval by one encoder, and bootstrap intervals for any per-query value.

Only what the trainings report of themselves; whole pipelines are judged by the lab.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twicetold.text import unpost
from twicetold_lab.datasets import Dataset
from twicetold_lab.measures.formulas import average_precision_of_ranks
from twicetold_lab.train.pairs import Vectoriser, group_of, views

Array = np.ndarray[Any, Any]


def dense_precisions(encoder: Vectoriser, dataset: Dataset, *, depth: int = 5) -> dict[str, float]:
    """Return each query's average precision at `depth` when the corpus is ranked by cosine alone.

    A fact-check is known by its title and claim (or opening). Twins count as one: the first of a group stands for all of it, and is
    relevant if any of them is; so a copy that was not judged costs nothing.
    """
    checks = list(dataset.checks())
    groups = [group_of(check) for check in checks]
    table = encoder.encode([views(check)[0] for check in checks])  # (N, D)
    asked = encoder.encode([unpost(claim.text) or claim.text for claim in dataset.claims])  # (B, D)
    by_id = {check.id: group for check, group in zip(checks, groups, strict=True)}
    found = {}
    for claim, vector in zip(dataset.claims, asked, strict=True):
        wanted = {by_id[doc] for doc, grade in dataset.qrels.get(claim.id, {}).items() if grade > 0}
        found[claim.id] = precision_of_first(_first_groups(table @ vector, groups, depth), wanted, depth)
    return found


def _first_groups(scores: Array, groups: Sequence[str], depth: int) -> list[str]:
    top = np.argsort(-scores, kind="stable")[: depth * 10]
    return list(dict.fromkeys(groups[i] for i in top))[:depth]


def precision_of_first(ranked: Sequence[str], wanted: set[str], depth: int) -> float:
    """Return the average precision of the first `depth`, divided by the number of right answers, at most `depth`."""
    ranks = 1 + np.flatnonzero([one in wanted for one in ranked[:depth]])
    return average_precision_of_ranks(ranks, min(len(wanted), depth))


def interval(values: Sequence[float], *, draws: int = 2000, seed: int = 0, of: Callable[[Array], float] | None = None) -> list[float]:
    """Return the mean (or `of`) and its 95 % bootstrap interval over queries."""
    array = np.asarray(values, float)
    rng = np.random.default_rng(seed)
    mean = of or (lambda sample: float(sample.mean()))
    drawn = sorted(mean(array[rng.integers(0, len(array), len(array))]) for _ in range(draws))
    return [round(v, 4) for v in (mean(array), drawn[int(0.025 * draws)], drawn[int(0.975 * draws)])]


def difference(ours: Mapping[str, float], base: Mapping[str, float]) -> list[float]:
    """Return the mean gain over the same queries and its 95 % bootstrap interval."""
    return interval([ours[id] - base[id] for id in base])
