"""A server for a test: in the test's own process through `serving`, or as a process of its own through `Running`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import httpx
from starlette.testclient import TestClient

from twicetold.serve.app import create_app
from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.serve.options import Options
from twicetold.serve.sessions import Sessions

_COPY = """
import shutil, sys
shutil.copytree(sys.argv[1], sys.argv[2], ignore=shutil.ignore_patterns("serve.db*", "imports", "*.lock", "*-shm"))
"""


def copied(folder: Path, to: Path) -> Path:
    """A copy of a collection that the test may change.

    Another process makes it: a process that opens and closes a SQLite file behind SQLite's back loses the locks it holds on it, and
    then a writer elsewhere believes that nobody is reading.
    """
    subprocess.run([sys.executable, "-I", "-c", _COPY, str(folder), str(to)], check=True)
    return to


@contextmanager
def serving(folder: Path, **settings) -> Iterator[TestClient]:
    """A client of a server in this process, which knows no key and is not signed in. It waits longer than usual: tests share machines."""
    app = create_app(Options(data=str(folder), **{"rate": 0.0, "seconds": 120.0, **settings}))
    with TestClient(app, base_url="http://127.0.0.1:8321", follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


def new_key(client: TestClient, scope: str = "write") -> dict[str, str]:
    """Headers with a new key of this server."""
    keys = client.app.state.service.keys
    return {"Authorization": f"Bearer {keys.new(f'{scope} {len(keys.every())}', scope)}"}


def finished(client: TestClient | httpx.Client, id: str, *, seconds: float = 90) -> dict:
    """The import, once it is over."""
    until = time.monotonic() + seconds
    while (job := client.get(f"/v1/imports/{id}").json())["state"] not in ("done", "failed"):
        assert time.monotonic() < until, f"the import is not over: {job}"
        time.sleep(0.1)
    return job


class Running:
    """`twicetold serve` as a process of its own, that can be killed."""

    def __init__(self, folder: Path, *options: str, descriptors: int = 0) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "twicetold.cli", "--data", str(folder), "serve", "--port", str(self.port), "--rate", "0", *options]
        self._log = (folder.parent / f"serve-{self.port}.log").open("w+")
        if descriptors:
            command = ["prlimit", f"--nofile={descriptors}", "--", *command]
        self.process = subprocess.Popen(command, stderr=self._log, env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.client = httpx.Client(base_url=self.address, timeout=60)
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 90
        while True:
            try:
                self.client.get("/v1/health")
                return
            except httpx.TransportError:
                assert self.process.poll() is None, f"the server ended: {self.said()}"
                assert time.monotonic() < until, "the server does not answer"
                time.sleep(0.1)

    def said(self) -> str:
        """What the server wrote to standard error so far."""
        return Path(self._log.name).read_text()

    @cached_property
    def key(self) -> str:
        """A key that may write."""
        ledger = Ledger(self._folder)
        try:
            return Keys(ledger).new(f"test {self.port}", "write")
        finally:
            ledger.close()

    @property
    def code(self) -> str:
        """A code that signs a browser in once, as the printed link holds one."""
        ledger = Ledger(self._folder)
        try:
            keys = Keys(ledger)
            found = keys.find(self.key)
            assert found is not None
            return Sessions(ledger, keys).code(found)
        finally:
            ledger.close()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.close()

    def close(self) -> None:
        self.process.wait(timeout=60)
        self.client.close()
        self._log.close()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
