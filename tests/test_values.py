from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadData
from twicetold.types import (
    Claim,
    Context,
    Decision,
    Difference,
    FactCheck,
    KeySentence,
    Lane,
    Line,
    Match,
    Post,
    Question,
    Ranking,
    Reason,
    ReasonKind,
    Relation,
    Span,
    Stance,
    Verdict,
    from_json,
    natural,
    ranked,
    to_json,
)

words = st.text(max_size=30)
pairs = st.tuples(st.integers(0, 9), st.integers(0, 9))


def few(values):
    return st.lists(values, max_size=2).map(tuple)


checks = st.builds(
    FactCheck,
    id=words,
    claim=words,
    body=words,
    appearances=few(words),
    verdict=st.sampled_from(Verdict),
    other=st.dictionaries(words, words, max_size=2),
)
posts = st.builds(Post, id=words, text=words)
numbers = st.floats(allow_nan=False, allow_infinity=False)
keys = st.builds(
    KeySentence,
    text=words,
    at=st.integers(0, 99),
    score=numbers,
    why=words,
    marks=few(pairs),
)
spans = st.builds(Span, text=words, at=st.integers(0, 99))
matches = st.builds(
    Match,
    doc=checks | posts,
    score=numbers,
    signals=st.dictionaries(words, numbers, max_size=3),
    keys=few(keys),
    stance=st.none() | st.sampled_from(Stance),
    twins=few(checks),
    part=words,
    reasons=few(st.builds(Reason, kind=st.sampled_from(ReasonKind), text=words)),
    relation=st.none() | st.sampled_from(Relation),
    differences=few(st.builds(Difference, kind=st.sampled_from(Relation), ours=spans, theirs=spans)),
    answers=st.none() | numbers,
)
contexts = st.builds(Context, lines=st.lists(st.builds(Line, speaker=words, text=words, start=st.none() | numbers), max_size=2).map(tuple))
queries = st.builds(Claim, id=words, text=words, context=contexts) | st.builds(Question, id=words, text=words)
decisions = st.builds(Decision, lane=st.sampled_from(Lane), probability=numbers, risk=numbers)
rankings = st.builds(Ranking, query=queries, matches=few(matches), decision=st.none() | decisions)


@given(rankings)
def test_a_ranking_survives_json(ranking):
    assert from_json(Ranking, json.loads(json.dumps(to_json(ranking)))) == ranking


@given(st.lists(matches, max_size=6))
def test_a_ranking_is_sorted_by_score_then_by_id_in_natural_order(found):
    ranking = ranked(Claim("c", "text"), found)
    pairs = [(-match.score, natural(match.doc.id)) for match in ranking.matches]
    assert pairs == sorted(pairs)


def test_numbers_in_ids_sort_as_numbers():
    assert sorted(["v10", "v9", "v9-b", "v9-a10", "v9-a2"], key=natural) == ["v9", "v9-a2", "v9-a10", "v9-b", "v10"]


def test_fields_that_a_newer_version_added_are_ignored():
    assert from_json(FactCheck, {"id": "a", "claim": "x", "mood": "good"}) == FactCheck("a", claim="x")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"id": 7}, "'id' should be str, not 7"),
        ({"id": "a", "appearances": "https://x"}, "'appearances' should be a list"),
        ({"id": "a", "verdict": "nope"}, "'verdict' should be one of"),
        ({"claim": "x"}, "needs more fields"),
    ],
)
def test_a_wrong_field_is_named(record, said):
    with pytest.raises(BadData, match=said):
        from_json(FactCheck, record)


def test_a_ranking_decided_no_match_is_empty_though_it_keeps_what_was_found():
    found = (Match(FactCheck("a"), 0.1),)
    assert Ranking(Claim("c", "x"), found, Decision(Lane.NO_MATCH, 0.02, 0.05)).is_empty
    assert not Ranking(Claim("c", "x"), found, Decision(Lane.REVIEW, 0.4, 0.05)).is_empty
    assert Ranking(Claim("c", "x")).is_empty
