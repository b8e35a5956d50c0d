"""How well the shipped decision holds on claims it was not calibrated on: `python -m twicetold.lab.decisions`.

Half of the answers, with all their twins, are taken out of each dev set's rankings, so that "none" is right for them; then the other
half, so that every claim is seen with its answer and without. "No match" is judged by F1 over the first half alone, as published
filters are.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from twicetold.answering import decider
from twicetold.lab import datasets
from twicetold.rerank.best import best
from twicetold.stage import chain
from twicetold.train.decide import SETS, Case, Measured, both_halves, measure, take_away
from twicetold.train.gather import gather
from twicetold.twins import cases, collapse

RISKS = (0.05, 0.1, 0.2)


@click.command()
@click.option("--data-root", envvar="TWICETOLD_DATASETS", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="Keep the indexed corpora here for the next time.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/decide.json"), show_default=True)
def main(data_root: Path, cache: Path, out: Path) -> None:
    """Measure the decision on the dev splits of CheckThat 2020 and FactCheckTweet, and both pooled, and write OUT."""
    pooled: list[Case] = []
    record: dict[str, Any] = {"command": "python -m twicetold.lab.decisions", "recipe": "best"}
    for name in SETS:
        dataset, dev = datasets.load(name, data_root), datasets.load_part(f"{name}/dev", data_root)
        case_of = cases(dataset.checks())
        [rankings] = gather(lambda collection: chain(best(collection, depth=20), collapse()), dataset, [dev], cache)
        pooled += both_halves(rankings, dev, case_of)
        record[f"{name}/dev"] = _figures(take_away(rankings, dev, case_of))
    record["pooled, every claim with and without its answer"] = _figures(pooled)
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    click.echo(json.dumps(record, indent=1))


def _figures(known: list[Case]) -> dict[str, Any]:
    by_risk = {risk: measure(decider(), known, risk=risk) for risk in RISKS}
    first = by_risk[RISKS[0]]
    return {
        "claims": first.n,
        "auroc": round(first.auroc, 3),
        "f1_no_match": round(first.f1_no_match, 3),
        "at risk": {str(risk): _at(found) for risk, found in by_risk.items()},
        "reliability: mean probability, share right, claims": [[round(p, 3), round(share, 3), n] for p, share, n in first.reliability],
    }


def _at(found: Measured) -> dict[str, float]:
    kept = ("coverage", "error", "error_low", "error_high")
    return {name: round(value, 3) for name, value in dataclasses.asdict(found).items() if name in kept}


if __name__ == "__main__":
    main()
