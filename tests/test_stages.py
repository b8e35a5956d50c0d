from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.stage import ask, chain, cut, fuse, tap
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Ranking, ranked

CLAIM = Claim("c", "anything")


def found(*ids: str):
    """A stage that answers every claim with these ids, best first."""

    def run(rankings, /):
        return [ranked(r.query, [Match(FactCheck(id), -float(at), {f"s{at}": 1.0}) for at, id in enumerate(ids)]) for r in rankings]

    return run


def ids(stage) -> list[str]:
    return [match.doc.id for match in ask(stage, [CLAIM])[0].matches]


some_ids = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def test_fusing_adds_one_over_sixty_plus_rank_for_each_stage():
    [ranking] = ask(fuse(found("a", "b"), found("b")), [CLAIM])
    assert [(m.doc.id, m.score) for m in ranking.matches] == [("b", 1 / (60 + 1) + 1 / (60 + 2)), ("a", 1 / (60 + 1))]


def test_fusing_keeps_the_signals_of_every_stage():
    [ranking] = ask(fuse(found("a", "b"), found("b")), [CLAIM])
    assert ranking.matches[0].signals == {"s0": 1.0, "s1": 1.0}


@given(some_ids, some_ids, some_ids)
def test_fusing_does_not_depend_on_the_order_of_stages(a, b, c):
    one, other = fuse(found(*a), found(*b), found(*c)), fuse(found(*c), found(*a), found(*b))
    scores = [[(m.doc.id, m.score) for m in ask(stage, [CLAIM])[0].matches] for stage in (one, other)]
    assert scores[0] == scores[1]


@given(some_ids, st.integers(0, 9), st.integers(0, 9))
def test_cutting_twice_is_cutting_at_the_smaller(a, first, second):
    assert ids(chain(found(*a), cut(first), cut(second))) == ids(chain(found(*a), cut(min(first, second))))


@given(some_ids, st.integers(0, 9))
def test_chaining_is_associative(a, depth):
    left = chain(chain(found(*a), cut(depth)), cut(3))
    right = chain(found(*a), chain(cut(depth), cut(3)))
    assert ids(left) == ids(right)


def test_a_tap_sees_the_rankings_and_changes_nothing():
    seen = []
    assert ids(chain(found("a", "b"), tap(seen.append))) == ["a", "b"]
    assert [m.doc.id for m in seen[0][0].matches] == ["a", "b"]


@given(some_ids)
def test_combinators_keep_the_laws(a):
    asked = [Ranking(CLAIM), Ranking(Claim("d", "more"))]
    check_stage(fuse(found(*a), found("b")), asked)
    check_stage(chain(found(*a), cut(2)), asked)
    check_stage(cut(2), ask(found(*a), [CLAIM]), role="reranker")


def _drops_a_query(rankings, /):
    return list(rankings)[1:]


def _doubles(rankings, /):
    return [dataclasses.replace(r, matches=r.matches * 2) for r in rankings]


def _depends_on_the_batch(rankings, /):
    return [ranked(r.query, [Match(FactCheck("a"), float(len(rankings)))]) for r in rankings]


def _is_unsorted(rankings, /):
    return [Ranking(r.query, (Match(FactCheck("a"), 0.0), Match(FactCheck("b"), 1.0))) for r in rankings]


def _is_not_finite(rankings, /):
    return [Ranking(r.query, (Match(FactCheck("a"), float("nan")),)) for r in rankings]


@pytest.mark.parametrize(
    ("stage", "law"),
    [
        (_drops_a_query, "queries"),
        (_doubles, "twice"),
        (_depends_on_the_batch, "batching"),
        (_is_unsorted, "sorted"),
        (_is_not_finite, "finite"),
    ],
)
def test_the_laws_catch_a_stage_that_breaks_them(stage, law):
    asked = ask(found("a", "b"), [CLAIM, Claim("d", "more")])
    with pytest.raises(AssertionError, match=law):
        check_stage(stage, asked)


def test_the_laws_catch_a_reranker_that_adds_and_an_explainer_that_reorders():
    asked = ask(found("a", "b"), [CLAIM])
    with pytest.raises(AssertionError, match="added"):
        check_stage(found("z"), asked, role="reranker")
    with pytest.raises(AssertionError, match="order"):
        check_stage(cut(1), asked, role="explainer")
