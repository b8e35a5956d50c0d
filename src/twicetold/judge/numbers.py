"""Quantities in a text: amounts, shares, money, lengths of time, ranks and "times", in digits or in words.

Each is kept as the interval of values that it agrees with: "47 %" is a point, "almost half" reaches from .45 to .5, "millions" from one
million to a billion. Two quantities of a kind are alike if their intervals meet. Years and dates are found elsewhere (`dates`); numbers
inside names ("COVID-19", "5G", "Section 230") are not quantities. English only.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass

from twicetold.judge.figures import SCALES, SMALL, UNITS, Figure, digits, figure, table, word_at
from twicetold.judge.lists import SETS
from twicetold.judge.tokens import Words

_VAGUE = table("vague")
_DENOMINATORS = {word: value for word, (value,) in table("denominator").items()}
_RANKS = {word: value for word, (value,) in table("rank").items()}
_TIMES = {word: value for word, (value,) in table("times").items()}
_RATES = {word: days for word, (days,) in table("rate").items()}
_ABOUT = SETS["numbers.about"]
_OVER = SETS["numbers.over"]
_UNDER = SETS["numbers.under"]
_NOT_COUNTED_ONE = SETS["numbers.not_counted_one"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its kind and unit. `low` and `high` bound the values it agrees with; `first` and `last` are its tokens."""

    kind: str
    value: float
    low: float
    high: float
    first: int
    last: int
    unit: str = ""
    hedge: str = ""

    def is_alike(self, other: Quantity) -> bool:
        """True if both may state the same figure. A share and a plain number below 1 are compared as they are."""
        if self.kind != other.kind and {self.kind, other.kind} != {"share", "amount"}:
            return False
        if self.hedge == other.hedge and self.hedge in ("over", "under", "around"):
            return abs(self.value - other.value) <= 0.02 * max(abs(self.value), abs(other.value))
        slack = 1e-9 * max(abs(self.value), abs(other.value))
        return self.low <= other.high + slack and other.low <= self.high + slack


def quantities(words: Words, taken: Collection[int] = frozenset()) -> list[Quantity]:
    """Return the quantities of a text in order, without the tokens `taken` by dates."""
    return list(_quantities(words, taken))


def _quantities(words: Words, taken: Collection[int]) -> Iterator[Quantity]:
    place = 0
    while place < len(words.tokens):
        found = None if place in taken else _at(words, place)
        if found is None:
            place += 1
            continue
        if not any(at in taken for at in range(found.first, found.last + 1)):
            yield found
        place = found.last + 1


_OPENINGS = frozenset([*SMALL, *_VAGUE, *_RANKS, *_TIMES, *_RATES, "every", "each", "per", "half", "a", "an", "no", "number", "#"])


def _at(words: Words, place: int) -> Quantity | None:
    if not words.tokens[place].is_number and words.tokens[place].low not in _OPENINGS:
        return None
    for parse in (_range, _vague, _fraction, _rank, _times, _rate, _counted):
        found = parse(words, place)
        if found is not None:
            return found
    return None


# --- quantities ----------------------------------------------------------------------------------------------------


def _range(words: Words, place: int) -> Quantity | None:
    """Read "5 to 10 %", "between 5 and 10", "5-10 years"."""
    low = figure(words, place)
    if low is None:
        return None
    joint = word_at(words, low.after)
    is_joined = joint == "to" or (joint == "and" and word_at(words, place - 1) == "between")
    start = low.after + 1 if is_joined else low.after
    high = figure(words, start) if is_joined or words.gap(low.after - 1).strip() in ("-", "–", "—") else None
    if high is None or high.value <= low.value or (not is_joined and not words.tokens[start].is_number):
        return None
    scale = high.value / _unscaled(words, start) if low.value < 1_000 <= high.value and low.value < _unscaled(words, start) else 1.0
    found = _with_unit(words, place, Figure(high.value, high.after))
    factor = found.value / high.value
    return Quantity(found.kind, found.value, low.value * scale * factor, found.high, place, found.last, found.unit, "between")


def _unscaled(words: Words, place: int) -> float:
    found = digits(words, place) if words.tokens[place].is_number else None
    return found.value if found is not None and found.value else math.inf


def _vague(words: Words, place: int) -> Quantity | None:
    low = words.tokens[place].low
    if low not in _VAGUE or word_at(words, place + 1) != "of":
        return None
    least, most = _VAGUE[low]
    following = word_at(words, place + 2)
    if following in _VAGUE and following != "couple":
        scale = _VAGUE[following][0]
        return Quantity("amount", least * scale, least * scale, most * scale, place, place + 2, _unit(words, place + 3), "about")
    return Quantity("amount", least, least, most, place, place, _unit(words, place + 2), "about")


def _fraction(words: Words, place: int) -> Quantity | None:
    """Read "half", "a third of", "two-thirds", "1/3", "four in ten", "9 out of 10"."""
    if words.tokens[place].low == "half":
        return _half(words, place)
    top = figure(words, place) or (Figure(1.0, place + 1) if words.tokens[place].low == "a" else None)
    if top is None or not 0 < top.value <= 1e6:
        return None
    named = _denominator(words, top)
    if named is not None:
        return _share(words, place, top.value / named, top.after)
    bottom = _out_of(words, top)
    return None if bottom is None else _share(words, place, top.value / bottom.value, bottom.after - 1)


def _half(words: Words, place: int) -> Quantity | None:
    if words.gap(place) == "-" and word_at(words, place + 1) not in SCALES and word_at(words, place + 2) not in SCALES:
        return None
    if word_at(words, place - 1) in ("first", "second", "other", "better", "latter", "a"):
        return None
    steps = 2 if word_at(words, place + 1) in ("a", "an") else 1
    scale = SCALES.get(word_at(words, place + steps), 0.0)
    if scale:
        return _with_unit(words, place, Figure(0.5 * scale, place + steps + 1))
    return _share(words, place, 0.5, place)


def _denominator(words: Words, top: Figure) -> float | None:
    low = word_at(words, top.after)
    bottom = _DENOMINATORS.get(low) or _DENOMINATORS.get(low.removesuffix("s"))
    if bottom is None or top.value >= bottom:
        return None
    is_many = low.endswith("s") or low == "halves"
    is_one = top.value == 1 and (
        words.gap(top.after - 1) == "-" or word_at(words, top.after + 1) == "of" or word_at(words, top.after - 1) == "one"
    )
    return float(bottom) if (is_many and top.value > 1) or is_one else None


def _out_of(words: Words, top: Figure) -> Figure | None:
    """Read what a share is of: "in five", "out of ten", "of every 100", "/3"."""
    after = top.after
    if words.gap(after - 1) == "/":
        bottom = figure(words, after)
        return bottom if bottom is not None and top.value < bottom.value <= 10 else None
    joint = [word_at(words, after), word_at(words, after + 1)]
    if joint[0] == "in":
        start = after + (2 if joint[1] in ("every", "each") else 1)
    elif joint in (["out", "of"], ["of", "every"]):
        start = after + (3 if word_at(words, after + 2) == "every" else 2)
    else:
        return None
    bottom = figure(words, start)
    if bottom is None or bottom.value <= top.value or bottom.value >= 1e9:
        return None
    return bottom if bottom.value <= 10 or bottom.value % 10 == 0 or bottom.value == 25 else None


def _share(words: Words, first: int, value: float, last: int) -> Quantity:
    hedge, start = _hedge(words, first)
    width = min(0.05 * value, 0.024)  # one in four is not one in five, but a third is 33 %
    low, high = {"over": (value, value + 0.1), "under": (value - 0.06, value)}.get(hedge, (value - width, value + width))
    return Quantity("share", value, low, high, start, last, _unit(words, last + 1), hedge or "about")


def _rank(words: Words, place: int) -> Quantity | None:
    token = words.tokens[place]
    if token.is_number and words.gap(place) == "" and word_at(words, place + 1) in ("st", "nd", "rd", "th"):
        value, last = float(token.text) if token.text.isdecimal() and len(token.text) < 6 else None, place + 1
    elif token.low in _RANKS and not _is_capital(words, place + 1) and word_at(words, place - 1) not in SMALL:
        value, last = float(_RANKS[token.low]), place
    elif token.low in ("no", "number", "#") and (found := figure(words, place + 1)) is not None and words.gap(place).strip() in ("", "."):
        value, last = found.value, found.after - 1
    else:
        return None
    if value is None or word_at(words, last + 1) in ("century", "centuries"):
        return None
    return Quantity("rank", value, value, value, place, last, _unit(words, last + 1))


def _is_capital(words: Words, place: int) -> bool:
    return place < len(words.tokens) and words.tokens[place].is_capital and not words.is_headline and not words.is_shouted


def _times(words: Words, place: int) -> Quantity | None:
    value = _TIMES.get(words.tokens[place].low)
    return None if value is None else Quantity("times", value, value, value, place, place)


def _rate(words: Words, place: int) -> Quantity | None:
    """Read "every day", "per month", "weekly", as the days from one to the next."""
    low, following = words.tokens[place].low, word_at(words, place + 1)
    if low in _RATES:
        return Quantity("rate", _RATES[low], _RATES[low], _RATES[low], place, place)
    kind, days = UNITS.get(following, ("", 0.0))
    if low in ("every", "each", "per") and kind == "duration":
        return Quantity("rate", days, days, days, place, place + 1)
    return None


def with_single(found: Sequence[list[Quantity]], both: Sequence[Words]) -> list[list[Quantity]]:
    """Read "a student" as one student where the other text counts students."""
    return [
        sorted([*mine, *_singles(words, {one.unit for one in its if one.kind == "amount"})], key=lambda one: one.first)
        for mine, its, words in ((found[0], found[1], both[0]), (found[1], found[0], both[1]))
    ]


def _singles(words: Words, units: Set[str]) -> Iterator[Quantity]:
    for place in range(len(words.tokens) - 1):
        if words.tokens[place].low in ("a", "an") and words.lemmas[place + 1] in units and words.gap(place) == " ":
            yield Quantity("amount", 1.0, 1.0, 1.0, place, place, words.lemmas[place + 1])


def _counted(words: Words, place: int) -> Quantity | None:
    found = figure(words, place) or _one_unit(words, place)
    if found is None:
        return None
    if found.value == 1 and words.tokens[place].low == "one" and found.after == place + 1 and not _is_counted_one(words, place):
        return None
    return _with_unit(words, place, found)


def _one_unit(words: Words, place: int) -> Figure | None:
    """Read "a mile", "a ton", "a century"."""
    kind, _ = UNITS.get(word_at(words, place + 1), ("", 0.0))
    is_one = kind in ("length", "mass") or word_at(words, place + 1) in ("decade", "century")
    return Figure(1.0, place + 1) if words.tokens[place].low in ("a", "an") and is_one else None


def _is_counted_one(words: Words, place: int) -> bool:
    if word_at(words, place - 1) in ("no", "not", "any", "every", "the", "this", "that", "some", "each", "another"):
        return False
    following = word_at(words, place + 1)
    return following.isalpha() and following not in _NOT_COUNTED_ONE


def _with_unit(words: Words, place: int, found: Figure) -> Quantity:
    kind, factor, last = _kind(words, place, found)
    hedge, start = _hedge(words, place - 1 if word_at(words, place - 1) in ("$", "€", "£") else place)
    value = found.value * factor
    low, high = _bounds(value, found.half_unit * factor, hedge, kind)
    unit = _unit(words, last + 1) if kind in ("amount", "share") else ""
    return Quantity(kind, value, low, high, start, last, unit, hedge)


def _kind(words: Words, place: int, found: Figure) -> tuple[str, float, int]:
    """Return the kind of a number, what it is to be multiplied with, and its last token."""
    after = found.after
    if word_at(words, place - 1) in ("$", "€", "£"):
        return "money", 1.0, after - 1
    low = word_at(words, after)
    if low == "per" and word_at(words, after + 1) == "cent":
        return "share", 0.01, after + 1
    if low in UNITS and not words.ends_clause(after - 1):
        kind, factor = UNITS[low]
        is_points = low == "percentage" and word_at(words, after + 1) in ("point", "points")
        return kind, factor, after + is_points
    return "amount", 1.0, after - 1


def _hedge(words: Words, place: int) -> tuple[str, int]:
    """Return the kind of hedge before (or after) a number, and the token that it begins with."""
    one, two = word_at(words, place - 1), word_at(words, place - 2)
    if one == "than":
        kind = {"more": "over", "greater": "over", "higher": "over", "less": "under", "fewer": "under", "lower": "under"}.get(two, "")
        return kind, place - 2 if kind else place
    if one in ("as", "to") or (one in ("many", "much") and two == "as"):
        return ("under", place - 2) if two in ("up", "close", "as") else ("", place)
    if one == "of" and two == "upwards":
        return "over", place - 2
    for kind, cues in (("around", _ABOUT), ("over", _OVER), ("under", _UNDER)):
        if one in cues:
            return kind, place - (2 if two == "at" else 1)
    return "", place


def _bounds(value: float, half_unit: float, hedge: str, kind: str) -> tuple[float, float]:
    width = 0.05 * abs(value)
    if kind == "share":
        width = max(width, 0.03)
    if hedge == "over":
        return value, value + 2 * width
    if hedge == "under":
        return value - 2 * width, value
    if hedge == "around":
        return value - width, value + width
    # Half a unit of the last digit either way: 1.2 million agrees with 1,243,000. Bounds that merely touch (47 and 48) do not agree.
    return value - 0.998 * half_unit, value + 0.998 * half_unit


def _unit(words: Words, place: int) -> str:
    """Return the lemma of what is counted: the first content word within three tokens, "of the" left out."""
    for at in range(place, min(place + 3, len(words.tokens))):
        if words.ends_clause(at - 1):
            break
        if words.tokens[at].low not in ("of", "the", "all", "our", "their", "its", "his", "her", "a", "an") and words.tokens[at].is_word:
            return words.lemmas[at]
    return ""
