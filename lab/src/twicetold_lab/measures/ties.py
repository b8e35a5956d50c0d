"""Expected values over all orders of documents with equal scores (McSherry & Najork 2008).

A group of m tied documents, r of them relevant, starts after s documents with c relevant ones. Every order inside it is equally
likely; groups keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from twicetold_lab.measures.formulas import divisor, gains, ideal_gain
from twicetold_lab.measures.judged import Judged
from twicetold_lab.measures.names import Measure


@dataclass(frozen=True, slots=True)
class _Group:
    before: int  # s
    hits_before: int  # c
    size: int  # m
    hits: int  # r

    def none_in_first(self, count: int) -> float:
        """The chance that the first `count` of the group hold nothing relevant."""
        return comb(self.size - self.hits, count) / comb(self.size, count)


def _tied(judged: Judged, measure: Measure) -> Iterator[_Group]:
    is_hit = judged.grades >= measure.rel
    found = 0
    for start, end in judged.tied:
        if measure.cutoff is not None and start >= measure.cutoff:
            return
        hits = int(is_hit[start:end].sum())
        yield _Group(start, found, end - start, hits)
        found += hits


def _shown(group: _Group, measure: Measure) -> int:
    """How many places of a group lie within the cut-off."""
    return group.size if measure.cutoff is None else min(group.size, measure.cutoff - group.before)


def average_precision(judged: Judged, measure: Measure) -> float:
    """E[r_i · P@i] = r/m · (c + 1 + (i − 1)(r − 1)/(m − 1)) / (s + i) for place i of a group."""
    n = judged.relevant(measure.rel)
    if n == 0:
        return 0.0
    total = 0.0
    for group in _tied(judged, measure):
        if group.hits:
            place = np.arange(1, _shown(group, measure) + 1)
            others = (place - 1) * (group.hits - 1) / (group.size - 1) if group.size > 1 else 0.0
            total += float((group.hits / group.size * (group.hits_before + 1 + others) / (group.before + place)).sum())
    return total / divisor(measure, n)


def reciprocal_rank(judged: Judged, measure: Measure) -> float:
    """Sum over the places i of the first group with a relevant document of P(first relevant at i) / (s + i)."""
    for group in _tied(judged, measure):
        if group.hits:
            places = range(1, _shown(group, measure) + 1)
            return sum((group.none_in_first(i - 1) - group.none_in_first(i)) / (group.before + i) for i in places)
    return 0.0


def success(judged: Judged, measure: Measure) -> float:
    """1 − the chance that nothing relevant lies within the cut-off."""
    for group in _tied(judged, measure):
        if group.hits:
            return 1.0 - group.none_in_first(_shown(group, measure))
    return 0.0


def expected_hits(judged: Judged, measure: Measure) -> float:
    """Return the expected number of relevant documents within the cut-off."""
    return sum(group.hits * _shown(group, measure) / group.size for group in _tied(judged, measure))


def precision(judged: Judged, measure: Measure) -> float:
    """Return the expected hits divided by K."""
    assert measure.cutoff is not None, "parse demands a cut-off"
    return expected_hits(judged, measure) / measure.cutoff


def recall(judged: Judged, measure: Measure) -> float:
    """Return the expected hits divided by n."""
    n = judged.relevant(measure.rel)
    return expected_hits(judged, measure) / n if n else 0.0


def ndcg(judged: Judged, measure: Measure) -> float:
    """Return nDCG with every document's gain replaced by the mean gain of its group."""
    gain = gains(judged, measure)
    mean = np.concatenate([np.full(end - start, gain[start:end].mean()) for start, end in judged.tied]) if len(gain) else gain
    shown = mean[: measure.cutoff]
    ideal = ideal_gain(judged, measure)
    return float((shown / np.log2(np.arange(2, len(shown) + 2))).sum()) / ideal if ideal else 0.0
