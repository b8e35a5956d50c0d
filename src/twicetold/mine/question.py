"""What kind of question is asked: one with the answers yes and no, or one that wants names, things or places. English only."""

from __future__ import annotations

import re
from typing import Literal

from twicetold.errors import BadInput
from twicetold.mine.verbs import AUXILIARIES, base, is_base
from twicetold.text import language, tidy

Kind = Literal["yes-no", "entity"]

ASKING = frozenset({"who", "whom", "whose", "what", "which", "where", "when", "why", "how", "what's", "who's", "where's"})
_NEGATED = re.compile(r"(?:is|are|was|were|do|does|did|ca|could|wo|would|should|has|have|had|must|might)n['’]?t", re.IGNORECASE)
_LEADS = frozenset(
    {"in", "after", "before", "if", "according", "during", "since", "by", "on", "at", "for", "with", "under", "as", "to", "from", "of"}
)
_ORDERED = frozenset({"not", "your", "it", "this", "that", "what", "nothing", "me"})
LONGEST = 1_000


def parts(text: str) -> tuple[str, list[str]]:
    """Return a question's opening clause ("In 2019," or "") and the words of the rest, without the question mark.

    >>> parts("In 2019, did NPR refuse?")
    ('In 2019', ['did', 'NPR', 'refuse'])
    """
    words = tidy(text).rstrip("?!. ").split()
    if words and words[0].lower() in _LEADS:
        for at, word in enumerate(words):
            following = words[at + 1].lower() if at + 1 < len(words) else ""
            if word.endswith(",") and (following in AUXILIARIES or following in ASKING):
                return " ".join(words[: at + 1]).rstrip(","), words[at + 1 :]
    return "", words


def kind_of(text: str) -> Kind:
    """Tell a yes/no question from one that wants names. Raises BadInput for what is no question, saying how to ask it.

    >>> kind_of("Do masks work?"), kind_of("Donald Trump won which states?"), kind_of("Can snow kill COVID-19")
    ('yes-no', 'entity', 'yes-no')
    """
    stripped = tidy(text)
    if not stripped:
        raise BadInput("the question is empty; ask something, such as: twicetold ask 'Can shoes spread COVID-19?'")
    if len(stripped) > LONGEST:
        raise BadInput(f"the question has {len(stripped):,} characters; ask in at most {LONGEST:,}")
    is_marked = stripped.endswith(("?", "？"))
    _, words = parts(stripped)
    first = words[0].lower() if words else ""
    following = words[1].lower() if len(words) > 1 else ""
    if (first in AUXILIARIES or _NEGATED.fullmatch(first)) and following and (is_marked or _asks(words)):
        return "yes-no"
    lowered = [word.lower().strip(",;:'\"") for word in words]
    if first in ASKING or (is_marked and any(word in ASKING for word in lowered)) or (following in ASKING and first in _LEADS):
        return "entity"
    return _unclear(stripped, words, is_marked)


def _asks(words: list[str]) -> bool:
    """True unless, without a question mark, this is an order ("Do your research") or a name ("Will Smith slapped him")."""
    if words[1].lower() in _ORDERED:
        return False
    is_name = words[0] in ("Will", "May") and words[1][:1].isupper()
    return not (is_name and any(base(word) and not is_base(word) for word in words[2:3]))


def _unclear(text: str, words: list[str], is_marked: bool) -> Kind:
    lang = language(text)
    if lang not in ("en", "") and not text.isascii():
        raise BadInput(f"questions are read in English only, and this looks like {lang!r}: {text[:60]!r}")
    if is_marked and len(words) > 1:  # "Garlic cures COVID-19?"
        return "yes-no"
    plain = text.rstrip("?!. ")
    raise BadInput(
        f"{plain[:80]!r} is not a question; ask: twicetold ask 'Is it true that {_lowered(plain)[:80]}?', "
        f"or look for its fact-checks: twicetold match '{plain[:80]}'"
    )


def _lowered(text: str) -> str:
    """Lower the first letter of a word that cannot be a name."""
    first = text.split(" ", 1)[0].lower()
    return text[:1].lower() + text[1:] if first in {"the", "a", "an", "all", "most", "there", "it", "this", "some", "no"} else text
