"""Named pipelines: each is a function from a collection to a stage that anyone can read and copy."""

from __future__ import annotations

from collections.abc import Callable

from twicetold import find
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.rerank.best import best, ranksvm
from twicetold.rerank.context.debate import debate
from twicetold.rerank.crossencoder import CrossEncoder, rerank
from twicetold.rerank.mtm.recipe import mtm
from twicetold.stage import Stage, chain
from twicetold.weights import hybrid_weights

Recipe = Callable[..., Stage]


def bm25(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Words alone, over claim, title and body."""
    return find.by_words(collection, depth=depth, filters=filters)


def dense(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Meaning alone: cosines to claim and title."""
    return find.by_meaning(collection, depth=depth, filters=filters)


def hybrid(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Words, meaning and shared links in a weighted sum."""
    return find.everything(collection, hybrid_weights(), depth=depth, filters=filters)


def reranked(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """`hybrid`, its first twenty read once more, each together with the claim: slower, but it sees a "not" and another number."""
    return chain(hybrid(collection, depth=depth, filters=filters), rerank(CrossEncoder.load()))


RECIPES: dict[str, Recipe] = {
    "bm25": bm25,
    "dense": dense,
    "hybrid": hybrid,
    "reranked": reranked,
    "ranksvm": ranksvm,
    "best": best,
    "mtm": mtm,
    "debate": debate,
}
