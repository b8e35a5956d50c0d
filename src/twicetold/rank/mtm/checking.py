"""How a fact-check speaks when it judges ("no evidence", "out of context", "never said"), found in a sentence; by a table, not by a model.

The words of judgement in sixteen languages are those that ratings are read by (`ingest.words`); English has negations and words about
claims besides. A word or two that say something else as often ("right", "real", "spin") are left out.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise

from twicetold.ingest.words import LANGUAGES
from twicetold.marking import Spans
from twicetold.text import places, words

_SPOKEN = (
    "actually|in fact|in reality|in truth|contrary to|instead|claim|claims|claimed|claiming|rumor|rumors|rumour|rumours|falsely|"
    "wrongly|alleged|allegedly|purported|purportedly|purporting|supposed|supposedly|evidence|proof|denied|denies|refuted|dismissed|"
    "conspiracy theory|conspiracy theories|fact check|fact checked|fact checkers|hoaxes|myths|no record|no sign|no indication|no link|"
    "no connection|misinformation|disinformation|unlikely|impossible|we rate|we found|our ruling|altered to"
)
_AMBIGUOUS = frozenset([
    "right", "real", "fact", "spin", "edited", "staged", "legend", "mixed", "opinion", "unknown", "unrelated", "complicated", "humor",
    "explainer", "explanatory", "fiction", "montage", "mixture", "unclear", "echt", "correcto", "opinión", "meinung",
])  # fmt: skip
_NEGATIONS = frozenset(["no", "not", "never", "none", "nothing", "neither", "nor", "cannot", "without"])

Phrase = tuple[str, ...]


def phrases_of_checking(text: str, lang: str, taken: Spans = ()) -> Spans:
    """Return the places of the words of judgement in a sentence, the longest phrase at each; none has a word of those `taken`.

    In English a negation takes the word after it along, "not supported"; phrases side by side are one: "no substantiated proof".

    >>> sentence = "There is no evidence that he ever said so; it isn't true."
    >>> [sentence[start:end] for start, end in phrases_of_checking(sentence, "en")]
    ['is no evidence', "isn't true"]
    """
    spans = places(text)
    said = [_folded(text[start:end]) for start, end in spans]
    free = [all(end <= a or b <= start for a, b in taken) for start, end in spans]
    joined = [not text[a[1] : b[0]].strip(" \t\n\r-–‑") for a, b in pairwise(spans)]
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(spans):
        reach = 1  # words from here that are free and stand side by side
        while at + reach < len(spans) and joined[at + reach - 1] and free[at + reach]:
            reach += 1
        length = _length(said[at : at + reach], lang) if free[at] else 0
        if length:
            goes_on = found and joined[at - 1] and found[-1][1] == spans[at - 1][1] < spans[at][0]
            found.append((found.pop()[0] if goes_on else spans[at][0], spans[at + length - 1][1]))
        at += max(length, 1)
    return tuple(found)


def _length(said: list[str], lang: str) -> int:
    """How many of these words, from the first on, are a phrase of judgement."""
    for phrase in _phrases(lang).get(said[0], ()):
        if tuple(said[: len(phrase)]) == phrase:
            return len(phrase)
    if lang == "en" and (said[0] in _NEGATIONS or said[0].endswith("n't")):
        return 2 if len(said) > 1 and words(said[1]) else 1
    return 0


@cache
def _phrases(lang: str) -> dict[str, tuple[Phrase, ...]]:
    """Phrases by their first word, the longest first."""
    said = [phrase for some in LANGUAGES.get(lang, {}).values() for phrase in some.split("|")]
    found: dict[str, list[Phrase]] = {}
    for text in [*said, *(_SPOKEN.split("|") if lang == "en" else ())]:
        phrase = tuple(_folded(text[start:end]) for start, end in places(text))
        if text not in _AMBIGUOUS and phrase:
            found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(sorted(some, key=len, reverse=True)) for first, some in found.items()}


def _folded(word: str) -> str:
    """A word in lower case, without accents."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
