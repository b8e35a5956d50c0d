"""A closer look at the first candidates: signals that need the texts themselves, too dear for all that a search goes through.

    cover.claim, cover.title  the share of the fact-check's own words, by weight, that the claim has: a claim that says all of a
                              fact-check's short headline is nearer to it than one that shares as many words with a long one
    numbers                   how far the numbers of both agree, from −1 (none of either is in the other) to 1; 0 without numbers
    negation                  1 if both or neither deny something, else 0
    body.1 … body.3           cosines of the best body sentences by static token vectors
    lang                      1 if both are in the same language, 0 if not, ½ if unknown
    speaker                   1 if the fact-check is of something the same person said, ½ if either is unknown
    age                       nearness in time of what was said to what was checked, 1 for the same day, ½ a year apart, 0 if unknown
    length                    the logarithm of the claim's number of words: the same for all candidates, for models that weigh by it

Nothing here changes an order.
"""

from __future__ import annotations

import dataclasses
import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

import numpy as np

from twicetold.collection import Collection
from twicetold.find import Query, prepare
from twicetold.stage import Stage
from twicetold.text import words
from twicetold.types import Claim, FactCheck, Match, Question, Ranking

NAMES = ("cover.claim", "cover.title", "numbers", "negation", "body.1", "body.2", "body.3", "lang", "speaker", "age", "length")
_KEYS, _SHORTLIST = 3, 5
_TOO_COMMON = 0.1
_MOST_CHARS = 12_000
"""Of a body; what an article is about stands early, and a few run to a hundred thousand characters."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t)\b", re.IGNORECASE)
_STOP = re.compile(r"[.!?…](?=\s)|[。！？\n]")
_PEOPLE = re.compile(r"[^\W\d_]{3,}")


def text_signals(collection: Collection, *, first: int = 20) -> Stage:
    """Give the first matches the signals named above, and any others zeros."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_closer(collection, ranking, first) for ranking in rankings]

    return run


def _closer(collection: Collection, ranking: Ranking, first: int) -> Ranking:
    asked = _Asked.of(collection, ranking.query)
    bodies = _body_cosines(collection, asked, ranking.matches[:first])
    matches = []
    for place, match in enumerate(ranking.matches):
        seen = {**asked.compare(match.doc), **bodies[place]} if place < first and isinstance(match.doc, FactCheck) else _NOTHING
        matches.append(dataclasses.replace(match, signals={**match.signals, **seen}))
    return dataclasses.replace(ranking, matches=tuple(matches))


_NOTHING = dict.fromkeys(NAMES, 0.0)


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A claim taken apart once, to be compared with many fact-checks."""

    collection: Collection
    query: Query
    words: frozenset[str]
    numbers: frozenset[str]
    is_negated: bool
    said_by: str
    said_on: str

    @classmethod
    def of(cls, collection: Collection, asked: Claim | Question) -> _Asked:
        query = prepare(asked)
        said_by, said_on = (asked.said_by, asked.said_on) if isinstance(asked, Claim) else ("", "")
        return cls(
            collection,
            query,
            frozenset(words(query.text, query.lang)),
            _numbers(query.text),
            bool(_NEGATION.search(query.text)),
            said_by,
            said_on,
        )

    def compare(self, check: FactCheck) -> dict[str, float]:
        """Return every signal but those of the body."""
        said = f"{check.claim} {check.title}"
        return {
            "cover.claim": self._cover(check.claim, check.lang),
            "cover.title": self._cover(check.title, check.lang),
            "numbers": _agreement(self.numbers, _numbers(said)),
            "negation": float(self.is_negated == bool(_NEGATION.search(said))),
            "lang": 0.5 if not check.lang else float(check.lang == self.query.lang),
            "speaker": _same_person(self.said_by, check.claimant),
            "age": _nearness(self.said_on, check.claimed_on or check.published),
            "length": math.log1p(len(self.words)),
        }

    def _cover(self, text: str, lang: str) -> float:
        weights = {word: self.collection.text.weight("title", word, most=1.0) for word in _distinct(text, lang or "en")}
        total = sum(weights.values())
        return sum(weight for word, weight in weights.items() if word in self.words) / total if total else 0.0


@lru_cache(maxsize=20_000)
def _distinct(text: str, lang: str) -> tuple[str, ...]:
    """The words of a fact-check's claim or title: the same fact-checks come up again and again. In order, so that sums are the same."""
    return tuple(dict.fromkeys(words(text, lang)))


@lru_cache(maxsize=20_000)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.replace(",", "").rstrip(".") for number in _NUMBER.findall(text))


def _agreement(one: frozenset[str], other: frozenset[str]) -> float:
    """Return 2 · shared / all − 1, or 0 where either side has none.

    >>> _agreement(frozenset("7"), frozenset("7")), _agreement(frozenset("7"), frozenset("8")), _agreement(frozenset(), frozenset("7"))
    (1.0, -1.0, 0.0)
    """
    return 2 * len(one & other) / len(one | other) - 1 if one and other else 0.0


def _same_person(said_by: str, claimant: str) -> float:
    """1 if a name of three letters or more stands in both: transcripts often give last names alone."""
    one, other = (frozenset(_PEOPLE.findall(name.casefold())) for name in (said_by, claimant))
    return 0.5 if not one or not other else float(bool(one & other))


def _nearness(one: str, other: str) -> float:
    try:
        days = abs((date.fromisoformat(one) - date.fromisoformat(other)).days)
    except ValueError:  # one of them is unknown, or a year alone
        return 0.0
    return 1 / (1 + days / 365)


def _body_cosines(collection: Collection, asked: _Asked, matches: Sequence[Match]) -> list[Mapping[str, float]]:
    """Return `body.1` … of each match: its best body sentences by static vectors, among those that share the weightiest words."""
    if not any(isinstance(match.doc, FactCheck) and match.doc.body for match in matches):
        return [_best(np.zeros(0))] * len(matches)
    weights = {word: collection.text.weight("body", word, most=_TOO_COMMON) for word in asked.words if len(word) > 1}
    heavy = {word: weight for word, weight in weights.items() if weight > 0}
    finder = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(heavy, key=len, reverse=True))) + ")") if heavy else None
    lines: list[str] = []
    spans = []
    for match in matches:
        own = _likely_lines(match.doc, finder, heavy) if isinstance(match.doc, FactCheck) else []
        spans.append((len(lines), len(lines) + len(own)))
        lines += own
    vector, *vectors = collection.static.encode([asked.query.text, *lines])
    cosines = np.array([float(row @ vector) for row in vectors])
    return [_best(cosines[start:end]) for start, end in spans]


def _likely_lines(check: FactCheck, finder: re.Pattern[str] | None, weights: Mapping[str, float]) -> list[str]:
    """Return the sentences with the weightiest of the claim's words, found by their stems' letters: the body is not analysed."""
    body = check.body[:_MOST_CHARS]
    if not body or finder is None:
        return []
    # Lower-casing may change the length of a few exotic letters; then places would be off by that much, which only costs precision.
    hits = [(place.start(), place[0]) for place in finder.finditer(body.lower())]
    if not hits:
        return []
    # Full stops before a space are near enough to sentences for a signal, at a tenth of the time of `text.sentences`.
    ends = [place.end() for place in _STOP.finditer(body)]
    shared: dict[int, set[str]] = {}
    for at, word in hits:
        shared.setdefault(bisect_right(ends, at), set()).add(word)
    # The order of a set's words changes from run to run, and with it the last bits of their sum.
    best = sorted(shared, key=lambda number: (-math.fsum(weights[word] for word in shared[number]), number))[:_SHORTLIST]
    edges = [0, *ends, len(body)]
    return [body[edges[number] : edges[number + 1]] for number in best]


def _best(cosines: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[str, float]:
    best = np.sort(cosines)[::-1][:_KEYS].tolist()
    return {f"body.{place + 1}": best[place] if place < len(best) else 0.0 for place in range(_KEYS)}
