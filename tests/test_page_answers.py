"""What the page says of a claim, its filters and what people said, asked without a browser."""

from __future__ import annotations

import html
import re

import pytest
from serving import copied, finished, new_key, serving

GARLIC = "Garlic water cures the coronavirus"


@pytest.fixture(scope="module")
def client(demo_folder, tmp_path_factory):
    with serving(copied(demo_folder, tmp_path_factory.mktemp("answers") / "demo")) as client:
        yield client


def get(client, path: str = "/", **params) -> str:
    return html.unescape(client.get(path, params=params, headers={"Accept": "text/html"}).text)


def heading(page: str) -> str:
    [found] = re.findall(r'<h1 id="answer"[^>]*>(.*?)</h1>', page)
    return found


def test_the_answer_is_the_headline_of_the_page(client):
    page = get(client, claim="Eating raw garlic prevents or cures infection with the coronavirus", closer="true")
    assert heading(page) == "Checked before: rated False by Demo Health Desk (demo), 6 March 2020"
    assert page.count("<h1") == 1


def test_nothing_found_says_in_how_many_and_keeps_the_nearest_in_a_fold(client):
    page = get(client, claim="My aunt's parrot won the chess club's autumn raffle", closer="true")
    above, _, fold = page.partition('<details class="more">')
    assert heading(page) == "Nothing found in 124 fact-checks"
    assert "none answers the claim" in above
    assert 'class="card' not in above
    assert "less likely, probably unrelated" in fold


def test_after_an_answer_the_form_is_small(client):
    assert 'class="ask small"' in get(client, claim=GARLIC)
    assert 'class="ask"' in get(client)


def test_a_match_that_the_filters_hide_is_told(client):
    page = get(client, "/refined", claim="Eating raw garlic prevents or cures infection with the coronavirus", lang="es")
    assert "1 match hidden by filters: False, Demo Health Desk (demo)." in page


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"after": "2020-13"}, "“2020-13” is no date; write a day, a month or a year, such as 2020-05-17, 2020-05 or 2020."),
        ({"publisher": "The Daily Nothing"}, "No fact-check here is by “The Daily Nothing”; choose a publisher of the list."),
        ({"verdict": "wrongish"}, "“wrongish” cannot be filtered by; choose one of the list."),
    ],
)
def test_a_filter_that_cannot_be_used_is_said_and_the_claim_kept(client, given, said):
    answer = client.get("/", params={"claim": GARLIC, **given}, headers={"Accept": "text/html"})
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    assert said in page
    assert f">{GARLIC}</textarea>" in page


def test_a_claim_that_is_too_long_is_kept_and_the_limit_said(client):
    answer = client.post("/", data={"claim": "word " * 5000}, headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert "keep its central sentences, 20,000 at most" in answer.text
    assert "word word word" in answer.text


def test_publishers_are_picked_from_what_the_collection_holds(client):
    page = get(client)
    [picker] = re.findall(r'<select id="publisher".*?</select>', page, re.S)
    assert "Demo Health Desk (demo)" in picker
    assert "satire" not in re.findall(r'<select id="verdict".*?</select>', page, re.S)[0].lower()


def test_every_repeated_control_names_its_card(client):
    page = client.get("/", params={"claim": GARLIC, "closer": "true"}, headers=new_key(client)).text
    cards = re.findall(r"<article.*?</article>", page, re.S)
    assert len(cards) > 1
    for card in cards:
        named = [re.search(r'aria-label="([^"]*)"', tag) for tag in re.findall(r"<(?:button|summary|a class)[^>]*>", card)]
        assert all(named)
    labels = re.findall(r'aria-label="([^"]*)"', "".join(cards))
    assert len(labels) == len(set(labels))


def test_what_was_said_of_a_check_moves_it_and_can_be_taken_back(client):
    key = new_key(client)
    claim = "Garlic soup in the evening cures every infection with the new coronavirus at once"

    def first() -> str:
        return client.get("/v1/match", params={"text": claim}).json()["matches"][0]["doc"]["id"]

    before = first()
    told = client.post("/judgements", data={"claim": claim, "check_id": before, "grade": 0}, headers={**key, "X-Part": "form"}).text
    assert "It goes last from now on, for this claim and near wordings." in told
    assert first() != before
    client.post("/judgements", data={"claim": claim, "check_id": before, "grade": -1}, headers=key)
    assert first() == before
    client.post("/v1/judgements", json={"claim": claim, "check_id": before, "grade": 0}, headers=key)
    assert first() != before
    gone = client.delete("/v1/judgements", params={"claim": claim, "check_id": before}, headers=key)
    assert gone.json() == {"taken_back": True}
    assert first() == before


def test_one_click_fills_an_empty_collection_with_the_demo(tmp_path):
    with serving(tmp_path / "empty") as client:
        key = new_key(client)
        assert "Fill it with the demo" in client.get("/", headers=key).text
        answer = client.post("/collection/demo", headers=key)
        assert answer.status_code == 303
        assert finished(client, answer.headers["location"].rsplit("/", 1)[-1], seconds=300)["added"] == 124
