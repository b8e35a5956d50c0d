"""FactCheckTweet (Kazemi et al. 2022): tweets, and 86,376 fact-check articles of some hundred publishers.

Tweet ids are printed as floating-point numbers by the publisher: they are opaque texts here, as many have lost digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from twicetold.ingest import datasets as published
from twicetold.types import Claim, FactCheck
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import qrels, quoted, strict


def checks(place: Path) -> Iterator[FactCheck]:
    """Read the articles from the folder, or from `fact-check-tweet-vclaims.jsonl` itself."""
    return strict(published.factchecktweet(place))


def load(folder: Path) -> Dataset:
    """Load the English tweets: splits train and dev."""
    claims: list[Claim] = []
    judged: dict[str, dict[str, int]] = {}
    splits: dict[str, tuple[str, ...]] = {}
    for split in ("Train", "Dev"):
        rows = quoted(folder / f"FC-EN-{split}_Queries.tsv", columns=2)
        next(rows, None)
        asked = [Claim(id, text) for id, text in rows]
        claims += asked
        splits[split.lower()] = tuple(claim.id for claim in asked)
        judged |= qrels(folder / f"FC-EN-{split}_QRELs.tsv")
    return Dataset("factchecktweet", lambda: checks(folder), tuple(claims), judged, splits, files=(folder,))
