"""What the tests of screening share: `twicetold screen` as a process of its own that can be killed, and what it has written."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from twicetold.batch.ledger import DONE


def start(folder: Path, posts: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    """Start a run of partitions of eight posts each."""
    asked = ["--data", str(folder), "screen", str(posts), "--out", str(out), "--json", "--rows", "8", *options]
    return subprocess.Popen([sys.executable, "-m", "twicetold.cli", *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(true: Callable[[], bool], process: subprocess.Popen[str], *, seconds: float = 600) -> None:
    """Wait until something is true of a running process."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def manifests(out: Path) -> dict[str, int]:
    """The manifests there are, each with the time it was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / DONE).glob("*.json")}


def rows(out: Path) -> dict[str, dict[str, Any]]:
    """Every row, by the id of its post."""
    found = ds.dataset(out, format="parquet", partitioning="hive").to_table().to_pylist()
    assert len({(row["file"], row["row"], row["id"]) for row in found}) == len(found), "a post was written twice"
    return {row["id"]: row for row in found}
