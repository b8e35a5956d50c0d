"""Verify an unpacked data root: every set there is read whole, counted, and searched for orphans and duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from twicetold.errors import TwicetoldError
from twicetold_lab.datasets import SETS, Dataset, catalog, load
from twicetold_lab.datasets.families import FAMILIES, Family
from twicetold_lab.datasets.snopes import twin_key


class Health(StrEnum):
    """What was found of a set."""

    GOOD = "good"
    ABSENT = "absent"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Verified:
    """A set and what was found; `said` is one line for a person."""

    name: str
    health: Health
    said: str


def verify(root: Path) -> Iterator[Verified]:
    """Read every set, yielding each as it is done. A set that is not there is absent, not bad."""
    for name in SETS:
        yield _verified_set(name, root)
    for family in FAMILIES:
        yield _verified_family(family, root)


def _verified_set(name: str, root: Path) -> Verified:
    needed = [root / folder for folder in catalog()[name].folders]
    if name.startswith("mtm-"):
        needed.append(needed[0] / "raw")
    if absent := [folder for folder in needed if not folder.exists()]:
        return Verified(name, Health.ABSENT, f"no {absent[0]}")
    try:
        return _judged(load(name, root))
    except TwicetoldError as error:
        return Verified(name, Health.BAD, str(error))


def _judged(dataset: Dataset) -> Verified:
    ids: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    for check in dataset.checks():
        ids[check.id] += 1
        claims[twin_key(check) or check.id] += 1
    counts = len(ids), len(dataset.claims), sum(map(len, dataset.qrels.values()))
    said = f"{counts[0]:,} fact-checks, {counts[1]:,} queries, {counts[2]:,} judged pairs"
    twins = sum(count - 1 for count in claims.values())
    said += f"; {twins:,} repeat another's claim" if twins else ""
    troubles = []
    if counts != (expected := catalog()[dataset.name].counts):
        troubles.append(f"expected {expected[0]:,}, {expected[1]:,} and {expected[2]:,}")
    if lost := {doc for judged in dataset.qrels.values() for doc in judged if doc not in ids}:
        troubles.append(f"{len(lost)} judged fact-checks are not in the corpus, such as {min(lost)!r}")
    if twice := [id for id, count in ids.items() if count > 1]:
        troubles.append(f"{len(twice)} ids are given twice, such as {twice[0]!r}")
    return Verified(dataset.name, Health.BAD if troubles else Health.GOOD, "; ".join([said, *troubles]))


def _verified_family(family: Family, root: Path) -> Verified:
    if not (root / family.top).exists():
        return Verified(family.name, Health.ABSENT, f"no {root / family.top}")
    try:
        count = sum(1 for _ in family.rows(root))
    except TwicetoldError as error:
        return Verified(family.name, Health.BAD, str(error))
    is_right = count == family.count
    said = f"{count:,} rows" + ("" if is_right else f"; expected {family.count:,}")
    return Verified(family.name, Health.GOOD if is_right else Health.BAD, said)
