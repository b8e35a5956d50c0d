"""The recipes `ranksvm` and `best`: candidates from every way of searching, reranked by what was learnt from judged claims.

Both read their models from the package. `best` is a blend over all signals.
"""

from __future__ import annotations

from functools import cache

from twicetold import find
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.models import shipped
from twicetold.rank.agreement import compare_with_first
from twicetold.rank.blend import Blend, say_why
from twicetold.rank.ranksvm import RankSVM
from twicetold.rank.signals import rerank
from twicetold.rank.text_signals import text_signals
from twicetold.stage import Stage, chain, cut
from twicetold.weights import hybrid_weights

SCORES = ("bm25.claim", "bm25.title", "bm25.body", "dense.claim", "dense.title")
RANKSVM_SIGNALS = tuple(full for name in SCORES for full in (name, f"rr.{name}"))
"""Scores and reciprocal ranks, as in Shaar et al. 2020."""

BEST_SIGNALS = (
    *("share.claim", "share.title", "share.body", "share.best", "dense.claim", "dense.title", "dense.best", "link"),
    *("cover.claim", "cover.title", "numbers", "negation", "body.1", "body.2", "body.3", "lang", "length"),
)
"""No ranks: they mean something else in a collection of a hundred fact-checks than in one of a hundred thousand."""
FIRST = 20
"""How many candidates are looked at closely and reranked."""


def candidates(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Find in every way, with each score's reciprocal rank, and keep the best `depth` by the weights of `hybrid`."""
    return find.hybrid_search(collection, hybrid_weights(), pool=100, depth=depth, filters=filters, ranked_by=SCORES)


def seen_closely(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Give the candidates all signals that `best` learns from, but for the cross-encoder's."""
    return chain(find.hybrid_search(collection, hybrid_weights(), depth=depth, filters=filters), text_signals(collection, first=FIRST))


def ranksvm(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Words, meaning and their ranks, reranked by a kernel RankSVM. A collection without an encoder is answered as by `hybrid`."""
    if collection.vectors is None:
        return candidates(collection, depth=depth, filters=filters)
    return chain(candidates(collection, depth=max(depth, 100), filters=filters), rerank(_ranksvm()), cut(depth))


def best(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Our best for posts and claims: every signal, reranked by a blend, with what moved the first three.

    The blend was learnt with meanings, so a collection without an encoder is answered as by `hybrid`.
    """
    if collection.vectors is None:
        return candidates(collection, depth=depth, filters=filters)
    model = _blend()
    closely = seen_closely(collection, depth=max(depth, FIRST), filters=filters)
    return chain(closely, rerank(model, first=FIRST), say_why(model), compare_with_first(collection), cut(depth))


@cache
def _blend() -> Blend:
    return Blend.load(shipped("best"))


@cache
def _ranksvm() -> RankSVM:
    return RankSVM.load(shipped("ranksvm"))
