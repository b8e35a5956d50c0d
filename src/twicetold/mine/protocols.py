"""What mining asks of a model: to read a stance, and to read answers out of a post. Any object with these methods will do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

Probabilities = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a text that may answer a question; `text[start:end]` are those words.

    `score` is the reader's own number for the span, `no_answer` its number for "this text holds none", on the same scale of logits:
    the reader would rather answer where the first is the larger.
    """

    words: str
    start: int
    end: int
    score: float
    no_answer: float = 0.0


@runtime_checkable
class StanceModel(Protocol):
    """Reads what a text says of a claim."""

    def read(self, pairs: Sequence[tuple[str, str]], /) -> Probabilities:
        """Return for each (claim, text) the probabilities of supports, refutes and neutral, in that order: (N, 3), rows sum to 1.

        A pair's row does not depend on the pairs beside it.
        """
        ...


@runtime_checkable
class Reader(Protocol):
    """Reads the answers that texts give to a question. An extractive model, or a generative one that finds its words in the text."""

    def answers(self, question: str, texts: Sequence[str], /) -> list[list[Span]]:
        """Return for each text its best spans, best first; none if the text answers nothing."""
        ...
