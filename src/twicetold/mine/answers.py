"""Answers from the spans that a reader found in many posts: one answer for all its spellings, the likeliest first.

Two spellings are one answer if they are equal once inflection, case, punctuation and articles are gone, if a table says so ("USA",
"America"), if one is the other's initials ("WHO"), its last words ("Edison", "Thomas Edison") or a first name in capitals ("Leif"), or if
they differ by a typo. Whether an answer is right is not asked here: the posts' stances tell what is said of it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from twicetold.mine.protocols import Span
from twicetold.mine.verbs import listed
from twicetold.text import words
from twicetold.types import Match

MOST_WORDS = 5
_ARTICLES = frozenset({"a", "an", "the"})
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "sir", "president", "senator", "sen", "prof", "professor"})
_LONG_FORMS = {"st": "saint", "mt": "mount", "ft": "fort"}
_EMPTY = listed(
    """
    it this that they he she we you i them him her us who what which people someone everyone nobody one thing things something anything
    everything nothing lot ppl guy guys man else not no yes so too me my your there here
    """
)
_DENYING = frozenset({"no", "not", "never", "nothing", "without", "neither", "nor", "evidence", "proof"})


@dataclass(frozen=True, slots=True)
class Found:
    """A span in a post, with the three numbers that speak for it, each 0 to 1.

    `retrieval`: the post is about the question; `passage`: it holds an answer at all; `span`: among its spans it is this one.
    """

    span: Span
    match: Match
    retrieval: float
    passage: float
    span_share: float


def found_in(match: Match, spans: Sequence[Span], retrieval: float) -> list[Found]:
    """Put a reader's spans of one post beside what retrieval knows of it."""
    if not spans:
        return []
    best = max(span.score for span in spans)
    passage = 1 / (1 + math.exp(-max(min(best - spans[0].no_answer, 30.0), -30.0)))
    return [Found(span, match, retrieval, passage, math.exp(max(span.score - best, -30.0))) for span in spans]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer with all its spellings, the most frequent first, and how likely somebody gives it."""

    text: str
    score: float
    spellings: tuple[str, ...]
    posts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mix:
    """How much each of a span's three numbers weighs: the exponents of their product."""

    retrieval: float = 1.0
    passage: float = 1.0
    span: float = 1.0


def collect(found: Iterable[Found], question: str, *, mix: Mix | None = None, most: int | None = None) -> list[Answer]:
    """Merge spans into answers, best first; `most` of them, or as many as stand before the widest gap in their scores.

    An answer's score is the probability that at least one of its posts gives it, were the posts independent: 1 - prod(1 - p).
    """
    asked = set(words(question))
    usable = [one for one in found if is_usable(one.span.words, asked)]
    groups: list[list[Found]] = []
    # Longer spellings first, so that "Edison" finds "Thomas Edison" there; among equals the surer one.
    for one in sorted(usable, key=lambda f: (-len(f.span.words.split()), -_chance(f, mix or Mix()), f.match.doc.id)):
        fitting = [group for group in groups if any(same(one.span.words, other.span.words) for other in group)]
        if fitting:
            max(fitting, key=len).append(one)
        else:
            groups.append([one])
    answers = sorted((_answer(group, mix or Mix()) for group in _merged(groups)), key=lambda answer: (-answer.score, answer.text))
    answers = [answer for answer in answers if is_usable(answer.text, asked)]  # "the virus" is usable, but its usual name was asked about
    return answers[: most if most is not None else before_gap([answer.score for answer in answers])]


def _merged(groups: Sequence[list[Found]]) -> list[list[Found]]:
    """Join groups that go by the same name: a spelling met late can be like spellings of two of them."""
    by_name: dict[str, list[Found]] = {}
    for group in groups:
        by_name.setdefault(plain(_answer(group, Mix()).text), []).extend(group)
    return list(by_name.values())


def before_gap(scores: Sequence[float], *, most: int = 10) -> int:
    """Return how many of these falling scores stand before the widest relative drop among the first `most`; at least 2 if there are 2.

    >>> before_gap([0.9, 0.85, 0.8, 0.2, 0.15])
    3
    """
    considered = list(scores[: most + 1])
    if len(considered) <= 2:
        return len(considered)
    drops = [(considered[i] - considered[i + 1]) / considered[i] if considered[i] else 0.0 for i in range(1, len(considered) - 1)]
    widest = max(range(len(drops)), key=lambda i: drops[i])
    return widest + 2 if drops[widest] > 0.25 else min(len(considered), most)


def is_usable(text: str, asked: set[str]) -> bool:
    """True for one to five words that are not only pronouns or words of the question, and deny nothing ("no evidence")."""
    tokens = plain(text).split()
    if not 0 < len(tokens) <= MOST_WORDS or all(token in _EMPTY for token in tokens):
        return False
    if any(token in _DENYING or token.endswith("n't") for token in tokens):
        return False
    return not set(words(" ".join(tokens))) <= asked


def _chance(found: Found, mix: Mix) -> float:
    return float(found.retrieval**mix.retrieval * found.passage**mix.passage * found.span_share**mix.span)


def _answer(group: Sequence[Found], mix: Mix) -> Answer:
    missed = 1.0
    by_post: dict[str, float] = {}
    for one in group:
        by_post[one.match.doc.id] = max(by_post.get(one.match.doc.id, 0.0), _chance(one, mix))
    for chance in by_post.values():
        missed *= 1 - min(chance, 0.999)
    spellings = Counter(_shown(one.span.words) for one in group)
    ordered = sorted(spellings, key=lambda text: (-spellings[text], -len(text.split()), text))
    return Answer(_best_name(ordered, spellings), 1 - missed, tuple(ordered), tuple(sorted(by_post)))


def _best_name(ordered: Sequence[str], counts: Counter[str]) -> str:
    """The usual name where the table has one; otherwise a full name over its last word, and then the most frequent spelling."""
    for text in ordered:
        if plain(text) in aliases():
            return _usual(text)
    first = ordered[0]
    fuller = [text for text in ordered if text != first and plain(text).endswith(" " + plain(first)) and text[:1].isupper()]
    return fuller[0] if fuller else first


def _shown(text: str) -> str:
    stripped = text.strip(" \t.,;:!?\"'“”‘’()[]#@-–—…")
    return re.sub(r"^(?:the|a|an)\s+(?=\S)", "", stripped, flags=re.IGNORECASE)


# --- when two spellings are one -----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a spelling without case, accents, dots, articles and punctuation.

    >>> plain("The U.S.A."), plain("Göbel's")
    ('usa', 'gobel')
    """
    flat = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode() or text.lower()
    flat = re.sub(r"(?<=\b\w)\.(?=\w\b|\s|$)", "", flat)
    flat = re.sub(r"['’]s\b", "", flat)
    tokens = [token for token in re.findall(r"[\w'-]+", flat.replace("_", " ")) if token not in _ARTICLES]
    if len(tokens) > 1:
        tokens = [_LONG_FORMS.get(tokens[0], tokens[0]), *tokens[1:]][tokens[0] in _TITLES :]
    return " ".join(tokens)


@cache
def aliases() -> dict[str, str]:
    """Return the usual name of every spelling in the table, in plain form."""
    table: dict[str, str] = {}
    text = resources.files("twicetold.mine").joinpath("aliases.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            names = [name.strip() for name in line.split("|")]
            table.update((plain(name), names[0]) for name in names)
    return table


def _usual(text: str) -> str:
    return aliases().get(plain(text), text)


@lru_cache(maxsize=65536)
def same(one: str, other: str) -> bool:
    """True if two spellings mean the same answer.

    >>> same("the USA", "America"), same("Edison", "Thomas Edison"), same("mosquitos", "Mosquito"), same("Iran", "Iraq")
    (True, True, True, False)
    """
    a, b = plain(one), plain(other)
    if a == b or _stemmed(a) == _stemmed(b):
        return True
    if _usual(one) == _usual(other) or plain(_usual(one)) == plain(_usual(other)):
        return True
    return _are_initials(one, b) or _are_initials(other, a) or _ends(a, b) or _ends(b, a) or _is_typo(a, b) or _is_first_name(one, other)


@lru_cache(maxsize=4096)
def _stemmed(text: str) -> tuple[str, ...]:
    return tuple(words(text.replace("-", " ")))


def _are_initials(short: str, long: str) -> bool:
    letters = re.sub(r"[^A-Za-z]", "", short)
    parts = [part for part in long.replace("-", " ").split() if part not in ("of", "and", "for", "the", "in")]
    if not (2 <= len(letters) <= 6 and letters.isupper() and len(parts) == len(letters)):
        return False
    return "".join(part[0] for part in parts) == letters.lower()


def _ends(short: str, long: str) -> bool:
    """ "edison" ends "thomas edison", and so does "edisson"; a number or a word of two letters says too little."""
    last = " ".join(long.split()[-len(short.split()) :])
    return len(short) > 2 and not short.isdigit() and last != long and (last == short or _is_typo(last, short))


def _is_first_name(one: str, other: str) -> bool:
    """ "Leif" begins "Leif Erikson", and "Swan" ends "Joseph Swan of Sunderland": names, in capitals, of which one has more."""
    short, long = sorted((_shown(one), _shown(other)), key=len)
    name = long.partition(" of ")[0].split()
    if len(short) < 4 or " " in short or len(long.split()) < 2 or not all(word[:1].isupper() for word in (short, *name)):
        return False
    return plain(short) in (plain(name[0]), plain(name[-1]))


def _is_typo(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    allowed = 0 if longest < 6 else 1 if longest < 10 else 2
    if not allowed or one[:1] != other[:1] or re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return False
    return abs(len(one) - len(other)) <= allowed and edits(one, other) <= allowed


def edits(one: str, other: str) -> int:
    """Return the number of letters inserted, deleted, changed or swapped with a neighbour between two words (Damerau, restricted)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        older, before, row = before, row, [i] + [0] * len(other)
        for j, facing in enumerate(other, start=1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != facing))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == facing:
                row[j] = min(row[j], older[j - 2] + 1)
    return row[-1]
