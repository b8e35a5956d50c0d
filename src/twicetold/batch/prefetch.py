"""Claims asked by the hundred: encoded together, and searched together where the index can.

Vectors are the same to the bit, since the encoder never pads. The nearest fact-checks come from products of whole blocks of claims with all
vectors instead of one claim at a time; candidates are then scored one by one as ever, so only ties at the very edge of the candidates could
fall otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from twicetold.collection import Collection
from twicetold.find import encode_ahead
from twicetold.stage import Stage
from twicetold.types import Ranking


def prefetching(collection: Collection) -> Stage:
    """Return the stage that must see the claims first; it hands them on as they are."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        vectors = encode_ahead(collection, [ranking.query for ranking in rankings])
        if collection.vectors is not None:
            collection.vectors.expect(vectors)
        return list(rankings)

    return run
