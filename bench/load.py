"""A server to be measured, as a process of its own on loopback, and clients that ask it. Client and server share the processors."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.serve.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Times:
    """What clients saw: milliseconds, and how many answers a second."""

    answers: int
    errors: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    a_second: float

    @classmethod
    def of(cls, seconds: Sequence[float], errors: int, elapsed: float) -> Times:
        """Sum up single times; of none, every time is 0."""
        ordered = sorted(seconds) or [0.0]
        p50, p95, p99 = (round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) for share in (0.5, 0.95, 0.99))
        return cls(len(seconds), errors, p50, p95, p99, round(len(seconds) / elapsed, 1))


class Server:
    """`twicetold serve` on a folder it may write to. `first_answer` is the seconds from its start to the answer to a first claim."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = folder.parent / f"serve-{self.port}.log"
        command = [sys.executable, "-m", "twicetold.cli", "--data", str(folder), "serve", "--port", str(self.port), "--rate", "0", *options]
        started = time.perf_counter()
        with self._log.open("w") as log:
            self._process = subprocess.Popen(command, stderr=log)
        self._wait()
        self.first_answer = time.perf_counter() - started

    def _wait(self) -> None:
        while True:
            try:
                self.post("/v1/match", json.dumps({"text": "a first question", "recipe": "hybrid"}).encode(), "application/json")
                return
            except OSError:
                if self._process.poll() is not None:
                    raise SystemExit(self._log.read_text()) from None
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @cached_property
    def key(self) -> str:
        """A key that may write."""
        ledger = Ledger(self.folder)
        try:
            return Keys(ledger).new(f"bench {time.time_ns()}", "write")
        finally:
            ledger.close()

    @property
    def code(self) -> str:
        """A code that signs a browser in once, as the printed link holds one."""
        ledger = Ledger(self.folder)
        try:
            keys = Keys(ledger)
            found = keys.find(self.key)
            assert found is not None
            return Sessions(ledger, keys).code(found)
        finally:
            ledger.close()

    def get(self, path: str) -> Any:
        """The JSON at a path."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def post(self, path: str, body: bytes, kind: str) -> Any:
        """The JSON that answers a body, sent with the key."""
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {self.key}"} if "multipart" in kind else {})
        with urllib.request.urlopen(urllib.request.Request(self.address + path, body, headers)) as answer:
            return json.load(answer)

    def upload(self, records: Sequence[dict[str, Any]]) -> str:
        """Hand in records as JSON Lines; return the id of their import."""
        lines = "\n".join(map(json.dumps, records)).encode()
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="bench.jsonl"\r\n\r\n'
        return str(self.post("/v1/imports", head + lines + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")["id"])

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self._process.terminate()
        self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.stop()
        self._log.unlink(missing_ok=True)


class Clients:
    """So many clients, each with a connection that stays open, asking one claim after another."""

    def __init__(self, server: Server, claims: Sequence[str], *, count: int, recipe: str = "hybrid") -> None:
        self._server = server
        self._requests = [_request(text, recipe) for text in claims]
        self._count = count

    def ask(self, seconds: float, *, until_over: str = "") -> Times:
        """Ask for so long, or, with the id of an import, until that is over."""
        return asyncio.run(self._ask(seconds, until_over))

    async def _ask(self, seconds: float, job: str) -> Times:
        started = time.perf_counter()
        self._until = started + seconds
        self._times: list[float] = []
        self._errors = 0
        watching = [self._stop_with(job)] if job else []
        await asyncio.gather(*(self._client(number) for number in range(self._count)), *watching)
        return Times.of(self._times, self._errors, time.perf_counter() - started)

    async def _client(self, at: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        while (sent := time.perf_counter()) < self._until:
            writer.write(self._requests[at % len(self._requests)])
            self._errors += await _status(reader) != 200
            self._times.append(time.perf_counter() - sent)
            at += self._count
        writer.close()

    async def _stop_with(self, job: str) -> None:
        while time.perf_counter() < self._until:
            await asyncio.sleep(0.5)
            if (await asyncio.to_thread(self._server.get, f"/v1/imports/{job}"))["state"] in ("done", "failed"):
                self._until = 0.0


def _request(text: str, recipe: str) -> bytes:
    body = json.dumps({"text": text, "recipe": recipe}).encode()
    head = f"POST /v1/match HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _status(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    [length] = re.findall(rb"content-length: (\d+)", head.lower())
    await reader.readexactly(int(length))
    return int(head[9:12])
