"""One worker's part: the posts of a partition in, an answer for each out.

Posts pass the filters, copies are put together, and what remains is asked in batches. The answers are those of `match` with the same
recipe and risk; what the filters take away is said to be skipped, with the reason, and never called "no match".
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from twicetold.answer import Answerer
from twicetold.batch.answers import Answer, tables
from twicetold.batch.copies import originals
from twicetold.batch.ledger import RANKED, SKIPPED, Ledger, Manifest, Provenance, Screening
from twicetold.batch.partitions import Partition
from twicetold.batch.prefilter import Prefilter
from twicetold.batch.provenance import provenance_of
from twicetold.batch.reading import Broken, Sighting, fallback_id, read
from twicetold.batch.stages import answering
from twicetold.batch.storage import Place
from twicetold.collection import Collection, Parts, Where
from twicetold.errors import BadData
from twicetold.find import Query, prepare
from twicetold.progress import silent
from twicetold.types import Claim, FactCheck, Lane, Match, Ranking

_AT_ONCE = 512
"""Posts asked together: enough for texts of equal length to meet in the encoder."""
_REMEMBERED = 50_000
_KEPT_CHECKS = 20_000
_NAMED = 10  # broken records that a manifest names in full; all are counted

Heartbeat = Callable[[int], None]
"""Called with how many posts of the partition are answered so far."""


class Screener:
    """Screens partitions against one collection. Opening it is cheap; the models are opened with the first post."""

    def __init__(self, data: Where, out: str, screening: Screening, expected: Provenance) -> None:
        self._collection = opened(data)
        self._ledger = Ledger(Place(out))
        self._screening = screening
        self._provenance = provenance_of(self._collection)
        if self._provenance != expected:
            raise BadData(
                f"the collection in {self._collection.folder} is not the one this run began with here "
                f"({self._provenance} instead of {expected}); "
                "give every machine the same collection and the same version of twicetold"
            )
        self._remembered: dict[tuple[str, str], Ranking] = {}

    @cached_property
    def _answerer(self) -> Answerer:
        return answering(self._collection, self._screening)

    @cached_property
    def _prefilter(self) -> Prefilter:
        return Prefilter(self._collection, self._screening)

    def run(self, partition: Partition, heartbeat: Heartbeat = silent) -> Manifest:
        """Screen a partition and commit it."""
        started = time.perf_counter()
        posts: list[Sighting] = []
        broken: list[Broken] = []
        for record in read(partition, self._screening.columns):
            (posts if isinstance(record, Sighting) else broken).append(record)  # type: ignore[arg-type]
            if broken and not self._screening.skip_broken:
                place = f"{partition.path}, row {broken[0].row}"
                raise BadData(f"{place}: {broken[0].reason}; mend that record, or leave broken ones out with --skip-broken")
        answers = self.screen(posts, heartbeat)
        answers += [_broken_answer(partition, one) for one in broken]
        answers.sort(key=lambda answer: answer.row)
        files = tables(answers, partition, self._screening, self._provenance)
        manifest = Manifest(
            partition.number,
            {name: len(content) for name, content in files.items()},
            dict(Counter(answer.lane for answer in answers)),
            dict(Counter(answer.why.partition(":")[0] for answer in answers if answer.lane == SKIPPED)),
            sum(answer.same_as > 0 for answer in answers),
            [f"{partition.path}, row {one.row}: {one.reason}" for one in broken[:_NAMED]],
            round(time.perf_counter() - started, 3),
        )
        self._ledger.commit(partition, files, manifest)
        return manifest

    def screen(self, posts: Sequence[Sighting], heartbeat: Heartbeat = silent) -> list[Answer]:
        """Answer posts, in their order."""
        claims = [Claim(sighting.post.id, sighting.post.text, lang=sighting.post.lang) for sighting in posts]
        queries = [prepare(claim) for claim in claims]
        linked = [tuple(sorted(self._collection.store.linked(query.links))) for query in queries]
        first = originals([claim.text for claim in claims], list(zip(linked, (query.lang for query in queries), strict=True)))
        distinct = [place for place, original in enumerate(first) if original == place]
        reasons = dict(zip(distinct, self._prefilter([(queries[at], bool(linked[at])) for at in distinct]), strict=True))
        wanted = [at for at in distinct if not reasons[at]]
        answered: dict[int, Ranking] = {}
        copies = Counter(first)
        done = sum(copies[at] for at in distinct if reasons[at])
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            answered |= zip(some, self._ask([(claims[at], queries[at]) for at in some]), strict=True)
            done += sum(copies[at] for at in some)
            heartbeat(done)
        return [
            _answer(sighting, queries[at], reasons[first[at]], answered.get(first[at]), posts[first[at]].row if first[at] != at else 0)
            for at, sighting in enumerate(posts)
        ]

    def _ask(self, some: Sequence[tuple[Claim, Query]]) -> list[Ranking]:
        """Ask what was not asked before by this worker: equal words have equal answers."""
        keys = [(claim.text, query.lang) for claim, query in some]
        fresh = {key: claim for key, (claim, _) in zip(keys, some, strict=True) if key not in self._remembered}
        answers = {key: _light(ranking) for key, ranking in zip(fresh, self._answerer(list(fresh.values())), strict=True)}
        found = [answers.get(key) or self._remembered[key] for key in keys]
        if len(self._remembered) + len(answers) > _REMEMBERED:
            self._remembered.clear()
        self._remembered |= answers
        return found


def opened(data: Where) -> Collection:
    """Open a collection for one core: the encoder would otherwise take all of them in every worker."""
    return Collection.open(data, parts=Parts(threads=1, kept_checks=_KEPT_CHECKS))


def _answer(sighting: Sighting, query: Query, why: str, ranking: Ranking | None, same_as: int) -> Answer:
    post = sighting.post
    lane = SKIPPED if ranking is None else _lane(ranking)
    return Answer(sighting.row, post.id, post.text, query.lang, lane, why, ranking, same_as)


def _lane(ranking: Ranking) -> str:
    if ranking.decision is not None:
        return ranking.decision.lane.value
    return RANKED if ranking.matches else Lane.NO_MATCH.value


def _light(ranking: Ranking) -> Ranking:
    """The answer without what is not written: signals and article texts would fill the memory."""
    matches = (
        dataclasses.replace(match, doc=dataclasses.replace(match.doc, body=""), signals=_kept(match), twins=())
        for match in ranking.matches
        if isinstance(match.doc, FactCheck)
    )
    return dataclasses.replace(ranking, matches=tuple(matches))


def _kept(match: Match) -> dict[str, float]:
    return {name: match.signals[name] for name in ("chance",) if name in match.signals}


def _broken_answer(partition: Partition, one: Broken) -> Answer:
    return Answer(one.row, fallback_id(partition.path, one.row), "", "", SKIPPED, f"broken: {one.reason}")
