"""ROUGE-2 of a sentence against a claim: the share of word pairs they have in common (Lin 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def rouge2(sentence: Sequence[int], claim: Sequence[int]) -> tuple[float, float]:
    """Return (precision, recall): the shared pairs of neighbouring tokens as a share of the sentence's, and of the claim's.

    Pairs are counted once however often they stand in a text, as in the published experiments. A text of one token has no pairs and
    shares none.

    >>> rouge2([1, 2, 3], [2, 3, 4, 5, 6])
    (0.5, 0.25)
    """
    said, asked = set(pairwise(sentence)), set(pairwise(claim))
    shared = len(said & asked)
    return (shared / len(said), shared / len(asked)) if shared else (0.0, 0.0)
