"""Run a recipe over a data set: make a collection of its fact-checks, ask every query, keep the ids and scores.

Collections are made in a temporary folder, or kept in a cache, where they are known by the names, sizes and times of the files they
were made of. Nothing is collapsed or filtered unless asked for.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from twicetold.answer import Answerer, Asking, Recipe
from twicetold.collection import Collection, Settings
from twicetold.errors import BadData, BadInput
from twicetold.index.encoder import NO_ENCODER, SHIPPED, EncoderChoice
from twicetold.progress import Progress, silent
from twicetold.stage import chain, tap
from twicetold.text import Analysis
from twicetold.types import Claim, FactCheck, Ranking, natural
from twicetold_lab.baselines import ALL_RECIPES, WORDS_ONLY
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.runs import Answered, Run, Scored, answered


@dataclass(frozen=True, slots=True)
class Experiment:
    """A recipe and how its collection is made; `depth` documents are kept for each query. `encoder` as in `Settings`."""

    recipe: str
    analysis: Analysis = "standard"
    encoder: EncoderChoice = SHIPPED
    depth: int = 100

    def __post_init__(self) -> None:
        if self.recipe not in ALL_RECIPES:
            raise BadInput(f"no recipe is called {self.recipe!r}; there are {', '.join(ALL_RECIPES)}")

    @property
    def settings(self) -> Settings:
        """How the collection is made: without an encoder where the recipe needs none."""
        return Settings(NO_ENCODER if self.recipe in WORDS_ONLY else self.encoder, self.analysis)


def run(experiment: Experiment, dataset: Dataset, *, cache: Path | None = None, progress: Progress = silent) -> Run:
    """Ask the recipe every query of the data set. Judgements of fact-checks that the corpus lacks are an error."""
    started = time.perf_counter()
    with collection_of(dataset, experiment.settings, cache=cache, progress=progress) as collection:
        _refuse_orphans(dataset, collection)
        corpus = len(collection.store)
        ready, spent = time.perf_counter(), time.process_time()
        depth = corpus if dataset.candidates else experiment.depth
        measured = _Measured(collection, ALL_RECIPES[experiment.recipe], Asking(top=depth, depth=depth, keys=0))
        answers = tuple(_asked(measured, dataset.claims, progress))
        provenance = {
            "recipe": experiment.recipe,
            "on": dataset.name,
            "analysis": experiment.analysis,
            "encoder": "" if collection.encoder is None else collection.encoder.version,
            "twicetold": version("twicetold"),
            "depth": str(experiment.depth),
            "seconds_to_index": f"{ready - started:.2f}",
            "seconds": f"{time.perf_counter() - ready:.2f}",
            "cpu_seconds": f"{time.process_time() - spent:.2f}",
            "megabytes": f"{_megabytes():.0f}",
        }
    made = Run(experiment.recipe, answers, corpus, provenance)
    return among(made, dataset.candidates) if dataset.candidates else made


class _Measured:
    """An answerer whose order is kept as its recipe ranked it: data sets judge single articles, so twins stay apart.

    The decision is that of the whole answer, as users get it: with twins as one case and claims taken part by part.
    """

    def __init__(self, collection: Collection, recipe: Recipe, asking: Asking) -> None:
        self._ranked: dict[str, Ranking] = {}
        tapped = dataclasses.replace(recipe, build=lambda *given: chain(recipe.build(*given), tap(self._keep)))
        self._answerer = Answerer(collection, tapped, asking)

    def __call__(self, claim: Claim) -> Ranking:
        [answer] = self._answerer([claim])
        return dataclasses.replace(self._ranked.pop(claim.id), decision=answer.decision)

    def _keep(self, rankings: Sequence[Ranking]) -> None:
        self._ranked |= {ranking.query.id: ranking for ranking in rankings}


def _asked(measured: _Measured, claims: Sequence[Claim], progress: Progress) -> Iterator[Answered]:
    """Ask one query at a time, so that each one's time is its own."""
    for number, claim in enumerate(claims, start=1):
        started = time.perf_counter()
        ranking = measured(claim)
        yield answered(ranking, time.perf_counter() - started)
        progress("asking", number, len(claims))


def _megabytes() -> float:
    """The most memory the process has held so far; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _refuse_orphans(dataset: Dataset, collection: Collection) -> None:
    judged = {doc for grades in dataset.qrels.values() for doc in grades}
    lost = sorted((doc for doc in judged if collection.store.get(doc) is None), key=natural)
    if lost:
        named = ", ".join(map(repr, lost[:3])) + (f" and {len(lost) - 3} more" if len(lost) > 3 else "")
        where = dataset.judged_in or dataset.name
        raise BadData(f"{where}: the judgements name fact-checks that the corpus lacks: {named}; add them, or correct the judgements")


# --- collections ---------------------------------------------------------------------------------------------------


@contextmanager
def collection_of(dataset: Dataset, settings: Settings, *, cache: Path | None = None, progress: Progress = silent) -> Iterator[Collection]:
    """Open a collection of the data set's fact-checks, from the cache if it is there whole."""
    if cache is None:
        with tempfile.TemporaryDirectory(prefix="twicetold-") as made, Collection.create(made, settings) as collection:
            _fill(collection, dataset, progress)
            yield collection
            if collection.settings.index:  # the folder goes by itself; a server keeps what it is not told to forget
                collection.forget()
        return
    folder = cache / _cache_key(dataset, settings)
    with Collection.create(folder, settings) as collection:
        if not (folder / "whole").exists():
            _fill(collection, dataset, progress)
            (folder / "whole").touch()
        if collection.pending:  # all vectors, if another encoder is shipped than the cache was made with
            collection.index(progress)
        yield collection


def _fill(collection: Collection, dataset: Dataset, progress: Progress) -> None:
    read = 0
    for written in collection.add(_once(dataset)):
        read += written.added + written.changed + written.same
        progress(f"reading {dataset.name}", read, 0)
    collection.index(progress)


def _once(dataset: Dataset) -> Iterator[FactCheck]:
    seen: set[str] = set()
    for check in dataset.checks():
        if check.id in seen:
            raise BadData(f"{dataset.name}: the fact-check id {check.id!r} is given twice; make ids unique")
        seen.add(check.id)
        yield check


def _cache_key(dataset: Dataset, settings: Settings) -> str:
    name = dataset.name.partition("/")[0]
    files = sorted(file for place in dataset.files for file in (place.rglob("*") if place.is_dir() else [place]) if file.is_file())
    facts = [(str(file.resolve()), (found := file.stat()).st_size, found.st_mtime_ns) for file in files]
    digest = hashlib.sha256(json.dumps([name, facts, [str(settings.encoder), settings.analysis]]).encode()).hexdigest()[:16]
    return f"{name.replace('/', '-')[-40:]}-{settings.analysis}-{'words' if settings.encoder.is_none else 'full'}-{digest}"


# --- what a run may be turned into before it is judged -------------------------------------------------------------


def among(run: Run, candidates: Mapping[str, Iterable[str]]) -> Run:
    """Keep only each query's candidates, all of them: those not found share the last place, with score 0 or less."""
    answers = []
    for answer in run.answers:
        wanted = set(candidates.get(answer.query, ()))
        kept = [doc for doc in answer.docs if doc.id in wanted]
        floor = min([0.0, *(doc.score - 1 for doc in kept if doc.score <= 0)])
        rest = sorted(wanted - {doc.id for doc in kept}, key=natural)
        answers.append(dataclasses.replace(answer, docs=(*kept, *(Scored(id, floor) for id in rest))))
    return dataclasses.replace(run, answers=tuple(answers))


def joined(dataset: Dataset, *fields: str) -> Dataset:
    """Return the data set with these fields of every fact-check put together as its body, and the others empty."""
    if not fields or not set(fields) <= {"claim", "title", "body"}:
        raise BadInput(f"only claim, title and body can be joined, not {', '.join(fields) or 'nothing'}")

    def source() -> Iterator[FactCheck]:
        for check in dataset.checks():
            yield FactCheck(check.id, body=" ".join(getattr(check, name) for name in fields), lang=check.lang)

    head, slash, part = dataset.name.partition("/")
    return dataclasses.replace(dataset, source=source, name=f"{head}[{'+'.join(fields)}]{slash}{part}")
