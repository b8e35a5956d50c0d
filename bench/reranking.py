"""How long reranking and deciding take beyond finding: `python -m bench.reranking COLLECTION DATA [CLAIMS]`, one JSON object.

Each claim of FactCheckTweet's dev split is found by `hybrid` and then reranked, folded and decided as `match` does, without explanations
and without asking its parts, warm and one after the other; what the second takes beyond the first is reranking. Processor time stands
beside the clock, for machines with other work. With --cases: how long recognising near-duplicates takes for the whole collection, in a
folder of its own.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from twicetold.answer import BEST, HYBRID
from twicetold.answer.answerer import decider
from twicetold.answer.decide import decide
from twicetold.answer.group import as_cases, collapse
from twicetold.collection import Collection
from twicetold.index.cases import CaseIndex
from twicetold.stage import Stage, chain
from twicetold.types import Claim, Ranking
from twicetold_lab import datasets


def times(stage: Stage, claims: list[Claim], clock: Callable[[], float]) -> list[float]:
    """Milliseconds for each claim."""
    spent = []
    for claim in claims:
        before = clock()
        stage([Ranking(claim)])
        spent.append(1000 * (clock() - before))
    return spent


def reranking(folder: Path, root: Path, count: int) -> dict[str, object]:
    """Medians of finding and of answering, by the clock and by processor time."""
    claims = list(datasets.load_part("factchecktweet/dev", root).claims[:count])
    with Collection.open(folder) as collection:
        find = HYBRID.stage(collection, depth=20)
        whole = chain(BEST.stage(collection, depth=10), collapse(), as_cases(collection), decide(decider()))
        times(whole, claims, time.perf_counter)  # the first round reads files and encodes; both then find the same claims encoded
        found: dict[str, object] = {"claims": len(claims), "fact_checks": len(collection.store)}
        for name, clock in (("ms", time.perf_counter), ("processor_ms", time.process_time)):
            finding, answering_ = times(find, claims, clock), times(whole, claims, clock)
            more = [b - a for a, b in zip(finding, answering_, strict=True)]
            found[f"finding_p50_{name}"] = round(statistics.median(finding), 1)
            found[f"reranking_and_deciding_p50_{name}"] = round(statistics.median(more), 1)
    return found


def cases(folder: Path) -> dict[str, object]:
    """Processor seconds to recognise near-duplicates in the whole collection, and how many cases there are."""
    with Collection.open(folder) as collection, tempfile.TemporaryDirectory(prefix="twicetold-") as made:
        index, started = CaseIndex(Path(made) / "cases.db"), time.process_time()
        *_, done = index.follow(collection.store.since(0))
        spent = time.process_time() - started
        answer = {"fact_checks": done, "processor_seconds": round(spent, 1), "cases": len(index)}
        index.close()
        return answer


if __name__ == "__main__":
    place, data, *rest = sys.argv[1:]
    print(json.dumps(cases(Path(place)) if "--cases" in rest else reranking(Path(place), Path(data), int(rest[0]) if rest else 100)))
