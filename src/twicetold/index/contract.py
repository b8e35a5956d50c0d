"""What an index of words and one of meanings must be able to do, wherever they are kept.

A fact-check is known to an index by its number in the store. It does not say how anything is searched: `text` and `vectors` do it in
a folder, `milvus` on a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from twicetold.index.rows import Array, Change, Encode, Field
from twicetold.index.text import Field as TextField


class Words(Protocol):
    """BM25 over claim, title and body."""

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        ...

    def __len__(self) -> int: ...

    def reload(self) -> None:
        """See what has been written since."""
        ...

    def follow(self, changes: Iterable[Change], /) -> Iterator[int]:
        """Write the store's changes, oldest first, and yield how many are safe after each commit."""
        ...

    def search(
        self, field: TextField, text: str, lang: str, *, depth: int, allowed: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return (number, BM25 score) of the best `depth` documents, best first; `allowed` restricts them to these numbers."""
        ...

    def score(self, field: TextField, text: str, lang: str, nums: Sequence[int]) -> dict[int, float]:
        """Return the BM25 scores of these documents, those that share no word with the text left out."""
        ...

    def most(self, field: TextField, text: str, lang: str) -> float:
        """Return the score that a document of endless repetition would approach."""
        ...

    def weight(self, field: TextField, word: str, *, most: float) -> float:
        """Return the inverse document frequency of an analysed word, or 0 if it stands in more than the share `most` of documents."""
        ...


class Meanings(Protocol):
    """Unit vectors of claims and titles."""

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        ...

    def __len__(self) -> int: ...

    def refresh(self) -> None:
        """See what has been written since."""
        ...

    def expect(self, vectors: Sequence[Array]) -> None:
        """Learn which vectors will be searched for next without a filter, to search them together if that is faster."""
        ...

    def search(self, vector: Array, *, depth: int, allowed: Sequence[int] | None = None) -> list[int]:
        """Return the numbers of the `depth` fact-checks whose nearer vector is nearest, best first."""
        ...

    def score(self, vector: Array, nums: Sequence[int]) -> Mapping[Field, Array]:
        """Return, by field, the cosine of each of these fact-checks to the vector; 0 where it has no such vector."""
        ...

    def vectors(self, field: Field, nums: Sequence[int]) -> Array:
        """Return the vectors of these fact-checks, (N, D); zeros where there is none."""
        ...

    def take(self, batch: Sequence[Change], encode: Encode) -> None:
        """Write the store's changes of whole counters, encoding only texts that are not here yet."""
        ...
