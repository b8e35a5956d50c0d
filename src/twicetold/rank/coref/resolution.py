"""What was replaced in a text, and the text with it: the value every resolver returns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twicetold.rank.coref.mentions import OWNING
from twicetold.types import Context


@dataclass(frozen=True, slots=True)
class Replacement:
    """Characters `start` to `end` of a line, the words that stood there, and the name they stand for."""

    start: int
    end: int
    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """A line with its pronouns replaced. `text` is "" where nothing was."""

    text: str = ""
    replaced: tuple[Replacement, ...] = ()

    def __str__(self) -> str:
        """
        >>> str(Resolution("…", (Replacement(0, 3, "she", "Hillary Clinton"),)))
        'she → Hillary Clinton'
        """
        return ", ".join(dict.fromkeys(f"{one.word} → {one.name}" for one in self.replaced))


NOTHING = Resolution()

Resolver = Callable[[Context], Resolution]
"""What the pronouns of the line at `context.at` stand for."""


def replaced(text: str, replacements: Sequence[Replacement]) -> str:
    """Put names where words stood; replacements are in order and do not overlap. Owners get an 's."""
    parts, at = [], 0
    for one in replacements:
        is_owner = one.word.casefold() in OWNING or (one.word.casefold() == "her" and _is_noun_next(text[one.end :]))
        parts += [text[at : one.start], one.name + ("'s" if is_owner else "")]
        at = one.end
    return "".join([*parts, text[at:]])


_NO_NOUN = re.compile(r"\s*(?:$|[^\w\s]|(?:to|in|on|at|for|with|from|and|or|but|as|that|when|if|because|the|a|an|about|by|off|out|up)\b)")


def _is_noun_next(rest: str) -> bool:
    return not _NO_NOUN.match(rest)
