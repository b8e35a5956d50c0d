"""Fill and update the pattern memory bank.

It begins as the centres of residuals that are neither nearest to their claim (quotes) nor far from it, between the 25 % and the 50 %
quantile of distances; quantiles and centres come from training claims alone. After each epoch every pattern is moved towards the
residuals of key sentences that led to right answers and away from those that led to wrong ones (eqs 5-7). numpy; scikit-learn for the
centres.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twicetold.errors import BadData
from twicetold.rank.mtm.memory import Array

PATTERNS = 20
LOW, HIGH = 0.25, 0.5
STEP = 0.3
_TINY = 1e-8


def typical(residuals: Array) -> Array:
    """Keep the residuals (N, D) whose length lies strictly between the two quantiles."""
    lengths = np.sqrt((residuals**2).sum(axis=1))
    low, high = np.quantile(lengths, [LOW, HIGH])
    return residuals[(lengths > low) & (lengths < high)]


def centres(residuals: Array, *, count: int = PATTERNS, seed: int = 0) -> Array:
    """Return `count` K-means centres of the typical residuals: (count, D). Raises BadData if there are fewer residuals than centres."""
    from sklearn.cluster import KMeans

    kept = typical(residuals)
    if len(kept) < count:
        raise BadData(
            f"{len(kept)} residuals lie between the quantiles, too few for {count} patterns; train on more claims, or ask for fewer"
        )
    made = KMeans(count, n_init=10, max_iter=300, random_state=seed).fit(kept)
    return made.cluster_centers_.astype(np.float32)


def at_random(like: Array, *, seed: int = 0) -> Array:
    """Return random patterns, each as long as its counterpart in `like` (the ablation "random memory")."""
    drawn = np.random.default_rng(seed).normal(size=like.shape)
    lengths = np.linalg.norm(like, axis=1, keepdims=True) / np.linalg.norm(drawn, axis=1, keepdims=True)
    return (drawn * lengths).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Votes:
    """What one epoch says of each pattern: Σ w·r over its residuals, (K, D), and Σ w, (K,)."""

    total: Array
    weight: Array

    @classmethod
    def none(cls, patterns: Array) -> Votes:
        """No votes yet."""
        return cls(np.zeros_like(patterns), np.zeros(len(patterns), patterns.dtype))

    def add(self, pattern: Array, residuals: Array, weight: float) -> Votes:
        """Return the votes with these residuals (N, D), each for its pattern (N,), all of one weight."""
        total, weights = self.total.copy(), self.weight.copy()
        np.add.at(total, pattern, weight * residuals)
        np.add.at(weights, pattern, weight)
        return Votes(total, weights)


def updated(patterns: Array, right: Votes, wrong: Votes) -> Array:
    """Return the patterns (K, D) after one epoch.

        u_r, u_w = Σ w·r / Σ w over the right and the wrong residuals of a pattern m          (eq. 5; in print without the division)
        u = W_r / (W_r + W_w) · (u_r − m)  +  W_w / (W_r + W_w) · (m − u_w)                   (eq. 6)
        m ← m + 0.3 · |m| · u / |u|                                                           (eq. 7)

    W are the sums of weights. A side without residuals adds nothing; a pattern without any stays as it is.
    """
    both = right.weight + wrong.weight
    share = right.weight / np.maximum(both, _TINY)
    towards = _means(right) - patterns
    away = patterns - _means(wrong)
    has_right, has_wrong = (right.weight > 0)[:, None], (wrong.weight > 0)[:, None]
    move = share[:, None] * towards * has_right + (1 - share)[:, None] * away * has_wrong
    length = np.linalg.norm(move, axis=1, keepdims=True)
    size = np.linalg.norm(patterns, axis=1, keepdims=True)
    return (patterns + STEP * size * move / np.maximum(length, _TINY)).astype(patterns.dtype)


def _means(votes: Votes) -> Array:
    return votes.total / (votes.weight[:, None] + _TINY)
