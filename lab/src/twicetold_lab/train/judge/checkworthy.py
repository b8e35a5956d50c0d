"""Judge check-worthiness: F1 on ClaimBuster's ground truth, average precision on CLEF 2019 task 1's test debates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.encoder import Encoder
from twicetold.rank.checkworthy import CheckWorthiness
from twicetold_lab.datasets import checkworthy as sets
from twicetold_lab.measures.formulas import average_precision_of_ranks
from twicetold_lab.train.checkworthy import ground_truth
from twicetold_lab.train.judge.scores import interval

PUBLISHED = {"best of the lab": 0.166}
"""MAP of CLEF 2019 task 1 as printed in the lab's overview (Atanasova et al. 2019, abstract)."""


def judge(root: Path, model: Path, encoder: Path) -> dict[str, Any]:
    """Return F1 of check-worthy at one half, and the mean over debates of average precision."""
    worth = CheckWorthiness.load(model, encoder=Encoder.load(encoder))
    rows = ground_truth(root)
    chosen = np.array(worth.score([row.text for row in rows])) >= 0.5
    truth = np.array([row.is_checkworthy for row in rows])
    debates: dict[str, list[sets.Sentence]] = defaultdict(list)
    for row in sets.debates(root / "checkworthy" / "clef2019-task1" / "test_annotated"):
        debates[row.source].append(row)
    precisions = [_precision(worth.score([row.text for row in debate]), debate) for debate in debates.values()]
    places = list(np.arange(len(rows), dtype=float))
    return {
        "claimbuster ground truth": {
            "rows": len(rows),
            "worthy": int(truth.sum()),
            "F1": interval(places, of=lambda drawn: _f1(truth[drawn.astype(int)], chosen[drawn.astype(int)])),
            "F1 of calling all worthy": round(_f1(truth, np.ones_like(truth)), 4),
        },
        "clef-2019-task1/test": {"debates": len(precisions), "MAP": round(float(np.mean(precisions)), 4), "published": PUBLISHED},
    }


def _f1(truth: Any, chosen: Any) -> float:
    return float(2 * (truth & chosen).sum() / max((truth.sum() + chosen.sum()), 1))


def _precision(scores: Sequence[float], rows: Sequence[sets.Sentence]) -> float:
    """Return the average precision of a debate's lines ordered by score; 0 for a debate without a line worth checking."""
    order = np.argsort(-np.array(scores), kind="stable")
    ranks = 1 + np.flatnonzero([rows[i].is_checkworthy for i in order])
    return average_precision_of_ranks(ranks, len(ranks))
