"""Fit the grades of pairs and the decision over them, on claims whose first ten candidates were judged.

Grades learn from pairs that the pair reader did not: of the part `calibrate`, and of the claims of `teach` kept for them. The decision
learns on `calibrate` alone, from grades by models that have not seen the claim, so that its curves are those of new claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.answer import Answerer
from twicetold.answer.decide import Decider
from twicetold.collection import Collection
from twicetold.judge.grades import FEATURES, Grades
from twicetold.judge.reader import PairReader
from twicetold.judge.stage import ReadPair, in_order, read_pairs, with_judgements
from twicetold.models import shipped
from twicetold.stage import ask
from twicetold.types import Claim, Ranking
from twicetold_lab.judged import files, texts
from twicetold_lab.judged.files import JudgedPair
from twicetold_lab.judged.report import Case
from twicetold_lab.train.grades import Fitted, fit_grades
from twicetold_lab.train.own_pairs import is_for_grades


@dataclass(frozen=True)
class Gathered:
    """A judged claim with its candidates as they were ranked, and what the reader said of each."""

    part: str
    ranking: Ranking
    read: Sequence[ReadPair]

    @property
    def claim(self) -> str:
        return self.ranking.query.id


def train(data_root: Path, out: Path, judgements: Path, *, cache: Path, reader: Path | None = None) -> None:
    """Rank, read, fit and write the folders `grades` and `decide` into `out`."""
    pairs = list(files.first_words(files.read_pairs(judgements)).values())
    known = files.read_claims(judgements)
    wanted = {id: one for id, one in known.items() if one.part == "calibrate" or (one.part == "teach" and is_for_grades(id))}
    claims = texts.claims(wanted, data_root)
    model = PairReader.load(reader or shipped("pairs"))
    gathered: list[Gathered] = []
    for name in texts.COLLECTIONS:
        with texts.collection(name, data_root, cache) as collection:
            asked = [claims[id] for id, one in wanted.items() if one.collection == name and id in claims]
            gathered += gather(collection, model, asked, {id: one.part for id, one in wanted.items()})
    fitted, decider = fit(gathered, pairs)
    fitted.grades.save(out / "grades")
    decider.save(out / "decide")


def gather(collection: Collection, reader: PairReader, claims: Iterable[Claim], parts: Mapping[str, str]) -> list[Gathered]:
    """Rank claims as `best` does before judging, and read their first matches."""
    rankings = ask(Answerer(collection).unjudged, claims)
    read = read_pairs(reader, rankings)
    return [Gathered(parts[ranking.query.id], ranking, some) for ranking, some in zip(rankings, read, strict=True)]


def fit(gathered: Sequence[Gathered], pairs: Iterable[JudgedPair]) -> tuple[Fitted, Decider]:
    """Fit the grades on all that is gathered, and the decision on the part `calibrate`."""
    judged = {(pair.claim, pair.check): pair for pair in pairs}
    known = [
        (one, read, judged[one.claim, read.pair.match.doc.id])
        for one in gathered
        for read in one.read
        if (one.claim, read.pair.match.doc.id) in judged
    ]
    told = [row for row in known if row[2].answers is not None]
    rows = np.array([[read.row[name] for name in FEATURES] for _, read, _ in told])
    answers, changed = (np.array([bool(getattr(pair, name)) for _, _, pair in told]) for name in ("answers", "is_changed"))
    fitted = fit_grades(rows, FEATURES, answers, changed, [one.claim for one, _, _ in told])
    held = {
        (one.claim, read.pair.place): (float(answer), float(change))
        for (one, read, _), answer, change in zip(told, fitted.answers, fitted.changed, strict=True)
    }
    calibrating = [one for one in gathered if one.part == "calibrate"]
    rankings = [graded(one, fitted.grades, held) for one in calibrating]
    cases = [Case(_of_claim(judged, ranking.query.id), ranking) for ranking in rankings]
    decider = Decider.fit(rankings, [case.kind for case in cases], np.array([case.is_right_first for case in cases]))
    return fitted, decider


def graded(one: Gathered, grades: Grades, held: Mapping[tuple[str, int], tuple[float, float]]) -> Ranking:
    """Return the ranking as the judging stage leaves it, by the held-out chances where there are any."""
    if not one.read:
        return one.ranking
    answers, changed = grades.grade([read.row for read in one.read])
    chances = [held.get((one.claim, read.pair.place), own) for read, own in zip(one.read, zip(answers, changed, strict=True), strict=True)]
    told = {read.pair.place: read.judge(float(answer), float(change)) for read, (answer, change) in zip(one.read, chances, strict=True)}
    return in_order(with_judgements(one.ranking, told))


def _of_claim(judged: Mapping[tuple[str, str], JudgedPair], claim: str) -> dict[str, JudgedPair]:
    return {check: pair for (of, check), pair in judged.items() if of == claim}
