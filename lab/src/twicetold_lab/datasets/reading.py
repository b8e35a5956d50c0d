"""Questions with a text and the answers found in it: TweetQA, and half of SQuAD 2's development set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from twicetold_lab.datasets.layout import field, json_file


@dataclass(frozen=True, slots=True)
class Reading:
    """A question about a text. No answers: the text does not hold one, or (TweetQA's test) they are not published.

    `starts` are the answers' places in the text where the publisher gives them, otherwise empty. TweetQA's answers are lower-cased
    and most, not all, are words of the tweet.
    """

    id: str
    question: str
    text: str
    answers: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()


def tweetqa(path: Path) -> Iterator[Reading]:
    """Read one of `train.json`, `dev.json`, `test.json`."""
    for record in json_file(path):
        answers = tuple(str(answer) for answer in record.get("Answer", ()))
        yield Reading(field(record, "qid", path), field(record, "Question", path), field(record, "Tweet", path), answers)


def squad(path: Path) -> Iterator[Reading]:
    """Read a SQuAD 2 file; impossible questions have no answers."""
    for article in json_file(path)["data"]:
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                answers = asked.get("answers", ())
                yield Reading(
                    field(asked, "id", path),
                    field(asked, "question", path),
                    field(paragraph, "context", path),
                    tuple(str(answer["text"]) for answer in answers),
                    tuple(int(answer["answer_start"]) for answer in answers),
                )
