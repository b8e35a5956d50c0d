"""Questions with known evidence: from RumourEval 2017's threads, from the demo posts, and from TweetMythQA with a corpus of one's own.

Each RumourEval thread becomes the yes/no question whether its first post is true. The posts labelled "support" are the evidence for yes,
those labelled "deny" for no. All posts of all threads are the corpus, with tweets of other sets as distractors. Replies keep their parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from twicetold import demo as demo_files
from twicetold.posts.clean import plain
from twicetold.types import Post, Question, from_json
from twicetold_lab.datasets import mythqa, reading, snopes
from twicetold_lab.datasets.layout import json_file, needed
from twicetold_lab.datasets.mythqa import Contested, GoldAnswer

_SIDES = {"0": "supporting", "1": "neutral", "2": "refuting", "3": "neutral"}
_SHOUT = re.compile(
    r"^(?:breaking|update|news|just in|developing|exclusive|watch|alert|live|german news|photo|video)\b[\s:!\-–—]*", re.IGNORECASE
)
_TAIL = re.compile(r"(?:\s*(?:https?://\S+|#\w+|\bvia\s+@\w+|/?\bby\s+@\w+|[-–—►|]+))+\s*$")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Posts, and questions with the ids of the posts that answer them."""

    name: str
    posts: tuple[Post, ...]
    questions: tuple[Contested, ...]


def rumoureval(root: Path, split: str, *, distractors: bool = True) -> Benchmark:
    """Make questions of one split's threads ("test" or "traindev"); the corpus is both splits' posts, and distractors."""
    folder = root / "stance" / "rumoureval-2017"
    posts = {post.id: post for part in ("traindev", "test") for post in _posts(folder / part)}
    others = {post.id: post for post in _distractors(root)} if distractors else {}
    return Benchmark(f"rumoureval-2017/{split}", tuple({**others, **posts}.values()), tuple(_questions(folder / split)))


def contested_only(benchmark: Benchmark) -> Benchmark:
    """Keep the questions with evidence on both sides, as all of TweetMythQA's have."""
    kept = tuple(one for one in benchmark.questions if len(one.answers) == 2)
    return Benchmark(f"{benchmark.name}, both sides", benchmark.posts, kept)


def demo() -> Benchmark:
    """Read the posts and questions that come with the package."""
    posts = tuple(from_json(Post, record) for record in demo_files.posts())
    return Benchmark("demo", posts, tuple(mythqa.questions(demo_files.FOLDER / "posts-gold.jsonl")))


def tweetmythqa(root: Path, corpus: Path) -> Benchmark:
    """Join TweetMythQA's questions with posts that the user has (see `twicetold_lab.datasets.mythqa.missing` for what lacks)."""
    return Benchmark("tweetmythqa", tuple(mythqa.posts(corpus)), tuple(mythqa.questions(root / "mythqa" / "TweetMythQA.jsonl")))


def rumour(text: str) -> str:
    """Return what a post says as a statement to ask about: without links, closing hashtags, "BREAKING:" and "via @name".

    >>> rumour("BREAKING: Police order all shops closed. http://t.co/x #Paris")
    'Police order all shops closed'
    """
    said = _SHOUT.sub("", plain(_TAIL.sub("", text)))
    return said.strip(" .!?\"'“”‘’•►-:…")


def _posts(folder: Path) -> Iterator[Post]:
    texts = json_file(folder / "posts.json")
    trees = json_file(folder / "structures.json").values()
    parents = {child: parent for tree in trees for child, parent in _edges(tree, "", texts)}
    for id, record in texts.items():
        posted = datetime.fromtimestamp(float(record["time"]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        yield Post(f"re-{id}", str(record["text"]), posted=posted, lang="en", parent=f"re-{parents[id]}" if parents.get(id) else "")


def _edges(tree: Any, parent: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (post, what it replies to) of a thread; posts that were deleted are skipped, their replies hang on what was above."""
    if isinstance(tree, Mapping):
        for id, replies in tree.items():
            if id in known:
                yield id, parent
            yield from _edges(replies, id if id in known else parent, known)


def _questions(folder: Path) -> Iterator[Contested]:
    texts = json_file(folder / "posts.json")
    ids = needed(folder / "post_id.txt").read_text(encoding="utf-8").split()
    labels = dict(zip(ids, needed(folder / "post_label.txt").read_text(encoding="utf-8").split(), strict=True))
    for thread, tree in json_file(folder / "structures.json").items():
        sides: dict[str, list[str]] = {"supporting": [], "refuting": [], "neutral": []}
        for id, _ in _edges(tree, "", labels):
            sides[_SIDES[labels[id]]].append(f"re-{id}")
        yes = GoldAnswer("yes", *(tuple(sides[side]) for side in ("supporting", "refuting", "neutral")))
        no = GoldAnswer("no", yes.refuting, yes.supporting, yes.neutral)
        text = f"Is it true that {rumour(str(texts[thread]['text']))}?"
        yield Contested(Question(f"re-{thread}", text, lang="en"), "yes-no", "", tuple(a for a in (yes, no) if a.supporting))


def _distractors(root: Path) -> Iterator[Post]:
    """Tweets of TweetQA and CheckThat 2020, none of them about these rumours' threads."""
    for name in ("train", "dev", "test"):
        for row in reading.tweetqa(root / "reading" / "tweetqa" / f"{name}.json"):
            yield Post(f"tweetqa-{row.id}", row.text, lang="en")
    for claim in snopes.checkthat_2020(root / "checkthat-2020-task2").claims:
        yield Post(f"checkthat-{claim.id}", claim.text, lang="en")
