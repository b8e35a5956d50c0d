"""Intervals of a share: how far the truth may lie from what was counted."""

from __future__ import annotations


def wilson(hits: int, count: int, *, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share (Wilson 1927).

    >>> low, high = wilson(0, 10)   # z² / (n + z²)
    >>> low, round(high, 4) == round(1.96**2 / (10 + 1.96**2), 4)
    (0.0, True)
    """
    if not count:
        return 0.0, 1.0
    share, square = hits / count, z * z / count
    middle, half = share + square / 2, (square * share * (1 - share) + square**2 / 4) ** 0.5
    return max((middle - half) / (1 + square), 0.0), min((middle + half) / (1 + square), 1.0)
