"""Which words differ between a claim and what was checked, and how to say so in plain words.

A difference that was plainly counted wins on its words; then words that were replaced in otherwise nearly the same text; then the words
that the reader marked. No span is longer than six words, and none is cut inside a word. Nothing here decides whether a check answers a
claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from twicetold.judge.counted import Counted
from twicetold.judge.reader import RELATIONS, Reading, Stretch
from twicetold.types import CHANGED, Difference, Relation, Span

KINDS = tuple(relation for relation in RELATIONS if relation in CHANGED)
"""The kinds of change, in the order in which the first counts where two differ at once."""
COUNTED_WEIGHT = 0.6
"""How much a plainly counted difference weighs against the reader's chance of a kind."""
_LEAST, _FAIRLY = 0.1, 0.3
_ALIKE = 0.6
"""From this likeness in the order of words on, replaced words are taken for the difference."""
_PLAIN = 0.6
"""From which strength on a counted difference of another kind is told as well."""
_MOST_TOLD = 3
_MOST_WORDS = 6
_WORD = re.compile(r"\S+")


def kind_of_change(reading: Reading, counted: Counted) -> Relation:
    """Return the likeliest kind of change, by the reader's chances among them and by what was counted."""
    chances = {kind: reading.relation[RELATIONS.index(kind)] for kind in KINDS}
    total = sum(chances.values()) or 1.0
    strengths = {kind: max((one.strength for one in counted.candidates if one.difference.kind is kind), default=0.0) for kind in KINDS}
    return max(KINDS, key=lambda kind: chances[kind] / total + COUNTED_WEIGHT * strengths[kind])


def differences(kind: Relation, reading: Reading, counted: Counted, ours: str, theirs: str) -> tuple[Difference, ...]:
    """Return the difference of this kind with its words, then others that were plainly counted; `ours` and `theirs` are the texts read.

    A side without words has an empty span at its start.
    """
    first = _first(kind, reading, counted, (ours, theirs))
    others = [one.difference for one in counted.candidates if one.strength >= _PLAIN and one.difference.kind is not kind]
    told = [first, *(one for one in others if not _overlaps(one, first))]
    return tuple(told[:_MOST_TOLD])


def _first(kind: Relation, reading: Reading, counted: Counted, texts: tuple[str, str]) -> Difference:
    """Return what was plainly counted, what was replaced in nearly the same text, what the reader marked, or what was counted at all."""
    of_kind = [one for one in counted.candidates if one.difference.kind is kind and one.strength >= _LEAST]
    if of_kind and of_kind[0].strength >= _FAIRLY:
        return of_kind[0].difference
    marked = Difference(kind, *(_strongest(stretches, text) for stretches, text in zip((reading.ours, reading.theirs), texts, strict=True)))
    if counted.replaced and counted.values["edits.alike"] >= _ALIKE:
        return Difference(kind, *max(counted.replaced, key=lambda pair: _agreement(pair, marked)))
    if of_kind and not (marked.ours.text and marked.theirs.text):
        return of_kind[0].difference
    return marked


def _agreement(pair: tuple[Span, Span], marked: Difference) -> int:
    """Return on how many sides replaced words and marked ones overlap."""
    return sum(_meet(one, two) for one, two in zip(pair, (marked.ours, marked.theirs), strict=True))


def _strongest(stretches: Sequence[Stretch], text: str) -> Span:
    if not stretches:
        return Span("", 0)
    best = max(stretches, key=lambda stretch: (stretch.strength, -stretch.start))
    return _short(text, best.start, best.end)


def _short(text: str, start: int, end: int) -> Span:
    """Return a stretch of words, cut after the sixth."""
    words = list(_WORD.finditer(text, start, end))[:_MOST_WORDS]
    end = words[-1].end() if words else end
    return Span(text[start:end], start)


def _overlaps(one: Difference, other: Difference) -> bool:
    return _meet(one.ours, other.ours) or _meet(one.theirs, other.theirs)


def _meet(one: Span, other: Span) -> bool:
    return one.at < other.at + len(other.text) and other.at < one.at + len(one.text)


# --- in words ------------------------------------------------------------------------------------------------------

SENTENCES = {
    Relation.SAME: "It checks the same claim.",
    Relation.NARROWER: "It checks a narrower claim, which settles this one.",
    Relation.BROADER: "It checks a broader claim, which covers this one.",
    Relation.PART: "It checks a part of this claim.",
    Relation.OPPOSITE: "It checks the reverse of this claim.",
    Relation.NUMBER: "It checks the same with another number.",
    Relation.WHO: "It checks the same of someone else.",
    Relation.WHERE: "It checks the same of another place.",
    Relation.WHEN: "It checks the same of another time.",
    Relation.SCOPE: "It checks the same of more or fewer.",
    Relation.RELATED: "It is about the same subject, not the same claim.",
    Relation.UNRELATED: "It is about something else.",
}
"""How what was checked stands to what was said."""


def said(difference: Difference) -> str:
    """Say a difference in plain words.

    >>> said(Difference(Relation.NUMBER, Span("60 %", 0), Span("40 %", 0)))
    'They checked 40 %, this says 60 %.'
    >>> said(Difference(Relation.OPPOSITE, Span("rose", 9), Span("fell", 9)))
    'This says the opposite: “rose” / “fell”.'
    """
    ours, theirs = difference.ours.text, difference.theirs.text
    if not ours and not theirs:
        return SENTENCES[difference.kind]
    if difference.kind is Relation.OPPOSITE and ours and theirs:
        return f"This says the opposite: “{ours}” / “{theirs}”."
    if difference.kind is Relation.SCOPE:
        ours, theirs = (f"“{text}”" if text else "" for text in (ours, theirs))
    if ours and theirs:
        return f"They checked {theirs}, this says {ours}."
    return f"They checked {theirs}, which this does not say." if theirs else f"This says {ours}, which they did not check."
