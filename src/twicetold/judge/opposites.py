"""Words that mean the reverse of each other: from a list by their lemmas, and by "un-", "dis-", "non-" and "-less" before or after a word.

A pair counts only where each side lacks the other's word: a text that holds both "rose" and "fell" reverses nothing by itself. A pair
of which one word is denied ("did not rise" / "fell") says the same and does not count. English only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from twicetold.judge.figures import SMALL
from twicetold.judge.lists import SETS, groups
from twicetold.judge.negation import Denial
from twicetold.judge.tokens import Words, lemma

_PREFIXES = ("un", "dis", "non", "in", "im", "il", "ir")
_FALSE_PAIRS = SETS["opposites.false_pairs"]
"""What is left of words such as "discover", "important", "income" without their first letters: no reverse of them."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """A word of each text, by its token, that mean the reverse; `is_undone` if one of the two is denied, so that both say the same."""

    ours: int
    theirs: int
    is_undone: bool


def reversals(ours: Words, theirs: Words, denied: tuple[Iterable[Denial], Iterable[Denial]]) -> list[Reversal]:
    """Return the reversed words of two texts, each word once, the nearest in context first; `denied` are the denials of both."""
    return list(_reversals(ours, theirs, denied))


def _reversals(ours: Words, theirs: Words, denied: tuple[Iterable[Denial], Iterable[Denial]]) -> Iterator[Reversal]:
    mine, its = _only(ours, theirs), _only(theirs, ours)
    if not mine or not its:
        return
    under = [{denial.reaches for denial in some} for some in denied]
    scored = [(-len(ours.near(a, a) & theirs.near(b, b)), a + b, a, b) for a, b in _candidates(ours, mine, theirs, its)]
    used: tuple[set[int], set[int]] = (set(), set())
    for _, _, a, b in sorted(scored):
        if a not in used[0] and b not in used[1]:
            used[0].add(a)
            used[1].add(b)
            yield Reversal(a, b, (a in under[0]) != (b in under[1]))


def _candidates(ours: Words, mine: list[int], theirs: Words, its: list[int]) -> set[tuple[int, int]]:
    """Return the places of words in the two texts that mean the reverse of each other."""
    forms: dict[str, list[int]] = {}
    for place in its:
        for form in _forms(theirs, place):
            forms.setdefault(form, []).append(place)
    known = _reverses()
    found: set[tuple[int, int]] = set()
    for place in mine:
        for form in _forms(ours, place):
            reverses = known.get(form, frozenset()).intersection(forms)
            found.update((place, there) for reverse in (*reverses, *_negated_forms(form, forms)) for there in forms[reverse])
    return found


def _only(words: Words, other: Words) -> list[int]:
    """Return the places of words that may have a reverse and that the other text lacks."""
    there = frozenset(other.lemmas)
    known = _reverses().keys()
    found = []
    for place, token in enumerate(words.tokens):
        its = words.lemmas[place]
        if its in there or not token.is_word or _is_part_of_an_amount(words, place):
            continue
        if its in known or token.low in known or len(token.low) > 4:
            found.append(place)
    return found


def _is_part_of_an_amount(words: Words, place: int) -> bool:
    """True for "more" in "more than 40 %", "up" in "up to 5", and for words that mean little by themselves."""
    low = words.tokens[place].low
    following = [token.low for token in words.tokens[place + 1 : place + 3]]
    if low in ("more", "less", "fewer", "higher", "lower", "greater") and following[:1] == ["than"]:
        return len(following) > 1 and (following[1][0].isdigit() or following[1] in SMALL or following[1] in ("$", "half", "a"))
    if low in ("over", "under", "up", "above", "below"):
        return bool(following) and (following[0][0].isdigit() or following[0] in SMALL or following[0] in ("$", "half", "to"))
    return low in ("like", "right", "just", "for", "back", "let", "state", "free", "come", "get", "make")


@cache
def _reverses() -> dict[str, frozenset[str]]:
    """By lemma, the lemmas of its reverses; words that lose their sense as a stem ("lower") stand as they are too."""
    found: dict[str, set[str]] = {}
    for one, other in groups("opposites.txt"):
        for here, there in ((one, other), (other, one)):
            forms = {form for word in there.split() for form in (word, lemma(word))}
            for word in here.split():
                for form in (word, lemma(word)):
                    found.setdefault(form, set()).update(forms)
    return {form: frozenset(reverses - {form}) for form, reverses in found.items()}


def _forms(words: Words, place: int) -> set[str]:
    """Return the forms a word is looked up by: as it stands, its lemma, and an adverb's adjective ("temporarily")."""
    low = words.tokens[place].low
    adjective = low[:-3] + "y" if low.endswith("ily") else low.removesuffix("ly")
    return {low, words.lemmas[place], adjective}


def _negated_forms(form: str, forms: Mapping[str, object]) -> list[str]:
    """Return which of `forms` are this word with or without "un-", "il-", "dis-" …, or with "-less" for "-ful".

    >>> _negated_forms("safe", {"unsafe": 0, "safety": 0}), _negated_forms("useless", {"useful": 0})
    (['unsafe'], ['useful'])
    """
    found = []
    for prefix in _PREFIXES:
        shorter = form.removeprefix(prefix)
        for longer, core in ((prefix + form, form), (shorter, shorter)):
            if longer in forms and longer != form and len(core) >= 4 and core not in _FALSE_PAIRS:
                found.append(longer)
    for ending, other in (("less", "ful"), ("ful", "less")):
        changed = form.removesuffix(ending) + other
        if form.endswith(ending) and len(form) > 6 and changed in forms:
            found.append(changed)
    return found


def count_of_pairs() -> int:
    """Return how many pairs the list knows."""
    return sum(len(one.split()) * len(other.split()) for one, other in groups("opposites.txt"))
