"""How well the shipped decision holds on claims it was not calibrated on: `twicetold lab decisions`.

Half of the answers, with all their twins, are taken out of each dev set's rankings, so that "none" is right for them; then the other
half, so that every claim is seen with its answer and without. "No match" is judged by F1 over the first half alone, as published
filters are. Each figure is given twice: with the answers that a set names, and with other checks of the same claim counted as answers
too (`train.decide.Judge`), since the sets name one of several.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from twicetold.answer.answerer import decider
from twicetold.collection import Settings
from twicetold.rank.best import best
from twicetold.types import Ranking
from twicetold_lab import datasets
from twicetold_lab.experiment import collection_of
from twicetold_lab.plots import RELIABILITY
from twicetold_lab.train.best import SETS
from twicetold_lab.train.decide import Case, Judge, Measured, both_halves, finish, measure, take_away

RISKS = (0.05, 0.1, 0.2)
NAMED, OTHERS = "named answers", "other checks of the same claim too"
POOLED = "pooled, every claim with and without its answer"


def measure_decisions(data_root: Path, cache: Path | None) -> dict[str, Any]:
    """Measure on the dev splits of CheckThat 2020 and FactCheckTweet, and both pooled; return the figures by set and kind of answers."""
    pooled: dict[str, list[Case]] = {NAMED: [], OTHERS: []}
    record: dict[str, Any] = {"command": "twicetold lab decisions", "recipe": "best"}
    for name in SETS:
        dataset, dev = datasets.load(name, data_root), datasets.load_part(f"{name}/dev", data_root)
        with collection_of(dataset, Settings(), cache=cache) as collection:
            rankings = best(collection, depth=20)([Ranking(claim) for claim in dev.claims])
            wide = Judge.of(dev, collection)
            for kind, judge in ((NAMED, wide.strict), (OTHERS, wide)):
                pooled[kind] += both_halves(rankings, judge, finish(collection))
                record.setdefault(f"{name}/dev", {})[kind] = _figures(take_away(rankings, judge, finish(collection)))
    record[POOLED] = {kind: _figures(known) for kind, known in pooled.items()}
    return record


def _figures(known: list[Case]) -> dict[str, Any]:
    by_risk = {risk: measure(decider(), known, risk=risk) for risk in RISKS}
    first = by_risk[RISKS[0]]
    return {
        "claims": first.n,
        "auroc": round(first.auroc, 3),
        "f1_no_match": round(first.f1_no_match, 3),
        "at risk": {str(risk): _at(found) for risk, found in by_risk.items()},
        RELIABILITY: [[round(p, 3), round(share, 3), n] for p, share, n in first.reliability],
    }


def _at(found: Measured) -> dict[str, float]:
    kept = ("coverage", "error", "error_low", "error_high")
    return {name: round(value, 3) for name, value in dataclasses.asdict(found).items() if name in kept}
