"""Train the debate recipe on the training debates of Role of Context: weights of the signals, and the chance of being right.

The weights are a linear RankSVM's: with some 470 lines to learn from, trees and kernels over the same signals did worse on held-out
debates. Choices were made on the debates of 2017 with those before for training; the test debates play no part.

The chance is a logistic regression on lines as a scan meets them: drawn from the whole training debates, nearly all of them annotated
by nobody, each with its first match judged (`debate-judged.json`: line, fact-check, label, and how many lines of the draw it stands
for; the rule is that of `lab.context.lanes`). A line that nobody annotated may have been checked all the same, and one that comes out
sure mostly has been: to count them all as wrong would be as far off as to count annotated lines alone, which all have an answer.

Where day and speakers are unknown, the chance is that of annotated lines among as many that nobody annotated: such speeches and
collections were not drawn from. With both withheld from the judged lines, what it calls matched is right more often than it states
(`withheld.…` among the scores); what it calls worth a look is right less often.

Needs the research data and a collection of the 16,636 fact-checks; no torch.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from twicetold.collection import Collection
from twicetold.collection import Settings as CollectionSettings
from twicetold.rank.context.debate import SCOPE, debate, resolved_text, weighted
from twicetold.rank.context.finder import Finder
from twicetold.rank.context.model import FACTS, DebateModel, facts_of, is_placed
from twicetold.rank.ranksvm import RankSVM, Settings
from twicetold.rank.signals import Judged, examples, rerank
from twicetold.scan.scanner import Settings as Listening
from twicetold.scan.speeches import worth_of_lines
from twicetold.scan.worth import by_form
from twicetold.stage import Stage, ask
from twicetold.types import Claim, Context, Lane, Line, Ranking
from twicetold_lab import datasets
from twicetold_lab.context.lanes import lot
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.politifact import said_at
from twicetold_lab.experiment import collection_of
from twicetold_lab.measures.formulas import average_precision_of_ranks
from twicetold_lab.roles import LEARNING, Role, role_of

VIEWS = ("", "around.", "resolved.")
SIGNALS = (
    *(f"{view}{name}" for view in VIEWS for name in ("share.claim", "share.title", "share.body", "dense.claim", "dense.title")),
    "speaker.same", "speaker.present", "speaker.named", "age.after", "age.same_day", "age.month", "age.log_months",
)  # fmt: skip
"""What the recipe weighs. Who and when are known of speeches and fact-checks alike; where they are not, these are 0 for all candidates."""

COST = 0.01
FOLDS = 5
DEPTH = 10
CHECK = "2017"
"""The year whose debates check the chance that those before have taught."""
UNANSWERED = 300
"""How many lines that nobody annotated stand for those without an answer where day and speakers are unknown."""
BANDS = (0.5, 0.3, 0.15, 0.0)
"""Lines are drawn for judging from these chances up, each band by itself, since those that are sure are few."""


def train(data_root: Path, out: Path, *, cache: Path, seed: int = 0) -> dict[str, float]:
    """Fit and save the model to `out`; returns the mean average precision over folds of the training debates, and how the chance holds.

    `judged.…` is of the debates of 2017 by a chance that those before have taught: the share of right matches in a lane, and what was
    stated. The chance that is saved has learnt from both. The fact-checks are indexed with the shipped encoder in the cache if they are
    not there yet: some minutes.
    """
    whole = datasets.load("role-of-context", data_root)
    train_part = whole.split("train")
    dataset = learnable(train_part)
    with collection_of(whole, CollectionSettings(), cache=cache) as opened:
        finder = Finder(opened, weighted, scope=SCOPE, resolve=resolved_text(opened)).stage(depth=100)
        _say("finding candidates for annotated lines")
        rankings = ask(finder, dataset.claims)
        empty = ask(finder, unanswered(dataset, UNANSWERED, seed))
        weights = fit_weights(rankings, dataset.qrels)
        _say("and for lines whose first match was judged")
        stage = by_weights(opened, weights)
        known = judged_lines(train_part, read_judged(), stage)
        withheld = judged_lines(train_part, read_judged(withheld=True), stage, as_heard=_by_text)
        assert opened.encoder is not None
        made_with = opened.encoder.version
    held_out = list(_out_of_fold(rankings, dataset.qrels))
    unseen = _unseen(held_out)
    fewer = empty[: round(len(empty) * len(unseen) / max(len(held_out), 1))]
    others = fit_chance(_as_known([*unseen, *_ranked(DebateModel(weights, {}), fewer)], dataset.qrels))
    placed = [one for one in known if is_placed(one.ranking)]
    model = DebateModel(weights, fit_chance(placed), others)
    earlier, last = ([one for one in placed if (_year(one) == CHECK) is is_last] for is_last in (False, True))
    scores = {"folds.MAP": mean_average_precision(held_out, dataset.qrels)}
    scores |= _by_lane("judged", DebateModel(weights, fit_chance(earlier)), last) | _by_lane("withheld", model, withheld)
    model.save(out, trained_on="role-of-context/train", cost=COST, encoder=made_with, scores=scores)
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
    return _debate_of(ranking.query.id)


def _debate_of(id: str) -> str:
    return id.rpartition("_")[0]


# --- the chance ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judgement:
    """A line of a training debate, its first match, whether that answers it, and how many lines of the draw it stands for."""

    line: str
    check: str
    label: str
    weight: float


class Known(NamedTuple):
    """A ranking whose first match was judged: right is 1, all else 0."""

    ranking: Ranking
    right: float
    weight: float


def read_judged(*, withheld: bool = False) -> list[Judgement]:
    """Read the judgements that the package brings along: one for each line; `withheld`, for what it finds when day and speakers are."""
    judged = json.loads(resources.files("twicetold_lab.train").joinpath("debate-judged.json").read_text(encoding="utf-8"))
    by_line = {row[0]: Judgement(*row) for row in (*judged["lines"], *(judged["withheld"] if withheld else ()))}
    return list(by_line.values())


def by_weights(collection: Collection, weights: Mapping[str, float]) -> Stage:
    """Return the recipe with these weights, undecided."""
    rank = DebateModel(weights, {}).score
    return Finder(collection, rank, scope=SCOPE, resolve=resolved_text(collection)).stage(depth=DEPTH)


Hear = Callable[[str, Mapping[str, Claim]], Claim]
"""Makes a claim of a line by its id, given a claim of each debate."""


def judged_lines(dataset: Dataset, judgements: Sequence[Judgement], stage: Stage, *, as_heard: Hear | None = None) -> list[Known]:
    """Look up the judged lines; one whose first match is another now than the one judged is left out, and said so."""
    spoken = {_debate_of(claim.id): claim for claim in dataset.claims}
    hear = as_heard or _as_heard
    rankings = ask(stage, [hear(judged.line, spoken) for judged in judgements])
    known = [
        Known(ranking, float(judged.label == "yes"), judged.weight)
        for ranking, judged in zip(rankings, judgements, strict=True)
        if ranking.matches and ranking.matches[0].doc.id == judged.check
    ]
    if len(known) < len(judgements):
        _say(f"{len(judgements) - len(known)} of {len(judgements)} judged lines have another first match now and are left out")
    return known


def _as_heard(line: str, spoken: Mapping[str, Claim]) -> Claim:
    """The line as a scan hears it: with all before it, and as much after it as the scan looks ahead."""
    event, at = _debate_of(line), int(line.rpartition("_")[2]) - 1
    lines = spoken[event].context.lines
    return said_at(line, lines[at].text, event, lines[: at + Listening().ahead + 1], at)


def _by_text(line: str, spoken: Mapping[str, Claim]) -> Claim:
    """The same without who speaks and when."""
    claim = _as_heard(line, spoken)
    nobody = Context(tuple(Line("", said.text) for said in claim.context.lines), claim.context.at)
    return Claim(claim.id, claim.text, nobody)


def unanswered(dataset: Dataset, count: int, seed: int) -> list[Claim]:
    """Draw lines of these debates that look worth checking and that no annotator linked to a fact-check."""
    linked = {claim.id for claim in dataset.claims}
    events = {_debate_of(claim.id): claim for claim in dataset.claims}
    found: list[Claim] = []
    for event, claim in events.items():
        for at in range(len(claim.context.lines)):
            id = f"{event}_{at + 1:04d}"
            if id not in linked and by_form(claim.context.lines, at) >= 0.5:
                found.append(said_at(id, claim.context.lines[at].text, event, claim.context.lines, at))
    return random.Random(seed).sample(found, min(count, len(found)))


def _unseen(rankings: Sequence[Ranking]) -> list[Ranking]:
    """Those of lines that the encoder has not learnt from: of the others it is surer than it will be of new ones."""
    return [ranking for ranking in rankings if isinstance(ranking.query, Claim) and role_of(ranking.query) is not Role.ENCODER]


def _as_known(rankings: Sequence[Ranking], qrels: Judged) -> list[Known]:
    answered = [ranking for ranking in rankings if ranking.matches]
    return [Known(one, float(qrels.get(one.query.id, {}).get(one.matches[0].doc.id, 0) > 0), 1.0) for one in answered]


def drawn(dataset: Dataset, collection: Collection, count: int, per_band: Sequence[int]) -> list[tuple[Ranking, float]]:
    """Draw lines to be judged, each with the number of lines it stands for: this is how `debate-judged.json` was made.

    `count` lines worth looking up are drawn from the debates of these queries and looked up by the shipped recipe; of each of the `BANDS`
    of chances so many are kept. Annotated lines that the encoder has learnt from are left out: it is surer of them than it will be of
    new ones.
    """
    spoken = {_debate_of(claim.id): claim for claim in dataset.claims}
    seen = {claim.id for claim in dataset.claims if role_of(claim) in (Role.ENCODER, Role.BARRED)}
    places = [f"{event}_{at + 1:04d}" for event, claim in spoken.items() for at in range(len(claim.context.lines))]
    worth, match = worth_of_lines(collection), debate(collection, depth=DEPTH)
    found: list[Ranking] = []
    for claim in (_as_heard(line, spoken) for line in sorted(set(places) - seen, key=lot)):
        if claim.text and worth(claim.context.lines, [claim.context.at])[0] >= Listening().least_worth:
            found += ask(match, [claim])
        if len(found) == count:
            break
    sure = [ranking for ranking in found if ranking.matches and ranking.decision is not None]
    bands = [[ranking for ranking in sure if _band(ranking) == low] for low in BANDS]
    return [(one, len(band) / len(band[:most])) for band, most in zip(bands, per_band, strict=True) for one in band[:most]]


def _band(ranking: Ranking) -> float:
    assert ranking.decision is not None
    return next(low for low in BANDS if ranking.decision.probability >= low)


def fit_chance(known: Sequence[Known]) -> dict[str, float]:
    """Learn, by Newton's method with a little decay, when the first match is right."""
    facts = [facts_of(one.ranking) for one in known]
    rows = np.array([[1.0, *(fact[name] for name in FACTS)] for fact in facts])  # (N, 1 + F)
    right = np.array([one.right for one in known])
    weight = np.array([one.weight for one in known])
    weight = weight / weight.mean()  # so that the decay weighs as much as beside so many lines
    beta = np.zeros(rows.shape[1])
    decay = np.diag([0.0, *([0.5] * len(FACTS))])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(rows @ beta)))
        gradient = rows.T @ (weight * (right - chance)) - decay @ beta
        curve = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + decay + 1e-9 * np.eye(len(beta))
        beta = beta + np.linalg.solve(curve, gradient)
    return dict(zip(("", *FACTS), beta.tolist(), strict=True))


def _by_lane(what: str, model: DebateModel, known: Sequence[Known]) -> dict[str, float]:
    """By lane, the share that is right and what the chance states, over the lines that those judged stand for."""
    told = [(model.decided(one.ranking).decision, one) for one in known]
    found: dict[str, float] = {}
    for lane in Lane:
        some = [(decision.probability, one) for decision, one in told if decision is not None and decision.lane is lane]
        total = sum(one.weight for _, one in some)
        if total:
            name = f"{what}.{lane.value.replace(' ', '_')}"
            found[f"{name}.right"] = sum(one.right * one.weight for _, one in some) / total
            found[f"{name}.stated"] = sum(chance * one.weight for chance, one in some) / total
    return found


def _year(one: Known) -> str:
    return one.ranking.query.id[:4]


def mean_average_precision(rankings: Sequence[Ranking], qrels: Mapping[str, Mapping[str, int]]) -> float:
    """Return the mean over queries of average precision, right answers that were not found counting as misses."""
    return float(np.mean([_precision(ranking, qrels[ranking.query.id]) for ranking in rankings]))


def _precision(ranking: Ranking, judged: Mapping[str, int]) -> float:
    ranks = 1 + np.flatnonzero([judged.get(match.doc.id, 0) > 0 for match in ranking.matches])
    return average_precision_of_ranks(ranks, sum(grade > 0 for grade in judged.values()))
