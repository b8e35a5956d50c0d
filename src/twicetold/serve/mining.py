"""Questions put to posts. The models are loaded with the first question, and one question is answered at a time: each takes seconds."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold.collection import Collection
from twicetold.models import is_shipped
from twicetold.serve.problems import Problem
from twicetold.types import SCHEMA, Question, to_json

if TYPE_CHECKING:
    from twicetold.mine.miner import Asked, Effort, Miner
    from twicetold.progress import Progress


class Mining:
    """Answers questions from the posts of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def is_possible(self) -> bool:
        """True if there are posts to ask and a model to read their stance."""
        return (self._folder / "posts.db").is_file() and is_shipped("stance")

    def ask(self, question: Question, effort: Effort, collection: Collection, *, until: float = math.inf) -> Asked:
        """Answer one question; answers that a fact-check of the collection deals with say so. Raises Problem where it is not possible.

        It is given up when the clock (`time.monotonic`) says `until`, between one portion of posts and the next.
        """
        from twicetold.mine.contest import with_checks

        if not self.is_possible:
            raise Problem("not-enabled", f"there are no posts to ask, or no stance model to read them; {self._advice()}")
        with self._lock:
            self._miner.posts.refresh()
            asked = dataclasses.replace(self._miner, effort=effort, progress=_given_up_at(until)).ask(question)
        return dataclasses.replace(asked, answers=with_checks(asked.answers, collection))

    def _advice(self) -> str:
        if (self._folder / "posts.db").is_file():
            return "for the model type: pip install twicetold-models"
        return "add posts with: twicetold ingest-posts SOURCE"

    @cached_property
    def _miner(self) -> Miner:
        from twicetold.mine.miner import Miner
        from twicetold.mine.reader import SpanReader
        from twicetold.mine.stance import StanceReader
        from twicetold.posts import Posts

        reader = SpanReader.load(threads=1) if is_shipped("reader") else None
        return Miner(Posts.open(self._folder), StanceReader.load(threads=1), reader)


def _given_up_at(until: float) -> Progress:
    def look(what: str, done: int, total: int) -> None:
        if time.monotonic() > until:
            raise Problem("too-slow", f"given up while {what}: it took too long")

    return look


def asked_json(asked: Asked) -> dict[str, Any]:
    """Return the JSON form of an answered question, as the command line prints it."""
    return {"schema": SCHEMA, **to_json(asked)}
