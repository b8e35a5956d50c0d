"""Keep what is judged on out of what is trained on.

A text leaks if eight words in a row of it stand in a query of a dev or test split of any data set. Boilerplate (slogans, cookie
notices, bylines) is not a leak but teaches nothing: a line that opens or closes many bodies is dropped as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from twicetold_lab import datasets

_WORD = re.compile(r"\w+")
WORDS_IN_A_ROW = 8

JUDGED = {
    "checkthat-2020-task2": ("dev", "test"),
    "checkthat-2021-task2a": ("dev",),
    "checkthat-2021-task2b": ("dev",),
    "role-of-context": ("test",),
    "factchecktweet": ("dev",),
    "volee2020": ("dev", "test", "unseen/dev", "unseen/test"),
}
"""The splits nothing shipped may have seen."""


class Guard:
    """Knows the word runs of all queries that are judged on."""

    def __init__(self, judged: Iterable[str]) -> None:
        self._runs = {run for text in judged for run in _runs(text)}

    @classmethod
    def of_all_sets(cls, root: Path) -> Guard:
        """Read every dev and test query under the data root."""
        return cls(
            claim.text
            for name, parts in JUDGED.items()
            for dataset in [datasets.load(name, root)]
            for part in parts
            for claim in dataset.split(part).claims
        )

    def leaks(self, text: str) -> bool:
        """True if the text shares eight words in a row with a judged query.

        >>> guard = Guard(["one two three four five six seven eight nine"])
        >>> guard.leaks("Two three four five, six seven EIGHT nine ten"), guard.leaks("two three four")
        (True, False)
        """
        return any(run in self._runs for run in _runs(text))


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return (tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(len(words) - WORDS_IN_A_ROW + 1))


def boilerplate(lines: Iterable[Collection[str]], *, times: int = 4) -> frozenset[str]:
    """Return the sentences that stand in at least `times` bodies; each body is given as its sentences."""
    counts = Counter(line for body in lines for line in set(body))
    return frozenset(line for line, count in counts.items() if count >= times)
