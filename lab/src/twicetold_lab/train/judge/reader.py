"""Judge the reader: F1 of its best span on TweetQA's dev part, and whether it knows when a paragraph holds no answer."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.mine.reader import SpanReader
from twicetold_lab.datasets import reading
from twicetold_lab.train.judge.scores import interval
from twicetold_lab.train.reader import paragraph_tasks, split_squad

_ARTICLES = re.compile(r"\b(a|an|the)\b")


def judge(root: Path, model: Path) -> dict[str, Any]:
    """Return token F1 (the best over the references) and the quality of "no answer", with intervals."""
    reader = SpanReader.load(model, longest=16, best=1)
    tweets = list(reading.tweetqa(root / "reading" / "tweetqa" / "dev.json"))
    scores = [token_f1(_best(reader, row.question, row.text), row.answers) for row in tweets]
    whole = [token_f1(row.text, row.answers) for row in tweets]
    _, held = split_squad(list(reading.squad(root / "reading" / "squad2-half-dev" / "dev-v2.0.json")))
    return {
        "tweetqa/dev": {"rows": len(tweets), "F1 of the best span": interval(scores), "F1 of the whole tweet": interval(whole)},
        "squad 2, held back": _no_answer(reader, held),
    }


def _best(reader: SpanReader, question: str, text: str) -> str:
    [spans] = reader.spans(question, [text])
    return spans[0].words if spans else ""


def _no_answer(reader: SpanReader, rows: Sequence[reading.Reading]) -> dict[str, Any]:
    tasks = list(paragraph_tasks(rows, random.Random(1)))
    leads = []
    for task in tasks:
        [spans] = reader.spans(task.question, [task.text])
        leads.append(spans[0].no_answer - spans[0].score if spans else 0.0)
    empty = np.array([task.end <= task.start for task in tasks])
    lead = np.array(leads)
    # The area under the ROC curve: how often an unanswerable question has the larger lead of "none".
    area = float((lead[empty][:, None] > lead[~empty][None, :]).mean())
    right = (lead > 0) == empty
    return {
        "rows": len(tasks),
        "unanswerable": int(empty.sum()),
        "area under ROC": round(area, 4),
        "right": interval(list(right.astype(float))),
    }


def token_f1(answer: str, references: Sequence[str]) -> float:
    """Return the best F1 of words over the references; articles and punctuation do not count.

    >>> token_f1("The New York", ["new york city"])
    0.8
    """
    return max((_f1(_words(answer), _words(reference)) for reference in references), default=0.0)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", _ARTICLES.sub(" ", text.casefold()))


def _f1(answer: list[str], reference: list[str]) -> float:
    shared = sum((Counter(answer) & Counter(reference)).values())
    return 2 * shared / (len(answer) + len(reference)) if shared else 0.0
