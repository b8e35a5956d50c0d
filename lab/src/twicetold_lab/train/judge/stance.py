"""Judge the stance model: macro-F1 on each source's test part, beside the commonest class and TF-IDF with logistic regression."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.mine.stance import StanceReader
from twicetold_lab.train.judge.scores import interval
from twicetold_lab.train.stance import Row, read

Array = np.ndarray[Any, Any]
MOST = 400


def judge(root: Path, model: Path) -> dict[str, Any]:
    """Return macro-F1 by source on at most 400 test rows each, with intervals, and the mean error of the stated probabilities."""
    rows = read(root)
    tested = _sample([row for row in rows if row.part == "test"])
    stated = StanceReader.load(model).read([(row.claim, row.text) for row in tested])
    read_as = stated.argmax(axis=1)
    lexical = baseline([row for row in rows if row.part == "train"], tested)
    report: dict[str, Any] = {"measure": "macro-F1", "expected calibration error": calibration_error(stated, tested)}
    for source in dict.fromkeys(row.source for row in tested):
        places = np.array([i for i, row in enumerate(tested) if row.source == source])
        truth = np.array([tested[i].label for i in places])
        commonest = np.full_like(truth, np.bincount([row.label for row in rows if row.source == source and row.part == "train"]).argmax())
        report[source] = {
            "rows": len(places),
            "ours": _interval(truth, read_as[places]),
            "TF-IDF": _interval(truth, lexical[places]),
            "commonest": round(macro_f1(truth, commonest), 4),
        }
    return report


def _sample(rows: Sequence[Row]) -> list[Row]:
    drawn = []
    for source in dict.fromkeys(row.source for row in rows):
        own = [row for row in rows if row.source == source]
        drawn += random.Random(0).sample(own, min(MOST, len(own)))
    return drawn


def baseline(trained: Sequence[Row], tested: Sequence[Row]) -> Array:
    """Predict by logistic regression on the TF-IDF of claim and text, and of the words they share, trained on the same rows."""
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    parts = [TfidfVectorizer(min_df=3, ngram_range=(1, 2), max_features=60_000, sublinear_tf=True) for _ in range(3)]
    learnt = hstack([part.fit_transform(texts) for part, texts in zip(parts, _columns(trained), strict=True)]).tocsr()
    asked = hstack([part.transform(texts) for part, texts in zip(parts, _columns(tested), strict=True)]).tocsr()
    model = LogisticRegression(max_iter=300, C=2.0, class_weight="balanced").fit(learnt, [row.label for row in trained])
    return np.asarray(model.predict(asked))


def _columns(rows: Sequence[Row]) -> tuple[list[str], list[str], list[str]]:
    shared = [" ".join(set(row.claim.casefold().split()) & set(row.text.casefold().split())) for row in rows]
    return [row.claim for row in rows], [row.text for row in rows], shared


def macro_f1(truth: Array, read_as: Array) -> float:
    """Return the mean F1 over the classes that occur in the truth.

    >>> macro_f1(np.array([0, 0, 1]), np.array([0, 1, 1]))
    0.6666666666666666
    """
    return float(np.mean([_f1(truth == label, read_as == label) for label in np.unique(truth)]))


def _f1(truth: Array, read_as: Array) -> float:
    right = float((truth & read_as).sum())
    return 2 * right / max(float(truth.sum() + read_as.sum()), 1.0)


def _interval(truth: Array, read_as: Array) -> list[float]:
    places = np.arange(len(truth), dtype=float)
    return interval(list(places), draws=500, of=lambda drawn: macro_f1(truth[drawn.astype(int)], read_as[drawn.astype(int)]))


def calibration_error(stated: Array, rows: Sequence[Row], *, bins: int = 10) -> float:
    """Return the mean gap between the probability stated for the chosen class and how often it is right, over ten bins."""
    sure, right = stated.max(axis=1), stated.argmax(axis=1) == np.array([row.label for row in rows])
    where = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [abs(sure[where == b].mean() - right[where == b].mean()) * (where == b).mean() for b in np.unique(where)]
    return round(float(sum(gaps)), 4)
