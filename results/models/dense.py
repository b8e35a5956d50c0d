"""Compare two encoders by dense search: python results/models/dense.py DATA_ROOT SET/SPLIT BASE_COLLECTION OUR_COLLECTION.

Each collection holds the set's fact-checks, indexed with one of the encoders (`twicetold --data FOLDER ingest …`, `index --encoder …`).
Prints MAP@5 with 95 % bootstrap intervals over queries; near-duplicate fact-checks count as one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from twicetold.collection import Collection
from twicetold.find import by_meaning
from twicetold.stage import ask
from twicetold_lab import datasets
from twicetold_lab.datasets import Dataset
from twicetold_lab.train.judge.scores import difference, interval, precision_of_first
from twicetold_lab.train.pairs import group_of


def precisions(folder: str, dataset: Dataset, groups: dict[str, str]) -> dict[str, float]:
    """Return the average precision at 5 of every judged query."""
    found = {}
    with Collection.open(folder) as collection:
        for ranking in ask(by_meaning(collection, depth=60), dataset.claims):
            first = list(dict.fromkeys(groups[match.doc.id] for match in ranking.matches))[:5]
            wanted = {groups[doc] for doc, grade in dataset.qrels[ranking.query.id].items() if grade > 0}
            found[ranking.query.id] = precision_of_first(first, wanted, 5)
    return found


def main() -> None:
    """Read the arguments and print the comparison as JSON."""
    root, part, base, ours = sys.argv[1:]
    dataset = datasets.load_part(part, Path(root))
    dataset = dataset.only(claim.id for claim in dataset.claims if claim.id in dataset.qrels)
    groups = {check.id: group_of(check) for check in dataset.checks()}
    before, after = (precisions(folder, dataset, groups) for folder in (base, ours))
    scores = {"MiniLM": interval(list(before.values())), "ours": interval(list(after.values())), "gain": difference(after, before)}
    sys.stdout.write(json.dumps({part: {"queries": len(before), **scores}}) + "\n")


if __name__ == "__main__":
    main()
