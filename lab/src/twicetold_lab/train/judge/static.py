"""Judge the table of token vectors: how far its cosines follow the encoder's, on claims of Snopes it was not taught on."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.encoder import Encoder, StaticEncoder
from twicetold.text import tidy
from twicetold_lab import datasets

CLAIMS = 2_000


def judge(root: Path, model: Path, encoder: Path) -> dict[str, Any]:
    """Return the rank correlation of all pairs' cosines, and how often both find the same nearest claim."""
    from scipy.stats import spearmanr

    texts = sorted({tidy(check.claim) for check in datasets.load("checkthat-2020-task2", root).checks()})
    drawn = random.Random(0).sample(texts, CLAIMS)
    ours, meant = (vectors @ vectors.T for vectors in (StaticEncoder.load(model).encode(drawn), Encoder.load(encoder).encode(drawn)))
    above = np.triu_indices(CLAIMS, 1)
    order = float(spearmanr(ours[above], meant[above])[0])
    for cosines in (ours, meant):
        np.fill_diagonal(cosines, -1)
    return {
        "claims of checkthat-2020-task2": CLAIMS,
        "Spearman of cosines with the encoder's": round(order, 4),
        "same nearest claim as the encoder": round(float((ours.argmax(axis=1) == meant.argmax(axis=1)).mean()), 4),
    }
