"""The demo collection, made once for all tests, and small fact-checks to write tests with."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from hypothesis import settings

from twicetold import demo as demo_files
from twicetold.collection import Collection, Settings
from twicetold.types import Claim, FactCheck, Post, from_json

os.environ.setdefault("TWICETOLD_DATASETS", "")
settings.register_profile("default", deadline=None, max_examples=40, print_blob=True)
settings.load_profile("default")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="Write the golden runs anew; say in the commit why they changed.")


def _checks():
    return (from_json(FactCheck, record) for record in demo_files.checks())


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    with Collection.create(folder) as collection:
        for _ in collection.add(_checks()):
            pass
        collection.index()
    return folder


@pytest.fixture(scope="session")
def demo(demo_folder) -> Collection:
    return Collection.open(demo_folder)


_SERVER = """
import ctypes, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)  # dies with the tests, however they end
from milvus_lite.cmdline import main
main()
"""


@pytest.fixture(scope="session")
def milvus(tmp_path_factory):
    """A Milvus Lite server of our own; the address up to the name of an index."""
    pytest.importorskip("pymilvus", reason="needs pip install 'twicetold[milvus]'")
    pytest.importorskip("milvus_lite", reason="needs pip install milvus-lite")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["server", "--host", "127.0.0.1", "--port", str(port), "--data-dir", str(tmp_path_factory.mktemp("milvus"))]
    server = subprocess.Popen([sys.executable, "-c", _SERVER, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"milvus://127.0.0.1:{port}"
    server.kill()  # what it holds is thrown away
    server.wait()


@pytest.fixture(scope="session")
def milvus_client(milvus):
    """A client of that server beside the product's own, as rarely asking whether the server is there as that one."""
    from pymilvus import MilvusClient

    from twicetold.index.milvus.server import CALM, SECONDS

    return MilvusClient(milvus.replace("milvus", "http"), timeout=SECONDS, grpc_options=CALM)


@pytest.fixture(params=["folder", "milvus"])
def place(request, monkeypatch) -> str:
    """Run a test with the indexes in the folder, and again with an index of its own on a Milvus server."""
    if request.param == "milvus":
        monkeypatch.setenv("TWICETOLD_INDEX", f"{request.getfixturevalue('milvus')}/t{uuid.uuid4().hex}")
    return request.param


@pytest.fixture(scope="session")
def demo_on_milvus(milvus, milvus_client, tmp_path_factory) -> Collection:
    """The demo collection with its indexes on a Milvus server."""
    folder = tmp_path_factory.mktemp("demo-on-milvus")
    collection = Collection.create(folder, Settings(index=f"{milvus}/demo"))
    for _ in collection.add(_checks()):
        pass
    collection.index()
    # Milvus Lite reads rows that are not in a segment yet one by one, a hundred times more slowly.
    for part in ("words", "meanings"):
        milvus_client.flush(f"demo_{part}")
    return collection


@pytest.fixture(scope="session")
def demo_claims() -> list[Claim]:
    return [Claim(record["id"], record["text"]) for record in demo_files.queries()]


@pytest.fixture(scope="session")
def demo_gold() -> dict[str, set[str]]:
    return demo_files.qrels()


@pytest.fixture(scope="session")
def demo_posts() -> list[Post]:
    return [from_json(Post, record) for record in demo_files.posts()]


@pytest.fixture
def write_jsonl(tmp_path):
    def write(name: str, records: list[dict]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
        return path

    return write
