"""A quick look at posts: words and token vectors of claims and titles from a frozen snapshot in memory, without the transformer.

It ranks fact-checks for a post in about a millisecond, and says how probable it is that the collection answers the post at all: to screen
by it alone (`--recipe quick`), or to leave out posts that are far from everything (`--near`). It reads no article texts and knows no links.

Signals of a candidate, for its claim and its title each: the weight (idf) of the words it shares with the post, as a share of the post's
and as a share of its own; the cosine of token vectors; the larger of each pair and their products; the weight in rarest words, so that it
means the same in collections of any size; how far numbers agree.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from twicetold.collection import Collection
from twicetold.errors import BadData
from twicetold.find import Query, prepare
from twicetold.models import REINSTALL, shipped
from twicetold.stage import Stage
from twicetold.text import words
from twicetold.types import FactCheck, Match, Ranking, ranked

Array = np.ndarray[Any, Any]

NAMES = (
    *("share.claim", "share.title", "cover.claim", "cover.title", "static.claim", "static.title"),
    *("share.best", "cover.best", "static.best", "both", "root", "weight", "numbers"),
)
_EACH_WAY = 32
"""Candidates taken by each of three ways: shared words, token vectors, and shared words that make up much of the candidate."""
_BLOCK = 64
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Looked:
    """Candidates of one post: their places in the snapshot, and their signals, (N, D)."""

    places: Array
    rows: Array


@dataclass(frozen=True)
class Weights:
    """What was learnt: the weight of each signal, and the chance of an answer from the first score and its lead."""

    signals: Array  # (D,)
    chance: Array  # (3,): of the first score, of its lead over the second, and the constant

    def scores(self, looked: Looked) -> Array:
        """Return a score for each candidate, (N,)."""
        return np.asarray(np.einsum("nd,d->n", looked.rows, self.signals))

    def of_an_answer(self, scores: Array) -> float:
        """Return the probability that one of the candidates answers the post."""
        if not len(scores):
            return 0.0
        first, second = np.sort(scores)[::-1][:2] if len(scores) > 1 else (scores[0], 0.0)
        return float(1 / (1 + math.exp(-float(np.clip(self.chance @ (first, first - second, 1.0), -30, 30)))))


@cache
def weights() -> Weights:
    """Read the shipped weights."""
    file = shipped("quick") / "weights.json"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        return Weights(np.array([record["weights"][name] for name in NAMES]), np.array(record["chance"], float))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadData(f"the weights {file} cannot be read ({error}); restore the file, or type: {REINSTALL}") from None


class Snapshot:
    """The claims and titles of a collection as they were when it was made. Takes a second for some ten thousand fact-checks."""

    def __init__(self, collection: Collection) -> None:
        self._static = collection.static
        checks = list(_numbered(collection))
        self.nums = np.array([num for num, _ in checks], np.int64)
        texts = [[(check.claim, check.lang), (check.title, check.lang)] for _, check in checks]
        sets = [[_distinct(text, lang) for text, lang in both] for both in texts]
        seen = Counter(word for both in sets for word in set(both[0]) | set(both[1]))
        self._idf = {word: _weight(count, len(checks)) for word, count in seen.items()}
        self._unknown = _weight(0, len(checks))
        self._postings = [_postings(both[field] for both in sets) for field in (0, 1)]
        self._weights = np.array([[sum(map(self._idf.__getitem__, some)) for some in both] for both in sets], np.float32)  # (N, 2)
        np.maximum(self._weights, 1e-6, out=self._weights)
        self._vectors = self._static.encode([both[field][0] or "." for field in (0, 1) for both in texts])  # (2N, D)
        self._numbers = [frozenset(_NUMBER.findall(f"{both[0][0]} {both[1][0]}")) for both in texts]

    def look(self, queries: Sequence[Query]) -> Iterator[Looked]:
        """Yield the candidates of each post."""
        vectors = self._static.encode([query.text for query in queries])
        for start in range(0, len(queries), _BLOCK):
            cosines = vectors[start : start + _BLOCK] @ self._vectors.T  # (B, 2N)
            for query, row in zip(queries[start:], cosines, strict=False):
                yield self._candidates(query, row.reshape(2, -1))

    def _candidates(self, query: Query, cosines: Array) -> Looked:
        said = _distinct(query.text, query.lang)
        total = sum(self._idf.get(word, self._unknown) for word in said) or 1.0
        shared = np.zeros((2, len(self.nums)), np.float32)
        for field, postings in enumerate(self._postings):
            for word in said:
                places = postings.get(word)
                if places is not None:
                    shared[field, places] += self._idf[word]
        both = (shared**2 / self._weights.T).max(axis=0)
        ways = (shared.max(axis=0), cosines.max(axis=0), both)
        places = np.unique(np.concatenate([_largest(way) for way in ways]))
        weight = shared[:, places].T  # (N, 2)
        share, cover, near = weight / total, weight / self._weights[places], cosines[:, places].T
        product = share * cover
        rows = np.column_stack(
            [
                *(share, cover, near, share.max(axis=1), cover.max(axis=1), near.max(axis=1)),
                *(product.max(axis=1), np.sqrt(product).max(axis=1), weight.max(axis=1) / self._unknown, self._agreement(query, places)),
            ]
        )
        return Looked(places, rows)

    def _agreement(self, query: Query, places: Array) -> list[float]:
        """2 · shared / all − 1 of the numbers, 0 where either side has none."""
        own = frozenset(_NUMBER.findall(query.text))
        if not own:
            return [0.0] * len(places)
        others = (self._numbers[place] for place in places.tolist())
        return [2 * len(own & other) / len(own | other) - 1 if other else 0.0 for other in others]


def quick(collection: Collection, snapshot: Snapshot, *, depth: int = 10) -> Stage:
    """Rank by the quick look alone; the first match's signal `chance` is that of an answer."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        queries = [prepare(ranking.query) for ranking in rankings]
        return [_ranked(ranking, looked) for ranking, looked in zip(rankings, snapshot.look(queries), strict=True)]

    def _ranked(asked: Ranking, looked: Looked) -> Ranking:
        scores = weights().scores(looked)
        best = np.argsort(-scores, kind="stable")[:depth]
        chance = weights().of_an_answer(scores)
        checks = collection.store.fetch([int(snapshot.nums[looked.places[at]]) for at in best])
        found = [(checks[int(snapshot.nums[looked.places[at]])], float(scores[at])) for at in best]
        return ranked(asked.query, [Match(check, score, signals={"chance": chance}) for check, score in found])

    return run


def chances(snapshot: Snapshot, queries: Sequence[Query]) -> list[float]:
    """Return how probable it is that the collection answers each post."""
    return [weights().of_an_answer(weights().scores(looked)) for looked in snapshot.look(queries)]


def _numbered(collection: Collection) -> Iterator[tuple[int, FactCheck]]:
    for num, _, check in collection.store.since(0):
        if check is not None:
            yield num, check


def _distinct(text: str, lang: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words(text, lang or "en")))


def _weight(containing: int, total: int) -> float:
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))


def _postings(sets: Iterable[Sequence[str]]) -> dict[str, Array]:
    found: dict[str, list[int]] = {}
    for place, some in enumerate(sets):
        for word in some:
            found.setdefault(word, []).append(place)
    return {word: np.array(places, np.int32) for word, places in found.items()}


def _largest(values: Array) -> Array:
    return np.arange(len(values)) if len(values) <= _EACH_WAY else np.argpartition(values, -_EACH_WAY)[-_EACH_WAY:]
