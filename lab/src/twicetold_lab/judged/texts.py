"""The texts that judgements speak of, looked up in the public sets: only ids of others' texts are kept.

A claim's id begins with the place it came from: `written:`, `debate:`, `fct-train:`, `fct-dev:`, `ct2020-train:` or `cb:` (a ClaimBuster
sentence, by a hash of its text). Collections are `demo`, `politifact` (CheckThat 2021 2B) and `fct` (FactCheckTweet).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from twicetold import demo
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.ingest import datasets as published
from twicetold.types import Claim, FactCheck, from_json
from twicetold_lab import datasets
from twicetold_lab.datasets import checkworthy
from twicetold_lab.datasets.layout import strict
from twicetold_lab.judged.files import JudgedClaim

_SETS = {
    "debate": ("role-of-context",),
    "fct-train": ("factchecktweet",),
    "fct-dev": ("factchecktweet",),
    "ct2020-train": ("checkthat-2020-task2",),
}

COLLECTIONS: dict[str, Callable[[Path], Iterator[FactCheck]]] = {
    "demo": lambda root: (from_json(FactCheck, record) for record in demo.checks()),
    "politifact": lambda root: strict(published.checkthat2021_2b(root / "checkthat-2021-task2b")),
    "fct": lambda root: strict(published.factchecktweet(root / "factchecktweet")),
}
"""How the fact-checks of each collection are read from a data root."""


def claims(judged: Mapping[str, JudgedClaim], root: Path) -> dict[str, Claim]:
    """Return every judged claim with its text, by id. Raises BadData where a set is missing, BadInput for an origin nobody knows."""
    found = {id: Claim(id, claim.text) for id, claim in judged.items() if claim.text}
    wanted: dict[str, set[str]] = {}
    for id, claim in judged.items():
        if id not in found:
            wanted.setdefault(claim.origin, set()).add(id)
    for origin, ids in wanted.items():
        found |= {id: claim for id, claim in _of_origin(origin, root) if id in ids}
    return found


def checks(collection: str, root: Path, wanted: set[str]) -> dict[str, FactCheck]:
    """Return the named fact-checks of a collection."""
    if collection not in COLLECTIONS:
        raise BadInput(f"no collection is called {collection!r}; there are {', '.join(COLLECTIONS)}")
    return {check.id: check for check in COLLECTIONS[collection](root) if check.id in wanted}


def collection(name: str, root: Path, cache: Path) -> Collection:
    """Open the collection of that name, made in the cache if it is not there: all its fact-checks, indexed by words and meaning."""
    folder = cache / f"judged-{name}"
    if not folder.exists():
        with Collection.create(folder) as made:
            for _ in made.add(COLLECTIONS[name](root)):
                pass
            made.index()
    return Collection.open(folder)


def sentence_id(text: str) -> str:
    """Return the id of a ClaimBuster sentence."""
    return f"cb:{hashlib.sha256(text.encode()).hexdigest()[:10]}"


def _of_origin(origin: str, root: Path) -> Iterator[tuple[str, Claim]]:
    if origin == "claimbuster":
        for sentence in checkworthy.claimbuster(root / "checkworthy" / "claimbuster" / "groundtruth.csv"):
            yield sentence_id(sentence.text), Claim(sentence_id(sentence.text), sentence.text)
    elif origin in _SETS:
        for name in _SETS[origin]:
            for claim in datasets.load(name, root).claims:
                id = f"{origin}:{claim.id}"
                yield id, Claim(id, claim.text, claim.context, said_by=claim.said_by, said_on=claim.said_on)
    else:
        raise BadInput(f"no claims come from {origin!r}; there are claimbuster, {', '.join(_SETS)} and written")
