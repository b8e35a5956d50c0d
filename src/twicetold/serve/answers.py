"""What requests may ask for at most, and rankings as the command line prints them. Claims are answered by `twicetold.answer`."""

from __future__ import annotations

from typing import Any

from twicetold.answer.headline import headline
from twicetold.answer.phrases import differing
from twicetold.answer.ratings import publisher_of, rating_of
from twicetold.types import SCHEMA, FactCheck, Match, Ranking, to_json

MOST_CHARS = 20_000
MOST_TOP = 100


def compact_json(ranking: Ranking) -> dict[str, Any]:
    """Return what a reader needs of a ranking: the answer in a line, and of each match who checked what and rated it how."""
    decision = ranking.decision
    about: dict[str, Any] = {"claim": ranking.query.text, "answer": headline(ranking)}
    about |= {"lane": decision.lane.value, "probability": round(decision.probability, 3)} if decision else {"lane": "ranked"}
    return about | {"matches": [_compact(match) for match in ranking.matches]}


def _compact(match: Match) -> dict[str, Any]:
    check = match.doc
    if not isinstance(check, FactCheck):
        return {"id": check.id, "text": check.text}
    told = {"id": check.id, "claim": check.claim or check.title, "rating": rating_of(check), "verdict": check.verdict.value}
    told |= {"publisher": publisher_of(check), "published": check.published, "url": check.url, "lang": check.lang}
    told |= {"relation": match.relation.value if match.relation else "", "differs": " ".join(differing(match))}
    told |= {"key_sentence": match.keys[0].text if match.keys else "", "also_checked_by": ", ".join(twin.publisher for twin in match.twins)}
    return {name: value for name, value in told.items() if value}


def ranking_json(ranking: Ranking) -> dict[str, Any]:
    """Return the JSON form of a ranking, as the command line prints it."""
    return {"schema": SCHEMA, **to_json(ranking)}
