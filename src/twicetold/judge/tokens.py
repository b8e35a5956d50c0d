"""A text as judging reads it: words with their places, their lemmas, and which of them carry content.

English only. Lemmas are stems, but for irregular verbs and plurals, which go by their base form ("fell" and "falls" are both "fall").
Nothing here compares two texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from twicetold.judge.lists import pairs, words_of
from twicetold.text import sentences
from twicetold.text import words as stems

MOST_CHARS = 20_000
"""Of one text; what stands beyond is not read."""

# Every alternative starts with other characters than those it repeats before, so each text is read in one pass.
_TOKEN = re.compile(r"(?:[A-Za-z]\.){2,}|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[%$€£°#]")
_CLAUSE = re.compile(r"[,;:–—]|\s-\s")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign with its place. `low` is in lower case with straight apostrophes; `is_first` begins a sentence."""

    text: str
    low: str
    start: int
    end: int
    is_first: bool
    is_word: bool
    is_number: bool

    @property
    def is_capital(self) -> bool:
        """True if it begins with a capital."""
        return self.text[0].isupper()


@dataclass(frozen=True, eq=False)  # compared and hashed as itself: `read` gives the same one for the same text
class Words:
    """A text cut into tokens."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        """The lemma of each token."""
        return tuple(lemma(token.low) for token in self.tokens)

    @cached_property
    def content(self) -> tuple[int, ...]:
        """The places of tokens that carry content: neither function words nor signs nor single letters."""
        return tuple(place for place, token in enumerate(self.tokens) if is_content(token))

    @cached_property
    def content_lemmas(self) -> frozenset[str]:
        """The lemmas of the content words."""
        return frozenset(self.lemmas[place] for place in self.content)

    def near(self, first: int, last: int, reach: int = 4) -> frozenset[str]:
        """Return the lemmas of up to `reach` content words on either side of the tokens from `first` to `last`."""
        before, after = bisect_left(self.content, first), bisect_right(self.content, last)
        places = (*self.content[max(0, before - reach) : before], *self.content[after : after + reach])
        return frozenset(self.lemmas[place] for place in places)

    def gap(self, place: int) -> str:
        """Return what stands between a token and the next one."""
        return self.text[self.tokens[place].end : self.tokens[place + 1].start] if place + 1 < len(self.tokens) else ""

    def ends_clause(self, place: int) -> bool:
        """True if a clause or sentence ends after this token."""
        following = place + 1
        return following >= len(self.tokens) or self.tokens[following].is_first or bool(_CLAUSE.search(self.gap(place)))

    @cached_property
    def is_shouted(self) -> bool:
        """True if most letters are capitals, so that capitals tell nothing."""
        letters = [token.text for token in self.tokens if token.is_word]
        return sum(map(str.isupper, letters)) * 2 > len(letters) if letters else False

    @cached_property
    def is_headline(self) -> bool:
        """True if nearly all content words begin with a capital, as in headlines; names alone never make up so much of a sentence."""
        inner = [self.tokens[place] for place in self.content if self.tokens[place].is_word and not self.tokens[place].is_first]
        return len(inner) >= 4 and sum(not token.is_capital for token in inner) * 10 <= len(inner)


@lru_cache(maxsize=2_048)
def read(text: str) -> Words:
    """Cut a text into tokens."""
    shown = text[:MOST_CHARS]
    starts = iter([start for start, _ in sentences(shown)])
    following = next(starts, len(shown) + 1)
    found = []
    for place in _TOKEN.finditer(shown):
        is_first = place.end() > following
        while place.end() > following:
            following = next(starts, len(shown) + 1)
        word, initial = place[0], place[0][0]
        low = word.lower().replace("’", "'")
        found.append(Token(word, low, place.start(), place.end(), is_first, initial.isalpha(), initial.isdigit()))
    return Words(text, tuple(found))


@lru_cache(maxsize=50_000)
def lemma(low: str) -> str:
    """Return a word's lemma; a word that is indexed by no stem stands for itself.

    >>> lemma("fell"), lemma("falls"), lemma("women")
    ('fall', 'fall', 'woman')
    """
    plain = low.removesuffix("'s")
    base = _IRREGULAR.get(plain, plain)
    found = stems(base)
    return found[0] if len(found) == 1 else base


def is_content(token: Token) -> bool:
    """True for words and numbers that are not function words."""
    return (token.is_word or token.is_number) and (len(token.low) > 1 or token.is_number) and token.low not in FUNCTION


_IRREGULAR = {form: base for base, forms in pairs("irregular.txt") for form in forms}
FUNCTION = words_of("function.txt")
"""Words that carry no content of their own; negations and quantifiers among them are looked at elsewhere."""
