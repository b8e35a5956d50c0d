"""What requests may ask for at most, and rankings as the command line prints them. Claims are answered by `twicetold.answer`."""

from __future__ import annotations

from typing import Any

from twicetold.types import SCHEMA, Ranking, to_json

MOST_CHARS = 20_000
MOST_TOP = 100


def ranking_json(ranking: Ranking) -> dict[str, Any]:
    """Return the JSON form of a ranking, as the command line prints it."""
    return {"schema": SCHEMA, **to_json(ranking)}
