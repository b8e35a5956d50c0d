"""Round-up articles are taken apart, compound inputs matched part by part."""

import pytest

from twicetold.parts import in_parts, parts_of, split_roundup
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Ranking, ranked

UNDER = "We asked the port office and read the harbour's own log for the month. It says otherwise."


def article(body, **more):
    return FactCheck("a1", title="Five things said about the harbour", body=body, url="https://example.org/a1", **more)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Claim 1: The harbour was closed in March", "Claim 2: The crane was sold to a museum"),
        ("CLAIM: The harbour was closed in March", "CLAIM: The crane was sold to a museum"),
        ("Myth #1 – The harbour was closed in March", "Myth #2 – The crane was sold to a museum"),
        ("1. “The harbour was closed in March”", "2. “The crane was sold to a museum”"),
        ("1) The harbour was closed in March", "2) The crane was sold to a museum"),
    ],
)
def test_a_round_up_is_split_at_its_headings(first, second):
    parts = split_roundup(article(f"Here is what we found.\n{first}\n{UNDER}\n{second}\n{UNDER}"))
    assert [part.claim for part in parts] == ["The harbour was closed in March", "The crane was sold to a museum"]
    assert [part.id for part in parts] == ["a1#1", "a1#2"]
    assert all(part.body == UNDER and part.url == "https://example.org/a1" and part.other["part of"] == "a1" for part in parts)


def test_a_part_has_its_own_rating_where_the_article_gives_one():
    body = f"Claim 1: The harbour was closed in March\n{UNDER}\nRating: Mostly false.\nClaim 2: The crane was sold to a museum\n{UNDER}"
    assert [part.rating for part in split_roundup(article(body, rating="Various"))] == ["Mostly false", "Various"]


@pytest.mark.parametrize(
    "body",
    [
        "The harbour was open all March. The log shows it.",
        f"Claim: The harbour was closed in March\n{UNDER}",
        f"3. The harbour was closed in March\n{UNDER}\n7. The crane was sold to a museum\n{UNDER}",
        "Claim 1: The harbour was closed in March\nClaim 2: The crane was sold to a museum\n" + UNDER,
        "",
    ],
    ids=["no headings", "one heading", "numbers that do not count up", "headings with nothing under them", "no body"],
)
def test_an_article_that_is_no_round_up_stays_whole(body):
    assert split_roundup(article(body)) == [article(body)]


def test_sentences_and_clauses_are_parts_and_scraps_are_not():
    text = "Wow! The harbour was closed for a year; the mayor sold the big crane. Did the museum buy it from him? https://t.co/x"
    assert parts_of(text) == ["The harbour was closed for a year", "the mayor sold the big crane.", "Did the museum buy it from him?"]


def test_a_claim_of_one_sentence_has_no_parts():
    assert parts_of("The harbour was closed for a year") == []


def by_shared_words(rankings):
    """A stage that scores three fact-checks by the share of the claim's words they have."""
    checks = [
        FactCheck("harbour", claim="harbour closed year"),
        FactCheck("crane", claim="mayor sold crane"),
        FactCheck("owl", claim="owl"),
    ]

    def score(claim, check):
        words = claim.text.lower().replace(".", "").split()
        return sum(word in check.claim.split() for word in words) / len(words)

    return [ranked(r.query, [Match(check, score(r.query, check)) for check in checks if score(r.query, check)]) for r in rankings]


def test_each_part_of_a_compound_claim_finds_its_own_fact_check_and_says_which_part_it_was():
    asked = Claim("q", "The harbour was closed all year. The mayor sold the big crane.")
    [answer] = in_parts(by_shared_words)([Ranking(asked)])
    assert {match.doc.id: match.part for match in answer.matches} == {
        "harbour": "The harbour was closed all year.",
        "crane": "The mayor sold the big crane.",
    }
    assert [match.score for match in answer.matches] == [3 / 6, 3 / 6]


def test_a_part_that_adds_nothing_leaves_the_evidence_of_the_whole():
    asked = Claim("q", "mayor sold crane; and nothing else of that kind happened here")
    [answer] = in_parts(by_shared_words)([Ranking(asked)])
    assert answer.query == asked
    assert [match.doc.id for match in answer.matches] == ["crane"]
    assert answer.matches[0].part == ""  # the first clause is too short to be asked alone


def test_asking_in_parts_keeps_the_laws_of_a_stage():
    texts = ["owl", "The harbour was closed all year. The mayor sold the big crane."]
    check_stage(in_parts(by_shared_words), [Ranking(Claim(f"q{n}", text)) for n, text in enumerate(texts)])
