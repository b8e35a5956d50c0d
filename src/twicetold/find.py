"""First stages: find candidate fact-checks by words, by meaning, by shared links, and all of these together.

Every candidate of `hybrid_search` carries every signal, whichever way it was found: BM25 by field (`bm25.claim`, `bm25.title`,
`bm25.body`), the share of the claim's weight of words found there (`share.…`), cosines (`dense.claim`, `dense.title`), the largest of
each kind (`share.best`, `dense.best`) and `link`. Reranking beyond a weighted sum is not done here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from twicetold.collection import Collection
from twicetold.filters import Allowed, Filters
from twicetold.index.query_vectors import Vector
from twicetold.index.text import FIELDS, Field
from twicetold.links import links_in
from twicetold.stage import Stage
from twicetold.text import language, unpost, words
from twicetold.types import Claim, Match, Question, Ranking, Reason, ReasonKind, ranked

_SPARE = 50
"""Candidates taken beyond the depth asked for, so that ties at the cut are decided by id and not by the order of indexing."""

_TOO_COMMON = 0.25
"""A word that stands in a larger share of the bodies than this says little of what a sentence is about."""

_LEAST_POOL = 20

Signals = dict[int, dict[str, float]]
"""By fact-check number: every signal known of it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Query:
    """A claim made ready to be searched: plain words, their language, and the links it names."""

    text: str
    lang: str
    links: tuple[str, ...]


def prepare(asked: Claim | Question) -> Query:
    """Clean the text of a claim or question and name its language; English when there is too little to tell."""
    text = unpost(asked.text) or asked.text
    links = links_in(asked.text) + (asked.links if isinstance(asked, Claim) else ())
    return Query(text, asked.lang or language(text) or "en", links)


def word_weights(collection: Collection, query: Query) -> dict[str, float]:
    """Return how much each of the claim's words says: its inverse document frequency over bodies, 0 for those in a quarter of them."""
    return {word: collection.text.weight("body", word, most=_TOO_COMMON) for word in set(words(query.text, query.lang))}


def by_words(collection: Collection, *fields: Field, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Find by BM25 over these fields, all three without any.

    One field gives its scores. Several give the largest share of the claim's weight of words that one of them holds: the claim, the title
    or the body that says the same thing answers it, and a fact-check without a body is no worse for that.
    """
    wanted = fields or FIELDS
    decisive = f"bm25.{wanted[0]}" if len(wanted) == 1 else "share.best"

    def find(query: Query, allowed: Allowed | None) -> Signals:
        found: Signals = {}
        for field in wanted:
            for num, score in collection.text.search(field, query.text, query.lang, depth=depth + _SPARE, allowed=allowed):
                found.setdefault(num, {})[f"bm25.{field}"] = score
        if len(wanted) > 1:
            _fill_words(collection, query, wanted, found)
            _fill_shares(collection, query, wanted, found)
        return found

    return _finder(collection, find, lambda signals: signals[decisive], depth, filters)


def by_meaning(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """Find by the cosine of the claim to the nearer of claim and title. Finds nothing in a collection without an encoder."""

    def find(query: Query, allowed: Allowed | None) -> Signals:
        found: Signals = {}
        _find_meanings(collection, query, found, depth, allowed)
        return found

    return _finder(collection, find, lambda signals: signals["dense.best"], depth, filters)


def hybrid_search(
    collection: Collection,
    weights: Mapping[str, float],
    *,
    pool: int = 0,
    depth: int = 100,
    filters: Filters | None = None,
    ranked_by: Sequence[str] = (),
) -> Stage:
    """Find in every way, `pool` candidates each, and rank by the weighted sum of signals; those without a weight are kept too.

    Unless said, the pool is the depth and at least 20: the first five of a thousand claims were the same from 20 as from 100.
    Signals in `ranked_by` also give `rr.NAME`, 1 / the rank among all candidates: their rank in the whole collection as far as
    the search went. Equal values share the better rank.
    """

    reach = pool or max(depth, _LEAST_POOL)

    def find(query: Query, allowed: Allowed | None) -> Signals:
        found: Signals = {}
        if collection.vectors is not None:
            collection.query_vectors.start(query.text)  # while the encoder works, words are searched
        for field in FIELDS:
            for num, score in collection.text.search(field, query.text, query.lang, depth=reach, allowed=allowed):
                found.setdefault(num, {})[f"bm25.{field}"] = score
        _fill_words(collection, query, FIELDS, found)
        _find_meanings(collection, query, found, reach, allowed)
        for num in collection.store.linked(query.links):
            if allowed is None or num in allowed:
                found.setdefault(num, {})["link"] = 1.0
        _fill_words(collection, query, FIELDS, found)
        _fill_shares(collection, query, FIELDS, found)
        _fill_meanings(collection, query, found)
        for signals in found.values():
            signals.setdefault("link", 0.0)
        for name in ranked_by:
            _fill_ranks(found, name)
        return found

    return _finder(collection, find, lambda signals: weigh(signals, weights), depth, filters)


def weigh(signals: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the weighted sum; a signal that is absent counts as 0."""
    return float(sum(weight * signals.get(name, 0.0) for name, weight in weights.items()))


def _finder(
    collection: Collection,
    find: Callable[[Query, Allowed | None], Signals],
    score: Callable[[Mapping[str, float]], float],
    depth: int,
    filters: Filters | None,
) -> Stage:
    """A stage that answers each claim on its own, so that batching cannot change an answer."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        allowed = None if filters is None or filters == Filters() else Allowed(filters, collection.store.allowed)
        return [_answer(asked, allowed) for asked in rankings]

    def _answer(asked: Ranking, allowed: Allowed | None) -> Ranking:
        query = prepare(asked.query)
        # Without a letter or digit there is nothing to look up, though an encoder would find something nearest to it.
        found = find(query, allowed) if query.links or any(map(str.isalnum, query.text)) else {}
        scored = sorted(((score(signals), num) for num, signals in found.items()), key=lambda pair: (-pair[0], pair[1]))
        # Ties at the cut are decided by id, which only the store knows: fetch those too.
        last = scored[depth - 1][0] if len(scored) > depth else None
        kept = scored if last is None else [pair for pair in scored if pair[0] >= last]
        checks = collection.store.fetch([num for _, num in kept])
        matches = [Match(checks[num], value, signals=found[num], reasons=_reasons(found[num])) for value, num in kept if num in checks]
        ranking = ranked(asked.query, matches)
        return dataclasses.replace(ranking, matches=ranking.matches[:depth])

    return run


def _reasons(signals: Mapping[str, float]) -> tuple[Reason, ...]:
    return (Reason(ReasonKind.LINK, "It names the same link."),) if signals.get("link") else ()


def _find_meanings(collection: Collection, query: Query, found: Signals, depth: int, allowed: Allowed | None) -> None:
    if collection.vectors is None:
        return
    for num in collection.vectors.search(collection.query_vectors(query.text), depth=depth, allowed=allowed):
        found.setdefault(num, {})
    _fill_meanings(collection, query, found)


def _fill_meanings(collection: Collection, query: Query, found: Signals) -> None:
    if collection.vectors is None:
        return
    nums = [num for num, signals in found.items() if "dense.claim" not in signals]
    for field, cosines in collection.vectors.score(collection.query_vectors(query.text), nums).items():
        for num, cosine in zip(nums, cosines.tolist(), strict=True):
            signals = found[num]
            signals[f"dense.{field}"] = cosine
            signals["dense.best"] = max(cosine, signals.get("dense.best", cosine))


def _fill_words(collection: Collection, query: Query, fields: Sequence[Field], found: Signals) -> None:
    for field in fields:
        nums = [num for num, signals in found.items() if f"bm25.{field}" not in signals]
        scores = collection.text.score(field, query.text, query.lang, nums)
        for num in nums:
            found[num][f"bm25.{field}"] = scores.get(num, 0.0)


def _fill_shares(collection: Collection, query: Query, fields: Sequence[Field], found: Signals) -> None:
    most = {field: collection.text.most(field, query.text, query.lang) for field in fields}
    for signals in found.values():
        shares = {f"share.{field}": signals[f"bm25.{field}"] / most[field] if most[field] else 0.0 for field in fields}
        signals |= shares | {"share.best": max(shares.values())}


def _fill_ranks(found: Signals, name: str) -> None:
    values = np.array([signals.get(name, 0.0) for signals in found.values()])
    larger = len(values) - np.searchsorted(np.sort(values), values, side="right")
    for signals, above in zip(found.values(), larger.tolist(), strict=True):
        signals[f"rr.{name}"] = 1 / (1 + above)


def encode_ahead(collection: Collection, asked: Iterable[Claim | Question]) -> list[Vector]:
    """Encode claims together and keep their vectors for the stages that will want them one by one; return that of each distinct text."""
    if collection.encoder is None:
        return []
    wanted = list(dict.fromkeys(prepare(one).text for one in asked))
    collection.query_vectors.prepare(wanted)
    return [collection.query_vectors(text) for text in wanted]
