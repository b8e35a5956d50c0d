"""The recipes `ranksvm` and `best`: candidates from every way of searching, reranked by what was learnt from judged claims.

Both read their models from the package. `best` is a blend over all signals, the cross-encoder's among them where it is installed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from twicetold import find
from twicetold.collection import Collection
from twicetold.models import shipped
from twicetold.rerank.blend import Blend, say_why
from twicetold.rerank.closer import look_closer
from twicetold.rerank.crossencoder import CrossEncoder, score_pairs
from twicetold.rerank.ranksvm import RankSVM
from twicetold.rerank.signals import rerank
from twicetold.stage import Stage, chain, cut
from twicetold.store import Filters
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
"""How many candidates are looked at closely and reranked; the cross-encoder's time is in proportion."""


def candidates(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Find in every way, with each score's reciprocal rank, and keep the best `depth` by the weights of `hybrid`."""
    return find.everything(collection, hybrid_weights(), pool=100, depth=depth, filters=filters, ranked_by=SCORES)


def seen_closely(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Give the candidates all signals that `best` learns from."""
    stages = [find.everything(collection, hybrid_weights(), depth=depth, filters=filters), look_closer(collection, first=FIRST)]
    if has_cross():
        stages.append(score_pairs(_cross(), depth=FIRST))
    return chain(*stages)


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
    return chain(closely, rerank(model, first=FIRST), say_why(model), cut(depth))


def has_cross() -> bool:
    """True if a cross-encoder is installed and the blend was trained with it."""
    return (shipped("reranker") / "model.onnx").is_file() and "cross" in _blend_signals()


@cache
def _blend_signals() -> frozenset[str]:
    return frozenset(_blend().names) if (_best_folder() / "blend.json").is_file() else frozenset(["cross"])


@cache
def _blend() -> Blend:
    return Blend.load(_best_folder())


@cache
def _ranksvm() -> RankSVM:
    return RankSVM.load(shipped("ranksvm"))


@cache
def _cross() -> CrossEncoder:
    return CrossEncoder.load()


def _best_folder() -> Path:
    return shipped("best")
