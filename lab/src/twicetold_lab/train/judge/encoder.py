"""Judge the claim encoder: dense MAP@5 beside MiniLM as it comes, and its speed beside torch."""

from __future__ import annotations

import dataclasses
import random
import time
from pathlib import Path
from typing import Any

from twicetold.index.encoder import Encoder
from twicetold_lab import datasets, roles
from twicetold_lab.datasets import Dataset
from twicetold_lab.roles import Role
from twicetold_lab.train.judge.scores import dense_precisions, difference, interval

SETS = {
    "checkthat-2020-task2/dev": "tuned on",
    "role-of-context/tune": "tuned on (debates of 2017)",
    "checkthat-2021-task2a/dev": "test",
    "role-of-context/test": "test",
    "factchecktweet/dev": "test; pool of 5,000 articles",
}
POOL = 5_000


def judge(root: Path, model: Path, baseline: Path, *, only: str = "") -> dict[str, Any]:
    """Return MAP@5 of both encoders on each set, with intervals, and the gain."""
    ours, base = Encoder.load(model), Encoder.load(baseline)
    report: dict[str, Any] = {"measure": "MAP@5, dense alone, title and claim (or opening) as one text, twins as one"}
    for name in [name for name in SETS if only in name]:
        dataset = _load(name, root)
        before, after = dense_precisions(base, dataset), dense_precisions(ours, dataset)
        report[name] = {
            "role": SETS[name],
            "queries": len(before),
            "MiniLM": interval(list(before.values())),
            "ours": interval(list(after.values())),
            "gain": difference(after, before),
        }
    return report


def _load(name: str, root: Path) -> Dataset:
    whole, _, part = name.partition("/")
    dataset = datasets.load(whole, root)
    if part == "tune":
        return roles.part(dataset.split("train"), Role.TUNE)
    return _pooled(dataset.split(part)) if whole == "factchecktweet" else dataset.split(part)


def _pooled(dataset: Dataset) -> Dataset:
    """The corpus cut to the right answers and other articles drawn at random: all 86,376 take an hour to encode."""
    wanted = {doc for judged in dataset.qrels.values() for doc in judged}
    ids = sorted(check.id for check in dataset.checks() if check.id not in wanted)
    kept = wanted | set(random.Random(0).sample(ids, POOL - len(wanted)))
    return dataclasses.replace(dataset, source=lambda: (check for check in dataset.checks() if check.id in kept))


def speed(root: Path, model: Path) -> dict[str, float]:
    """Return sentences a second on one thread, ours beside torch in float32 (sorted by length, batches of 32), in the same run."""
    import torch

    from twicetold_lab.train.base_weights import find_base
    from twicetold_lab.train.tokens import tokenise
    from twicetold_lab.train.trunk import mean_pool, read_trunk

    texts = sorted((claim.text for claim in datasets.load("role-of-context", root).claims), key=len)
    torch.set_num_threads(1)
    trunk = read_trunk(find_base()).eval()
    encoder = Encoder.load(model, threads=1)

    def by_torch() -> None:
        for start in range(0, len(texts), 32):
            tokens = tokenise(texts[start : start + 32], 128)
            mean_pool(trunk(tokens.ids, tokens.mask), tokens.mask)

    with torch.inference_mode():
        best = {"torch": _best_of(by_torch), "ours": _best_of(lambda: encoder.encode(texts))}
    return {name: round(len(texts) / seconds, 1) for name, seconds in best.items()}


def _best_of(work: Any, *, times: int = 3) -> float:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return min(spent)
