"""ClaimReview in every wrapping that publishers and search responses put it in."""

import json

import pytest

from twicetold.ingest.claimreview import checks_in
from twicetold.ingest.problems import Problem
from twicetold.types import Verdict

REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "url": "https://desk.example/checks/moon",
    "claimReviewed": "The moon is made of cheese.",
    "author": {"@type": "Organization", "name": "Night Desk"},
    "datePublished": "2020-05-01",
    "itemReviewed": {
        "@type": "Claim",
        "author": {"@type": "Person", "name": "A. Baker"},
        "datePublished": "2020-04-01",
        "appearance": [{"@type": "CreativeWork", "url": "https://posts.example/1"}],
    },
    "reviewRating": {"@type": "Rating", "alternateName": "False", "ratingValue": 1, "bestRating": 5, "worstRating": 1},
}
SECOND = REVIEW | {"claimReviewed": "The sun is cold.", "url": "https://desk.example/checks/sun"}


def only(value, **page):
    [check] = checks_in(value, "here", page or None)
    return check


def test_a_single_object_gives_all_its_fields():
    check = only(REVIEW)
    assert check.claim == "The moon is made of cheese."
    assert (check.claimant, check.claimed_on) == ("A. Baker", "2020-04-01")
    assert (check.publisher, check.published) == ("Night Desk", "2020-05-01")
    assert (check.rating, check.verdict) == ("False", Verdict.FALSE)
    assert check.appearances == ("https://posts.example/1",)
    assert check.url == "https://desk.example/checks/moon"


@pytest.mark.parametrize(
    "wrapped",
    [
        [REVIEW, SECOND],
        {"@context": "https://schema.org", "@graph": [REVIEW, SECOND]},
        {"@type": "DataFeedItem", "item": [REVIEW, SECOND]},
        {"@type": "Article", "headline": "Two checks", "review": [REVIEW, SECOND]},
        {"@type": "NewsArticle", "mainEntity": {"@type": "ItemList", "itemListElement": [{"item": REVIEW}, {"item": SECOND}]}},
        [[REVIEW], {"@graph": [{"@type": "WebSite", "name": "x"}, SECOND]}],
    ],
    ids=["list", "graph", "feed item", "article", "deep in an article", "lists of lists"],
)
def test_reviews_are_found_in_order_wherever_they_stand(wrapped):
    assert [check.claim for check in checks_in(wrapped, "here")] == ["The moon is made of cheese.", "The sun is cold."]


@pytest.mark.parametrize("kind", ["ClaimReview", ["Review", "ClaimReview"], "schema:ClaimReview", "http://schema.org/ClaimReview"])
def test_the_type_may_be_a_list_or_carry_its_vocabulary(kind):
    assert only(REVIEW | {"@type": kind}).claim == "The moon is made of cheese."


def test_a_review_of_other_things_is_not_a_fact_check():
    assert list(checks_in({"@type": "Review", "reviewBody": "Nice kettle", "itemReviewed": {"@type": "Product"}}, "here")) == []


def test_several_reviewed_items_of_one_claim_are_its_appearances():
    items = [{"@type": "Claim", "appearance": {"url": f"https://posts.example/{n}"}, "author": "Ana"} for n in (1, 2)]
    check = only(REVIEW | {"itemReviewed": items})
    assert check.appearances == ("https://posts.example/1", "https://posts.example/2")
    assert check.claimant == "Ana"


def test_several_claims_reviewed_become_several_fact_checks_with_ids_of_their_own():
    claims = ["First thing.", "Second thing."]
    items = [{"@type": "Claim", "author": "Ana"}, {"@type": "Claim", "author": "Bea"}]
    first, second = checks_in(REVIEW | {"claimReviewed": claims, "itemReviewed": items}, "here")
    assert [(c.claim, c.claimant) for c in (first, second)] == [("First thing.", "Ana"), ("Second thing.", "Bea")]
    assert first.id != second.id


def test_without_claim_reviewed_the_claims_own_words_are_taken():
    bare = {name: value for name, value in REVIEW.items() if name != "claimReviewed"}
    assert only(bare | {"itemReviewed": {"@type": "Claim", "name": "Frogs rained."}}).claim == "Frogs rained."


def test_without_any_claim_the_title_is_enough():
    bare = {name: value for name, value in REVIEW.items() if name not in ("claimReviewed", "itemReviewed")}
    check = only(bare | {"headline": "Did frogs rain?"})
    assert (check.claim, check.title) == ("", "Did frogs rain?")


def test_a_review_with_neither_claim_nor_title_is_a_problem_and_its_neighbours_are_kept():
    empty = {"@type": "ClaimReview", "url": "https://desk.example/x", "reviewRating": {"alternateName": "False"}}
    read = list(checks_in([REVIEW, empty, SECOND], "feed.json, record 3"))
    assert read[1] == Problem("feed.json, record 3", "has neither a claim nor a title")
    assert [read[0].claim, read[2].claim] == ["The moon is made of cheese.", "The sun is cold."]


@pytest.mark.parametrize(
    ("rating", "words", "verdict"),
    [
        ({"alternateName": "Half True"}, "Half True", Verdict.MIXED),
        ({"name": "Misleading"}, "Misleading", Verdict.MISLEADING),
        ({"ratingValue": "1", "bestRating": "5", "worstRating": "1"}, "1 (1–5)", Verdict.FALSE),
        ({"ratingValue": 5, "bestRating": 5, "worstRating": 1}, "5 (1–5)", Verdict.TRUE),
        ({"ratingValue": 3, "bestRating": 5, "worstRating": 1}, "3 (1–5)", Verdict.MIXED),
        ({"ratingValue": "4"}, "4", Verdict.OTHER),
        ([{"ratingValue": 1}, {"alternateName": "True"}], "True", Verdict.TRUE),
        ("Fake", "Fake", Verdict.FALSE),
    ],
)
def test_the_rating_is_kept_in_the_publishers_words_and_read(rating, words, verdict):
    check = only(REVIEW | {"reviewRating": rating})
    assert (check.rating, check.verdict) == (words, verdict)


def test_a_person_as_author_is_the_writer_and_the_site_the_publisher():
    check = only(REVIEW | {"author": {"@type": "Person", "name": "Tom Adeyemi"}})
    assert check.publisher == "desk.example"
    assert check.other["author"] == "Tom Adeyemi"


def test_references_by_id_are_followed_inside_the_document():
    graph = [{"@type": "Organization", "@id": "#desk", "name": "Night Desk"}, REVIEW | {"author": {"@id": "#desk"}}]
    assert only({"@graph": graph}).publisher == "Night Desk"


def test_an_article_around_the_review_gives_what_the_review_leaves_out():
    bare = {"@type": "ClaimReview", "claimReviewed": "Frogs rained.", "reviewRating": {"alternateName": "False"}}
    article = {
        "@type": "NewsArticle",
        "headline": "Did frogs rain?",
        "articleBody": "They did not.",
        "datePublished": "2021-01-02",
        "publisher": {"@type": "Organization", "name": "Weather Desk"},
        "inLanguage": "en-GB",
        "review": bare,
    }
    check = only(article)
    assert (check.title, check.body, check.published) == ("Did frogs rain?", "They did not.", "2021-01-02")
    assert (check.publisher, check.lang) == ("Weather Desk", "en")


def test_tags_and_entities_in_texts_are_resolved():
    check = only(REVIEW | {"claimReviewed": "<p>Bread &amp; butter<br>&#8217;tis</p>"})
    assert check.claim == "Bread & butter\n’tis"


def test_an_unreadable_date_is_empty_and_its_original_kept():
    check = only(REVIEW | {"datePublished": "last Tuesday"})
    assert (check.published, check.other["published"]) == ("", "last Tuesday")


def test_a_search_response_gives_one_fact_check_for_each_review_of_a_claim():
    claim = {
        "text": "The moon is made of cheese.",
        "claimant": "A. Baker",
        "claimDate": "2020-04-01T00:00:00Z",
        "claimReview": [
            {
                "publisher": {"name": "Night Desk", "site": "desk.example"},
                "url": "https://desk.example/checks/moon",
                "title": "No cheese up there",
                "reviewDate": "2020-05-01T10:00:00Z",
                "textualRating": "False",
                "languageCode": "en",
            },
            {"publisher": {"site": "luna.example"}, "url": "https://luna.example/1", "textualRating": "Falso", "languageCode": "es"},
        ],
    }
    first, second = checks_in(claim, "here")
    assert (first.claim, first.claimed_on, first.published) == ("The moon is made of cheese.", "2020-04-01", "2020-05-01")
    assert (second.publisher, second.verdict, second.lang) == ("luna.example", Verdict.FALSE, "es")


def test_the_same_review_from_a_search_response_and_from_its_page_has_the_same_id():
    review = {"publisher": {"name": "Night Desk"}, "url": "http://www.desk.example/checks/moon/?utm_source=x", "textualRating": "False"}
    [searched] = checks_in({"text": "The moon is made of cheese.", "claimReview": [review]}, "here")
    assert searched.id == only(REVIEW).id


def test_values_of_absurd_types_do_no_harm():
    odd = json.loads(
        '{"@type": "ClaimReview", "claimReviewed": [null, {"@value": "Odd."}], "url": 7, "author": [1, null], "itemReviewed": [2]}'
    )
    assert only(odd | {"reviewRating": [[]], "datePublished": {"a": 1}, "inLanguage": [False]}).claim == "Odd."
