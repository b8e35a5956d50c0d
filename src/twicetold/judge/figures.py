"""Bare numbers in digits or words: "1,200", "forty-five", "two and a half billion", "40k".

What a number counts is read elsewhere (`numbers`). Numbers inside names ("COVID-19", "5G", "Section 230") are none. English only.
"""

from __future__ import annotations

from dataclasses import dataclass

from twicetold.judge.lists import SETS, pairs
from twicetold.judge.tokens import Words


def table(name: str) -> dict[str, tuple[float, ...]]:
    """Return a table of number words: for each word its value, or its values."""
    found: dict[str, tuple[float, ...]] = {}
    for head, several in pairs("numbers.txt"):
        kind, *values = head.split()
        if kind == name:
            found |= dict.fromkeys(several, tuple(map(float, values)))
    return found


SMALL = {word: value for word, (value,) in table("small").items()}
SCALES = {word: value for word, (value,) in table("scale").items()}
LETTERS = {word: value for word, (value,) in table("letter").items()}
KINDS = ("duration", "length", "mass", "area", "speed", "money", "times", "share")
UNITS = {word: (kind, factor) for kind in KINDS for word, (factor,) in table(f"unit-{kind}").items()}
"""By the word after a number: its kind, and what it is to be multiplied with."""
_LABELS = SETS["numbers.labels"]
"""Words whose number is part of a name."""
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Figure:
    """A bare number: its value, the token after it, and half a unit of the last digit given."""

    value: float
    after: int
    half_unit: float = 0.0


def figure(words: Words, place: int) -> Figure | None:
    """Read a number in digits or words that begins at a token."""
    if not 0 <= place < len(words.tokens):
        return None
    found = digits(words, place) if words.tokens[place].is_number else _spelt(words, place)
    return None if found is None else _scaled(words, found)


def digits(words: Words, place: int) -> Figure | None:
    """Read a number in digits alone, without what scales it."""
    token = words.tokens[place]
    if len(token.text) > _MOST_DIGITS or _is_in_a_name(words, place):
        return None
    text = token.text
    whole, comma, rest = text.partition(",")
    if comma:
        text = text.replace(",", "") if all(len(part) == 3 for part in rest.split(".")[0].split(",")) else f"{whole}.{rest}"
    if text.count(".") > 1 or "," in text or not text.isascii():
        return None
    decimals = len(text.partition(".")[2])
    return Figure(float(text), place + 1, 0.5 * 10**-decimals if decimals else 0.5 if float(text) >= 10 else 0.0)


def _is_in_a_name(words: Words, place: int) -> bool:
    """True for "19" in "COVID-19", "5" in "5G", "230" in "Section 230"."""
    token = words.tokens[place]
    before = words.text[max(0, token.start - 2) : token.start]
    if before[-1:].isalpha() or (before[-1:] == "-" and before[:1].isalpha()):
        return True
    if place and words.tokens[place - 1].low in _LABELS and words.gap(place - 1) == " ":
        return True
    return words.gap(place) == "" and place + 1 < len(words.tokens) and not _is_suffix(words.tokens[place + 1].low)


def _is_suffix(low: str) -> bool:
    return low in LETTERS or low in SCALES or low in UNITS or low in ("st", "nd", "rd", "th", "s", "%", "am", "pm", "ish")


def _spelt(words: Words, place: int) -> Figure | None:
    """Read "forty-five", "two hundred and six", "a million", "a dozen"."""
    at, total, current = place, 0.0, None
    if words.tokens[at].low in ("a", "an") and word_at(words, at + 1) in SCALES:
        at, current = at + 1, 1.0
    while at < len(words.tokens):
        low = words.tokens[at].low
        if low in SMALL and _joins(current, SMALL[low]):
            current = (current or 0.0) + SMALL[low]
        elif low in ("hundred", "dozen") and current is not None:
            current = max(current, 1.0) * SCALES[low]
        elif low in SCALES and current is not None:
            total, current = total + max(current, 1.0) * SCALES[low], 0.0
        elif not (low == "and" and current is not None and word_at(words, at - 1) in SCALES and word_at(words, at + 1) in SMALL):
            break
        at += 1
    return None if current is None else Figure(total + current, at)


def _joins(current: float | None, added: float) -> bool:
    if current is None or current == 0:
        return True
    return current % 100 == 0 or (current % 100 >= 20 and current % 10 == 0 and 0 < added < 10)


def _scaled(words: Words, found: Figure) -> Figure:
    """Read "and a half" and the scales after a number: "1.2 million", "40k", "two and a half billion"."""
    value, at, half_unit = found.value, found.after, found.half_unit
    if [word_at(words, at + step) for step in range(3)] == ["and", "a", "half"]:
        value, at = value + 0.5, at + 3
    for _ in range(2):
        scale = _scale(words, at)
        if not scale:
            break
        value, at, half_unit = value * scale, at + 1, half_unit * scale
    if value >= 1e4 and not half_unit:
        half_unit = _last_place(value) / 2
    return Figure(value, at, max(half_unit, _last_place(value) / 2 if value >= 1e4 else 0.0))


def _scale(words: Words, at: int) -> float:
    low = word_at(words, at)
    if low in LETTERS and words.gap(at - 1) == "":
        return LETTERS[low]
    return SCALES.get(low, 0.0) if words.gap(at - 1).strip(" -") == "" else 0.0


def _last_place(value: float) -> float:
    """Return the unit of the last digit that is not 0: 1,200,000 → 100,000. One leading digit alone ("40") is taken as exact.

    >>> _last_place(1_200_000), _last_place(40_000)
    (100000.0, 0.0)
    """
    digits = f"{value:.0f}".rstrip("0")
    return 0.0 if len(digits) < 2 else 10.0 ** (len(f"{value:.0f}") - len(digits))


def word_at(words: Words, place: int) -> str:
    """Return a token in lower case, empty beyond the ends."""
    return words.tokens[place].low if 0 <= place < len(words.tokens) else ""
