"""The demo collection, made once for all tests, and small fact-checks to write tests with."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

from twicetold import demo as demo_files
from twicetold.collection import Collection
from twicetold.types import Claim, FactCheck, from_json

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


@pytest.fixture(scope="session")
def demo_claims() -> list[Claim]:
    return [Claim(record["id"], record["text"]) for record in demo_files.queries()]


@pytest.fixture(scope="session")
def demo_gold() -> dict[str, set[str]]:
    return demo_files.qrels()


@pytest.fixture
def write_jsonl(tmp_path):
    def write(name: str, records: list[dict]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
        return path

    return write
