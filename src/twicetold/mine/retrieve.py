"""Find posts that speak of a claim or question: by words, by meaning, and by both.

A reply is found by its own words and by those of what it replies to (`context`): nearly half of the denials in rumour threads share no
word with the rumour. Every candidate of `by_both` carries every signal: `bm25.text`, `bm25.context`, `share.text`, `share.context`
(the share of the query's weight of words found there) and `dense.text`. Stances are not read here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from twicetold.find import prepare, weigh
from twicetold.index.text import Field
from twicetold.mine.verbs import listed
from twicetold.posts import Posts
from twicetold.stage import Stage
from twicetold.types import Claim, Match, Question, Ranking, ranked

Signals = dict[int, dict[str, float]]
FIELDS: tuple[Field, ...] = ("text", "context")

# Chosen on RumourEval's training threads and the demo posts by `twicetold lab mining fit weights`.
WEIGHTS = {"share.text": 1.0, "share.context": 1.4, "dense.text": 0.4}

# Words that ask rather than name. They find nothing, and theirs are the longest lists to read through.
_FUNCTION_WORDS = listed(
    """
    a about an and any are as at be been being but by can could did do does for from had has have he her his how i if in is it its may
    might must my of on or our she should so some than that the their them then there these they this to was we were what when where
    which who whom whose why will with would you your not no true
    """
)


def asked_words(text: str) -> str:
    """Return the words of a query that name something; all of them if none does.

    >>> asked_words("Can shoes spread COVID-19?")
    'shoes spread COVID-19?'
    """
    kept = [word for word in text.split() if word.strip(".,;:!?'\"").lower() not in _FUNCTION_WORDS]
    return " ".join(kept) or text


def by_words(posts: Posts, *, depth: int = 1000) -> Stage:
    """Find by BM25 of a post's own words alone, as the paper does."""

    def find(query: str, lang: str) -> Signals:
        return {num: {"bm25.text": score} for num, score in posts.text.search("text", asked_words(query), lang, depth=depth)}

    return _finder(posts, find, {"bm25.text": 1.0}, depth)


def by_meaning(posts: Posts, *, depth: int = 1000) -> Stage:
    """Find by the cosine of vectors. Finds nothing where posts have none."""

    def find(query: str, lang: str) -> Signals:
        found: Signals = {}
        _add_meanings(posts, query, found, depth)
        return found

    return _finder(posts, find, {"dense.text": 1.0}, depth)


def by_both(posts: Posts, *, depth: int = 1000, weights: Mapping[str, float] = WEIGHTS) -> Stage:
    """Find in every way, `depth` candidates each, and rank by the weighted sum of the signals."""

    def find(query: str, lang: str) -> Signals:
        found: Signals = {}
        naming = asked_words(query)
        for field in FIELDS:
            for num, score in posts.text.search(field, naming, lang, depth=depth):
                found.setdefault(num, {})[f"bm25.{field}"] = score
        _add_meanings(posts, query, found, depth)
        _fill_words(posts, naming, lang, found)
        return found

    return _finder(posts, find, weights, depth)


def _add_meanings(posts: Posts, query: str, found: Signals, depth: int) -> None:
    if posts.vectors is None or posts.encoder is None:
        return
    vector = posts.encoder.encode([query])[0]
    nums = list(dict.fromkeys([*found, *posts.vectors.search(vector, depth=depth)]))
    for num, cosine in zip(nums, posts.vectors.score(vector, nums)["claim"].tolist(), strict=True):
        found.setdefault(num, {})["dense.text"] = cosine


def _fill_words(posts: Posts, query: str, lang: str, found: Signals) -> None:
    for field in FIELDS:
        missing = [num for num, signals in found.items() if f"bm25.{field}" not in signals]
        scores = posts.text.score(field, query, lang, missing)
        most = posts.text.most(field, query, lang)
        for num, signals in found.items():
            score = signals.setdefault(f"bm25.{field}", scores.get(num, 0.0))
            signals[f"share.{field}"] = score / most if most else 0.0


def _finder(posts: Posts, find: Callable[[str, str], Signals], weights: Mapping[str, float], depth: int) -> Stage:
    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_answer(asked.query) for asked in rankings]

    def _answer(asked: Claim | Question) -> Ranking:
        query = prepare(asked)
        found = find(query.text, query.lang) if any(map(str.isalnum, query.text)) else {}
        scored = sorted(((weigh(signals, weights), num) for num, signals in found.items()), key=lambda pair: (-pair[0], pair[1]))[:depth]
        fetched = posts.store.fetch([num for _, num in scored])
        ranking = ranked(asked, (Match(fetched[num], score, signals=found[num]) for score, num in scored if num in fetched))
        return dataclasses.replace(ranking, matches=ranking.matches[:depth])

    return run
