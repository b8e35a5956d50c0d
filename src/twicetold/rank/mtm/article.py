"""An article as MTM reads it: sentences with their places in the body.

The publisher's own statement of the claim and its headline are left out where the body repeats them as a sentence of their own: with
them a match is given away. Very long sentences (text without stops or spaces among them) are cut into pieces, so that no words are
out of the window's reach; of very long articles only the first sentences are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from twicetold.text import sentences
from twicetold.types import FactCheck, Post

MOST_SENTENCES = 1_000
"""An article's sentences beyond these are not looked at; the longest of Vo & Lee's articles has some 300."""

LONGEST = 400
"""Characters of a sentence; what is longer is cut, at a space if there is one."""

_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the place of its first character in the body."""

    at: int
    text: str


def sentences_of(doc: FactCheck | Post) -> tuple[Sentence, ...]:
    """Return the sentences to choose from, in order; none if the document has no body with a letter in it."""
    if not isinstance(doc, FactCheck):
        return ()
    own = {_plain(doc.claim), _plain(doc.title)} - {""}
    openings = {statement.split(" ", 1)[0] for statement in own}
    found: list[Sentence] = []
    for start, end in sentences(doc.body):
        text = doc.body[start:end]
        if _LETTER.search(text) and not (_opening(text) in openings and _plain(text) in own):
            found += _pieces(start, text)
        if len(found) >= MOST_SENTENCES:
            break
    return tuple(found[:MOST_SENTENCES])


def _opening(text: str) -> str:
    """The first word: few sentences begin as the statement does, and the others need not be read to their end."""
    word = _WORD.search(text.casefold())
    return word[0] if word else ""


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _pieces(start: int, text: str) -> list[Sentence]:
    pieces, at = [], 0
    while len(text) - at > LONGEST:
        space = text.rfind(" ", at + LONGEST // 2, at + LONGEST)
        end = space if space > 0 else at + LONGEST
        pieces.append(Sentence(start + at, text[at:end]))
        at = end + 1 if space > 0 else end
    return [*pieces, Sentence(start + at, text[at:])]
