"""Contrast cases by rule: the same sentence with its truth turned, by one word.

Every published matcher stumbles on these: a negated claim, another person or place, another number, another date. `alter` makes such a
sentence; the reranker learns to score it below the true one, and the robustness suite asks whether it does. Only surface rules are
used, so some cases read oddly; they are still not the claim.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Way = Callable[[str, random.Random, Sequence[str]], str | None]

_AUXILIARY = re.compile(
    r"\b(is|are|was|were|will|would|can|could|should|has|have|had|does|do|did|must)\b(?! not\b)(?!n['’]t)", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(is|are|was|were|will|would|could|should|has|have|had|does|do|did|must)( not\b|n['’]t\b)", re.IGNORECASE)
_OPPOSITES = (
    ("increase", "decrease"), ("increased", "decreased"), ("rise", "fall"), ("rose", "fell"), ("more", "fewer"), ("higher", "lower"),
    ("won", "lost"), ("supports", "opposes"), ("supported", "opposed"), ("banned", "allowed"), ("ban", "allow"), ("before", "after"),
    ("always", "never"), ("all", "none"), ("true", "false"), ("alive", "dead"), ("legal", "illegal"), ("first", "last"),
    ("most", "least"), ("largest", "smallest"), ("accepted", "refused"), ("approved", "rejected"), ("safe", "dangerous"),
)  # fmt: skip
_OPPOSITE = {a: b for pair in _OPPOSITES for a, b in (pair, pair[::-1])}
_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
_DATE = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b|\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
_WRITTEN = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozens", "hundreds", "thousands", "millions")
_WORD = r"(?!(?:In|On|At|The|A|An|This|That|Did|Does|Is|Was|If|When|Says|Said)\b)[A-Z][a-z]{2,}"
_NAME = re.compile(rf"(?<=[a-z,’'\"] ){_WORD}(?: {_WORD})*|\b{_WORD}(?: {_WORD})+")
_VERBS = {"shows": "show", "says": "say", "proves": "prove", "causes": "cause", "contains": "contain", "kills": "kill", "wants": "want",
          "plans": "plan", "owns": "own", "makes": "make", "gives": "give", "uses": "use", "pays": "pay", "needs": "need"}  # fmt: skip
_PAST = {"said": "say", "showed": "show", "caused": "cause", "killed": "kill", "voted": "vote", "signed": "sign", "called": "call",
         "made": "make", "took": "take", "gave": "give", "paid": "pay", "died": "die", "posted": "post", "told": "tell"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """An altered text and the way it was altered: negation, name, number or date."""

    text: str
    way: str


def negate(text: str, rng: random.Random, names: Sequence[str] = ()) -> str | None:
    """Deny what is said: add or drop "not", or turn a word into its opposite; None if no rule fits.

    >>> negate("The law was passed in Texas.", random.Random(0))
    'The law was not passed in Texas.'
    """
    if found := _NEGATED.search(text):
        return f"{text[: found.start()]}{found[1]}{text[found.end() :]}"
    made = [_AUXILIARY.sub(r"\1 not", text, count=1)] if _AUXILIARY.search(text) else []
    made += _each_word(text, {word: f"does not {plain}" for word, plain in _VERBS.items()})
    made += _each_word(text, {word: f"did not {plain}" for word, plain in _PAST.items()})
    made += _each_word(text, _OPPOSITE)
    return rng.choice(made) if made else None


def _each_word(text: str, instead: Mapping[str, str]) -> list[str]:
    """Return the text once for each of its words that `instead` replaces."""
    words = text.split()
    return [" ".join([*words[:i], instead[word], *words[i + 1 :]]) for i, word in enumerate(words) if word in instead]


def swap_name(text: str, rng: random.Random, names: Sequence[str]) -> str | None:
    """Put another of `names` in the place of a person, place or body; None if no name is found."""
    found = [m for m in _NAME.finditer(text) if m[0] not in _MONTHS]
    if not found:
        return None
    place = rng.choice(found)
    others = [name for name in rng.sample(list(names), min(12, len(names))) if not set(name.split()) & set(place[0].split())]
    alike = [name for name in others if len(name.split()) == len(place[0].split())] or others
    return f"{text[: place.start()]}{rng.choice(alike)}{text[place.end() :]}" if alike else None


def swap_number(text: str, rng: random.Random, names: Sequence[str] = ()) -> str | None:
    """Change a number to one clearly different; None if there is none but years.

    >>> swap_number("It cost 40 dollars", random.Random(1))
    'It cost 400 dollars'
    """
    found = [m for m in _NUMBER.finditer(text) if not _DATE.fullmatch(m[0])]
    if found:
        place = rng.choice(found)
        return f"{text[: place.start()]}{_other_number(place[0], rng)}{text[place.end() :]}"
    written = [m for word in _WRITTEN for m in re.finditer(rf"\b{word}\b", text)]
    if not written:
        return None
    place = rng.choice(written)
    return f"{text[: place.start()]}{rng.choice([w for w in _WRITTEN if w != place[0]])}{text[place.end() :]}"


def _other_number(number: str, rng: random.Random) -> str:
    amount = float(number.replace(",", ""))
    changed = amount * rng.choice((0.25, 0.5, 2, 3, 10)) if amount else float(rng.randint(2, 9))
    if "." in number:
        return f"{changed:.1f}"
    whole = int(changed) if int(changed) != int(amount) else int(amount) + rng.randint(2, 9)
    return f"{whole:,}" if "," in number else str(whole)


def swap_date(text: str, rng: random.Random, names: Sequence[str] = ()) -> str | None:
    """Change a month or a year; None if there is none. The word May at the start of a question is no month."""
    found = [m for m in _DATE.finditer(text) if m[0] != "May" or m.start() > 0]
    if not found:
        return None
    place = rng.choice(found)
    if place[0].isdigit():
        other = str(int(place[0]) + rng.choice((-12, -7, -4, -3, 3, 4, 7)))
    else:
        other = rng.choice([month for month in _MONTHS if month != place[0]])
    return f"{text[: place.start()]}{other}{text[place.end() :]}"


WAYS: dict[str, Way] = {"negation": negate, "name": swap_name, "number": swap_number, "date": swap_date}


def alter(text: str, rng: random.Random, names: Sequence[str]) -> list[Case]:
    """Return the cases that the rules can make of a text, at most one for each way."""
    made = ((way, rule(text, rng, names)) for way, rule in WAYS.items())
    return [Case(altered, way) for way, altered in made if altered and altered != text]


def names_in(texts: Sequence[str]) -> list[str]:
    """Collect the names that texts mention, to swap with; each once, in order of first mention."""
    return list(dict.fromkeys(found[0] for text in texts for found in _NAME.finditer(text) if found[0] not in _MONTHS))
