"""MTM as stages: a reranker that reads the first matches' key sentences, and an explainer that only shows them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from twicetold.find import prepare
from twicetold.rerank.mtm.article import sentences_of
from twicetold.rerank.mtm.model import Key, Mtm
from twicetold.stage import Stage
from twicetold.types import KeySentence, Ranking, ranked

SIGNAL = "mtm"
FIRST = 20

Marks = Callable[[Ranking, str], tuple[tuple[int, int], ...]]
"""The places in a sentence of the words the ranking's claim shares with it."""


def unmarked(ranking: Ranking, text: str) -> tuple[tuple[int, int], ...]:
    """Mark nothing."""
    return ()


def rerank(model: Mtm, *, first: int = FIRST, share: float = 1.0, marks: Marks = unmarked) -> Stage:
    """Order the first matches by MTM, with its log-odds as the signal `mtm` and its key sentences; the others stay below in their order.

    With a `share` below 1 the rest of the score is the one they came with; both are scaled to the unit interval within the list.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_reranked(model, ranking, first, share, marks) for ranking in rankings]

    return run


def key_sentences(model: Mtm, *, first: int = FIRST, keys: int = 3, marks: Marks = unmarked) -> Stage:
    """Give the first matches their key sentences, chosen by word vectors and patterns alone: no layer is run, the order stays."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_explained(model, ranking, first, keys, marks) for ranking in rankings]

    return run


def _reranked(model: Mtm, ranking: Ranking, first: int, share: float, marks: Marks) -> Ranking:
    read, rest = ranking.matches[:first], ranking.matches[first:]
    readings = model.read(prepare(ranking.query).text, [sentences_of(match.doc) for match in read])
    theirs, ours = _unit([match.score for match in read]), _unit([reading.score for reading in readings])
    reread = [
        dataclasses.replace(
            match,
            score=share * new + (1 - share) * old,
            signals={**match.signals, SIGNAL: reading.score},
            keys=tuple(_shown(key, marks(ranking, key.sentence.text)) for key in reading.keys) or match.keys,
        )
        for match, reading, new, old in zip(read, readings, ours, theirs, strict=True)
    ]
    below = [dataclasses.replace(match, score=-1.0 - place) for place, match in enumerate(rest)]
    return ranked(ranking.query, [*reread, *below], ranking.decision)


def _explained(model: Mtm, ranking: Ranking, first: int, most: int, marks: Marks) -> Ranking:
    chosen = model.keys(prepare(ranking.query).text, [sentences_of(match.doc) for match in ranking.matches[:first]], most=most)
    matches = [
        dataclasses.replace(match, keys=tuple(_shown(key, marks(ranking, key.sentence.text)) for key in keys)) if keys else match
        for match, keys in zip(ranking.matches, chosen, strict=False)
    ]
    return dataclasses.replace(ranking, matches=(*matches, *ranking.matches[first:]))


def _shown(key: Key, marks: tuple[tuple[int, int], ...]) -> KeySentence:
    why = f"mtm: near the claim {key.near_claim:.2f}"
    if key.pattern >= 0:
        why += f", near pattern {key.pattern} {key.near_pattern:.2f}"
    return KeySentence(key.sentence.text, key.sentence.at, key.score, why, marks)


def _unit(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]
