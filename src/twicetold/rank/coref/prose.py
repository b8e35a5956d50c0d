"""Pronouns in an article: he and she are looked for among the names before them, over the body and then the claim it checks.

The claim comes last, as in Shaar et al. 2022, so that its pronouns find what the article has named; "I" and "my" in it are whoever made it.
It and they are replaced only when it is plain. The title stays as it is. Sentences keep their order and number.
"""

from __future__ import annotations

import dataclasses
import re

from twicetold.rank.coref.antecedents import antecedent_of
from twicetold.rank.coref.features import KeptWords, Text, Words
from twicetold.rank.coref.mentions import FEMALE, MALE, SPEAKER, Mention, Token, find_mentions, tokenise
from twicetold.rank.coref.ranker import REACH, Ranker
from twicetold.rank.coref.resolution import NOTHING, Replacement, Resolution, replaced
from twicetold.text import sentences
from twicetold.types import FactCheck

_THIRD = MALE | FEMALE
_MOST_CHARS = 20_000
"""What follows in a longer article is left as it is."""


class ProseResolver:
    """Resolves running text. Costs some 20 ms for an article; a word's vector is made once."""

    def __init__(self, words: Words, ranker: Ranker | None) -> None:
        self._words = KeptWords(words)
        self._ranker = ranker

    def __call__(self, text: str) -> Resolution:
        """Replace the third person in a text."""
        tokens = [token for n, (a, b) in enumerate(sentences(text)) for token in tokenise(text[a:b], n, a)]
        mentions = find_mentions(tokens)
        found = [self._replacement(tokens, mentions, at) for at, mention in enumerate(mentions) if mention.kind == "pronoun"]
        kept = tuple(one for one in found if one is not None)
        return Resolution(replaced(text, kept), kept) if kept else NOTHING

    def _replacement(self, tokens: list[Token], mentions: list[Mention], at: int) -> Replacement | None:
        pronoun = tokens[mentions[at].start]
        if pronoun.text.casefold() not in _THIRD:
            return None
        near = mentions[max(0, at - REACH) : at + 1]
        first = max(0, min(mention.start for mention in near) - 3)
        # Only the words from the farthest mention on: what stands before them would be compared with nothing.
        some = [dataclasses.replace(one, start=one.start - first, end=one.end - first) for one in near]
        here = Text(tokens[first : mentions[at].end + 4], some, self._words)
        name = antecedent_of(here, len(some) - 1, self._ranker)
        return Replacement(pronoun.start, pronoun.end, pronoun.text, name) if name else None

    def article(self, check: FactCheck) -> FactCheck:
        """Return the fact-check with body and claim resolved."""
        body, rest = check.body[:_MOST_CHARS], check.body[_MOST_CHARS:]
        gap = "\n\n"
        whole = body + gap + check.claim
        resolution = self(whole)
        split = len(body) + len(gap)
        in_body = tuple(one for one in resolution.replaced if one.end <= len(body))
        in_claim = [
            dataclasses.replace(one, start=one.start - split, end=one.end - split) for one in resolution.replaced if one.start >= split
        ]
        said = sorted([*in_claim, *_first_persons(check)], key=lambda one: one.start)
        return dataclasses.replace(check, body=replaced(body, in_body) + rest, claim=replaced(check.claim, said))


_I = re.compile(rf"\b(?:{'|'.join(SPEAKER)})\b", re.IGNORECASE)


def _first_persons(check: FactCheck) -> list[Replacement]:
    who = check.claimant if len(check.claimant.split()) > 1 else ""
    return [Replacement(found.start(), found.end(), found[0], who) for found in _I.finditer(check.claim)] if who else []
