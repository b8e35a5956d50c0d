"""A data set: fact-checks, claims, and which fact-check answers which claim.

A `Dataset` is checked when it is made: a query id twice, an empty query, a judgement or a split that names an unknown query is an
error, never a quiet loss. Judgements of unknown fact-checks are found by `orphans`, which must read the corpus.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from twicetold.errors import BadData, BadInput
from twicetold.types import Claim, FactCheck, natural
from twicetold_lab.datasets.layout import Qrels


@dataclass(frozen=True, slots=True)
class Dataset:
    """Claims to look up among `checks`, with the right answers.

    `categories` says, where the publisher does, of what kind a (query, document) pair is. `candidates`, where not empty, are the
    documents each query is to choose from; elsewhere it is the whole corpus. `files` are the files and folders the corpus is read from;
    `asked_in` and `judged_in` name where queries and judgements stand, for messages.
    """

    name: str
    source: Callable[[], Iterator[FactCheck]]
    claims: tuple[Claim, ...]
    qrels: Qrels
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    categories: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    candidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    licence: str = ""
    leaks: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    asked_in: str = ""
    judged_in: str = ""

    def __post_init__(self) -> None:
        counts = Counter(claim.id for claim in self.claims)
        asked, judged = self.asked_in or self.name, self.judged_in or self.name
        _none(asked, "query id given twice", (id for id, count in counts.items() if count > 1), "make ids unique")
        _none(asked, "empty query", (claim.id for claim in self.claims if not claim.text.strip()), "give it a text, or take it out")
        _none(
            judged,
            "judgement of an unknown query",
            (id for id in self.qrels if id not in counts),
            f"add the query to {self.asked_in or 'the queries'}, or take the judgement out",
        )
        for split, ids in self.splits.items():
            _none(self.name, f"unknown query in split {split!r}", (id for id in ids if id not in counts), "take it out")

    def checks(self) -> Iterator[FactCheck]:
        """Read the corpus from the beginning."""
        return self.source()

    def split(self, name: str) -> Dataset:
        """Return the same corpus with only the queries of one split, in its order."""
        if name not in self.splits:
            raise BadInput(f"{self.name} has no split {name!r}; it has {', '.join(self.splits) or 'none'}")
        return dataclasses.replace(self.only(self.splits[name]), name=f"{self.name}/{name}")

    def only(self, ids: Iterable[str]) -> Dataset:
        """Return the same corpus with only these queries, in their order."""
        kept = tuple(ids)
        by_id = {claim.id: claim for claim in self.claims}
        _none(self.name, "unknown query asked for", (id for id in kept if id not in by_id), "ask for others")
        return dataclasses.replace(
            self,
            claims=tuple(by_id[id] for id in kept),
            qrels={id: self.qrels[id] for id in kept if id in self.qrels},
            splits={},
            categories={id: self.categories[id] for id in kept if id in self.categories},
            candidates={id: self.candidates[id] for id in kept if id in self.candidates},
        )

    def orphans(self) -> list[str]:
        """List the judged document ids that the corpus lacks. Reads the whole corpus."""
        known = {check.id for check in self.checks()}
        return sorted({doc for judged in self.qrels.values() for doc in judged if doc not in known}, key=natural)


def _none(where: str, trouble: str, ids: Iterable[str], advice: str) -> None:
    found = list(ids)
    if found:
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        raise BadData(f"{where}: {trouble}: {', '.join(map(repr, found[:3]))}{more}; {advice}")
