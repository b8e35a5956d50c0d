"""The words of a key sentence that are worth a glance: which ones the claim shares, and how marked words are shown.

Nothing here chooses sentences, and nothing knows a terminal or a page: they say what goes around a marked word.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from twicetold.text import is_number, places, squeezed, words
from twicetold.types import KeySentence

_HALVES = frozenset(["ll", "ve", "re"])
"""What is left of "we'll", "they've" and "you're" when little words are dropped: no word that a claim shares."""

Spans = tuple[tuple[int, int], ...]
"""Places (start, end) in a text, in order, none of them in another."""

Around = tuple[str, str]
"""What is put before a marked word and after it."""


def quoted(text: str, lang: str, weights: Mapping[str, float]) -> Spans:
    """Return the places of the words in `text` that the claim shares; `weights` are the claim's words, 0 for those that say little.

    Of a number such as 1.2 the claim has to have all parts: "1 of 50" does not share it.
    """
    said = {word for word, weight in weights.items() if weight > 0 and word not in _HALVES}

    def is_shared(word: str) -> bool:
        parts = words(word, lang)
        return not said.isdisjoint(parts) and (not is_number(word) or weights.keys() >= set(parts))

    return tuple((start, end) for start, end in places(text) if is_shared(text[start:end]))


def shown(key: KeySentence, mark: Around, typical: Around, *, written: Callable[[str], str] = str) -> str:
    """Return the sentence on one line, its quoted words between the two of `mark`, its typical ones between the two of `typical`.

    Every piece of the sentence goes through `written` (which escapes, for a page); what is put around words does not.
    """
    spans = sorted([(*span, mark) for span in key.marks] + [(*span, typical) for span in key.typical])
    parts, at = [], 0
    for start, end, (before, after) in spans:
        if at <= start < end:  # one that begins inside another has been shown with it
            parts += [written(squeezed(key.text[at:start])), before, written(squeezed(key.text[start:end])), after]
            at = end
    return "".join([*parts, written(squeezed(key.text[at:]))]).strip()


def clipped(key: KeySentence, chars: int) -> KeySentence:
    """Return the sentence cut at so many characters, with the marks that are left."""
    if len(key.text) <= chars:
        return key
    end = chars - 1
    marks, typical = (tuple(span for span in spans if span[1] <= end) for spans in (key.marks, key.typical))
    return dataclasses.replace(key, text=key.text[:end] + "…", marks=marks, typical=typical)
