"""How long MTM takes, beside reading every sentence of an article through all layers.

The claim has as many tokens as are ever read, 64, and every article 44 sentences, the mean of the paper's. Medians of several turns.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from twicetold.rank.mtm.article import Sentence
from twicetold.rank.mtm.model import Mtm
from twicetold.rank.mtm.recipe import named_model

SENTENCES, ARTICLES = 44, 20
_WORDS = ["people", "said", "that", "the", "new", "law", "was", "never", "read", "in", "full", "by", "anyone", "who", "voted", "records"]


def article(rng: random.Random) -> list[Sentence]:
    """Make an article of sentences of 10 to 40 words."""
    return [Sentence(at, " ".join(rng.choices(_WORDS, k=rng.randint(10, 40))) + ".") for at in range(SENTENCES)]


def median(turns: int, run: Callable[[], object]) -> float:
    """Return the median time of some turns, after one that is not counted."""
    run()
    times = []
    for _ in range(turns):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def report(model: Path | None, *, threads: int, turns: int) -> dict[str, float]:
    """Time the choice of one article's key sentences, the reranking of 20 articles, and reading every sentence of as many."""
    rng = random.Random(0)
    opened = Mtm.load(model, threads=threads) if model else named_model()
    claim = " ".join(rng.choices(_WORDS, k=64))
    articles = [article(rng) for _ in range(ARTICLES)]
    keys = median(20 * turns, lambda: opened.keys(claim, articles[:1]))
    rerank = median(turns, lambda: opened.read(claim, articles))
    # As if each sentence were an article of its own: all of them go through the layers. One article stands for all.
    whole = ARTICLES * median(1, lambda: opened.read(claim, [[sentence] for sentence in articles[0]]))
    return {"threads": threads, "keys_ms": 1000 * keys, "rerank_s": rerank, "every_sentence_s": whole, "saved": 1 - rerank / whole}
