"""Train the debate recipe on the training debates of Role of Context: weights of the signals, and the chance of being right.

The weights are a linear RankSVM's: with some 470 lines to learn from, trees and kernels over the same signals did worse on held-out
debates. Choices were made on the debates of 2017 with those before for training; the test debates play no part. The chance is a logistic
regression on rankings of debates that the weights had not seen, with lines nobody had annotated as lines without an answer.
Needs the research data and a collection of the 16,636 fact-checks; no torch.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from twicetold.collection import Settings as CollectionSettings
from twicetold.lab import datasets
from twicetold.lab.datasets.dataset import Dataset
from twicetold.lab.datasets.politifact import said_at
from twicetold.lab.experiment import collection_of
from twicetold.lab.roles import LEARNING, Role, role_of
from twicetold.rerank.context.debate import SCOPE, resolved_text, weighted
from twicetold.rerank.context.finder import Finder
from twicetold.rerank.context.model import FACTS, DebateModel, facts_of
from twicetold.rerank.ranksvm import RankSVM, Settings
from twicetold.rerank.signals import Judged, examples, rerank
from twicetold.scan.worth import by_form
from twicetold.stage import ask
from twicetold.types import Claim, Ranking

VIEWS = ("", "around.", "resolved.")
SIGNALS = (
    *(f"{view}{name}" for view in VIEWS for name in ("share.claim", "share.title", "share.body", "dense.claim", "dense.title")),
    "speaker.same", "speaker.present", "speaker.named", "age.after", "age.same_day", "age.month", "age.log_months",
)  # fmt: skip
"""What the recipe weighs. Who and when are known of speeches and fact-checks alike; where they are not, these are 0 for all candidates."""

COST = 0.01
FOLDS = 5
UNANSWERED = 300
"""How many lines that nobody annotated teach what a line without an answer looks like."""


def train(data_root: Path, out: Path, *, cache: Path, seed: int = 0) -> dict[str, float]:
    """Fit and save the model to `out`; returns the mean average precision over folds of the training debates.

    The fact-checks are indexed with the shipped encoder in the cache if they are not there yet: some minutes.
    """
    whole = datasets.load("role-of-context", data_root)
    dataset = learnable(whole.split("train"))
    with collection_of(whole, CollectionSettings(), cache=cache) as opened:
        finder = Finder(opened, weighted, scope=SCOPE, resolve=resolved_text(opened)).stage(depth=100)
        _say("finding candidates for annotated lines")
        rankings = ask(finder, dataset.claims)
        _say("and for lines without an answer")
        empty = ask(finder, unanswered(dataset, UNANSWERED, seed))
        assert opened.encoder is not None
        made_with = opened.encoder.version
    held_out = list(_out_of_fold(rankings, dataset.qrels))
    weights = fit_weights(rankings, dataset.qrels)
    scored = DebateModel(weights, {})
    # The encoder has learnt from most annotated lines and is surer of them than it will be of new ones: the chance is told by the others,
    # with as many lines without an answer for each of them.
    unseen = [ranking for ranking in held_out if isinstance(ranking.query, Claim) and role_of(ranking.query) is not Role.ENCODER]
    fewer = empty[: round(len(empty) * len(unseen) / max(len(held_out), 1))]
    coefficients = fit_chance([*unseen, *_ranked(scored, fewer)], dataset.qrels)
    scores = {"folds.MAP": mean_average_precision(held_out, dataset.qrels)}
    DebateModel(weights, coefficients).save(out, trained_on="role-of-context/train", cost=COST, encoder=made_with, scores=scores)
    return scores


def learnable(dataset: Dataset) -> Dataset:
    """Return only the queries that a shipped model may learn from: none that shares an answer with a test query."""
    return dataset.only(claim.id for claim in dataset.claims if role_of(claim) in LEARNING)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def fit_weights(rankings: Sequence[Ranking], qrels: Judged, names: Sequence[str] = SIGNALS) -> dict[str, float]:
    """Learn a weight for each signal, for signals as they come (the learner's own scaling is undone)."""
    model = RankSVM.fit(examples(rankings, qrels, names), Settings(kernel="linear", cost=COST))
    span = model.scale.high - model.scale.low
    slopes = np.where(span > 0, 2 * model.centres[0] / np.where(span > 0, span, 1.0), 0.0)
    return dict(zip(names, slopes.tolist(), strict=True))


def _ranked(model: DebateModel, rankings: Sequence[Ranking]) -> list[Ranking]:
    return rerank(_Linear(model))(rankings)


class _Linear:
    """The model as the common reranking stage wants it."""

    def __init__(self, model: DebateModel) -> None:
        self.names = tuple(model.weights)
        self._weights = np.array(list(model.weights.values()))

    def score(self, rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.einsum("nd,d->n", rows, self._weights)


def _out_of_fold(rankings: Sequence[Ranking], qrels: Judged) -> Iterator[Ranking]:
    """Rank each debate's lines by weights learnt on the other folds' debates."""
    debates = sorted({_debate(ranking) for ranking in rankings})
    fold_of = {debate: number % FOLDS for number, debate in enumerate(debates)}
    for fold in range(FOLDS):
        seen = [ranking for ranking in rankings if fold_of[_debate(ranking)] != fold]
        model = DebateModel(fit_weights(seen, qrels), {})
        yield from _ranked(model, [ranking for ranking in rankings if fold_of[_debate(ranking)] == fold])


def _debate(ranking: Ranking) -> str:
    return ranking.query.id.rpartition("_")[0]


def unanswered(dataset: Dataset, count: int, seed: int) -> list[Claim]:
    """Draw lines of the same debates that look worth checking and that no annotator linked to a fact-check.

    Some of them were checked all the same, so the chance learnt is a little too low, never too high.
    """
    linked = {claim.id for claim in dataset.claims}
    events = {claim.id.rpartition("_")[0]: claim for claim in dataset.claims}
    drawn: list[Claim] = []
    for event, claim in events.items():
        for at in range(len(claim.context.lines)):
            id = f"{event}_{at + 1:04d}"
            if id not in linked and by_form(claim.context.lines, at) >= 0.5:
                drawn.append(said_at(id, claim.context.lines[at].text, event, claim.context.lines, at))
    return random.Random(seed).sample(drawn, min(count, len(drawn)))


def fit_chance(rankings: Sequence[Ranking], qrels: Judged) -> dict[str, float]:
    """Learn, by Newton's method with a little decay, when the first match is right."""
    answered = [ranking for ranking in rankings if ranking.matches]
    facts = [facts_of(ranking) for ranking in answered]
    rows = np.array([[1.0, *(fact[name] for name in FACTS)] for fact in facts])  # (N, 1 + F)
    right = np.array([qrels.get(r.query.id, {}).get(r.matches[0].doc.id, 0) > 0 for r in answered], float)
    beta = np.zeros(rows.shape[1])
    decay = np.diag([0.0, *([0.5] * len(FACTS))])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(rows @ beta)))
        gradient = rows.T @ (right - chance) - decay @ beta
        beta = beta + np.linalg.solve((rows * (chance * (1 - chance))[:, None]).T @ rows + decay + 1e-9 * np.eye(len(beta)), gradient)
    return dict(zip(("", *FACTS), beta.tolist(), strict=True))


def mean_average_precision(rankings: Sequence[Ranking], qrels: Mapping[str, Mapping[str, int]]) -> float:
    """Return the mean over queries of average precision, right answers that were not found counting as misses."""
    return float(np.mean([average_precision(ranking, qrels[ranking.query.id]) for ranking in rankings]))


def average_precision(ranking: Ranking, judged: Mapping[str, int]) -> float:
    """Return one query's average precision over the whole ranking."""
    hits, total = 0, 0.0
    for rank, match in enumerate(ranking.matches, start=1):
        if judged.get(match.doc.id, 0) > 0:
            hits += 1
            total += hits / rank
    return total / sum(grade > 0 for grade in judged.values())
