"""Imports through the server: followed, failing half-way, killed and resumed, while others read."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import threading
import time
from contextlib import suppress

import pytest
from serving import Running, copied, finished, new_key, serving

from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.serve.fetch import anywhere, fetch, is_public
from twicetold.serve.jobs import Jobs
from twicetold.serve.ledger import Ledger


def record(number: int) -> dict:
    return {"id": f"r{number}", "claim": f"Town number {number} has {number} bridges and no river.", "rating": "False", "lang": "en"}


def lines(*records: dict | str) -> bytes:
    return "".join((json.dumps(one) if isinstance(one, dict) else one) + "\n" for one in records).encode()


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path / "new") as client:
        yield client


def start(client, name, content, **form):
    answer = client.post("/v1/imports", files={"file": (name, content)}, data=form, headers=new_key(client))
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/v1/imports/{answer.json()['id']}"
    return answer.json()["id"]


def test_an_uploaded_table_can_be_matched_once_its_import_is_done(client):
    job = finished(client, start(client, "checks.jsonl", lines(*map(record, range(20)))))
    assert (job["state"], job["read"], job["added"], job["broken"]) == ("done", 20, 20, 0)
    until = time.monotonic() + 20
    while not (found := client.post("/v1/match", json={"text": "town number 7 bridges"}).json()["matches"]) and time.monotonic() < until:
        time.sleep(0.1)
    assert found[0]["doc"]["id"] == "r7"


def test_importing_the_same_again_changes_nothing(client):
    finished(client, start(client, "checks.jsonl", lines(*map(record, range(5)))))
    job = finished(client, start(client, "checks.jsonl", lines(*map(record, range(5)))))
    assert (job["added"], job["changed"], job["unchanged"]) == (0, 0, 5)


def test_broken_records_are_left_out_and_listed_with_their_reasons(client):
    content = lines(record(1), "{not json", record(2), {"rating": "False"}, record(3))
    id = start(client, "checks.jsonl", content, skip_broken="true")
    job = finished(client, id)
    assert (job["state"], job["added"], job["broken"]) == ("done", 3, 2)
    first = client.get(f"/v1/imports/{id}/problems", params={"limit": 1}).json()
    second = client.get(f"/v1/imports/{id}/problems", params={"limit": 1, "cursor": first["next"]}).json()
    assert first["problems"][0]["place"].startswith("checks.jsonl")
    assert "2" in first["problems"][0]["place"]
    assert "4" in second["problems"][0]["place"]
    assert second["next"] == ""


def test_an_import_that_fails_half_way_says_where_and_keeps_what_came_before(client):
    packed = gzip.compress(lines(*map(record, range(3000))))
    job = finished(client, start(client, "checks.jsonl.gz", packed[: len(packed) // 2]))
    assert job["state"] == "failed"
    assert "checks.jsonl.gz" in job["message"]
    assert "kept" in job["message"]
    assert 0 < job["read"] < 3000
    assert client.get("/v1/health").json()["fact_checks"] == job["read"]


def test_a_list_cut_off_in_its_third_record_gives_the_two_before_it_and_the_message_speaks_to_who_sent_it(client):
    cut = json.dumps([record(1), record(2), record(3)])[:-20].encode()
    job = finished(client, start(client, "checks.json", cut))
    assert (job["state"], job["read"]) == ("failed", 2)
    assert client.get("/v1/health").json()["fact_checks"] == 2
    assert "record 3: is cut off" in job["message"]
    assert "the 2 records before it are kept" in job["message"]
    assert "leave out records that cannot be read (skip_broken)" in job["message"]
    assert "--" not in job["message"]


def test_a_message_never_names_the_folder_of_the_server(client, tmp_path):
    job = finished(client, start(client, "../../etc/strange name.txt", b"no fact-checks in here"))
    assert job["state"] == "failed"
    assert str(tmp_path) not in json.dumps(job)
    assert job["source"] == "strange name.txt"


def test_an_empty_upload_and_none_at_all_are_refused(client):
    headers = new_key(client)
    assert client.post("/v1/imports", files={"file": ("a.csv", b"")}, headers=headers).status_code == 422
    assert client.post("/v1/imports", data={"format": "csv"}, headers=headers).status_code == 422


def test_links_are_not_fetched_unless_enabled(client):
    answer = client.post("/v1/imports", data={"url": "https://example.org/feed.json"}, headers=new_key(client))
    assert (answer.status_code, answer.json()["type"]) == (501, "/problems#not-enabled")


def test_a_link_into_a_private_network_is_not_fetched(tmp_path):
    with serving(tmp_path / "new", fetch_links=True) as client:
        answer = client.post("/v1/imports", data={"url": "http://127.0.0.1/feed.json"}, headers=new_key(client))
    assert answer.status_code == 422
    assert "public internet" in answer.json()["detail"]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/", "http://[::1]/", "http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data", "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/", "http://2130706433/", "ftp://example.org/", "file:///etc/passwd",
        "https://user:pass@example.org/", "http://93.184.216.34:8080/", "not a link", "http://", "http://example.org:port/", "http://[",
        "http://[::127.0.0.1]/", "http://[fec0::1]/", "http://[64:ff9b:1::7f00:1]/", "http://example.org:0/", "http://exa\nmple.org/",
    ],
)  # fmt: skip
def test_what_is_not_a_public_web_link_is_refused_before_anything_is_sent(url):
    with pytest.raises(BadInput):
        fetch(url, most_bytes=1000)


@pytest.mark.parametrize(
    ("address", "expected"),
    [("8.8.8.8", True), ("2606:4700::1111", True), ("::ffff:10.0.0.1", False), ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False),
     ("100.64.0.1", False), ("224.0.0.1", False), ("192.0.2.1", False), ("::127.0.0.1", False), ("::8.8.8.8", False), ("fec0::1", False),
     ("64:ff9b:1::7f00:1", False), ("64:ff9b:1::808:808", False), ("64:ff9b::808:808", True), ("2001:db8::1", False), ("fc00::1", False),
     ("2606:4700::5efe:a00:1", False), ("ff02::1", False), ("240.0.0.1", False)],
)  # fmt: skip
def test_an_address_wrapped_in_another_counts_as_what_it_wraps(address, expected):
    assert is_public(address) is expected


class Site:
    """A small web site on loopback that answers as it is told."""

    def __init__(self, answers: dict[str, tuple[int, dict[str, str], bytes]]) -> None:
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, headers, body = answers[self.path]
                self.send_response(status)
                for name, text in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_a_link_is_imported_over_its_redirects_where_that_is_allowed(tmp_path):
    answers = {"/old": (302, {"Location": "/feed.jsonl"}, b""), "/feed.jsonl": (200, {}, lines(record(1), record(2)))}
    with Site(answers) as site, serving(tmp_path / "new", fetch_links=True, allow_private=True) as client:
        started = client.post("/v1/imports", data={"url": f"{site.address}/old"}, headers=new_key(client)).json()
        assert finished(client, started["id"])["added"] == 2


def test_a_redirect_into_a_private_network_is_not_followed():
    with Site({"/": (302, {"Location": "http://10.1.2.3/"}, b"")}) as site, pytest.raises(BadInput, match=r"10\.1\.2\.3"):
        fetch(site.address + "/", most_bytes=1000, may_reach=lambda address, _: address == "127.0.0.1")


def test_an_upload_outlives_a_move_of_the_folder_before_its_import(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    Collection.create(before).close()
    ledger = Ledger(before)
    jobs = Jobs(ledger, before)
    id, path = jobs.new_place("checks.jsonl")
    path.write_bytes(lines(*map(record, range(5))))
    jobs.add(id, path, source="checks.jsonl")
    ledger.close()
    before.rename(after)
    with serving(after) as client:
        job = finished(client, id)
        assert (job["state"], job["added"]) == ("done", 5)


def test_a_link_that_gives_too_much_is_cut_off():
    with Site({"/": (200, {}, b"x" * 5000)}) as site, pytest.raises(BadInput, match="more than"):
        fetch(site.address + "/", most_bytes=1000, may_reach=anywhere)


@pytest.mark.slow
def test_killing_the_server_during_an_import_loses_nothing_and_the_import_goes_on(tmp_path):
    folder = tmp_path / "new"
    content = lines(*map(record, range(6000)))
    with Running(folder) as server:
        headers = {"Authorization": f"Bearer {server.key}"}
        id = server.client.post("/v1/imports", files={"file": ("a.jsonl", content)}, headers=headers).json()["id"]
        while (job := server.client.get(f"/v1/imports/{id}").json())["read"] < 2000:
            time.sleep(0.05)
        server.kill()
    with Collection.open(folder) as collection:
        assert len(collection.store) >= job["read"]
    with Running(folder) as server:
        done = finished(server.client, id, seconds=500)
        assert (done["state"], done["read"]) == ("done", 6000)
        assert done["added"] + done["unchanged"] == 6000
        assert done["resumed"] >= 1
        until = time.monotonic() + 60
        while server.client.get("/v1/health").json()["waiting"] and time.monotonic() < until:
            time.sleep(0.2)  # readers see the finished index at their next look
        assert server.client.get("/v1/health").json() == {"status": "ok", "fact_checks": 6000, "waiting": 0}


@pytest.mark.slow
def test_readers_are_answered_without_error_while_an_import_writes(demo_folder, tmp_path):
    folder = copied(demo_folder, tmp_path / "demo")
    with Running(folder) as server:
        headers = {"Authorization": f"Bearer {server.key}"}
        id = server.client.post("/v1/imports", files={"file": ("a.jsonl", lines(*map(record, range(3000))))}, headers=headers).json()["id"]
        asked = 0
        while server.client.get(f"/v1/imports/{id}").json()["state"] not in ("done", "failed"):
            answer = server.client.post("/v1/match", json={"text": "garlic cures the coronavirus", "top": 1})
            assert answer.json()["matches"][0]["doc"]["id"] == "demo-health-garlic-covid"
            asked += 1
        assert asked > 5
        assert server.client.get(f"/v1/imports/{id}").json()["added"] == 3000


def test_a_name_that_resolves_anew_between_check_and_use_leads_where_it_was_checked(monkeypatch):
    """DNS rebinding: the first answer is public, every later one is loopback. Only the first is ever asked for, and connected to."""
    asked, dialled = [], []

    def resolve(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34" if len(asked) == 1 else "127.0.0.1", port))]

    def dial(address, timeout=None):
        dialled.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", dial)
    with pytest.raises(BadInput, match="cannot be fetched"):
        fetch("http://rebinding.example/", most_bytes=1000)
    assert (asked, dialled) == (["rebinding.example"], ["93.184.216.34"])


@pytest.mark.parametrize("opening", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"])
def test_a_host_that_drips_is_cut_off_when_the_whole_has_taken_too_long(monkeypatch, opening):
    monkeypatch.setattr("twicetold.serve.fetch._WHOLE_SECONDS", 1.5)
    over = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(opening)
            while not over.wait(0.2):
                connection.sendall(b"X")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        dripping = threading.Thread(target=drip, args=(listening,))
        dripping.start()
        try:
            with pytest.raises(BadInput, match="took more than"):
                fetch(f"http://127.0.0.1:{listening.getsockname()[1]}/", most_bytes=1000_000, may_reach=anywhere)
        finally:
            over.set()
            dripping.join()


def test_a_worker_that_shows_nothing_for_too_long_is_ended_and_the_import_goes_on(client, monkeypatch):
    jobs = client.app.state.service.jobs
    id = start(client, "checks.jsonl", lines(*map(record, range(3000))))
    until = time.monotonic() + 60
    while client.get(f"/v1/imports/{id}").json()["state"] != "reading" and time.monotonic() < until:
        time.sleep(0.01)
    stuck = jobs._worker.pid
    os.kill(stuck, signal.SIGSTOP)  # as a parser that never comes back
    monkeypatch.setattr("twicetold.serve.jobs._LONGEST_SILENCE", 1.0)
    while jobs._worker is not None and jobs._worker.pid == stuck and time.monotonic() < until:
        time.sleep(0.1)
    monkeypatch.setattr("twicetold.serve.jobs._LONGEST_SILENCE", 900.0)
    job = finished(client, id, seconds=240)
    assert (job["state"], job["read"]) == ("done", 3000)
