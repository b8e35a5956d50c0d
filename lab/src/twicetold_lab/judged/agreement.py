"""How far two judges of the same pair agree: Cohen's kappa (1960), by relation and by group (answers, differs, neither)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from twicetold.types import ANSWERING, CHANGED, Relation
from twicetold_lab.judged.files import JudgedClaim, JudgedPair


def kappa(labels: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of two judges' labels; None where it cannot be computed.

    >>> kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    if not labels:
        return None
    of = len(labels)
    first, second = (Counter(pair[side] for pair in labels) for side in (0, 1))
    agreed = sum(one == other for one, other in labels) / of
    by_chance = sum(first[label] * second[label] for label in first) / of**2
    return None if by_chance == 1 else round((agreed - by_chance) / (1 - by_chance), 4)


def group(relation: Relation) -> str:
    """Return the relation's group."""
    return "answers" if relation in ANSWERING else "differs" if relation in CHANGED else "neither"


def twice(pairs: Sequence[JudgedPair]) -> list[tuple[Relation, Relation]]:
    """Return what two different judges said of the same pair."""
    by_pair: dict[tuple[str, str], list[JudgedPair]] = {}
    for pair in pairs:
        if pair.relation is not None:
            by_pair.setdefault((pair.claim, pair.check), []).append(pair)
    found = []
    for some in by_pair.values():
        other = next((pair for pair in some[1:] if pair.judge != some[0].judge), None)
        if other is not None and some[0].relation is not None and other.relation is not None:
            found.append((some[0].relation, other.relation))
    return found


def summary(claims: Mapping[str, JudgedClaim], pairs: Sequence[JudgedPair]) -> dict[str, Any]:
    """Return the counts of a data card, and the agreement."""
    both = twice(pairs)
    return {
        "pairs": len({(pair.claim, pair.check) for pair in pairs}),
        "judgements": len(pairs),
        "claims": len(claims),
        "claims written": sum(claim.origin == "written" for claim in claims.values()),
        "claims by part": dict(Counter(claim.part for claim in claims.values())),
        "claims by collection": dict(Counter(f"{claim.part} over {claim.collection}" for claim in claims.values())),
        "relations": dict(Counter(str(pair.relation or "unsure") for pair in pairs).most_common()),
        "judged twice": len(both),
        "kappa by group": kappa([(group(one), group(other)) for one, other in both]),
        "kappa by relation": kappa([(str(one), str(other)) for one, other in both]),
    }
