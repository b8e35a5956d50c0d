"""Sentences marked worth checking or not: ClaimBuster, CLEF 2019 task 1, CLEF 2020 task 5, CheckThat 2024 task 1.

ClaimBuster's `ClaimBuster_dev.tsv` equals its `_test.tsv`; CheckThat 2024's English files hold ClaimBuster's sentences: never train
on one and test on the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from twicetold.errors import BadData
from twicetold_lab.datasets.layout import files_in, plain, quoted, records


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and whether it is worth checking; `label` is the publisher's own word, `source` the debate or file it is from."""

    id: str
    text: str
    is_checkworthy: bool
    label: str
    source: str
    speaker: str = ""
    lang: str = "en"


def claimbuster(path: Path) -> Iterator[Sentence]:
    """Read a CSV of ClaimBuster. Verdict 1 is worth checking; 0 is factual but unimportant, −1 no factual statement."""
    for row in records(path):
        label = row["Verdict"]
        yield Sentence(row["Sentence_id"], row["Text"], label == "1", label, row["File_id"], row["Speaker"])


def debates(folder: Path) -> Iterator[Sentence]:
    """Read a folder of CLEF 2019 or 2020 debates: line, speaker, sentence, 0 or 1, by tabs."""
    for path in files_in(folder, "*.tsv"):
        for line, speaker, text, label in plain(path, columns=4):
            if label.strip() not in ("0", "1"):
                raise BadData(f"{path}, line {line}: the label should be 0 or 1, not {label!r}")
            yield Sentence(f"{path.stem}_{int(line):04d}", text, label.strip() == "1", label.strip(), path.stem, speaker)


def ct24_english(path: Path) -> Iterator[Sentence]:
    """Read CheckThat 2024's English file: id, text, Yes or No."""
    rows = quoted(path, columns=3)
    next(rows, None)
    for id, text, label in rows:
        yield Sentence(id, text, label == "Yes", label, path.stem)


def ct24_tweets(path: Path, lang: str) -> Iterator[Sentence]:
    """Read CheckThat 2024's Arabic, Dutch or Spanish file: id, url, text, Yes or No."""
    rows = quoted(path, columns=4)
    next(rows, None)
    for id, _, text, label in rows:
        yield Sentence(id, text, label == "Yes", label, path.stem, lang=lang)
