"""The signal `same`: how nearly a match says what the first match says, as the cosine of their claims or titles, the larger.

Several publishers check the same claim in other words. Whether a first match is right is told by its lead over what says something else,
so those that say the same must be known. Nothing here changes an order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from twicetold.collection import Collection
from twicetold.index.rows import FIELDS
from twicetold.stage import Stage
from twicetold.types import Ranking

NAME = "same"


def compare_with_first(collection: Collection) -> Stage:
    """Give each match `same`, 1 for the first itself. A collection without an encoder leaves the matches as they are."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_compared(collection, ranking) for ranking in rankings]

    return run


def _compared(collection: Collection, ranking: Ranking) -> Ranking:
    if not ranking.matches:
        return ranking
    first, *others = [match.doc.id for match in ranking.matches]
    cosines = [1.0, *nearness(collection, first, others)]
    matches = (
        dataclasses.replace(match, signals={**match.signals, NAME: cosine}) for match, cosine in zip(ranking.matches, cosines, strict=True)
    )
    return dataclasses.replace(ranking, matches=tuple(matches))


def nearness(collection: Collection, one: str, others: Sequence[str]) -> list[float]:
    """Return the cosine of each fact-check to one, by claims or titles, the larger; 0 for what is not in the index."""
    nums = collection.store.numbers([one, *others])
    if collection.vectors is None or one not in nums:
        return [0.0] * len(others)
    wanted = [nums[one], *(nums.get(id, 0) for id in others)]  # numbers are given from 1 on: 0 has no vector
    fields = [collection.vectors.vectors(field, wanted) for field in FIELDS]  # (N, D) each
    # Row by row, so that a cosine does not depend on the rows beside it.
    cosines = [np.einsum("nd,d->n", its, mine[0]) for mine in fields for its in fields]  # (N,) each
    return [float(cosine) for cosine in np.max(cosines, axis=0)[1:]]
