"""What MTM is to rerank: for each claim the best articles by BM25 over bodies, with a right one forced among them.

As in the paper, a claim none of whose right articles was found has its last candidate replaced by one; without that the best possible
MRR would be BM25's recall. `forced` says for which claims this was done. Articles come without the publisher's statement of the claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from twicetold.collection import Collection, Settings
from twicetold.index.encoder import NO_ENCODER
from twicetold.rank.mtm.article import Sentence, sentences_of
from twicetold.text import language, unpost
from twicetold.types import natural
from twicetold_lab import datasets
from twicetold_lab.datasets import Dataset, volee
from twicetold_lab.datasets.layout import Qrels
from twicetold_lab.experiment import collection_of

T = TypeVar("T")

SPLITS = ("train", "dev", "test")
VOLEE = {split: f"unseen/{split}" for split in SPLITS}
"""Vo & Lee: no article is in two of these."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim, its candidates by BM25 with their scores, best first, and those that answer it."""

    id: str
    text: str
    candidates: tuple[str, ...]
    scores: tuple[float, ...]
    right: frozenset[str]
    is_forced: bool


@dataclass(frozen=True, slots=True)
class Task:
    """Claims by split, and the sentences of every article that is a candidate."""

    name: str
    claims: Mapping[str, tuple[Asked, ...]]
    articles: Mapping[str, tuple[Sentence, ...]]

    def qrels(self, split: str) -> dict[str, dict[str, int]]:
        """Only right articles among the candidates count, as in the paper."""
        return {one.id: {doc: 1 for doc in one.candidates if doc in one.right} for one in self.claims[split]}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a task is made: candidates a claim, at most how many claims of a split, tweets with or without the text of their images.

    `unseen`: no article of the test is in the training, where the set allows that; else claims are dealt alone, as in the paper.
    """

    depth: int = 20
    most: Mapping[str, int] = field(default_factory=dict)
    images: bool = True
    unseen: bool = True
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a row of the tables is made with; what rows share is kept in `work`."""

    task: Task
    work: Path
    seed: int = 0


def read_task(name: str, root: Path, plan: Plan | None = None) -> Task:
    """Read a set with its candidates."""
    chosen = plan or Plan()
    dataset = datasets.load(name, root)
    texts = {claim.id: claim.text for claim in dataset.claims}
    if not chosen.images and name == "volee2020":
        texts = {tweet.id: tweet.raw for tweet in volee.tweets(root / name / "Politifact")}
    with collection_of(dataset, Settings(NO_ENCODER), cache=chosen.cache) as collection:
        claims = {
            split: tuple(asked(collection, id, texts[id], dataset.qrels, chosen.depth) for id in spread(ids, chosen.most.get(split)))
            for split, ids in splits_of(dataset, unseen=chosen.unseen).items()
        }
        wanted = {doc for some in claims.values() for one in some for doc in one.candidates}
        articles = {doc: sentences_of(check) for doc in sorted(wanted, key=natural) if (check := collection.store.get(doc)) is not None}
    return Task(f"{name}{'' if chosen.images else '-plain'}{'' if chosen.unseen else '-seen'}", claims, articles)


def splits_of(dataset: Dataset, *, unseen: bool = True) -> dict[str, tuple[str, ...]]:
    """Return the queries to train, choose and test on. FactCheckTweet has no test set: its dev is that, every tenth of train is dev."""
    if unseen and all(named in dataset.splits for named in VOLEE.values()):
        return {split: dataset.splits[named] for split, named in VOLEE.items()}
    if all(split in dataset.splits for split in SPLITS):
        return {split: dataset.splits[split] for split in SPLITS}
    if all(split in dataset.splits for split in ("train", "val", "test")):
        return {"train": dataset.splits["train"], "dev": dataset.splits["val"], "test": dataset.splits["test"]}
    train = dataset.splits["train"]
    held = set(train[::10])
    return {"train": tuple(id for id in train if id not in held), "dev": train[::10], "test": dataset.splits["dev"]}


def spread(some: Sequence[T], most: int | None) -> Sequence[T]:
    """Take `most` of some at even distances, or all."""
    if most is None or most >= len(some):
        return some
    return [some[i * len(some) // most] for i in range(most)]


def asked(collection: Collection, id: str, text: str, qrels: Qrels, depth: int) -> Asked:
    """Find the candidates of one claim."""
    plain = unpost(text) or text
    found = collection.text.search("body", plain, language(plain) or "en", depth=depth + 30)
    checks = collection.store.fetch([num for num, _ in found])
    best = sorted(((checks[num].id, score) for num, score in found), key=lambda pair: (-pair[1], natural(pair[0])))[:depth]
    right = frozenset(doc for doc, grade in qrels[id].items() if grade > 0)
    is_forced = not any(doc in right for doc, _ in best)
    if is_forced:
        best = [*best[: depth - 1], (min(right, key=natural), 0.0)]
    return Asked(id, plain, tuple(doc for doc, _ in best), tuple(score for _, score in best), right, is_forced)
