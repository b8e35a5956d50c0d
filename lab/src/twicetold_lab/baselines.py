"""The published baselines as recipes: BM25 over one field of the raw query, cosines of one field; and `reranked`, which the product had.

They take the query as it is written, where the product's recipes first turn a post into plain words, and they return fact-checks by id
only: a table of a paper ranks a thousand documents for each query, and their bodies are of no use to a measure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from twicetold.answer import HYBRID, RECIPES, Asking, Recipe
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.index.text import Field
from twicetold.stage import Stage, chain
from twicetold.types import Claim, FactCheck, Match, Question, Ranking, natural
from twicetold_lab.crossencoder import CrossEncoder, rerank

Scores = Sequence[tuple[int, float]]


def bm25(field: Field) -> Recipe:
    """BM25 over one field."""

    def build(collection: Collection, asking: Asking) -> Stage:
        allowed = None if asking.filters == Filters() else collection.store.allowed(asking.filters)

        def find(query: Claim | Question) -> Scores:
            return collection.text.search(field, query.text, query.lang or "en", depth=asking.reach, allowed=allowed)

        return _finder(collection, find)

    return Recipe(f"bm25.{field}", build)


def dense(field: Field) -> Recipe:
    """Cosine of the query to one field, over all fact-checks."""

    def build(collection: Collection, asking: Asking) -> Stage:
        encoder, vectors = collection.encoder, collection.vectors
        assert encoder is not None, "a collection without an encoder has no meanings to compare"
        assert vectors is not None
        nums = [num for num, _, check in collection.store.since(0) if check is not None]
        nums = nums if asking.filters == Filters() else collection.store.allowed(asking.filters)

        def find(query: Claim | Question) -> Scores:
            cosines = vectors.score(encoder.encode([query.text])[0], nums)[field]  # type: ignore[index]
            best = np.argsort(-cosines, kind="stable")[: asking.reach]
            return [(nums[i], float(cosines[i])) for i in best.tolist()]

        return _finder(collection, find)

    return Recipe(f"dense.{field}", build)


def _finder(collection: Collection, find: Callable[[Claim | Question], Scores]) -> Stage:
    checks = {num: FactCheck(check.id) for num, _, check in collection.store.since(0) if check is not None}
    # Natural order is costly to compare, and the same for every query: each number's place in it is found once.
    place = {num: at for at, num in enumerate(sorted(checks, key=lambda num: natural(checks[num].id)))}

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_answer(asked.query) for asked in rankings]

    def _answer(query: Claim | Question) -> Ranking:
        best = sorted(find(query), key=lambda found: (-found[1], place[found[0]]))
        return Ranking(query, tuple(Match(checks[num], score) for num, score in best))

    return run


def _reranked(collection: Collection, asking: Asking) -> Stage:
    """`hybrid`, its first twenty read once more, each together with the claim."""
    return chain(HYBRID.build(collection, asking), rerank(CrossEncoder.load()))


BASELINES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (bm25("claim"), bm25("title"), bm25("body"), dense("claim"), dense("title"), Recipe("reranked", _reranked))
}

ALL_RECIPES: dict[str, Recipe] = {**RECIPES, **BASELINES}
"""Everything `eval` can run."""

WORDS_ONLY = frozenset({"bm25", "bm25.claim", "bm25.title", "bm25.body"})
"""Recipes that need no encoder, so that their collections are made without one."""
