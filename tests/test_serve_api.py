"""What the HTTP API answers."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from serving import copied, new_key, serving

from twicetold.cli import main

GARLIC = "Garlic water cures the coronavirus"


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    return copied(demo_folder, tmp_path_factory.mktemp("api") / "demo")


@pytest.fixture(scope="module")
def client(folder):
    with serving(folder) as client:
        yield client


@pytest.fixture
def writable(demo_folder, tmp_path):
    with serving(copied(demo_folder, tmp_path / "demo")) as client:
        yield client


def cli_json(folder, *arguments):
    return [json.loads(line) for line in CliRunner().invoke(main, ["--data", str(folder), *arguments]).stdout.splitlines()]


def test_a_match_is_the_same_json_that_the_command_line_prints(client, folder):
    [printed] = cli_json(folder, "match", GARLIC, "--json", "--top", "3")
    assert client.post("/v1/match", json={"text": GARLIC, "top": 3}).json() == printed


def test_a_match_asked_in_an_address_is_the_same_as_a_posted_one(client):
    asked = client.get("/v1/match", params={"text": GARLIC, "top": 2, "lang": "en"})
    posted = client.post("/v1/match", json={"text": GARLIC, "top": 2, "filters": {"langs": ["en"]}})
    assert asked.json() == posted.json()


def test_a_batch_answers_each_claim_as_alone(client, demo_claims):
    claims = [{"id": claim.id, "text": claim.text} for claim in demo_claims[:8]]
    together = client.post("/v1/match/batch", json={"claims": claims, "top": 2}).json()["rankings"]
    assert together == [client.post("/v1/match", json={**claim, "top": 2}).json() for claim in claims]


def test_filters_restrict_who_may_answer(client):
    ranking = client.post("/v1/match", json={"text": "las abejas y Einstein", "filters": {"langs": ["es"]}}).json()
    assert {match["doc"]["lang"] for match in ranking["matches"]} == {"es"}


def test_a_claim_can_say_which_links_it_came_with(client):
    ranking = client.post("/v1/match", json={"text": "look at this", "links": ["https://example.org/forum/garlic-water-recipe"]}).json()
    assert ranking["matches"][0]["doc"]["id"] == "demo-health-garlic-covid"
    assert {"kind": "link", "text": "It names the same link."} in ranking["matches"][0]["reasons"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "body.text"),
        ({"text": ""}, "body.text"),
        ({"text": "   "}, "body.text"),
        ({"text": "x" * 20_001}, "body.text"),
        ({"text": "x", "top": 0}, "body.top"),
        ({"text": "x", "recipe": "magic"}, "body.recipe"),
        ({"text": "x", "filters": {"after": "yesterday"}}, "body.filters.after"),
        ({"text": "x", "filters": {"after": "2021-13"}}, "body.filters.after"),
        ({"text": "x", "filters": {"before": "2021-02-30"}}, "body.filters.before"),
        ({"text": "x", "after": "2021"}, "body.after"),
        ({"text": "x", "filters": {"verdicts": ["maybe"]}}, "body.filters.verdicts.0"),
        ({"text": "x", "surprise": 1}, "body.surprise"),
    ],
)
def test_a_wrong_request_is_told_which_field_is_wrong(client, body, place):
    answer = client.post("/v1/match", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"] == "/problems#bad-request"
    assert [error["place"] for error in problem["errors"]] == [place]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/nothing", 404), ("DELETE", "/v1/match", 405), ("GET", "/v1/fact-checks/nobody", 404), ("GET", "/v1/imports/none", 404)],
)
def test_every_error_is_a_problem_document_whose_type_is_explained(client, method, path, status):
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["status"], answer.json()["instance"]) == (status, status, path)
    name = answer.json()["type"].removeprefix("/problems#")
    assert f'id="{name}"' in client.get("/problems").text


def test_a_body_that_is_not_json_is_refused_with_a_problem(client):
    answer = client.post("/v1/match", content=b"{text:", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems#bad-request")


def test_walking_the_cursors_lists_every_fact_check_once(client, demo):
    ids, cursor = [], ""
    for _ in range(100):
        page = client.get("/v1/fact-checks", params={"cursor": cursor, "limit": 13}).json()
        ids += [check["id"] for check in page["fact_checks"]]
        cursor = page["next"]
        if not cursor:
            break
    assert ids == [check.id for check in demo.store]


def test_a_made_up_cursor_is_refused(client):
    assert client.get("/v1/fact-checks", params={"cursor": "AAAA"}).status_code == 422


def test_a_fact_check_is_the_same_json_that_show_prints(client, folder):
    [printed] = cli_json(folder, "show", "demo-health-garlic-covid", "--json")
    assert client.get("/v1/fact-checks/demo-health-garlic-covid").json() == printed


def test_stats_are_those_of_the_command_line(client, folder):
    [printed] = cli_json(folder, "stats", "--json")
    assert client.get("/v1/stats").json() == printed


def test_a_fact_check_put_in_is_stored_at_once_and_soon_found(writable):
    key = new_key(writable)
    body = {"claim": "A giraffe was elected mayor of Nowhereville.", "rating": "Wrong", "publisher": "Desk", "published": "2021-02-03"}
    put = writable.put("/v1/fact-checks/a/b c", json=body, headers=key)
    assert put.status_code == 201
    assert (put.json()["verdict"], put.json()["lang"]) == ("false", "en")
    assert writable.get("/v1/fact-checks/a/b c").json() == {**put.json(), "twins": []}
    assert writable.put("/v1/fact-checks/a/b c", json=body, headers=key).status_code == 200
    assert _first_answer(writable, "giraffe elected mayor", wanted="a/b c") == "a/b c"


def _first_answer(client, text, *, wanted, seconds=60.0):
    import time

    until = time.monotonic() + seconds
    while (first := _first(client, text)) != wanted and time.monotonic() < until:
        time.sleep(0.2)
    return first


def _first(client, text):
    return client.post("/v1/match", json={"text": text, "top": 1}).json()["matches"][0]["doc"]["id"]


def test_a_deleted_fact_check_is_gone_from_every_answer_at_once(writable):
    key = new_key(writable)
    assert writable.delete("/v1/fact-checks/demo-health-garlic-covid", headers=key).status_code == 204
    assert writable.get("/v1/fact-checks/demo-health-garlic-covid").status_code == 404
    assert _first(writable, GARLIC) != "demo-health-garlic-covid"
    assert writable.delete("/v1/fact-checks/demo-health-garlic-covid", headers=key).status_code == 404


def test_a_fact_check_without_claim_and_title_is_refused(writable):
    answer = writable.put("/v1/fact-checks/x", json={"rating": "False"}, headers=new_key(writable))
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems#bad-request")


def test_a_judgement_is_kept_under_the_name_of_the_key(writable):
    key = new_key(writable)
    answer = writable.post("/v1/judgements", json={"claim": GARLIC, "check_id": "demo-health-garlic-covid", "grade": 1}, headers=key)
    assert (answer.status_code, answer.json()["annotator"]) == (201, "write 0")
    unknown = writable.post("/v1/judgements", json={"claim": GARLIC, "check_id": "nobody", "grade": 1}, headers=key)
    assert unknown.status_code == 404


def test_claims_search_answers_in_the_fact_check_tools_layout(client):
    answer = client.get("/v1alpha1/claims:search", params={"query": "garlic coronavirus", "languageCode": "en-US", "pageSize": 1}).json()
    [claim] = answer["claims"]
    assert claim == {
        "text": "Eating raw garlic prevents or cures infection with the coronavirus.",
        "claimant": "social media posts",
        "claimDate": "2020-02-04T00:00:00Z",
        "claimReview": [
            {
                "publisher": {"name": "Demo Health Desk (demo)", "site": "who.int"},
                "url": "https://www.who.int/emergencies/diseases/novel-coronavirus-2019/advice-for-public/myth-busters",
                "title": "No kitchen remedy stops COVID-19, and cloves are no exception",
                "reviewDate": "2020-03-06T00:00:00Z",
                "textualRating": "False",
                "languageCode": "en",
            }
        ],
    }


def test_claims_search_pages_do_not_overlap(client):
    first = client.get("/v1/claims:search", params={"query": "vaccines", "pageSize": 3}).json()
    second = client.get("/v1/claims:search", params={"query": "vaccines", "pageSize": 3, "pageToken": first["nextPageToken"]}).json()
    texts = [claim["text"] for claim in first["claims"] + second["claims"]]
    assert len(texts) == len(set(texts)) == 6


def test_claims_search_by_site_needs_no_query(client):
    answer = client.get("/v1/claims:search", params={"reviewPublisherSiteFilter": "who.int"}).json()
    assert {claim["claimReview"][0]["publisher"]["site"] for claim in answer["claims"]} == {"who.int"}
    assert client.get("/v1/claims:search").status_code == 400


def test_metrics_count_requests_by_route_and_status(folder):
    with serving(folder) as client:
        client.post("/v1/match", json={"text": GARLIC})
        client.post("/v1/match", json={})
        text = client.get("/v1/metrics").text
    assert 'twicetold_requests_total{method="POST",route="/v1/match",status="200"} 1' in text
    assert 'twicetold_requests_total{method="POST",route="/v1/match",status="422"} 1' in text
    assert 'twicetold_request_seconds_count{route="/v1/match"} 2' in text
    assert "twicetold_fact_checks 124" in text


def test_health_counts_what_can_be_found(client):
    assert client.get("/v1/health").json() == {"status": "ok", "fact_checks": 124, "waiting": 0}


def test_every_example_in_the_description_is_a_request_that_works(client):
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert client.post("/v1/match", json=schemas["MatchBody"]["examples"][0]).status_code == 200
    assert client.post("/v1/match/batch", json=schemas["BatchBody"]["examples"][0]).status_code == 200


def test_a_month_that_is_none_is_refused_in_an_address_too(client):
    answer = client.get("/v1/fact-checks", params={"after": "2021-13"})
    assert answer.status_code == 422
    assert "wanted a date such as 2020-05-17, 2020-05 or 2020, not '2021-13'" in answer.json()["detail"]


def test_a_claim_too_long_for_an_address_is_answered_with_its_filters(client):
    long = "Las abejas y Einstein. " * 400
    answer = client.post("/", data={"claim": long, "lang": "es"}, headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert "demo-world-es-einstein-abejas" in answer.text
    assert 'lang="en"' not in answer.text.partition("<main")[2]
    wrong = client.post("/", data={"claim": long, "after": "soon"}, headers={"accept": "text/html"})
    assert (wrong.status_code, "is no date" in wrong.text) == (422, True)


def test_an_empty_folder_is_served_and_says_how_to_fill_it(tmp_path):
    with serving(tmp_path / "new") as client:
        assert client.get("/v1/health").json()["fact_checks"] == 0
        assert client.post("/v1/match", json={"text": "anything"}).json()["matches"] == []
        assert "fill it with the demo in one click" in client.get("/", headers={"accept": "text/html"}).text
        assert str(tmp_path) not in client.get("/collection", headers={"accept": "text/html"}).text
