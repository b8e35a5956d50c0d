"""Train the reranker of the recipe `best`, and the RankSVM of the recipe `ranksvm`.

Kernel RankSVM and LambdaMART learn from claims of the roles STACKER and TUNE that stand in no dev split; neither the encoder nor the
cross-encoder has seen their answers, so their scores are what they will be on users' claims. The weights of `hybrid` are a third part.
The shares of the blend, and whether the cross-encoder's score is among its signals, are chosen by cross-validation, on claims that the
parts have not learnt from, by the reciprocal rank of the first answer among five, the mean over sets; twins of an answer count as it.
All that was tried is written beside the model, in `tried.json`.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.answer.group import cases, with_twins
from twicetold.rank.best import BEST_SIGNALS, RANKSVM_SIGNALS, candidates, seen_closely
from twicetold.rank.blend import Blend, Part
from twicetold.rank.boosted import Boosted
from twicetold.rank.boosted import Settings as TreeSettings
from twicetold.rank.ranksvm import RankSVM, Settings
from twicetold.rank.signals import Array, Examples, Judged, Scale, examples, matrix, rerank
from twicetold.types import Ranking
from twicetold.weights import hybrid_weights
from twicetold_lab import datasets, roles
from twicetold_lab.datasets import Dataset
from twicetold_lab.train.gather import Making, gather

SETS = ("checkthat-2020-task2", "factchecktweet")
ROLES = (roles.Role.STACKER, roles.Role.TUNE)
MIXES = tuple(
    dict.fromkeys((prior, (1 - prior) * svm, (1 - prior) * (1 - svm)) for prior in (1, 0.85, 0.7, 0.5, 0.25, 0) for svm in (0, 0.5, 1))
)
"""Shares of the weights of `hybrid`, the RankSVM and the boosted trees."""
PARTS = ("weights of hybrid", "RankSVM", "LambdaMART")
FIRST = 20
_FOLDS, _SHUFFLES = 5, 2


@dataclass(frozen=True)
class Asked:
    """One set's claims of one role: their candidates, and which answer."""

    rankings: tuple[Ranking, ...]
    judged: Judged

    def only(self, kept: Array) -> Asked:
        """Return the claims that are marked True."""
        return Asked(tuple(itertools.compress(self.rankings, kept)), self.judged)

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


@dataclass(frozen=True, slots=True)
class Tried:
    """A blend that was tried: the share of each part, and its quality in cross-validation."""

    shares: tuple[float, ...]
    quality: float

    def as_json(self) -> dict[str, object]:
        """The form it is recorded in."""
        shares = dict(zip(PARTS, (round(share, 4) for share in self.shares), strict=True))
        return {"shares": shares, "quality": round(self.quality, 4)}


def train(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> Blend:
    """Gather candidates, fit the parts, choose their shares, and write the model to `out`. Collections are kept in `work`."""
    learnt = gather_sets(seen_closely, data_root, work, encoder=encoder)
    blend, tried = fit(learnt)
    blend.save(out)
    record = {
        "command": "twicetold train best",
        "claims": {name: len(asked.rankings) for name, asked in zip(SETS, learnt, strict=True)},
        "quality": "reciprocal rank of the first answer among five, mean over sets, of claims held back",
        "tried": [one.as_json() for one in tried],
    }
    (out / "tried.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return blend


def train_ranksvm(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> RankSVM:
    """Train the RankSVM of the recipe `ranksvm` on scores and reciprocal ranks."""
    learnt = gather_sets(candidates, data_root, work, encoder=encoder)
    model = RankSVM.fit(joined(learnt, RANKSVM_SIGNALS), Settings(landmarks=800))
    model.save(out)
    return model


def gather_sets(make: Making, data_root: Path, work: Path, *, encoder: str, wanted: Sequence[roles.Role] = ROLES) -> list[Asked]:
    """Return the candidates of the claims of these roles, set by set."""
    learnt = []
    for name in SETS:
        dataset = datasets.load(name, data_root)
        part = roles.to_learn(dataset, *wanted)
        [rankings] = gather(make, dataset, [part], work, encoder=encoder)
        learnt.append(Asked.of(rankings, part))
    return learnt


def fit(sets: Sequence[Asked]) -> tuple[Blend, list[Tried]]:
    """Choose the shares of a RankSVM, boosted trees and `hybrid` by cross-validation, fit them on all claims; tell all that was tried."""
    qualities = [_qualities(*fold, BEST_SIGNALS) for shuffle in range(_SHUFFLES) for fold in _folds(sets, shuffle)]
    tried = [Tried(mix, float(quality)) for mix, quality in zip(MIXES, np.mean(qualities, axis=0), strict=True)]
    best = max(tried, key=lambda one: one.quality)
    return _blend(BEST_SIGNALS, _parts(sets, BEST_SIGNALS), best.shares), tried


def out_of_fold(sets: Sequence[Asked], blend: Blend) -> list[list[Ranking]]:
    """Rerank every claim, set by set, by parts of the blend's shares that have not learnt from it."""
    shares = {part.kind: part.share for part in blend.parts}
    found: list[list[Ranking]] = [[] for _ in sets]
    for learnt, held_back in _folds(sets, 0):
        parts = _parts(learnt, blend.names)
        mix = [shares.get(part.kind, 0.0) for part in parts]
        stage = rerank(_blend(blend.names, parts, mix), first=FIRST)
        for rankings, asked in zip(found, held_back, strict=True):
            rankings += stage(asked.rankings)
    return found


def _folds(sets: Sequence[Asked], seed: int) -> Iterator[tuple[list[Asked], list[Asked]]]:
    """Yield the claims to learn from and the claims held back, of every set."""
    rng = np.random.default_rng(seed)
    number = [rng.permutation(len(asked.rankings)) % _FOLDS for asked in sets]
    for fold in range(_FOLDS):
        yield (
            [asked.only(folds != fold) for asked, folds in zip(sets, number, strict=True)],
            [asked.only(folds == fold) for asked, folds in zip(sets, number, strict=True)],
        )


def _qualities(learnt: Sequence[Asked], held_back: Sequence[Asked], names: Sequence[str]) -> list[float]:
    """Return the quality of each mix of parts that learnt from the first, on the second."""
    parts = _parts(learnt, names)
    scored = [_scored(parts, asked, names) for asked in held_back]
    return [float(np.mean([_quality(claims, mix) for claims in scored])) for mix in MIXES]


def _parts(sets: Sequence[Asked], names: Sequence[str]) -> list[Part]:
    rows = joined([Asked(tuple(_head(r) for r in asked.rankings), asked.judged) for asked in _evened(sets)], names)
    return [
        _part("prior", _weighed(names, hybrid_weights()), rows),
        _part("ranksvm", RankSVM.fit(rows, Settings(gamma=0.1, cost=0.3, landmarks=500)), rows),
        _part("boosted", Boosted.fit(rows, TreeSettings(trees=80, leaves=6, fewest=40)), rows),
    ]


Claims = list[tuple[Array, Array]]
"""For each claim: the scores of its first candidates by every part, (P, N), and which answer it, (N,)."""


def _scored(parts: Sequence[Part], asked: Asked, names: Sequence[str]) -> Claims:
    claims = []
    for ranking in asked.rankings:
        head = ranking.matches[:FIRST]
        rows = matrix(head, names)
        scores = np.array([(part.model.score(rows) - part.mean) / part.spread for part in parts])
        grades = asked.judged.get(ranking.query.id, {})
        claims.append((scores, np.array([grades.get(match.doc.id, 0) > 0 for match in head], bool)))
    return claims


def _quality(claims: Claims, mix: Sequence[float]) -> float:
    """Return the reciprocal rank of the first answer within five, the mean over claims."""
    values = []
    for scores, right in claims:
        order = np.argsort(-(np.array(mix) @ scores), kind="stable")[:5]
        places = np.flatnonzero(right[order])
        values.append(1 / (1 + places[0]) if len(places) else 0.0)
    return float(np.mean(values))


def _evened(sets: Sequence[Asked]) -> list[Asked]:
    """Repeat the smaller sets, so that each has about as many claims as the largest."""
    most = max(len(asked.rankings) for asked in sets)
    return [asked for asked in sets for _ in range(max(1, round(most / len(asked.rankings))))]


def _weighed(names: Sequence[str], weights: Mapping[str, float]) -> RankSVM:
    """A weighted sum of signals as a reranker. A scale from −1 to 1 leaves the signals as they are."""
    as_is = Scale(np.full(len(names), -1.0), np.ones(len(names)))
    row = np.array([weights.get(name, 0.0) for name in names])
    return RankSVM(tuple(names), Settings(kernel="linear"), as_is, row[None, :], np.ones(1))


def _head(ranking: Ranking) -> Ranking:
    return Ranking(ranking.query, ranking.matches[:FIRST])


def _part(kind: str, model: RankSVM | Boosted, rows: Examples) -> Part:
    scores = model.score(rows.rows)
    return Part(kind, model, 1.0, float(scores.mean()), float(scores.std()) or 1.0)


def _blend(names: Sequence[str], parts: Sequence[Part], mix: Sequence[float]) -> Blend:
    shared = [Part(part.kind, part.model, share, part.mean, part.spread) for part, share in zip(parts, mix, strict=True) if share > 0]
    return Blend(tuple(names), tuple(shared))


def joined(sets: Sequence[Asked], names: Sequence[str]) -> Examples:
    """Put the candidates of several sets together; queries keep numbers of their own."""
    found = [examples(asked.rankings, asked.judged, names) for asked in sets]
    starts = itertools.accumulate([0, *(len(asked.rankings) for asked in sets)])
    queries = np.concatenate([one.queries + start for one, start in zip(found, starts, strict=False)])
    return Examples(tuple(names), np.concatenate([e.rows for e in found]), np.concatenate([e.answers for e in found]), queries)
