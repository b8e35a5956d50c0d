"""Tweets and the Snopes claims that answer them: Known Lie (2020), CheckThat 2020 task 2 and CheckThat 2021 task 2A.

The three hold the same tweets: see `leaks`. None has article bodies (the tweet is quoted in them).
Shaar et al. 2020, "That is a Known Lie"; CheckThat lab overviews 2020 and 2021.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from twicetold.errors import BadData
from twicetold.ingest import datasets as published
from twicetold.types import Claim, FactCheck
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import qrels, quoted, strict
from twicetold_lab.datasets.splits import sentence_splits


def checkthat_2020(folder: Path) -> Dataset:
    """Load CheckThat 2020 task 2: splits train, dev and test."""
    claims: list[Claim] = []
    judged: dict[str, dict[str, int]] = {}
    splits: dict[str, tuple[str, ...]] = {}
    for split in ("train", "dev", "test"):
        rows = quoted(folder / split / "tweets.queries.tsv", columns=2)
        next(rows, None)
        asked = [Claim(id, text) for id, text in rows]
        splits[split] = tuple(claim.id for claim in asked)
        claims += asked
        judged |= qrels(folder / split / "tweet-vclaim-pairs.qrels")
    return Dataset("checkthat-2020-task2", lambda: strict(published.checkthat2020(folder)), tuple(claims), judged, splits, files=(folder,))


def checkthat_2021a(folder: Path) -> Dataset:
    """Load CheckThat 2021 task 2A: splits train and dev. Its dev tweets are the test tweets of 2020."""
    claims = tuple(Claim(id, text) for id, text in quoted(folder / "tweets-train-dev.tsv", columns=2))
    train, dev = qrels(folder / "qrels-train.tsv"), qrels(folder / "qrels-dev.tsv")
    splits = {"train": tuple(train), "dev": tuple(dev)}
    return Dataset(
        "checkthat-2021-task2a", lambda: strict(published.checkthat2021_2a(folder)), claims, train | dev, splits, files=(folder,)
    )


def known_lie_checks(path: Path) -> Iterator[FactCheck]:
    """Read Known Lie's `verified-claims.tsv`: title, fact. It has no ids; a claim's id is its row in the file, from `snopes-1`."""
    rows = quoted(path, columns=2)
    next(rows, None)
    for number, (title, claim) in enumerate(rows, start=1):
        yield FactCheck(f"snopes-{number}", claim=claim, title=title, publisher="Snopes", lang="en")


def known_lie(folder: Path) -> Dataset:
    """Load the Snopes part of Known Lie: 999 pairs of 997 tweets. Splits are random, from seeds: none is shipped.

    Pairs are joined by the exact text of the claim; a claim that stands in two rows is answered by either.
    """
    corpus = folder / "snopes" / "verified-claims.tsv"
    ids: dict[str, list[str]] = {}
    for check in known_lie_checks(corpus):
        ids.setdefault(check.claim, []).append(check.id)
    claims: dict[str, Claim] = {}
    judged: dict[str, dict[str, int]] = {}
    pairs = quoted(folder / "snopes" / "fact-checking" / "tweet-veclaim-pairs.tsv", columns=2)
    next(pairs, None)
    for tweet, fact in pairs:
        if fact not in ids:
            raise BadData(f"{folder}: the pairs name a claim that verified-claims.tsv lacks: {fact!r:.120}")
        id = text_id("tweet", tweet)
        claims.setdefault(id, Claim(id, tweet))
        judged.setdefault(id, {}).update(dict.fromkeys(ids[fact], 1))
    return Dataset(
        "known-lie-snopes",
        lambda: known_lie_checks(corpus),
        tuple(claims.values()),
        judged,
        sentence_splits(tuple(claims)),
        files=(corpus,),
    )


def text_id(kind: str, text: str) -> str:
    """Make an id for a text that its publisher gave none: the same text, the same id."""
    return f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def twin_key(check: FactCheck) -> str:
    """Return what near-duplicate claims share: their letters and digits. 190 groups of Snopes claims differ in quote style only."""
    return re.sub(r"[\W_]+", "", check.claim).casefold()
