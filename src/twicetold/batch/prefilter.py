"""Posts not worth a search, and why: another language, nothing to check in them, or nothing like them in the collection.

A post that names a link known to the collection always passes. What is taken away here is reported as skipped, so every filter is off
unless asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from twicetold.batch.ledger import Screening
from twicetold.batch.quick import Snapshot, chances
from twicetold.collection import Collection
from twicetold.find import Query
from twicetold.scan.worth import by_form
from twicetold.types import Line


class Prefilter:
    """Says of each post why it is not searched, or ""."""

    def __init__(self, collection: Collection, screening: Screening) -> None:
        self._collection = collection
        self._screening = screening

    def __call__(self, posts: Sequence[tuple[Query, bool]]) -> list[str]:
        """Return a reason for each (post, whether it names a known link)."""
        reasons = ["" if is_linked else self._reason(query) for query, is_linked in posts]
        if not self._screening.near:
            return reasons
        open_ = [place for place, (_, is_linked) in enumerate(posts) if not is_linked and not reasons[place]]
        for place, chance in zip(open_, chances(self._snapshot, [posts[place][0] for place in open_]), strict=True):
            if chance < self._screening.near:
                reasons[place] = f"far: {chance:.3f}"
        return reasons

    @cached_property
    def _snapshot(self) -> Snapshot:
        return Snapshot(self._collection)

    def _reason(self, query: Query) -> str:
        if not any(map(str.isalnum, query.text)):
            return "no words"
        if self._screening.langs and query.lang not in self._screening.langs:
            return f"language: {query.lang}"
        if self._screening.worth and by_form([Line("", query.text)], 0) < self._screening.worth:
            return "not worth checking"
        return ""
