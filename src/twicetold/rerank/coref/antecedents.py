"""Which earlier mention a pronoun of the third person means: those that fit by kind and gender, ranked by the mention ranker."""

from __future__ import annotations

import numpy as np

from twicetold.rerank.coref.features import Text
from twicetold.rerank.coref.gender import genders_of
from twicetold.rerank.coref.mentions import FEMALE, MALE, THING, Mention
from twicetold.rerank.coref.ranker import Ranker

SURE = {"he": 0.0, "it": 2.0, "they": 2.0}
"""By how much the best antecedent must beat "none": things are replaced only when that is plain, since a wrong name misleads the search."""


def antecedent_of(text: Text, at: int, ranker: Ranker | None, *, speaker: str = "") -> str:
    """Return the words that the pronoun, mention `at` of the text, stands for; "" where nothing fits or it is not plain.

    Without a ranker the nearest fitting name is taken for he and she, and nothing for it and they. The speaker is never he or she.
    """
    word = text.tokens[text.mentions[at].start].text.casefold()
    wanted = "m" if word in MALE else "f" if word in FEMALE else ""
    kind = "he" if wanted else "it" if word in THING else "they"
    fitting = [i for i in range(at) if _fits(text, text.mentions[i], text.mentions[at], wanted, speaker)]
    if not fitting:
        return ""
    if ranker is None:
        return _words(text, text.mentions[fitting[-1]]) if wanted else ""
    scores = ranker.scores(text, fitting, at)
    best = int(np.argmax(scores))
    return _words(text, text.mentions[fitting[best]]) if scores[best] > SURE[kind] else ""


def _fits(text: Text, one: Mention, pronoun: Mention, wanted: str, speaker: str) -> bool:
    """True if a mention may be what the pronoun means: he and she are names that fit, not the speaker; it and they are no pronouns."""
    if one.kind == "pronoun" or one.end > pronoun.start:
        return False
    words = _words(text, one)
    if not wanted:
        return not (set(genders_of(words)) - {"?"})
    if one.kind != "name" or (speaker and words.split()[-1] == speaker.split()[-1]):
        return False
    return wanted in genders_of(words)


def _words(text: Text, mention: Mention) -> str:
    return " ".join(token.text for token in text.tokens[mention.start : mention.end])
