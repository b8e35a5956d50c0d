"""Word lists that judging counts by, kept as plain text beside the code: one entry a line, `#` begins a comment."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources


def lines_of(name: str) -> list[str]:
    """Return the lines of a list without comments and blanks."""
    text = resources.files("twicetold.judge").joinpath("words", name).read_text(encoding="utf-8")
    kept = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in kept if line]


def words_of(name: str) -> frozenset[str]:
    """Return all words of a list, however many stand in a line."""
    return frozenset(word for line in lines_of(name) for word in line.split())


def pairs(name: str) -> list[tuple[str, list[str]]]:
    """Return each line's head, before the colon, and the words after it."""
    found = []
    for line in lines_of(name):
        head, _, rest = line.partition(":")
        found.append((head.strip(), rest.split()))
    return found


def groups(name: str, *, between: str = "|") -> list[list[str]]:
    """Return each line cut at a sign, every part trimmed; parts may hold several words."""
    return [[part.strip() for part in line.split(between) if part.strip()] for line in lines_of(name)]


SETS: Mapping[str, frozenset[str]] = {name: frozenset(words) for name, words in pairs("sets.txt")}
"""Small sets of words, by the file and the name under which they are used."""
