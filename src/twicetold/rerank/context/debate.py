"""The debate recipe: candidates found in context, ranked by a model over all their signals, with the chance that the first is right.

Without a trained model (`models/debate`) a weighted sum stands in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from twicetold.collection import Collection
from twicetold.rerank.context.finder import Finder, Resolve, Scope
from twicetold.rerank.context.probe import Array
from twicetold.stage import Stage
from twicetold.store import Filters

PLAIN: Mapping[str, float] = {
    "share.claim": 1.0,
    "share.title": 1.0,
    "share.body": 1.5,
    "dense.claim": 1.0,
    "dense.title": 1.0,
    "around.share.claim": 0.5,
    "around.share.body": 0.7,
    "around.dense.claim": 0.5,
    "around.dense.title": 0.5,
    "speaker.same": 0.2,
}
"""A sum set by hand for collections and languages the trained model does not know."""


def weighted(signals: Mapping[str, Array]) -> Array:
    """Score candidates by the plain sum; a signal that is absent counts as 0."""
    some = next(iter(signals.values()))
    total: Array = np.zeros(len(some), np.float32)
    for name, weight in PLAIN.items():
        if name in signals:
            total = total + np.float32(weight) * signals[name]
    return total


def debate(collection: Collection, *, depth: int = 100, filters: Filters | None = None, resolve: Resolve | None = None) -> Stage:
    """Return the stage of the recipe `debate`."""
    return Finder(collection, weighted, scope=Scope(), resolve=resolve).stage(depth=depth, filters=filters)
