"""How a fact-check words its claim, as far as near-duplicates are concerned: letters, words, and what alone turns a claim into another.

Also the keys under which near-equal wordings meet (MinHash; Broder 1997): two claims that share 85 of 100 words meet 97 times in 100.
Keys only bring candidates together; `Wording.is_nearly` decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from zlib import crc32

import numpy as np

from twicetold.minhash import MinHash
from twicetold.types import FactCheck

FEWEST_WORDS = 4
"""A shorter claim or title says too little for two of them to mean the same."""
MOST_ALIKE = 5
"""A wording that more fact-checks than this share is boilerplate."""
NEARLY = 0.85
_FEWEST_NEAR = 2 * FEWEST_WORDS

_WORD = re.compile(r"\w+")
_NEGATIONS = frozenset(["no", "not", "never", "none", "nobody", "nothing", "without", "neither", "nor", "cannot"])
_VERBS = frozenset(["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "wo", "ca", "could", "should", "would"])

_BANDS, _ROWS = 6, 5
_KEYS = MinHash(_BANDS, _ROWS)
_BAND = np.arange(_BANDS, dtype=np.uint64) << np.uint64(60)


@dataclass(frozen=True, slots=True)
class Wording:
    """What is compared of a fact-check: the letters of its claim and title, and the claim's words."""

    claim: str
    title: str
    words: frozenset[str]
    n_words: int

    @classmethod
    def of(cls, check: FactCheck) -> Wording:
        """Read the wording; a fact-check without a claim is known by its title."""
        said = _WORD.findall(_folded(check.claim or check.title))
        return cls("".join(said), "".join(_WORD.findall(_folded(check.title))), frozenset(said), len(said))

    @property
    def says_enough(self) -> bool:
        """True if two fact-checks of this wording can be taken for the same case."""
        return self.n_words >= FEWEST_WORDS

    def is_nearly(self, other: Wording) -> bool:
        """True if almost all words are shared, and numbers and negations agree."""
        if min(self.n_words, other.n_words) < _FEWEST_NEAR:
            return False
        shared = len(self.words & other.words)
        if shared < NEARLY * len(self.words | other.words):
            return False
        return not any(decides(word) for word in self.words ^ other.words)


@lru_cache(maxsize=50_000)
def decides(word: str) -> bool:
    """True for a word that alone turns a claim into another one."""
    return word in _NEGATIONS or (word.endswith("nt") and word[:-2] in _VERBS) or any(map(str.isdigit, word))


class _Bare(dict[int, str]):
    """Remembers each character without its accents. Marks are all that normalising would reorder, so one by one is as good as a text."""

    def __missing__(self, code: int) -> str:
        self[code] = bare = "".join(letter for letter in unicodedata.normalize("NFKD", chr(code)) if not unicodedata.combining(letter))
        return bare


_BARE = _Bare()


def _folded(text: str) -> str:
    # Apostrophes go first, so that "isn't" is one word however it is written.
    plain = text.casefold().replace("'", "").replace("’", "").replace("_", " ")
    return plain if plain.isascii() else plain.translate(_BARE)


# --- a wording as numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Print:
    """A wording as an index keeps it: hashes of its letters, of its title's, of the words that decide, and of each word.

    `near` are the keys under which it meets near-equal wordings; a claim of few words has none.
    """

    letters: int
    title: int
    telling: int
    words: frozenset[int]
    near: tuple[int, ...]

    def is_nearly(self, other: Print) -> bool:
        """True if almost all words are shared, and numbers and negations agree."""
        if not self.near or not other.near or self.telling != other.telling:
            return False
        return len(self.words & other.words) >= NEARLY * len(self.words | other.words)


def prints(wordings: Sequence[Wording]) -> list[Print]:
    """Return the numbers of each wording; a thousand at once take a third of the time of one by one."""
    hashes = [np.array(sorted({crc32(word.encode()) for word in wording.words}), np.uint64) for wording in wordings]
    telling = [_hash(" ".join(sorted(filter(decides, wording.words)))) for wording in wordings]
    keys = _near_keys(hashes, telling)
    return [
        Print(
            _hash(wording.claim),
            _hash(wording.title),
            tells,
            frozenset(mine.tolist()),
            tuple(near) if wording.n_words >= _FEWEST_NEAR else (),
        )
        for wording, tells, mine, near in zip(wordings, telling, hashes, keys, strict=True)
    ]


def _near_keys(hashes: Sequence[np.ndarray[Any, Any]], telling: Sequence[int]) -> list[list[int]]:
    """Return the keys of each set of words: each mixes the least values of five random hashes with the words that decide."""
    places, mixed = _KEYS.mixed(hashes)
    found: list[list[int]] = [[] for _ in hashes]
    mixed ^= np.array([telling[place] for place in places], np.int64).view(np.uint64)[:, None]
    for place, keys in zip(places, (mixed + _BAND).view(np.int64).tolist(), strict=True):
        found[place] = keys
    return found


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)
