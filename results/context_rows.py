"""The rows of Role of Context (Shaar et al. 2022, Table 4) that this project can compute, with bootstrap intervals.

    python results/context_rows.py DATA_ROOT COLLECTION > results/context-rows.json

COLLECTION holds the 16,636 fact-checks of the paper. As published: the 100 best by BM25 over bodies, kernel RankSVM with its defaults,
signals by words and by meaning with reciprocal ranks. Not as published: MiniLM instead of sBERT-large, no signals of single body
sentences (10 for each line instead of 18), and our own co-reference. Rows with Transformer-XH or with co-reference inside the
articles are not computed.
"""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.collection import Collection
from twicetold.lab import datasets
from twicetold.lab.datasets import Dataset
from twicetold.rerank.context.debate import speech_resolver, weighted
from twicetold.rerank.context.finder import Finder, Scope
from twicetold.rerank.context.probe import MEANINGS, WORDS
from twicetold.rerank.coref.speech import SpeechResolver
from twicetold.rerank.ranksvm import RankSVM
from twicetold.rerank.signals import examples, rerank
from twicetold.stage import ask
from twicetold.train.debate import average_precision
from twicetold.types import Claim, Context, Ranking

BLOCK = tuple(f"{kind}{name}" for name in (*WORDS, *MEANINGS) for kind in ("", "rr."))
WINDOWS = {"baseline": (), "FC(3,1)": (-3, -2, -1, 1), "FC(1,1)": (-1, 1)}
CATEGORIES = ("CLEAN", "CLEAN_HARD", "PART_OF", "CONTEXT_DEPENDENT")


def names(window: tuple[int, ...]) -> tuple[str, ...]:
    return (*BLOCK, *(f"fc[{offset:+d}].{name}" for offset in window for name in BLOCK))


def resolved(claim: Claim, resolver: SpeechResolver) -> Claim:
    """The claim with the lines it is compared with resolved, each in its own context."""
    lines, at = list(claim.context.lines), claim.context.at
    for place in range(max(0, at - 3), min(len(lines), at + 2)):
        text = resolver(Context(claim.context.lines[: place + 2], place), claim.said_on).text
        if text:
            lines[place] = dataclasses.replace(lines[place], text=text)
    said = resolver(Context(claim.context.lines[: at + 2], at), claim.said_on).text or claim.text
    return dataclasses.replace(claim, text=said, context=Context(tuple(lines), at))


def scores(rankings: list[Ranking], dataset: Dataset) -> dict[str, Any]:
    overall = [average_precision(ranking, dataset.qrels[ranking.query.id]) for ranking in rankings]
    row = {"overall": interval(overall)}
    for category in CATEGORIES:
        some = []
        for ranking in rankings:
            own = {doc: 1 for doc, kind in dataset.categories[ranking.query.id].items() if kind == category}
            some += [average_precision(ranking, own)] if own else []
        row[category] = interval(some)
    row["recall@100"] = float(
        np.mean([len({m.doc.id for m in r.matches} & set(dataset.qrels[r.query.id])) / len(dataset.qrels[r.query.id]) for r in rankings])
    )
    return row


def interval(values: list[float]) -> dict[str, float]:
    """Mean and 95 % bootstrap interval over queries."""
    rng = np.random.default_rng(0)
    drawn = rng.choice(values, (10_000, len(values))).mean(axis=1)
    return {
        "MAP": round(float(np.mean(values)), 4),
        "low": round(float(np.quantile(drawn, 0.025)), 4),
        "high": round(float(np.quantile(drawn, 0.975)), 4),
        "n": len(values),
    }


def main(data_root: str, folder: str) -> None:
    dataset = datasets.load("role-of-context", Path(data_root))
    train, test = dataset.split("train"), dataset.split("test")
    with Collection.open(folder) as collection:
        resolver = speech_resolver(collection)
        find = Finder(collection, weighted, scope=Scope(3, 1, views=("lines",), candidates_from="body")).stage(depth=100)
        for prefix, change in (("", lambda claim: claim), ("src-coref ", lambda claim: resolved(claim, resolver))):
            learnt, judged = (ask(find, [change(claim) for claim in part.claims]) for part in (train, test))
            for row, window in WINDOWS.items():
                model = RankSVM.fit(examples(learnt, train.qrels, names(window)))
                sys.stdout.write(json.dumps({"row": prefix + row, **scores(rerank(model)(judged), test)}) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
