"""The stage that judges: it reads the first matches together with the claim and says how each stands to it.

Each of the first ten matches, fewer where the rest are clearly unrelated by their signals, gets a `relation`, the `differences` with
their words, `answers`, the calibrated chance that it answers the claim, and the signals `judge.answers` and `judge.changed`. Only English
is read so far: a claim or check known to be in another language keeps `answers` None, which is not a "no". Of a long claim the
sentences nearest to each check are read, and the reading of the one that comes closest counts.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twicetold.judge.checked import checked, states_claim
from twicetold.judge.counted import Counted, compare
from twicetold.judge.differences import differences, kind_of_change
from twicetold.judge.grades import Grades, features
from twicetold.judge.passages import passages
from twicetold.judge.reader import RELATIONS, PairReader, Reading
from twicetold.judge.tokens import FUNCTION, read
from twicetold.stage import Stage
from twicetold.text import language, unpost_with_places
from twicetold.types import CHANGED, Claim, Difference, FactCheck, Match, Question, Ranking, Relation, Span

FIRST = 10
"""How many matches are read."""
ANSWERS, CHANGED_SIGNAL = "judge.answers", "judge.changed"
_LEAST_COSINE, _LEAST_SHARE = 0.2, 0.1
"""Below both a match is clearly unrelated."""
_LITTLE_WORDS = 4
"""One word in so many is a little one in any English sentence: "the", "is", "not"."""
_VERBATIM_WORDS = re.compile(r"\w+|[%$€£]")
_FEWEST_VERBATIM, VERBATIM = 4, 0.995
"""From so many words on a claim in the very words of a check is the same, with this chance."""
_CHANGED_WORTH, _PLACE_WORTH = 0.3, 0.1
"""What a check of something changed, and the place a match came with, are worth beside the chance of answering when matches are ordered."""
_ANSWERING = (Relation.SAME, Relation.NARROWER, Relation.BROADER, Relation.PART)
_OTHER = (Relation.RELATED, Relation.UNRELATED)


def judged(reader: PairReader, grades: Grades, *, first: int = FIRST) -> Stage:
    """Judge the first matches of each ranking; the others stay as they are."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        done = read_pairs(reader, rankings, first=first)
        answers, changed = grades.grade([one.row for some in done for one in some])
        chances = iter(zip(answers.tolist(), changed.tolist(), strict=True))
        judgements = [{one.pair.place: one.judge(*next(chances)) for one in some} for some in done]
        return [in_order(with_judgements(ranking, found)) for ranking, found in zip(rankings, judgements, strict=True)]

    return run


def read_pairs(reader: PairReader, rankings: Sequence[Ranking], *, first: int = FIRST) -> list[list[ReadPair]]:
    """Read the first matches of each ranking, both ways round; those that cannot be read, or are clearly unrelated, are left out."""
    told = [_Said.of(ranking.query) for ranking in rankings]
    pairs = [list(_pairs(said, ranking, first)) for said, ranking in zip(told, rankings, strict=True)]
    readings = iter(reader.read([texts for some in pairs for pair in some for texts in pair.texts]))
    done = [[ReadPair.of(pair, [next(readings) for _ in pair.spans]) for pair in some] for some in pairs]
    backs = iter(reader.read([(one.pair.what, one.ours) for some in done for one in some]))
    return [[dataclasses.replace(one, back=next(backs)) for one in some] for some in done]


def is_read(lang: str) -> bool:
    """True for English and for what is not known to be anything else."""
    return lang in ("", "en")


def _is_english(text: str) -> bool:
    """True if a text is not plainly in another language. The language of a few words is easily mistaken, their little words are not."""
    if is_read(language(text)):
        return True
    tokens = [token for token in read(text).tokens if token.is_word]
    return sum(token.low in FUNCTION for token in tokens) * _LITTLE_WORDS >= len(tokens) > 0


def is_unrelated(match: Match) -> bool:
    """True if neither meaning nor words nor links bring a match near the claim; a match without such signals is not."""
    signals = match.signals
    if signals.get("link", 0.0) > 0 or not {"dense.claim", "dense.title", "share.best"} & signals.keys():
        return False
    cosine = max(signals.get("dense.claim", 0.0), signals.get("dense.title", 0.0))
    return cosine < _LEAST_COSINE and signals.get("share.best", 0.0) < _LEAST_SHARE


@dataclass(frozen=True)
class _Said:
    """A claim as it is read: plain words, and where in its text each character stands."""

    query: Claim | Question
    plain: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, query: Claim | Question) -> _Said:
        return cls(query, *unpost_with_places(query.text))

    @property
    def is_readable(self) -> bool:
        return bool(self.plain) and (is_read(self.query.lang) if self.query.lang else _is_english(self.plain))

    def span(self, start: int, text: str) -> Span:
        """Return words of the plain text as they stand in the claim."""
        if not text:
            return Span("", 0)
        begin, end = self.places[start], self.places[start + len(text) - 1] + 1
        return Span(self.query.text[begin:end], begin)


@dataclass(frozen=True)
class _Pair:
    """A claim and one of its matches: the stretches of the claim that are read, and what was checked."""

    said: _Said
    place: int
    match: Match
    what: str
    is_stated: bool
    spans: list[tuple[int, int]]

    @property
    def texts(self) -> list[tuple[str, str]]:
        return [(self.said.plain[start:end], self.what) for start, end in self.spans]


def _pairs(said: _Said, ranking: Ranking, first: int) -> Iterator[_Pair]:
    if not said.is_readable:
        return
    for place, match in enumerate(_worth_reading(ranking.matches[:first])):
        if not isinstance(match.doc, FactCheck) or not is_read(match.doc.lang):
            continue
        what, is_stated = checked(match.doc), states_claim(match.doc)
        spans = passages(said.plain, what) if what else []
        if spans:
            yield _Pair(said, place, match, what, is_stated, spans)


def _worth_reading(matches: Sequence[Match]) -> Sequence[Match]:
    """Leave out the clearly unrelated at the end."""
    last = max((place for place, match in enumerate(matches) if not is_unrelated(match)), default=-1)
    return matches[: last + 1]


@dataclass(frozen=True)
class _Judgement:
    relation: Relation
    differences: tuple[Difference, ...]
    answers: float
    changed: float


@dataclass(frozen=True)
class ReadPair:
    """A pair with the reading of its closest stretch, and what was counted of that."""

    pair: _Pair
    start: int
    ours: str
    reading: Reading
    counted: Counted
    back: Reading | None = None

    @classmethod
    def of(cls, pair: _Pair, readings: Sequence[Reading]) -> ReadPair:
        best = max(range(len(readings)), key=lambda number: (closeness(readings[number]), -number))
        ours, what = pair.texts[best]
        said_on = pair.said.query.said_on if isinstance(pair.said.query, Claim) else ""
        published = pair.match.doc.published if isinstance(pair.match.doc, FactCheck) else ""
        counted = compare(ours, what, said_on=said_on, published=published, is_stated=pair.is_stated)
        return cls(pair, pair.spans[best][0], ours, readings[best], counted)

    @property
    def row(self) -> dict[str, float]:
        return features(self.reading, self.back or self.reading, self.counted, self.pair.match.signals, is_stated=self.pair.is_stated)

    @property
    def is_verbatim(self) -> bool:
        """True if the claim says what was checked word for word and number for number; other signs and capitals aside."""
        ours, what = (_VERBATIM_WORDS.findall(text.casefold()) for text in (self.ours, self.pair.what))
        return self.pair.is_stated and len(ours) >= _FEWEST_VERBATIM and ours == what

    def judge(self, answers: float, changed: float) -> _Judgement:
        """Return the judgement by these chances; a claim in the very words of the check is the same whatever they are."""
        if self.is_verbatim:
            return _Judgement(Relation.SAME, (), max(answers, VERBATIM), min(changed, 1 - VERBATIM))
        relation = relation_of(self.reading, self.counted, answers, changed)
        if relation not in CHANGED:
            return _Judgement(relation, (), answers, changed)
        found = differences(relation, self.reading, self.counted, self.ours, self.pair.what)
        return _Judgement(relation, tuple(self._placed(one) for one in found), answers, changed)

    def _placed(self, difference: Difference) -> Difference:
        """Put our words where they stand in the claim as it was given."""
        ours = difference.ours
        return dataclasses.replace(difference, ours=self.pair.said.span(self.start + ours.at, ours.text))


def closeness(reading: Reading) -> float:
    """Return the chance that a check speaks of what was said at all, the same or changed."""
    return 1.0 - sum(reading.relation[RELATIONS.index(relation)] for relation in _OTHER)


def relation_of(reading: Reading, counted: Counted, answers: float, changed: float) -> Relation:
    """Return the likeliest relation of the group that the chances choose: answering, changed, or neither."""
    if answers >= 0.5 and answers >= changed:
        return max(_ANSWERING, key=lambda relation: reading.relation[RELATIONS.index(relation)])
    if changed >= 0.5:
        return kind_of_change(reading, counted)
    return max(_OTHER, key=lambda relation: reading.relation[RELATIONS.index(relation)])


def with_judgements(ranking: Ranking, found: dict[int, _Judgement]) -> Ranking:
    matches = [_with_judgement(match, found[place]) if place in found else match for place, match in enumerate(ranking.matches)]
    return dataclasses.replace(ranking, matches=tuple(matches))


def in_order(ranking: Ranking) -> Ranking:
    """Put first what likelier answers: among the matches that were read the chance and the place they came with count together.

    Scores are handed on in their falling order, so that they still order the ranking. A shared link stays first; unread matches keep
    their places.
    """
    read = [place for place, match in enumerate(ranking.matches) if match.answers is not None and not match.signals.get("link")]
    best = sorted(read, key=lambda place: -_merit(ranking.matches[place], place))
    scores = [ranking.matches[place].score for place in read]
    matches = list(ranking.matches)
    for place, other, score in zip(read, best, scores, strict=True):
        matches[place] = dataclasses.replace(ranking.matches[other], score=score)
    return dataclasses.replace(ranking, matches=tuple(matches))


def _merit(match: Match, place: int) -> float:
    return (match.answers or 0.0) + _CHANGED_WORTH * match.signals[CHANGED_SIGNAL] + _PLACE_WORTH / (1 + place)


def _with_judgement(match: Match, judgement: _Judgement) -> Match:
    return dataclasses.replace(
        match,
        relation=judgement.relation,
        differences=judgement.differences,
        answers=judgement.answers,
        signals={**match.signals, ANSWERS: judgement.answers, CHANGED_SIGNAL: judgement.changed},
    )
