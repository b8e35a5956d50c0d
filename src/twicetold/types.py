"""The values that flow: claims and fact-checks in, rankings out.

All are frozen and have one JSON form, used by the command line, the API, the page and files alike (`to_json`, `from_json`).
Nothing here reads files, searches or scores.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from twicetold import display
from twicetold.errors import BadData

T = TypeVar("T")

SCHEMA = 2
"""Version of the JSON form. It changes when a field is renamed or removed, not when one is added."""


class Verdict(StrEnum):
    """A publisher's rating, normalised. It never replaces the publisher's own words."""

    FALSE = "false"
    MISLEADING = "misleading"
    MIXED = "mixed"
    TRUE = "true"
    UNPROVEN = "unproven"
    OTHER = "other"


class Stance(StrEnum):
    """What a document says of a claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class Relation(StrEnum):
    """How what was checked stands to what was said. Opposite to scope: the same statement with one thing changed."""

    SAME = "same"
    NARROWER = "narrower"
    BROADER = "broader"
    PART = "part"
    OPPOSITE = "opposite"
    NUMBER = "number"
    WHO = "who"
    WHERE = "where"
    WHEN = "when"
    SCOPE = "scope"
    RELATED = "related"
    UNRELATED = "unrelated"


ANSWERING = frozenset([Relation.SAME, Relation.NARROWER, Relation.BROADER])
"""Relations of a fact-check that answers the claim."""
CHANGED = frozenset([Relation.OPPOSITE, Relation.NUMBER, Relation.WHO, Relation.WHERE, Relation.WHEN, Relation.SCOPE])
"""Relations of a fact-check of something changed: near, and never the answer by itself."""


class Lane(StrEnum):
    """Where a claim lands once decided: answered, close to checks of something changed, worth a person's look, or not checked before."""

    MATCHED = "matched"
    DIFFERS = "differs"
    REVIEW = "review"
    NO_MATCH = "no match"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a transcript; times in seconds, None where the source has none."""

    speaker: str
    text: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A speech or debate, in order."""

    id: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The lines around a claim, oldest first, and the claim's place among them."""

    lines: tuple[Line, ...] = ()
    at: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said, to be looked up. `links` are urls it names or came with."""

    id: str
    text: str
    context: Context = Context()
    lang: str = ""
    said_by: str = ""
    said_on: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked; mined for claims."""

    id: str
    text: str
    lang: str = ""


@dataclass(frozen=True, slots=True)
class FactCheck:
    """A published fact-check.

    Dates are ISO (`2019-10-22`) or empty. `other` keeps, by name, what the source said and no field holds,
    such as a date that could not be read.
    """

    id: str
    claim: str = ""
    claimant: str = ""
    claimed_on: str = ""
    appearances: tuple[str, ...] = ()
    title: str = ""
    body: str = ""
    rating: str = ""
    verdict: Verdict = Verdict.OTHER
    url: str = ""
    publisher: str = ""
    published: str = ""
    lang: str = ""
    other: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Post:
    """A message whose stance is read."""

    id: str
    text: str
    author: str = ""
    posted: str = ""
    lang: str = ""
    url: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A sentence of the article that carries the match; `at` is its first character's place in the body.

    `why` names the measure that chose it. Places inside `text` are (start, end): `marks` of the words shared with the claim, `typical` of
    words that fact-checks judge with ("no evidence"). No two of them overlap.
    """

    text: str
    at: int
    score: float
    why: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    typical: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a text; `at` is the place of their first character in it."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What was changed, with the words that say so: `ours` in the claim, `theirs` in what was checked."""

    kind: Relation
    ours: Span
    theirs: Span


class ReasonKind(StrEnum):
    """What a reason speaks of. `PLACED` is for those who look at numbers."""

    LINK = "link"
    MEANING = "meaning"
    WORDS = "words"
    JUDGED = "judged"
    PLACED = "placed"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a match was found or stands where it does, as a sentence for people."""

    kind: ReasonKind
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """One candidate with all that is known of it.

    `score` orders the matches of one ranking and means nothing else: never compare it between claims, nor cut by a share of it. `answers`
    is the calibrated chance that this fact-check answers this claim, comparable between claims; it, `relation` and `differences` are None
    or empty where the pair was not read. `signals` keeps every stage's number by name.
    """

    doc: FactCheck | Post
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    keys: tuple[KeySentence, ...] = ()
    stance: Stance | None = None
    twins: tuple[FactCheck, ...] = ()
    part: str = ""
    reasons: tuple[Reason, ...] = ()
    relation: Relation | None = None
    differences: tuple[Difference, ...] = ()
    answers: float | None = None

    def __repr__(self) -> str:
        return display.short_match(self)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a ranking: its lane, the probability that at least one of its matches answers the claim, the risk accepted."""

    lane: Lane
    probability: float
    risk: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The one value that flows: a query and its matches, best first.

    Rank is position. `ranked` is how one is made: it sorts by score, then by id in natural order.
    """

    query: Claim | Question
    matches: tuple[Match, ...] = ()
    decision: Decision | None = None

    @property
    def is_empty(self) -> bool:
        """True if the answer is "not checked before"."""
        return not self.matches or (self.decision is not None and self.decision.lane is Lane.NO_MATCH)

    def __repr__(self) -> str:
        return display.short_ranking(self)

    def _repr_html_(self) -> str:
        return display.table_of(self)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with a row for each match. Raises TwicetoldError where pandas is not installed."""
        return display.frame_of([self])


@dataclass(frozen=True, slots=True)
class Myth:
    """A contested answer to a question, with the posts on either side."""

    question: Question
    answer: str
    claim: str
    supporting: tuple[Match, ...] = ()
    refuting: tuple[Match, ...] = ()


_DIGITS = re.compile(r"(\d+)")


def natural(id: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which `c2` comes before `c10`.

    >>> sorted(["c10", "c2", "c1"], key=natural)
    ['c1', 'c2', 'c10']
    """
    return tuple((1, int(part), part) if part.isdecimal() else (0, 0, part) for part in _DIGITS.split(id))


def ranked(query: Claim | Question, matches: Iterable[Match], decision: Decision | None = None) -> Ranking:
    """Make a ranking: highest score first, equal scores by id in natural order."""
    ordered = sorted(matches, key=lambda match: (-match.score, natural(match.doc.id)))
    return Ranking(query, tuple(ordered), decision)


# --- one JSON form -------------------------------------------------------------------------------------------------

_KINDS: dict[str, type] = {"claim": Claim, "question": Question, "fact-check": FactCheck, "post": Post}
_KIND_OF = {cls: name for name, cls in _KINDS.items()}


def to_json(value: Any) -> Any:
    """Return plain dicts, lists, strings and numbers. Values that may be of several types carry a `kind`.

    >>> to_json(Question("q", "Is it so?"))
    {'kind': 'question', 'id': 'q', 'text': 'Is it so?', 'lang': ''}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = {"kind": _KIND_OF[type(value)]} if type(value) in _KIND_OF else {}
        return kind | {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    return value


def from_json(cls: type[T], record: Mapping[str, Any]) -> T:
    """Make a value from its JSON form. Absent fields take their defaults; unknown ones are ignored, as newer writers add them."""
    if not isinstance(record, Mapping):
        raise BadData(f"a {cls.__name__} should be an object, not {record!r:.80}")
    hints = _hints(cls)  # type: ignore[arg-type]  # a class is hashable
    given = {name: _read(hints[name], record[name], name) for name in hints if name in record}
    try:
        return cls(**given)
    except TypeError as error:
        raise BadData(f"a {cls.__name__} needs more fields than {sorted(record)}: {error}") from None


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _read(hint: Any, item: Any, name: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _read_union(typing.get_args(hint), item, name)
    if origin is tuple:
        if not isinstance(item, list | tuple):
            raise BadData(f"'{name}' should be a list, not {item!r:.80}")
        inner = typing.get_args(hint)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_read(inner[0], one, name) for one in item)
        if len(item) != len(inner):
            raise BadData(f"'{name}' should be a list of {len(inner)}, not {item!r:.80}")
        return tuple(_read(kind, one, name) for kind, one in zip(inner, item, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(item, Mapping):
            raise BadData(f"'{name}' should be an object, not {item!r:.80}")
        return {str(key): _read(typing.get_args(hint)[1], one, name) for key, one in item.items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(item, Mapping):
            raise BadData(f"'{name}' should be an object, not {item!r:.80}")
        return from_json(hint, item)
    return _read_plain(hint, item, name)


def _read_union(options: tuple[Any, ...], item: Any, name: str) -> Any:
    if item is None and type(None) in options:
        return None
    real = [option for option in options if option is not type(None)]
    if len(real) == 1:
        return _read(real[0], item, name)
    kind = item.get("kind") if isinstance(item, Mapping) else None
    for option in real:
        if _KIND_OF.get(option) == kind:
            return _read(option, item, name)
    raise BadData(f"'{name}' should say its kind: one of {[_KIND_OF[o] for o in real]}, not {kind!r}")


def _read_plain(hint: Any, item: Any, name: str) -> Any:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        try:
            return hint(item)
        except ValueError:
            raise BadData(f"'{name}' should be one of {[e.value for e in hint]}, not {item!r:.80}") from None
    if hint is float and isinstance(item, int | float) and not isinstance(item, bool) and abs(item) <= sys.float_info.max:
        return float(item)
    if isinstance(item, hint) and not (hint is int and isinstance(item, bool)):
        return item
    raise BadData(f"'{name}' should be {hint.__name__}, not {item!r:.80}")
