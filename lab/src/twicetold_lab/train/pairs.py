"""Pairs to learn from: what people said, and the fact-check that answers it.

Four sources: tweets of CheckThat 2020 (train), debate sentences of the chronological train split, tweets of FactCheckTweet (train), and
sentences of article bodies with the article's own title and claim. Of the judged queries only those are read to which the manifest of
roles gives the role ENCODER: stackers and calibration learn from scores on queries no model has seen. Nothing that shares eight words
in a row with a dev or test query is kept (`leaks`), no boilerplate, only English articles. Hard negatives are near the query and not
near its answer.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from twicetold.index.encoder import StaticEncoder
from twicetold.text import sentences, tidy
from twicetold.types import FactCheck
from twicetold_lab import datasets, roles
from twicetold_lab.crossencoder import opening
from twicetold_lab.datasets import Dataset, factchecktweet
from twicetold_lab.datasets.snopes import twin_key
from twicetold_lab.roles import Role
from twicetold_lab.train.leaks import Guard, boilerplate

Array = np.ndarray[Any, Any]

TRAINED = {"snopes": "checkthat-2020-task2", "debates": "checkthat-2021-task2b", "tweets": "factchecktweet"}
"""Sources with judged queries, and the data set each is the train split of."""

NEGATIVES = 10
_READ_SENTENCES = 12


class Vectoriser(Protocol):
    """Anything that turns texts into unit rows."""

    def encode(self, texts: Sequence[str]) -> Array: ...


@dataclass(frozen=True, slots=True)
class Pair:
    """A query, the wordings (`views`) of its answer, and the views of fact-checks that do not answer it.

    `group` is shared by pairs with the same answer or a near-duplicate of it, which must never be each other's negatives.
    """

    source: str
    query: str
    views: tuple[str, ...]
    group: str
    negatives: tuple[tuple[str, ...], ...] = ()


def views(check: FactCheck) -> tuple[str, ...]:
    """Return the wordings a fact-check is known by, fullest first: title and claim, the title, the claim; the opening if no claim."""
    title, claim = tidy(check.title), tidy(check.claim) or opening(check.body)
    if not title or not claim:
        return (title or claim,)
    return (f"{title}. {claim}", title, claim)


def read_pairs(root: Path, guard: Guard, *, bodies: int = 15_000, seed: int = 0) -> list[Pair]:
    """Read the pairs of all four sources, with hard negatives. `bodies` is the number of articles whose sentences are used."""
    encoder = StaticEncoder.load()
    pairs: list[Pair] = []
    for source, name in TRAINED.items():
        dataset = datasets.load(name, root)
        checks = list(dataset.checks())
        judged = _judged(source, dataset, checks, guard)
        pairs += with_negatives(judged, checks, encoder)
        if source != "snopes":
            drawn = random.Random(seed).sample(checks, min(len(checks), bodies if source == "tweets" else bodies // 3))
            own = list(_own_sentences(drawn, guard, encoder))
            pairs += with_negatives(own, checks, encoder)
    return pairs


def _judged(source: str, dataset: Dataset, checks: Sequence[FactCheck], guard: Guard) -> Iterator[Pair]:
    by_id = {check.id: check for check in checks}
    for claim in roles.part(dataset.split("train"), Role.ENCODER).claims:
        for doc, grade in dataset.qrels[claim.id].items():
            if grade > 0 and not guard.leaks(claim.text):
                yield Pair(source, tidy(claim.text), views(by_id[doc]), group_of(by_id[doc]))


def group_of(check: FactCheck) -> str:
    """Return what a fact-check shares with its twins: the letters of its claim, or of its title if it has none."""
    return twin_key(check) or twin_key(dataclasses.replace(check, claim=check.title)) or check.id


def is_english(check: FactCheck) -> bool:
    """Tell English by its small words; good enough for articles, and a hundred times faster than a language model."""
    words = f"{check.title} {check.body[:600]}".casefold().split()
    small = sum(word in _SMALL for word in words)
    return small > 0.12 * len(words)


_SMALL = frozenset(
    ["the", "of", "and", "to", "in", "a", "is", "that", "for", "on", "was", "with", "as", "it", "by", "at", "from", "has", "have", "are"]
)


def _own_sentences(checks: Sequence[FactCheck], guard: Guard, encoder: StaticEncoder) -> Iterator[Pair]:
    english = [check for check in checks if is_english(check)]
    bodies = [_first_sentences(check.body) for check in english]
    common = boilerplate(bodies)
    for check, body in zip(english, bodies, strict=True):
        kept = [line for line in body if line not in common and 6 <= len(line.split()) <= 60 and not guard.leaks(line)]
        known = views(check)
        if len(kept) >= 2 and not guard.leaks(known[0]):
            for line in _nearest_own(kept, known[0], encoder):
                # The opening would give itself away as its own answer.
                wordings = tuple(view for view in known if line not in view) or known[1:2]
                yield Pair("bodies", line, wordings, group_of(check))


def _first_sentences(body: str) -> list[str]:
    start = tidy(body[:3000])
    return [start[a:b] for a, b in sentences(start)][:_READ_SENTENCES]


def _nearest_own(lines: Sequence[str], view: str, encoder: StaticEncoder) -> list[str]:
    """Return the two sentences that say most of what the article is about."""
    near = encoder.encode(lines) @ encoder.encode([view])[0]
    return [lines[i] for i in np.argsort(-near)[:2]]


def with_negatives(pairs: Iterable[Pair], checks: Sequence[FactCheck], encoder: Vectoriser, *, too_near: float = 0.75) -> list[Pair]:
    """Give each pair the fact-checks nearest to its query that are neither its answer nor `too_near` to it, before those it has."""
    given = list(pairs)
    known = [views(check) for check in checks]
    groups = [group_of(check) for check in checks]
    table = encoder.encode([view[0] for view in known]).astype(np.float32)  # (N, D)
    out: list[Pair] = []
    for start in range(0, len(given), 512):
        batch = given[start : start + 512]
        near = encoder.encode([pair.query for pair in batch]) @ table.T  # (B, N)
        same = encoder.encode([pair.views[0] for pair in batch]) @ table.T  # (B, N)
        for row, pair in enumerate(batch):
            kept = _far_from_answer(near[row], same[row] >= too_near, pair, groups)
            out.append(dataclasses.replace(pair, negatives=(*(known[i] for i in kept), *pair.negatives)[:NEGATIVES]))
    return out


def _far_from_answer(near: Array, is_same: Array, pair: Pair, groups: Sequence[str]) -> list[int]:
    # Something as near to the answer as this is likely the same claim checked by someone else, so no negative.
    top = np.argpartition(-near, 60)[:60]
    kept: dict[str, int] = {}
    for i in top[np.argsort(-near[top])]:
        if not is_same[i] and groups[i] != pair.group:
            kept.setdefault(groups[i], int(i))
    return list(kept.values())[: NEGATIVES - 2]


def write_pairs(pairs: Iterable[Pair], file: Path) -> None:
    """Save pairs as JSON lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(dataclasses.asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)


def saved_pairs(file: Path) -> list[Pair]:
    """Read what `write_pairs` wrote."""
    with file.open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return [
        Pair(row["source"], row["query"], tuple(row["views"]), row["group"], tuple(tuple(views) for views in row["negatives"]))
        for row in rows
    ]


def english_bodies(root: Path, *, limit: int) -> Iterator[str]:
    """Yield titles and openings of English articles, for counting tokens."""
    articles = factchecktweet.checks(root / "factchecktweet" / "fact-check-tweet-vclaims.jsonl")
    read = 0
    for check in articles:
        if is_english(check):
            yield check.title
            yield check.body[:1500]
            read += 1
        if read >= limit:
            return
