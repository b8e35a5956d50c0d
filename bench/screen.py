"""Posts a second of `screen` on one core, beside a straightforward script in the same run and the encoder's physical limit.

    TWICETOLD_DATASETS=… python -m bench.screen [checkthat] [best] [mixed]
    TWICETOLD_DATASETS=… python -m bench.screen same       answers of `screen` and `match` side by side

Tweets of CheckThat 2020 (dev and test, 397) against its 10,375 fact-checks, and the same among other people's tweets (TweetQA). Times are
processor seconds of one thread, reading and writing of Parquet included, opening of models not; script and screening take turns, and the
middle of their times counts. The script runs under .train-venv if there is one (torch, sentence-transformers, faiss, onnx). Collections are
taken from TWICETOLD_CACHE or made in .bench/.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from bench.foundation import FOLDER, data_root
from bench.foundation import tweets as fct_tweets
from bench.machine import ROOT, provenance, record
from twicetold.answer import RECIPES, Answerer, Asking
from twicetold.batch.drive import plan
from twicetold.batch.ledger import Screening
from twicetold.batch.processes import one_thread
from twicetold.batch.reading import Sighting
from twicetold.batch.screener import Screener, opened
from twicetold.batch.stages import asking
from twicetold.collection import Collection, Settings
from twicetold.find import prepare
from twicetold.stage import ask
from twicetold.types import Claim, Post
from twicetold_lab import datasets
from twicetold_lab.experiment import collection_of

SET, PARTS = "checkthat-2020-task2", ("dev", "test")
OTHERS = 403
"""Other people's tweets in the mixed stream: one of two."""
UNSEEN = 800  # of those, the first so many taught the quick look what is far
LAYERS, WIDTH, INNER = 6, 384, 1536
TURNS = 1
STREAMS = {
    "checkthat": {name: Screening(recipe=name, top=10) for name in ("dense", "hybrid", "quick")},
    "best": {"best": Screening(top=10)},
    "mixed": {"hybrid, near 0.2": Screening(recipe="hybrid", near=0.2, top=10), "quick": Screening(recipe="quick", top=10)},
}
"""What is screened how: the judged tweets alone, or among as many others."""
BARS = {"to_script": 5.0, "to_limit": 0.5, "map": 0.005}


def flops(tokens: Sequence[int]) -> float:
    """Return the floating-point operations of encoding a text of so many tokens, on average."""
    weights = LAYERS * 2 * (4 * WIDTH**2 + 2 * WIDTH * INNER)
    return statistics.fmean(count * (weights + LAYERS * 4 * count * WIDTH) for count in tokens)


def tweets() -> tuple[list[Claim], dict[str, dict[str, int]]]:
    """The judged tweets and their judgements."""
    parts = [datasets.load_part(f"{SET}/{part}", data_root()) for part in PARTS]
    return [claim for part in parts for claim in part.claims], {id: dict(grades) for part in parts for id, grades in part.qrels.items()}


def other_tweets() -> list[Claim]:
    """Tweets that nobody has judged; hardly any is answered by the collection."""
    records = json.loads((data_root() / "reading/tweetqa/train.json").read_text(encoding="utf-8"))
    texts = list(dict.fromkeys(one["Tweet"] for one in records))[UNSEEN : UNSEEN + OTHERS]
    return [Claim(f"other-{number}", text) for number, text in enumerate(texts)]


def mean_precision(found: Mapping[str, Sequence[str]], qrels: Mapping[str, Mapping[str, int]], top: int = 5) -> float:
    """Return MAP@5 over the judged posts; an unanswered one counts as 0."""
    total = 0.0
    for id, grades in qrels.items():
        right = {doc for doc, grade in grades.items() if grade > 0}
        hits = [doc in right for doc in list(found.get(id, ()))[:top]]
        total += sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit) / min(len(right), top)
    return total / len(qrels)


class Bench:
    """One collection, one folder of posts, and the times of everybody's turns."""

    def __init__(self, folder: Path, data: Path, claims: Sequence[Claim]) -> None:
        self.folder, self.data, self.claims = folder, data, claims
        pq.write_table(pa.table({"id": [c.id for c in claims], "text": [c.text for c in claims]}), folder / "posts.parquet")
        self._lines("posts.jsonl", ({"id": claim.id, "text": claim.text} for claim in claims))

    def _lines(self, name: str, records: Any) -> None:
        with (self.folder / name).open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in records)

    def screened(self, number: int, screening: Screening) -> tuple[float, dict[str, list[str]], int]:
        """Screen the posts; return processor seconds, the ids found for each post, and how many were skipped."""
        out = self.folder / f"out-{number}"
        partitions, which = plan([str(self.folder / "posts.parquet")], str(self.data), screening, 100_000)
        one = Screener(self.data, str(out), screening, which)
        one.screen([])
        _warm(one)
        started = time.process_time()
        for partition in partitions:
            one.run(partition)
        seconds = time.process_time() - started
        rows = pa.dataset.dataset(out, format="parquet", partitioning="hive").to_table(columns=["id", "matches", "lane"]).to_pylist()
        found = {row["id"]: [match["check"] for match in row["matches"]] for row in rows}
        return seconds, found, sum(row["lane"] == "skipped" for row in rows)

    def script(self) -> tuple[dict[str, Any], dict[str, list[str]]]:
        """Run the straightforward script on the same posts."""
        corpus = self.folder / "corpus.jsonl"
        if not corpus.is_file():
            with Collection.open(self.data) as collection:
                self._lines("corpus.jsonl", ({"id": c.id, "claim": c.claim, "title": c.title} for c in collection.store))
        python = ROOT / ".train-venv/bin/python"
        files = [corpus, self.folder / "posts.jsonl", self.folder / "script.jsonl", ROOT / ".bench" / f"script-{SET}.npy"]
        command = [str(python if python.is_file() else sys.executable), "-m", "bench.straightforward", *map(str, files)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the straightforward script failed:\n{done.stderr[-2000:]}")
        answers = map(json.loads, files[2].read_text(encoding="utf-8").splitlines())
        return json.loads(done.stdout.splitlines()[-1]), {one["id"]: one["checks"] for one in answers}


def _warm(one: Screener) -> None:
    """Open what is opened with the first post; the texts are none of those that are timed."""
    one.screen([Sighting(1, Post("warm", "The mayor of Springfield has sold the old bridge to his own brother for 3 dollars"))])


def encoder_alone(data: Path, claims: Sequence[Claim]) -> tuple[float, list[int]]:
    """Return the processor seconds of encoding the posts together, and their numbers of tokens as searched."""
    with opened(data) as collection:
        encoder = collection.encoder
        assert encoder is not None
        texts = [prepare(claim).text for claim in claims]
        encoder.encode(texts[:64])
        started = time.process_time()
        encoder.encode(texts)
        return time.process_time() - started, [len(one.ids) for one in encoder._model.tokenizer.encode_batch(texts)]


def same(count: int = 100) -> dict[str, Any]:
    """Hold the answers of screening against those of `match`, on FactCheckTweet's 86,376 articles and some of its tweets."""
    claims = fct_tweets(count)
    with Collection.open(FOLDER) as collection:
        asked = [ranking for claim in claims for ranking in Answerer(collection, RECIPES["best"], Asking(top=10, keys=0))([claim])]
    with opened(FOLDER) as collection:
        screened = ask(asking(collection, Screening()), claims)
    pairs = list(zip(asked, screened, strict=True))
    firsts = [([match.doc.id for match in one.matches[:1]], [match.doc.id for match in other.matches[:1]]) for one, other in pairs]
    lanes = [(one.decision and one.decision.lane, other.decision and other.decision.lane) for one, other in pairs]
    equal = {"first_match": sum(a == b for a, b in firsts), "lane": sum(a == b for a, b in lanes)}
    return {"posts": len(claims), **equal, "provenance": provenance("python -m bench.screen same", "FactCheckTweet dev, 86,376 articles")}


def main(wanted: Sequence[str]) -> None:
    """Measure the parts and write each to results/screen.json beside the others."""
    if "same" in wanted:
        _keep("same", same())
        return
    claims, qrels = tweets()
    cache = Path(os.environ.get("TWICETOLD_CACHE", ROOT / ".bench"))
    with collection_of(datasets.load(SET, data_root()), Settings(), cache=cache) as collection:
        data = collection.folder
    for part in wanted or STREAMS:
        posts = [*claims, *other_tweets()] if part == "mixed" else claims
        with TemporaryDirectory() as made:
            found = measure(Bench(Path(made), data, posts), STREAMS[part], qrels)
        told = provenance(f"python -m bench.screen {part}", f"{SET} dev and test{', TweetQA' if part == 'mixed' else ''}")
        _keep(part, found | {"provenance": told})


def _keep(part: str, found: dict[str, Any]) -> None:
    file = ROOT / "results" / "screen.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"bars": BARS}
    record("screen", kept | {part: found})
    print(json.dumps(found, indent=1))


def measure(bench: Bench, screenings: Mapping[str, Screening], qrels: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Let everybody take turns on the same posts."""
    times: dict[str, list[float]] = {name: [] for name in ("script", "encoder", *screenings)}
    found: dict[str, dict[str, list[str]]] = {}
    skipped: dict[str, int] = {}
    told: list[dict[str, Any]] = []
    for turn in range(TURNS):
        said, found["script"] = bench.script()
        told.append(said)
        times["script"].append(said["seconds"])
        seconds, tokens = encoder_alone(bench.data, bench.claims)
        times["encoder"].append(seconds)
        for number, (name, screening) in enumerate(screenings.items()):
            seconds, found[name], skipped[name] = bench.screened(10 * turn + number, screening)
            times[name].append(seconds)
    count = len(bench.claims)
    rate = statistics.median(one["fp32_gflops"] for one in told)
    limit = rate * 1e9 / flops(tokens)
    pace = {name: count / statistics.median(some) for name, some in times.items()}
    return {
        "posts": count,
        "turns": TURNS,
        "fp32_gflops": rate,
        "int8_gops": statistics.median(one["int8_gops"] for one in told),
        "tokens_a_post": round(statistics.fmean(tokens), 1),
        "tokens_a_post_script": round(told[0]["tokens_a_post"], 1),
        "mflop_a_post": round(flops(tokens) / 1e6),
        "limit_posts_a_second": round(limit, 1),
        "encoder_posts_a_second": round(pace["encoder"], 1),
        "encoder_to_limit": round(pace["encoder"] / limit, 3),
        "script": {"posts_a_second": round(pace["script"], 1), "map_5": round(mean_precision(found["script"], qrels), 4)},
        **{
            name: {
                "posts_a_second": round(pace[name], 1),
                "map_5": round(mean_precision(found[name], qrels), 4),
                "to_script": round(pace[name] / pace["script"], 2),
                "to_limit": round(pace[name] / limit, 3),
                "to_encoder": round(pace[name] / pace["encoder"], 3),
                "skipped": skipped[name],
            }
            for name in screenings
        },
    }


if __name__ == "__main__":
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":  # read when numpy is imported, so it must be there before
        one_thread()
        os.execv(sys.executable, [sys.executable, "-m", "bench.screen", *sys.argv[1:]])
    main(sys.argv[1:])
