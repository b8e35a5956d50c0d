"""Calibrate the decision whether a claim was checked before: on claims half of whose answers are taken out of the corpus.

The claims are of the role CALIBRATE: neither encoder, reranker nor blend has learnt from them. Which answers go is decided by a hash of
their case, so all twins go together and every run takes the same. They are taken out of the candidates, not of the index: word
statistics stay, and the next best candidate moves up, as it would in a corpus without them.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.decide import Decider
from twicetold.lab import datasets, roles
from twicetold.lab.datasets import Dataset
from twicetold.rerank.best import best
from twicetold.rerank.signals import Array
from twicetold.stage import chain
from twicetold.train.gather import gather
from twicetold.twins import cases, collapse
from twicetold.types import FactCheck, Match, Ranking

SETS = ("checkthat-2020-task2", "factchecktweet")
SIGNALS = ("share.best", "dense.best")
"""With the score and its lead these told right from wrong better than all signals together, in cross-validation on the same claims."""


@dataclass(frozen=True)
class Case:
    """A claim's ranking after some answers were taken away: is its first match right, and was anything left to find?"""

    ranking: Ranking
    is_right: bool
    is_answerable: bool


def train(data_root: Path, out: Path, *, work: Path, encoder: str = "") -> Decider:
    """Gather rankings of `best`, take answers away, fit, and write the model to `out`."""
    known: list[Case] = []
    for name in SETS:
        dataset = datasets.load(name, data_root)
        part = roles.part(dataset, roles.Role.CALIBRATE)
        [rankings] = gather(lambda collection: chain(best(collection), collapse()), dataset, [part], work, encoder=encoder)
        known += both_halves(rankings, part, cases(dataset.checks()))
    decider = fit(known)
    decider.save(out)
    return decider


def fit(known: Sequence[Case]) -> Decider:
    """Fit a decider on claims that have at least one candidate left."""
    kept = [case for case in known if case.ranking.matches]
    return Decider.fit(SIGNALS, [case.ranking for case in kept], np.array([case.is_right for case in kept]))


def both_halves(rankings: Sequence[Ranking], dataset: Dataset, case_of: Mapping[str, str]) -> list[Case]:
    """Take one half of the answers away, then the other, so that every claim is seen with its answer and without."""
    first = take_away(rankings, dataset, case_of)
    return first + take_away(rankings, dataset, case_of, is_gone=lambda case: not goes(case))


def take_away(
    rankings: Sequence[Ranking], dataset: Dataset, case_of: Mapping[str, str], *, is_gone: Callable[[str], bool] | None = None
) -> list[Case]:
    """Take half of the answers (those that `goes` names, unless said otherwise), with all their twins, out of the rankings."""
    found = []
    for ranking in rankings:
        answers = {case_of.get(doc, doc) for doc, grade in dataset.qrels.get(ranking.query.id, {}).items() if grade > 0}
        gone = {case for case in answers if (is_gone or goes)(case)}
        kept = tuple(match for match in ranking.matches if not _cases_of(match, case_of) & gone)
        is_right = bool(kept) and bool(_cases_of(kept[0], case_of) & answers)
        found.append(Case(dataclasses.replace(ranking, matches=kept), is_right, bool(answers - gone)))
    return found


def _cases_of(match: Match, case_of: Mapping[str, str]) -> set[str]:
    docs: tuple[FactCheck, ...] = (match.doc, *match.twins) if isinstance(match.doc, FactCheck) else ()
    return {case_of.get(doc.id, doc.id) for doc in docs}


def goes(case: str) -> bool:
    """True for about half of all cases, always the same ones."""
    return hashlib.sha256(case.encode()).digest()[0] < 128


# --- measuring -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """How a decider did on claims it was not calibrated on. `reliability` holds (mean probability, share right, count) of ten bins."""

    n: int
    auroc: float
    f1_no_match: float
    coverage: float
    error: float
    error_low: float
    error_high: float
    reliability: tuple[tuple[float, float, int], ...]


def measure(decider: Decider, known: Sequence[Case], *, risk: float = 0.05) -> Measured:
    """Measure probabilities against right first matches, "no match" (probability below ½) against nothing left to find, and the
    error among claims matched at this risk, with its 95 % interval (Wilson)."""
    probability = np.array([decider.probability(case.ranking) for case in known])
    is_right = np.array([case.is_right for case in known])
    is_none = np.array([not case.is_answerable for case in known])
    said_none = probability < 0.5
    hits = (said_none & is_none).sum()
    answered = probability >= decider.threshold(risk)
    low, high = wilson(int((~is_right[answered]).sum()), int(answered.sum()))
    return Measured(
        len(known),
        auroc(probability, is_right),
        float(2 * hits / max(said_none.sum() + is_none.sum(), 1)),
        float(answered.mean()),
        float((~is_right[answered]).mean()) if answered.any() else 0.0,
        low,
        high,
        _reliability(probability, is_right),
    )


def auroc(probability: Array, is_right: Array) -> float:
    """Return how often a right first match is given more than a wrong one; equal values count half."""
    right, wrong = probability[is_right], probability[~is_right]
    above = (right[:, None] > wrong[None, :]).mean()
    return float(above + 0.5 * (right[:, None] == wrong[None, :]).mean())


def wilson(hits: int, count: int, *, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    if not count:
        return 0.0, 1.0
    share, square = hits / count, z * z / count
    middle, half = share + square / 2, (square * share * (1 - share) + square**2 / 4) ** 0.5
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def _reliability(probability: Array, is_right: Array) -> tuple[tuple[float, float, int], ...]:
    bins = np.minimum((probability * 10).astype(int), 9)
    return tuple((float(probability[bins == b].mean()), float(is_right[bins == b].mean()), int((bins == b).sum())) for b in np.unique(bins))
