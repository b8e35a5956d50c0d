"""The vectors of texts that are asked about, each made once and kept for the stages that follow. Knows no index."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

Vector = np.ndarray[Any, np.dtype[np.float32]]

_KEPT = 4096
"""A debate's worth of lines, each wanted by itself and by those that judge and match it."""


class QueryVectors:
    """Vectors by text. The encoder never pads, so a vector is the same to the bit whether it is made alone or in a batch."""

    def __init__(self, encode: Callable[[Sequence[str]], Vector]) -> None:
        self._encode = encode
        self._made: dict[str, Future[Vector]] = {}

    def __call__(self, text: str) -> Vector:
        """Return one text's vector, (D,)."""
        return self.start(text).result()

    def start(self, text: str) -> Future[Vector]:
        """Start encoding, or return the pending future: while the encoder works, words can be searched."""
        begun = self._made.get(text)
        if begun is None:
            self._make_room(1)
            begun = self._made[text] = _encoders().submit(lambda: self._encode([text])[0])
        return begun

    def prepare(self, texts: Sequence[str]) -> None:
        """Encode those of the texts that are not known yet together: a batch costs half of what its texts cost alone."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._made]
        self._make_room(len(fresh))
        for text, vector in zip(fresh, self._encode(fresh) if fresh else (), strict=True):
            self._made[text] = Future()
            self._made[text].set_result(vector)

    def forget(self) -> None:
        """Forget every vector."""
        self._made.clear()

    def _make_room(self, more: int) -> None:
        for old in list(self._made)[: max(0, len(self._made) + more - max(_KEPT, more))]:
            del self._made[old]


@cache
def _encoders() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="encoder")
