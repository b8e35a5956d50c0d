"""Train the reader on TweetQA and half of SQuAD 2, with questions that the text does not answer.

TweetQA gives answers without their places: the shortest span of the tweet with the answer's words is taken, and rows without one are
left out. It has no unanswerable questions; a fifth of its rows get another tweet, whose answer is "none". SQuAD's long paragraphs are
cut to a window around the answer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from twicetold_lab.datasets import reading
from twicetold_lab.datasets.reading import Reading
from twicetold_lab.train import loop
from twicetold_lab.train.heads import SpanModel
from twicetold_lab.train.tokens import tokenizer
from twicetold_lab.train.trunk import Trunk

TRAINED_TOKENS = 72
BATCH = 16
_NONE_AMONG_TWEETS = 0.2
_WINDOW = 260


@dataclass(frozen=True, slots=True)
class Task:
    """A question, a text, and the place of its answer in the text; (0, 0) for none."""

    question: str
    text: str
    start: int
    end: int


def find_answer(text: str, answers: Sequence[str]) -> tuple[int, int] | None:
    """Return where the first findable answer stands in the text, whatever its case and spacing; None if none does.

    >>> find_answer("Born in New  York, NY", ["new york"])
    (8, 17)
    """
    for answer in answers:
        tokens = re.findall(r"\w+", answer)
        if tokens:
            pattern = r"(?<!\w)" + r"[\W_]+".join(map(re.escape, tokens)) + r"(?!\w)"
            if found := re.search(pattern, text, re.IGNORECASE):
                return found.span()
    return None


def tweet_tasks(rows: Sequence[Reading]) -> Iterator[Task]:
    """Make tasks of TweetQA rows; those whose answer is not in the tweet's words are left out."""
    for row in rows:
        if place := find_answer(row.text, row.answers):
            yield Task(row.question, row.text, *place)


def paragraph_tasks(rows: Sequence[Reading], rng: random.Random) -> Iterator[Task]:
    """Make tasks of SQuAD rows, cut to a window that holds the answer at a random place."""
    for row in rows:
        if row.answers:
            start, end = row.starts[0], row.starts[0] + len(row.answers[0])
            low = max(0, end - _WINDOW + 20)
            first = _word_start(row.text, rng.randint(min(low, start), start))
            yield Task(row.question, row.text[first : first + _WINDOW], start - first, end - first)
        else:
            first = _word_start(row.text, rng.randint(0, max(0, len(row.text) - _WINDOW)))
            yield Task(row.question, row.text[first : first + _WINDOW], 0, 0)


def _word_start(text: str, place: int) -> int:
    return text.rfind(" ", 0, place + 1) + 1


def read(root: Path, *, seed: int = 0) -> list[list[Task]]:
    """Return the training tasks of TweetQA and of SQuAD; the last sixth of SQuAD's articles is held back for measuring."""
    folder = root / "reading"
    tweets = list(tweet_tasks(list(reading.tweetqa(folder / "tweetqa" / "train.json"))))
    paragraphs, _ = split_squad(list(reading.squad(folder / "squad2-half-dev" / "dev-v2.0.json")))
    return [tweets, list(paragraph_tasks(paragraphs, random.Random(seed)))]


def split_squad(rows: Sequence[Reading]) -> tuple[list[Reading], list[Reading]]:
    """Cut SQuAD rows into five sixths to train and a sixth to measure; the file is in the order of its articles."""
    cut = len(rows) * 5 // 6
    while cut < len(rows) and rows[cut].text == rows[cut - 1].text:
        cut += 1
    return list(rows[:cut]), list(rows[cut:])


def draw(tasks: Sequence[Sequence[Task]], rng: random.Random, count: int) -> list[Task]:
    """Draw tasks, two thirds from TweetQA; some of these get another tweet, which does not answer them."""
    tweets, paragraphs = tasks
    drawn = []
    for _ in range(count):
        if rng.random() < 0.67:
            task = rng.choice(tweets)
            if rng.random() < _NONE_AMONG_TWEETS:
                task = Task(task.question, rng.choice(tweets).text, 0, 0)
            drawn.append(task)
        else:
            drawn.append(rng.choice(paragraphs))
    return drawn


def loss_of(model: SpanModel, tasks: Sequence[Task]) -> Tensor:
    """Cross-entropy of the answer's first and last token; "none" is the first token of all."""
    encodings = tokenizer(TRAINED_TOKENS).encode_batch([(task.question, task.text) for task in tasks])
    ids = torch.tensor([encoding.ids for encoding in encodings])
    mask = torch.tensor([encoding.attention_mask for encoding in encodings]).bool()
    types = torch.tensor([encoding.type_ids for encoding in encodings])
    starts, ends = model(ids, mask, types)  # (B, L) each
    places = torch.tensor([_token_places(encoding, task) for encoding, task in zip(encodings, tasks, strict=True)])
    return (F.cross_entropy(starts, places[:, 0]) + F.cross_entropy(ends, places[:, 1])) / 2


def _token_places(encoding: object, task: Task) -> tuple[int, int]:
    """Return the first and last token of the answer; (0, 0) if there is none or it was cut away."""
    if task.end <= task.start:
        return 0, 0
    first = encoding.char_to_token(task.start, 1)  # type: ignore[attr-defined]
    last = encoding.char_to_token(task.end - 1, 1)  # type: ignore[attr-defined]
    return (first, last) if first is not None and last is not None else (0, 0)


def train_model(trunk: Trunk, tasks: Sequence[Sequence[Task]], plan: loop.Plan, *, resume: bool = False) -> SpanModel:
    """Train a reader on `trunk` and return it."""
    model = SpanModel(trunk)
    model.trunk.freeze(1)
    loop.run(model, lambda _, rng: loss_of(model, draw(tasks, rng, BATCH)), plan, resume=resume)
    return model


def train(data_root: Path, out: Path, *, encoder_training: Path, steps: int = 1000, seed: int = 0, resume: bool = False) -> None:
    """Train from the encoder's trunk and write the model folder."""
    from twicetold_lab.train.encoder import trained_trunk

    plan = loop.Plan(out / "training", steps, rate=2e-4, seed=seed, save_every=10)
    model = train_model(trained_trunk(encoder_training), read(data_root, seed=seed), plan, resume=resume)
    model.export(out, {"name": "reader", "max_tokens": TRAINED_TOKENS})
