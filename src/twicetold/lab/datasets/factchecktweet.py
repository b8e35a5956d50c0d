"""FactCheckTweet (Kazemi et al. 2022): tweets, and 86,376 fact-check articles of some hundred publishers.

Tweet ids are printed as floating-point numbers by the publisher: they are opaque texts here, as many have lost digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from twicetold.lab.datasets.dataset import Dataset
from twicetold.lab.datasets.layout import field, iso_date, json_lines, qrels, quoted
from twicetold.types import Claim, FactCheck


def checks(path: Path) -> Iterator[FactCheck]:
    """Read `fact-check-tweet-vclaims.jsonl`: the field `vclaim` is the whole article. Unread dates are kept in `other`."""
    for record in json_lines(path):
        date = field(record, "date", path)
        published = iso_date(date)
        yield FactCheck(
            field(record, "vclaim_id", path),
            claim=field(record, "subtitle", path),
            title=field(record, "title", path),
            body=field(record, "vclaim", path),
            url=field(record, "url", path),
            publisher=field(record, "author", path),
            published=published,
            lang=str(record.get("lang") or ""),
            other={"date": date} if date and not published else {},
        )


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
    corpus = folder / "fact-check-tweet-vclaims.jsonl"
    return Dataset("factchecktweet", lambda: checks(corpus), tuple(claims), judged, splits)
