"""Intervals of a share: how far the truth may lie from what was counted."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def wilson(hits: Array | int, count: Array | int, *, z: float = 1.96) -> tuple[Any, Any]:
    """Return the bounds of Wilson's interval of a share (Wilson 1927), for one share or for many; of nothing, 0 and 1.

    >>> low, high = wilson(0, 10)   # z² / (n + z²)
    >>> float(low), round(float(high), 4) == round(1.96**2 / (10 + 1.96**2), 4)
    (0.0, True)
    """
    size = np.maximum(count, 1)
    share, square = hits / size, z * z / size
    middle, half = share + square / 2, np.sqrt(square * share * (1 - share) + square**2 / 4)
    low, high = np.maximum((middle - half) / (1 + square), 0.0), np.minimum((middle + half) / (1 + square), 1.0)
    return np.where(count, low, 0.0)[()], np.where(count, high, 1.0)[()]
