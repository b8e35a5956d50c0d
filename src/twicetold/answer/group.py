"""Fact-checks that belong together: near-duplicates as one case, and the family of checks that say the same, whoever published them.

`collapse` folds twins among the matches of a claim; `as_cases` also brings in those that the search did not find, which were recognised
when they came into the collection (`index.cases`).

Two fact-checks are twins if they word the claim alike: the same letters and digits, or nearly the same words with the same numbers and
the same negations. A wording that many share is boilerplate ("Fact check", a slogan), and then the titles must agree as well. Twins
may carry different ratings; the case shows them all. Paraphrases are not twins, but of one family: their meanings are near enough, or one
holds nearly all words of the other.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.index.wording import MOST_ALIKE, Wording
from twicetold.rank.agreement import NAME as SAME
from twicetold.stage import Stage, chain
from twicetold.text import words
from twicetold.types import ANSWERING, FactCheck, Lane, Match, Post, Ranking, natural

_HEAD = 20
"""Near-equal wordings are looked for among this many matches; equal ones among all."""
SAYS_SAME = 0.8
"""From this value of the signal `same` on, two fact-checks say the same."""
_ALIKE = 0.8
"""Share of the shorter wording's words that stand in the other from which on two fact-checks say the same."""
_FEWEST_WORDS = 3


def grouped(collection: Collection, *, filters: Filters | None = None) -> Stage:
    """Fold near-duplicates into one match, those that were found and those that the collection knows."""
    return chain(collapse(), as_cases(collection, filters=filters))


# --- families ------------------------------------------------------------------------------------------------------


def answering(ranking: Ranking) -> tuple[Match, ...]:
    """Return the matches that answer the claim: none unless it was decided so.

    Where pairs were read, these are the checks that say the same, narrower or broader; otherwise the first match and its family.
    """
    if ranking.decision is None or ranking.decision.lane is not Lane.MATCHED:
        return ()
    if any(match.relation is not None for match in ranking.matches):
        return tuple(match for match in ranking.matches if match.relation in ANSWERING)
    return family(ranking)


def family(ranking: Ranking) -> tuple[Match, ...]:
    """Return the first match and those that say the same as it, in their order."""
    if not ranking.matches:
        return ()
    first, *others = ranking.matches
    return (first, *(match for match in others if says_same(first, match)))


def says_same(first: Match, match: Match, *, least: float = SAYS_SAME) -> bool:
    """True if a match says what the first one says: by the signal `same` from `least` on, or by nearly all of its words."""
    return match.signals.get(SAME, 0.0) >= least or _is_alike(first.doc, match.doc)


def _is_alike(one: FactCheck | Post, other: FactCheck | Post) -> bool:
    pairs = itertools.product(_wordings(one), _wordings(other))
    return any(len(a & b) >= _ALIKE * min(len(a), len(b)) for a, b in pairs)


def _wordings(doc: FactCheck | Post) -> list[set[str]]:
    texts = (doc.claim, doc.title) if isinstance(doc, FactCheck) else (doc.text,)
    return [found for text in texts if len(found := set(words(text, doc.lang or "en"))) >= _FEWEST_WORDS]


# --- cases ---------------------------------------------------------------------------------------------------------


def cases(checks: Iterable[FactCheck]) -> dict[str, str]:
    """Return, for each fact-check that has twins of the same letters, the id of its case: the first of their ids in natural order.

    Reads the fact-checks once and keeps only their letters, so whole collections can be given. Near-equal wordings are not compared.
    """
    by_claim: dict[str, list[tuple[str, str]]] = {}
    for check in checks:
        wording = Wording.of(check)
        if wording.says_enough:
            by_claim.setdefault(wording.claim, []).append((wording.title, check.id))
    found: dict[str, str] = {}
    for alike in by_claim.values():
        for group in _by_title(alike) if len(alike) > MOST_ALIKE else [alike]:
            if len(group) > 1:
                case = min((id for _, id in group), key=natural)
                found.update((id, case) for _, id in group)
    return found


def _by_title(alike: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for title, id in alike:
        groups.setdefault(title, []).append((title, id))
    return list(groups.values())


def collapse() -> Stage:
    """Fold each match into the better one it is a twin of, whose `twins` then name it; the order of the others stays."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_collapsed(ranking) for ranking in rankings]

    return run


def _collapsed(ranking: Ranking) -> Ranking:
    wordings = [Wording.of(match.doc) if isinstance(match.doc, FactCheck) else None for match in ranking.matches]
    common = Counter(wording.claim for wording in wordings if wording)
    kept: list[tuple[Match, Wording | None]] = []
    by_claim: dict[str, list[int]] = {}
    for place, (match, wording) in enumerate(zip(ranking.matches, wordings, strict=True)):
        first = None if wording is None else _case_of(wording, kept, by_claim, common, is_head=place < _HEAD)
        if first is None:
            if wording is not None:
                by_claim.setdefault(wording.claim, []).append(len(kept))
            kept.append((match, wording))
        else:
            better, its = kept[first]
            kept[first] = (_folded_into(better, match), its)
    return dataclasses.replace(ranking, matches=tuple(match for match, _ in kept))


def _case_of(
    wording: Wording,
    kept: Sequence[tuple[Match, Wording | None]],
    by_claim: Mapping[str, list[int]],
    common: Mapping[str, int],
    *,
    is_head: bool,
) -> int | None:
    """Return the place among `kept` of the match that this wording is a twin of."""
    if not wording.says_enough:
        return None
    for place in by_claim.get(wording.claim, ()):
        other = kept[place][1]
        if other and (common[wording.claim] <= MOST_ALIKE or other.title == wording.title):
            return place
    if is_head:
        for place, (_, other) in enumerate(kept):
            if other and wording.is_nearly(other):
                return place
    return None


def _folded_into(better: Match, twin: Match) -> Match:
    assert isinstance(twin.doc, FactCheck)
    return dataclasses.replace(better, twins=(*better.twins, twin.doc, *twin.twins))


def as_cases(collection: Collection, *, filters: Filters | None = None) -> Stage:
    """Fold matches that the collection knows to be one case, and name those of the case that were not found; filters hold for these too.

    Twins stand in the order they were found in, then in natural order of their ids.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        allowed = None if filters is None or filters == Filters() else set(collection.store.allowed(filters))
        return [_whole_cases(collection, ranking, allowed) for ranking in rankings]

    return run


def _whole_cases(collection: Collection, ranking: Ranking, allowed: set[int] | None) -> Ranking:
    nums = collection.store.numbers([match.doc.id for match in ranking.matches if isinstance(match.doc, FactCheck)])
    twins = collection.cases.twins(list(nums.values()))
    kept: dict[int, Match] = {}
    first_of: dict[int, int] = {}
    for place, match in enumerate(ranking.matches):
        others = twins.get(nums.get(match.doc.id, 0), [])
        first = next((first_of[other] for other in others if other in first_of), None)
        if first is None:
            kept[place] = match
            first_of[nums.get(match.doc.id, 0)] = place
        else:
            kept[first] = _folded_into(kept[first], match)
    matches = (_completed(collection, match, twins.get(nums.get(match.doc.id, 0), []), allowed) for match in kept.values())
    return dataclasses.replace(ranking, matches=tuple(matches))


def _completed(collection: Collection, match: Match, others: Sequence[int], allowed: set[int] | None) -> Match:
    checks = collection.store.fetch([num for num in others if allowed is None or num in allowed]).values()
    known = {match.doc.id, *(twin.id for twin in match.twins)}
    missing = sorted((check for check in checks if check.id not in known), key=lambda check: natural(check.id))
    return dataclasses.replace(match, twins=(*match.twins, *missing)) if missing else match


def twins_of(collection: Collection, id: str) -> tuple[FactCheck, ...]:
    """Return the other fact-checks of the case that this one belongs to, in natural order of their ids."""
    found = [num for others in collection.cases.twins(list(collection.store.numbers([id]).values())).values() for num in others]
    return tuple(sorted(collection.store.fetch(found).values(), key=lambda check: natural(check.id)))


def with_twins(qrels: Mapping[str, Mapping[str, int]], case_of: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return judgements of cases: each fact-check's grade is that of the best-judged of its twins, under the case's id."""
    judged: dict[str, dict[str, int]] = {}
    for query, grades in qrels.items():
        for doc, grade in grades.items():
            case = case_of.get(doc, doc)
            judged.setdefault(query, {})[case] = max(grade, judged.get(query, {}).get(case, 0))
    return judged
