"""Collect posts for people to label, as TweetMythQA was collected (Bai et al. 2023, section 2.2), and save their labels in its layout.

A template and a topic's names make queries; the posts nearest to any of them are cut into clusters by K-means on their vectors, and the
first of every cluster are put on a sheet, so that a person sees every way of speaking of the topic and not twenty times the commonest.
Shares and near-copies are left out by the store already. The paper does not say which name ranks a post: here it is the nearest one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData, BadInput
from twicetold.mine.question import kind_of
from twicetold.mine.retrieve import by_both, by_meaning
from twicetold.mine.statements import statement
from twicetold.posts import Posts
from twicetold.posts.clean import plain
from twicetold.stage import ask
from twicetold.types import Claim, Match, Post

TOPIC = "TOPIC_ENTITY"
LABELS = ("supporting", "refuting", "neutral")
Array = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Row:
    """One post on the sheet. `label` is what a person writes: supporting, refuting, neutral, or nothing if it is of no use."""

    question: str
    question_type: str
    topic: str
    answer: str
    claim: str
    cluster: int
    id: str
    text: str
    score: float
    label: str = ""


def queries(template: str, aliases: Sequence[str]) -> list[str]:
    """Return the template with each of the topic's names in its place.

    >>> queries("Can TOPIC_ENTITY spread COVID-19?", ["shoes", "footwear"])
    ['Can shoes spread COVID-19?', 'Can footwear spread COVID-19?']
    """
    if TOPIC not in template:
        raise BadInput(f"the template {template!r} should have {TOPIC} where the topic goes, as in: 'Can {TOPIC} spread COVID-19?'")
    if not any(alias.strip() for alias in aliases):
        raise BadInput("give the topic's name, and its other names, with --alias NAME (may be repeated)")
    return list(dict.fromkeys(template.replace(TOPIC, alias.strip()) for alias in aliases if alias.strip()))


def collect(posts: Posts, texts: Sequence[str], *, depth: int = 1000) -> list[Match]:
    """Return the `depth` posts nearest to any of these texts, best first: by meaning, or by words where posts have no vectors."""
    stage = by_both(posts, depth=depth) if posts.vectors is None else by_meaning(posts, depth=depth)
    best: dict[str, Match] = {}
    for ranking in ask(stage, [Claim(f"query-{at}", statement_of(text), lang="en") for at, text in enumerate(texts)]):
        for match in ranking.matches:
            if match.doc.id not in best or match.score > best[match.doc.id].score:
                best[match.doc.id] = match
    return sorted(best.values(), key=lambda match: (-match.score, match.doc.id))[:depth]


def statement_of(text: str) -> str:
    """Return a question's positive statement; what is no question stays."""
    try:
        return statement(text) if kind_of(text) == "yes-no" else text
    except BadInput:
        return text


def sheet(posts: Posts, template: str, aliases: Sequence[str], *, clusters: int = 5, each: int = 20, depth: int = 1000) -> list[Row]:
    """Return the rows to label: `each` posts of every cluster, in the order of their nearness to the question."""
    asked = queries(template, aliases)
    kind = kind_of(asked[0])
    found = collect(posts, asked, depth=depth)
    if not found:
        raise BadData(f"no post is about {asked[0]!r}; add posts with: twicetold ingest-posts SOURCE")
    marks = kmeans(_vectors(posts, found), clusters)
    answer = "yes" if kind == "yes-no" else aliases[0]
    claim = statement(asked[0], answer)
    rows: list[Row] = []
    for cluster in range(max(marks) + 1):
        members = [match for match, mark in zip(found, marks, strict=True) if mark == cluster][:each]
        for match in members:
            text = match.doc.text if isinstance(match.doc, Post) else ""
            rows.append(Row(asked[0], kind, aliases[0], answer, claim, cluster + 1, match.doc.id, text, round(match.score, 4)))
    return rows


def _vectors(posts: Posts, matches: Sequence[Match]) -> Array:
    from twicetold.index.encoder import StaticEncoder

    encoder = posts.encoder or StaticEncoder.load()
    return encoder.encode([plain(match.doc.text) if isinstance(match.doc, Post) else "" for match in matches])


def kmeans(vectors: Array, k: int, *, seed: int = 0, rounds: int = 50) -> list[int]:
    """Cut vectors into at most `k` clusters (Lloyd 1982, started as by Arthur & Vassilvitskii 2007); return each one's cluster.

    Clusters are numbered by their first member, so the first vector is in cluster 0. The same seed gives the same clusters.
    """
    rng = np.random.default_rng(seed)
    points = vectors.astype(np.float64)  # (N, D)
    centres = points[[int(rng.integers(len(points)))]]
    while len(centres) < min(k, len(points)):
        distance = _distances(points, centres).min(axis=1)
        if distance.sum() <= 1e-12:
            break
        centres = np.vstack([centres, points[rng.choice(len(points), p=distance / distance.sum())]])
    marks = np.zeros(len(points), int)
    for step in range(rounds):
        nearest = _distances(points, centres).argmin(axis=1)  # (N,)
        if step and (nearest == marks).all():
            break
        marks = nearest
        centres = np.stack([points[marks == c].mean(axis=0) if (marks == c).any() else centres[c] for c in range(len(centres))])
    order = {int(mark): place for place, mark in enumerate(dict.fromkeys(marks.tolist()))}
    return [order[int(mark)] for mark in marks]


def _distances(points: np.ndarray[Any, Any], centres: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    squared = (points**2).sum(axis=1)[:, None] - 2 * points @ centres.T + (centres**2).sum(axis=1)[None, :]  # (N, K)
    return np.asarray(np.maximum(squared, 0.0))


# --- sheets and labels ---------------------------------------------------------------------------------------------------


def save_sheet(rows: Iterable[Row], path: Path) -> None:
    """Write rows as CSV with named columns, to be opened in any spreadsheet, or as JSON Lines if the name ends so."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
            return
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        # A spreadsheet rounds long ids unless they are words: an apostrophe in front is its own sign for that.
        writer.writerows({**asdict(row), "id": f"'{row.id}"} for row in rows)


def read_sheet(path: Path) -> list[Row]:
    """Read a labelled sheet. An unknown label raises BadData with its row."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            records: list[Mapping[str, Any]] = (
                [json.loads(line) for line in file] if path.suffix == ".jsonl" else list(csv.DictReader(file))
            )
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read the sheet {path}: {error}") from None
    rows = []
    for number, record in enumerate(records, start=2):
        label = str(record.get("label") or "").strip().lower()
        full = next((name for name in LABELS if label and name.startswith(label)), "")
        if label and not full:
            raise BadData(f"{path}, row {number}: the label {label!r} should be one of {', '.join(LABELS)}, or empty")
        if not record.get("question") or not record.get("id"):
            raise BadData(f"{path}, row {number}: no question or id; give a sheet that `mine annotate` wrote")
        rows.append(_row(record, full))
    return rows


def _row(record: Mapping[str, Any], label: str) -> Row:
    question, kind, topic, answer, claim, text = (
        str(record.get(name) or "") for name in ("question", "question_type", "topic", "answer", "claim", "text")
    )
    cluster, score = int(record.get("cluster") or 0), float(record.get("score") or 0.0)
    return Row(question, kind, topic, answer, claim, cluster, str(record["id"]).lstrip("'"), text, score, label)


def to_mythqa(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return labelled rows as TweetMythQA's records, one a question in the order met; unlabelled rows are left out."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if not row.label:
            continue
        record = found.setdefault(
            row.question if row.question_type == "yes-no" else row.topic + row.question,
            {"question": row.question, "question_type": row.question_type, "topic": row.topic, "answers": {}},
        )
        sides = record["answers"] if row.question_type == "yes-no" else record["answers"].setdefault(row.answer, {})
        for name in LABELS:
            sides.setdefault(name, [])
        if row.id not in sides[row.label]:
            sides[row.label].append(row.id)
    return list(found.values())
