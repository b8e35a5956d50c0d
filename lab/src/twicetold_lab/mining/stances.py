"""How well stances are read: precision, recall and F1 of each class, over the public stance sets and over TweetMythQA's claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.mine.evidence import ORDER
from twicetold.mine.protocols import StanceModel
from twicetold.posts.clean import readable
from twicetold.text import sentences, words
from twicetold.types import Stance
from twicetold_lab.datasets import stance as sets
from twicetold_lab.datasets.stance import StancePair

SETS: dict[str, Callable[[Path], Iterable[StancePair]]] = {
    "rumoureval": lambda root: sets.rumoureval(root / "stance" / "rumoureval-2017"),
    "semeval-2016": lambda root: sets.semeval2016(root / "stance" / "semeval-2016-t6" / "semeval2016-task6-trainingdata.txt"),
    "fnc-1": lambda root: sets.fnc1(root / "stance" / "fnc-1"),
    "emergent": lambda root: sets.emergent(root / "stance" / "emergent" / "url-versions-2015-06-14-clean.csv"),
    "climate-fever": lambda root: sets.climate_fever(root / "stance" / "climate-fever" / "climate-fever.jsonl"),
    "perspectrum": lambda root: sets.perspectrum(root / "stance" / "perspectrum"),
    "healthver": lambda root: sets.healthver(root / "stance" / "healthver"),
}


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1 of one stance, in hundredths."""

    stance: Stance
    precision: float
    recall: float
    f1: float
    count: int


def score(model: StanceModel, pairs: Sequence[StancePair], *, legacy_label_order: bool = False) -> list[Scores]:
    """Read every pair and score each stance. `legacy_label_order` swaps supports and refutes, as the paper's released code may."""
    rows = model.read([(pair.claim, nearest(pair.claim, readable(pair.text))) for pair in pairs])
    if legacy_label_order:
        rows = rows[:, [1, 0, 2]]
    read = [ORDER[int(row.argmax())] for row in rows]
    return [_scores(stance, [pair.stance for pair in pairs], read) for stance in ORDER]


def macro(scores: Sequence[Scores]) -> float:
    """The mean F1 of the stances that occur."""
    present = [one.f1 for one in scores if one.count]
    return sum(present) / len(present)


def _scores(stance: Stance, gold: Sequence[Stance | None], read: Sequence[Stance]) -> Scores:
    right = sum(a is b is stance for a, b in zip(gold, read, strict=True))
    said, is_so = sum(one is stance for one in read), sum(one is stance for one in gold)
    precision, recall = right / said if said else 0.0, right / is_so if is_so else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return Scores(stance, 100 * precision, 100 * recall, 100 * f1, is_so)


def nearest(claim: str, text: str, *, chars: int = 400) -> str:
    """Return a text as it is if short; of an article, the sentences that share most words with the claim, in their order."""
    if len(text) <= chars:
        return text
    wanted = set(words(claim))
    spans = sentences(text[:20_000])
    ranked = sorted(range(len(spans)), key=lambda at: (-len(wanted & set(words(text[slice(*spans[at])]))), at))
    kept: list[int] = []
    for at in ranked:
        if kept and sum(spans[one][1] - spans[one][0] for one in [*kept, at]) > chars:
            break
        kept.append(at)
    return " ".join(text[slice(*spans[at])] for at in sorted(kept))[: 2 * chars]
