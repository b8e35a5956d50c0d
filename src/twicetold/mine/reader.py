"""Read answers out of posts: an extractive model that marks where an answer starts and ends, or that there is none.

Spans are at most a few tokens, since mining wants names and things, not sentences. Scores are sums of two logits; the score of "no
answer" is that of the first token, on the same scale (Devlin et al. 2019, section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twicetold.mine.protocols import Span
from twicetold.models import shipped
from twicetold.models.textmodel import TextModel

if TYPE_CHECKING:
    import tokenizers

Array = np.ndarray[Any, Any]
MAX_TOKENS = 160


class SpanReader:
    """The shipped reader; satisfies `mine.protocols.Reader`."""

    def __init__(self, model: TextModel, *, longest: int = 8, best: int = 3) -> None:
        self._model = model
        self._longest = longest
        self._best = best
        self.name = model.folder.name
        self.version = model.folder.version

    @classmethod
    def load(cls, path: str | Path | None = None, *, longest: int = 8, best: int = 3, threads: int = 0) -> SpanReader:
        """Open the shipped model. `longest` is in tokens, `best` the number of spans kept for each text."""
        place = shipped("reader") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=MAX_TOKENS, threads=threads), longest=longest, best=best)

    def answers(self, question: str, texts: Sequence[str], /) -> list[list[Span]]:
        """Return the best spans of each text, best first, none overlapping a better one; empty if "no answer" scores higher than all."""
        spans = self.spans(question, texts)
        return [[span for span in found if span.score > span.no_answer] for found in spans]

    def spans(self, question: str, texts: Sequence[str]) -> list[list[Span]]:
        """As `answers`, but keep the spans that "no answer" beats."""
        if not texts:
            return []
        encodings = self._model.tokenizer.encode_batch([(question, text) for text in texts])
        outputs = self._model.run_tokens([(encoding.ids, encoding.type_ids) for encoding in encodings])
        return [self._spans(text, encoding, output[0], output[1]) for text, encoding, output in zip(texts, encodings, outputs, strict=True)]

    def _spans(self, text: str, encoding: tokenizers.Encoding, starts: Array, ends: Array) -> list[Span]:
        """starts, ends: (L,) logits."""
        inside = [i for i, sequence in enumerate(encoding.sequence_ids) if sequence == 1]
        nothing = float(starts[0] + ends[0])
        found = []
        for place, first in enumerate(inside):
            for last in inside[place : place + self._longest]:
                found.append((float(starts[first] + ends[last]), first, last))
        found.sort(key=lambda one: (-one[0], one[1], one[2]))
        kept: list[tuple[float, int, int]] = []
        for score, first, last in found:
            if len(kept) == self._best:
                break
            if all(last < a or first > b for _, a, b in kept):
                kept.append((score, first, last))
        return [_span(text, encoding, score, first, last, nothing) for score, first, last in kept]


def _span(text: str, encoding: tokenizers.Encoding, score: float, first: int, last: int, nothing: float) -> Span:
    start, end = encoding.offsets[first][0], encoding.offsets[last][1]
    return Span(text[start:end], start, end, score, nothing)
