"""MTM as stages: a reranker that reads the first matches' key sentences, and an explainer that only shows them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from twicetold.find import prepare
from twicetold.marking import Spans
from twicetold.rank.mtm.article import sentences_of
from twicetold.rank.mtm.chooser import Chooser, Key
from twicetold.rank.mtm.model import Mtm
from twicetold.stage import Stage
from twicetold.types import FactCheck, KeySentence, Match, Post, Ranking, ranked

SIGNAL = "mtm"
FIRST = 20

Quoting = Callable[[str, str], Spans]
"""The places in a sentence, given with its language, of the words a claim shares with it."""

Marks = Callable[[Ranking], Quoting]
"""How the sentences of a ranking's articles quote its claim."""


def unmarked(ranking: Ranking) -> Quoting:
    """Mark nothing."""
    return lambda text, lang: ()


def rerank(model: Mtm, *, first: int = FIRST, share: float = 1.0, marks: Marks = unmarked) -> Stage:
    """Order the first matches by MTM, with its log-odds as the signal `mtm` and its key sentences; the others stay below in their order.

    With a `share` below 1 the rest of the score is the one they came with; both are scaled to the unit interval within the list. What has
    no sentence to read keeps the score it came with.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_reranked(model, ranking, first, share, marks) for ranking in rankings]

    return run


def key_sentences(model: Chooser, *, first: int = FIRST, keys: int = 3, marks: Marks = unmarked) -> Stage:
    """Give the first matches their key sentences, chosen by word vectors and patterns alone: no layer is run, the order stays.

    A match that has key sentences keeps them: the stage that gave them chose by them.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_explained(model, ranking, first, keys, marks) for ranking in rankings]

    return run


def _reranked(model: Mtm, ranking: Ranking, first: int, share: float, marks: Marks) -> Ranking:
    read, rest = ranking.matches[:first], ranking.matches[first:]
    told = _Told(model, prepare(ranking.query).text, marks(ranking))
    readings = model.read(told.claim, [sentences_of(match.doc) for match in read])
    theirs = _unit([match.score for match in read])
    scaled = iter(_unit([reading.score for reading in readings if reading.keys]))
    ours = [next(scaled) if reading.keys else old for reading, old in zip(readings, theirs, strict=True)]
    reread = [
        dataclasses.replace(
            match,
            score=share * new + (1 - share) * old,
            signals={**match.signals, SIGNAL: reading.score},
            keys=tuple(told(key, match.doc) for key in reading.keys) or match.keys,
        )
        for match, reading, new, old in zip(read, readings, ours, theirs, strict=True)
    ]
    below = [dataclasses.replace(match, score=-1.0 - place) for place, match in enumerate(rest)]
    return ranked(ranking.query, [*reread, *below], ranking.decision)


def _explained(model: Chooser, ranking: Ranking, first: int, most: int, marks: Marks) -> Ranking:
    wanted = [match for match in ranking.matches[:first] if not match.keys]
    if not wanted:
        return ranking
    told = _Told(model, prepare(ranking.query).text, marks(ranking))
    chosen = iter(model.keys(told.claim, [sentences_of(match.doc) for match in wanted], most=most))

    def explain(match: Match) -> Match:
        return match if match.keys else dataclasses.replace(match, keys=tuple(told(key, match.doc) for key in next(chosen)))

    return dataclasses.replace(ranking, matches=(*map(explain, ranking.matches[:first]), *ranking.matches[first:]))


@dataclasses.dataclass(frozen=True, slots=True)
class _Told:
    """Turns the keys of a claim's articles into sentences with their words marked."""

    model: Chooser
    claim: str
    quoting: Quoting

    def __call__(self, key: Key, doc: FactCheck | Post) -> KeySentence:
        why = f"mtm: near the claim {key.near_claim:.2f}"
        if key.pattern >= 0:
            why += f", near pattern {key.pattern} {key.near_pattern:.2f}"
        text, lang = key.sentence.text, doc.lang or "en"
        quoted = self.quoting(text, lang)
        return KeySentence(text, key.sentence.at, key.score, why, quoted, self.model.typical(self.claim, key, lang, quoted))


def _unit(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]
