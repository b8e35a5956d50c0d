"""Pairs of our own that teach the pair reader: judged ones, and real fact-checks retold with one thing changed.

Each becomes an `Example`: two texts with what is known of them. Retold fact-checks give pairs with the check and with each other, so that
neither nearness of wording nor a side gives the relation away. Only the part `teach` teaches; a sixteenth of the retold checks, by a hash
of their ids, is held back to watch the training.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.judge.checked import checked
from twicetold.text import unpost
from twicetold.types import CHANGED, Claim, FactCheck, Relation
from twicetold_lab.judged.files import JudgedPair
from twicetold_lab.train.public_pairs import STANCES, PublicPair

RELATIONS = tuple(Relation)
Spans = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
_STANCE = {Relation.SAME: 0, Relation.NARROWER: 0, Relation.OPPOSITE: 1, Relation.RELATED: 2, Relation.UNRELATED: 2}
_TURNED = {Relation.NARROWER: Relation.BROADER, Relation.BROADER: Relation.NARROWER}
_SYMMETRIC = {None, Relation.SAME, Relation.OPPOSITE, Relation.RELATED, Relation.UNRELATED}
_HELD_BACK = 0.06
_FOR_GRADES = 0.4


@dataclass(frozen=True, slots=True)
class Example:
    """Two texts and what is known: -1 or None where it is not. `spans` are the places of the words that differ, on each side."""

    first: str
    second: str
    relation: Relation | None = None
    answers: int = -1
    stance: int = -1
    spans: Spans | None = None
    weight: float = 1.0

    def turned(self) -> Example:
        """Return the pair the other way round; a stance has a direction, and is kept only where both ways agree."""
        relation = _TURNED.get(self.relation, self.relation) if self.relation else None
        return dataclasses.replace(
            self,
            first=self.second,
            second=self.first,
            relation=relation,
            stance=self.stance if self.relation in _SYMMETRIC and self.relation is not None else -1,
            spans=(self.spans[1], self.spans[0]) if self.spans else None,
        )


def public(pair: PublicPair) -> Example:
    """Take over a pair of a public set."""
    assert pair.stance < len(STANCES)
    return Example(pair.first, pair.second, answers=pair.same, stance=pair.stance)


def judged(pairs: Iterable[JudgedPair], claims: Mapping[str, Claim], checks: Mapping[str, FactCheck]) -> Iterator[Example]:
    """Make examples of judged pairs whose texts are at hand; pairs the judge was unsure of teach nothing."""
    for pair in pairs:
        if pair.relation is None or pair.claim not in claims or pair.check not in checks:
            continue
        first, second = unpost(claims[pair.claim].text), checked(checks[pair.check])
        answers = -1 if pair.answers is None else int(pair.answers)
        yield Example(
            first,
            second,
            pair.relation,
            answers,
            _STANCE.get(pair.relation, -1),
            _spans(pair.relation, first, second, pair.ours, pair.theirs),
        )


def retold(row: Mapping[str, Any], check: FactCheck) -> list[Example]:
    """Make every pair of one retold fact-check: with the check, and of its versions with each other.

    Changed versions make more pairs than faithful ones and so weigh less; the check beside itself in another dress is `same` too.
    """
    text, near, far, other = checked(check), row["near"], row["far"], row["rel"]
    one, two = row["c1"], row["c2"]
    found = [
        _same(near, text),
        _same(far, text),
        _same(near, far),
        _same(dressed(text), text, weight=0.7),
        _same(dressed(near), near, weight=0.7),
    ]
    for changed, against, weight in (
        (one, text, 1.0),
        (two, text, 1.0),
        (one, near, 0.7),
        (one, far, 0.7),
        (two, far, 0.7),
        (two, near, 0.7),
    ):
        relation = Relation(changed["k"])
        spans = _spans(relation, changed["t"], against, changed["o"], changed["p"])
        found.append(Example(changed["t"], against, relation, 0, _STANCE.get(relation, -1), spans, weight))
    found.append(Example(other, text, Relation.RELATED, 0, 2))
    found.append(Example(other, near, Relation.RELATED, 0, 2, weight=0.7))
    if one["k"] != two["k"]:
        found.append(Example(one["t"], two["t"], Relation.RELATED, 0, weight=0.5))
    return found


_DRESSES = (
    lambda text: text.lower().rstrip(".!"),
    lambda text: f"Is it true that {text[:1].lower()}{text[1:].rstrip('.!')}?",
    lambda text: f"They say {text[:1].lower()}{text[1:]}",
    lambda text: re.sub(r"[“”\"',]", "", text),
    lambda text: f"BREAKING: {text}",
    lambda text: re.sub(r"\b(is|are|was|were|did|does|do|has|have|had) not\b", lambda found: f"{found[1]}n't", text),
)


def dressed(text: str) -> str:
    """Return the same statement in another dress: letters, marks or a frame that says nothing, chosen by a hash of the text."""
    return _DRESSES[int(_place_of(text) * len(_DRESSES))](text)


def read_versions(path: Path) -> list[dict[str, Any]]:
    """Read `versions.jsonl`."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def is_held_back(check: str) -> bool:
    """Return whether a retold check watches the training instead of teaching."""
    return _place_of(check) < _HELD_BACK


def is_for_grades(claim: str) -> bool:
    """Return whether a claim of the part `teach` teaches the grades, which must not learn from pairs the reader has seen."""
    return _place_of(claim) < _FOR_GRADES


def _place_of(id: str) -> float:
    return int(hashlib.sha256(id.encode()).hexdigest()[:8], 16) / 16**8


def _same(one: str, other: str, *, weight: float = 1.5) -> Example:
    return Example(one, other, Relation.SAME, 1, 0, ((), ()), weight)


def _spans(relation: Relation, first: str, second: str, ours: str, theirs: str) -> Spans | None:
    """Return where the differing words stand; nothing differs in `same`; None where a side's words are not found."""
    if relation is Relation.SAME:
        return (), ()
    if relation not in CHANGED:
        return None
    one, other = _place(first, ours), _place(second, theirs)
    return ((one,), (other,)) if one and other else None


def _place(text: str, words: str) -> tuple[int, int] | None:
    words = words.strip(' "“”')
    at = text.casefold().find(words.casefold()) if words else -1
    return (at, at + len(words)) if at >= 0 else None
