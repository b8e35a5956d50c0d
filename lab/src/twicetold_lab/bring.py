"""Bring your own data: fact-checks, queries and judgements from files, or a folder in the layout of BEIR or CheckThat.

checks   JSON Lines with id, claim, title, body, …; or anything `twicetold ingest` reads
queries  JSON Lines with id and text, and perhaps transcript and line; or a table of id and text, by tabs
qrels    TREC (query 0 document grade), or BEIR (query-id, corpus-id, score, with that header)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, BadInput
from twicetold.ingest import read
from twicetold.text import language
from twicetold.types import Claim, FactCheck, Line, Verdict, from_json
from twicetold_lab.datasets import politifact, snopes
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import json_lines, opened, plain, qrels, quoted, strict

_JSON = (".jsonl", ".ndjson", ".json")
_HEADS = {"", "id", "_id", "iclaim_id", "tweet_id", "query_id", "query-id", "qid"}


def own(corpus: Path, queries: Path, judgements: Path, transcripts: Path | None = None) -> Dataset:
    """Make a data set of three files; queries that name a transcript are read with their context from the folder of transcripts."""
    for path in (corpus, queries, judgements, *([] if transcripts is None else [transcripts])):
        if not path.exists():
            raise BadData(f"there is no {path}; name files that exist")
    asked = tuple(read_queries(queries, transcripts))
    return Dataset(
        str(corpus),
        lambda: read_checks(corpus),
        asked,
        read_qrels(judgements),
        files=(corpus,),
        asked_in=str(queries),
        judged_in=str(judgements),
    )


def folder(place: Path, split: str = "") -> Dataset:
    """Read a folder by its layout: BEIR (`corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`) or CheckThat 2020 task 2, 2021 2A, 2B."""
    if (place / "corpus.jsonl").exists():
        return beir(place, split or "test")
    if (place / "verified_claims.docs.tsv").exists():
        return _part(snopes.checkthat_2020(place), split)
    if (place / "vclaims").is_dir():
        return _part(snopes.checkthat_2021a(place), split)
    if (place / "politifact-vclaims").is_dir():
        return _part(politifact.checkthat_2021b(place.parent, place.name), split)
    raise BadInput(
        f"{place} is in no layout known: wanted corpus.jsonl (BEIR), verified_claims.docs.tsv, vclaims/ or politifact-vclaims/ "
        "(CheckThat); otherwise name --corpus, --queries and --qrels"
    )


def _part(dataset: Dataset, split: str) -> Dataset:
    return dataset.split(split) if split else dataset


def beir(place: Path, split: str) -> Dataset:
    """Read a BEIR folder: the queries are those that the split's judgements name."""
    judged = read_qrels(place / "qrels" / f"{split}.tsv")
    asked = tuple(query for query in read_queries(place / "queries.jsonl", None) if query.id in judged)
    corpus = place / "corpus.jsonl"
    return Dataset(f"{place.name}/{split}", lambda: read_checks(corpus), asked, judged, files=(corpus,))


# --- fact-checks ---------------------------------------------------------------------------------------------------


def read_checks(path: Path) -> Iterator[FactCheck]:
    """Read fact-checks; an id given twice is an error."""
    seen: set[str] = set()
    for check in _records(path) if _is_ours(path) else strict(read(path)):
        if check.id in seen:
            raise BadData(f"{path}: the fact-check id {check.id!r} is given twice; make ids unique")
        seen.add(check.id)
        yield check


def _is_ours(path: Path) -> bool:
    """True for JSON Lines whose first record has an id of ours or BEIR's; `ingest` knows the other layouts."""
    if path.is_dir() or path.suffix not in (".jsonl", ".ndjson"):
        return False
    first = next(json_lines(path), {})
    return bool({"id", "_id"} & first.keys())


def _records(path: Path) -> Iterator[FactCheck]:
    for number, record in enumerate(json_lines(path), start=1):
        try:
            yield _check(record)
        except BadData as error:
            raise BadData(f"{path}, record {number}: {error}") from None


def _check(record: Mapping[str, Any]) -> FactCheck:
    known = {name: value for name, value in record.items() if value is not None}
    if "_id" in known:  # BEIR: _id, title, text
        known = {"id": known["_id"], "title": known.get("title", ""), "body": known.get("text", "")}
    if (said := known.get("verdict")) and said not in list(Verdict):  # a publisher's own word for it
        known = {"rating": said} | {name: value for name, value in known.items() if name != "verdict"}
    if "id" not in known:
        raise BadData(f"no id; wanted id, claim, title, body, found {sorted(record)[:8]}")
    check = from_json(FactCheck, {**known, "id": str(known["id"])})
    if not (check.claim or check.title or check.body):
        raise BadData(f"{check.id!r} has neither claim nor title nor body")
    return check if check.lang else dataclasses.replace(check, lang=language(f"{check.claim}\n{check.title}\n{check.body[:500]}"))


# --- queries and judgements ----------------------------------------------------------------------------------------


def read_queries(path: Path, transcripts: Path | None) -> Iterator[Claim]:
    """Read queries from JSON Lines or a table of id and text by tabs, with or without a header; cells may be quoted."""
    if path.suffix in _JSON:
        for number, record in enumerate(json_lines(path), start=1):
            try:
                yield _query(record, transcripts)
            except BadData as error:
                raise BadData(f"{path}, record {number}: {error}") from None
        return
    for number, (id, text) in enumerate(quoted(path, columns=2)):
        if number or id.lower() not in _HEADS:
            yield Claim(id, text)


def naming_transcripts(path: Path) -> int:
    """Count the queries of a JSON Lines file that name a transcript."""
    return sum("transcript" in record for record in json_lines(path)) if path.suffix in _JSON else 0


def _query(record: Mapping[str, Any], transcripts: Path | None) -> Claim:
    id = record.get("id", record.get("_id"))
    text = record.get("text")
    if id is None or not isinstance(text, str):
        raise BadData(f"a query wants id and text, found {sorted(record)[:8]}")
    known = {key: value for key, value in record.items() if key in ("lang", "said_by", "said_on", "links", "context")}
    claim = from_json(Claim, {**known, "id": str(id), "text": text})
    name, number = record.get("transcript"), record.get("line")
    if name is None or transcripts is None:
        return claim
    spoken = _transcript(_place(str(id), str(name), transcripts))
    at = spoken.places.get(int(str(number))) if str(number).isdecimal() else None
    if at is None:
        there = f"lines {min(spoken.places)} to {max(spoken.places)}"
        raise BadData(f"query {id!r} names line {number!r} of the transcript {name!r}, which has {there}")
    placed = politifact.said_at(str(id), text, str(name), spoken.lines, at)
    return dataclasses.replace(
        claim, context=placed.context, said_by=claim.said_by or placed.said_by, said_on=claim.said_on or placed.said_on
    )


def _place(query: str, name: str, transcripts: Path) -> Path:
    for ending in (".tsv", ".txt", ""):
        if (path := transcripts / f"{name}{ending}").is_file():
            return path
    raise BadData(f"query {query!r} names the transcript {name!r}, but {transcripts} has no {name}.tsv")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The lines of a transcript, and where each number of its first column stands among them."""

    lines: tuple[Line, ...]
    places: Mapping[int, int]


@cache
def _transcript(path: Path) -> _Spoken:
    """Read line, speaker, sentence by tabs. Numbers may leave gaps, as where an excerpt is kept; a header is passed over."""
    lines: list[Line] = []
    places: dict[int, int] = {}
    with opened(path, newline="\n") as file:
        for row, text in enumerate(file, start=1):
            number, *cells = text.rstrip("\r\n").split("\t")
            if (row == 1 and not number.isdecimal()) or not (number or cells):
                continue
            if len(cells) < 2 or not number.isdecimal() or int(number) in places:
                raise BadData(f"{path}, line {row}: expected 'line, speaker, sentence' by tabs, each line once, got {text.strip()!r:.100}")
            places[int(number)] = len(lines)
            lines.append(Line(cells[0], cells[1]))
    if not lines:
        raise BadData(f"{path} has no lines; wanted line, speaker, sentence by tabs")
    return _Spoken(tuple(lines), places)


def write_qrels(qrels: Mapping[str, Mapping[str, int]], path: Path) -> None:
    """Write judgements as TREC does: query, 0, document, grade."""
    lines = (f"{query} 0 {doc} {grade}\n" for query, judged in qrels.items() for doc, grade in judged.items())
    path.write_text("".join(lines), encoding="utf-8")


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read judgements in TREC's layout, or in BEIR's, which its header tells."""
    with opened(path) as file:
        head = file.readline().split()
    if head[:1] != ["query-id"]:
        return qrels(path)
    rows = plain(path, columns=3)
    next(rows)
    judged: dict[str, dict[str, int]] = {}
    for query, doc, grade in rows:
        if not grade.strip().lstrip("-").isdecimal():
            raise BadData(f"{path}: the score of {query} {doc} should be a whole number, not {grade!r}")
        judged.setdefault(query, {})[doc] = int(grade)
    return judged
