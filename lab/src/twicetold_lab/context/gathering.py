"""The signals of every annotated line and its neighbours, gathered for the line's hundred candidates and kept for the next row.

The candidates of a line are its hundred best by BM25 over bodies. For each place of the window the signals of the line there are kept
twice: against the claim's candidates, which is FC(k, l), and on that line's own list, which is what the first path of the released
code took (`legacy`). Beyond the ends of a transcript there is nothing: zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from twicetold.collection import Collection, Settings
from twicetold.rank.context.debate import speech_resolver
from twicetold.types import Claim, Context
from twicetold_lab.context.corpus import MEASURES, SIGNALS, Corpus, Measured, Target, opened
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of

Array = np.ndarray[Any, Any]
Source = Literal["said", "resolved"]
"""The lines as they were said, or with their pronouns resolved."""

BEHIND, AHEAD = 5, 3
WINDOW = range(-BEHIND, AHEAD + 1)
DEPTH = 100
_BODY = MEASURES.index("bm25.body")


@dataclass(frozen=True)
class Gathered:
    """By annotated line: its candidates as places in `checks`, and the signals (Q, W, DEPTH, 18) of its window, `shared` and `own`."""

    queries: tuple[str, ...]
    checks: tuple[str, ...]
    candidates: Array  # (Q, DEPTH)
    shared: Array
    own: Array

    def block(self, offset: int, *, is_legacy: bool = False) -> Array:
        """Return the signals of one place of the window, (Q, DEPTH, 18)."""
        rows: Array = (self.own if is_legacy and offset else self.shared)[:, WINDOW.index(offset)]
        return rows


def gathered(dataset: Dataset, cache: Path, *, source: Source = "said", target: Target = "said") -> Gathered:
    """Read what was gathered before, or gather: about five minutes, and some more to resolve the articles the first time."""
    with collection_of(dataset, Settings(), cache=cache) as full:
        assert full.encoder is not None
        file = cache / f"role-of-context-signals-{source}-{target}-{full.encoder.version}-{full.static.version}.npz"
        if not file.is_file():
            texts = texts_of(dataset, full, source, _measured(source, target))
            with opened(dataset, target, cache) as corpus:
                made = gather(dataset.claims, texts, corpus)
            fresh = file.with_suffix(".new.npz")
            np.savez(fresh, queries=made.queries, checks=made.checks, candidates=made.candidates, shared=made.shared, own=made.own)
            fresh.replace(file)
    with np.load(file) as arrays:
        queries, checks = (tuple(arrays[name].tolist()) for name in ("queries", "checks"))
        return Gathered(queries, checks, arrays["candidates"], arrays["shared"], arrays["own"])


def _measured(source: Source, target: Target) -> Sequence[int]:
    """The places that some row needs: windows are compared on lines as said, and no row has both neighbours and resolved articles."""
    if target == "resolved":
        return (0,)
    return WINDOW if source == "said" else range(-3, 2)


Place = tuple[str, int]
"""A query and an offset from it."""


def texts_of(dataset: Dataset, collection: Collection, source: Source, window: Sequence[int]) -> dict[Place, str]:
    """Return the text at these offsets from each query; places beyond the transcript are left out."""
    resolver = speech_resolver(collection)
    kept: dict[tuple[str, int], str] = {}

    def text(claim: Claim, at: int) -> str:
        line = claim.context.lines[at].text
        if source == "said":
            return line
        key = (claim.id.rpartition("_")[0], at)
        if key not in kept:
            kept[key] = resolver(Context(claim.context.lines[: at + 2], at), claim.said_on).text or line
        return kept[key]

    texts: dict[Place, str] = {}
    for claim in dataset.claims:
        for offset in window:
            at = claim.context.at + offset
            if 0 <= at < len(claim.context.lines):
                # The data set's own text of an annotated line has lost some punctuation; it is what the paper asked.
                texts[claim.id, offset] = claim.text if not offset and source == "said" else text(claim, at)
    return texts


def gather(claims: Sequence[Claim], texts: Mapping[Place, str], corpus: Corpus) -> Gathered:
    """Measure every text once, and keep what its places need."""
    place_of = {claim.id: row for row, claim in enumerate(claims)}
    depth = min(DEPTH, len(corpus.ids))
    shape = (len(claims), len(WINDOW), depth, len(SIGNALS))
    candidates, shared, own = np.zeros(shape[::2], np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    asked = [texts[claim.id, 0] for claim in claims]
    for row, measured in enumerate(corpus.measure(asked)):
        candidates[row] = best(measured, depth)
    places: dict[str, list[Place]] = {}
    for place, text in texts.items():
        places.setdefault(text, []).append(place)
    for text, measured in zip(places, corpus.measure(list(places)), strict=True):
        mine = corpus.signals(measured, best(measured, depth))
        for query, offset in places[text]:
            row = place_of[query]
            shared[row, WINDOW.index(offset)] = corpus.signals(measured, candidates[row])
            own[row, WINDOW.index(offset)] = mine
    return Gathered(tuple(place_of), corpus.ids, candidates, shared, own)


def best(measured: Measured, depth: int) -> Array:
    """Return the places of the fact-checks whose bodies fit best by BM25; equal ones in the order of the database."""
    return np.argsort(-measured.scores[_BODY], kind="stable")[:depth]


def queries_of(gathered: Gathered, ids: Sequence[str]) -> Iterator[int]:
    """Yield the rows of these queries."""
    place = {query: row for row, query in enumerate(gathered.queries)}
    yield from (place[id] for id in ids)
