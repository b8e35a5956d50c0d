"""Small readers to test mining with: they read words, as the shipped models do better."""

import re

import numpy as np

from twicetold.mine.protocols import Span

DENIES = re.compile(
    r"\b(?:not|no|never|nobody|n't|fake|false|myth|hoax|isn't|don't|doesn't|didn't|can't|cannot|without)\b|n't\b", re.IGNORECASE
)


class CueStance:
    """Neutral if the post asks or shares no word with the claim, refutes if it denies, else supports; surer the more words are shared."""

    def read(self, pairs):
        return np.array([self._row(claim, text) for claim, text in pairs], np.float32).reshape(-1, 3)

    def _row(self, claim, text):
        claimed, said = set(re.findall(r"\w{4,}", claim.lower())), set(re.findall(r"\w{4,}", text.lower()))
        if text.rstrip().endswith("?"):
            return 0.1, 0.1, 0.8
        if DENIES.search(text):
            return 0.1, 0.8, 0.1
        return (0.8, 0.1, 0.1) if claimed & said else (0.2, 0.2, 0.6)


class ListReader:
    """Finds the names on its list."""

    def __init__(self, *names):
        self._names = names

    def answers(self, question, texts):
        return [self._spans(text) for text in texts]

    def _spans(self, text):
        found = [match for name in self._names for match in re.finditer(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)]
        return [Span(match[0], match.start(), match.end(), 3.0) for match in found]
