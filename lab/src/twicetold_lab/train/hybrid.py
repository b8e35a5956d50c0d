"""Choose the weights of the recipe `hybrid` by MAP@5 of claims that no encoder learns from and none is judged on.

Those are the roles stacker, calibrate and tune (`lab.roles`), without any dev split: on claims an encoder has learnt from, its cosines
say more than they will on a user's. Each set counts the same; twins of an answer count as the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from twicetold import find
from twicetold.answer.group import cases, with_twins
from twicetold.errors import BadData
from twicetold.models import FORMAT, write_sums
from twicetold.rank.signals import Array, Judged, matrix
from twicetold.types import Ranking
from twicetold_lab import datasets, roles
from twicetold_lab.train.gather import gather

NAMES = ("share.best", "dense.best", "link")
SETS = ("checkthat-2020-task2", "factchecktweet")
ROLES = (roles.Role.STACKER, roles.Role.CALIBRATE, roles.Role.TUNE)
_TOP = 5
_MEANINGS = np.geomspace(0.02, 5, 60)
_LINK = 2.0
"""Links are too rare in these sets to learn from: one that claim and fact-check share weighs more than all the rest."""


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
        learnt = roles.to_learn(dataset, *ROLES)
        make = partial(find.hybrid_search, weights=dict.fromkeys(NAMES, 1.0), depth=400)
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


def choose(tables: Sequence[Table]) -> dict[str, float]:
    """Return weights under which the mean quality of the tables is high: the best weight of meaning beside words, which weigh 1.

    Qualities wobble from one weight to the next, so each is judged together with its neighbours.
    """
    if not tables:
        raise BadData("no data set to choose weights on")
    qualities = np.array([np.mean([table.quality(_weights(meaning)) for table in tables]) for meaning in _MEANINGS])
    smooth = np.convolve(np.pad(qualities, 2, mode="edge"), np.full(5, 0.2), mode="valid")
    weights = _weights(float(_MEANINGS[smooth.argmax()]))
    return {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)}


def _weights(meaning: float) -> Array:
    return np.array([1.0, meaning, _LINK])


def write(out: Path, weights: Mapping[str, float]) -> None:
    """Write `weights.json` and its checksum."""
    out.mkdir(parents=True, exist_ok=True)
    record = {"format": FORMAT, "weights": dict(weights), "learnt from": list(SETS)}
    (out / "weights.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_sums(out)
