"""The debate recipe: candidates found in context, ranked by a model over all their signals, with the chance that the first is right.

Without a trained model (`models/debate`) a weighted sum stands in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.models import shipped
from twicetold.rank.context.finder import Finder, Resolve, Scope
from twicetold.rank.context.model import DebateModel
from twicetold.rank.context.people import People
from twicetold.rank.context.probe import Array
from twicetold.rank.coref.features import KeptWords
from twicetold.rank.coref.ranker import Ranker
from twicetold.rank.coref.resolution import Resolver
from twicetold.rank.coref.speech import SpeechResolver
from twicetold.stage import Stage, chain, cut
from twicetold.types import Ranking

PLAIN: Mapping[str, float] = {
    "share.claim": 1.0,
    "share.title": 1.0,
    "share.body": 1.5,
    "dense.claim": 1.0,
    "dense.title": 1.0,
    "around.share.claim": 0.5,
    "around.share.body": 0.7,
    "around.dense.claim": 0.5,
    "around.dense.title": 0.5,
    "speaker.same": 0.2,
}
"""A sum set by hand for collections and languages the trained model does not know."""


SCOPE = Scope(views=("around", "resolved"))
"""Single lines around a claim find nothing that they do not find together: on held-out debates they only cost time."""


def weighted(signals: Mapping[str, Array]) -> Array:
    """Score candidates by the plain sum; a signal that is absent counts as 0."""
    some = next(iter(signals.values()))
    total: Array = np.zeros(len(some), np.float32)
    for name, weight in PLAIN.items():
        if name in signals:
            total = total + np.float32(weight) * signals[name]
    return total


def debate(collection: Collection, *, depth: int = 100, filters: Filters | None = None, resolve: Resolver | None = None) -> Stage:
    """Return the stage of the recipe `debate`: with the shipped model each ranking comes decided, without it by the plain sum.

    `resolve` takes the place of the shipped co-reference.
    """
    model = shipped_model()
    rank = weighted if model is None else model.score
    texts = resolved_text(collection) if resolve is None else lambda claim: resolve(claim.context).text or claim.text
    # A lead over the second needs one, however few are wanted.
    found = Finder(collection, rank, scope=SCOPE, resolve=texts).stage(depth=max(depth, 2), filters=filters)
    if model is None:
        return chain(found, cut(depth))

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [model.decided(ranking) for ranking in found(rankings)]

    return chain(run, cut(depth))


@cache
def shipped_model() -> DebateModel | None:
    """Return the shipped model, None where there is none."""
    folder = shipped("debate")
    return DebateModel.load(folder) if folder.is_dir() else None


def speech_resolver(collection: Collection) -> SpeechResolver:
    """Return a resolver of pronouns that knows the people this collection has checked."""
    return SpeechResolver(KeptWords(collection.static), People(collection).person, ranker=coref_ranker())


@cache
def coref_ranker() -> Ranker | None:
    """Return the shipped mention ranker, None where there is none."""
    folder = shipped("coref")
    return Ranker.load(folder) if folder.is_dir() else None


def resolved_text(collection: Collection) -> Resolve:
    """Return a function that gives a claim's text with its pronouns resolved; the text itself where nothing is to be replaced."""
    resolver = speech_resolver(collection)
    return lambda claim: resolver(claim.context, claim.said_on).text or claim.text
