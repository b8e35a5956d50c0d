"""One query's answers as a measure sees them: grades and scores in ranked order, and the grades of all judged documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Judged:
    """`grades[i]` and `scores[i]` belong to the document of rank i + 1; a document without a judgement has grade 0.

    `all_grades` are those of every judged document of the query, retrieved or not.
    """

    grades: NDArray[np.int64]
    scores: NDArray[np.float64]
    all_grades: NDArray[np.int64]

    @classmethod
    def of(cls, docs: Sequence[tuple[str, float]], judged: Mapping[str, int]) -> Judged:
        """Judge (id, score) pairs, best first."""
        grades = np.fromiter((judged.get(id, 0) for id, _ in docs), dtype=np.int64, count=len(docs))
        scores = np.fromiter((score for _, score in docs), dtype=np.float64, count=len(docs))
        return cls(grades, scores, np.fromiter(judged.values(), dtype=np.int64, count=len(judged)))

    def relevant(self, rel: int) -> int:
        """How many documents are relevant at this grade."""
        return int((self.all_grades >= rel).sum())

    @cached_property
    def tied(self) -> tuple[tuple[int, int], ...]:
        """The groups of equal score, as (first, one past last) places."""
        return tuple(self._groups())

    def _groups(self) -> Iterator[tuple[int, int]]:
        start = 0
        for _, same in groupby(self.scores.tolist()):
            size = sum(1 for _ in same)
            yield start, start + size
            start += size
