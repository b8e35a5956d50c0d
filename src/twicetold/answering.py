"""The whole way from a claim to a decided answer: a recipe, twins as one case, and the lane each claim lands in."""

from __future__ import annotations

from functools import cache

from twicetold.collection import Collection
from twicetold.decide import Decider, check_risk, decide
from twicetold.filters import Filters
from twicetold.models import shipped
from twicetold.parts import in_parts
from twicetold.recipes import RECIPES
from twicetold.stage import Stage, chain
from twicetold.twins import as_cases, collapse

DECIDED = frozenset({"best"})
"""Recipes whose answers the shipped decision was calibrated on; the others answer with a ranking alone."""


def answering(
    collection: Collection,
    recipe: str,
    *,
    depth: int = 10,
    filters: Filters | None = None,
    risk: float = 0.05,
    before: Stage | None = None,
) -> Stage:
    """Answer by a recipe, with twins folded; where the recipe has a calibrated decision, decided at the tolerated error, part by part.

    `before` is asked ahead of the recipe, the claims as well as their parts.
    """
    check_risk(risk)
    stages = [before or list, RECIPES[recipe](collection, depth=depth, filters=filters), collapse(), as_cases(collection, filters=filters)]
    # The decision was calibrated with meanings among its signals, so words alone cannot be decided by it.
    if recipe in DECIDED and collection.vectors is not None:
        return in_parts(chain(*stages, decide(decider(), risk=risk)))
    return chain(*stages)


@cache
def decider() -> Decider:
    """The shipped decision."""
    return Decider.load(shipped("decide"))
