"""Near-duplicates: MinHash keys under which copies of a post meet, and the check that two posts which met are copies.

Keys follow Broder (1997): the least value of a random hash over a text's shingles is shared by two texts with the probability of
their Jaccard similarity. Three keys of five such values each: texts 0.9 alike meet 93 times in 100, those 0.5 alike 9 times, and the
check on the texts themselves then decides. A post that differs only in a number or a negation is never a copy: it says something else.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter

import numpy as np

from twicetold.posts.clean import comparable

BANDS, ROWS = 3, 5
SHINGLE = 3
ALIKE = 0.8
"""The share of common shingles from which two posts count as copies."""

_ODD = np.random.default_rng(1997).integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) | np.uint64(1)
_ADD = np.random.default_rng(2010).integers(0, 2**63, BANDS * ROWS, dtype=np.uint64)
_MIX = np.random.default_rng(97).integers(1, 2**63, ROWS, dtype=np.uint64) | np.uint64(1)
_NEGATION = re.compile(
    r"no|not|never|none|nobody|nothing|neither|nor|without|cannot|false|fake|hoax|myth|untrue|lie|debunked|wrong|"
    r"(?:is|are|was|were|do|does|did|ca|could|wo|would|should|has|have|had)n'?t"
)
_NUMBER = re.compile(r"\d")


def shingles(text: str) -> frozenset[int]:
    """Return the hashes of the text's runs of three words; a shorter text is one run."""
    words = comparable(text)
    if len(words) < SHINGLE:
        return frozenset((zlib.crc32(" ".join(words).encode()),)) if words else frozenset()
    return frozenset(zlib.crc32(" ".join(words[i : i + SHINGLE]).encode()) for i in range(len(words) - SHINGLE + 1))


def keys(text: str) -> tuple[int, ...]:
    """Return the keys of a text, signed 64-bit; a text without a word has none."""
    found = shingles(text)
    if not found:
        return ()
    hashes = np.fromiter(found, np.uint64, len(found))  # (S,)
    least = ((hashes[:, None] * _ODD + _ADD) >> np.uint64(32)).min(axis=0).reshape(BANDS, ROWS)
    mixed = (least * _MIX).sum(axis=1, dtype=np.uint64) ^ (np.arange(BANDS, dtype=np.uint64) << np.uint64(61))
    return tuple(mixed.view(np.int64).tolist())


def likeness(one: str, other: str) -> float:
    """Return the share of common shingles (Jaccard); 0 if either text has no words."""
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def are_copies(one: str, other: str, *, alike: float = ALIKE) -> bool:
    """True if the texts are alike enough and agree in their numbers and negations."""
    return likeness(one, other) >= alike and _telling(one) == _telling(other)


def _telling(text: str) -> Counter[str]:
    return Counter(word.replace("'", "") for word in comparable(text) if _NEGATION.fullmatch(word) or _NUMBER.search(word))
