"""Key sentences by word vectors and patterns alone (ROT and PMB): no layer is run and no graph is opened.

A sentence's answer depends on the claim and on its own article, never on what is asked beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from twicetold.errors import BadData
from twicetold.marking import Spans
from twicetold.models import ModelFolder, open_folder, shipped
from twicetold.models.textmodel import open_tokenizer
from twicetold.rank.mtm.article import Sentence
from twicetold.rank.mtm.checking import phrases_of_checking
from twicetold.rank.mtm.keys import KEYS, Chosen, choose
from twicetold.rank.mtm.memory import VECTOR_TOKENS, Array, Words
from twicetold.rank.mtm.pairing import CLAIM_LETTERS
from twicetold.rank.mtm.pieces import Pieces
from twicetold.rank.saved import read_opened
from twicetold.text import language, words

if TYPE_CHECKING:
    import tokenizers

KIND = "mtm"
SPARE, SAME = 2, 0.8
"""Twice as many sentences as are wanted are looked at; one says the same as another if it shares this much of the shorter one's words."""
MOST_TYPICAL = 3
ASTRAY = 0.05
"""A phrase without which the sentence would be nearer to its pattern by more than this share of the distance is no part of the pattern, and
taken only where there is no other."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key sentence: its place in the article, its score and what that is made of, its weight in the article's score.

    `near_claim` and `near_pattern` are scaled within the article, 0 to 1; `pattern` is the number of the nearest pattern, -1 if there
    are none.
    """

    sentence: Sentence
    score: float
    near_claim: float
    near_pattern: float
    pattern: int
    weight: float


class Chooser:
    """The part of a trained MTM that chooses key sentences."""

    def __init__(self, folder: ModelFolder, tokenizer: tokenizers.Tokenizer) -> None:
        record, arrays = read_opened(folder, KIND)
        try:
            self._set_up(record, arrays, tokenizer)
        except KeyError as error:
            raise BadData(f"the model in {folder.path} lacks {error}; train it again: twicetold train mtm") from None
        known = len(self._words.scales)
        fits = tokenizer.get_vocab_size() <= known == len(self._words.integers)
        if not fits or (self.patterns is not None and self.patterns.shape[1:] != self._words.integers.shape[1:]):
            raise BadData(
                f"the parts of the model in {folder.path} do not fit each other: {known:,} word vectors for {tokenizer.get_vocab_size():,} "
                "tokens; train it again: twicetold train mtm"
            )

    def _set_up(self, record: dict[str, Any], arrays: dict[str, Array], tokenizer: tokenizers.Tokenizer) -> None:
        self.name = str(record["name"])
        self.patterns = arrays.get("patterns")
        self._is_weighted, self._is_quoted = bool(record["is_weighted"]), bool(record["is_quoted"])
        self._words = Words(arrays["words"], arrays["scales"])
        self._pieces = Pieces(tokenizer)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Self:
        """Open the shipped model, or the one in a folder. Raises BadData, saying what to do, for a missing or damaged file."""
        folder = open_folder(shipped("mtm") if path is None else Path(path))
        return cls(folder, whole_texts(folder))

    def keys(self, claim: str, articles: Sequence[Sequence[Sentence]], *, most: int = KEYS) -> list[tuple[Key, ...]]:
        """Return the key sentences of each article, best first; fewer where there are fewer, none where there are none.

        A sentence that says again what a better one says ("A post claimed: …" around the same quote) is left out.
        """
        chosen = self._chosen(self._tokens(claim, articles), SPARE * most)
        return [named(some, distinct(some, keys, most)) for some, keys in zip(articles, chosen, strict=True)]

    def residuals(self, claim: str, sentences: Sequence[Sentence]) -> Array:
        """Return each sentence's vector minus the claim's, (N, D)."""
        tokens = self._tokens(claim, [sentences])
        return np.asarray(self._words.means(tokens.articles[0]) - self._words.means([tokens.claim])[0])

    def typical(self, claim: str, key: Key, lang: str, quoted: Spans) -> Spans:
        """Return the places in a key sentence of the words with which it judges as fact-checks do, in order, none of them `quoted`.

        Of its phrases of judgement these are the three that do most for its nearness to its pattern: those without which the residual
        would be farthest from it. Any word would be measured so, but near a pattern is mostly what is near the claim ("outbreak" beside
        "virus"), and that is no way of checking.
        """
        found = phrases_of_checking(key.sentence.text, lang, quoted)
        if self.patterns is None or not found:
            return ()
        gains = self._gains(claim, key, found)
        order = sorted(range(len(found)), key=lambda place: (-gains[place], place))[:MOST_TYPICAL]
        kept = [place for place in order if gains[place] >= -ASTRAY] or order[:1]
        return tuple(sorted(found[place] for place in kept))

    def _gains(self, claim: str, key: Key, found: Spans) -> list[float]:
        """How much farther from its pattern the sentence would be without each phrase, as a share of its distance."""
        assert self.patterns is not None
        ids, offsets = self._pieces.places(key.sentence.text)
        rows = self._words.rows(ids[:VECTOR_TOKENS])  # (L, D)
        goal = self._words.means(self._pieces.ids([claim]))[0] + self.patterns[key.pattern]  # (D,)
        total, length = rows.sum(axis=0), len(rows)
        whole = float(np.linalg.norm(total / max(length, 1) - goal))
        gains = []
        for start, end in found:
            inside = [place for place, (a, b) in enumerate(offsets[:length]) if a < end and start < b]
            rest = (total - rows[inside].sum(axis=0)) / max(length - len(inside), 1)
            gains.append((float(np.linalg.norm(rest - goal)) - whole) / max(whole, 1e-8) if inside else -np.inf)
        return gains

    def _tokens(self, claim: str, articles: Sequence[Sequence[Sentence]]) -> Tokens:
        asked, *flat = self._pieces.ids([claim, *(sentence.text for some in articles for sentence in some)])
        rest = iter(flat)
        return Tokens(asked, [[next(rest) for _ in some] for some in articles], Quotes.of(claim, articles))

    def _chosen(self, tokens: Tokens, most: int) -> list[Chosen]:
        asked = self._words.means([tokens.claim])[0]
        return [
            choose(
                self._words.means(some) - asked,
                self.patterns,
                quoted=quoted if self._is_quoted else None,
                most=most,
                is_weighted=self._is_weighted,
            )
            for some, quoted in zip(tokens.articles, tokens.quotes.counts, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Quotes:
    """How many of a claim's words each sentence of some articles holds, (N,) each, and how many words the claim has."""

    counts: list[Array]
    words: int

    @classmethod
    def of(cls, claim: str, articles: Sequence[Sequence[Sentence]]) -> Quotes:
        """Count words that say something, in the form the language of the claim has for all of their endings."""
        lang = language(claim) or "en"
        wanted = set(words(claim[:CLAIM_LETTERS], lang))
        counts = [np.array([len(wanted.intersection(words(sentence.text, lang))) for sentence in some], np.float32) for some in articles]
        return cls(counts, len(wanted))

    def shares(self, article: int) -> Array:
        """What share of the claim's words each sentence of an article holds, (N,)."""
        return np.asarray(self.counts[article] / max(1, self.words))


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a claim and of every sentence of some articles, and how these quote the claim."""

    claim: list[int]
    articles: list[list[list[int]]]
    quotes: Quotes


def whole_texts(folder: ModelFolder) -> tokenizers.Tokenizer:
    """Load a folder's tokenizer so that it cuts no text short."""
    tokenizer = open_tokenizer(folder, 1)
    tokenizer.no_truncation()
    return tokenizer


def distinct(sentences: Sequence[Sentence], chosen: Chosen, most: int) -> Chosen:
    """Return the `most` best of the chosen that do not repeat a better one."""
    kept: list[int] = []
    said: list[set[str]] = []
    for number, place in enumerate(chosen.place.tolist()):
        if len(kept) == most:
            break
        now = set(words(sentences[place].text)) or {sentences[place].text}
        if all(len(now & before) < SAME * max(1, min(len(now), len(before))) for before in said):
            kept.append(number)
            said.append(now)
    return chosen.only(kept)


def named(sentences: Sequence[Sentence], chosen: Chosen) -> tuple[Key, ...]:
    """Return the chosen of these sentences."""
    columns: tuple[list[Any], ...] = tuple(
        column.tolist() for column in (chosen.place, chosen.score, chosen.near_claim, chosen.near_pattern, chosen.pattern, chosen.weight)
    )
    return tuple(Key(sentences[place], *rest) for place, *rest in zip(*columns, strict=True))
