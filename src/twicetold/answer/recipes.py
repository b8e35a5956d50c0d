"""Named pipelines that find and rank: each is a function from a collection to a stage that anyone can read and copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twicetold import find
from twicetold.answer.asking import Asking
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.filters import Filters
from twicetold.rank.best import best, ranksvm
from twicetold.rank.context.debate import debate
from twicetold.rank.mtm.recipe import mtm
from twicetold.stage import Stage
from twicetold.weights import hybrid_weights


@dataclass(frozen=True, slots=True)
class Recipe:
    """A pipeline with a name. `build` gives the stage that finds and ranks.

    The answers of a `judged` recipe are read pair by pair and decided; those of the others are an order and no more: their `decision` is
    None. One that `decides` brings its own calibrated chance with the ranking, which no other decision replaces.
    """

    name: str
    build: Callable[[Collection, Asking], Stage]
    judged: bool = False
    decides: bool = False

    def stage(self, collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
        """Return the stage that finds and ranks `depth` candidates, without what an `Answerer` does after it."""
        return self.build(collection, Asking(top=depth, depth=depth, filters=filters or Filters()))


def _bm25(collection: Collection, asking: Asking) -> Stage:
    """Words alone, over claim, title and body."""
    return find.by_words(collection, depth=asking.reach, filters=asking.filters)


def _dense(collection: Collection, asking: Asking) -> Stage:
    """Meaning alone: cosines to claim and title."""
    return find.by_meaning(collection, depth=asking.reach, filters=asking.filters)


def _hybrid(collection: Collection, asking: Asking) -> Stage:
    """Words, meaning and shared links in a weighted sum."""
    return find.hybrid_search(collection, hybrid_weights(), depth=asking.reach, filters=asking.filters)


def _ranksvm(collection: Collection, asking: Asking) -> Stage:
    return ranksvm(collection, depth=asking.reach, filters=asking.filters)


def _best(collection: Collection, asking: Asking) -> Stage:
    return best(collection, depth=asking.reach, filters=asking.filters)


def _mtm(collection: Collection, asking: Asking) -> Stage:
    return mtm(collection, depth=asking.reach, filters=asking.filters)


def _debate(collection: Collection, asking: Asking) -> Stage:
    return debate(collection, depth=asking.reach, filters=asking.filters, resolve=asking.context)


HYBRID = Recipe("hybrid", _hybrid)
"""For what is asked often or at length; `best` takes some ten times as long."""
BEST = Recipe("best", _best, judged=True)
DEBATE = Recipe("debate", _debate, judged=True, decides=True)
"""For lines of speeches, with what is said around them."""

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("bm25", _bm25),
        Recipe("dense", _dense),
        HYBRID,
        Recipe("ranksvm", _ranksvm),
        BEST,
        Recipe("mtm", _mtm),
        DEBATE,
    )
}


def recipe_named(name: str) -> Recipe:
    """Return a recipe by its name. Raises BadInput, naming them all, if there is none."""
    if name not in RECIPES:
        raise BadInput(f"there is no recipe {name!r:.80}; choose one of {', '.join(RECIPES)}")
    return RECIPES[name]
