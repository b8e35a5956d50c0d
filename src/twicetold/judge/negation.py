"""Denials in a text: which words stand under a "not", "never", "no longer", "refuses to", and which merely look like it.

A denial reaches to the first content word after it in its clause. Two in a row cancel ("not false", "never failed to"). "Not only", "no
doubt" and "No. 1" deny nothing; nor does the "no" that opens a verdict ("No, the mayor did not resign"): that denial is the publisher's,
and the statement that was checked is the plain one. English only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
_REACH, _SCOPE = 4, 8
"""Tokens after a cue within which the word it reaches stands, and all the words under it."""
_WIDE = 14
_TURNS = frozenset({"but", "because", "while", "who", "which", "when", "if", "although", "though"})
"""Words that begin another statement, which a denial before them does not touch."""
_AFTER_NO = tuple(",:;–—-!.")


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial: the tokens of its cue, and the places of the content words under it. It reaches the first of them (−1: none)."""

    first: int
    last: int
    scope: tuple[int, ...]

    @property
    def reaches(self) -> int:
        """The place of the first content word under it, −1 if there is none."""
        return self.scope[0] if self.scope else -1


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


def scopes(words: Words, found: Iterable[Denial], *, is_wide: bool = False) -> frozenset[str]:
    """Return the lemmas of all words under these denials; a wide scope reaches on over the items of a list."""
    return frozenset(words.lemmas[place] for denial in found for place in (_wide(words, denial.last) if is_wide else denial.scope))


def _wide(words: Words, last: int) -> Iterator[int]:
    for at in range(last + 1, min(last + 1 + _WIDE, len(words.tokens))):
        if words.tokens[at].is_first or words.tokens[at].low in _TURNS:
            return
        if is_content(words.tokens[at]):
            yield at


def _cues(words: Words) -> Iterator[Denial]:
    verdicts = _verdict_sentences(words)
    for place, token in enumerate(words.tokens):
        last = _cue_end(words, place)
        if last < 0 or any(first <= place <= end for first, end in verdicts):
            continue
        first = place
        if token.low.endswith("n't") or (place and words.tokens[place - 1].low in _AUXILIARIES and not words.ends_clause(place - 1)):
            first = place - (not token.low.endswith("n't"))
        yield Denial(first, last, _scope(words, last))


def _cue_end(words: Words, place: int) -> int:
    """Return the last token of the cue that begins here, −1 if none does."""
    low = words.tokens[place].low
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    if low in _BEFORE_TO:
        return place + 1 if following == "to" else -1
    if low in ("false", "untrue", "myth", "lie"):
        return place + 1 if following == "that" and (not place or words.tokens[place - 1].low != "not") else -1
    if low.endswith("n't") or (low in _VERBS and (not place or words.gap(place - 1) != "-")):
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
        if before in ("voted", "vote", "votes", "voting", "said", "say", "says"):
            return -1
        if following[:1].isdigit() or (gap.startswith(".") and following[:1].isdigit()) or gap.lstrip()[:1] in tuple(",.:;!?-–—"):
            return -1
        return place + 1 if following in ("longer", "evidence", "proof", "one", "more") else place
    return place


def _scope(words: Words, last: int) -> tuple[int, ...]:
    """Return the places of the content words after a cue within its clause; the first must be near."""
    found: list[int] = []
    for at in range(last + 1, min(last + 1 + _SCOPE, len(words.tokens))):
        if words.ends_clause(at - 1) or (not found and at > last + _REACH):
            break
        if is_content(words.tokens[at]):
            found.append(at)
    return tuple(found)


def _verdict_sentences(words: Words) -> list[tuple[int, int]]:
    """Return the first and last token of each sentence that opens with a publisher's "No,"."""
    found = []
    for place, token in enumerate(words.tokens):
        if token.is_first and token.low in ("no", "nope") and words.gap(place).lstrip()[:1] in _AFTER_NO:
            end = _sentence_end(words, place)
            found.append((place, end if end > place else _sentence_end(words, place + 1)))  # "No. The mayor did not resign."
    return found


def _sentence_end(words: Words, place: int) -> int:
    return next((at for at in range(place + 1, len(words.tokens)) if words.tokens[at].is_first), len(words.tokens)) - 1


def with_auxiliary(words: Words, place: int) -> int:
    """Return the place of an auxiliary right before a word ("was signed"), or the word's own."""
    before = words.tokens[place - 1].low if place else ""
    return place - 1 if before in _AUXILIARIES and not words.ends_clause(place - 1) else place
