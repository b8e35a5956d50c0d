"""Denials in a text: which words stand under a "not", "never", "no longer", "refuses to", and which merely look like it.

A denial reaches to the first content word after it in its clause. Two in a row cancel ("not false", "never failed to"). "Not only", "no
doubt" and "No. 1" deny nothing; nor does the "no" that opens a verdict ("No, the mayor did not resign"): that denial is the publisher's,
and the statement that was checked is the plain one. English only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from twicetold.judge.lists import SETS
from twicetold.judge.tokens import Words, is_content

_CUES = SETS["negation.cues"]
_BEFORE_TO = SETS["negation.before_to"]
_VERBS = SETS["negation.verbs"]
_HARMLESS = {
    "not": {"only", "just", "merely", "simply", "to", "surprisingly", "unlike", "false", "untrue", "fake", "wrong"},
    "no": {"doubt", "matter", "wonder", "question", "problem", "surprise", "one's", "offense"},
    "nothing": {"but"},
}
_AUXILIARIES = SETS["negation.auxiliaries"]
_REACH = 4
_AFTER_NO = frozenset(",:;–—-!.")


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial: the tokens of its cue, and the place of the content word it reaches (−1: none)."""

    first: int
    last: int
    reaches: int


@lru_cache(maxsize=2_048)
def denials(words: Words) -> tuple[Denial, ...]:
    """Return the denials of a text in order, without those that cancel each other."""
    kept: list[Denial] = []
    for found in _cues(words):
        if kept and _cancel(kept[-1], found):
            kept.pop()
        else:
            kept.append(found)
    return tuple(kept)


def _cancel(one: Denial, other: Denial) -> bool:
    """True for "not without", "never failed to": both reach the same word, or the first reaches the second."""
    return (one.reaches == other.reaches >= 0 and other.first - one.last <= 3) or one.reaches in range(other.first, other.last + 1)


def denied(words: Words) -> frozenset[str]:
    """Return the lemmas of the words under a denial."""
    return frozenset(words.lemmas[denial.reaches] for denial in denials(words) if denial.reaches >= 0)


def _cues(words: Words) -> Iterator[Denial]:
    verdicts = _verdict_sentences(words)
    for place, token in enumerate(words.tokens):
        last = _cue_end(words, place)
        if last < 0 or any(first <= place <= end for first, end in verdicts):
            continue
        first = place
        if token.low.endswith("n't") or (place and words.tokens[place - 1].low in _AUXILIARIES and not words.ends_clause(place - 1)):
            first = place - (not token.low.endswith("n't"))
        yield Denial(first, last, _reached(words, last))


def _cue_end(words: Words, place: int) -> int:
    """Return the last token of the cue that begins here, −1 if none does."""
    low = words.tokens[place].low
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    if low in _BEFORE_TO:
        return place + 1 if following == "to" else -1
    if low in ("false", "untrue", "myth", "lie"):
        return place + 1 if following == "that" and (not place or words.tokens[place - 1].low != "not") else -1
    if low.endswith("n't") or low in _VERBS:
        return place
    if low not in _CUES or following in _HARMLESS.get(low, ()):
        return -1
    return _bare_cue_end(words, place, low, following)


def _bare_cue_end(words: Words, place: int, low: str, following: str) -> int:
    gap = words.gap(place)
    if low == "non":
        return place if gap == "-" else -1
    before = words.tokens[place - 1].low if place else ""
    if low == "not" and before == "or":
        return -1
    if low == "no":
        if following[:1].isdigit() or (gap.startswith(".") and following[:1].isdigit()) or gap.lstrip()[:1] in tuple(",.:;!?-–—"):
            return -1
        return place + 1 if following in ("longer", "evidence", "proof", "one", "more") else place
    return place


def _reached(words: Words, last: int) -> int:
    """Return the place of the first content word after a cue within its clause."""
    for at in range(last + 1, min(last + 1 + _REACH, len(words.tokens))):
        if words.ends_clause(at - 1):
            return -1
        if is_content(words.tokens[at]):
            return at
    return -1


def _verdict_sentences(words: Words) -> list[tuple[int, int]]:
    """Return the first and last token of each sentence that opens with a publisher's "No,"."""
    found = []
    for place, token in enumerate(words.tokens):
        if (
            token.is_first
            and token.low in ("no", "nope")
            and words.gap(place).lstrip()[:1] in tuple(",:;–—-!.")
            and words.gap(place).strip()
        ):
            end = next((at for at in range(place + 1, len(words.tokens)) if words.tokens[at].is_first), len(words.tokens)) - 1
            is_alone = end == place  # "No. The mayor did not resign."
            found.append((place, end if not is_alone else _sentence_end(words, place + 1)))
    return found


def _sentence_end(words: Words, place: int) -> int:
    return next((at for at in range(place + 1, len(words.tokens)) if words.tokens[at].is_first), len(words.tokens)) - 1


def with_auxiliary(words: Words, place: int) -> int:
    """Return the place of an auxiliary right before a word ("was signed"), or the word's own."""
    before = words.tokens[place - 1].low if place else ""
    return place - 1 if before in _AUXILIARIES and not words.ends_clause(place - 1) else place
