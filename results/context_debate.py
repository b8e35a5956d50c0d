"""The recipe `debate` on the test debates of Role of Context, overall and by category, with bootstrap intervals.

    python results/context_debate.py DATA_ROOT COLLECTION

COLLECTION holds the 16,636 fact-checks of the paper, indexed with the shipped encoder. Prints one JSON object for each row:
the recipe as it is, the recipe with fact-checks published before the debate only, and its order without who and when.
"""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from context_rows import scores

from twicetold.collection import Collection
from twicetold.lab import datasets
from twicetold.recipes import RECIPES
from twicetold.rerank.context.debate import SCOPE, shipped_model
from twicetold.stage import ask
from twicetold.types import Ranking, ranked


def earlier(rankings: list[Ranking]) -> list[Ranking]:
    """The rankings with only what was published before the line was said."""
    return [
        dataclasses.replace(r, matches=tuple(m for m in r.matches if "" < m.doc.published < r.query.said_on))  # type: ignore[union-attr]
        for r in rankings
    ]


def without_who_and_when(ranking: Ranking) -> Ranking:
    """The same candidates by the same weights, those of speakers and days left out."""
    model = shipped_model()
    assert model is not None
    kept = {name: weight for name, weight in model.weights.items() if not name.startswith(("speaker.", "age."))}
    scored = (dataclasses.replace(m, score=sum(w * m.signals.get(name, 0.0) for name, w in kept.items())) for m in ranking.matches)
    return ranked(ranking.query, scored)


def main(data_root: str, folder: str) -> None:
    test = datasets.load("role-of-context", Path(data_root)).split("test")
    with Collection.open(folder) as collection:
        rankings = ask(RECIPES["debate"](collection, depth=SCOPE.shortlist), test.claims)
    text_only = [without_who_and_when(ranking) for ranking in rankings]
    for row, answers in (("debate", rankings), ("debate, published before", earlier(rankings)), ("debate, text alone", text_only)):
        write(row, answers, test)


def write(row: str, answers: list[Ranking], test: Any) -> None:
    cut = [dataclasses.replace(ranking, matches=ranking.matches[:100]) for ranking in answers]
    sys.stdout.write(json.dumps({"row": row, **scores(cut, test)}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
