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
from twicetold.rerank.context.debate import SCOPE, resolved_text, shipped_model
from twicetold.rerank.context.finder import Finder
from twicetold.stage import ask
from twicetold.types import Ranking


def earlier(rankings: list[Ranking]) -> list[Ranking]:
    """The rankings with only what was published before the line was said."""
    return [
        dataclasses.replace(r, matches=tuple(m for m in r.matches if "" < m.doc.published < r.query.said_on))  # type: ignore[union-attr]
        for r in rankings
    ]


def main(data_root: str, folder: str) -> None:
    test = datasets.load("role-of-context", Path(data_root)).split("test")
    model = shipped_model()
    assert model is not None
    with Collection.open(folder) as collection:
        rankings = ask(RECIPES["debate"](collection, depth=300), test.claims)
        words_only = {name: weight for name, weight in model.weights.items() if not name.startswith(("speaker.", "age."))}
        plain = Finder(collection, dataclasses.replace(model, weights=words_only).score, scope=SCOPE, resolve=resolved_text(collection))
        text_only = ask(plain.stage(depth=300), test.claims)
    for row, answers in (("debate", rankings), ("debate, published before", earlier(rankings)), ("debate, text alone", text_only)):
        write(row, answers, test)


def write(row: str, answers: list[Ranking], test: Any) -> None:
    cut = [dataclasses.replace(ranking, matches=ranking.matches[:100]) for ranking in answers]
    sys.stdout.write(json.dumps({"row": row, **scores(cut, test)}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
