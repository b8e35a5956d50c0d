"""Names in a text: people, organisations and places, by capitals and by a list of places, with other names for the same folded.

A surname alone is the full name, "GOP" the Republicans, "FBI" what its letters stand for, "Chinese" China. A capital says nothing at
the start of a sentence, in a headline or in a shouted text: there a word is a name only if a list or the other text says so, and
otherwise perhaps one (`is_sure` is false). Nothing here knows who anybody is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from twicetold.judge.lists import SETS, groups, lines_of, words_of
from twicetold.judge.tokens import FUNCTION, Words

PLACE, NAME = "place", "name"
_TITLES = words_of("titles.txt")
_NOT_NAMES = FUNCTION | SETS["names.not_names"]
_INSIDE = SETS["names.inside"]
_LANDSCAPE = SETS["names.landscape"]
"""First or last words of places: "Lake Erie", "Cobb County"."""
_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
_LONGEST = 5
_FORM = 5
_SAYING = SETS["names.saying"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its tokens. `key` is the same for all names of one thing that a list knows; `parts` are its words in lower case.

    A place that is listed has no other names than those of the list.
    """

    kind: str
    key: str
    parts: tuple[str, ...]
    first: int
    last: int
    is_sure: bool = True
    is_listed: bool = False

    def is_alike(self, other: Name) -> bool:
        """True if both may name the same: one's words are all in the other's, or one is the other's initials."""
        if self.key == other.key or self.is_listed or other.is_listed:
            return self.key == other.key
        mine, theirs = set(self.parts), set(other.parts)
        if mine <= theirs or theirs <= mine:
            return True
        return self._initials() == other.key or other._initials() == self.key or self._is_form(other) or self._is_namesake(other)

    def _is_form(self, other: Name) -> bool:
        """True for "Southeast" and "Southeastern"."""
        one, two = sorted((self.key, other.key), key=len)
        return len(one) >= _FORM and two.startswith(one) and " " not in two

    def _initials(self) -> str:
        return "".join(part[0] for part in self.parts) if len(self.parts) > 1 else ""

    def _is_namesake(self, other: Name) -> bool:
        """True for "Bill Clinton" and "William Clinton", and for two full names that share first and last word."""
        if min(len(self.parts), len(other.parts)) < 2 or self.parts[-1] != other.parts[-1]:
            return False
        if self.parts[-2:] == other.parts[-2:]:
            return True
        one, two = self.parts[0], other.parts[0]
        return one == two or two in _namesakes().get(one, frozenset())


def names(words: Words, other: Words | None = None) -> list[Name]:
    """Return the names of a text in order; what is plainly a name in the `other` text is one here too, however it is written."""
    known = _plain_names(other) if other is not None else frozenset()
    found: list[Name] = []
    place = 0
    while place < len(words.tokens):
        name = _listed(words, place) or _run(words, place, known)
        if name is None:
            place += 1
            continue
        found.append(name)
        place = name.last + 1
    return found


def without_speakers(words: Words, found: Sequence[Name]) -> list[Name]:
    """Leave out names that merely say whose words these are: "…, says Pelosi", "According to Pelosi …", "Pelosi says …"."""
    return [name for name in found if not _is_speaker(words, name)]


def _is_speaker(words: Words, name: Name) -> bool:
    before = [token.low for token in words.tokens[max(0, name.first - 2) : name.first]]
    after = words.tokens[name.last + 1].low if name.last + 1 < len(words.tokens) else ""
    if name.kind == PLACE:
        return False
    is_after = before[-1:] == ["says"] or (before[-1:] and before[-1] in _SAYING and words.ends_clause(name.last))
    return bool(is_after) or before == ["according", "to"] or (after in _SAYING and (name.first == 0 or words.ends_clause(name.first - 1)))


# --- listed names --------------------------------------------------------------------------------------------------


@cache
def _lists() -> dict[tuple[str, ...], tuple[str, str, bool]]:
    """By the words of a name: its kind, its key, and whether it counts only in capitals."""
    found: dict[tuple[str, ...], tuple[str, str, bool]] = {}
    for kind, file in ((PLACE, "places.txt"), (NAME, "aliases.txt")):
        for key, *others in groups(file):
            for name in (key, *others):
                bare = name.strip("[]")
                found[tuple(_split(bare))] = (kind, key, bare != name)
    return found


def _split(name: str) -> list[str]:
    from twicetold.judge.tokens import read

    return [token.low for token in read(name).tokens]


@cache
def _openings() -> frozenset[str]:
    return frozenset(parts[0] for parts in _lists())


def _listed(words: Words, place: int) -> Name | None:
    if words.tokens[place].low.removesuffix("'s") not in _openings():
        return None
    for length in range(min(_LONGEST, len(words.tokens) - place), 0, -1):
        tokens = words.tokens[place : place + length]
        parts = tuple(token.low.removesuffix("'s") for token in tokens)
        kind, key, only_capitals = _lists().get(parts, ("", "", False))
        if not kind or (only_capitals and (not tokens[0].text.isupper() or words.is_shouted)):
            continue
        if _is_common_word(parts) and not _is_capital_inside(words, place):
            continue
        if length == 1 and kind == PLACE and _is_part_of_a_person(words, place):
            continue
        return Name(kind, key, parts, place, place + length - 1, is_listed=kind == PLACE)
    return None


_COMMON = SETS["names.common"]


def _is_common_word(parts: Sequence[str]) -> bool:
    return len(parts) == 1 and parts[0] in _COMMON


def _is_capital_inside(words: Words, place: int) -> bool:
    token = words.tokens[place]
    return token.is_capital and (not token.is_first or len(token.text) > 4)


def _is_part_of_a_person(words: Words, place: int) -> bool:
    """True for "Jordan" in "Jim Jordan" and "Washington" in "Denzel Washington": a name that is no place stands right before it."""
    if words.is_headline or words.is_shouted or not place or words.gap(place - 1) != " ":
        return False
    before = words.tokens[place - 1]
    return before.is_capital and before.low in _first_names()


@cache
def _first_names() -> frozenset[str]:
    return frozenset(name for line in lines_of("namesakes.txt") for name in line.split()) | SETS["names.first_names"]


# --- names by their capitals ---------------------------------------------------------------------------------------


def _run(words: Words, place: int, known: Set[str]) -> Name | None:
    """Read a run of capitalised words as one name, or a word that the other text knows as a name."""
    token = words.tokens[place]
    if not token.is_word or token.low in _NOT_NAMES:
        return None
    if token.low.removesuffix("'s") in known and not _begins_run(words, place):
        return _name(words, place, place, is_sure=True)
    following = words.tokens[place + 1].low.removesuffix("'s") if place + 1 < len(words.tokens) else ""
    if following in known and token.low in _first_names() and words.gap(place) == " ":
        return _name(words, place, place + 1, is_sure=True)
    if not _begins_run(words, place):
        return None
    last = place
    while last + 1 < len(words.tokens) and last - place < _LONGEST and _continues(words, last):
        last += 1
    while last > place and words.tokens[last].low in _INSIDE | _NOT_NAMES:
        last -= 1
    titles = [at for at in range(place, last) if words.tokens[at].low.rstrip(".") in _TITLES]
    first = titles[-1] + 1 if titles else place
    is_sure = not token.is_first or last > place or token.low.removesuffix("'s") in known or (token.text.isupper() and len(token.text) > 1)
    return _name(words, first, last, is_sure=is_sure)


def _begins_run(words: Words, place: int) -> bool:
    token = words.tokens[place]
    if words.is_shouted:
        return False
    if words.is_headline:
        return token.text.isupper() and len(token.text) > 1
    return token.is_capital and not token.low.startswith("i'")


def _continues(words: Words, last: int) -> bool:
    following = words.tokens[last + 1]
    if words.gap(last) not in (" ", "-", ". ", " & ") or following.is_first:
        return False
    if following.low in _INSIDE:
        return last + 2 < len(words.tokens) and words.tokens[last + 2].is_capital and words.gap(last + 1) == " "
    return following.is_word and _begins_run(words, last + 1) and (following.low not in _NOT_NAMES or following.text.isupper())


def _name(words: Words, first: int, last: int, *, is_sure: bool) -> Name:
    lows = (token.low.removesuffix("'s").replace(".", "") for token in words.tokens[first : last + 1])
    parts = tuple(low for low in lows if low and low not in _INSIDE and low not in _GENERATIONS) or (words.tokens[last].low,)
    kind = PLACE if len(parts) > 1 and (parts[0] in _LANDSCAPE or parts[-1] in _LANDSCAPE) else NAME
    return Name(kind, " ".join(parts), parts, first, last, is_sure)


@cache
def _namesakes() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines_of("namesakes.txt"):
        together = frozenset(line.split())
        for name in together:
            found[name] = found.get(name, frozenset()) | together
    return found


def _plain_names(words: Words) -> frozenset[str]:
    """Return the words that are plainly names: capitalised inside a sentence that is neither headline nor shouted."""
    if words.is_headline or words.is_shouted:
        return frozenset()
    return frozenset(_inside(words))


def _inside(words: Words) -> Iterator[str]:
    for token in words.tokens:
        if token.is_capital and not token.is_first and token.is_word and token.low not in _NOT_NAMES and token.low not in _TITLES:
            yield token.low.removesuffix("'s")
