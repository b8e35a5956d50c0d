"""What the papers' tables count, counted in the published files: sizes of sets, answers to a question, evidence, likeness of wording.

Each census gives the figures of one table as (row, column) → number, over the parts that are public. A count can differ from the
printed one for a reason stated in docs/data.md: duplicate rows, pairs the authors dropped, files not shipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean, median

from twicetold_lab.complexity import LEVELS, above, cosines
from twicetold_lab.datasets import load, mtm, mythqa
from twicetold_lab.datasets.dataset import Dataset

Figures = Mapping[tuple[str, str], float]


def known_lie_sizes(root: Path) -> Figures:
    """Known Lie, Table 3: pairs of an input and a claim's wording, and fact-checks."""
    figures: dict[tuple[str, str], float] = {}
    for column, name in (("PolitiFact", "known-lie-politifact"), ("Snopes", "known-lie-snopes")):
        dataset = load(name, root)
        claims = {check.id: (check.claim if column == "Snopes" else check.id) for check in dataset.checks()}
        pairs = {(query, claims[doc]) for query, docs in dataset.qrels.items() for doc in docs}
        figures |= {("Input-VerClaim pairs", column): len(pairs), ("verified claims", column): len(claims)}
    return figures


def known_lie_likeness(root: Path) -> Figures:
    """Known Lie, Table 4: pairs whose TF-IDF cosine lies above each level."""
    figures: dict[tuple[str, str], float] = {}
    for column, name in (("PolitiFact", "known-lie-politifact"), ("Snopes", "known-lie-snopes")):
        values = list(cosines(load(name, root)).values())
        counted = above(values)
        for level in LEVELS:
            row = f"tfidf cos > {level}"
            figures |= {(row, f"{column} #"): counted[level], (row, f"{column} %"): 100 * counted[level] / len(values)}
    return figures


def context_sizes(root: Path) -> Figures:
    """Role of Context, Table 2: pairs by category and by chronological split."""
    dataset = load("role-of-context", root)
    kinds = Counter(kind for pairs in dataset.categories.values() for kind in pairs.values())
    figures: dict[tuple[str, str], float] = {
        ("InputClaim-VerClaim pairs", "count"): kinds.total(),
        ("clean", "count"): kinds["CLEAN"],
        ("clean-hard", "count"): kinds["CLEAN_HARD"],
        ("part-of", "count"): kinds["PART_OF"],
        ("context-dep", "count"): kinds["CONTEXT_DEPENDENT"],
        ("verified claims", "count"): sum(1 for _ in dataset.checks()),
    }
    for side in ("train", "test"):
        part = dataset.split(side)
        figures[f"chrono {side} pairs", "count"] = _pairs(part)
        figures[f"chrono {side} debates", "count"] = len({claim.id.rpartition("_")[0] for claim in part.claims})
    return figures


def _pairs(dataset: Dataset) -> int:
    return sum(map(len, dataset.qrels.values()))


def mtm_sizes(root: Path) -> Figures:
    """MTM, Table 1, for the splits whose candidate lists are public."""
    figures: dict[tuple[str, str], float] = {}
    sides: tuple[mtm.Side, ...] = ("Twitter", "Weibo")
    for side in sides:
        for split, rows in mtm.all_candidates(root / "mtm", side).items():
            column = f"{side}/{split.capitalize()}"
            counts = [len(row.relevant) for row in rows]
            figures |= {
                ("#Claim", column): len(rows),
                ("#Articles", column): len({doc for row in rows for doc in row.docs}),
                ("C-A Pairs", column): sum(counts),
                ("Relevant per claim avg", column): mean(counts),
                ("Relevant per claim median", column): median(counts),
                ("Relevant per claim max", column): max(counts),
            }
    return figures


def _kinds(root: Path) -> dict[str, list[mythqa.Contested]]:
    rows = list(mythqa.questions(root / "mythqa" / "TweetMythQA.jsonl"))
    kinds = {"Entity": [row for row in rows if row.kind == "entity"], "Yes/No": [row for row in rows if row.kind == "yes-no"]}
    return kinds | {"Overall": rows}


def _claims(rows: list[mythqa.Contested]) -> list[mythqa.GoldAnswer]:
    """The claims that were annotated: every answer of an entity question, and "yes" alone of a yes-no one."""
    return [answer for row in rows for answer in (row.answers if row.kind == "entity" else row.answers[:1])]


def mythqa_sizes(root: Path) -> Figures:
    """MythQA, Table 1: questions, and evidence for a claim."""
    figures: dict[tuple[str, str], float] = {}
    for name, rows in _kinds(root).items():
        claims = _claims(rows)
        figures |= {
            (name, "#Q"): len(rows),
            (name, "avg SupEve/Ans"): mean(len(claim.supporting) for claim in claims),
            (name, "avg RefEve/Ans"): mean(len(claim.refuting) for claim in claims),
        }
    return figures


def mythqa_answers(root: Path) -> Figures:
    """MythQA, Table 2: questions by the number of their answers."""
    figures: dict[tuple[str, str], float] = {}
    for name, rows in _kinds(root).items():
        counts = [len(row.answers) for row in rows]
        if name != "Overall":
            figures |= {(name, f"#Ans/Q={n}"): counts.count(n) for n in (1, 2, 3)}
            figures |= {(name, "#Ans/Q=4+"): sum(count > 3 for count in counts), (name, "#Ans/Q=avg"): mean(counts)}
    return figures


def mythqa_evidence(root: Path) -> Figures:
    """MythQA, Table 3: annotations by stance, as shipped (some posts stand on two sides)."""
    claims = _claims(_kinds(root)["Overall"])
    counts = {side: sum(len(getattr(claim, side.lower())) for claim in claims) for side in ("Supporting", "Refuting", "Neutral")}
    total = sum(counts.values())
    return {(side, "count"): n for side, n in counts.items()} | {(side, "percent"): 100 * n / total for side, n in counts.items()}


CENSUSES: dict[str, Callable[[Path], Figures]] = {
    "KnownLie_Shaar2020/T3": known_lie_sizes,
    "KnownLie_Shaar2020/T4": known_lie_likeness,
    "Context_Shaar2022/T2": context_sizes,
    "MTM_Sheng2021/T1": mtm_sizes,
    "MythQA_Bai2023/T1": mythqa_sizes,
    "MythQA_Bai2023/T2": mythqa_answers,
    "MythQA_Bai2023/T3": mythqa_evidence,
}
