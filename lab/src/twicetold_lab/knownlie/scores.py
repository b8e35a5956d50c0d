"""Scores of every input against every fact-check, by words, by meaning and by body sentences, kept in a working folder.

`bm25.FIELD` are plain-analysis BM25 scores; `dense.FIELD` cosines of the encoder; `body.1` … `body.6` the cosines of the best body
sentences, best first, by static token vectors: all 700,000 sentences of PolitiFact take a minute that way, and hours by a transformer.
For tweets `clean.FIELD` are cosines, and `clean.words` BM25 of stemmed words, of the tweet without links, handles and signature.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.collection import Collection, Settings
from twicetold.errors import BadData
from twicetold.find import prepare
from twicetold.index.encoder import NO_ENCODER, Encoder, StaticEncoder
from twicetold.index.text import Field
from twicetold.text import sentences
from twicetold.types import Claim, FactCheck
from twicetold_lab.datasets import Dataset

Table = np.ndarray[Any, np.dtype[np.float32]]
"""A score of each input (row) against each fact-check (column), (Q, N)."""

MOST_SENTENCES = 200
KEYS = 6


@dataclass(frozen=True)
class Scores:
    """All measures of a data set; rows are its claims, columns its fact-checks, both in the data set's order."""

    claims: tuple[Claim, ...]
    checks: tuple[str, ...]
    tables: Mapping[str, Table]
    answers: np.ndarray[Any, np.dtype[np.bool_]]  # (Q, N)
    facts: tuple[FactCheck, ...] = ()
    """The fact-checks without their bodies."""

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]


def scores_of(dataset: Dataset, work: Path, *, encoder: Path | None = None) -> Scores:
    """Compute all measures, or read those that the working folder already has. `encoder` None is the shipped one."""
    checks = list(dataset.checks())
    folder = work / dataset.name.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    texts = [claim.text for claim in dataset.claims]
    tables: dict[str, Table] = {}
    with_body = any(check.body for check in checks)
    fields: tuple[Field, ...] = ("claim", "title", "body") if with_body else ("claim", "title")
    for field in fields:
        tables[f"bm25.{field}"] = _kept(folder / f"bm25.{field}.npy", lambda f=field: _bm25(dataset, checks, folder, f))  # type: ignore[misc]
    tables["bm25.all"] = _kept(folder / "bm25.all.npy", lambda: _bm25(dataset, _joined(checks), folder, "body"))
    loaded = Encoder.load(encoder)
    for field in ("claim", "title"):
        name = f"dense.{field}"
        tables[name] = _kept(folder / f"{name}-{loaded.version}.npy", lambda f=field: _cosines(loaded, texts, checks, f))  # type: ignore[misc]
    if with_body:
        static = static_beside(encoder)
        best = _kept(folder / f"body-{static.version}.npy", lambda: _best_sentences(static, texts, checks))  # (Q, N, K)
        tables |= {f"body.{place + 1}": best[:, :, place] for place in range(KEYS)}
    else:
        clean = [prepare(claim).text for claim in dataset.claims]
        for field in ("claim", "title"):
            name = f"clean.{field}"
            tables[name] = _kept(folder / f"{name}-{loaded.version}.npy", lambda f=field: _cosines(loaded, clean, checks, f))  # type: ignore[misc]
        tables["clean.words"] = _kept(folder / "clean.words.npy", lambda: _stemmed(clean, _joined(checks), folder))
    ids = {check.id: place for place, check in enumerate(checks)}
    answers = np.zeros((len(texts), len(checks)), bool)
    for row, claim in enumerate(dataset.claims):
        answers[row, [ids[doc] for doc, grade in dataset.qrels.get(claim.id, {}).items() if grade > 0]] = True
    facts = tuple(dataclasses.replace(check, body="") for check in checks)
    return Scores(dataset.claims, tuple(ids), tables, answers, facts)


def _kept(path: Path, make: Callable[[], Any]) -> Any:
    """Return the array in this file, made and saved first if there is none."""
    if not path.is_file():
        fresh = path.with_suffix(".new.npy")
        np.save(fresh, make())
        fresh.replace(path)
    return np.load(path, mmap_mode="r")


def _bm25(dataset: Dataset, checks: Sequence[FactCheck], folder: Path, field: Field) -> Table:
    """BM25 over one field, as Elasticsearch scores a `match` query: lower-case words, no stemming, k1 = 1.2, b = 0.75."""
    name = "joined" if checks and checks[0].id.endswith("/joined") else "plain"
    table = np.zeros((len(dataset.claims), len(checks)), np.float32)
    with Collection.create(folder / name, Settings(encoder=NO_ENCODER, analysis="plain")) as collection:
        for _ in collection.add(checks):
            pass
        collection.index()
        for row, claim in enumerate(dataset.claims):
            for num, score in collection.text.search(field, claim.text, "en", depth=len(checks)):
                table[row, num - 1] = score  # numbers are given from 1 in the order of the corpus
    return table


def _stemmed(texts: Sequence[str], checks: Sequence[FactCheck], folder: Path) -> Table:
    """BM25 as we search: words stemmed, without those that say nothing."""
    table = np.zeros((len(texts), len(checks)), np.float32)
    with Collection.create(folder / "stemmed", Settings(encoder=NO_ENCODER)) as collection:
        for _ in collection.add(checks):
            pass
        collection.index()
        for row, text in enumerate(texts):
            for num, score in collection.text.search("body", text, "en", depth=len(checks)):
                table[row, num - 1] = score
    return table


def _joined(checks: Sequence[FactCheck]) -> list[FactCheck]:
    """Each fact-check with claim, title and body as one text, for BM25 over their concatenation."""
    return [FactCheck(f"{check.id}/joined", body=" ".join((check.title, check.claim, check.body))) for check in checks]


def _cosines(encoder: Encoder, texts: Sequence[str], checks: Sequence[FactCheck], field: str) -> Table:
    table: Table = encoder.encode(texts) @ encoder.encode([getattr(check, field) or " " for check in checks]).T
    return table


def static_beside(encoder: Path | None) -> StaticEncoder:
    """Return the token vectors that follow an encoder: the shipped ones for the shipped encoder, else the folder NAME-static beside it.

    The shipped encoder has seen debates, so beside MiniLM as it comes the shipped token vectors would not be fair.
    """
    if encoder is None:
        return StaticEncoder.load()
    own = encoder.with_name(f"{encoder.name}-static")
    if not own.is_dir():
        raise BadData(f"no token vectors of this encoder at {own}: run twicetold train static --start {encoder}, and put OUT/static there")
    return StaticEncoder.load(own)


def _best_sentences(static: StaticEncoder, texts: Sequence[str], checks: Sequence[FactCheck]) -> Table:
    """Return for each input and fact-check the cosines of the best body sentences, best first, 0 where there are fewer, (Q, N, K)."""
    owners, vectors = sentence_vectors(static, checks)
    asked = static.encode(texts)
    best = np.zeros((len(texts), len(checks), KEYS), np.float16)
    starts = np.searchsorted(owners, np.arange(len(checks)))
    places = np.arange(len(owners)) - starts[owners]
    for row, vector in enumerate(asked):
        cosines = vectors @ vector  # (S,)
        order = np.argsort(owners * 4.0 - cosines)  # by owner, then best first: cosines lie within 1 of 0
        kept = places < KEYS
        best[row, owners[kept], places[kept]] = cosines[order][kept]
    return best  # type: ignore[return-value]


def sentence_vectors(static: StaticEncoder, checks: Sequence[FactCheck]) -> tuple[np.ndarray[Any, np.dtype[np.int64]], Table]:
    """Return the static vectors of the body sentences of all fact-checks, (S, D), and the place of the fact-check each belongs to, (S,)."""
    owners: list[int] = []
    blocks = []
    for start in range(0, len(checks), 500):
        lines = [(start + place, line) for place, check in enumerate(checks[start : start + 500]) for line in body_sentences(check)]
        owners += [owner for owner, _ in lines]
        blocks.append(static.encode([line for _, line in lines]))
    return np.array(owners), np.concatenate(blocks)


def body_sentences(check: FactCheck) -> Iterator[str]:
    """Yield the first sentences of the body, those of a word or two left out."""
    for start, end in sentences(check.body)[:MOST_SENTENCES]:
        if end - start >= 20:
            yield check.body[start:end]


def collapsed(scores: Scores, case_of: Mapping[str, str]) -> Scores:
    """Return the scores with twins as one fact-check: its best score by each measure, an answer if any of them is."""
    places: dict[str, list[int]] = {}
    for place, id in enumerate(scores.checks):
        places.setdefault(case_of.get(id, id), []).append(place)
    first = np.array([alike[0] for alike in places.values()])
    tables = {name: np.asarray(table)[:, first] for name, table in scores.tables.items()}
    answers = scores.answers[:, first].copy()
    for column, alike in enumerate(places.values()):
        if len(alike) > 1:
            answers[:, column] = scores.answers[:, alike].any(axis=1)
            for name, table in scores.tables.items():
                tables[name][:, column] = table[:, alike].max(axis=1)
    facts = tuple(scores.facts[place] for place in first) if scores.facts else ()
    return Scores(scores.claims, tuple(places), tables, answers, facts)
