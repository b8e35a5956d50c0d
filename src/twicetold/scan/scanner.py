"""Listen to a speech line by line: pick the lines worth checking, look each up in its context, and say what is left to check.

A line's answer comes as soon as the lines it looks ahead to are there, so a live stream is answered while it runs. Lines that go on
with a claim the same speaker has just made are joined with it. Transcripts are read by `ingest.transcripts`, matching is a stage.
"""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from twicetold.rank.coref.resolution import NOTHING, Resolution, Resolver
from twicetold.types import Claim, Context, Lane, Line, Ranking

Answer = Callable[[Sequence[Claim]], Sequence[Ranking]]
"""Looks claims up: an `Answerer`."""

Worth = Callable[[Sequence[Line], Sequence[int]], Sequence[float]]
"""How much the lines at these places are worth checking, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to listen: `ahead` lines must follow before a line is answered; lines from `least_worth` on are looked up.

    `said_on` is the day of the speech (ISO), `id` names it: line 7 becomes the claim `id:7`.
    """

    id: str = "speech"
    said_on: str = ""
    behind: int = 3
    ahead: int = 1
    least_worth: float = 0.25


@dataclass(frozen=True, slots=True)
class ScannedLine:
    """A line as it was heard. `ranking` is None if it was not looked up; `part_of` is the number of the line it goes on from, or 0."""

    number: int
    line: Line
    worth: float
    resolution: Resolution = NOTHING
    ranking: Ranking | None = None
    part_of: int = 0

    @property
    def is_checked(self) -> bool:
        """True if this line was checked before: it was decided that one of its matches answers it."""
        return self._lane is Lane.MATCHED

    @property
    def is_in_doubt(self) -> bool:
        """True if the line is worth a look: its matches may or may not answer it."""
        return self._lane is Lane.REVIEW

    @property
    def is_changed(self) -> bool:
        """True if the nearest fact-checks are of the same statement with something changed."""
        return self._lane is Lane.DIFFERS

    @property
    def is_undecided(self) -> bool:
        """True if something near was found by a recipe that does not decide whether it answers."""
        return self.ranking is not None and bool(self.ranking.matches) and self.ranking.decision is None

    @property
    def is_left(self) -> bool:
        """True if the line was looked up and no fact-check answers it."""
        return self.ranking is not None and self.ranking.is_empty

    @property
    def has_matches(self) -> bool:
        """True if there are fact-checks to show with this line, whatever they are worth."""
        return self.is_checked or self.is_changed or self.is_in_doubt or self.is_undecided

    @property
    def probability(self) -> float:
        """How probable it is that one of the matches answers this line; 0 where nothing was decided."""
        return 0.0 if self.ranking is None or self.ranking.decision is None else self.ranking.decision.probability

    @property
    def _lane(self) -> Lane | None:
        return None if self.ranking is None or self.ranking.is_empty or self.ranking.decision is None else self.ranking.decision.lane


class Scanner:
    """Scans one speech after another; keeps nothing between them."""

    def __init__(self, match: Answer, worth: Worth, *, resolve: Resolver | None = None, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._match = match
        self._worth = worth
        self._resolve = resolve

    def scan(self, lines: Iterable[Line]) -> Iterator[ScannedLine]:
        """Yield every line once, in order, each when `ahead` more lines have come or the speech is over.

        Lines that are all there already (a list or tuple) are looked up some at a time, which is faster; the answers are the same.
        """
        heard: list[Line] = []
        recent: deque[ScannedLine] = deque(maxlen=self.settings.behind)
        done = 0
        for some in _at_once(lines):
            heard += some
            ready = max(done, len(heard) - self.settings.ahead)
            yield from self._hear(heard, range(done, ready), recent)
            done = ready
        yield from self._hear(heard, range(done, len(heard)), recent)

    def _hear(self, lines: Sequence[Line], places: Sequence[int], recent: deque[ScannedLine]) -> Iterator[ScannedLine]:
        worths = self._worth(lines, places)
        contexts = [Context(tuple(lines[: at + self.settings.ahead + 1]), at) for at in places]
        chosen = [at for at, worth in zip(places, worths, strict=True) if worth >= self.settings.least_worth and lines[at].text]
        claims = [self._claim(lines[at], contexts[at - places[0]]) for at in chosen]
        rankings = dict(zip(chosen, map(self._near, self._match(claims)), strict=True))
        for at, worth, context in zip(places, worths, contexts, strict=True):
            resolution = self._resolve(context) if self._resolve is not None and lines[at].text else NOTHING
            one = ScannedLine(at + 1, lines[at], worth, resolution, rankings.get(at))
            one = dataclasses.replace(one, part_of=_continued(one, recent))
            recent.append(one)
            yield one

    def _claim(self, line: Line, context: Context) -> Claim:
        return Claim(f"{self.settings.id}:{context.at + 1}", line.text, context, said_by=line.speaker, said_on=self.settings.said_on)

    def _near(self, ranking: Ranking) -> Ranking:
        """The ranking with only the lines near the claim as its context: the whole speech need not go out with every answer."""
        claim = ranking.query
        assert isinstance(claim, Claim)
        first = max(0, claim.context.at - self.settings.behind)
        near = Context(claim.context.lines[first:], claim.context.at - first)
        return dataclasses.replace(ranking, query=dataclasses.replace(claim, context=near))


_AT_ONCE = 64


def _at_once(lines: Iterable[Line]) -> Iterator[Sequence[Line]]:
    """The lines in groups that need not be waited for: one at a time where they are still to come."""
    if not isinstance(lines, Sequence):
        yield from ([line] for line in lines)
        return
    yield from (lines[start : start + _AT_ONCE] for start in range(0, len(lines), _AT_ONCE))


WORTHY = 0.25
"""From this worth on a line states something of its own."""
_GOES_ON = re.compile(r"(?:and|but|or|so|because|which|who|that is|in fact|not|also|it|they|that|this|these|those)\b", re.IGNORECASE)


def _continued(heard: ScannedLine, recent: Iterable[ScannedLine]) -> int:
    """The number of the line whose claim this one goes on with, or 0: the same speaker, a few lines back, and checked by the same
    fact-check; or a line that states nothing of its own ("And that is a disgrace") right after one that was looked up."""
    for earlier in reversed(list(recent)):
        if earlier.line.speaker != heard.line.speaker or earlier.ranking is None:
            continue
        if heard.is_checked and earlier.is_checked:
            if _first(heard) == _first(earlier):
                return earlier.part_of or earlier.number
        elif not heard.is_checked and earlier.number == heard.number - 1 and _hangs_on(heard):
            return earlier.part_of or earlier.number
    return 0


def _first(heard: ScannedLine) -> str:
    assert heard.ranking is not None
    return heard.ranking.matches[0].doc.id


def _hangs_on(heard: ScannedLine) -> bool:
    """True if a line cannot stand alone. Its first word alone does not tell: "But murders rose by 40 percent" is a claim."""
    text = heard.line.text
    if not text or heard.worth >= WORTHY:
        return False
    return text[:1].islower() or (bool(_GOES_ON.match(text)) and len(text.split()) <= 12)


def continuations(heard: Iterable[ScannedLine]) -> dict[int, list[ScannedLine]]:
    """Return the lines that go on with a claim, in order, by the number of the line that begins it."""
    joined: dict[int, list[ScannedLine]] = {}
    for one in heard:
        if one.part_of:
            joined.setdefault(one.part_of, []).append(one)
    return joined


def queue(heard: Iterable[ScannedLine]) -> list[ScannedLine]:
    """Return the lines worth checking that nobody has checked, most worthy first; lines that go on with a claim stand with it."""
    left = [one for one in heard if one.is_left and not one.part_of]
    return sorted(left, key=lambda one: (-one.worth, one.number))
