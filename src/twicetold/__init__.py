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
from pathlib import Path

from twicetold.collection import Collection, Settings
from twicetold.errors import TwicetoldError
from twicetold.filters import Filters
from twicetold.stage import Stage, ask, chain, cut, fuse
from twicetold.types import Claim, FactCheck, Match, Ranking

__all__ = [
    "Claim", "Collection", "FactCheck", "Filters", "Match", "Ranking", "Settings", "Stage", "TwicetoldError", "ask", "chain", "cut",
    "fuse", "match",
]  # fmt: skip

# From 1.29 on onnxruntime reports its use to its maker unless this is set before it is loaded, which happens later. What is looked up
# here is nobody else's business.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def match(
    claim: str | Claim,
    collection: str | Path | Collection,
    *,
    recipe: str = "best",
    top: int = 5,
    risk: float = 0.05,
    filters: Filters | None = None,
) -> Ranking:
    """Find the fact-checks that answer a claim, best first, each with its key sentence.

    By the recipe `best` the ranking also has a `decision`: whether any of them answers the claim, at the error tolerated (`risk`). For
    many claims open the `Collection` once and ask a `twicetold.answer.Answerer`.
    """
    from twicetold.answer import Answerer, Asking, recipe_named

    if not isinstance(collection, Collection):
        with Collection.open(collection) as opened:
            opened.refresh()
            return match(claim, opened, recipe=recipe, top=top, risk=risk, filters=filters)
    answerer = Answerer(collection, recipe_named(recipe), Asking(top=top, risk=risk, filters=filters or Filters()))
    [ranking] = answerer([claim if isinstance(claim, Claim) else Claim("claim", claim)])
    return ranking
