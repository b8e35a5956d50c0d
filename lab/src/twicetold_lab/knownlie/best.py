"""Our own reranker on Known Lie's sets: candidates from words and meaning together, more signals than the paper's, three learners.

What it knows beyond the paper's rerankers is what any user has: who said the sentence and when, beside whom and when a fact-check is
of (PolitiFact; Snopes' tweets come without). A fact-check published after the sentence was said is known as such. The encoder is the
one the scores were made with, so that with MiniLM as it comes no part has seen the inputs it is measured on. The shares, the numbers
of candidates and the learners' settings were chosen by cross-validation on the training inputs of the first split.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import numpy as np

from twicetold.rank.blend import Blend, Part
from twicetold.rank.boosted import Boosted
from twicetold.rank.boosted import Settings as TreeSettings
from twicetold.rank.ranksvm import RankSVM, Settings
from twicetold.rank.signals import Array, Examples
from twicetold.types import Claim
from twicetold_lab.knownlie.rows import Candidates, Places, Split, reranked, signal_names, signals_of
from twicetold_lab.knownlie.scores import Scores

DEPTHS = {"bm25.body": 50, "bm25.claim": 20, "dense.claim": 30, "dense.title": 20}
BODILESS_DEPTHS = {"bm25.all": 40, "clean.words": 40, "clean.claim": 30, "clean.title": 30}
SPOKEN = ("speaker", "later", "recent", "weeks", "same days")
"""Was it said by the same person; is the fact-check later than the sentence; how recent it was; the logarithm of the weeks between;
within three days of it."""
_GRACE = 4
"""Days after which a fact-check counts as later: those of a debate appear within days of it."""
_PEOPLE = re.compile(r"[^\W\d_]{3,}")
_TITLES = frozenset(
    ["the", "president", "senator", "governor", "gov", "sen", "mrs", "secretary", "moderator", "former", "vice", "rep", "congressman"]
)


def gathered(scores: Scores) -> Candidates:
    """Take every input's candidates in all ways of `DEPTHS`, with all signals."""
    measures = [name for name in scores.tables if name not in ("body.5", "body.6")]
    depths = DEPTHS if "bm25.body" in scores.tables else BODILESS_DEPTHS
    spoken = _Spoken(scores) if any(claim.said_on or claim.said_by for claim in scores.claims) else None
    places, rows = [], []
    for row in range(len(scores.claims)):
        chosen = _union(scores, row, depths)
        parts = [signals_of(scores, measures, row, chosen), _shares(scores, measures, row, chosen)]
        rows.append(np.concatenate(parts + ([spoken.signals(row, chosen)] if spoken else []), axis=1))
        places.append(chosen)
    names = (*signal_names(measures), *(f"of best {name}" for name in measures), *(SPOKEN if spoken else ()))
    return Candidates(names, tuple(places), tuple(rows))


def best_row(scores: Scores, split: Split, candidates: Candidates) -> dict[str, float]:
    """Learn on the training inputs and measure on the test inputs."""
    model = fit(candidates.examples(scores, split.train))
    return reranked(scores, model, candidates.examples(scores, split.test), split.test)


def fit(examples: Examples) -> Blend:
    """Fit a linear RankSVM, one with an RBF kernel, and boosted trees, and weigh them the same."""
    models: dict[str, RankSVM | Boosted] = {
        "linear": RankSVM.fit(examples, Settings(kernel="linear", cost=0.1)),
        "ranksvm": RankSVM.fit(examples, Settings(cost=0.3, gamma=0.1, landmarks=300)),
        "boosted": Boosted.fit(examples, TreeSettings(trees=80, leaves=6, fewest=40, share=0.4)),
    }
    scored = {kind: model.score(examples.rows) for kind, model in models.items()}
    parts = (Part(kind, model, 1.0, float(scored[kind].mean()), float(scored[kind].std()) or 1.0) for kind, model in models.items())
    return Blend(examples.names, tuple(parts))


def _union(scores: Scores, row: int, depths: dict[str, int]) -> Places:
    found = [np.argpartition(-np.asarray(scores[name][row]), min(depth, len(scores.checks) - 1))[:depth] for name, depth in depths.items()]
    return np.unique(np.concatenate(found))


def _shares(scores: Scores, measures: Sequence[str], row: int, chosen: Places) -> Array:
    """Each measure as a share of the largest that any fact-check has for this input, (N, D)."""
    wholes = [np.asarray(scores[name][row], np.float64) for name in measures]
    return np.stack([whole[chosen] / max(float(whole.max()), 1e-9) for whole in wholes], axis=1)


class _Spoken:
    """Who said each input and when, beside whom each fact-check is of and when it was published."""

    def __init__(self, scores: Scores) -> None:
        self._claims = scores.claims
        self._people = [_people(check.claimant) for check in scores.facts]
        self._days = np.array([_day(check.published) for check in scores.facts])

    def signals(self, row: int, chosen: Places) -> Array:
        """Return the signals `SPOKEN` of an input and these fact-checks; of what is unknown the middle, (N, 5)."""
        claim = self._claims[row]
        return np.column_stack([self._same_person(claim, chosen), *self._times(_day(claim.said_on), chosen)])

    def _same_person(self, claim: Claim, chosen: Places) -> Array:
        asked = _people(claim.said_by)
        return np.array([0.5 if not asked or not self._people[at] else float(bool(asked & self._people[at])) for at in chosen])

    def _times(self, said: int, chosen: Places) -> list[Array]:
        if not said:
            return [np.full(len(chosen), 0.5), np.zeros(len(chosen)), np.full(len(chosen), 3.0), np.zeros(len(chosen))]
        days = self._days[chosen] - said
        recent = np.where(days <= _GRACE, 1 / (1 + np.maximum(-days, 0) / 365), 0.0)
        return [(days > _GRACE).astype(float), recent, np.log1p(np.abs(days) / 7), (np.abs(days) <= 3).astype(float)]


def _people(name: str) -> frozenset[str]:
    return frozenset(_PEOPLE.findall(name.casefold())) - _TITLES


def _day(text: str) -> int:
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:  # unknown, or a year alone
        return 0
