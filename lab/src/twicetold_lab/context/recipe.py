"""The shipped recipe `debate` as rows beside the paper's: as it is, by the text alone, and with earlier fact-checks only.

The published systems knew neither who spoke nor when, so the row to hold beside theirs is `debate-text`: the same candidates by the same
weights, those of speakers and days left out. In `debate-earlier` only what was published before the day of the debate may answer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

from twicetold.answer import DEBATE
from twicetold.collection import Settings
from twicetold.rank.context.debate import SCOPE, shipped_model
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck, Ranking, ranked
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of
from twicetold_lab.runs import Run, answered

DEPTH = 100


def _as_it_is(ranking: Ranking) -> Ranking:
    return ranking


def by_text(ranking: Ranking) -> Ranking:
    """Order the candidates without who and when."""
    model = shipped_model()
    assert model is not None
    kept = {name: weight for name, weight in model.weights.items() if not name.startswith(("speaker.", "age."))}
    scored = (dataclasses.replace(m, score=sum(w * m.signals.get(name, 0.0) for name, w in kept.items())) for m in ranking.matches)
    return ranked(ranking.query, scored)


def earlier(ranking: Ranking) -> Ranking:
    """Leave out what was published on the day of the line or later, or on no known day."""
    said_on = ranking.query.said_on if isinstance(ranking.query, Claim) else ""
    kept = (match for match in ranking.matches if isinstance(match.doc, FactCheck) and _is_earlier(match.doc, said_on))
    return dataclasses.replace(ranking, matches=tuple(kept))


def _is_earlier(check: FactCheck, said_on: str) -> bool:
    return "" < check.published < said_on


EARLIER = "debate-earlier"
ROWS: dict[str, Callable[[Ranking], Ranking]] = {"debate": _as_it_is, "debate-text": by_text, EARLIER: earlier}


def unanswerable(dataset: Dataset, cache: Path) -> int:
    """Count the test lines none of whose answers had been published before the debate."""
    test = dataset.split("test")
    with collection_of(dataset, Settings(), cache=cache) as collection:
        answers = {claim: [collection.store.get(id) for id in test.qrels[claim.id]] for claim in test.claims}
    return sum(not any(check is not None and _is_earlier(check, claim.said_on) for check in found) for claim, found in answers.items())


def recipe_run(name: str, dataset: Dataset, cache: Path) -> Run:
    """Ask the recipe the lines of the test debates, which its weights have not seen."""
    test = dataset.split("test")
    with collection_of(dataset, Settings(), cache=cache) as collection:
        rankings = ask(DEBATE.stage(collection, depth=SCOPE.shortlist), test.claims)
        corpus = len(collection.store)
    changed = (ROWS[name](ranking) for ranking in rankings)
    cut = (dataclasses.replace(ranking, matches=ranking.matches[:DEPTH]) for ranking in changed)
    return Run(name, tuple(map(answered, cut)), corpus)
