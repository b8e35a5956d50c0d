"""What an answer amounts to, in words for people: the same on the page, on the command line and in reports."""

from __future__ import annotations

from twicetold.judge.differences import said
from twicetold.types import Decision, Lane, Match, Ranking, ReasonKind

NEAREST = "Nearest fact-checks; this recipe does not decide"
"""What the matches of an answer without a decision amount to."""
_NOTHING = "It was the nearest that could be found."


def why(match: Match) -> list[str]:
    """Return the reasons a match was found, in plain words."""
    return [reason.text for reason in match.reasons if reason.kind is not ReasonKind.PLACED] or [_NOTHING]


def placed_by(match: Match) -> str:
    """Return how much each kind of evidence moved a reranked match, for those who look at numbers; empty if it was not reranked."""
    return next((reason.text for reason in match.reasons if reason.kind is ReasonKind.PLACED), "")


def graded(probability: float) -> str:
    """Return in few words what an answer in review amounts to, by the probability that one of its matches answers the claim."""
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


def gist(ranking: Ranking) -> str:
    """Return what to say above matches that are not certain to answer, without a full stop; empty for a matched claim."""
    if ranking.decision is None:
        return NEAREST
    if ranking.decision.lane is Lane.DIFFERS:
        return "Close, but not the same"
    return undecided(ranking.decision.probability) if ranking.decision.lane is Lane.REVIEW else ""


def doubt(ranking: Ranking) -> str:
    """Return the gist, with how probable an answer is where that was worked out."""
    if ranking.decision is None or ranking.decision.lane is not Lane.REVIEW:
        return gist(ranking)
    return f"{gist(ranking)} ({sure(ranking.decision)})"


def sure(decision: Decision) -> str:
    """Return how probable an answer is, in words."""
    return f"{percent(decision.probability)} sure of the first"


def percent(probability: float) -> str:
    """Return a probability as people write it.

    >>> percent(0.31), percent(0.004), percent(0.999)
    ('31%', 'under 1%', 'over 99%')
    """
    if 0 < probability < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < probability < 1 else f"{probability:.0%}"


def differing(match: Match) -> list[str]:
    """Return what was changed between the claim and what was checked, a sentence for each difference."""
    return [said(difference) for difference in match.differences]
