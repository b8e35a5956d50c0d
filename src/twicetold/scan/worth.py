"""How much a line is worth checking, by its form: numbers, comparisons, names and the past against talk, thanks and questions.

The weights were set by hand, and this is what remains where no trained model is at hand (`rerank.checkworthy`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from twicetold.types import Line

_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|thousand|million|billion|trillion|percent|"
    r"half|third|quarter|double|doubled|twice|dozens?)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:most|least|more|less|fewer|highest|lowest|largest|biggest|smallest|worst|best|first|last|only|never|ever|every|no one|nobody|"
    r"record|increase[ds]?|decrease[ds]?|rose|fell|raised?|cut|lost|grew|average|rate|higher|lower)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|voted|said|signed|passed|supported|opposed|called|gave|got|took|made|created|came|went|paid|killed)\b"
)
_OPINION = re.compile(
    r"\b(?:i think|i believe|i feel|i hope|i will|we will|i'm going to|we're going to|should|must|let me|let's|would like)\b", re.I
)
_TALK = re.compile(
    r"^(?:thank|thanks|good (?:evening|morning|night)|welcome|please|yes|no|okay|ok|right|well|hello|hi|all right|absolutely|exactly|sure|"
    r"\[|\(|applause|go ahead|excuse me|sorry)\b",
    re.I,
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def by_form(lines: Sequence[Line], at: int) -> float:
    """Return how much the line at this place is worth checking, from 0 to 1; about .3 is where claims begin.

    >>> round(by_form([Line("", "We lost 60,000 factories since China entered the World Trade Organization.")], 0), 1)
    0.9
    >>> round(by_form([Line("", "Thank you very much, everybody.")], 0), 1)
    0.0
    """
    text = lines[at].text
    n_words = len(text.split())
    if n_words < 4:
        return 0.0
    weight = -2.6 + 0.5 * math.log(n_words)
    weight += 1.8 * bool(_NUMBER.search(text)) + 0.9 * bool(_COMPARED.search(text)) + 0.7 * bool(_PAST.search(text))
    weight += 0.8 * bool(_NAME.search(text)) - 1.0 * bool(_OPINION.search(text)) - 1.5 * text.rstrip().endswith("?")
    weight -= 2.5 * bool(_TALK.match(text) and n_words < 12)
    return 1 / (1 + math.exp(-weight))
