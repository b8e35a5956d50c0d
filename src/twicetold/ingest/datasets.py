"""The fact-check side of public research collections, in their publishers' own layouts.

Ids are as published, so that the collections' own relevance files fit. Queries and relevance files are not read here.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold.ingest.assemble import assemble
from twicetold.ingest.problems import Problem, Read
from twicetold.ingest.sources import MAX_LINE, Source, file_source, lines
from twicetold.types import FactCheck

Place = str | Path | Source
_Row = Mapping[str, str]

_POLITIFACT = "https://www.politifact.com"
_DATED_URL = re.compile(r"/(\d{4})/([a-z]{3})/(\d{1,2})/")
_POLITIFACT_TABLE = ("id", "vclaim", "date", "url", "label", "speaker", "title", "text")


def checkthat2020(place: Place) -> Iterator[Read]:
    """CheckThat! 2020 task 2, `verified_claims.docs.tsv`: an unnamed id column, vclaim, title; Snopes claims without articles."""
    source = _find(place, "verified_claims.docs.tsv")
    yield from _table(source, _snopes_of_2020, delimiter="\t", wanted=("vclaim", "title"))


def _snopes_of_2020(row: _Row) -> FactCheck:
    return assemble({"id": row.get("", ""), "claim": row["vclaim"], "title": row["title"], "publisher": "Snopes", "lang": "en"})


def checkthat2021_2a(place: Place) -> Iterator[Read]:
    """CheckThat! 2021 task 2A, a folder `vclaims` of one JSON file for each Snopes fact-check.

    `author` is the writer, not the publisher; it and the subtitle are kept in `other`.
    """
    yield from _json_folder(place, "vclaims", _snopes_of_2021)


def _snopes_of_2021(record: Mapping[str, Any]) -> FactCheck:
    told = _texts(record)
    return assemble(
        {
            "id": told["vclaim_id"],
            "claim": told["vclaim"],
            "title": told["title"],
            "published": told["date"],
            "publisher": "Snopes",
            "lang": "en",
        },
        other={"author": told["author"], "subtitle": told["subtitle"]},
    )


def checkthat2021_2b(place: Place) -> Iterator[Read]:
    """CheckThat! 2021 task 2B, a folder `politifact-vclaims` of one JSON file for each PolitiFact fact-check.

    The url is relative and holds the day of publication; `date` is a phrase that dates the claim.
    """
    yield from _json_folder(place, "politifact-vclaims", _politifact_of_2021)


def _politifact_of_2021(record: Mapping[str, Any]) -> FactCheck:
    told = _texts(record)
    return _politifact(told | {"id": told["vclaim_id"], "label": told["truth_label"]})


def _politifact(told: Mapping[str, str]) -> FactCheck:
    url = told["url"] if "://" in told["url"] else _POLITIFACT + told["url"]
    day = _DATED_URL.search(url)
    return assemble(
        {
            "id": told["id"],
            "claim": told["vclaim"],
            "title": told["title"],
            "body": told["text"],
            "rating": told["label"],
            "claimant": told["speaker"],
            "claimed_on": told["date"],
            "published": f"{day[3]} {day[2]} {day[1]}" if day else "",
            "url": url,
            "publisher": "PolitiFact",
            "lang": "en",
        }
    )


def factchecktweet(place: Place) -> Iterator[Read]:
    """FactCheckTweet (Kazemi et al. 2022), JSON Lines: `author` is the publisher's site, `vclaim` the article, no rating."""
    source = _find(place, "fact-check-tweet-vclaims.jsonl")
    with source.open() as stream:
        for number, line in lines(stream):
            yield _tried(f"{source.name}, line {number}", _article, _decoded(line))


def _article(line: str) -> FactCheck:
    record = json.loads(line)
    if not isinstance(record, dict):
        raise BadData(f"is not a JSON object: {line:.60}")
    told = _texts(record)
    return assemble(
        {
            "id": told["vclaim_id"],
            "claim": told["subtitle"],
            # One article in 86,376 has neither title nor subtitle: its opening line stands for them.
            "title": told["title"] or ("" if told["subtitle"] else _opening(told["vclaim"])),
            "body": told["vclaim"],
            "publisher": told["author"],
            "url": told["url"],
            "published": told["date"],
            "lang": told.get("lang", ""),
        }
    )


def _opening(body: str) -> str:
    return body.lstrip().split("\n", 1)[0][:200]


def snopes_table(place: Place) -> Iterator[Read]:
    """Snopes of Shaar et al. 2020, `verified-claims.tsv`: title, fact; ids are digests, as it publishes none.

    Rows that repeat title and fact are given once.
    """
    source = _find(place, "snopes/verified-claims.tsv", "verified-claims.tsv")
    yield from _once(_table(source, _snopes_of_lie, delimiter="\t", wanted=("title", "fact")))


def _snopes_of_lie(row: _Row) -> FactCheck:
    return assemble({"claim": row["fact"], "title": row["title"], "publisher": "Snopes", "lang": "en"})


def politifact_table(place: Place) -> Iterator[Read]:
    """PolitiFact of Shaar et al. 2020: its `verified-claims` table without header, or a table of `fact-checking` with one.

    The latter has a row for each debate line, so one fact-check may stand in several; it is given once, without its article.
    """
    found = _find(place, "politifact/verified-claims/20191030_remaining_politifacts.csv", "20191030_remaining_politifacts.csv")
    if found.head().lstrip(b"\xef\xbb\xbf").startswith(b"line_number,"):
        wanted = ("verified_claim", "verified_claim_article_title", "truth_value", "verified_claim_url")
        yield from _once(_table(found, _politifact_of_debate, delimiter=",", wanted=wanted))
    else:
        yield from _table(found, _politifact, delimiter=",", names=_POLITIFACT_TABLE)


def _politifact_of_debate(row: _Row) -> FactCheck:
    day = _DATED_URL.search(row["verified_claim_url"])
    return assemble(
        {
            "claim": row["verified_claim"],
            "title": row["verified_claim_article_title"],
            "rating": row["truth_value"],
            "url": row["verified_claim_url"],
            "published": f"{day[3]} {day[2]} {day[1]}" if day else "",
            "publisher": "PolitiFact",
            "lang": "en",
        }
    )


def _find(place: Place, *names: str) -> Source:
    """The file itself, or the first of `names` inside the folder."""
    if isinstance(place, Source):
        return place
    path = Path(place)
    for name in names:
        if (path / name).is_file():
            return file_source(path / name)
    if path.is_file():
        return file_source(path)
    raise BadData(f"{path} should be {names[-1]} or a folder that holds it")


def _json_folder(place: Place, name: str, make: Callable[[Mapping[str, Any]], FactCheck]) -> Iterator[Read]:
    if isinstance(place, Source):
        yield _file(place, make)
        return
    folder = Path(place) / name if (Path(place) / name).is_dir() else Path(place)
    paths = [folder] if folder.is_file() else sorted(folder.glob("*.json"))
    if not paths:
        raise BadData(f"{folder} should be a folder of .json files, one for each fact-check, or hold one named {name}")
    for path in paths:
        yield _file(file_source(path), make)


def _file(source: Source, make: Callable[[Mapping[str, Any]], FactCheck]) -> Read:
    with source.open() as stream:
        raw = stream.read(MAX_LINE)
    if len(raw) == MAX_LINE:
        return Problem(source.name, f"is longer than {MAX_LINE >> 20} MB, too long for one fact-check")
    text = _decoded(raw)

    def parsed(told: str) -> FactCheck:
        record = json.loads(told)
        if not isinstance(record, dict):
            raise BadData("is not a JSON object")
        return make(record)

    return _tried(source.name, parsed, text)


def _decoded(line: bytes | None) -> str | None:
    """The text, or None if it is too long or not UTF-8."""
    try:
        return None if line is None else line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _tried(place: str, make: Callable[[str], FactCheck], text: str | None) -> Read:
    """What `make` makes of the text, or the Problem that kept it from doing so."""
    if text is None:
        return Problem(place, "is not UTF-8 text of a record's length")
    try:
        return make(text)
    except KeyError as missing:
        return Problem(place, f"lacks the field {missing}")
    except (BadData, ValueError, RecursionError) as error:
        return Problem(place, str(error))


def _texts(record: Mapping[str, Any]) -> dict[str, str]:
    """The record's values as text; null and the word None, which FactCheckTweet writes for no date, are empty."""
    return {name: "" if value is None or value == "None" else str(value) for name, value in record.items()}


def _table(
    source: Source,
    make: Callable[[_Row], FactCheck],
    *,
    delimiter: str,
    wanted: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
) -> Iterator[Read]:
    """Rows of a CSV file with quoted newlines; `names` are the columns where the file has no header."""
    csv.field_size_limit(1 << 26)
    with source.open() as stream, io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="") as text:
        rows = csv.reader(text, delimiter=delimiter)
        header = list(names) or next(rows, [])
        if missing := [name for name in wanted if name not in header]:
            raise BadData(f"{source.name} should have the columns {', '.join(wanted)}; it lacks {', '.join(missing)}")
        while True:
            try:
                row = next(rows, None)
            except csv.Error as error:
                yield Problem(f"{source.name}, line {rows.line_num}", str(error))
                continue
            if row is None:
                return
            if row:
                yield _row(f"{source.name}, line {rows.line_num}", header, row, make)


def _row(place: str, header: list[str], row: list[str], make: Callable[[_Row], FactCheck]) -> Read:
    if len(row) != len(header):
        return Problem(place, f"has {len(row)} columns, not {len(header)}")
    try:
        "".join(row).encode()
        return make(dict(zip(header, row, strict=True)))
    except UnicodeEncodeError:
        return Problem(place, "is not UTF-8; save the file as UTF-8")
    except BadData as error:
        return Problem(place, str(error))


def _once(records: Iterator[Read]) -> Iterator[Read]:
    seen: set[str] = set()
    for record in records:
        if isinstance(record, Problem) or record.id not in seen:
            seen.add(getattr(record, "id", ""))
            yield record
