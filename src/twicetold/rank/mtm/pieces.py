"""Tokenise sentences by the pieces between their spaces, each only once: most of them are words that were met before.

A BERT-like tokenizer never looks across a space, so a text's tokens are those of its pieces, one after the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tokenizers

_MOST, _LONGEST = 50_000, 30
"""Pieces that are remembered, and characters of the longest of them: some 10 MB at most."""


class Pieces:
    """A tokenizer that remembers the pieces it has cut."""

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text, without any marks."""
        split = [text.split(" ") for text in texts]
        needed = {piece for pieces in split for piece in pieces}
        known = self._known  # another thread may begin a new one
        found = {piece: known[piece] for piece in needed if piece in known}
        found |= self._cut([piece for piece in needed if piece not in found])
        return [[id for piece in pieces for id in found[piece]] for pieces in split]

    def places(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the tokens of a text, and the place in it that each was made of."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids, encoding.offsets

    def _cut(self, pieces: Sequence[str]) -> dict[str, list[int]]:
        # All in one text: a call for each takes three times as long.
        ids, offsets = self.places(" ".join(pieces))
        starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
        cut: dict[str, list[int]] = {piece: [] for piece in pieces}
        for id, (start, _) in zip(ids, offsets, strict=True):
            cut[pieces[bisect_right(starts, start) - 1]].append(id)
        if len(self._known) > _MOST:
            self._known = {}
        self._known.update((piece, some) for piece, some in cut.items() if len(piece) <= _LONGEST)
        return cut
