"""Train the reranker of the recipe `best`, and the RankSVM of the recipe `ranksvm`.

Kernel RankSVM and LambdaMART learn from claims of the role STACKER, whose answers neither the encoder nor the cross-encoder has seen:
their scores are what they will be on users' claims. The shares of the blend, one part alone included, are chosen on claims of the role
TUNE by the reciprocal rank of the first answer among five, the mean over sets, twins of an answer counting as the answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.lab import datasets, roles
from twicetold.lab.datasets import Dataset
from twicetold.rerank.best import BEST_SIGNALS, RANKSVM_SIGNALS, candidates, has_cross, seen_closely
from twicetold.rerank.blend import Blend, Part
from twicetold.rerank.boosted import Boosted
from twicetold.rerank.boosted import Settings as TreeSettings
from twicetold.rerank.ranksvm import RankSVM, Settings
from twicetold.rerank.signals import Examples, Judged, Scorer, examples, rerank
from twicetold.train.gather import Making, gather
from twicetold.twins import cases, with_twins
from twicetold.types import Ranking

SETS = ("checkthat-2020-task2", "factchecktweet")
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
FIRST = 20


@dataclass(frozen=True)
class Asked:
    """One set's claims of one role: their candidates, and which answer."""

    rankings: tuple[Ranking, ...]
    judged: Judged

    @classmethod
    def of(cls, rankings: Sequence[Ranking], dataset: Dataset) -> Asked:
        """Let twins of an answer count as the answer."""
        case_of = cases(dataset.checks())
        alike: dict[str, list[str]] = {}
        for id, case in case_of.items():
            alike.setdefault(case, []).append(id)
        by_case = with_twins(dataset.qrels, case_of)
        spread = {
            query: {id: grade for case, grade in grades.items() for id in alike.get(case, [case])} for query, grades in by_case.items()
        }
        return cls(tuple(rankings), spread)


def train(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> Blend:
    """Gather candidates, fit the parts, choose their shares, and write the model to `out`. Collections are kept in `work`."""
    learnt, tuned = gather_roles(seen_closely, data_root, work, encoder=encoder)
    blend = fit(learnt, tuned)
    blend.save(out)
    return blend


def train_ranksvm(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> RankSVM:
    """Train the RankSVM of the recipe `ranksvm` on scores and reciprocal ranks."""
    learnt, _ = gather_roles(candidates, data_root, work, encoder=encoder)
    model = RankSVM.fit(joined(learnt, RANKSVM_SIGNALS), Settings(landmarks=800))
    model.save(out)
    return model


def gather_roles(make: Making, data_root: Path, work: Path, *, encoder: str) -> tuple[list[Asked], list[Asked]]:
    """Return the candidates of the claims to learn from and of those to tune on, set by set."""
    learnt, tuned = [], []
    for name in SETS:
        dataset = datasets.load(name, data_root)
        stackers, tuners = (roles.part(dataset, role) for role in (roles.Role.STACKER, roles.Role.TUNE))
        first, second = gather(make, dataset, [stackers, tuners], work, encoder=encoder)
        learnt.append(Asked.of(first, stackers))
        tuned.append(Asked.of(second, tuners))
    return learnt, tuned


def fit(learnt: Sequence[Asked], tuned: Sequence[Asked]) -> Blend:
    """Fit a RankSVM and boosted trees over all signals, and choose the shares under which the claims to tune on are ranked best."""
    names = (*BEST_SIGNALS, "cross") if has_cross() else BEST_SIGNALS
    rows = joined([Asked(tuple(_head(r) for r in asked.rankings), asked.judged) for asked in learnt], names)
    parts = [
        _part("ranksvm", RankSVM.fit(rows, Settings(landmarks=600)), rows),
        _part("boosted", Boosted.fit(rows, TreeSettings()), rows),
    ]
    tried = [_blend(names, parts, share) for share in SHARES]
    return max(tried, key=lambda blend: quality(blend, tuned))


def _head(ranking: Ranking) -> Ranking:
    return Ranking(ranking.query, ranking.matches[:FIRST])


def _part(kind: str, model: RankSVM | Boosted, rows: Examples) -> Part:
    scores = model.score(rows.rows)
    return Part(kind, model, 1.0, float(scores.mean()), float(scores.std()) or 1.0)


def _blend(names: Sequence[str], parts: Sequence[Part], share: float) -> Blend:
    first, second = parts
    shared = [Part(p.kind, p.model, s, p.mean, p.spread) for p, s in ((first, share), (second, 1 - share)) if s > 0]
    return Blend(tuple(names), tuple(shared))


def joined(sets: Sequence[Asked], names: Sequence[str]) -> Examples:
    """Put the candidates of several sets together; queries keep numbers of their own."""
    found = [examples(asked.rankings, asked.judged, names) for asked in sets]
    starts = itertools.accumulate([0, *(len(asked.rankings) for asked in sets)])
    queries = np.concatenate([one.queries + start for one, start in zip(found, starts, strict=False)])
    return Examples(tuple(names), np.concatenate([e.rows for e in found]), np.concatenate([e.answers for e in found]), queries)


def quality(model: Scorer, sets: Sequence[Asked]) -> float:
    """Return the reciprocal rank within the first five after reranking, the mean over claims, then over sets."""
    stage = rerank(model, first=FIRST)
    return float(np.mean([first_five(stage(asked.rankings), asked.judged) for asked in sets]))


def first_five(rankings: Sequence[Ranking], judged: Judged) -> float:
    """Return the mean reciprocal rank of the first answer, 0 beyond the fifth place."""
    values = []
    for ranking in rankings:
        grades = judged.get(ranking.query.id, {})
        places = (place for place, match in enumerate(ranking.matches[:5], start=1) if grades.get(match.doc.id, 0) > 0)
        values.append(1 / next(places, np.inf))
    return float(np.mean(values))
