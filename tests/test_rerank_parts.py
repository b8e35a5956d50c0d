"""Round-up articles are taken apart, compound inputs matched part by part."""

import dataclasses

import pytest
from click.testing import CliRunner

from twicetold.answer.parts import in_parts, parts_of
from twicetold.cli import main
from twicetold.collection import Collection
from twicetold.ingest.roundups import split_roundup
from twicetold.testing import check_stage
from twicetold.types import Claim, Decision, FactCheck, Lane, Match, Ranking, ranked

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


def decided_by_shared_words(rankings):
    """A stage that scores three fact-checks by the share of the claim's words they have, and calls half of them a match."""
    checks = [
        FactCheck("harbour", claim="harbour closed year"),
        FactCheck("crane", claim="mayor sold crane"),
        FactCheck("owl", claim="owl"),
    ]

    def score(claim, check):
        words = claim.text.lower().replace(".", "").split()
        return sum(word in check.claim.split() for word in words) / len(words)

    def answer(query):
        found = ranked(query, [Match(check, score(query, check)) for check in checks if score(query, check)])
        best = found.matches[0].score if found.matches else 0.0
        lane = Lane.MATCHED if best >= 0.5 else Lane.NO_MATCH
        return dataclasses.replace(found, decision=Decision(lane, best, 0.05))

    return [answer(r.query) for r in rankings]


def test_each_part_of_a_compound_claim_finds_its_own_fact_check_and_says_which_part_it_was():
    asked = Claim("q", "The harbour was closed all year. The mayor sold the big crane.")
    [answer] = in_parts(decided_by_shared_words)([Ranking(asked)])
    assert {match.doc.id: match.part for match in answer.matches} == {
        "harbour": "The harbour was closed all year.",
        "crane": "The mayor sold the big crane.",
    }
    assert answer.query == asked


def test_a_claim_of_which_a_part_is_matched_is_worth_a_look_and_not_matched():
    asked = Claim("q", "The harbour was closed all year. Nobody there has ever seen anything like this.")
    [answer] = in_parts(decided_by_shared_words)([Ranking(asked)])
    assert [(match.doc.id, match.part) for match in answer.matches] == [("harbour", "The harbour was closed all year.")]
    assert answer.decision == Decision(Lane.REVIEW, 0.5, 0.05)


def test_a_claim_that_is_matched_as_a_whole_is_not_taken_apart():
    asked = Claim("q", "harbour closed year harbour closed year. mayor sold crane and nothing else.")
    [answer] = in_parts(decided_by_shared_words)([Ranking(asked)])
    assert [answer] == decided_by_shared_words([Ranking(asked)])


def test_parts_that_are_not_matched_leave_the_answer_of_the_whole():
    asked = Claim("q", "The owl sat there for a year. Nobody there has ever seen anything like this.")
    [answer] = in_parts(decided_by_shared_words)([Ranking(asked)])
    assert [answer] == decided_by_shared_words([Ranking(asked)])


def test_asking_in_parts_keeps_the_laws_of_a_stage():
    texts = ["owl", "The harbour was closed all year. The mayor sold the big crane."]
    check_stage(in_parts(decided_by_shared_words), [Ranking(Claim(f"q{n}", text)) for n, text in enumerate(texts)])


def test_a_saved_page_that_checks_several_claims_is_read_as_several_fact_checks(tmp_path):
    page = tmp_path / "roundup.html"
    parts = "".join(
        f"<h2>Claim {n}: {claim}</h2><p>We asked the harbour office and read its records of the last ten years to find out.</p>"
        for n, claim in enumerate(["The harbour was closed for a year", "The mayor sold the big crane"], start=1)
    )
    page.write_text(
        f"<html lang=en><title>Harbour rumours, checked</title><article><h1>Harbour rumours, checked</h1>{parts}</article></html>"
    )
    data = tmp_path / "data"
    run = CliRunner().invoke(main, ["--data", str(data), "ingest", str(page)])
    assert run.exit_code == 0, run.output
    with Collection.open(data) as collection:
        assert [check.claim for check in collection.store] == ["The harbour was closed for a year", "The mayor sold the big crane"]
        assert all("harbour office" in check.body for check in collection.store)
