"""Kills of a running server, of its import worker, or of both, while others import, write and read; and while it starts."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.faults.judging import CHECKS, CLAIMS, Judge, Point, emptied, moments
from bench.load import Server
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import EncoderChoice
from twicetold.serve.jobs import LOCK

SECONDS = 3.0
"""Of imports, writes and reads, over which the kills are spread."""
STARTING = 1.5
GENERATION = 8
"""Points on one folder, each going on where the last kill left it; then a new one."""
TARGETS = ("server", "both", "worker", "starting")
PATIENCE = 180
"""Seconds for an import to be taken up again and to end; the machine may have other things to do."""


@dataclass
class Folder:
    """A collection that is served, and what its server has acknowledged."""

    path: Path
    encoder: str
    deletes: bool
    acknowledged: dict[str, str | None] = field(default_factory=dict)
    jobs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    written: int = 0

    def fill(self, seed: int) -> Folder:
        """Begin with a few fact-checks."""
        chosen = random.Random(seed).sample(CHECKS, 15)
        with Collection.create(self.path, Settings(EncoderChoice.parse(self.encoder))) as collection:
            list(collection.add(chosen))
            collection.index()
        self.acknowledged |= {check.id: check.claim for check in chosen}
        return self

    def imported(self, job: str, read: int) -> None:
        """Note that an import has told of so many records."""
        self.acknowledged |= {record["id"]: record["claim"] for record in self.jobs[job][:read] if record["id"] not in self.deleted}

    def fresh(self) -> dict[str, Any]:
        """A fact-check not yet there."""
        self.written += 1
        like = CHECKS[self.written % len(CHECKS)]
        return {"id": f"w{self.written}", "claim": f"{like.claim} As heard {self.written} times.", "title": like.title, "lang": "en"}


def kill_serve(points: int, seed: int, judge: Judge) -> Iterator[Point]:
    """Kill at so many random moments."""
    rng = random.Random(f"serve {seed}")
    uniform = [rng.random() for _ in range(points)]
    shares = moments(points, 1.0, uniform)
    rng.shuffle(shares)
    with TemporaryDirectory() as place:
        for number, share in enumerate(shares):
            generation, nth = divmod(number, GENERATION)
            if nth == 0:
                path = emptied(Path(place) / "served")
                folder = Folder(path, "" if generation % 3 == 2 else "none", deletes=generation % 2 == 1).fill(seed + generation)
            yield _one(folder, TARGETS[number % len(TARGETS)], share, judge)


def _one(folder: Folder, target: str, share: float, judge: Judge) -> Point:
    wrong: list[str] = []
    if target == "starting":
        moment = share * STARTING
        was_running = _kill_starting(folder.path, moment)
    else:
        moment = share * SECONDS
        with Server(folder.path) as server:
            visits = Visits(server, folder)
            visits.start()
            time.sleep(moment)
            was_running = _kill(server, target)
            visits.stop()
            wrong = visits.refused
            if target == "worker":
                wrong = wrong + _finish(server, folder)
    _wait_for_worker(folder.path)
    point = Point("serve", round(moment, 3), was_running, len(folder.acknowledged), wrong=wrong)
    return judge.look(folder.path, folder.acknowledged, point, is_exact=not folder.deletes)


def _kill_starting(folder: Path, moment: float) -> bool:
    command = [sys.executable, "-m", "twicetold.cli", "-q", "--data", str(folder), "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    was_running = process.poll() is None
    process.kill()
    process.wait()
    return was_running


def _kill(server: Server, target: str) -> bool:
    """Kill, and return whether there was something to kill."""
    workers = _workers(server.pid)
    if target in ("worker", "both"):
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
    if target != "worker":
        server.kill()
    return target != "worker" or bool(workers)


def _finish(server: Server, folder: Folder) -> list[str]:
    """A server that only lost its worker has to finish what it began; return what it did not."""
    until = time.monotonic() + PATIENCE
    for job in folder.jobs:
        while (told := server.get(f"/v1/imports/{job}"))["state"] not in ("done", "failed"):
            if time.monotonic() > until:
                return [f"an import whose worker was killed is not taken up again: {told}"]
            time.sleep(0.2)
        folder.imported(job, told["read"])
    return []


def _workers(server: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            command = path.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if parent == server and b"twicetold.serve.importer" in command:
            found.append(int(path.parent.name))
    return found


def _wait_for_worker(folder: Path) -> None:
    """A worker whose server has gone ends after its batch."""
    with open(folder / LOCK, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)


class Visits(threading.Thread):
    """Imports, writes, deletes and looks up, one after another, until the server is gone; notes what was acknowledged."""

    def __init__(self, server: Server, folder: Folder) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self._headers = {"Authorization": f"Bearer {server.key}", "Content-Type": "application/json"}
        self._rng = random.Random(folder.written)
        self._stopping = threading.Event()
        self.refused: list[str] = []

    def run(self) -> None:
        """Visit."""
        try:
            self._import()
            while not self._stopping.is_set():
                self._put()
                if self._folder.deletes and self._folder.written % 3 == 0:
                    self._forget()
                self._read()
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server is gone
        finally:
            self._connection.close()

    def stop(self) -> None:
        """Stop after the request at hand."""
        self._stopping.set()
        self.join()

    def _import(self) -> None:
        records = [self._folder.fresh() for _ in range(30)]
        lines = "\n".join(map(json.dumps, records)).encode()
        body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="kill.jsonl"\r\n\r\n' + lines + b"\r\n--x--\r\n"
        job = self._send("POST", "/v1/imports", body, {"Content-Type": "multipart/form-data; boundary=x"})["id"]
        self._folder.jobs[job] = records

    def _put(self) -> None:
        record = self._folder.fresh()
        id = record.pop("id")
        self._send("PUT", f"/v1/fact-checks/{id}", json.dumps(record).encode())
        self._folder.acknowledged[id] = record["claim"]

    def _forget(self) -> None:
        written = sorted(id for id, claim in self._folder.acknowledged.items() if claim is not None and id.startswith("w"))
        if written:
            id = self._rng.choice(written)
            self._folder.deleted.add(id)
            del self._folder.acknowledged[id]  # until it is answered it may be there or not
            self._send("DELETE", f"/v1/fact-checks/{id}", None)
            self._folder.acknowledged[id] = None

    def _read(self) -> None:
        self._send("POST", "/v1/match", json.dumps({"text": self._rng.choice(CLAIMS).text, "recipe": "hybrid"}).encode())
        for job in list(self._folder.jobs):
            self._folder.imported(job, self._send("GET", f"/v1/imports/{job}", None)["read"])

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str] | None = None) -> dict[str, Any]:
        self._connection.request(method, path, body, self._headers | (headers or {}))
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            self.refused.append(f"{method} {path} answered {answer.status}: {content[:300]!r}")
            raise ValueError(self.refused[-1])
        return dict(json.loads(content or b"{}"))
