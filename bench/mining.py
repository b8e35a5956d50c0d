"""`ask` over a million posts: seconds a question, memory, and what a tenth of the posts would have cost.

    TWICETOLD_DATASETS=… python -m bench.mining [POSTS]

The posts are recombined: each is made of pieces of two real posts (RumourEval 2017, TweetQA, CheckThat 2020), with the real ones of
RumourEval among them as they are. The collections are kept in .bench/ and made once. Questions are those of RumourEval's test threads, and
four that want names. Each corpus is asked in a process of its own, so that memory is its own.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.machine import ROOT, provenance, record
from twicetold.mine.miner import Effort, Miner
from twicetold.mine.reader import SpanReader
from twicetold.mine.stance import StanceReader
from twicetold.posts import Posts
from twicetold.types import Post, Question
from twicetold_lab.mining import benchmark

WHOLE = 1_000_000
QUESTIONS = 12
NAMES = ("Who died in the attack?", "What was closed by the police?", "Who won the game?", "Which city was attacked?")


def data_root() -> Path:
    """The folder of research sets, from TWICETOLD_DATASETS."""
    place = os.environ.get("TWICETOLD_DATASETS", "")
    if not (Path(place) / "stance").is_dir():
        sys.exit("wanted the research sets: set TWICETOLD_DATASETS to the folder that holds stance/ and reading/")
    return Path(place)


def recombined(real: Sequence[Post], count: int, *, seed: int = 0) -> Iterator[Post]:
    """Yield the real posts, then new ones up to `count`: the first words of one and the last of another, at a random cut."""
    rng = random.Random(seed)
    yield from real[:count]
    texts = [post.text.split() for post in real]
    for place in range(len(real), count):
        first, last = rng.choice(texts), rng.choice(texts)
        words = first[: rng.randint(1, len(first))] + last[rng.randint(0, len(last) - 1) :] if first and last else ["nothing"]
        yield Post(f"made-{place}", " ".join(words), lang="en")


def make(folder: Path, count: int) -> dict[str, float]:
    """Store and index `count` posts; return posts a second of both."""
    real = benchmark.rumoureval(data_root(), "test").posts
    started = time.perf_counter()
    with Posts.create(folder) as posts:
        for written in posts.add(recombined(real, count)):
            del written
        stored = time.perf_counter()
        posts.index(lambda what, done, total: sys.stderr.write(f"\r{what} {done:,} of {total:,}"))
        indexed = time.perf_counter()
    return {"stored a second": round(count / (stored - started)), "indexed a second": round(count / (indexed - stored))}


def asked(folder: Path) -> dict[str, Any]:
    """Ask every question of the collection in `folder`; return seconds by kind and the memory of this process."""
    started = time.perf_counter()
    with Posts.open(folder) as posts:
        miner = Miner(posts, StanceReader.load(), SpanReader.load())
        rumours = [one.question for one in benchmark.rumoureval(data_root(), "test", distractors=False).questions][:QUESTIONS]
        miner.ask(rumours[0])
        report: dict[str, Any] = {"posts": len(posts.text), "seconds to the first answer": round(time.perf_counter() - started, 2)}
        report["yes or no"] = _spread(miner, rumours)
        report["names"] = _spread(miner, [Question(f"n{i}", text, lang="en") for i, text in enumerate(NAMES)])
        few = Miner(posts, miner.stance, miner.reader, Effort(posts_a_question=50))
        report["yes or no, 50 stances"] = _spread(few, rumours)
    return {**report, "peak memory MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)}


def _spread(miner: Miner, questions: Sequence[Question]) -> dict[str, float]:
    spent, read = [], []
    for question in questions:
        started = time.perf_counter()
        read.append(miner.ask(question).read)
        spent.append(time.perf_counter() - started)
    return {"median s": round(statistics.median(spent), 2), "worst s": round(max(spent), 2), "posts read, median": statistics.median(read)}


def main() -> None:
    """Make what is missing, ask both corpora, record results/mining.json."""
    if sys.argv[1:2] == ["--asked"]:
        sys.stdout.write(json.dumps(asked(Path(sys.argv[2]))))
        return
    whole = int(sys.argv[1]) if len(sys.argv) > 1 else WHOLE
    report: dict[str, Any] = {}
    for count in (whole // 10, whole):
        folder = ROOT / ".bench" / f"posts-{count}"
        if not (folder / "posts.db").exists():
            report[f"making {count:,}"] = make(folder, count)
        done = subprocess.run([sys.executable, "-m", "bench.mining", "--asked", str(folder)], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        report[f"{count:,} posts"] = json.loads(done.stdout)
        sys.stderr.write(f"\n{count:,}: {done.stdout}\n")
    path = record(
        "mining", {**provenance("python -m bench.mining", "stance/rumoureval-2017, reading/tweetqa, checkthat-2020-task2"), **report}
    )
    sys.stderr.write(f"{path}\n")


if __name__ == "__main__":
    main()
