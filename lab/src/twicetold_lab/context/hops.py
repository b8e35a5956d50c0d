"""What the multi-hop reader says of the candidates of every annotated line, kept for the next row.

Only the best ten candidates are read, by the sum of their reciprocal ranks; the others count as saying nothing. The paper read all
hundred, and for rows with neighbours the neighbours' too: here only the claim itself is read, which is a fiftieth of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from twicetold.collection import Collection, Settings
from twicetold.rank.context.debate import coref_ranker
from twicetold.rank.coref.prose import ProseResolver
from twicetold.stage import Stage
from twicetold.types import Claim, FactCheck, Match, Ranking
from twicetold_lab.context.corpus import MEASURES
from twicetold_lab.context.gathering import Array, Gathered, texts_of
from twicetold_lab.context.hop_reader import CLASSES, SIGNALS, HopReader, hop_signals
from twicetold_lab.context.rows import Row
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of

READ = 10


def posteriors(dataset: Dataset, found: Gathered, cache: Path, *, row: Row, reader: Path | None = None) -> Array:
    """Return the posteriors of each candidate, (Q, DEPTH, 3), in the order of the reader's signals."""
    opened = HopReader.load(reader)
    file = cache / f"role-of-context-hops-{row.source}-{row.target}-{row.sentences}-{opened.version}.npy"
    if not file.is_file():
        with collection_of(dataset, Settings(), cache=cache) as collection:
            read = hop_signals(collection, opened, depth=READ, sentences=row.sentences)
            texts = texts_of(dataset, collection, row.source, (0,))
            check_of = _checks(collection, row)
            rows = [_posteriors(texts[id, 0], at, found, check_of, read) for at, id in enumerate(found.queries)]
        fresh = file.with_suffix(".new.npy")
        np.save(fresh, np.stack(rows))
        fresh.replace(file)
    made: Array = np.load(file)
    return made


def _checks(collection: Collection, row: Row) -> Callable[[str], FactCheck]:
    """Fact-checks by id, their pronouns resolved where the row wants that."""
    resolver = ProseResolver(collection.static, coref_ranker())

    def check_of(id: str) -> FactCheck:
        check = collection.store.get(id)
        assert check is not None
        return resolver.article(check) if row.target == "resolved" else check

    return lru_cache(maxsize=20_000)(check_of)


def _posteriors(text: str, at: int, found: Gathered, check_of: Callable[[str], FactCheck], read: Stage) -> Array:
    ranks = found.block(0)[at][:, len(MEASURES) :].sum(axis=1)  # (DEPTH,)
    best = np.argsort(-ranks, kind="stable")[:READ]
    matches = tuple(Match(check_of(found.checks[found.candidates[at, place]]), float(ranks[place])) for place in best)
    [ranking] = read([Ranking(Claim("", text, lang="en"), matches)])
    out = np.tile(np.array([float(name == CLASSES[0]) for name in CLASSES], np.float32), (len(ranks), 1))  # neither
    for place, match in zip(best, ranking.matches, strict=True):
        out[place] = [match.signals[name] for name in SIGNALS]
    return out
