"""TweetMythQA (Bai et al. 2023): contested questions, their answers, and the tweets on either side of each.

The texts of the tweets are not shipped, only ids; `posts` reads a corpus the user has, and `missing` says which gold tweets it
lacks. There is no split: the set is for zero-shot evaluation only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from twicetold.errors import BadData
from twicetold.types import Post, Question, natural
from twicetold_lab.datasets.layout import field, json_file, json_lines, needed
from twicetold_lab.datasets.snopes import text_id


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An answer and the ids of the posts that support, refute, or only mention it."""

    text: str
    supporting: tuple[str, ...]
    refuting: tuple[str, ...]
    neutral: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contested:
    """A question with its gold answers. A yes-no question has the answers "yes" and "no", each refuted by the other's support."""

    question: Question
    kind: Literal["entity", "yes-no"]
    topic: str
    answers: tuple[GoldAnswer, ...]


def questions(path: Path) -> Iterator[Contested]:
    """Read `TweetMythQA.jsonl`."""
    for record in json_lines(path):
        text, kind = field(record, "question", path), field(record, "question_type", path)
        answers = record.get("answers")
        if kind not in ("entity", "yes-no") or not isinstance(answers, Mapping):
            raise BadData(f"{path}: question {text!r:.80} is of type {kind!r}; expected 'entity' or 'yes-no', with answers")
        gold = _yes_no(answers) if kind == "yes-no" else tuple(_gold(answer, sides) for answer, sides in answers.items())
        yield Contested(Question(text_id("question", text), text, lang="en"), kind, field(record, "topic", path), gold)  # type: ignore[arg-type]


def _gold(text: str, sides: Mapping[str, Any]) -> GoldAnswer:
    return GoldAnswer(text, *(tuple(str(id) for id in sides.get(side, ())) for side in ("supporting", "refuting", "neutral")))


def _yes_no(sides: Mapping[str, Any]) -> tuple[GoldAnswer, GoldAnswer]:
    yes = _gold("yes", sides)
    return yes, GoldAnswer("no", yes.refuting, yes.supporting, yes.neutral)


def posts(path: Path) -> Iterator[Post]:
    """Read a corpus of posts: a JSON Lines file, or a folder of JSON files, of objects with `id` and `contents` (or `text`)."""
    if needed(path).is_dir():
        for file in sorted(path.glob("*.json*")):
            yield from posts(file)
    elif path.suffix == ".jsonl":
        yield from (_post(record, path) for record in json_lines(path))
    else:
        content = json_file(path)
        yield from (_post(record, path) for record in (content if isinstance(content, list) else [content]))


def _post(record: Mapping[str, Any], path: Path) -> Post:
    text = record.get("contents", record.get("text"))
    if text is None:
        raise BadData(f"{path}: the post {record.get('id')!r} has neither 'contents' nor 'text'")
    return Post(field(record, "id", path), str(text))


def missing(gold: Iterable[Contested], corpus: Iterable[Post]) -> list[str]:
    """List the gold posts that the corpus lacks."""
    known = {post.id for post in corpus}
    sides = (ids for row in gold for answer in row.answers for ids in (answer.supporting, answer.refuting, answer.neutral))
    return sorted({id for ids in sides for id in ids if id not in known}, key=natural)
