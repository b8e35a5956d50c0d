"""How good rankings are: measures that print as they parse, and their value for one query.

>>> from twicetold_lab.measures import Judged, Measure, value
>>> judged = Judged.of([("a", 3.0), ("b", 2.0), ("c", 1.0)], {"b": 1, "z": 1})
>>> value(Measure.parse("MAP@5"), judged, corpus=10)   # b at rank 2, z not found: (1/2) / 2
0.25
"""

from __future__ import annotations

from collections.abc import Callable

from twicetold_lab.measures import formulas, legacy, ties
from twicetold_lab.measures.judged import Judged
from twicetold_lab.measures.names import AVERAGE_PRECISION, NDCG, PRECISION, RECALL, RECIPROCAL_RANK, SUCCESS, Measure

__all__ = ["DEFAULT", "Judged", "Measure", "value"]

DEFAULT = tuple(map(Measure.parse, ("MRR", "MAP", "MAP@1", "MAP@3", "MAP@5", "HasPositives@1", "HasPositives@5", "Recall@100")))
"""What `eval` prints unless told otherwise."""

Formula = Callable[[Judged, Measure], float]

_FAMILIES: tuple[tuple[tuple[str, ...], Formula, Formula], ...] = (
    (AVERAGE_PRECISION, formulas.average_precision, ties.average_precision),
    (RECIPROCAL_RANK, formulas.reciprocal_rank, ties.reciprocal_rank),
    (SUCCESS, formulas.success, ties.success),
    (PRECISION, formulas.precision, ties.precision),
    (RECALL, formulas.recall, ties.recall),
    (NDCG, formulas.ndcg, ties.ndcg),
)
_IN_ORDER = {name: in_order for names, in_order, _ in _FAMILIES for name in names}
_EXPECTED = {name: expected for names, _, expected in _FAMILIES for name in names}


def value(measure: Measure, judged: Judged, *, corpus: int) -> float:
    """Return one query's value; `corpus` is the number of documents there were to choose from (it matters to legacy rows only)."""
    if measure.norm == "legacy":
        return legacy.average_precision(judged, measure, corpus)
    table = _EXPECTED if measure.ties == "expected" else _IN_ORDER
    return table[measure.name](judged, measure)
