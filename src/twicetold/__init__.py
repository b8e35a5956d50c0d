"""Has this claim been fact-checked before?

>>> import tempfile, twicetold
>>> folder = tempfile.mkdtemp()
>>> with twicetold.Collection.create(folder) as collection:
...     _ = list(collection.add([twicetold.FactCheck("fc-1", claim="Garlic cures the flu", rating="False")]))
...     collection.index()
>>> twicetold.match("Does garlic cure flu?", folder).matches[0].doc.rating
'False'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, overload

from twicetold.client import Client
from twicetold.collection import Collection, Settings
from twicetold.display import frame_of
from twicetold.errors import TwicetoldError
from twicetold.filters import Filters
from twicetold.stage import Stage, ask, chain, cut, fuse
from twicetold.types import Claim, FactCheck, Match, Ranking

__all__ = [
    "Claim", "Client", "Collection", "FactCheck", "Filters", "Match", "Ranking", "Settings", "Stage", "TwicetoldError", "ask",
    "chain", "cut", "fuse", "match", "to_dataframe",
]  # fmt: skip

# From 1.29 on onnxruntime reports its use to its maker unless this is set before it is loaded, which happens later. What is looked up
# here is nobody else's business.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


@overload
def match(  # type: ignore[overload-overlap]  # a text is also an iterable of texts
    claim: str | Claim,
    collection: str | Path | Collection,
    *,
    recipe: str = "best",
    top: int = 5,
    risk: float = 0.05,
    filters: Filters | None = None,
) -> Ranking: ...
@overload
def match(
    claim: Iterable[str | Claim],
    collection: str | Path | Collection,
    *,
    recipe: str = "best",
    top: int = 5,
    risk: float = 0.05,
    filters: Filters | None = None,
) -> list[Ranking]: ...
def match(
    claim: str | Claim | Iterable[str | Claim],
    collection: str | Path | Collection,
    *,
    recipe: str = "best",
    top: int = 5,
    risk: float = 0.05,
    filters: Filters | None = None,
) -> Ranking | list[Ranking]:
    """Find the fact-checks that answer a claim, best first, each with its key sentence; of many claims, a list in their order.

    By the recipe `best` the ranking also has a `decision`: whether any of them answers the claim, at the error tolerated (`risk`).
    """
    from twicetold.answer import Answerer, Asking, recipe_named

    if not isinstance(collection, Collection):
        with Collection.open(collection) as opened:
            opened.refresh()
            return match(claim, opened, recipe=recipe, top=top, risk=risk, filters=filters)
    answerer = Answerer(collection, recipe_named(recipe), Asking(top=top, risk=risk, filters=filters or Filters()))
    if isinstance(claim, str | Claim):
        [ranking] = answerer([claim if isinstance(claim, Claim) else Claim("claim", claim)])
        return ranking
    return answerer([one if isinstance(one, Claim) else Claim(f"c{number}", one) for number, one in enumerate(claim, start=1)])


def to_dataframe(rankings: Sequence[Ranking]) -> Any:
    """Return a pandas data frame with a row for each match of each claim. Raises TwicetoldError where pandas is not installed."""
    return frame_of(rankings)
