"""Copies among the posts of a partition: each text is screened once, and all its posts get the answer.

Copies are posts with the same words, or nearly (MinHash keys, then the check of `posts.sketch`: 0.8 of the runs of three words, equal
numbers and negations). Posts that name different links known to the collection are never copies: the link alone may answer them.
The first of them stands for all, so the answer does not depend on who screens what. Copies in different partitions are not looked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from twicetold.posts.clean import comparable
from twicetold.posts.sketch import are_copies, keys_of

_MOST_TRIED = 8
"""Posts that share a key with a new one and are compared with it: a key of many posts is a common phrase."""


def originals(texts: Sequence[str], apart: Sequence[Hashable]) -> list[int]:
    """Return, for each text, the place of the first text that it is a copy of: its own if it is none.

    Texts are only compared where `apart` is equal.
    """
    same: dict[tuple[Hashable, str], int] = {}
    met: dict[tuple[Hashable, int], list[int]] = {}
    found: list[int] = []
    for place, (text, kind, keys) in enumerate(zip(texts, apart, keys_of(texts), strict=True)):
        letters = " ".join(comparable(text))
        # Without a word (only links or signs) nothing can be compared but the text itself.
        first = same.setdefault((kind, letters or text), place)
        if first == place and keys:
            first = _near(place, texts, [met.get((kind, key), []) for key in keys])
            same[(kind, letters)] = first
        if first == place:
            for key in keys:
                met.setdefault((kind, key), []).append(place)
        found.append(first)
    return found


def _near(place: int, texts: Sequence[str], met: Sequence[Sequence[int]]) -> int:
    tried = list(dict.fromkeys(other for some in met for other in some[:_MOST_TRIED]))
    return next((other for other in sorted(tried) if are_copies(texts[other], texts[place])), place)
