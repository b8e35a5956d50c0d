"""MAP@k as the code of Shaar et al. (2020, 2022) computes it, for comparison with the figures those papers print.

A row holds a score for every document: those ranked below k, and those not retrieved, are set to 0; then scikit-learn's average
precision is taken, which treats equal scores as one step. So a relevant document below k still earns a little, more in a narrow row,
and documents with negative scores fall below the zeros. It is not a measure to prefer.
"""

from __future__ import annotations

import numpy as np

from twicetold_lab.measures.judged import Judged
from twicetold_lab.measures.names import Measure


def average_precision(judged: Judged, measure: Measure, corpus: int) -> float:
    """sum over distinct scores, falling, of (recall gained at that score) · (precision down to it).

    The row is `measure.width` wide, or the corpus. With a width, documents beyond it are not in the row, nor are relevant ones that
    were not retrieved.
    """
    kept = len(judged.scores) if measure.width is None else min(measure.width, len(judged.scores))
    scores = judged.scores[:kept].copy()
    is_hit = judged.grades[:kept] >= measure.rel
    if measure.cutoff is not None:
        scores[measure.cutoff :] = 0.0
    absent_hits = judged.relevant(measure.rel) - int(is_hit.sum()) if measure.width is None else 0
    n = int(is_hit.sum()) + absent_hits
    if n == 0:
        return 0.0
    absent = max(corpus if measure.width is None else measure.width, kept) - kept
    levels, place = np.unique(np.append(scores, 0.0) if absent else scores, return_inverse=True)
    at_level = np.bincount(place[:kept], minlength=len(levels)).astype(np.float64)
    hits_at_level = np.bincount(place[:kept], weights=is_hit, minlength=len(levels))
    if absent:
        zero = place[-1]
        at_level[zero] += absent
        hits_at_level[zero] += absent_hits
    seen, found = at_level[::-1].cumsum(), hits_at_level[::-1].cumsum()
    return float((hits_at_level[::-1] / n * found / np.maximum(seen, 1)).sum())
