"""How a speech fared, in numbers and in words: the same on the command line, in reports, on the page and in the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from twicetold.answer.phrases import NEAREST
from twicetold.scan.scanner import ScannedLine


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a speech. `lines` and `looked_up` are lines; the others are claims: lines that go on with a claim count with it.

    Every line that was looked up is in exactly one of `checked_before`, `differs` (the nearest checks are of something changed),
    `worth_a_look`, `undecided` (the recipe does not decide, so nothing is known of it) and `not_checked`, or goes on with one that is.
    `left_out` are lines with words that were not looked up.
    """

    lines: int = 0
    looked_up: int = 0
    left_out: int = 0
    checked_before: int = 0
    differs: int = 0
    worth_a_look: int = 0
    undecided: int = 0
    not_checked: int = 0

    @classmethod
    def of(cls, heard: Iterable[ScannedLine]) -> Tally:
        """Count the lines of a speech."""
        every = list(heard)
        asked = [one for one in every if one.ranking is not None]
        claims = [one for one in asked if not one.part_of]
        return cls(
            lines=len(every),
            looked_up=len(asked),
            left_out=sum(bool(one.line.text) for one in every) - len(asked),
            checked_before=sum(one.is_checked for one in claims),
            differs=sum(one.is_changed for one in claims),
            worth_a_look=sum(one.is_in_doubt for one in claims),
            undecided=sum(one.is_undecided for one in claims),
            not_checked=sum(one.is_left for one in claims),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def claims(self, *, is_filtered: bool = False) -> str:
        """Return what became of the claims, as a sentence without its full stop; with filters set, more may be known than was asked.

        >>> Tally(checked_before=1, worth_a_look=2, not_checked=1).claims()
        '1 claim was checked before; 2 are worth a look; 1 nobody has checked, as far as this collection goes'
        """
        none = f"{_verb(self.not_checked, 'has', 'have')} no fact-check among those that your filters leave"
        alone = none if is_filtered else "nobody has checked, as far as this collection goes"
        told = [
            (self.checked_before, f"{counted(self.checked_before, 'claim')} {_verb(self.checked_before, 'was', 'were')} checked before"),
            (self.worth_a_look, f"{self.worth_a_look:,} {_verb(self.worth_a_look, 'is', 'are')} worth a look"),
            (self.not_checked, f"{self.not_checked:,} {alone}"),
        ]
        if self.differs:
            told.insert(1, (self.differs, f"{self.differs:,} {_verb(self.differs, 'is', 'are')} close to a check of something else"))
        if not self.undecided:
            return "; ".join(text for _, text in told)
        # Of what was not decided nothing can be said to be checked or not; of lines for which nothing was found it can.
        return "; ".join(
            [f"{counted(self.undecided, 'line')} with the {NEAREST[0].lower()}{NEAREST[1:]}", *(text for count, text in told if count)]
        )


def counted(number: int, what: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "claim"), counted(2_500, "line")
    ('1 claim', '2,500 lines')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _verb(number: int, one: str, many: str) -> str:
    return one if number == 1 else many
