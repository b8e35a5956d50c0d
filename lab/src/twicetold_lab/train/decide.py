"""Calibrate the decision whether a claim was checked before: on claims half of whose answers are taken out of the corpus.

No claim is of a dev or test split. Claims of the role CALIBRATE are ranked by `best` as it is; those that it learnt from (STACKER, TUNE)
by a blend of the same shares that has not learnt from them. Which answers go is decided by a hash of their case, so all twins go
together and every run takes the same. They are taken out of the candidates, not of the index: word statistics stay, and the next best
candidate moves up, as it would in a corpus without them.

The sets name one answer for a post, or a few, though other publishers have checked the same claim. A fact-check that says nearly what a
named answer says counts as one too: eighteen such that stood first for a post in place of the answer were read, and all checked the
same claim.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.answer.decide import Decider
from twicetold.answer.group import cases, collapse
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import EncoderChoice
from twicetold.models import shipped
from twicetold.rank.agreement import compare_with_first, nearness
from twicetold.rank.best import FIRST, seen_closely
from twicetold.rank.blend import Blend
from twicetold.rank.signals import Array, rerank
from twicetold.shares import wilson
from twicetold.stage import Stage, chain
from twicetold.types import FactCheck, Match, Ranking
from twicetold_lab import datasets, roles
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of
from twicetold_lab.train.best import SETS, gather_sets, out_of_fold

SIGNALS = ("share.best", "dense.best", "body.1")
"""With the score and its lead these told right from wrong better than all signals together, in cross-validation on the same claims."""
SAYS_THE_SAME = 0.75
"""The cosine of claims or titles from which two candidates of one post count as checks of the same claim."""


@dataclass(frozen=True)
class Case:
    """A claim's ranking after some answers were taken away: is its first match right, and was anything left to find?"""

    ranking: Ranking
    is_right: bool
    is_answerable: bool


def train(data_root: Path, out: Path, *, work: Path, blend: Path | None = None, encoder: str = "") -> Decider:
    """Rank claims to learn from by `best` (the shipped one, or that in the folder `blend`), take answers away, fit, and write to `out`."""
    model = Blend.load(blend or shipped("best"))
    apart = gather_sets(seen_closely, data_root, work, encoder=encoder)
    fresh = gather_sets(seen_closely, data_root, work, encoder=encoder, wanted=[roles.Role.CALIBRATE])
    stage = rerank(model, first=FIRST)
    known: list[Case] = []
    for name, held, asked in zip(SETS, out_of_fold(apart, model), fresh, strict=True):
        dataset = datasets.load(name, data_root)
        with collection_of(dataset, Settings(encoder=EncoderChoice.parse(encoder)), cache=work) as collection:
            judge = Judge.of(dataset, collection)
            known += both_halves([*held, *stage(asked.rankings)], judge, finish(collection))
    decider = fit(known)
    decider.save(out)
    return decider


def finish(collection: Collection) -> Stage:
    """What a ranking goes through before it is decided: twins as one case, and each match compared with the first."""
    return chain(collapse(), compare_with_first(collection))


def fit(known: Sequence[Case]) -> Decider:
    """Fit a decider on claims that have at least one candidate left."""
    kept = [case for case in known if case.ranking.matches]
    return Decider.fit(SIGNALS, [case.ranking for case in kept], np.array([case.is_right for case in kept]))


# --- which matches answer, and taking them away ---------------------------------------------------------------------


@dataclass(frozen=True)
class Judge:
    """Says which matches answer a claim: the answers a set names, their twins and, with `near`, what says nearly the same."""

    dataset: Dataset
    case_of: Mapping[str, str]
    near: Callable[[str, Sequence[str]], Sequence[float]] | None = None

    @classmethod
    def of(cls, dataset: Dataset, collection: Collection) -> Judge:
        """Count other checks of the same claim as answers."""
        return cls(dataset, cases(dataset.checks()), lambda one, others: nearness(collection, one, others))

    @property
    def strict(self) -> Judge:
        """Count named answers and their twins alone."""
        return dataclasses.replace(self, near=None)

    def answers(self, ranking: Ranking) -> dict[str, list[str]]:
        """Return the named answers of a claim, by case."""
        found: dict[str, list[str]] = {}
        for id, grade in self.dataset.qrels.get(ranking.query.id, {}).items():
            if grade > 0:
                found.setdefault(self.case_of.get(id, id), []).append(id)
        return found

    def answered(self, matches: Sequence[Match], answers: Mapping[str, Sequence[str]]) -> list[set[str]]:
        """Return, for each match, the cases among `answers` that it stands for."""
        docs = [_docs(match) for match in matches]
        found = [{self.case_of.get(id, id) for id in ids} & answers.keys() for ids in docs]
        if self.near is not None:
            for case, ids in answers.items():
                for id in ids:
                    for place, cosine in enumerate(self.near(id, [first for first, *_ in docs])):
                        if cosine >= SAYS_THE_SAME:
                            found[place].add(case)
        return found


def _docs(match: Match) -> list[str]:
    return [match.doc.id, *(twin.id for twin in match.twins)] if isinstance(match.doc, FactCheck) else [match.doc.id]


def both_halves(rankings: Sequence[Ranking], judge: Judge, finished: Stage) -> list[Case]:
    """Take one half of the answers away, then the other, so that every claim is seen with its answer and without."""
    return take_away(rankings, judge, finished) + take_away(rankings, judge, finished, is_gone=lambda case: not goes(case))


def take_away(rankings: Sequence[Ranking], judge: Judge, finished: Stage, *, is_gone: Callable[[str], bool] | None = None) -> list[Case]:
    """Take half of the answers (those that `goes` names, unless said otherwise), and all that counts as them, out of the rankings."""
    found = []
    for ranking in rankings:
        answers = judge.answers(ranking)
        gone = {case for case in answers if (is_gone or goes)(case)}
        stands_for = judge.answered(ranking.matches, answers)
        kept = [(match, cases_) for match, cases_ in zip(ranking.matches, stands_for, strict=True) if not cases_ & gone]
        [left] = finished([dataclasses.replace(ranking, matches=tuple(match for match, _ in kept))])
        found.append(Case(left, bool(kept) and bool(kept[0][1]), bool(answers.keys() - gone)))
    return found


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


def _reliability(probability: Array, is_right: Array) -> tuple[tuple[float, float, int], ...]:
    bins = np.minimum((probability * 10).astype(int), 9)
    return tuple((float(probability[bins == b].mean()), float(is_right[bins == b].mean()), int((bins == b).sum())) for b in np.unique(bins))
