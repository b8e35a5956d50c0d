"""Fit the grades of pairs and the lanes over them, on claims whose first ten candidates were judged.

Grades learn from pairs that the pair reader did not: of the part `calibrate`, and of the claims of `teach` kept for them. The lanes
learn on `calibrate` alone, from grades by models that have not seen the claim, so that their curves are those of new claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.answer import Answerer
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
from twicetold_lab.train import grades as pair_grades
from twicetold_lab.train import lanes as claim_lanes
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


@dataclass(frozen=True)
class Fitted:
    """Grades and lanes, the rankings of `calibrate` by held-out grades, and the chances of those by held-out lanes."""

    grades: pair_grades.Fitted
    lanes: claim_lanes.Fitted
    rankings: list[Ranking]


def train(data_root: Path, out: Path, judgements: Path, *, cache: Path, reader: Path | None = None) -> None:
    """Rank, read, fit and write the folders `grades` and `lanes` into `out`."""
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
    fitted = fit(gathered, pairs)
    fitted.grades.grades.save(out / "grades")
    fitted.lanes.lanes.save(out / "lanes")


def gather(collection: Collection, reader: PairReader, claims: Iterable[Claim], parts: Mapping[str, str]) -> list[Gathered]:
    """Rank claims as `best` does before judging, and read their first matches."""
    rankings = ask(Answerer(collection).unjudged, claims)
    read = read_pairs(reader, rankings)
    return [Gathered(parts[ranking.query.id], ranking, some) for ranking, some in zip(rankings, read, strict=True)]


def fit(gathered: Sequence[Gathered], pairs: Iterable[JudgedPair]) -> Fitted:
    """Fit the grades on all that is gathered, and the lanes on the part `calibrate`."""
    judged = {(pair.claim, pair.check): pair for pair in pairs}
    known = [(one, read, judged.get((one.claim, read.pair.match.doc.id))) for one in gathered for read in one.read]
    told = [(one, read, pair) for one, read, pair in known if pair is not None and pair.answers is not None]
    rows = np.array([[read.row[name] for name in FEATURES] for _, read, _ in told])
    answers, changed = (np.array([bool(getattr(pair, name)) for _, _, pair in told]) for name in ("answers", "is_changed"))
    graded_pairs = pair_grades.fit_grades(rows, FEATURES, answers, changed, [one.claim for one, _, _ in told])
    held = {
        (one.claim, read.pair.place): (float(answer), float(change))
        for (one, read, _), answer, change in zip(told, graded_pairs.answers, graded_pairs.changed, strict=True)
    }
    calibrating = [one for one in gathered if one.part == "calibrate" and one.read]
    rankings = [graded(one, graded_pairs.grades, held) for one in calibrating]
    kinds = [Case(_of_claim(judged, ranking.query.id), ranking).kind for ranking in rankings]
    answered, differing = (np.array([kind == wanted for kind in kinds]) for wanted in ("answered", "changed"))
    return Fitted(graded_pairs, claim_lanes.fit_lanes(rankings, answered, differing), rankings)


def graded(one: Gathered, grades: Grades, held: Mapping[tuple[str, int], tuple[float, float]]) -> Ranking:
    """Return the ranking as the judging stage leaves it, by the held-out chances where there are any."""
    if not one.read:
        return one.ranking
    answers, changed = grades.grade([read.row for read in one.read])
    own = zip(answers.tolist(), changed.tolist(), strict=True)
    chances = [held.get((one.claim, read.pair.place), chance) for read, chance in zip(one.read, own, strict=True)]
    told = {read.pair.place: read.judge(*chance) for read, chance in zip(one.read, chances, strict=True)}
    return in_order(with_judgements(one.ranking, told))


def _of_claim(judged: Mapping[tuple[str, str], JudgedPair], claim: str) -> dict[str, JudgedPair]:
    return {check: pair for (of, check), pair in judged.items() if of == claim}
