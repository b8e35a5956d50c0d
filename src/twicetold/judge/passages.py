"""Long claims read claim by claim: the sentences of a post, forward or transcript that come nearest to a fact-check.

A claim of up to sixty words is read whole. Of a longer one, up to 20,000 characters, the sentences that share most with what was checked
are read one by one, wherever they stand. Nearness is by shared words, rarer ones of the claim weighing more.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from twicetold.judge.tokens import MOST_CHARS, read
from twicetold.text import sentences

WHOLE_WORDS = 60
"""Claims of at most so many words are read whole."""
MOST = 3
"""Passages of a long claim that are read with each fact-check."""
_FEWEST_WORDS, _WINDOW, _STEP = 4, 40, 30


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a claim, from one character to another, with its content words."""

    start: int
    end: int
    lemmas: frozenset[str]


def passages(claim: str, what: str, *, most: int = MOST) -> list[tuple[int, int]]:
    """Return the (start, end) of what is read of a claim with the text `what` of a fact-check: nearest first, the whole if it is short.

    >>> passages("Crime doubled.", "Crime has doubled in two years")
    [(0, 14)]
    """
    if len(claim) <= MOST_CHARS and len(claim.split()) <= WHOLE_WORDS:
        return [(0, len(claim))] if claim.strip() else []
    found, weights = _cut(claim)
    wanted = read(what).content_lemmas

    def nearness(passage: Passage) -> float:
        shared = math.fsum(sorted(weights[its] for its in passage.lemmas & wanted))
        return shared / math.sqrt(1.0 + math.fsum(sorted(weights[its] for its in passage.lemmas)))

    best = sorted(found, key=lambda passage: (-nearness(passage), passage.start))[:most]
    return [(passage.start, passage.end) for passage in best]


@lru_cache(maxsize=256)
def _cut(claim: str) -> tuple[tuple[Passage, ...], dict[str, float]]:
    shown = claim[:MOST_CHARS]
    spans = [piece for start, end in _joined(shown) for piece in _windows(shown, start, end)]
    found = tuple(Passage(start, end, read(shown[start:end]).content_lemmas) for start, end in spans)
    counts = Counter(its for passage in found for its in passage.lemmas)
    return found, {its: math.log1p(len(found) / count) for its, count in counts.items()}


def _joined(text: str) -> list[tuple[int, int]]:
    """Return the sentences, those of fewer than four words together with the one after."""
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for start, end in sentences(text):
        first = start if begun is None else begun
        if len(text[first:end].split()) < _FEWEST_WORDS:
            begun = first
            continue
        found.append((first, end))
        begun = None
    if begun is not None:
        found.append((begun, len(text.rstrip())))
    return found


def _windows(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a sentence as it is, or, if it runs over sixty words, windows of forty that overlap."""
    places = [(token.start + start, token.end + start) for token in read(text[start:end]).tokens]
    if len(places) <= WHOLE_WORDS:
        return [(start, end)]
    return [(places[at][0], places[min(at + _WINDOW, len(places)) - 1][1]) for at in range(0, max(len(places) - _WINDOW + _STEP, 1), _STEP)]
