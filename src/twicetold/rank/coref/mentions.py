"""Words, and the mentions among them: pronouns, names and noun phrases, found by form alone, without a parser.

It finds what can be told from capitals and articles: "Hillary Clinton", "the president", "she". Noun phrases without an article
("wages", "crude oil") are missed. A parser's mentions may be given instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["pronoun", "name", "noun"]

MALE = frozenset({"he", "him", "his", "himself"})
FEMALE = frozenset({"she", "her", "hers", "herself"})
THING = frozenset({"it", "its", "itself"})
MANY = frozenset({"they", "them", "their", "theirs", "themselves"})
POINTING = frozenset({"this", "that", "these", "those"})
SPEAKER = frozenset({"i", "me", "my", "mine", "myself"})
ADDRESSED = frozenset({"you", "your", "yours", "yourself", "yourselves"})
US = frozenset({"we", "us", "our", "ours", "ourselves"})
PRONOUNS = MALE | FEMALE | THING | MANY | SPEAKER | ADDRESSED | US
OWNING = frozenset({"his", "hers", "its", "their", "theirs", "my", "mine", "your", "yours", "our", "ours"})

_split = re.compile(r"\w+").findall
_TOKEN = re.compile(r"['’]s\b|(?:[A-Z]\.)+|[^\W_]+(?:-[^\W_]+)*(?:['’](?!s\b)[^\W_]+)?|[^\w\s]")
_ARTICLES = frozenset(
    {"the", "a", "an", "my", "his", "her", "their", "our", "your", "its", "this", "that", "these", "those", "every", "no"}
)
_LINKS = frozenset({"of", "de", "van", "von", "la", "bin", "al"})
_STOPS = frozenset(
    _split(
        "is are was were be been being has have had do does did will would can could should may might must and or but if because when "
        "while who which that to in on at by for with from as than then so not also about into over after before under between out up "
        "down off said says say got get gets came come goes went make makes made just only even still yet there here where how why what"
    )
)
_SENTENCE_WORDS = frozenset(
    _split(
        "the a an and but so or if when while because that this these those it he she they we i you in on at by for with from as to of "
        "is are was were do does did have has had will would can could should not no yes well now then there here what who how why where "
        "which my our your his her their its let look thank thanks please ok okay right all some many most every one two three first "
        "today tomorrow yesterday after before since under over more less just also even still only never ever mr mrs ms dr sen gov rep "
        "says said say"
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign, its place in the text, and the sentence it stands in."""

    text: str
    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` (the latter not included) of a list of tokens. `entity` is known in training, −1 elsewhere."""

    start: int
    end: int
    kind: Kind
    entity: int = -1


def tokenise(text: str, sentence: int = 0, at: int = 0) -> list[Token]:
    """Cut one sentence into words and signs; "Clinton's" is two.

    >>> [token.text for token in tokenise("Clinton's plan, U.S. jobs.")]
    ['Clinton', "'s", 'plan', ',', 'U.S.', 'jobs', '.']
    """
    return [Token(found[0], at + found.start(), at + found.end(), sentence) for found in _TOKEN.finditer(text)]


def kind_of(words: Sequence[str]) -> Kind:
    """Tell a pronoun, a name or a noun phrase by its form."""
    if len(words) == 1 and words[0].casefold() in PRONOUNS:
        return "pronoun"
    return "name" if words[-1][:1].isupper() and words[0].casefold() not in _ARTICLES else "noun"


def find_mentions(tokens: Sequence[Token]) -> list[Mention]:
    """Return the mentions in order of their first word, longer ones first."""
    found: list[Mention] = []
    at = 0
    while at < len(tokens):
        end = _name_end(tokens, at)
        if end > at:
            found.append(Mention(at, end, "name"))
            at = end
            continue
        if tokens[at].text.casefold() in PRONOUNS:
            found.append(Mention(at, at + 1, "pronoun"))
        if tokens[at].text.casefold() in _ARTICLES:
            end = _noun_end(tokens, at)
            if end > at + 1:
                found.append(Mention(at, end, "noun"))
        at += 1
    return sorted(found, key=lambda mention: (mention.start, -mention.end))


def _name_end(tokens: Sequence[Token], at: int) -> int:
    """The end of a run of capitalised words; `at` where none begins. The first word of a sentence counts if it is no common word."""
    end = at
    while end < len(tokens) and tokens[end].sentence == tokens[at].sentence and _is_capital(tokens[end].text):
        end += 1
        is_linked = end + 1 < len(tokens) and tokens[end].text in _LINKS and _is_capital(tokens[end + 1].text)
        end += is_linked
    is_first = at == 0 or tokens[at - 1].sentence != tokens[at].sentence or not tokens[at - 1].text[0].isalnum()
    if end > at and tokens[at].text.casefold() in _SENTENCE_WORDS and (is_first or tokens[at].text == "I"):
        return at
    return end


def _is_capital(word: str) -> bool:
    return word[0].isupper() and (len(word) > 1 or word not in "IA") and word.casefold() not in PRONOUNS


def _noun_end(tokens: Sequence[Token], at: int) -> int:
    """The end of an article's phrase: up to four words that are no verbs, links or signs."""
    end = at + 1
    while end < len(tokens) and end - at <= 4 and tokens[end].sentence == tokens[at].sentence:
        word = tokens[end].text
        if not word[0].isalnum() or word.casefold() in _STOPS or word.casefold() in PRONOUNS or word.casefold() in _ARTICLES:
            break
        end += 1
    return end
