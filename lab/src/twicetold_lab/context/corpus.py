"""The database of the paper, ready to be measured against any line: nine scores of a fact-check, and as many reciprocal ranks.

BM25 over claim, title and body as Elasticsearch scores a `match` query; cosines of claim and title by the shipped encoder (the paper had
sBERT-large); the cosines of the four nearest body sentences by static token vectors. Ranks are over all 16,636, but for those of body
sentences, which are among the candidates: to rank 760,000 sentences for every line would take hours. Of equal scores the earlier
fact-check ranks first. A BM25 score outside the thousand best of its field counts as 0 (in the released code, the hundred best).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from twicetold.collection import Collection, Settings
from twicetold.index.encoder import NO_ENCODER, Encoder, StaticEncoder
from twicetold.index.text import FIELDS
from twicetold.rank.context.debate import coref_ranker
from twicetold.rank.coref.prose import ProseResolver
from twicetold.types import FactCheck
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of
from twicetold_lab.knownlie.scores import sentence_vectors

Array = np.ndarray[Any, Any]
Target = Literal["said", "resolved"]
"""The fact-checks as published, or with the pronouns of body and claim resolved."""

SENTENCES = 4
WORDED = 1000
MEASURES = (*(f"bm25.{field}" for field in FIELDS), "dense.claim", "dense.title", *(f"body.{place + 1}" for place in range(SENTENCES)))
SIGNALS = (*MEASURES, *(f"rr.{name}" for name in MEASURES))


class Measured(NamedTuple):
    """A text against the whole database: `wide` scores and ranks, (5, N) each, and the static vector its sentences are compared by."""

    scores: Array
    ranks: Array
    light: Array


@dataclass(frozen=True)
class Corpus:
    """All fact-checks in the order of their numbers, with what is needed to measure a line against them."""

    ids: tuple[str, ...]
    words: Collection
    encoder: Encoder
    dense: tuple[Array, Array]  # claim and title, (N, D) each
    static: StaticEncoder
    starts: Array  # (N + 1,): where each fact-check's sentences begin
    sentences: Array  # (S, D)

    def measure(self, texts: Sequence[str]) -> Iterator[Measured]:
        """Measure texts against all fact-checks, some at a time."""
        for start in range(0, len(texts), 64):
            some = texts[start : start + 64]
            asked, light = self.encoder.encode(some), self.static.encode(some)
            cosines = [asked @ side.T for side in self.dense]  # (B, N) each
            for row, text in enumerate(some):
                scores = np.stack([*self._bm25(text), *(side[row] for side in cosines)])
                yield Measured(scores, np.stack([reciprocal_ranks(values) for values in scores]), light[row])

    def signals(self, measured: Measured, places: Array) -> Array:
        """Return the signals of the fact-checks at these places, (N, 18), in the order of `SIGNALS`."""
        near = self._body(measured.light, places)
        ranks = np.stack([reciprocal_ranks(values) for values in near])
        return np.concatenate([measured.scores[:, places], near, measured.ranks[:, places], ranks]).T.astype(np.float32)

    def _bm25(self, text: str) -> Iterator[Array]:
        for field in FIELDS:
            scores = np.zeros(len(self.ids), np.float32)
            for num, score in self.words.text.search(field, text, "en", depth=WORDED):
                scores[num - 1] = score  # numbers are given from 1 in the order of the corpus
            yield scores

    def _body(self, light: Array, places: Array) -> Array:
        spans = [np.arange(self.starts[place], self.starts[place + 1]) for place in places]
        cosines = self.sentences[np.concatenate(spans)] @ light
        return best_of_each(cosines, np.repeat(np.arange(len(spans)), list(map(len, spans))), len(spans))


def reciprocal_ranks(values: Array) -> Array:
    """Return 1 / rank of each value, the largest first; of equal ones the earlier ranks first."""
    shares = np.empty(len(values), np.float32)
    shares[np.argsort(-values, kind="stable")] = 1 / np.arange(1, len(values) + 1)
    return shares


def best_of_each(cosines: Array, owners: Array, count: int) -> Array:
    """Return the `SENTENCES` largest cosines of each owner, best first, 0 where it has fewer, (SENTENCES, count). Owners ascend.

    >>> best_of_each(np.array([0.1, 0.9, 0.5]), np.array([0, 0, 2]), 3)[:2].tolist()
    [[0.9, 0.0, 0.5], [0.1, 0.0, 0.0]]
    """
    best = np.zeros((SENTENCES, count), cosines.dtype)
    if not len(owners):
        return best
    left = cosines.copy()
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    present, sizes = owners[starts], np.diff(np.append(starts, len(owners)))
    for place in range(SENTENCES):
        top = np.maximum.reduceat(left, starts)
        best[place, present] = np.where(np.isfinite(top), top, 0.0)
        is_top = np.flatnonzero(left == np.repeat(top, sizes))
        first = np.unique(owners[is_top], return_index=True)[1]  # one of equal sentences at a time
        left[is_top[first]] = -np.inf
    return best


@contextmanager
def opened(dataset: Dataset, target: Target, cache: Path) -> Iterator[Corpus]:
    """Open the corpus; what is derived from it, a resolved copy included, is kept in the cache."""
    with collection_of(dataset, Settings(), cache=cache) as full, by_words(dataset, target, full, cache) as words:
        checks, chosen = (_in_order(collection) for collection in (full, words))
        assert full.vectors is not None
        assert full.encoder is not None
        nums = list(range(1, len(checks) + 1))
        claims, titles = full.vectors.vectors("claim", nums), full.vectors.vectors("title", nums)
        changed = [at for at, (old, new) in enumerate(zip(checks, chosen, strict=True)) if old.claim != new.claim]
        claims[changed] = full.encoder.encode([chosen[at].claim for at in changed])
        kept = cache / f"role-of-context-{target}-sentences-{full.static.version}.npz"
        owners, sentences = _kept(kept, lambda: sentence_vectors(full.static, chosen))
        ids = tuple(check.id for check in checks)
        starts = np.searchsorted(owners, np.arange(len(ids) + 1))
        yield Corpus(ids, words, full.encoder, (claims, titles), full.static, starts, sentences)


def _in_order(collection: Collection) -> list[FactCheck]:
    """All fact-checks in the order of their numbers, which are given from 1."""
    return [check for _, _, check in collection.store.since(0) if check is not None]


@contextmanager
def by_words(dataset: Dataset, target: Target, full: Collection, cache: Path) -> Iterator[Collection]:
    """Open a collection of the fact-checks by words alone, unstemmed. To resolve them all takes some minutes, and is done once."""
    plain = Settings(encoder=NO_ENCODER, analysis="plain")
    if target == "said":
        with collection_of(dataset, plain, cache=cache) as collection:
            yield collection
        return
    folder = cache / "role-of-context-resolved-words"
    with Collection.create(folder, plain) as collection:
        if not (folder / "whole").exists():
            resolver = ProseResolver(full.static, coref_ranker())
            for _ in collection.add(map(resolver.article, _in_order(full))):
                pass
            collection.index()
            (folder / "whole").touch()
        yield collection


def _kept(file: Path, make: Callable[[], tuple[Array, Array]]) -> tuple[Array, Array]:
    """The two arrays in this file, the second in half precision; made and saved first if there is none."""
    if not file.is_file():
        fresh = file.with_suffix(".new.npz")
        owners, rows = make()
        np.savez(fresh, owners=owners, rows=rows.astype(np.float16))
        fresh.replace(file)
    with np.load(file) as arrays:
        return arrays["owners"], arrays["rows"].astype(np.float32)
