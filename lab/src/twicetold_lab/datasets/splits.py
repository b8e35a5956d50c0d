"""Ways to split claims for training and testing: by sentence, by debate, by time inside a year, by time.

Shaar et al. 2022 compare the four; only the chronological one is shipped with their data. The others are drawn here from seeds,
and the same ids always give the same split.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable

from twicetold.types import natural

SEEDS = range(5)
Splits = dict[str, tuple[str, ...]]


def sentence_splits(ids: Collection[str], seeds: Iterable[int] = SEEDS) -> Splits:
    """Split queries 80 to 20 at random, once for each seed: `random-0/train`, `random-0/test` and so on.

    The test part holds int(.2 n) queries, as the published figures of the 2020 paper imply (127 of 639, 199 of 997).
    """
    parts: Splits = {}
    for seed in seeds:
        drawn = sorted(ids, key=natural)
        random.Random(seed).shuffle(drawn)
        test = frozenset(drawn[: int(0.2 * len(drawn))])
        parts |= _parts(f"random-{seed}", ids, test)
    return parts


def debate_splits(ids: Collection[str], debates: Collection[str], seeds: Iterable[int] = SEEDS) -> Splits:
    """Split the queries `DEBATE_LINE` by debate: `debate-random-0/test` and so on, and `semi-chrono/train`, `semi-chrono/test`.

    Random: 80 of 100 debates train. Semi-chrono: inside each year the last 20 of 100 debates (rounded up) test; a year of one debate
    trains. The paper leaves the order and the rounding open. Sentence-random splits (`random-0/test`) are added for comparison.
    """
    parts = sentence_splits(ids, seeds)
    for seed in seeds:
        drawn = sorted(debates)
        random.Random(seed).shuffle(drawn)
        test = frozenset(drawn[: len(drawn) - round(0.8 * len(drawn))])
        parts |= _parts(f"debate-random-{seed}", ids, {id for id in ids if _debate(id) in test})
    late = _late_in_their_year(debates)
    return parts | _parts("semi-chrono", ids, {id for id in ids if _debate(id) in late})


def _late_in_their_year(debates: Collection[str]) -> frozenset[str]:
    years: dict[str, list[str]] = {}
    for debate in sorted(debates):
        years.setdefault(debate[:4], []).append(debate)
    several = (held for held in years.values() if len(held) > 1)
    return frozenset(debate for held in several for debate in held[-math.ceil(0.2 * len(held)) :])


def _parts(name: str, ids: Collection[str], test: Collection[str]) -> Splits:
    return {f"{name}/train": tuple(id for id in ids if id not in test), f"{name}/test": tuple(id for id in ids if id in test)}


def _debate(id: str) -> str:
    return id.rpartition("_")[0]
