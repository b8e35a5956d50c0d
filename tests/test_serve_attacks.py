"""Attacks that once stopped a server or took it from everyone else: each is tried on a server that is a process of its own."""

from __future__ import annotations

import json
import socket
import threading
import time

import httpx
import pytest
from serving import Running, copied

CAPTIONS = b"WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.500\n%s\n"
LINE = "ANN: Volcanoes emit more carbon dioxide than all human activity, and garlic water cures the coronavirus.\n"
SOON = 30.0
"""Seconds; an attack that works holds its victims for longer, and a loaded machine does not."""


@pytest.fixture(scope="module")
def server(demo_folder, tmp_path_factory):
    with Running(copied(demo_folder, tmp_path_factory.mktemp("attacks") / "demo")) as server:
        yield server


def seconds(work) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def healthy(server) -> None:
    assert httpx.get(f"{server.address}/v1/health", timeout=SOON).status_code == 200


def dialled(server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=SOON * 2)


def drip(connection: socket.socket, *, seconds: float) -> None:
    for number in range(int(seconds * 5)):
        connection.sendall(b"X-%d: y\r\n" % number)
        time.sleep(0.2)


def is_cut(connection: socket.socket) -> bool:
    """True once the other side has closed the connection."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("sign", [b"<", b"<v.", b"{\\", b"1:"])
def test_a_caption_file_of_nothing_but_brackets_keeps_nobody_waiting(server, sign):
    told = {}

    def send() -> None:
        told["events"] = httpx.post(
            f"{server.address}/v1/scan", files={"file": ("a.vtt", CAPTIONS % (sign * (300_000 // len(sign))))}, timeout=SOON * 4
        ).text

    sending = threading.Thread(target=send)
    sending.start()
    for _ in range(5):
        healthy(server)
    sending.join()
    assert told["events"].startswith("event: ")


def test_a_cookie_of_escaped_quotes_is_read_in_no_time(server):
    cookie = 'a="' + '\\"' * 30_000 + '"'
    answer = {}
    taken = seconds(lambda: answer.update(got=httpx.get(f"{server.address}/v1/health", headers={"Cookie": cookie}, timeout=SOON * 4)))
    assert answer["got"].status_code in (200, 400, 431)
    assert taken < SOON


def stalled_scan(server) -> socket.socket:
    """A reader of a long answer who does not read it."""
    body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n' + (LINE * 4000).encode() + b"\r\n--x--\r\n"
    connection = dialled(server)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    head = (
        f"POST /v1/scan HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode() + body)
    return connection


def test_readers_of_a_scan_who_stop_reading_do_not_keep_others_from_theirs(server):
    stalled = [stalled_scan(server) for _ in range(3)]
    try:
        time.sleep(1)
        answer = httpx.post(f"{server.address}/v1/scan", data={"text": LINE}, timeout=SOON * 2)
        assert "event: end" in answer.text
        healthy(server)
    finally:
        for connection in stalled:
            connection.close()


def test_a_connection_that_never_sends_its_headers_is_closed(server):
    with dialled(server) as connection:
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert is_cut(connection)


def test_a_connection_that_sends_a_header_now_and_then_is_closed_all_the_same(server):
    with dialled(server) as connection:
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        with pytest.raises(OSError):  # noqa: PT011 - broken pipe or reset, as the kernel has it
            drip(connection, seconds=SOON)


def test_a_body_that_never_comes_is_not_waited_for(server):
    head = b"POST /v1/match HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    answer = b""
    with dialled(server) as connection:
        connection.sendall(head)
        while part := connection.recv(4096):
            answer += part
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()


def test_connections_that_nobody_uses_make_room_for_those_who_ask(demo_folder, tmp_path):
    """As many connections as the process may have descriptors for leave health and signing in reachable."""
    with Running(copied(demo_folder, tmp_path / "demo"), descriptors=128) as server:
        idle = [dialled(server) for _ in range(200)]
        try:
            healthy(server)
            assert httpx.get(f"{server.address}/sign-in", timeout=SOON).status_code == 200
        finally:
            for connection in idle:
                connection.close()


def test_a_batch_of_long_claims_lets_others_come_in_between(server):
    claims = [{"id": str(number), "text": f"{number} " + LINE * 150} for number in range(100)]
    ends = {}

    def batch() -> None:
        httpx.post(f"{server.address}/v1/match/batch", json={"claims": claims}, timeout=SOON * 10)
        ends["batch"] = time.monotonic()

    sending = threading.Thread(target=batch)
    sending.start()
    time.sleep(0.5)
    for _ in range(3):
        assert httpx.post(f"{server.address}/v1/match", json={"text": "garlic", "recipe": "hybrid"}, timeout=SOON * 4).status_code == 200
    ends["others"] = time.monotonic()
    healthy(server)
    sending.join()
    assert ends["others"] < ends["batch"]


def test_what_goes_on_after_its_time_is_up_is_stopped(demo_folder, tmp_path):
    claims = [{"id": str(number), "text": f"{number} " + LINE * 150} for number in range(100)]
    with Running(copied(demo_folder, tmp_path / "demo"), "--seconds", "0.1") as server:
        # 0.1 seconds and one more for each of the other 3: then nothing of the rest is begun.
        answer = httpx.post(f"{server.address}/v1/match/batch", json={"claims": claims[:4], "recipe": "mtm"}, timeout=SOON * 4)
        assert answer.status_code == 504
        assert json.loads(answer.content)["type"] == "/problems#too-slow"
        until = time.monotonic() + SOON
        while httpx.post(f"{server.address}/v1/match", json={"text": "garlic", "recipe": "bm25"}, timeout=SOON).status_code != 200:
            assert time.monotonic() < until
