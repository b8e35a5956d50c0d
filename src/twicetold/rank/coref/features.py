"""What a ranker sees of a pair of mentions: word vectors of both and of the words beside them, and a row of plain facts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from twicetold.rank.coref.mentions import (
    ADDRESSED,
    FEMALE,
    MALE,
    MANY,
    OWNING,
    POINTING,
    SPEAKER,
    THING,
    US,
    Mention,
    Token,
)

Array = np.ndarray[Any, np.dtype[np.float32]]

GROUPS = (MALE, FEMALE, THING, MANY, POINTING, SPEAKER, ADDRESSED, US)
BESIDE = 4
"""How many words on either side of a mention are averaged."""

FACTS = (
    "same words", "same last word", "one inside the other", "same group", "other group", "in one sentence", "one sentence back",
    "two back", "three to five back", "further back", "words between", "mentions between", "said before", "antecedent first in sentence",
    "anaphor first in sentence", "both first", "antecedent owns", "anaphor owns", "antecedent is a name", "antecedent is a noun",
    "antecedent is a pronoun", "anaphor is a name", "anaphor is a noun", "anaphor is a pronoun", "after a comma", "is nested",
    *(f"antecedent in group {i}" for i in range(len(GROUPS))), *(f"anaphor in group {i}" for i in range(len(GROUPS))),
)  # fmt: skip


class Words(Protocol):
    """Gives words their vectors: a `StaticEncoder`, or one that keeps those it has made."""

    def encode(self, texts: Sequence[str]) -> Array: ...


class KeptWords:
    """Words' vectors, each made once: speech repeats most of its words."""

    def __init__(self, words: Words, *, most: int = 100_000) -> None:
        self._one = lru_cache(maxsize=most)(lambda word: words.encode([word])[0])

    def encode(self, texts: Sequence[str]) -> Array:
        """Return one row per word, (N, D), N at least 1."""
        return np.stack([self._one(text) for text in texts])


@dataclass(frozen=True)
class Text:
    """Tokens and mentions of a text with their vectors, made once."""

    tokens: Sequence[Token]
    mentions: Sequence[Mention]
    encoder: Words

    @cached_property
    def vectors(self) -> Array:
        """Return for each mention its own words' vector and those of the words left and right of it, (M, 3, D)."""
        # One sentence of static vectors per word: a mean of token rows is what the encoder gives.
        words = self.encoder.encode([token.text for token in self.tokens])  # (T, D)
        rows = np.zeros((len(self.mentions), 3, words.shape[1]), np.float32)
        for i, mention in enumerate(self.mentions):
            spans = ((mention.start, mention.end), (max(0, mention.start - BESIDE), mention.start), (mention.end, mention.end + BESIDE))
            for j, (start, end) in enumerate(spans):
                if words[start:end].shape[0]:
                    rows[i, j] = words[start:end].mean(axis=0)
        return rows

    @cached_property
    def lowered(self) -> list[tuple[str, ...]]:
        """Return each mention's words, case folded."""
        return [tuple(token.text.casefold() for token in self.tokens[m.start : m.end]) for m in self.mentions]

    @cached_property
    def groups(self) -> list[int]:
        """Return the group of pronouns each mention belongs to, −1 for none."""
        return [next((g for g, group in enumerate(GROUPS) if len(words) == 1 and words[0] in group), -1) for words in self.lowered]

    @cached_property
    def counts(self) -> Counter[tuple[str, ...]]:
        """Return how often each mention's words stand in the text."""
        return Counter(self.lowered)


def facts(text: Text, antecedents: Sequence[int], anaphor: int) -> Array:
    """Return a row of `FACTS` for each antecedent (a mention's place in the text's list), (N, F)."""
    return np.array([_facts(text, antecedent, anaphor) for antecedent in antecedents], np.float32).reshape(-1, len(FACTS))


def _facts(text: Text, i: int, j: int) -> list[float]:
    one, other = text.mentions[i], text.mentions[j]
    words_i, words_j = text.lowered[i], text.lowered[j]
    group_i, group_j = text.groups[i], text.groups[j]
    first, last = text.tokens[one.start], text.tokens[other.start]
    back = last.sentence - first.sentence
    is_first_i, is_first_j = _is_first(text, one), _is_first(text, other)
    row = [
        words_i == words_j,
        words_i[-1] == words_j[-1],
        words_i != words_j and (set(words_i) <= set(words_j) or set(words_j) <= set(words_i)),
        group_i >= 0 and group_i == group_j,
        group_i >= 0 and group_j >= 0 and group_i != group_j,
        back == 0,
        back == 1,
        back == 2,
        3 <= back <= 5,
        back > 5,
        math.log1p(max(other.start - one.end, 0)) / 5,
        math.log1p(max(j - i, 0)) / 4,
        math.log(text.counts[words_i]) / 3,
        is_first_i,
        is_first_j,
        is_first_i and is_first_j,
        _owns(text, one),
        _owns(text, other),
        one.kind == "name",
        one.kind == "noun",
        one.kind == "pronoun",
        other.kind == "name",
        other.kind == "noun",
        other.kind == "pronoun",
        one.end < len(text.tokens) and text.tokens[one.end].text == ",",
        one.start <= other.start and other.end <= one.end,
    ]
    return (
        [float(fact) for fact in row]
        + [float(group_i == g) for g in range(len(GROUPS))]
        + [float(group_j == g) for g in range(len(GROUPS))]
    )


def _is_first(text: Text, mention: Mention) -> bool:
    """True if no more than two words stand before the mention in its sentence: most subjects do."""
    return mention.start < 3 or text.tokens[mention.start - 3].sentence != text.tokens[mention.start].sentence


def _owns(text: Text, mention: Mention) -> bool:
    follows = text.tokens[mention.end].text if mention.end < len(text.tokens) else ""
    return follows in ("'s", "’s") or text.tokens[mention.start].text.casefold() in OWNING
