"""Which earlier name a pronoun means, by the mention ranker: he and she among those that fit by gender, it among institutions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twicetold.rank.coref.features import Text
from twicetold.rank.coref.gender import genders_of
from twicetold.rank.coref.mentions import MALE, Mention
from twicetold.rank.coref.persons import Named, is_institution
from twicetold.rank.coref.ranker import Ranker

CERTAIN = 1.0
"""What a name is given that is certainly a person's, over two capitalised words that only may be one's."""

PLAIN = 2.0
"""By how much an institution must beat "none" to be what "it" means: a wrong name misleads the search."""
NEAR = 40
"""Words between an institution and "it" at the most."""

_DOING = frozenset({"do", "does", "doing", "did", "done"})
"""Before "it" these speak of a deed: "we did it"."""
_SAYS_NOTHING = frozenset({"is", "was", "s", "will", "would", "has", "had", "ll", "d", "does", "did", "seems", "takes", "comes", "means"})
"""After "it" these speak of no thing as often as of one: "it is time", "it takes a village"."""
_ANEW = frozenset({",", ";", ":", ".", "and", "or", "but", "because", "so", "if", "when", "who", "which", "that"})
"""Where a clause begins. What a clause is about and its own "it" are never the same: "Congress has not passed it"."""

Judge = Callable[[Text, Mention], Named | None]
"""Tells the person that a mention names, None for no person."""


def antecedent_of(text: Text, at: int, ranker: Ranker | None, *, speaker: str = "", judge: Judge | None = None) -> str:
    """Return the name that the pronoun, mention `at` of the text and one of he's or she's, stands for; "" where none fits or is likely.

    Without a ranker the nearest fitting name is taken. The speaker is never he or she. With a judge only persons are, and each by the
    fullest name known; without one every name may be.
    """
    word = text.tokens[text.mentions[at].start].text.casefold()
    wanted = "m" if word in MALE else "f"
    names = {i: named for i in range(at) if (named := _named(text, i, judge))}
    fitting = [i for i, named in names.items() if _fits(text, i, at, named, wanted, speaker)]
    if not fitting:
        return ""
    if ranker is None:
        return names[fitting[-1]].name
    scores = ranker.scores(text, fitting, at)
    best = int(np.argmax(scores + np.array([CERTAIN * names[i].is_certain for i in fitting], np.float32)))
    return names[fitting[best]].name if scores[best] > 0 else ""


def _named(text: Text, at: int, judge: Judge | None) -> Named | None:
    mention = text.mentions[at]
    if mention.kind == "pronoun":
        return None
    if judge is not None and mention.kind == "name":
        return judge(text, mention)
    words = _words(text, mention)
    return Named(words, False, genders_of(words))


def _fits(text: Text, at: int, pronoun: int, named: Named, wanted: str, speaker: str) -> bool:
    """True if a mention may be what the pronoun means: a name that fits, and not the speaker's."""
    one = text.mentions[at]
    if one.end > text.mentions[pronoun].start:
        return False
    if one.kind != "name" or (speaker and named.name.split()[-1] == speaker.split()[-1]):
        return False
    return wanted in named.genders


def _words(text: Text, mention: Mention) -> str:
    return " ".join(token.text for token in text.tokens[mention.start : mention.end])


def institution_of(text: Text, at: int, ranker: Ranker | None) -> str:
    """Return the institution, law or treaty that "it" or "its", mention `at` of the text, stands for; "" where that is not plain."""
    pronoun = text.mentions[at]
    word = text.tokens[pronoun.start].text.casefold()
    if ranker is None or _at(text, pronoun.start - 1) in _DOING or (word == "it" and _at(text, pronoun.end) in _SAYS_NOTHING):
        return ""
    near = [i for i in range(at) if _is_institution(text, text.mentions[i]) and _is_near(text, text.mentions[i], pronoun, word == "its")]
    if not near:
        return ""
    scores = ranker.scores(text, near, at)
    best = int(np.argmax(scores))
    return _words(text, text.mentions[near[best]]) if scores[best] > PLAIN else ""


def _is_near(text: Text, one: Mention, pronoun: Mention, is_its: bool) -> bool:
    between = text.tokens[one.end : pronoun.start]
    if one.end > pronoun.start or len(between) > NEAR:
        return False
    is_elsewhere = text.tokens[one.start].sentence != text.tokens[pronoun.start].sentence
    return is_its or is_elsewhere or any(token.text.casefold() in _ANEW for token in between)


def _is_institution(text: Text, mention: Mention) -> bool:
    return mention.kind == "name" and is_institution([token.text for token in text.tokens[mention.start : mention.end]])


def _at(text: Text, place: int) -> str:
    """The word at a place, in small letters and without the apostrophe of its shortened form; "" beyond the text."""
    return text.tokens[place].text.casefold().lstrip("'’") if 0 <= place < len(text.tokens) else ""
