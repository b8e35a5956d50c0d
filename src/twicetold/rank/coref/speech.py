"""Pronouns in a speech: I is who speaks, you is who is spoken to, and he, she and it are looked for in the lines before.

Who speaks is known, so first and second person follow rules; the third person is decided by a mention ranker, which sees each turn as
beginning with its speaker's name. "We" and "us" are left alone: they may mean a party, a country or everyone; so are "they", "this"
and "that", which seldom mean a single name. "It" is replaced only by an institution, law or treaty, and where that is plain. "The
president" becomes a name when the day is known and no other country is named. A line keeps its place: only words inside it are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from twicetold.rank.coref.antecedents import antecedent_of, institution_of
from twicetold.rank.coref.features import Text, Words
from twicetold.rank.coref.mentions import (
    ADDRESSED,
    FEMALE,
    MALE,
    SPEAKER,
    THING,
    Token,
    find_mentions,
    tokenise,
)
from twicetold.rank.coref.persons import Person, Persons
from twicetold.rank.coref.ranker import Ranker
from twicetold.rank.coref.resolution import NOTHING, Replacement, Resolution, replaced
from twicetold.types import Context, Line

REACH = 10
"""How many lines back an antecedent is looked for."""

_IDIOMS = re.compile(
    r"\b(?:thank|thanks to|tell|told|ask|asked) you\b|\byou (?:know|see|guys|all|folks|can|have to|need to|want to)\b", re.IGNORECASE
)
_PRESIDENT = re.compile(r"\b(?:the|our|this) president\b(?! of| elect|-elect|ial)(?!'s? (?:men|day))", re.IGNORECASE)
_PRESIDENTS = (
    ("1993-01-20", "Bill Clinton"),
    ("2001-01-20", "George W. Bush"),
    ("2009-01-20", "Barack Obama"),
    ("2017-01-20", "Donald Trump"),
    ("2021-01-20", "Joe Biden"),
    ("2025-01-20", "Donald Trump"),
)


class SpeechResolver:
    """Resolves a line of a transcript. Without a ranker the nearest fitting name is taken for he and she."""

    def __init__(self, words: Words, person: Person, *, ranker: Ranker | None = None) -> None:
        self._words = words
        self._person = person
        self._known = Persons(person)
        self._ranker = ranker

    def __call__(self, context: Context, said_on: str = "") -> Resolution:
        """Resolve the line at `context.at`, said on this day (ISO, "" if unknown)."""
        if not context.lines:
            return NOTHING
        line = context.lines[context.at]
        found = sorted([*self._persons(line, context), *self._third_persons(context), *_presidents(line, said_on)], key=lambda r: r.start)
        kept = [one for i, one in enumerate(found) if i == 0 or one.start >= found[i - 1].end]
        return Resolution(replaced(line.text, kept), tuple(kept)) if kept else NOTHING

    # --- first and second person

    def _persons(self, line: Line, context: Context) -> Iterator[Replacement]:
        speaker = self._person(line.speaker, context)
        addressed = self._addressed(line, context)
        skipped = [found.span() for found in _IDIOMS.finditer(line.text)]
        for token in tokenise(line.text):
            word = token.text.casefold()
            base = re.split("['’]", word)[0]  # I'm, you've
            end = token.start + len(base)
            if base in SPEAKER and speaker:
                yield Replacement(token.start, end, token.text[: len(base)], speaker)
            elif base in ADDRESSED and addressed and not any(start <= token.start < stop for start, stop in skipped):
                yield Replacement(token.start, end, token.text[: len(base)], addressed)

    def _addressed(self, line: Line, context: Context) -> str:
        """Who "you" is: someone named in the line who also speaks; after a question whoever answers; else whoever spoke before."""
        around = [*context.lines[max(0, context.at - REACH) : context.at], *context.lines[context.at + 1 :]]
        others = [label for label in dict.fromkeys(one.speaker for one in reversed(around)) if label != line.speaker]
        people = {label: self._person(label, context) for label in others}
        named = [person for person in people.values() if person and person.split()[-1].casefold() in line.text.casefold()]
        if named:
            return named[0]
        ahead = [one.speaker for one in context.lines[context.at + 1 :] if one.speaker != line.speaker]
        if line.text.endswith("?") and ahead:
            return people.get(ahead[0], "")
        before = [one.speaker for one in reversed(context.lines[max(0, context.at - REACH) : context.at]) if one.speaker != line.speaker]
        return people.get(before[0], "") if before else ""

    # --- third person

    def _third_persons(self, context: Context) -> Iterator[Replacement]:
        line = context.lines[context.at]
        if not any(token.text.casefold() in MALE | FEMALE | THING for token in tokenise(line.text)):
            return
        tokens, here = self._tokens(context)
        mentions = [*find_mentions(tokens)]
        text = Text(tokens, mentions, self._words)
        speaker, judge = self._person(line.speaker, context), self._known.known(context)
        for at, mention in enumerate(mentions):
            word = tokens[mention.start].text.casefold()
            if mention.kind != "pronoun" or mention.start < here or word not in MALE | FEMALE | THING:
                continue
            if word in THING:
                name = institution_of(text, at, self._ranker)
            else:
                name = antecedent_of(text, at, self._ranker, speaker=speaker, judge=judge)
            if name:
                token = tokens[mention.start]
                yield Replacement(token.start, token.end, token.text, name)

    def _tokens(self, context: Context) -> tuple[list[Token], int]:
        """The words of the lines before and of this one, each turn opened by its speaker's name; and where this line's words begin."""
        tokens: list[Token] = []
        here = 0
        first = max(0, context.at - REACH)
        for number in range(first, context.at + 1):
            line = context.lines[number]
            if number == first or line.speaker != context.lines[number - 1].speaker:
                tokens += [Token(word, -1, -1, number) for word in self._person(line.speaker, context).split()]
                tokens += [Token(":", -1, -1, number)]
            here = len(tokens)
            tokens += tokenise(line.text, number)
        return tokens, here


def _presidents(line: Line, said_on: str) -> Iterator[Replacement]:
    name = next((name for start, name in reversed(_PRESIDENTS) if said_on >= start), "")
    for found in _PRESIDENT.finditer(line.text) if name else ():
        yield Replacement(found.start(), found.end(), found[0], name)
