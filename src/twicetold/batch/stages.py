"""The stage that posts are asked: that of `match`, over a collection that sees many posts ahead."""

from __future__ import annotations

from twicetold.answering import answering
from twicetold.batch.foresight import foresee
from twicetold.batch.ledger import Screening
from twicetold.batch.quick import Snapshot, quick
from twicetold.collection import Collection
from twicetold.stage import Stage

QUICK = "quick"
"""The recipe that only screening has."""
DEPTH = 10
"""Candidates that `match` ranks; the decision looks at the first and the next."""


def asking(collection: Collection, screening: Screening) -> Stage:
    """Return the stage of the screening's recipe, decided at its risk where the recipe has a decision. Changes the collection's parts."""
    depth = max(screening.top, DEPTH)
    if screening.recipe == QUICK:
        return quick(collection, Snapshot(collection), depth=depth)
    before = foresee(collection)
    return answering(collection, screening.recipe, depth=depth, risk=screening.risk, before=before)
