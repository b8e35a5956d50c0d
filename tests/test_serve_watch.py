"""The watch list: what came up is told once in feeds, at least once to webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.etree import ElementTree

import pytest
from serving import copied, new_key, serving

GIRAFFE = "A giraffe was elected mayor of Nowhereville"
CHECK = {
    "claim": "A giraffe was elected mayor of Nowhereville.",
    "rating": "Wrong <b>",
    "publisher": "Desk",
    "url": "https://desk.example/1",
}


class Receiver:
    """A webhook on loopback that refuses the first calls and takes the later ones; it takes the one that tries it and does not count it."""

    def __init__(self, *, refusals: int = 0) -> None:
        receiver = self
        self.tries = 0
        self.calls: list[tuple[dict[str, str], bytes]] = []

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                is_try = self.headers["X-Twicetold-Delivery"] == "test"
                receiver.tries += is_try
                if not is_try:
                    receiver.calls.append(({name.lower(): text for name, text in self.headers.items()}, body))
                self.send_response(503 if not is_try and len(receiver.calls) <= refusals else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
        self.address = f"http://127.0.0.1:{self._server.server_port}/hook?a=1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def folder(demo_folder, tmp_path):
    return copied(demo_folder, tmp_path / "demo")


def news(client, *, count, seconds=180.0):
    until = time.monotonic() + seconds
    key = new_key(client, "read")
    while len(items := client.get("/v1/feed.json", headers=key).json()["items"]) < count and time.monotonic() < until:
        time.sleep(0.2)
    return items


def until_true(test, seconds=180.0):
    until = time.monotonic() + seconds
    while not test() and time.monotonic() < until:
        time.sleep(0.1)
    assert test()


def test_a_fact_check_that_comes_to_answer_a_watched_claim_is_news_once(folder):
    with serving(folder) as client:
        key = new_key(client)
        made = client.post("/v1/watches", json={"text": GIRAFFE}, headers=key)
        assert (made.status_code, made.json()["secret"]) == (201, "")
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        [entry] = news(client, count=1)
        assert entry["title"] == "Wrong : A giraffe was elected mayor of Nowhereville."
        assert entry["external_url"] == "https://desk.example/1"
        client.put("/v1/fact-checks/giraffe", json={**CHECK, "rating": "Still wrong"}, headers=key)
        client.put("/v1/fact-checks/zebra", json={"claim": "A zebra was elected mayor of Nowhereville."}, headers=key)
        items = news(client, count=2, seconds=90)
        assert [item["id"] for item in items].count(entry["id"]) == 1
        rss = ElementTree.fromstring(client.get("/v1/feed.rss", headers=key).content)
        assert [item.findtext("guid") for item in rss.iter("item")] == [item["id"] for item in items]


def test_what_answered_a_claim_before_it_was_watched_is_no_news(folder):
    with serving(folder) as client:
        client.post(
            "/v1/watches", json={"text": "Eating raw garlic prevents or cures infection with the coronavirus."}, headers=new_key(client)
        )
        client.app.state.service.watcher.look()
        assert client.get("/v1/feed.json", headers=new_key(client)).json()["items"] == []


def test_a_webhook_is_called_until_it_answers_with_a_signed_body_and_one_id(folder, monkeypatch):
    monkeypatch.setattr("twicetold.serve.watches._FIRST_PAUSE", 0.1)
    with Receiver(refusals=2) as receiver, serving(folder, allow_private=True) as client:
        key = new_key(client)
        made = client.post("/v1/watches", json={"text": GIRAFFE, "webhook": receiver.address}, headers=key).json()
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        until_true(lambda: len(receiver.calls) >= 3)
        time.sleep(2.5)  # long enough for a fourth call, if one were to come
        assert len(receiver.calls) == 3
        ids = {headers["x-twicetold-delivery"] for headers, _ in receiver.calls}
        headers, body = receiver.calls[-1]
        assert ids == {json.loads(body)["id"]}
        assert json.loads(body)["match"]["doc"]["id"] == "giraffe"
        expected = hmac.new(made["secret"].encode(), body, hashlib.sha256).hexdigest()
        assert headers["x-twicetold-signature"] == f"sha256={expected}"


def test_a_webhook_in_a_private_network_is_refused_when_it_is_saved(folder):
    with Receiver() as receiver, serving(folder) as client:
        answer = client.post("/v1/watches", json={"text": GIRAFFE, "webhook": receiver.address}, headers=new_key(client))
        assert answer.status_code == 422
        assert "public internet" in answer.json()["detail"]
        assert client.app.state.service.watches.every() == []
        assert (receiver.calls, receiver.tries) == ([], 0)


def test_a_webhook_in_a_private_network_is_not_called_however_it_came_to_be_saved(folder):
    with Receiver() as receiver, serving(folder) as client:
        key = new_key(client)
        client.app.state.service.watches.add(GIRAFFE, webhook=receiver.address, secret="s")
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        news(client, count=1)
        until_true(lambda: client.app.state.service.watches.news(1)[0].tries > 0)
        assert "public internet" in client.app.state.service.watches.news(1)[0].message
        assert (receiver.calls, receiver.tries) == ([], 0)
        [watch] = client.get("/v1/watches", headers=key).json()["watches"]
        assert "webhook could not be called" in watch["broken"]


def test_a_webhook_that_does_not_take_the_call_that_tries_it_is_not_saved(folder):
    with Receiver() as gone:
        address = gone.address
    with serving(folder, allow_private=True) as client:
        answer = client.post("/v1/watches", json={"text": GIRAFFE, "webhook": address}, headers=new_key(client))
        assert answer.status_code == 422
        assert "cannot be called" in answer.json()["detail"]
        assert client.app.state.service.watches.every() == []


def test_the_news_that_a_server_died_on_are_told_by_the_next_one(folder):
    with serving(folder) as client:
        key = new_key(client)
        service = client.app.state.service
        service.watcher.stop()
        with Receiver() as gone:
            service.watches.add(GIRAFFE, webhook=gone.address, secret="s")
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        until_true(lambda: client.get("/v1/health").json()["waiting"] == 0)
    with serving(folder, allow_private=True) as client:
        news(client, count=1)
        until_true(lambda: client.app.state.service.watches.news(1)[0].tries > 0)


HOSTILE_HOOKS = [
    "https://newsroom.example/hök",
    "https://neẅsroom.example/x",
    "http://[",
    "https://newsroom.example/\ud800",
    "http://a.example:99999/",
]


@pytest.mark.parametrize("webhook", HOSTILE_HOOKS)
def test_no_saved_webhook_ends_the_watcher(folder, webhook):
    with Receiver() as receiver, serving(folder, allow_private=True) as client:
        key = new_key(client)
        service = client.app.state.service
        service.watches.add(GIRAFFE, webhook=webhook.encode("utf-8", "replace").decode(), secret="s")
        service.watches.add(GIRAFFE, webhook=receiver.address, secret="s")
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        until_true(lambda: len(receiver.calls) == 1)
        until_true(lambda: service.watches.every()[0].broken != "")
        assert service.watches.every()[1].broken == ""
        assert service.watcher.is_alive


def test_a_ledger_that_fails_for_a_while_does_not_end_the_watcher(folder, monkeypatch, caplog):
    monkeypatch.setattr("twicetold.serve.watcher._AFTER_FAILURE", 0.2)
    with serving(folder) as client:
        service = client.app.state.service
        with sqlite3.connect(folder / "serve.db") as db:
            db.execute("ALTER TABLE watches RENAME TO elsewhere")
        service.watcher.changed()
        until_true(lambda: "watching failed" in caplog.text)
        with sqlite3.connect(folder / "serve.db") as db:
            db.execute("ALTER TABLE elsewhere RENAME TO watches")
        key = new_key(client)
        client.post("/v1/watches", json={"text": GIRAFFE}, headers=key)
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        assert len(news(client, count=1)) == 1


def test_claims_that_cannot_be_looked_up_are_marked_until_they_can_again(folder):
    with serving(folder) as client:
        service = client.app.state.service
        service.watches.add(GIRAFFE)
        (folder / "text").rename(folder / "elsewhere")
        (folder / "text").write_text("no folder")
        service.watcher.changed()
        until_true(lambda: "could not be looked up" in service.watches.every()[0].broken)
        (folder / "text").unlink()
        (folder / "elsewhere").rename(folder / "text")
        service.watcher.changed()
        until_true(lambda: service.watches.every()[0].broken == "")
        assert service.watcher.is_alive


def test_a_claim_with_a_damaged_letter_does_not_hide_the_others(folder):
    with serving(folder) as client:
        service = client.app.state.service
        service.watches.add(GIRAFFE)
        with sqlite3.connect(folder / "serve.db") as db:
            db.execute(
                "INSERT INTO watches (id, text, lang, webhook, secret, made_at) VALUES ('watch-0', CAST(x'ff' AS TEXT), '', '', '', '')"
            )
        service.watches.add(GIRAFFE)
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=new_key(client))
        assert len(news(client, count=2)) == 2


@pytest.mark.parametrize("text", ["   ", "\u200b", "\x00", "\n\t"])
def test_a_blank_claim_cannot_be_watched(folder, text):
    with serving(folder) as client:
        assert client.post("/v1/watches", json={"text": text}, headers=new_key(client)).status_code == 422
        own = {**new_key(client), "Origin": "http://127.0.0.1:8321"}
        assert client.post("/watch", data={"text": text}, headers=own).status_code == 422
        assert client.app.state.service.watches.every() == []


@pytest.mark.parametrize("path", ["/v1/watches", "/v1/feed.json", "/v1/feed.rss", "/watch"])
def test_what_is_watched_is_shown_to_key_holders_only(folder, path):
    with serving(folder) as client:
        client.app.state.service.watches.add(GIRAFFE, webhook="https://hooks.example.org/services/T0/token-17", secret="s")
        assert client.get(path).status_code == 401
        answer = client.get(path, headers=new_key(client, "read"))
        assert answer.status_code == 200
        assert "token-17" not in answer.text


def test_the_page_of_a_fact_check_names_watched_claims_to_key_holders_only(folder):
    with serving(folder) as client:
        service = client.app.state.service
        watch = service.watches.add("A whispered claim")
        check = client.get("/v1/fact-checks/demo-health-garlic-covid").json()
        with service.ledger.together() as db:
            db.execute(
                "INSERT INTO sightings (watch, check_id, seen_at, is_news, ranking) VALUES (?, ?, '', 1, '{}')", (watch.id, check["id"])
            )
        assert "whispered" not in client.get(f"/fact-checks/{check['id']}").text
        assert "whispered" in client.get(f"/fact-checks/{check['id']}", headers=new_key(client, "read")).text


@pytest.mark.parametrize("webhook", ["ftp://x.example/", "javascript:alert(1)", "nonsense", "http://", "http://[", "http://a:b@c.example/"])
def test_a_webhook_that_is_no_web_address_is_refused(folder, webhook):
    with serving(folder) as client:
        assert client.post("/v1/watches", json={"text": "x", "webhook": webhook}, headers=new_key(client)).status_code == 422


def test_feeds_hold_no_script_no_tag_and_no_link_but_web_links(folder):
    hostile = {**CHECK, "rating": "<img src=x onerror=alert(1)>\x9b2J", "title": "<script>alert(2)</script>", "url": "javascript:alert(3)"}
    with serving(folder) as client:
        key = new_key(client)
        client.post("/v1/watches", json={"text": GIRAFFE}, headers=key)
        client.put("/v1/fact-checks/giraffe", json=hostile, headers=key)
        [entry] = news(client, count=1)
        assert "external_url" not in entry
        assert not set("<>\x9b") & set(entry["title"] + entry["content_text"])
        rss = client.get("/v1/feed.rss", headers=key).content
        assert b"javascript" not in rss
        item = next(ElementTree.fromstring(rss).iter("item"))
        assert not set("<>") & set(item.findtext("title") + item.findtext("description"))


def test_a_forgotten_claim_is_gone_with_its_news(folder):
    with serving(folder) as client:
        key = new_key(client)
        id = client.post("/v1/watches", json={"text": GIRAFFE}, headers=key).json()["id"]
        assert [watch["id"] for watch in client.get("/v1/watches", headers=key).json()["watches"]] == [id]
        assert client.delete(f"/v1/watches/{id}", headers=key).status_code == 204
        assert client.get("/v1/watches", headers=key).json()["watches"] == []
        assert client.delete(f"/v1/watches/{id}", headers=key).status_code == 404
