"""The sentences of an article that carry the match, with the words worth a glance marked. An explainer never changes the order.

`explained` is what people see: MTM's key sentences, near to the claim or differing from it as fact-checks do (`rerank.mtm`).
`key_sentences` is the older way, whose sentences the reader of several hops was trained on: the few that share the weightiest words with
the claim, then the nearest of these by static token vectors.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from twicetold.collection import Collection
from twicetold.find import prepare, word_weights
from twicetold.marking import quoted
from twicetold.rerank.mtm import recipe
from twicetold.stage import Stage, chain
from twicetold.text import sentences, tidy, words
from twicetold.types import FactCheck, KeySentence, Match, Post, Ranking, Reason, ReasonKind

_SHORTLIST = 4
_MOST_SENTENCES = 400
SHOWN = 2
"""Key sentences for a match: often one quotes the claim and one judges it."""
_SHOWN_WORDS = 6
_NEARNESS = ((0.75, "It says nearly the same."), (0.5, "It is about the same thing."), (0.3, "It is about something similar."))
"""What a cosine amounts to, from the least value of each on."""


def explained(collection: Collection, *, first: int = 10, keys: int = SHOWN) -> Stage:
    """Give each of the first matches its key sentences by MTM, and the reasons it was found, in words for people.

    Raises BadData if the model that TWICETOLD_MTM names is missing, or the one there is damaged.
    """

    def say_why(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_with_reasons(ranking, first) for ranking in rankings]

    return chain(recipe.key_sentences(collection, first=first, keys=keys), say_why)


def _with_reasons(ranking: Ranking, first: int) -> Ranking:
    told = (
        dataclasses.replace(match, reasons=tuple(dict.fromkeys((*match.reasons, *_reasons(match))))) for match in ranking.matches[:first]
    )
    return dataclasses.replace(ranking, matches=(*told, *ranking.matches[first:]))


def _reasons(match: Match) -> Iterator[Reason]:
    cosine = max(match.signals.get("dense.claim", 0.0), match.signals.get("dense.title", 0.0))
    said = next((said for least, said in _NEARNESS if cosine >= least), "")
    if said:
        yield Reason(ReasonKind.MEANING, said)
    shared = _shared_words(match)
    if shared:
        listed = ", ".join(f"“{word}”" for word in shared)
        yield Reason(ReasonKind.WORDS, f"It shares the word{'s' if len(shared) > 1 else ''} {listed}.")


def _shared_words(match: Match) -> list[str]:
    seen: dict[str, str] = {}
    for word in (key.text[start:end] for key in match.keys for start, end in key.marks):
        seen.setdefault(word.casefold(), tidy(word))
    return list(seen.values())[:_SHOWN_WORDS]


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
