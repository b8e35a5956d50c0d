"""The recipe `mtm`: what words and meaning find, reranked by the sentences that carry the match."""

from __future__ import annotations

from functools import cache

from twicetold import find
from twicetold.collection import Collection
from twicetold.rerank.mtm.model import Mtm
from twicetold.rerank.mtm.stages import FIRST, rerank
from twicetold.stage import Stage, chain, cut
from twicetold.store import Filters
from twicetold.weights import hybrid_weights

SHARE = 0.5
"""MTM's share in the order of the first candidates; the rest is the score they were found with."""


def mtm(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """The candidates of `hybrid`, the first 20 of them reranked by reading their key sentences, which come with the answer."""
    found = find.everything(collection, hybrid_weights(), depth=max(depth, FIRST), filters=filters)
    return chain(found, rerank(_model(), first=FIRST, share=SHARE), cut(depth))


@cache
def _model() -> Mtm:
    return Mtm.load()
