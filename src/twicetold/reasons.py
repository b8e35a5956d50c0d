"""Why a match was found and how sure that is, in words for people: the same on the page, on the command line and in reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twicetold.text import tidy
from twicetold.types import Match

_SHOWN_WORDS = 6
_PLACED = "ranked here by "


def why(match: Match) -> list[str]:
    """Return the reasons a match was found, the strongest first, in plain words."""
    reasons = [f"It {reason}." for reason in match.reasons if not reason.startswith(_PLACED)]
    cosine = max(match.signals.get("dense.claim", 0.0), match.signals.get("dense.title", 0.0))
    shared, typical = _shared_words(match), _typical_words(match)
    if cosine >= 0.75:
        reasons.append("It says nearly the same.")
    elif cosine >= 0.5:
        reasons.append("It is about the same thing.")
    elif cosine >= 0.3:
        reasons.append("It is about something similar.")
    if shared:
        reasons.append(f"It shares the word{'s' if len(shared) > 1 else ''} {_listed(shared)}.")
    if typical:
        reasons.append(f"It judges in words typical of a check: {_listed(typical)}.")
    return reasons or ["It was the nearest that could be found."]


NEAREST = "Nearest fact-checks; this recipe does not decide"
"""What the matches of an answer without a decision amount to."""


def graded(probability: float) -> str:
    """Return in few words what an answer in review amounts to, by the probability that its first match answers the claim."""
    if probability >= 0.5:
        return "Probably checked before"
    return "Perhaps checked before" if probability >= 0.2 else "Probably not checked before"


def undecided(probability: float) -> str:
    """Say what an answer in review amounts to, and what to do about it.

    Several close checks of one claim share its probability: a low one does not say that none of them answers it. Between a tenth and a
    fifth one in eight was answered where it was measured, which is no "perhaps".
    """
    if probability >= 0.5:
        return graded(probability)
    return graded(probability) + (": look at the nearest" if probability >= 0.2 else "; these are the nearest")


def placed_by(match: Match) -> str:
    """Return how much each kind of evidence moved a reranked match, which is for those who look at numbers; empty if it was not."""
    return next((reason for reason in match.reasons if reason.startswith(_PLACED)), "")


def _shared_words(match: Match) -> list[str]:
    return _distinct(key.text[start:end] for key in match.keys for start, end in key.marks)


def _typical_words(match: Match) -> list[str]:
    return _distinct(key.text[start:end] for key in match.keys for start, end in key.typical)


def _distinct(words: Iterable[str]) -> list[str]:
    seen: dict[str, str] = {}
    for word in words:
        seen.setdefault(word.casefold(), tidy(word))
    return list(seen.values())[:_SHOWN_WORDS]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
