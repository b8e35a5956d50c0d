"""Which earlier name he or she means: those that fit by gender, ranked by the mention ranker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twicetold.rerank.coref.features import Text
from twicetold.rerank.coref.gender import genders_of
from twicetold.rerank.coref.mentions import MALE, Mention
from twicetold.rerank.coref.persons import Named
from twicetold.rerank.coref.ranker import Ranker

CERTAIN = 1.0
"""What a name is given that is certainly a person's, over two capitalised words that only may be one's."""

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
