"""Measures of co-reference: MUC, B³ and CEAF-e, their mean (CoNLL F1, Pradhan et al. 2012), and GAP's F1 (Webster et al. 2018).

Clusters are lists of mentions, each any hashable value. Singletons count, as in LitBank.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

Clusters = Sequence[Collection[Hashable]]


@dataclass(frozen=True, slots=True)
class Counted:
    """Numerators and denominators of recall and precision; those of several documents add up."""

    recalled: float = 0.0
    gold: float = 0.0
    precise: float = 0.0
    given: float = 0.0

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.recalled + other.recalled, self.gold + other.gold, self.precise + other.precise, self.given + other.given)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall, 0 where nothing is right."""
        recall = self.recalled / self.gold if self.gold else 0.0
        precision = self.precise / self.given if self.given else 0.0
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def muc(gold: Clusters, given: Clusters) -> Counted:
    """Count links: n mentions have n − 1, less one for each further piece they fall into on the other side (Vilain et al. 1995)."""
    return Counted(*_links(gold, given), *_links(given, gold))


def _links(one: Clusters, other: Clusters) -> tuple[float, float]:
    place = {mention: i for i, cluster in enumerate(other) for mention in cluster}
    kept = total = 0
    for cluster in one:
        pieces = {place.get(mention, (mention,)) for mention in cluster}
        kept += len(cluster) - len(pieces)
        total += len(cluster) - 1
    return float(kept), float(total)


def b_cubed(gold: Clusters, given: Clusters) -> Counted:
    """Count, for each mention, the share of its cluster that the other side puts with it (Bagga and Baldwin 1998)."""
    return Counted(*_shares(gold, given), *_shares(given, gold))


def _shares(one: Clusters, other: Clusters) -> tuple[float, float]:
    of = {mention: set(cluster) for cluster in other for mention in cluster}
    total = sum(len(cluster) for cluster in one)
    return sum(len(set(cluster) & of.get(m, set())) / len(cluster) for cluster in one for m in cluster), float(total)


def ceaf_e(gold: Clusters, given: Clusters) -> Counted:
    """Align clusters one to one for the greatest sum of φ4 = 2 |a ∩ b| / (|a| + |b|) (Luo 2005). Needs scipy."""
    from scipy.optimize import linear_sum_assignment

    if not gold or not given:
        return Counted(0.0, float(len(gold)), 0.0, float(len(given)))
    phi = np.array([[2 * len(set(a) & set(b)) / (len(a) + len(b)) for b in given] for a in gold])
    rows, columns = linear_sum_assignment(-phi)
    best = float(phi[rows, columns].sum())
    return Counted(best, float(len(gold)), best, float(len(given)))


def conll(pairs: Sequence[tuple[Clusters, Clusters]]) -> dict[str, float]:
    """Return MUC, B³ and CEAF-e F1 over documents given as (gold, given), and their mean as `conll`."""
    f1 = {m.__name__: sum((m(gold, given) for gold, given in pairs), Counted()).f1 for m in (muc, b_cubed, ceaf_e)}
    return f1 | {"conll": sum(f1.values()) / 3}
