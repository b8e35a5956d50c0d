"""The formulas, for documents in the order they were ranked. r_i is 1 if the document of rank i is relevant; n relevant exist.

Equal to trec_eval's where trec_eval has the measure. A query with no relevant document scores 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twicetold_lab.measures.judged import Judged
from twicetold_lab.measures.names import Measure


def hits(judged: Judged, measure: Measure) -> NDArray[np.bool_]:
    """Return which of the first K ranked documents are relevant."""
    return (judged.grades >= measure.rel)[: measure.cutoff]


def average_precision(judged: Judged, measure: Measure) -> float:
    """sum over i ≤ K of r_i · P@i, divided by n, or by min(n, K) with norm=min."""
    ranks = np.flatnonzero(hits(judged, measure)) + 1
    return average_precision_of_ranks(ranks, divisor(measure, judged.relevant(measure.rel)))


def average_precision_of_ranks(ranks: NDArray[np.int64], divisor: int) -> float:
    """The definition for who has no `Judged`: `ranks` are those of the relevant documents found, rising from 1; 0 if none is wanted.

    >>> average_precision_of_ranks(np.array([1, 3]), 2)   # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    return float((np.arange(1, len(ranks) + 1) / ranks).sum()) / divisor if divisor else 0.0


def divisor(measure: Measure, n: int) -> int:
    """What average precision is divided by."""
    return min(n, measure.cutoff) if measure.norm == "min" and measure.cutoff is not None else n


def reciprocal_rank(judged: Judged, measure: Measure) -> float:
    """1 / the rank of the first relevant document; 0 if there is none in the first K."""
    ranks = np.flatnonzero(hits(judged, measure)) + 1
    return 1.0 / float(ranks[0]) if len(ranks) else 0.0


def success(judged: Judged, measure: Measure) -> float:
    """1 if any of the first K is relevant."""
    return float(hits(judged, measure).any())


def precision(judged: Judged, measure: Measure) -> float:
    """Relevant among the first K, divided by K even where fewer were found."""
    return float(hits(judged, measure).sum()) / _cutoff(measure)


def recall(judged: Judged, measure: Measure) -> float:
    """Relevant among the first K, divided by n."""
    n = judged.relevant(measure.rel)
    return float(hits(judged, measure).sum()) / n if n else 0.0


def ndcg(judged: Judged, measure: Measure) -> float:
    """sum of grade_i / log2(i + 1) over the first K, divided by the same sum in the ideal order (Järvelin & Kekäläinen 2002)."""
    return discounted(gains(judged, measure)[: measure.cutoff]) / ideal if (ideal := ideal_gain(judged, measure)) else 0.0


def gains(judged: Judged, measure: Measure) -> NDArray[np.float64]:
    """Return the gain of each ranked document: its grade, or 0 below `rel`."""
    return np.where(judged.grades >= measure.rel, judged.grades, 0).astype(np.float64)


def ideal_gain(judged: Judged, measure: Measure) -> float:
    """Return the discounted gain of the best order there could be."""
    wanted = judged.all_grades[judged.all_grades >= measure.rel]
    return discounted(np.sort(wanted)[::-1].astype(np.float64)[: measure.cutoff])


def discounted(gain: NDArray[np.float64]) -> float:
    """Return the sum of gain_i / log2(i + 1)."""
    return float((gain / np.log2(np.arange(2, len(gain) + 2))).sum())


def _cutoff(measure: Measure) -> int:
    assert measure.cutoff is not None, "parse demands a cut-off"
    return measure.cutoff
