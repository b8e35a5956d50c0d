"""Co-reference: GAP's ambiguous pronouns and LitBank's documents (CoNLL layer)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from twicetold.errors import BadData
from twicetold_lab.datasets.layout import files_in, needed, plain


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text, the place of its first character, and whether the pronoun means it."""

    text: str
    at: int
    is_meant: bool


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun in a text and the two names it might mean; it may mean neither."""

    id: str
    text: str
    pronoun: str
    at: int
    names: tuple[Name, Name]
    url: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` (the latter not included) of a sentence, and the entity they name."""

    sentence: int
    start: int
    end: int
    entity: int


@dataclass(frozen=True, slots=True)
class Document:
    """A tokenised text with every mention of every entity."""

    id: str
    sentences: tuple[tuple[str, ...], ...]
    mentions: tuple[Mention, ...]


def gap(path: Path) -> Iterator[Pronoun]:
    """Read a GAP file. Offsets count characters."""
    rows = plain(path, columns=11)
    next(rows, None)
    for id, text, pronoun, at, a, a_at, a_is, b, b_at, b_is, url in rows:
        names = Name(a, int(a_at), a_is == "TRUE"), Name(b, int(b_at), b_is == "TRUE")
        yield Pronoun(id, text, pronoun, int(at), names, url)


def litbank(folder: Path) -> Iterator[Document]:
    """Read LitBank's folder `coref/conll`."""
    for path in files_in(folder, "*.conll"):
        yield conll(path)


def conll(path: Path) -> Document:
    """Read one CoNLL document: a word a line, its last cell the entities that open and close there, a blank line between sentences."""
    sentences: list[list[str]] = [[]]
    mentions: list[Mention] = []
    opened: dict[int, list[int]] = {}
    for line in needed(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if not line.strip():
            sentences += [[]] if sentences[-1] else []
            continue
        cells = line.split("\t")
        if len(cells) < 5:
            raise BadData(f"{path}: not a CoNLL line: {line!r:.80}")
        at = len(sentences[-1])
        sentences[-1].append(cells[3])
        for opens, entity, closes in re.findall(r"(\(?)(\d+)(\)?)", cells[-1]):
            starts = opened.setdefault(int(entity), [])
            if opens:
                starts.append(at)
            if closes:
                if not starts:
                    raise BadData(f"{path}: entity {entity} closes before it opens, at {cells[3]!r}")
                mentions.append(Mention(len(sentences) - 1, starts.pop(), at + 1, int(entity)))
    ordered = sorted(mentions, key=lambda mention: (mention.sentence, mention.start, -mention.end))
    return Document(path.stem, tuple(tuple(words) for words in sentences if words), tuple(ordered))
