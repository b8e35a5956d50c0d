"""Choose the weights of the recipe `hybrid`: climbs on MAP@5 of claims that no encoder learns from and none is judged on.

Those are the roles stacker, calibrate and tune (`lab.roles`): on claims an encoder has learnt from, its cosines say more than they will
on a user's. Each set counts the same; twins of an answer count as the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from twicetold import find
from twicetold.errors import BadData
from twicetold.lab import datasets, roles
from twicetold.models import FORMAT, write_sums
from twicetold.rerank.signals import Array, Judged, matrix
from twicetold.train.gather import gather
from twicetold.twins import cases, with_twins
from twicetold.types import Ranking

NAMES = ("share.claim", "share.title", "share.body", "dense.claim", "dense.title", "link")
SETS = ("checkthat-2020-task2", "factchecktweet")
ROLES = (roles.Role.STACKER, roles.Role.CALIBRATE, roles.Role.TUNE)
_TOP = 5
_FACTORS = (0.6, 0.8, 0.9, 1.1, 1.25, 1.6)
_STARTS = ((1.0, 0.6, 2.0, 1.0, 0.6, 2.0), (1.0, 0.6, 1.5, 0.8, 0.8, 2.0))
_MOST_BODY, _LEAST_MEANING = 2.0, 1.3
"""Limits, in multiples of the larger weight of claim and title. Left free the body grows to twenty and meaning falls to a third, since
one set has no bodies and in the other they say most. Then a fact-check without a body could not win where others have one, a claim
copied from a fact-check would not find it first, and paraphrases would be lost."""


@dataclass(frozen=True)
class Table:
    """Candidates of one set as arrays: their signals, which of them answer, and how many answers each claim has."""

    rows: Array  # (Q, N, D)
    answers: Array  # (Q, N)
    wanted: Array  # (Q,)

    def quality(self, weights: Array) -> float:
        """Return MAP@5 plus a hundredth of the mean reciprocal rank, which breaks ties between equally good weights."""
        scores = np.where(np.isfinite(self.rows[:, :, 0]), np.nan_to_num(self.rows) @ weights, -np.inf)  # (Q, N)
        order = np.argsort(-scores, axis=1, kind="stable")
        right = np.take_along_axis(self.answers, order, axis=1)  # (Q, N)
        ranks = np.arange(1, right.shape[1] + 1)
        precision = np.cumsum(right, axis=1) / ranks * right
        first = np.where(right.any(axis=1), 1 / (1 + right.argmax(axis=1)), 0.0)
        return float((precision[:, :_TOP].sum(axis=1) / self.wanted).mean() + 0.01 * first.mean())


def train(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> dict[str, float]:
    """Gather candidates, choose the weights, write them to `out` and return them. Collections are kept in `work`."""
    tables = []
    for name in SETS:
        dataset = datasets.load(name, data_root)
        learnt = roles.part(dataset, *ROLES)
        make = partial(find.everything, weights=dict.fromkeys(NAMES, 1.0), depth=400)
        [rankings] = gather(make, dataset, [learnt], work, encoder=encoder)
        case_of = cases(dataset.checks())
        tables.append(table(rankings, with_twins(learnt.qrels, case_of), case_of))
    weights = choose(tables)
    write(out, weights)
    return weights


def table(rankings: Sequence[Ranking], judged: Judged, case_of: Mapping[str, str]) -> Table:
    """Make arrays of rankings, padded with rows of NaN; `judged` is by case."""
    most = max((len(ranking.matches) for ranking in rankings), default=0)
    rows = np.full((len(rankings), most, len(NAMES)), np.nan)
    answers = np.zeros((len(rankings), most), bool)
    for number, ranking in enumerate(rankings):
        present = {name for match in ranking.matches for name in match.signals}
        known = [name for name in NAMES if name in present]
        size = len(ranking.matches)
        rows[number, :size] = 0.0
        rows[number, :size][:, [NAMES.index(name) for name in known]] = matrix(ranking.matches, known)
        grades = judged.get(ranking.query.id, {})
        answers[number, :size] = _first_of_each_case([case_of.get(m.doc.id, m.doc.id) for m in ranking.matches], grades)
    wanted = np.array([max(sum(grade > 0 for grade in judged.get(r.query.id, {}).values()), 1) for r in rankings])
    return Table(rows, answers, wanted)


def _first_of_each_case(case_ids: Sequence[str], grades: Mapping[str, int]) -> list[bool]:
    seen: set[str] = set()
    marks = []
    for case in case_ids:
        marks.append(grades.get(case, 0) > 0 and case not in seen)
        seen.add(case)
    return marks


def choose(tables: Sequence[Table], *, rounds: int = 5) -> dict[str, float]:
    """Return weights under which the mean quality of the tables is high: the mean of a few climbs, one weight at a time.

    Climbs end in different places of nearly the same quality; their mean holds on other claims better than the best of them.
    """
    if not tables:
        raise BadData("no data set to choose weights on")
    ends = [_climb(tables, np.array(start), rounds) for start in _STARTS]
    weights = np.mean([end / end[:2].max() for end in ends], axis=0)
    weights[-1] = 2.0 * weights[:-1].max()
    return {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)}


def _climb(tables: Sequence[Table], weights: Array, rounds: int) -> Array:
    best = _mean_quality(tables, weights)
    for _ in range(rounds):
        before = best
        for place in range(len(NAMES) - 1):  # links are too rare in these sets to learn from: their weight follows the others
            trials = [np.where(np.arange(len(NAMES)) == place, weights[place] * factor, weights) for factor in _FACTORS]
            allowed = [trial for trial in trials if _is_allowed(trial)] or [weights]
            quality, number = max((_mean_quality(tables, trial), number) for number, trial in enumerate(allowed))
            if quality > best:
                best, weights = quality, allowed[number]
        if best - before < 1e-4:
            break
    return weights


def _is_allowed(weights: Array) -> bool:
    words = weights[:2].max()
    return bool(weights[2] <= _MOST_BODY * words and weights[3] + weights[4] >= _LEAST_MEANING * words)


def _mean_quality(tables: Sequence[Table], weights: Array) -> float:
    return float(np.mean([table.quality(weights) for table in tables]))


def write(out: Path, weights: Mapping[str, float]) -> None:
    """Write `weights.json` and its checksum."""
    out.mkdir(parents=True, exist_ok=True)
    record = {"format": FORMAT, "weights": dict(weights), "learnt from": list(SETS)}
    (out / "weights.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_sums(out)
