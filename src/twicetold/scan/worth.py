"""How much a line is worth checking, by its form: numbers, comparisons, names and the past against talk, thanks and questions.

The weights were set by hand, for English and, more roughly, for Chinese. This is what remains where no trained model is at hand
(`rank.checkworthy`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from twicetold.text import places
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


_EFFECT = re.compile(
    r"\b(?:causes?|caused|cures?|cured|prevents?|prevented|protects?|protected|kills?|contains?|spreads?|emits?|harms?|leads? to|led to)\b",
    re.I,
)
_POINTING = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|here|"
    r"there|let|what|who|how|why|when|where|which|and|but|or|so|if|because|one|thing|point|question|time|sir|folks|guys)\b|['’](?!t\b)|,",
    re.I,
)
_PLAIN_END = re.compile(r"[^\W_][.!。！]?[\"”’)]*\s*$")
_MOST_PLAIN, _PLAIN = 7, 1.9
"""Words of a short statement at most, and what it is given: it has no room for numbers, names and comparisons."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_HAN_FORMS = (
    (1.8, re.compile(r"\d|[一二两三四五六七八九十百千万亿][个名位人年月天次倍元美块岁公吨座所家万亿成]|百分之|一半|翻倍")),
    (0.9, re.compile(r"最|更|超过|多于|少于|增加|增长|减少|下降|上升|上涨|第一|唯一|从来|从未|所有|没有")),
    (0.9, re.compile(r"了|过|曾|被|已经|是|出生|死于|来自")),
    (1.2, re.compile(r"导致|引起|造成|预防|防止|治疗|治愈|杀死|含有|传播|致癌|有害|有效|能够?|可以|会")),
    (-1.0, re.compile(r"我认为|我觉得|我相信|我希望|应该|必须|让我")),
    (-2.5, re.compile(r"^(?:谢谢|感谢|你好|大家好|各位|欢迎|请|晚上好|早上好|对|是的|不是|好的)|吗[？?]?$")),
)


def by_form(lines: Sequence[Line], at: int) -> float:
    """Return how much the line at this place is worth checking, from 0 to 1; about .3 is where claims begin.

    Words are counted as they are cut for searching, so a line of Chinese has some too. Two words state nothing; three do where they name
    what they speak of.

    >>> round(by_form([Line("", "We lost 60,000 factories since China entered the World Trade Organization.")], 0), 1)
    0.9
    >>> round(by_form([Line("", "Thank you very much, everybody.")], 0), 1)
    0.0
    """
    text = lines[at].text
    if is_han(text):
        return _by_han_form(text)
    n_words = len(text.split())
    is_plain = 3 <= n_words <= _MOST_PLAIN and _is_plain(text)
    if n_words < 4 and not is_plain:
        return 0.0
    weight = -2.6 + 0.5 * math.log(n_words)
    weight += 1.8 * bool(_NUMBER.search(text)) + 0.9 * bool(_COMPARED.search(text)) + 0.7 * bool(_PAST.search(text))
    weight += 0.8 * bool(_NAME.search(text)) - 1.0 * bool(_OPINION.search(text)) - 1.5 * text.rstrip().endswith("?")
    weight += 1.2 * bool(_EFFECT.search(text)) + _PLAIN * is_plain
    weight -= 2.5 * bool(_TALK.match(text) and n_words < 12)
    return 1 / (1 + math.exp(-weight))


def is_han(text: str) -> bool:
    """True if most letters of a line are Chinese, so that neither spaces nor English words tell its form."""
    return not text.isascii() and 2 * len(_HAN.findall(text)) > sum(letter.isalpha() for letter in text)


def _is_plain(text: str) -> bool:
    """True for a short whole statement that names what it speaks of: "Vaccines cause autism", not "He did it" or "Thank you, sir"."""
    first, *rest = text.split()
    is_stated = any(word[:1].islower() for word in rest)  # a name alone has no verb
    return (first[:1].isupper() or first[:1].isdigit()) and is_stated and not _POINTING.search(text) and bool(_PLAIN_END.search(text))


def _by_han_form(text: str) -> float:
    n_words = len(places(text))
    if n_words < 3:
        return 0.0
    weight = -2.6 + 0.5 * math.log(n_words) + sum(gain for gain, form in _HAN_FORMS if form.search(text))
    return 1 / (1 + math.exp(-weight + 1.5 * text.rstrip().endswith(("?", "？"))))
