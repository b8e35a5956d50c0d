"""The API as programs want it: short answers, chosen members, plain texts, JSON speeches, Google's clients, our own client."""

from __future__ import annotations

import html
import json

import pytest
from serving import Running, copied, new_key, serving

import twicetold
from twicetold.filters import Filters
from twicetold.serve.masks import masked, parse
from twicetold.serve.problems import Problem

GARLIC = "Eating raw garlic prevents or cures infection with the coronavirus"


@pytest.fixture(scope="module")
def client(demo_folder, tmp_path_factory):
    with serving(copied(demo_folder, tmp_path_factory.mktemp("forms") / "demo")) as client:
        yield client


def test_only_the_members_wanted_are_sent(client):
    told = client.get("/v1/match", params={"text": GARLIC, "fields": "decision/lane,matches(doc(id,rating))", "top": 1}).json()
    assert told == {"decision": {"lane": "matched"}, "matches": [{"doc": {"id": "demo-health-garlic-covid", "rating": "False"}}]}


def test_a_short_answer_says_it_in_a_line(client):
    told = client.post("/v1/match", params={"compact": "true"}, json={"text": GARLIC}).json()
    assert told["answer"].startswith("Checked before: rated False")
    assert len(json.dumps(told)) < 6000


def test_a_batch_takes_plain_texts(client):
    told = client.post("/v1/match/batch", json={"claims": [GARLIC, {"id": "x", "text": "5G spreads viruses"}]}).json()
    assert [ranking["query"]["id"] for ranking in told["rankings"]] == ["c1", "x"]


def test_a_speech_may_come_as_json(client):
    answer = client.post("/v1/scan", json={"text": "ANNA: Volcanoes emit more carbon dioxide than all human activity."})
    assert "event: end" in answer.text
    assert client.post("/v1/scan", json={"words": "x"}).status_code == 422


@pytest.mark.parametrize("wrong", ["a(b", "a)", "a,,b", "a/", "a b", "(", "a" * 3000])
def test_a_mask_that_cannot_be_read_is_refused(wrong):
    with pytest.raises(Problem, match="fields"):
        parse(wrong)


def test_a_mask_keeps_what_it_names():
    value = {"a": [{"b": 1, "c": 2}], "d": {"e": 3, "f": 4}, "g": 5}
    assert masked(value, parse("a/b,d(f)")) == {"a": [{"b": 1}], "d": {"f": 4}}
    assert masked(value, parse("*")) == value


# --- Google's layout


def search(client, **params):
    return client.get("/v1alpha1/claims:search", params=params)


def test_pages_neither_lose_nor_repeat_a_claim(client):
    seen, token = [], ""
    while True:
        told = search(client, query="the virus and the vaccine", pageSize=3, pageToken=token).json()
        seen += [claim["claimReview"][0]["url"] + claim["text"] for claim in told.get("claims", [])]
        token = told.get("nextPageToken", "")
        if not token:
            break
    whole = search(client, query="the virus and the vaccine", pageSize=100).json()["claims"]
    assert len(seen) == len(set(seen))
    assert set(seen) == {claim["claimReview"][0]["url"] + claim["text"] for claim in whole}


def test_of_nonsense_nothing_is_found(client):
    assert search(client, query="zzzqqqx wwwvvv").json() == {}


def test_a_site_is_named_without_www(client):
    told = search(client, query=GARLIC, reviewPublisherSiteFilter="who.int", fields="claims/claimReview/publisher/site").json()
    assert told["claims"][0]["claimReview"][0]["publisher"]["site"] == "who.int"
    assert search(client, query=GARLIC, reviewPublisherSiteFilter="www.who.int").json()["claims"]


def test_errors_have_googles_shape(client):
    answer = search(client)
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


# --- browsing


def test_the_store_is_browsed_by_words_filters_and_date(demo):
    found = demo.store.browse(Filters(langs=("en",)), ["garlic"])
    assert [check.id for check in found.checks] == ["demo-health-garlic-covid"]
    pages = [check.id for start in range(0, 124, 25) for check in demo.store.browse(Filters(), start=start).checks]
    assert len(set(pages)) == len(pages) == demo.store.browse(Filters()).total == 124
    dates = [check.published for check in demo.store.browse(Filters(), count=124).checks]
    assert dates == sorted(dates, reverse=True)
    assert demo.store.browse(Filters(), ["100%_"]).total == 0


def test_the_collection_is_browsed_on_the_page_and_its_bars_lead_there(client):
    told = html.unescape(client.get("/collection").text)
    assert 'href="/collection/checks?lang=es"' in told
    page = html.unescape(client.get("/collection/checks", params={"lang": "en", "words": "garlic"}).text)
    assert "Eating raw garlic" in page
    assert "of 124 fact-checks" in page
    empty = client.get("/collection/checks", params={"words": "nothing-like-this"}).text
    assert "No fact-check here has these words" in empty


# --- our own client


@pytest.mark.slow
def test_the_client_gives_the_same_rankings_as_the_library(demo_folder, tmp_path):
    folder = copied(demo_folder, tmp_path / "demo")
    with Running(folder) as server:
        client = twicetold.Client(server.address, key=server.key)
        assert client.match(GARLIC).matches[0].doc.id == twicetold.match(GARLIC, folder).matches[0].doc.id
        assert len(client.match([GARLIC, "5G spreads viruses"], top=1)) == 2
        assert client.get("demo-health-garlic-covid").rating == "False"
        client.judge(GARLIC, "demo-health-garlic-covid", answers=False)
        assert client.match(GARLIC).matches[0].doc.id != "demo-health-garlic-covid"
        with pytest.raises(twicetold.TwicetoldError, match="no fact-check has the id"):
            client.get("nobody")


def test_a_server_that_is_not_there_is_said_in_a_sentence():
    with pytest.raises(twicetold.TwicetoldError, match="does not answer"):
        twicetold.Client("http://127.0.0.1:9").stats()


def test_a_write_key_is_needed_to_take_back_a_word(client):
    assert client.delete("/v1/judgements", params={"claim": "x", "check_id": "y"}).status_code == 401
    assert client.delete("/v1/judgements", params={"claim": "x", "check_id": "y"}, headers=new_key(client)).json() == {"taken_back": False}
