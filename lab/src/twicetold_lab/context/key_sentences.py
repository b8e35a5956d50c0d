"""The key sentences that the reader of several hops was trained on: the few of a body that share the weightiest words with the claim, then
the nearest of these by static token vectors. What the product shows is chosen by MTM instead.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from twicetold.collection import Collection
from twicetold.find import prepare, word_weights
from twicetold.marking import quoted
from twicetold.stage import Stage
from twicetold.text import sentences, words
from twicetold.types import FactCheck, KeySentence, Match, Post, Ranking

_SHORTLIST = 4
_MOST_SENTENCES = 400


def key_sentences(collection: Collection, *, first: int = 10, keys: int = 1) -> Stage:
    """Give each of the first matches its best body sentences, with the signal `sentence`: the best one's cosine to the claim."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_explain(collection, ranking, first, keys) for ranking in rankings]

    return run


def _explain(collection: Collection, ranking: Ranking, first: int, keys: int) -> Ranking:
    query = prepare(ranking.query)
    weights = word_weights(collection, query)
    shortlists = [_shortlist(match.doc, weights) for match in ranking.matches[:first]]
    # All sentences in one go: the tokenizer takes most of the time, and a call for each match would double it.
    texts = [text for shortlist in shortlists for _, text in shortlist]
    vectors = collection.static.encode([query.text, *texts])
    cosines = iter([float(vector @ vectors[0]) for vector in vectors[1:]])
    explained = [
        _explained(match, weights, [(next(cosines), start, text) for start, text in shortlist], keys)
        for match, shortlist in zip(ranking.matches, shortlists, strict=False)
    ]
    return dataclasses.replace(ranking, matches=(*explained, *ranking.matches[len(explained) :]))


def _explained(match: Match, weights: Mapping[str, float], scored: list[tuple[float, int, str]], keys: int) -> Match:
    if not scored or match.keys:  # a stage that chose by its keys has said so already
        return match
    best = sorted(scored, key=lambda found: (-found[0], found[1]))[:keys]
    lang = match.doc.lang or "en"
    chosen = tuple(KeySentence(text, start, cosine, "static", quoted(text, lang, weights)) for cosine, start, text in best)
    return dataclasses.replace(match, keys=chosen, signals={**match.signals, "sentence": best[0][0]})


def _shortlist(doc: FactCheck | Post, weights: Mapping[str, float]) -> list[tuple[int, str]]:
    """The sentences that share the weightiest words with the claim, with their places; the opening ones where none shares any."""
    if not isinstance(doc, FactCheck):
        return []
    spans = sentences(doc.body)[:_MOST_SENTENCES]
    lang = doc.lang or "en"
    shared = [sum(weights.get(word, 0.0) for word in set(words(doc.body[start:end], lang))) for start, end in spans]
    order = sorted(range(len(spans)), key=lambda i: (-shared[i], i))
    return [(start, doc.body[start:end]) for start, end in sorted(spans[i] for i in order[:_SHORTLIST])]
