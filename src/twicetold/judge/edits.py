"""Where two texts are nearly the same, the words that one has in place of the other's, whatever they mean.

The texts are aligned by their lemmas; a short stretch that stands in both between the same words, and differs, was replaced. It tells where
something was changed, not what kind of change it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from twicetold.judge.lists import SETS
from twicetold.judge.tokens import Words

_MOST_TOKENS = 120
_LONGEST = 6
_MOST_SENTENCES = 4
_EMPTY = SETS["edits.empty"]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A stretch of tokens in each text, from the first to the last, that stand in each other's place."""

    ours: tuple[int, int]
    theirs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edits:
    """How alike two texts are in their order of words, from 0 to 1, and what was replaced."""

    alike: float
    replaced: tuple[Replaced, ...]


def edits(ours: Words, theirs: Words) -> Edits:
    """Align the sentences of two texts that share most. Exchanging the texts exchanges the sides, as they are aligned in a fixed order."""
    if ours.text > theirs.text:
        turned = edits(theirs, ours)
        return Edits(turned.alike, tuple(Replaced(one.theirs, one.ours) for one in turned.replaced))
    here, there = _nearest(ours, theirs)
    aligned = SequenceMatcher(None, ours.lemmas[here.start : here.stop], theirs.lemmas[there.start : there.stop], autojunk=False)
    found = [
        Replaced((here.start + a, here.start + b - 1), (there.start + c, there.start + d - 1))
        for kind, a, b, c, d in aligned.get_opcodes()
        if kind == "replace" and max(b - a, d - c) <= _LONGEST
    ]
    return Edits(aligned.ratio(), tuple(one for one in found if _says(ours, one.ours) and _says(theirs, one.theirs)))


def _nearest(ours: Words, theirs: Words) -> tuple[range, range]:
    """Return the tokens of the two sentences that share most of their words, the first of equals."""
    found = [(-_shared(ours, one, theirs, two), one.start + two.start, one, two) for one in _sentences(ours) for two in _sentences(theirs)]
    _, _, one, two = min(found, key=lambda each: each[:2])
    return one, two


def _sentences(words: Words) -> list[range]:
    starts = [place for place, token in enumerate(words.tokens) if token.is_first][:_MOST_SENTENCES] or [0]
    ends = [*starts[1:], len(words.tokens)]
    return [range(start, min(end, start + _MOST_TOKENS)) for start, end in zip(starts, ends, strict=True)]


def _shared(ours: Words, one: range, theirs: Words, two: range) -> float:
    here, there = set(ours.lemmas[one.start : one.stop]), set(theirs.lemmas[two.start : two.stop])
    return 2 * len(here & there) / max(len(here) + len(there), 1)


def _says(words: Words, stretch: tuple[int, int]) -> bool:
    first, last = stretch
    return any(words.tokens[place].low not in _EMPTY for place in range(first, last + 1))
