"""Answers as tables: one row a post, with the fact-check found, where the post stands, and what answered it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from twicetold.batch.ledger import LANES, Provenance, Screening
from twicetold.batch.partitions import Partition
from twicetold.batch.storage import arrow
from twicetold.types import FactCheck, Match, Ranking


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one post. `same_as` is the row of the post it is a copy of, 0 if it is none; `why` says why it was skipped."""

    row: int
    id: str
    text: str
    lang: str
    lane: str
    why: str = ""
    ranking: Ranking | None = None
    same_as: int = 0


def tables(answers: Sequence[Answer], partition: Partition, screening: Screening, provenance: Provenance) -> dict[str, bytes]:
    """Return the Parquet files of a partition by name, one for each lane that has a post. Equal answers give equal bytes."""
    pa = arrow()
    schema = _schema(pa)
    files = {}
    for lane in LANES:
        here = [answer for answer in answers if answer.lane == lane]
        if not here:
            continue
        columns = _columns(here, screening.top)
        constants = {
            "file": partition.path,
            "collection": provenance.collection,
            "counter": provenance.counter,
            "encoder": provenance.encoder,
            "recipe": screening.recipe,
            "risk": screening.risk,
            "twicetold": provenance.twicetold,
        }
        columns |= {name: [value] * len(here) for name, value in constants.items()}
        sink = BytesIO()
        pa.parquet.write_table(pa.table(columns, schema=schema), sink, compression="zstd")
        files[f"lane={lane}/{partition.name}.parquet"] = sink.getvalue()
    return files


def _schema(pa: Any) -> Any:
    match = pa.struct([("check", pa.string()), ("score", pa.float64())])
    repeated = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [
            ("id", pa.string()),
            ("text", pa.string()),
            ("lang", pa.string()),
            ("probability", pa.float64()),
            ("why", pa.string()),
            ("same_as", pa.int64()),
            ("check", pa.string()),
            ("score", pa.float64()),
            ("part", pa.string()),
            ("rating", pa.string()),
            ("verdict", pa.string()),
            ("publisher", pa.string()),
            ("url", pa.string()),
            ("matches", pa.list_(match)),
            ("row", pa.int64()),
            ("file", repeated),
            ("collection", repeated),
            ("counter", pa.int64()),
            ("encoder", repeated),
            ("recipe", repeated),
            ("risk", pa.float64()),
            ("twicetold", repeated),
        ]
    )


def _columns(answers: Sequence[Answer], top: int) -> dict[str, list[Any]]:
    firsts = [_first(answer) for answer in answers]
    return {
        "id": [answer.id for answer in answers],
        "text": [answer.text for answer in answers],
        "lang": [answer.lang for answer in answers],
        "probability": [_probability(answer) for answer in answers],
        "why": [answer.why or None for answer in answers],
        "same_as": [answer.same_as or None for answer in answers],
        "check": [match.doc.id if match else None for match in firsts],
        "score": [match.score if match else None for match in firsts],
        "part": [match.part or None if match else None for match in firsts],
        **{name: [_said(match, name) for match in firsts] for name in ("rating", "verdict", "publisher", "url")},
        "matches": [_listed(answer, top) for answer in answers],
        "row": [answer.row for answer in answers],
    }


def _first(answer: Answer) -> Match | None:
    return answer.ranking.matches[0] if answer.ranking and answer.ranking.matches else None


def _probability(answer: Answer) -> float | None:
    if answer.ranking is None or answer.ranking.decision is None:
        first = _first(answer)
        return first.signals.get("chance") if first else None
    return answer.ranking.decision.probability


def _said(match: Match | None, name: str) -> str | None:
    doc = match.doc if match else None
    return (str(getattr(doc, name)) or None) if isinstance(doc, FactCheck) else None


def _listed(answer: Answer, top: int) -> list[Mapping[str, Any]]:
    matches: Iterable[Match] = answer.ranking.matches[:top] if answer.ranking else ()
    return [{"check": match.doc.id, "score": match.score} for match in matches]
