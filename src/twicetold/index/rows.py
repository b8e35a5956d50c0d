"""The store's changes as rows of vectors: which texts should have one, and which places none.

Changes are cut into batches that never end inside one change counter, so an index that has reached a counter has all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from typing import Any, Literal

import numpy as np

from twicetold.types import FactCheck

Field = Literal["claim", "title"]
FIELDS: tuple[Field, ...] = ("claim", "title")
Array = np.ndarray[Any, Any]

Change = tuple[int, int, FactCheck | None]
"""(number, change counter, fact-check or None if removed), as the store tells it."""

Encode = Callable[[Sequence[str]], Array]
"""Texts to unit rows, (N, D)."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a vector belongs to; `text` is a digest, so that an unchanged text is not encoded again."""

    num: int
    field: Field
    text: int


def batches(changes: Iterable[Change], size: int) -> Iterator[list[Change]]:
    """Cut changes into lists of about `size`, never inside one change counter."""
    batch: list[Change] = []
    for _, together in groupby(changes, key=lambda change: change[1]):
        batch.extend(together)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def texts_of(batch: Sequence[Change]) -> tuple[dict[Row, str], list[tuple[int, Field]]]:
    """Return the texts that should have a vector after these changes, and the places that should have none."""
    wanted: dict[Row, str] = {}
    gone: list[tuple[int, Field]] = []
    for num, _, check in batch:
        for field in FIELDS:
            text = getattr(check, field) if check is not None else ""
            if text:
                wanted[Row(num, field, _digest(text))] = text
            else:
                gone.append((num, field))
    return wanted, gone


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")
