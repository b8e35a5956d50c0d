"""From claims to rankings, exactly as `twicetold match` answers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from twicetold.answering import answering
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.explain import explained
from twicetold.filters import Filters
from twicetold.recipes import RECIPES
from twicetold.stage import ask, chain, cut
from twicetold.types import SCHEMA, Claim, Ranking, to_json

QUICK = "hybrid"
"""The recipe for what is asked often or at length; `best` takes some ten times as long."""
MOST_CHARS = 20_000
MOST_TOP = 100


@dataclass(frozen=True, slots=True)
class Asking:
    """How to answer: how many fact-checks, by which recipe, from which ones, and the error tolerated where the recipe decides."""

    top: int = 5
    recipe: str = "best"
    filters: Filters = field(default_factory=Filters)
    risk: float = 0.05


def answer(collection: Collection, claims: Sequence[Claim], asking: Asking) -> list[Ranking]:
    """Return the ranking of each claim, with key sentences. Raises BadInput for a recipe that does not exist."""
    if asking.recipe not in RECIPES:
        raise BadInput(f"there is no recipe {asking.recipe!r}; choose one of {', '.join(RECIPES)}")
    find = answering(collection, asking.recipe, depth=max(asking.top, 10), filters=asking.filters, risk=asking.risk)
    return ask(chain(find, cut(asking.top), explained(collection, first=asking.top)), claims)


def ranking_json(ranking: Ranking) -> dict[str, Any]:
    """Return the JSON form of a ranking, as the command line prints it."""
    return {"schema": SCHEMA, **to_json(ranking)}
