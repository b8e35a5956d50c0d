"""`python -m twicetold.lab.mtm.timing`: how long MTM takes, beside reading every sentence of an article through all layers.

The claim has as many tokens as are ever read, 64, and every article 44 sentences, the mean of the paper's. Medians of several turns.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from twicetold.errors import TwicetoldError
from twicetold.rerank.mtm.article import Sentence
from twicetold.rerank.mtm.model import Mtm

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


@click.command()
@click.option("--model", type=click.Path(path_type=Path), help="A folder with an MTM; the shipped one unless said.")
@click.option("--threads", default=2, show_default=True)
@click.option("--turns", default=5, show_default=True)
def main(model: Path | None, threads: int, turns: int) -> None:
    """Print the times as JSON."""
    rng = random.Random(0)
    opened = Mtm.load(model, threads=threads)
    claim = " ".join(rng.choices(_WORDS, k=64))
    articles = [article(rng) for _ in range(ARTICLES)]
    keys = median(20 * turns, lambda: opened.keys(claim, articles[:1]))
    rerank = median(turns, lambda: opened.read(claim, articles))
    # As if each sentence were an article of its own: all of them go through the layers.
    whole = median(1, lambda: opened.read(claim, [[sentence] for sentence in articles[0]]))
    record = {"threads": threads, "keys_ms": 1000 * keys, "rerank_s": rerank, "every_sentence_s": ARTICLES * whole}
    click.echo(json.dumps(record | {"saved": 1 - rerank / (ARTICLES * whole)}))


if __name__ == "__main__":
    try:
        main()
    except TwicetoldError as error:
        click.echo(f"twicetold: {error}", err=True)
        sys.exit(error.exit_code)
