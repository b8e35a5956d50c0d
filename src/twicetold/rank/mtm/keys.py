"""Choose key sentences: near to the claim (they quote it), or differing from it in a known way (they debunk it)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twicetold.rank.mtm.memory import Array, nearest

CLAIM_SHARE, PATTERN_SHARE = 0.6, 0.4
KEYS = 3
_TINY = 1e-8


@dataclass(frozen=True, slots=True)
class Chosen:
    """The key sentences of one article, best first: all arrays are (k,).

    `near_claim` and `near_pattern` lie between 0 (the farthest sentence of the article) and 1 (the nearest); `score` is their weighted
    sum, `weight` its share among the chosen. `pattern` is the number of the nearest pattern, -1 without a memory.
    """

    place: Array
    score: Array
    near_claim: Array
    near_pattern: Array
    pattern: Array
    weight: Array

    def first(self, most: int) -> Chosen:
        """The best of these, as if no more had been chosen."""
        return self.only(range(min(most, len(self.place))))

    def only(self, which: Sequence[int]) -> Chosen:
        """Some of these, as if no more had been chosen."""
        wanted = np.array(which, np.intp)
        place, score, near_claim, near_pattern, pattern, weight = (getattr(self, name)[wanted] for name in self.__slots__)
        return Chosen(place, score, near_claim, near_pattern, pattern, weight / (weight.sum() + _TINY))


def nearness(distances: Array) -> Array:
    """Scale distances within one article: the nearest sentence is 1, the farthest 0; all are 1 if they are equally far.

    >>> nearness(np.array([3.0, 1.0, 2.0])).round(6).tolist()
    [0.0, 1.0, 0.5]
    """
    exact = distances.astype(np.float64)  # in single precision .6 + .4 is more than 1
    return np.asarray(1 - (exact - exact.min()) / (np.ptp(exact) + _TINY))


def choose(residuals: Array, patterns: Array | None, *, quoted: Array | None = None, most: int = KEYS, is_weighted: bool = True) -> Chosen:
    """Choose the `most` best of an article's sentences by their residuals (N, D); equal scores go to the earlier sentence.

    Without patterns nearness to the claim decides alone. `quoted` (N,) counts the claim's words that each sentence holds; it then makes
    half of the nearness to the claim. Not `is_weighted`: each of the chosen weighs the same.
    """
    near_claim = nearness(np.sqrt((residuals**2).sum(axis=1))) if len(residuals) else np.zeros(0)
    if quoted is not None and len(residuals):
        near_claim = (near_claim + nearness(-np.asarray(quoted))) / 2
    near_pattern, pattern, score = np.zeros(len(residuals)), np.full(len(residuals), -1), near_claim
    if patterns is not None and len(residuals):
        found = nearest(patterns, residuals)
        near_pattern, pattern = nearness(found.distance), found.pattern
        score = CLAIM_SHARE * near_claim + PATTERN_SHARE * near_pattern
    place = np.argsort(-score, kind="stable")[:most]
    weight = score[place] / (score[place].sum() + _TINY) if is_weighted else np.full(len(place), 1 / max(len(place), 1))
    return Chosen(place, score[place], near_claim[place], near_pattern[place], pattern[place], weight)
