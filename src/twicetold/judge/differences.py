"""Which words differ between a claim and what was checked, and how to say so in plain words.

A difference that was counted wins on its words; otherwise the words that the reader marked are taken. No span is longer than six words, and
none is cut inside a word. Nothing here decides whether a check answers a claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from twicetold.judge.candidates import Candidate
from twicetold.judge.counted import Counted
from twicetold.judge.reader import RELATIONS, Reading, Stretch
from twicetold.types import CHANGED, Difference, Relation, Span

KINDS = tuple(relation for relation in RELATIONS if relation in CHANGED)
"""The kinds of change, in the order in which the first counts where two differ at once."""
COUNTED_WEIGHT = 0.6
"""How much a plainly counted difference weighs against the reader's chance of a kind."""
_LEAST = 0.1
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
    first = _counted(kind, counted.candidates) or _marked(kind, reading, ours, theirs)
    others = [one.difference for one in counted.candidates if one.strength >= _PLAIN and one.difference.kind is not kind]
    told = [first, *(one for one in others if not _overlaps(one, first))]
    return tuple(told[:_MOST_TOLD])


def _counted(kind: Relation, candidates: Sequence[Candidate]) -> Difference | None:
    return next((one.difference for one in candidates if one.difference.kind is kind and one.strength >= _LEAST), None)


def _marked(kind: Relation, reading: Reading, ours: str, theirs: str) -> Difference:
    return Difference(kind, _strongest(reading.ours, ours), _strongest(reading.theirs, theirs))


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
    return any(a.at < b.at + len(b.text) and b.at < a.at + len(a.text) for a, b in ((one.ours, other.ours), (one.theirs, other.theirs)))


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
