"""What a measurement needs to say of itself: the commit, the machine, and the spread of its times."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def provenance(command: str, data: str) -> dict[str, Any]:
    """Return command, data, commit, machine and day."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return {
        "command": command,
        "data": data,
        "commit": commit,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "day": time.strftime("%Y-%m-%d"),
    }


def spread(run: Callable[[Any], object], inputs: Sequence[Any], *, warm: int = 3) -> dict[str, float]:
    """Time `run` on each input and return p50 and p95 in milliseconds."""
    for one in inputs[:warm]:
        run(one)
    times = []
    for one in inputs:
        start = time.perf_counter()
        run(one)
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return {"p50_ms": round(times[len(times) // 2], 2), "p95_ms": round(times[int(len(times) * 0.95)], 2), "queries": len(times)}


def record(name: str, result: dict[str, Any]) -> Path:
    """Write results/NAME.json."""
    path = ROOT / "results" / f"{name}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
