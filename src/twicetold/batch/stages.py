"""What posts are asked: an answerer as everywhere, over a collection that sees many posts ahead."""

from __future__ import annotations

import dataclasses

from twicetold.answer import Answerer, Asking, Recipe, recipe_named
from twicetold.batch.ledger import Screening
from twicetold.batch.prefetch import prefetching
from twicetold.batch.quick import Snapshot, quick
from twicetold.collection import Collection
from twicetold.stage import Stage


def _quick(collection: Collection, asking: Asking) -> Stage:
    return quick(collection, Snapshot(collection), depth=asking.reach)


QUICK = Recipe("quick", _quick)
"""The recipe that only screening has. It sees the collection as it was when it was built."""


def answering(collection: Collection, screening: Screening) -> Answerer:
    """Return the answerer of the screening's recipe and risk, without explanations."""
    asking = Asking(top=screening.top, risk=screening.risk, keys=0)
    if screening.recipe == QUICK.name:
        return Answerer(collection, QUICK, asking)
    return Answerer(collection, recipe_named(screening.recipe), dataclasses.replace(asking, before=prefetching(collection)))
