"""Pairs of a claim and a text that speaks of it, with the stance of the text: ten public sets in one typed row.

The publishers' own labels are kept beside the three stances. Where a label does not tell refuting from neutral ("not_entailment"),
the stance is None: such a row can train two classes, not three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from twicetold.errors import BadData
from twicetold.types import Stance
from twicetold_lab.datasets.layout import field, json_file, json_lines, needed, plain, quoted, records

S, R, N = Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL


@dataclass(frozen=True, slots=True)
class StancePair:
    """What `text` says of `claim`. `group` is what must not be split between training and test: a thread, a claim, an article."""

    id: str
    claim: str
    text: str
    stance: Stance | None
    label: str
    group: str
    split: str = ""


def _stance(labels: Mapping[str, Stance | None], label: str, path: Path) -> Stance | None:
    if label not in labels:
        raise BadData(f"{path}: unknown label {label!r}; expected one of {', '.join(labels)}")
    return labels[label]


def fnc1(folder: Path) -> Iterator[StancePair]:
    """Read Fake News Challenge 1: the headline is the claim, the article the text. Label 3, unrelated, is neutral."""
    stances = {"0": S, "1": R, "2": N, "3": N}
    names = {"0": "agree", "1": "disagree", "2": "discuss", "3": "unrelated"}
    bodies = {row["Body ID"]: row["articleBody"] for row in records(folder / "train_bodies.csv")}
    path = folder / "train_stances.csv"
    for number, row in enumerate(records(path), start=1):
        body, label = row["Body_ID"], row["Stance"]
        stance = _stance(stances, label, path)
        if body not in bodies:
            raise BadData(f"{path}: no article has the id {body!r}")
        yield StancePair(f"fnc-{number}", row["Headline"], bodies[body], stance, names[label], f"fnc-body-{body}")


def rumoureval(folder: Path) -> Iterator[StancePair]:
    """Read RumourEval 2017: the claim is the thread's first post. The first post is a row too, with itself as the claim."""
    stances = {"0": S, "1": N, "2": R, "3": N}
    names = {"0": "support", "1": "query", "2": "deny", "3": "comment"}
    for split in ("traindev", "test"):
        part = folder / split
        texts = {id: str(post["text"]) for id, post in json_file(part / "posts.json").items()}
        threads = {id: thread for thread, tree in json_file(part / "structures.json").items() for id in _below(tree)}
        ids = needed(part / "post_id.txt").read_text(encoding="utf-8").split()
        labels = needed(part / "post_label.txt").read_text(encoding="utf-8").split()
        if len(ids) != len(labels):
            raise BadData(f"{part}: {len(ids)} posts but {len(labels)} labels")
        for id, label in zip(ids, labels, strict=True):
            thread = threads[id]
            stance = _stance(stances, label, part / "post_label.txt")
            yield StancePair(id, texts[thread], texts[id], stance, names[label], thread, split)


def _below(tree: object) -> Iterator[str]:
    if isinstance(tree, Mapping):
        for id, replies in tree.items():
            yield str(id)
            yield from _below(replies)


def semeval2016(path: Path) -> Iterator[StancePair]:
    """Read SemEval 2016 task 6: the claim is only a target's name ("Atheism"). The file is in Windows-1252."""
    stances = {"FAVOR": S, "AGAINST": R, "NONE": N}
    rows = plain(path, columns=4, encoding="cp1252")
    next(rows, None)
    for id, target, tweet, label in rows:
        yield StancePair(f"semeval-{id}", target, tweet, _stance(stances, label, path), label, target)


def emergent(path: Path) -> Iterator[StancePair]:
    """Read Emergent: rumours and the headlines of articles about them."""
    stances = {"for": S, "against": R, "observing": N}
    for row in records(path):
        label = row["articleHeadlineStance"]
        yield StancePair(
            f"emergent-{row['id']}", row["claimHeadline"], row["articleHeadline"], _stance(stances, label, path), label, row["claimId"]
        )


def perspectrum(folder: Path) -> Iterator[StancePair]:
    """Read Perspectrum: each wording of each perspective on a claim is a row; split as published."""
    stances = {"SUPPORT": S, "UNDERMINE": R}
    pool = {row["pId"]: str(row["text"]) for row in json_file(folder / "perspective_pool_v1.0.json")}
    splits = json_file(folder / "dataset_split_v1.0.json")
    path = folder / "perspectrum_with_answers_v1.0.json"
    for claim in json_file(path):
        number = str(claim["cId"])
        for cluster in claim["perspectives"]:
            label = str(cluster["stance_label_3"])
            for pid in cluster["pids"]:
                stance = _stance(stances, label, path)
                yield StancePair(f"perspectrum-{number}-{pid}", claim["text"], pool[pid], stance, label, number, splits[number])


def climate_fever(path: Path) -> Iterator[StancePair]:
    """Read Climate-FEVER: five evidence sentences for each claim, each with its own label."""
    stances = {"SUPPORTS": S, "REFUTES": R, "NOT_ENOUGH_INFO": N}
    for claim in json_lines(path):
        group = field(claim, "claim_id", path)
        for evidence in claim["evidences"]:
            label = str(evidence["evidence_label"])
            id = f"climate-{group}-{evidence['evidence_id']}"
            yield StancePair(id, claim["claim"], evidence["evidence"], _stance(stances, label, path), label, group)


def healthver(folder: Path) -> Iterator[StancePair]:
    """Read HealthVer's dev and test files."""
    stances = {"Supports": S, "Refutes": R, "Neutral": N}
    for split in ("dev", "test"):
        path = folder / f"healthver_{split}.csv"
        for row in records(path):
            label, claim = row["label"], row["claim"]
            yield StancePair(f"healthver-{split}-{row['id']}", claim, row["evidence"], _stance(stances, label, path), label, claim, split)


def covidfact(folder: Path) -> Iterator[StancePair]:
    """Read COVID-Fact: a claim and its evidence sentences as one text. Refuted claims are true ones with a word swapped."""
    stances = {"SUPPORTED": S, "REFUTED": R}
    path = folder / "COVIDFACT_dataset.jsonl"
    for number, row in enumerate(json_lines(path), start=1):
        label = field(row, "label", path)
        text = " ".join(str(sentence) for sentence in row["evidence"])
        group = field(row, "gold_source", path)
        yield StancePair(f"covidfact-{number}", field(row, "claim", path), text, _stance(stances, label, path), label, group)


def scifact(folder: Path) -> Iterator[StancePair]:
    """Read the SciFact pairs shipped with COVID-Fact: entailment or not."""
    for split in ("train", "dev"):
        path = folder / f"scifact-rte-{split}.tsv"
        rows = quoted(path, columns=4)
        next(rows, None)
        for number, text, claim, label in rows:
            yield StancePair(f"scifact-{split}-{number}", claim, text, _stance(_TWO, label, path), label, claim, split)


_TWO: dict[str, Stance | None] = {"entailment": S, "not_entailment": None}


def sick(path: Path) -> Iterator[StancePair]:
    """Read SICK: sentence A is the text, sentence B the claim."""
    stances = {"ENTAILMENT": S, "CONTRADICTION": R, "NEUTRAL": N}
    rows = plain(path, columns=5)
    next(rows, None)
    for id, text, claim, _, label in rows:
        yield StancePair(f"sick-{id}", claim, text, _stance(stances, label, path), label, text)


def nli(path: Path) -> Iterator[StancePair]:
    """Read one file of the NLI mixture (MNLI, SNLI, ANLI, RTE, SciTail): the premise is the text, the hypothesis the claim."""
    labels: dict[str, Stance | None] = {"entailment": S, "contradiction": R, "neutral": N, "not_entailment": None}
    for number, row in enumerate(json_lines(path), start=1):
        label, text = field(row, "label", path), field(row, "premise", path)
        id = f"{path.parent.name}-{path.stem}-{number}"
        yield StancePair(id, field(row, "hypothesis", path), text, _stance(labels, label, path), label, text)
