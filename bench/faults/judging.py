"""After a kill: is everything there that was acknowledged, and are the answers those of a clean build of the same records?"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from twicetold import demo, doctor
from twicetold.answer import HYBRID
from twicetold.collection import Collection, Settings
from twicetold.errors import NoCollection, TwicetoldError
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck, from_json

Answers = list[list[tuple[str, float]]]
SAYS_WHAT_TO_DO = re.compile(r"twicetold [^\n]*(index|doctor|ingest)|try again|upgrade|restore")

CLAIMS = [Claim(query["id"], query["text"]) for query in demo.queries()][::16]
CHECKS = [from_json(FactCheck, record) for record in demo.checks()]


@dataclass
class Point:
    """One kill: where it fell, and what was wrong afterwards, if anything."""

    kind: str
    at: float
    was_running: bool
    acknowledged: int
    waited: int = 0
    refusal: str = ""
    wrong: list[str] = field(default_factory=list)

    @property
    def survived(self) -> bool:
        """True if nothing was wrong."""
        return not self.wrong


@dataclass
class Judge:
    """Looks folders over; remembers the clean answers to the same records."""

    _clean: dict[tuple[str, str], Answers] = field(default_factory=dict)

    def look(self, folder: Path, acknowledged: Mapping[str, str | None], point: Point, *, is_exact: bool = True) -> Point:
        """Note on the point what is wrong: `acknowledged` are claims by id, None for a record whose removal was acknowledged.

        Where records were removed the counts of words keep them until their segment is merged, killed or not; then `is_exact` is False,
        and the answers are compared after a rebuild.
        """
        if not (folder / "store.db").is_file():
            point.wrong += ["acknowledged records, and no store"] if acknowledged else []
            return point
        try:
            self._look(folder, acknowledged, point, is_exact)
        except NoCollection:
            point.wrong += ["acknowledged records, and an empty store"] if acknowledged else []
        except TwicetoldError as error:
            point.wrong.append(f"refused after the repair: {error}")
        return point

    def _look(self, folder: Path, acknowledged: Mapping[str, str | None], point: Point, is_exact: bool) -> None:
        self._read_as_it_is(folder, point, is_exact)
        done = doctor.repair(folder, list(doctor.examine_folder(folder)), lambda what, at, total: None)
        ill = [f"{finding.part}: {finding.says}" for finding in doctor.examine_folder(folder) if finding.state is not doctor.State.WELL]
        point.wrong += [f"not mended ({'; '.join(done)}): {says}" for says in ill]
        with Collection.open(folder) as collection:
            stored = {check.id: check.claim for check in collection.store}
            point.wrong += [f"lost: {id}" for id, claim in acknowledged.items() if claim is not None and stored.get(id) != claim]
            point.wrong += [f"came back: {id}" for id, claim in acknowledged.items() if claim is None and id in stored]
        with Collection.create(folder) as collection:
            if not is_exact:
                collection.rebuild()
            if stored and not point.wrong and answers(collection) != self.clean(collection):
                point.wrong.append("answers differ from those of a clean build")

    def _read_as_it_is(self, folder: Path, point: Point, is_exact: bool) -> None:
        """Answer as a reader who comes before any repair: rightly, or saying that records wait, or what to do."""
        try:
            with Collection.open(folder) as collection:
                point.waited = collection.refresh()
                found = answers(collection)
                if is_exact and not point.waited and len(collection.store) and found != self.clean(collection):
                    point.wrong.append("answers before the repair differ from those of a clean build")
        except TwicetoldError as error:
            point.refusal = str(error)
            if not SAYS_WHAT_TO_DO.search(str(error)):
                point.wrong.append(f"a refusal that does not say what to do: {error}")

    def clean(self, collection: Collection) -> Answers:
        """The answers of a collection made anew from the same records."""
        named = collection.store.contents(), collection.settings.encoder
        if named not in self._clean:
            with TemporaryDirectory() as place, Collection.create(Path(place) / "clean", Settings(encoder=named[1])) as made:
                list(made.add(collection.store))
                made.index()
                self._clean[named] = answers(made)
        return self._clean[named]


def answers(collection: Collection) -> Answers:
    """The first five fact-checks for each claim, with their scores but for the last bits."""
    return [[(match.doc.id, round(match.score, 6)) for match in ranking.matches[:5]] for ranking in ask(HYBRID.stage(collection), CLAIMS)]


def emptied(folder: Path) -> Path:
    """The folder, new."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def moments(count: int, seconds: float, uniform: Sequence[float]) -> list[float]:
    """Random moments, one in each of `count` equal parts of a run of so many seconds."""
    return [seconds * (at + uniform[at]) / count for at in range(count)]
