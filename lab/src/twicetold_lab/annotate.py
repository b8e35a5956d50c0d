"""Judging by several people: who judges what, what the majority says, how far they agree, and where they do not.

Sheets are CSV files, one for each annotator, with the columns to read and an empty column `label` to fill in. Agreement is Fleiss' κ
(1971) over the units that equally many people have judged.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.errors import BadData, BadInput
from twicetold.types import Relation, natural
from twicetold_lab.datasets.layout import opened

TASKS: dict[str, tuple[str, ...]] = {
    "key-sentence": ("yes", "no"),
    "category": ("CLEAN", "CLEAN_HARD", "PART_OF", "CONTEXT_DEPENDENT"),
    "stance": ("supports", "refutes", "neutral", "query"),
    "type": ("1", "2"),
    "match": ("yes", "no"),
    "same-claim": ("yes", "partly", "no"),
    "relation": (*Relation, "unsure"),
}
"""What can be judged, and the labels it allows. Type 1 is a match in nearly the same words, Type 2 one that needs understanding."""

UNSEEN = ("label", "bm25")
"""Columns of a file of units that are not handed out: what was said before, and a score that would sway those who judge."""


@dataclass(frozen=True, slots=True)
class Label:
    """One person's word on one unit."""

    unit: str
    annotator: str
    label: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """What several people said. `majority` has None where the most frequent labels tie; `kappa` is None if it cannot be computed."""

    majority: Mapping[str, str | None]
    kappa: float | None
    units_in_kappa: int
    disagreements: Mapping[str, Mapping[str, str]]


def assign(units: Sequence[str], annotators: Sequence[str], *, each: int, seed: int = 0) -> dict[str, list[str]]:
    """Give every unit to `each` annotators, so that no one has more than one unit more than another; sheets are in random order."""
    if len(set(annotators)) != len(annotators) or not 1 <= each <= len(annotators):
        raise BadInput(f"wanted 1 to {len(annotators)} judges for each unit and no name twice; got {each} of {', '.join(annotators)}")
    if twice := [unit for unit, count in Counter(units).items() if count > 1]:
        raise BadInput(f"the unit {twice[0]!r} is given twice; make ids unique")
    rng = random.Random(seed)
    shuffled = list(units)
    rng.shuffle(shuffled)
    sheets: dict[str, list[str]] = {name: [] for name in annotators}
    for number, unit in enumerate(shuffled):
        for turn in range(each):
            sheets[annotators[(number * each + turn) % len(annotators)]].append(unit)
    for sheet in sheets.values():
        rng.shuffle(sheet)
    return sheets


def write_sheet(path: Path, rows: Iterable[Mapping[str, str]], columns: Sequence[str]) -> None:
    """Write an annotator's sheet: of each row these columns, and an empty one for the label."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*columns, "label"], restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def read_sheet(path: Path, allowed: Sequence[str]) -> list[Label]:
    """Read a filled sheet; its name is the annotator's. A label that is not allowed is an error; empty ones are not judged yet."""
    labels = []
    with opened(path, newline="") as file:
        reader = csv.DictReader(file)
        if not {"id", "label"} <= set(reader.fieldnames or ()):
            raise BadData(f"{path}: wanted the columns id and label, found {reader.fieldnames}")
        for row in reader:
            label = (row["label"] or "").strip()
            if label and label not in allowed:
                raise BadData(f"{path}, line {reader.line_num}: the label of {row['id']!r} is {label!r}; allowed are {', '.join(allowed)}")
            if label:
                labels.append(Label(row["id"], path.stem, label))
    return labels


def read_judgements(path: Path) -> list[Label]:
    """Read what `twicetold judge --export` prints: claim, annotator, fact-check, 1 or 0."""
    labels = []
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            cells = line.split()
            if cells and (len(cells) != 4 or cells[3] not in ("0", "1")):
                raise BadData(f"{path}, line {number}: wanted 'claim annotator fact-check grade', got {line.strip()!r:.80}")
            if cells:
                labels.append(Label(f"{cells[0]} {cells[2]}", cells[1], "yes" if cells[3] == "1" else "no"))
    return labels


def agreement(labels: Iterable[Label]) -> Agreement:
    """Sum up labels: the majority of each unit, κ, and what was said where not all agree. One person's last word on a unit counts."""
    said: dict[str, dict[str, str]] = {}
    for label in labels:
        said.setdefault(label.unit, {})[label.annotator] = label.label
    ordered = {unit: said[unit] for unit in sorted(said, key=natural)}
    judged = [Counter(words.values()) for words in ordered.values()]
    sizes = Counter(counts.total() for counts in judged if counts.total() > 1)
    size = max(sizes, key=lambda n: (sizes[n], n)) if sizes else 0
    alike = [counts for counts in judged if counts.total() == size and size]
    return Agreement(
        {unit: _majority(Counter(words.values())) for unit, words in ordered.items()},
        fleiss_kappa(alike),
        len(alike),
        {unit: words for unit, words in ordered.items() if len(set(words.values())) > 1},
    )


def _majority(counts: Counter[str]) -> str | None:
    (first, most), *rest = counts.most_common(2)
    return None if rest and rest[0][1] == most else first


def fleiss_kappa(units: Sequence[Mapping[str, int]]) -> float | None:
    """κ = (P̄ − P̄e) / (1 − P̄e) for units judged by the same number of people (Fleiss 1971); None without units or without chance.

    `units[i][label]` is how many gave unit i that label.
    """
    if not units:
        return None
    n = sum(units[0].values())
    if n < 2 or any(sum(counts.values()) != n for counts in units):
        raise BadInput("Fleiss' kappa wants every unit judged by the same number of people, two or more")
    agreeing = sum((sum(c * c for c in counts.values()) - n) / (n * (n - 1)) for counts in units) / len(units)
    totals: Counter[str] = Counter()
    for counts in units:
        totals.update(counts)
    by_chance = sum((count / (n * len(units))) ** 2 for count in totals.values())
    return (agreeing - by_chance) / (1 - by_chance) if by_chance < 1 else None
