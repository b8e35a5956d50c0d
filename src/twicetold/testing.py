"""The laws of a stage, for our own stages and for anyone's.

`check_stage(stage, rankings)` raises an AssertionError that names the law broken and the query it was broken on.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Literal

from twicetold.stage import Stage
from twicetold.types import Ranking, natural, to_json

Role = Literal["finder", "reranker", "explainer"]


def check_stage(stage: Stage, rankings: Sequence[Ranking], *, role: Role = "finder") -> None:
    """Check that `stage` keeps the laws on these rankings.

    Every stage: the same queries out in the same order; no document twice; scores finite and sorted, ties by natural id;
    batching changes nothing; nothing in, nothing out; the input untouched; the same input, the same output.
    A reranker adds no documents. An explainer changes neither documents nor order.
    """
    before = copy.deepcopy(list(rankings))
    out = stage(rankings)
    assert list(rankings) == before, "the stage changed its input"
    assert [r.query for r in out] == [r.query for r in rankings], "the stage lost, added or reordered queries"
    for ranking in out:
        _check_order(ranking)
    assert [to_json(r) for r in stage(rankings)] == [to_json(r) for r in out], "the same input gave another output"
    for asked, together in zip(rankings, out, strict=True):
        [alone] = stage([asked])
        assert to_json(alone) == to_json(together), f"batching changed the answer to {asked.query.id!r}"
    assert stage([]) == [], "nothing in should be nothing out"
    for asked, answer in zip(rankings, out, strict=True):
        _check_role(asked, answer, role)


def _check_order(ranking: Ranking) -> None:
    query = ranking.query.id
    ids = [match.doc.id for match in ranking.matches]
    assert len(ids) == len(set(ids)), f"a document twice in the answer to {query!r}"
    assert all(math.isfinite(match.score) for match in ranking.matches), f"a score is not finite in the answer to {query!r}"
    keys = [(-match.score, natural(match.doc.id)) for match in ranking.matches]
    assert keys == sorted(keys), f"the answer to {query!r} is not sorted by score, then id"


def _check_role(asked: Ranking, answer: Ranking, role: Role) -> None:
    had = [match.doc.id for match in asked.matches]
    has = [match.doc.id for match in answer.matches]
    if role == "reranker":
        assert set(has) <= set(had), f"a reranker added documents to {asked.query.id!r}"
    if role == "explainer":
        assert has == had, f"an explainer changed the order of {asked.query.id!r}"
