"""The judgements that teach, calibrate and measure, as they are kept: claims, relations and written versions, in JSON Lines.

`claims.jsonl`     a claim a line: id, part (teach, calibrate, measure), collection, origin; the text only where we wrote it
`relations.jsonl`  a judged pair a line: claim, check, collection, part, relation, main (a `part` that is the claim's main statement),
                   ours and theirs (the words that differ), judge
`versions.jsonl`   a real fact-check a line, retold: two faithful wordings, two with one thing changed, one other statement on its topic

Texts of others are never kept: ids point into the public sets. `docs` beside the files is the data card. Nothing here judges.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold.types import ANSWERING, CHANGED, Relation

PARTS = ("teach", "calibrate", "measure")
UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim that was judged. `text` is empty where it is somebody else's: `origin` and id say where it stands."""

    id: str
    part: str
    collection: str
    origin: str
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One judge's word on one pair; `relation` is None where the judge was unsure."""

    claim: str
    check: str
    collection: str
    part: str
    relation: Relation | None
    main: bool = False
    ours: str = ""
    theirs: str = ""
    judge: str = ""

    @property
    def answers(self) -> bool | None:
        """Whether the check answers the claim; None where the pair counts for nothing."""
        if self.relation is None or (self.relation is Relation.PART and not self.main):
            return None
        return self.relation in ANSWERING or self.relation is Relation.PART

    @property
    def is_changed(self) -> bool:
        """Whether the check speaks of the same statement with one thing changed."""
        return self.relation in CHANGED


def read_claims(folder: Path) -> dict[str, JudgedClaim]:
    """Read the claims, by id."""
    claims = [JudgedClaim(**{name: str(row.get(name, "")) for name in JudgedClaim.__slots__}) for row in _rows(folder / "claims.jsonl")]
    for claim in claims:
        if claim.part not in PARTS:
            raise BadData(f"{folder}: the claim {claim.id} has the part {claim.part!r}; wanted one of {', '.join(PARTS)}")
    return {claim.id: claim for claim in claims}


def read_pairs(folder: Path) -> list[JudgedPair]:
    """Read every judgement, those of second judges too."""
    return [_pair(row, folder) for row in _rows(folder / "relations.jsonl")]


def first_words(pairs: list[JudgedPair]) -> dict[tuple[str, str], JudgedPair]:
    """Return the first judgement of each pair, by claim and check."""
    found: dict[tuple[str, str], JudgedPair] = {}
    for pair in pairs:
        found.setdefault((pair.claim, pair.check), pair)
    return found


def _pair(row: Mapping[str, Any], folder: Path) -> JudgedPair:
    told = str(row.get("relation", ""))
    if told != UNSURE and told not in list(Relation):
        raise BadData(
            f"{folder}: the pair {row.get('claim')} / {row.get('check')} has the relation {told!r}; wanted one of {', '.join(Relation)}"
        )
    texts = {name: str(row.get(name, "")) for name in ("claim", "check", "collection", "part", "ours", "theirs", "judge")}
    return JudgedPair(relation=None if told == UNSURE else Relation(told), main=bool(row.get("main")), **texts)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise BadData(f"no judgements at {path}; give the folder that holds claims.jsonl and relations.jsonl")
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
            except ValueError:
                raise BadData(f"{path}, line {number}: not JSON") from None
            if not isinstance(row, dict):
                raise BadData(f"{path}, line {number}: wanted an object, got {line.strip()!r:.80}")
            yield row
