"""What people said of an answer acts on the next one: a fact-check that answers a claim comes first, one that does not goes last.

A judgement holds for the claim it was made of and for near wordings of it: the same letters and digits, or nearly the same words with the
same numbers and negations (`index.wording`). Where people disagree about a fact-check it stays where it was, and both are named.
Nothing here writes judgements.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.answer.ratings import day
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.index.wording import Wording
from twicetold.stage import Stage
from twicetold.store import Judgement
from twicetold.text import unpost
from twicetold.types import Decision, FactCheck, Lane, Match, Ranking, Reason, ReasonKind, ranked

JUDGED = "judged"
"""The signal of a fact-check that people spoke of: above 0 it answers the claim, below 0 it does not."""
_STEP = 1e-6


def heed(collection: Collection, *, filters: Filters | None = None) -> Stage:
    """Put fact-checks that people said answer the claim first, also those the search missed, and those that do not last."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        said = _words_of(collection)
        return [_heeded(collection, ranking, said.on(ranking.query.text), filters) for ranking in rankings] if said.any else list(rankings)

    return run


def decided_by_people(rankings: Sequence[Ranking], /) -> list[Ranking]:
    """Call a claim matched whose first match was said to answer it, and not matched if nothing is left that was not refused."""
    return [_decided(ranking) for ranking in rankings]


def _decided(ranking: Ranking) -> Ranking:
    said = ranking.matches[0].signals.get(JUDGED, 0.0) if ranking.matches else 0.0
    if not said or ranking.decision is None:
        return ranking
    lane, probability = (Lane.MATCHED, 1.0) if said > 0 else (Lane.NO_MATCH, 0.0)
    return dataclasses.replace(ranking, decision=Decision(lane, probability, ranking.decision.risk))


@dataclass(frozen=True)
class _Words:
    """Every judgement, by the letters of its claim, and the wordings to compare near ones with."""

    by_letters: Mapping[str, Sequence[Judgement]]
    wordings: Sequence[Wording]

    @property
    def any(self) -> bool:
        return bool(self.by_letters)

    def on(self, text: str) -> dict[str, list[Judgement]]:
        """Return what was said of this claim, by fact-check; what was said of it word for word counts alone."""
        wording = _wording(text)
        found: dict[str, list[Judgement]] = {}
        for judgement in self.by_letters.get(wording.claim, ()):
            found.setdefault(judgement.check_id, []).append(judgement)
        near: dict[str, list[Judgement]] = {}
        for other in self.wordings:
            if other.claim != wording.claim and wording.is_nearly(other):
                for judgement in self.by_letters[other.claim]:
                    near.setdefault(judgement.check_id, []).append(judgement)
        return near | found


def _wording(text: str) -> Wording:
    return Wording.of(FactCheck("", claim=unpost(text)))


_KNOWN: dict[Path, tuple[int, _Words]] = {}
"""What was read of a store, with the counter of its judgements then."""


def _words_of(collection: Collection) -> _Words:
    store = collection.store
    counted = store.judged
    known = _KNOWN.get(store.path)
    if known is None or known[0] != counted:
        known = _KNOWN[store.path] = (counted, _read(store.judgements() if counted else ()))
    return known[1]


def _read(judgements: Sequence[Judgement]) -> _Words:
    by_letters: dict[str, list[Judgement]] = {}
    wordings: dict[str, Wording] = {}
    for judgement in judgements:
        wording = _wording(judgement.claim)
        by_letters.setdefault(wording.claim, []).append(judgement)
        wordings[wording.claim] = wording
    return _Words(by_letters, list(wordings.values()))


def _heeded(collection: Collection, ranking: Ranking, said: Mapping[str, Sequence[Judgement]], filters: Filters | None) -> Ranking:
    if not said:
        return ranking
    matches = [*ranking.matches, *_missed(collection, ranking, said, filters)]
    top, bottom = max((match.score for match in matches), default=0.0), min((match.score for match in matches), default=0.0)
    moved = []
    for place, match in enumerate(matches, start=1):
        words = [word for id in _ids(match) for word in said.get(id, ()) if word.grade or id == match.doc.id]
        net = sum(1 if word.grade else -1 for word in words)
        score = match.score if net == 0 else top + 1 - _STEP * place if net > 0 else bottom - 1 - _STEP * place
        moved.append(_told(match, words, net, score) if words else match)
    decision = ranking.decision
    was_refused = bool(ranking.matches) and any(m.doc.id == ranking.matches[0].doc.id and m.signals.get(JUDGED, 0) < 0 for m in moved)
    if decision is not None and was_refused and decision.lane in (Lane.MATCHED, Lane.DIFFERS):
        decision = dataclasses.replace(decision, lane=Lane.REVIEW)  # it was made by a fact-check that does not answer
    return ranked(ranking.query, moved, decision)


def _ids(match: Match) -> tuple[str, ...]:
    return (match.doc.id, *(twin.id for twin in match.twins))


def _missed(collection: Collection, ranking: Ranking, said: Mapping[str, Sequence[Judgement]], filters: Filters | None) -> list[Match]:
    """Fact-checks that answer by people's word, are still there, pass the filters, and were not found."""
    known = {id for match in ranking.matches for id in _ids(match)}
    wanted = [id for id, words in said.items() if id not in known and sum(1 if word.grade else -1 for word in words) > 0]
    nums = collection.store.numbers(wanted)
    if filters is not None and filters != Filters():
        allowed = set(collection.store.allowed(filters))
        nums = {id: num for id, num in nums.items() if num in allowed}
    return [Match(check, 0.0) for check in collection.store.fetch(list(nums.values())).values()]


def _told(match: Match, words: Sequence[Judgement], net: int, score: float) -> Match:
    reasons = (Reason(ReasonKind.JUDGED, _sentence(word)) for word in words)
    kept = tuple(dict.fromkeys((*reasons, *match.reasons)))
    return dataclasses.replace(match, score=score, signals={**match.signals, JUDGED: float(net)}, reasons=kept)


def _sentence(word: Judgement) -> str:
    told = "this answers the claim" if word.grade else "this does not answer the claim"
    return f"{word.annotator} said that {told}{', ' + day(word.judged_on) if word.judged_on else ''}."
