"""A generative model as a reader: what it writes counts only if the post says it too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from twicetold.mine.protocols import Span

Generate = Callable[[str, str], Sequence[tuple[str, float]]]
"""From a question and a text to answers with scores, best first; a score is a log-probability, and no answer at all is allowed."""


class GenerativeReader:
    """Wraps any function that writes answers; satisfies `mine.protocols.Reader`.

    An answer that is not in the text, whatever its case and spacing, is dropped: a model that knows better than the post is no witness.
    """

    def __init__(self, generate: Generate, *, no_answer: float = -5.0) -> None:
        self._generate = generate
        self._no_answer = no_answer

    def answers(self, question: str, texts: Sequence[str], /) -> list[list[Span]]:
        """Return for each text the answers written for it that stand in it, best first, those below `no_answer` left out."""
        return [self._spans(question, text) for text in texts]

    def _spans(self, question: str, text: str) -> list[Span]:
        found = []
        for answer, score in self._generate(question, text):
            place = located(answer, text)
            if place is not None and score > self._no_answer:
                found.append(Span(text[slice(*place)], *place, score, self._no_answer))
        return sorted(found, key=lambda span: -span.score)


def located(answer: str, text: str) -> tuple[int, int] | None:
    """Return where the words of an answer stand in a text, as whole words; None if they do not.

    >>> located("hot baths", "take HOT  baths daily")
    (5, 15)
    """
    words = [re.escape(word) for word in answer.split()]
    match = re.search(r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)", text, re.IGNORECASE) if words else None
    return match.span() if match else None
