"""MTM's candidate lists (Sheng et al. 2021), Twitter and Weibo; and the full layout, for those who have the texts.

Publicly shipped are ids and labels only: `splits/data/top50.SPLIT`. With `raw/FN_*.json` (claims) and `raw/DN_*.json` (articles),
to be had from the authors, `load` gives a whole data set. In the Twitter lists the relevant articles stand in the last slots, so
their order means nothing and is not kept; Weibo's order is BM25's and is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from twicetold.errors import BadData
from twicetold.types import Claim, FactCheck, natural
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import field, json_file, needed, plain

Side = Literal["Twitter", "Weibo"]
SPLITS = ("train", "val", "test")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The 50 articles a claim is to be matched with, and those of them that are relevant."""

    query: str
    docs: tuple[str, ...]
    relevant: frozenset[str]


def candidates(path: Path, side: Side) -> Iterator[Candidates]:
    """Read `top50.SPLIT`: claim id, its row, then Python lists of article ids, their rows and labels."""
    for number, row in enumerate(plain(path, columns=5), start=1):
        query, _, docs, _, labels = row
        try:
            ids = [str(doc) for doc in ast.literal_eval(docs)]
            marks = [int(label) for label in ast.literal_eval(labels)]
        except (ValueError, SyntaxError, TypeError):
            raise BadData(f"{path}, line {number}: the third and fifth cells should be lists, got {docs!r:.60}") from None
        if len(ids) != len(marks):
            raise BadData(f"{path}, line {number}: {len(ids)} articles but {len(marks)} labels")
        relevant = frozenset(id for id, mark in zip(ids, marks, strict=True) if mark == 1)
        kept = tuple(dict.fromkeys(ids))
        yield Candidates(query, kept if side == "Weibo" else tuple(sorted(kept, key=natural)), relevant)


def all_candidates(folder: Path, side: Side) -> dict[str, list[Candidates]]:
    """Read every split that is there, by its name; none at all is an error."""
    lists = needed(folder / side / "splits" / "data")
    found = {split: list(candidates(path, side)) for split in SPLITS if (path := lists / f"top50.{split}").exists()}
    if not found:
        raise BadData(f"{lists} holds no top50.train, top50.val or top50.test")
    return found


def checks(path: Path, side: Side) -> Iterator[FactCheck]:
    """Read `DN_*.json`: articles as lists of sentences, one a line of the body."""
    key = "content" if side == "Twitter" else "content_all"
    for record in json_file(path):
        sentences = record.get(key)
        if not isinstance(sentences, list):
            raise BadData(f"{path}: the article {record.get('_id')!r} has no list {key!r}")
        body = "\n".join(str(sentence) for sentence in sentences)
        yield FactCheck(field(record, "_id", path), body=body, url=str(record.get("url") or ""), lang="en" if side == "Twitter" else "zh")


def load(folder: Path, side: Side) -> Dataset:
    """Load one side in full. Only the labels inside the 50 candidates count as relevant, as in the paper."""
    raw = folder / side / "raw"
    texts, articles = _only(raw, "FN_*.json"), _only(raw, "DN_*.json")
    key = "content" if side == "Twitter" else "content_all"
    claims = {field(record, "_id", texts): field(record, key, texts) for record in json_file(texts)}
    lists = all_candidates(folder, side)
    asked = [row for rows in lists.values() for row in rows]
    lost = [row.query for row in asked if row.query not in claims]
    if lost:
        raise BadData(f"{texts} lacks {len(lost)} claims of the candidate lists, the first is {lost[0]}")
    return Dataset(
        f"mtm-{side.lower()}",
        lambda: checks(articles, side),
        tuple(Claim(row.query, claims[row.query]) for row in asked),
        {row.query: dict.fromkeys(sorted(row.relevant, key=natural), 1) for row in asked},
        {split: tuple(row.query for row in rows) for split, rows in lists.items()},
        candidates={row.query: row.docs for row in asked},
        files=(articles,),
    )


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern)) if folder.exists() else []
    if len(found) != 1:
        raise BadData(
            f"{folder} should hold one {pattern}, found {len(found)}: the texts are not public, ask the authors of MTM for them "
            "and put their files there"
        )
    return found[0]
