"""The answer in one line, the same at every door: "Checked before: rated False by PolitiFact, 4 May 2019".

Also which matches are worth showing at once. Both go by the decision and by what was read of each pair, never by scores.
"""

from __future__ import annotations

from twicetold.answer.group import answering, family
from twicetold.answer.phrases import differing, graded
from twicetold.answer.ratings import day, publisher_of, rating_of
from twicetold.judge.differences import SENTENCES
from twicetold.types import ANSWERING, CHANGED, FactCheck, Lane, Match, Ranking, Relation

_LONGEST_RATING = 60
_NEAREST_SHOWN, _DOUBTED_SHOWN = 5, 3
"""How many matches are shown at once where nothing was decided, and where nobody can say which of them answers."""
_WORTH_A_LOOK = 0.2
"""From this probability on an answer in review is called "perhaps checked before"."""


def headline(ranking: Ranking, *, held: int = 0, is_filtered: bool = False) -> str:
    """Return the answer in one line, without a full stop. `held` fact-checks were looked through: all, or those that pass filters."""
    if ranking.is_empty:
        return _nothing(held, is_filtered)
    first, decision = ranking.matches[0], ranking.decision
    if decision is None:
        return "The nearest fact-checks"
    if first.part:
        return f"A part of it was checked before{verdict_of(first)}"
    if decision.lane is Lane.MATCHED:
        return f"Checked before{verdict_of((answering(ranking) or ranking.matches)[0])}"
    if decision.lane is Lane.DIFFERS:
        return f"Close, but not the same{_what_differs(ranking)}"
    if all(match.answers is None for match in ranking.matches) and decision.probability == 0.0:
        return "Perhaps checked before: these are the nearest, and none could be read together with the claim"
    if decision.probability < _WORTH_A_LOOK:
        return f"{graded(decision.probability)}; these are the nearest"
    return f"{graded(decision.probability)}{verdict_of(first)}"


def _nothing(held: int, is_filtered: bool) -> str:
    checks = f"{held:,} fact-check{'s' if held != 1 else ''}"
    if is_filtered:
        return (
            f"Nothing found in the {checks} that pass{'es' if held == 1 else ''} the filters"
            if held
            else "No fact-check passes the filters"
        )
    return f"Nothing found in {checks}" if held else "Nothing found"


def verdict_of(match: Match) -> str:
    """Return who rated it how and when, to go on a sentence: ": rated False by PolitiFact, 4 May 2019" or " by PolitiFact, 4 May 2019"."""
    check = match.doc
    if not isinstance(check, FactCheck):
        return ""
    rating, publisher, published = rating_of(check), publisher_of(check), day(check.published)
    rating = rating if len(rating) <= _LONGEST_RATING else rating[: _LONGEST_RATING - 1].rstrip() + "…"
    rated = f": rated {rating}" if rating else ""
    return rated + (f" by {publisher}" if publisher else "") + (f", {published}" if published else "")


def _what_differs(ranking: Ranking) -> str:
    changed = next((match for match in ranking.matches if match.relation in CHANGED), ranking.matches[0])
    said = differing(changed) or [SENTENCES[changed.relation]] if changed.relation else []
    return f": {said[0][:1].lower()}{said[0][1:].removesuffix('.')}" if said else ""


def agreeing(match: Match) -> str:
    """Say how what was checked stands to what was said; empty where the pair was not read."""
    return SENTENCES[match.relation] if match.relation is not None else ""


def shown_and_folded(ranking: Ranking) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
    """Return the matches to show at once, and the less likely ones, each in their order.

    Unless nothing was found, at least one is shown at once; of a claim that nothing answers, none.
    """
    if ranking.is_empty:
        return (), ranking.matches
    shown = _worth_showing(ranking) or ranking.matches[:1]
    ids = {match.doc.id for match in shown}
    return tuple(shown), tuple(match for match in ranking.matches if match.doc.id not in ids)


def _worth_showing(ranking: Ranking) -> tuple[Match, ...]:
    if ranking.decision is None:
        return ranking.matches[:_NEAREST_SHOWN]
    is_read = any(match.relation is not None for match in ranking.matches)
    if is_read:
        near = ANSWERING | CHANGED | {Relation.PART}
        return tuple(match for match in ranking.matches if match.relation in near or match.part)
    if ranking.decision.lane is Lane.MATCHED:
        return family(ranking)
    return tuple(match for place, match in enumerate(ranking.matches) if match.part or place < _DOUBTED_SHOWN)
