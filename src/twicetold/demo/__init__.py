"""The demo collection that we wrote: fact-checks of well-known claims, claims to try, two debates, and posts on both sides.

Its publishers are marked "(demo)"; each record links to a public source to read on. It is for trying and testing, not for checking.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def checks() -> Iterator[dict[str, Any]]:
    """Yield the demo fact-checks as they stand in the files, by file and line."""
    for path in sorted((FOLDER / "checks").glob("*.jsonl")):
        yield from _lines(path)


def queries() -> Iterator[dict[str, Any]]:
    """Yield the claims to try: `id`, `text`, and `kind` (`paraphrase` of a demo fact-check, or `none`)."""
    for path in sorted(FOLDER.glob("queries-*.jsonl")):
        yield from _lines(path)


def posts() -> Iterator[dict[str, Any]]:
    """Yield the posts on both sides of contested questions."""
    return _lines(FOLDER / "posts.jsonl")


def qrels() -> dict[str, set[str]]:
    """Return, by claim, the ids of the fact-checks that answer it."""
    gold: dict[str, set[str]] = {}
    for path in sorted(FOLDER.glob("qrels-*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            claim, _, check, _ = line.split()
            gold.setdefault(claim, set()).add(check)
    return gold


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
