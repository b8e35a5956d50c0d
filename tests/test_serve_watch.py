"""The watch list: what came up is told once in feeds, at least once to webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
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
    """A webhook on loopback that refuses the first calls and takes the later ones."""

    def __init__(self, *, refusals: int = 0) -> None:
        receiver = self
        self.calls: list[tuple[dict[str, str], bytes]] = []

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.append(({name.lower(): text for name, text in self.headers.items()}, body))
                self.send_response(503 if len(receiver.calls) <= refusals else 204)
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
    while len(items := client.get("/v1/feed.json").json()["items"]) < count and time.monotonic() < until:
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
        assert entry["title"] == "Wrong <b>: A giraffe was elected mayor of Nowhereville."
        assert entry["external_url"] == "https://desk.example/1"
        client.put("/v1/fact-checks/giraffe", json={**CHECK, "rating": "Still wrong"}, headers=key)
        client.put("/v1/fact-checks/zebra", json={"claim": "A zebra was elected mayor of Nowhereville."}, headers=key)
        items = news(client, count=2, seconds=90)
        assert [item["id"] for item in items].count(entry["id"]) == 1
        rss = ElementTree.fromstring(client.get("/v1/feed.rss").content)
        assert [item.findtext("guid") for item in rss.iter("item")] == [item["id"] for item in items]


def test_what_answered_a_claim_before_it_was_watched_is_no_news(folder):
    with serving(folder) as client:
        client.post(
            "/v1/watches", json={"text": "Eating raw garlic prevents or cures infection with the coronavirus."}, headers=new_key(client)
        )
        client.app.state.service.watcher.look()
        assert client.get("/v1/feed.json").json()["items"] == []


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


def test_a_webhook_in_a_private_network_is_never_called_unless_allowed(folder):
    with Receiver() as receiver, serving(folder) as client:
        key = new_key(client)
        client.post("/v1/watches", json={"text": GIRAFFE, "webhook": receiver.address}, headers=key)
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        news(client, count=1)
        until_true(lambda: client.app.state.service.watches.news(1)[0].tries > 0)
        assert "public internet" in client.app.state.service.watches.news(1)[0].message
        assert receiver.calls == []


def test_the_news_that_a_server_died_on_are_told_by_the_next_one(folder):
    with serving(folder) as client:
        key = new_key(client)
        service = client.app.state.service
        service.watcher.stop()
        with Receiver() as gone:
            address = gone.address
        client.post("/v1/watches", json={"text": GIRAFFE, "webhook": address}, headers=key)
        client.put("/v1/fact-checks/giraffe", json=CHECK, headers=key)
        until_true(lambda: client.get("/v1/health").json()["waiting"] == 0)
    with serving(folder, allow_private=True) as client:
        news(client, count=1)
        until_true(lambda: client.app.state.service.watches.news(1)[0].tries > 0)


@pytest.mark.parametrize("webhook", ["ftp://x.example/", "javascript:alert(1)", "nonsense", "http://"])
def test_a_webhook_that_is_no_web_address_is_refused(folder, webhook):
    with serving(folder) as client:
        assert client.post("/v1/watches", json={"text": "x", "webhook": webhook}, headers=new_key(client)).status_code == 422


def test_a_forgotten_claim_is_gone_with_its_news(folder):
    with serving(folder) as client:
        key = new_key(client)
        id = client.post("/v1/watches", json={"text": GIRAFFE}, headers=key).json()["id"]
        assert [watch["id"] for watch in client.get("/v1/watches").json()["watches"]] == [id]
        assert client.delete(f"/v1/watches/{id}", headers=key).status_code == 204
        assert client.get("/v1/watches").json()["watches"] == []
        assert client.delete(f"/v1/watches/{id}", headers=key).status_code == 404
