"""Judge the reranker: what it adds to dense candidates, how it stands altered claims, and how fast it reads."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.encoder import Encoder
from twicetold.text import unpost
from twicetold.types import FactCheck
from twicetold_lab import datasets
from twicetold_lab.crossencoder import CrossEncoder, wording
from twicetold_lab.datasets import Dataset
from twicetold_lab.train.contrast import WAYS, alter, names_in
from twicetold_lab.train.judge.scores import interval, precision_of_first
from twicetold_lab.train.noise import casing, cut_short, typos
from twicetold_lab.train.pairs import group_of, views

DEPTH = 20
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def judge(root: Path, model: Path, encoder: Path) -> dict[str, Any]:
    """Return what `quality` does, and the speed."""
    return {**quality(root, model, encoder), "milliseconds for 20 pairs of 96 tokens": speed(CrossEncoder.load(model))}


def quality(root: Path, model: Path, encoder: Path) -> dict[str, Any]:
    """Return MAP@5 over dense candidates for several shares of the reranker, with and without typos, and the robustness of both."""
    cross = CrossEncoder.load(model)
    dataset, checks, dense, table = _corpus(root, encoder)
    texts = {claim.id: unpost(claim.text) or claim.text for claim in dataset.claims}
    plain = _both_scores(texts, dataset, checks, table, dense, cross)
    spoilt = {id: typos(text, random.Random(id), rate=0.05) for id, text in texts.items()}
    return {
        "checkthat-2020-task2/dev (tuned on): MAP@5 by share of the reranker": plain,
        "the same, with typos in 5 % of letters": _both_scores(spoilt, dataset, checks, table, dense, cross),
        "robustness": robustness(dataset, checks, cross, dense),
    }


@lru_cache(maxsize=1)  # several rerankers are judged on the same vectors
def _corpus(root: Path, encoder: Path) -> tuple[Dataset, list[FactCheck], Encoder, Any]:
    dataset = datasets.load("checkthat-2020-task2", root).split("dev")
    checks, dense = list(dataset.checks()), Encoder.load(encoder)
    return dataset, checks, dense, dense.encode([views(check)[0] for check in checks])


def _both_scores(
    texts: dict[str, str], dataset: Dataset, checks: Sequence[FactCheck], table: Any, dense: Encoder, cross: CrossEncoder
) -> dict[str, list[float]]:
    found: dict[float, list[float]] = defaultdict(list)
    groups = [group_of(check) for check in checks]
    asked = dense.encode(list(texts.values()))
    for (id, text), vector in zip(texts.items(), asked, strict=True):
        near = table @ vector
        first: dict[str, int] = {}
        for i in np.argsort(-near, kind="stable")[: 3 * DEPTH]:
            first.setdefault(groups[i], int(i))
        kept = list(first.values())[:DEPTH]
        read = cross.score([(text, wording(checks[i])) for i in kept])
        wanted = {group_of(check) for check in checks if dataset.qrels[id].get(check.id, 0) > 0}
        for share in SHARES:
            mixed = share * _unit(np.array(read)) + (1 - share) * _unit(near[kept])
            found[share].append(precision_of_first([groups[kept[i]] for i in np.argsort(-mixed, kind="stable")], wanted, 5))
    return {str(share): interval(values) for share, values in found.items()}


def _unit(values: Any) -> Any:
    return (values - values.min()) / max(float(values.max() - values.min()), 1e-9)


def suite(dataset: Dataset, checks: Sequence[FactCheck], *, seed: int = 0) -> Iterator[tuple[str, str, str, str]]:
    """Yield (way, true text, altered text, the fact-check's wording): the fact-check's own claim, altered by rule.

    The judged side is the claim of each answer to a dev query, set against its fact-check's title and claim.
    """
    rng = random.Random(seed)
    answers = {doc for judged in dataset.qrels.values() for doc in judged}
    judged = [check for check in checks if check.id in answers]
    names = names_in([check.claim for check in checks])
    for check in judged:
        for case in alter(check.claim, rng, names):
            yield case.way, check.claim, case.text, wording(check)
        for way, noise in (("typos", typos), ("casing", casing), ("truncation", cut_short)):
            yield way, check.claim, noise(check.claim, rng), wording(check)


def robustness(dataset: Dataset, checks: Sequence[FactCheck], cross: CrossEncoder, dense: Encoder) -> dict[str, Any]:
    """Return, by way of altering, in how many cases the true pair scores above the altered one: by reranker and by cosine.

    Noise may also leave the score as it is: casing always does, since the tokenizer has no capitals.
    """
    cases = list(suite(dataset, checks))
    true, altered = (cross.score([(case[side], case[3]) for case in cases]) for side in (1, 2))
    near = [dense.encode([case[side] for case in cases]) for side in (1, 2, 3)]
    cosines = [(near[side] * near[2]).sum(axis=1) for side in (0, 1)]
    report: dict[str, Any] = {}
    for way in dict.fromkeys(case[0] for case in cases):
        places = [i for i, case in enumerate(cases) if case[0] == way]
        report[way] = {
            "cases": len(places),
            "reranker": interval([_holds(way, true[i], altered[i]) for i in places]),
            "cosine": interval([_holds(way, float(cosines[0][i]), float(cosines[1][i])) for i in places]),
        }
    return report


def _holds(way: str, true: float, altered: float) -> float:
    return float(true > altered if way in WAYS else true >= altered)


def speed(cross: CrossEncoder) -> float:
    """Return the median milliseconds to read 20 pairs cut at 96 tokens."""
    pairs = [("word " * 60, f"{i} " + "other " * 60) for i in range(20)]
    spent = []
    for _ in range(7):
        started = time.perf_counter()
        cross.score(pairs)
        spent.append(1000 * (time.perf_counter() - started))
    return round(float(np.median(spent)), 1)
