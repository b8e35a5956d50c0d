"""A claim and a sentence as the model reads them: [CLS] claim [SEP] sentence [SEP], each cut at its own length."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twicetold.errors import BadData

if TYPE_CHECKING:
    import tokenizers

CLAIM_TOKENS, SENTENCE_TOKENS = 64, 48
CLAIM_LETTERS = 1000
"""Of a claim this many characters are compared by words and by static vectors."""
CLS, SEP = "[CLS]", "[SEP]"


@dataclass(frozen=True, slots=True)
class Pairing:
    """How claims and sentences are cut and joined."""

    cls: int
    sep: int
    claim_tokens: int = CLAIM_TOKENS
    sentence_tokens: int = SENTENCE_TOKENS

    @classmethod
    def of(cls, tokenizer: tokenizers.Tokenizer, claim_tokens: int = CLAIM_TOKENS, sentence_tokens: int = SENTENCE_TOKENS) -> Pairing:
        """Read the marks of a tokenizer."""
        first, between = tokenizer.token_to_id(CLS), tokenizer.token_to_id(SEP)
        if first is None or between is None:
            raise BadData(f"the tokenizer has no {CLS} or no {SEP}; MTM needs that of a BERT-like model")
        return cls(first, between, claim_tokens, sentence_tokens)

    def join(self, claim: Sequence[int], sentence: Sequence[int]) -> Pair:
        """Join two texts; what is beyond their lengths is not read."""
        asked, said = claim[: self.claim_tokens], sentence[: self.sentence_tokens]
        return Pair((self.cls, *asked, self.sep, *said, self.sep), len(asked))


@dataclass(frozen=True, slots=True)
class Pair:
    """Token ids, of which `claim` after the first belong to the claim; the sentence stands between the second and third mark."""

    ids: tuple[int, ...]
    claim: int

    @property
    def types(self) -> list[int]:
        """0 for the claim and its marks, 1 for the sentence and its mark."""
        return [0] * (self.claim + 2) + [1] * (len(self.ids) - self.claim - 2)

    @property
    def claim_span(self) -> slice:
        """Where the claim's own tokens stand."""
        return slice(1, 1 + self.claim)

    @property
    def sentence_span(self) -> slice:
        """Where the sentence's own tokens stand."""
        return slice(self.claim + 2, len(self.ids) - 1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a claim as it is read: its tokens, and its words that say something."""

    ids: list[int]
    words: frozenset[str]


def most_alike(stretches: Sequence[Stretch], words: Set[str]) -> list[int]:
    """Return the tokens of the stretch that shares most words with a sentence; of equal ones the first."""
    return max(stretches, key=lambda stretch: len(stretch.words & words)).ids


def token_ids(tokenizer: tokenizers.Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    """Tokenise texts without any marks; Chinese is cut into characters."""
    return [encoding.ids for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
