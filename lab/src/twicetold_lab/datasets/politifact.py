"""Sentences of debates and the PolitiFact fact-checks that answer them: CheckThat 2021 task 2B, Role of Context, Known Lie.

All three ask the same 70 to 78 events. Role of Context and Known Lie are judged over the first 16,636 fact-checks of the 2B
collection (ids below `LATER`), which are the ones their authors had. Shaar et al. 2020 and 2022.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from twicetold.errors import BadData
from twicetold.ingest import datasets as published
from twicetold.types import Claim, Context, FactCheck, Line
from twicetold_lab.datasets import splits
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import files_in, opened, plain, qrels, records, strict
from twicetold_lab.datasets.snopes import text_id

LATER = 16_636
"""Fact-checks of the 2B collection from this number on were published after the crawl of the two papers."""

CHECKS = Path("checkthat-2021-task2b")
TRANSCRIPTS = Path("known-lie") / "politifact" / "transcripts"


def first_checks(folder: Path) -> Iterator[FactCheck]:
    """Read only the fact-checks of the 2020 and 2022 papers."""
    for check in strict(published.checkthat2021_2b(folder)):
        if int(check.id.rpartition("-")[2]) < LATER:
            yield check


def url_key(url: str) -> str:
    """Return what all spellings of a PolitiFact url share: the title. Sections, days and speakers differ between data sets.

    >>> url_key("http://politifact.com/virginia/statements/2019/oct/30/a-b/some-title/")
    'some-title'
    """
    return re.split(r"[?#]", url)[0].rstrip("/").rpartition("/")[2]


# --- transcripts ---------------------------------------------------------------------------------------------------


def transcript(path: Path) -> tuple[Line, ...]:
    """Read a transcript: line number, speaker, sentence, and perhaps a mark, by tabs; the line number is the row's."""
    lines: list[Line] = []
    with opened(path, newline="\n") as file:
        for number, row in enumerate(file, start=1):
            cells = row.rstrip("\r\n").split("\t")
            if len(cells) < 3 or not cells[0].isdecimal() or int(cells[0]) != number:
                raise BadData(f"{path}, line {number}: expected '{number}, speaker, sentence' by tabs, got {row.strip()!r:.100}")
            lines.append(Line(cells[1], cells[2]))
    return tuple(lines)


def transcripts(folder: Path) -> dict[str, tuple[Line, ...]]:
    """Read all transcripts of a folder, by name without ending."""
    return {path.stem: transcript(path) for path in files_in(folder, "*.tsv")}


def said_at(id: str, text: str, event: str, lines: tuple[Line, ...], at: int) -> Claim:
    """Make a claim of line `at` (from 0) of an event; its context is the whole transcript, which all claims of the event share.

    The day is the one that the event's name begins with, if it does.
    """
    day = re.match(r"(\d{4})-?(\d{2})-?(\d{2})(?!\d)", event)
    said_on = "-".join(day.groups()) if day else ""
    return Claim(id, text, Context(lines, at), said_by=lines[at].speaker, said_on=said_on)


# --- the three data sets -------------------------------------------------------------------------------------------


def checkthat_2021b(root: Path, name: str = "checkthat-2021-task2b") -> Dataset:
    """Load CheckThat 2021 task 2B: splits train and dev, over all 19,250 fact-checks."""
    folder = root / name
    debates = transcripts(folder / "transcripts")
    claims: dict[str, Claim] = {}
    for id, text in plain(folder / "iclaims.queries", columns=2):
        event, _, number = id.rpartition("_")
        lines = debates.get(event) or _renamed(event, int(number), text, debates)
        if not lines:
            raise BadData(f"{folder}: query {id!r} is in no transcript of that day")
        # The file repeats a query for each of its fact-checks.
        if claims.setdefault(id, said_at(id, text, event, lines, int(number) - 1)).text != text:
            raise BadData(f"{folder}: query {id!r} has two texts")
    train, dev = qrels(folder / "train.tsv"), qrels(folder / "dev.tsv")
    parts = {"train": tuple(train), "dev": tuple(dev)}
    return Dataset(
        "checkthat-2021-task2b",
        lambda: strict(published.checkthat2021_2b(folder)),
        tuple(claims.values()),
        train | dev,
        parts,
        files=(folder,),
    )


def _renamed(event: str, number: int, text: str, debates: Mapping[str, tuple[Line, ...]]) -> tuple[Line, ...]:
    """Find a transcript whose file the publisher renamed after the queries were numbered: same day, same words in that line."""
    for name, lines in debates.items():
        if name[:8] == event[:8] and number <= len(lines) and _letters(lines[number - 1].text) == _letters(text):
            return lines
    return ()


def role_of_context(root: Path) -> Dataset:
    """Load Role of Context: sentences with their debates, over the first 16,636 fact-checks.

    Splits: train and test as shipped (chrono), and those of `splits.debate_splits`. The text of a query is the file's own, from which
    the authors had stripped some punctuation; its context has the original lines. CONTEXT is read as CONTEXT_DEPENDENT.
    """
    debates = transcripts(root / TRANSCRIPTS)
    claims: dict[str, Claim] = {}
    judged: dict[str, dict[str, int]] = {}
    categories: dict[str, dict[str, str]] = {}
    shipped: dict[str, dict[str, None]] = {"train": {}, "test": {}}
    for part in shipped:
        for path in files_in(root / "role-of-context" / part, "*.tsv"):
            for number, text, check, _, category in plain(path, columns=5):
                id = f"{path.stem}_{int(number):04d}"
                doc = f"vclaim-pol-{int(check):05d}"
                claims.setdefault(id, said_at(id, text, path.stem, debates[path.stem], int(number) - 1))
                judged.setdefault(id, {})[doc] = 1
                categories.setdefault(id, {})[doc] = "CONTEXT_DEPENDENT" if category == "CONTEXT" else category
                shipped[part][id] = None
    parts = {part: tuple(ids) for part, ids in shipped.items()} | splits.debate_splits(tuple(claims), frozenset(debates))
    source = root / CHECKS
    return Dataset("role-of-context", lambda: first_checks(source), tuple(claims.values()), judged, parts, categories, files=(source,))


def known_lie(root: Path) -> Dataset:
    """Load the PolitiFact part of Known Lie: one query for each distinct sentence of an event, over the first 16,636 fact-checks.

    Fact-checks are joined by url. The files' line numbers are wrong for half the rows, so a sentence's place in its transcript is
    found by its words; the eight events without a transcript give claims without context.
    """
    titled: dict[str, list[FactCheck]] = {}
    for check in first_checks(root / CHECKS):
        titled.setdefault(url_key(check.url), []).append(check)
    claims: dict[str, Claim] = {}
    judged: dict[str, dict[str, int]] = {}
    for path in files_in(root / "known-lie" / "politifact" / "fact-checking", "*.csv"):
        spoken = root / TRANSCRIPTS / f"{path.stem}.tsv"
        lines = transcript(spoken) if spoken.exists() else ()
        places = {_letters(line.text): at for at, line in reversed(list(enumerate(lines)))}
        for row in records(path):
            text = row["sentence"].strip()
            id = text_id(path.stem, text)
            at = places.get(_letters(text))
            claims.setdefault(id, Claim(id, text, said_by=row["speaker"]) if at is None else said_at(id, text, path.stem, lines, at))
            judged.setdefault(id, {})[_answer(row, titled, path).id] = 1
    parts = splits.sentence_splits(tuple(claims))
    source = root / CHECKS
    return Dataset("known-lie-politifact", lambda: first_checks(source), tuple(claims.values()), judged, parts, files=(source,))


def _answer(row: Mapping[str, str], titled: Mapping[str, list[FactCheck]], path: Path) -> FactCheck:
    """Find the fact-check a row names by url; 29 titles stand in two urls, and there the claim's words, then the speaker, decide."""
    found = titled.get(url_key(row["verified_claim_url"]), [])
    if not found:
        raise BadData(f"{path}: no fact-check has the url {row['verified_claim_url']!r}")
    said = _letters(row["verified_claim"])
    speaker = row["verified_claim_url"].rstrip("/").split("/")[-2]
    return max(found, key=lambda check: (_letters(check.claim) == said, f"/{speaker}/" in check.url))


def _letters(text: str) -> str:
    """Return the ASCII letters and digits: the files differ in punctuation, and dashes were garbled into accented letters."""
    return re.sub(r"[^a-z0-9]+", "", text.casefold())
