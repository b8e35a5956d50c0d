"""Long claims stretch by stretch: a post with the text of its picture says several things, and an article answers one of them."""

from __future__ import annotations

import re

WORDS, STEP, MOST = 32, 24, 12
"""Words of a stretch, words from the beginning of one to that of the next, and how many are looked at."""

# Chinese and Japanese have no spaces: there each character counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def stretches(text: str) -> list[str]:
    """Return pieces of the text that overlap by a quarter; the text itself, trimmed, if it is no longer than one.

    >>> [len(piece.split()) for piece in stretches("word " * 60)]
    [32, 32, 12]
    """
    places = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    starts = range(0, max(1, len(places) - WORDS + STEP), STEP)
    return [text[places[at][0] : places[min(at + WORDS, len(places)) - 1][1]] for at in starts[:MOST]] if places else [""]
