"""Several rerankers as one, and what moved a candidate to its place.

Each part's scores are put on one scale by their mean and spread over training candidates, then summed with weights that were chosen on
other claims than the parts learnt from.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.errors import BadData
from twicetold.models import FORMAT, REINSTALL
from twicetold.rank.boosted import Boosted
from twicetold.rank.ranksvm import RankSVM
from twicetold.rank.signals import Array, Scorer, matrix
from twicetold.stage import Stage
from twicetold.types import Match, Ranking, Reason, ReasonKind

KINDS: Mapping[str, type[RankSVM] | type[Boosted]] = {
    "prior": RankSVM,
    "ranksvm": RankSVM,
    "boosted": Boosted,
}
"""`prior` is a weighted sum of signals that was fixed beforehand, kept as a linear RankSVM; so is `cross`, of one signal."""

GROUPS = (
    ("meaning", ("dense.", "rr.dense.")),
    ("words", ("bm25.", "share.", "rr.bm25.", "cover.")),
    ("article text", ("body.", "sentence")),
    ("numbers", ("numbers", "negation")),
    ("link", ("link",)),
    ("language", ("lang",)),
    ("speaker", ("speaker",)),
    ("date", ("age",)),
)
"""What a person calls signals, by the beginnings of their names."""


@dataclass(frozen=True)
class Part:
    """A reranker in a blend: its kind, its share, and the mean and spread of its scores."""

    kind: str
    model: RankSVM | Boosted
    share: float
    mean: float
    spread: float


@dataclass(frozen=True)
class Blend:
    """A weighted sum of rerankers over the same signals."""

    names: tuple[str, ...]
    parts: tuple[Part, ...]

    def score(self, rows: Array) -> Array:
        """Return a score for each row of signals, (N,)."""
        total = np.zeros(len(rows))
        for part in self.parts:
            total += part.share * (part.model.score(rows) - part.mean) / part.spread
        return total

    def save(self, folder: Path) -> None:
        """Write `blend.json`, and each part into a folder of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        for part in self.parts:
            part.model.save(folder / part.kind)
        shares = {part.kind: {"share": part.share, "mean": part.mean, "spread": part.spread} for part in self.parts}
        record = {"format": FORMAT, "kind": "blend", "signals": list(self.names), "parts": shares}
        (folder / "blend.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Blend:
        """Read a saved blend."""
        file = folder / "blend.json"
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            found = record["parts"].items()
            parts = tuple(Part(kind, KINDS[kind].load(folder / kind), p["share"], p["mean"], p["spread"]) for kind, p in found)
            return cls(tuple(record["signals"]), parts)
        except FileNotFoundError:
            raise BadData(f"there is no reranker in {folder}; train one, or type: {REINSTALL}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise BadData(f"{file} cannot be read ({error}); train the reranker again, or type: {REINSTALL}") from None


# --- why a candidate stands where it does --------------------------------------------------------------------------


def group_of(name: str) -> str:
    """Return what a person calls this signal.

    >>> group_of("rr.dense.title"), group_of("share.body"), group_of("length")
    ('meaning', 'words', 'other')
    """
    return next((label for label, starts in GROUPS if name.startswith(starts)), "other")


def contributions(model: Scorer, rows: Array, place: int) -> dict[str, float]:
    """Return how much each group of signals lifts one candidate: its score, less its score with the group as in the average candidate.

    Groups that lift or sink it most come first; they do not add up to the score where the model joins signals.
    """
    labels = [group_of(name) for name in model.names]
    mean = rows.mean(axis=0)
    wanted = list(dict.fromkeys(labels))
    trials = np.tile(rows[place], (len(wanted), 1))  # (G, D)
    for trial, label in zip(trials, wanted, strict=True):
        same = [at for at, its in enumerate(labels) if its == label]
        trial[same] = mean[same]
    [score] = model.score(rows[place : place + 1])
    lifts = {label: float(score - without) for label, without in zip(wanted, model.score(trials), strict=True)}
    return dict(sorted(lifts.items(), key=lambda pair: -abs(pair[1])))


def say_why(model: Scorer, *, first: int = 3) -> Stage:
    """Tell, for the first matches, which kinds of signals put them there, as a reason in words."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_explained(model, ranking, first) for ranking in rankings]

    return run


def _explained(model: Scorer, ranking: Ranking, first: int) -> Ranking:
    if not ranking.matches:
        return ranking
    rows = matrix(ranking.matches, model.names)
    told = [_told(match, contributions(model, rows, place)) for place, match in enumerate(ranking.matches[:first])]
    return dataclasses.replace(ranking, matches=(*told, *ranking.matches[first:]))


def _told(match: Match, lifts: Mapping[str, float]) -> Match:
    shown = [(label, lift) for label, lift in lifts.items() if abs(lift) >= 0.05][:3]
    if not shown:
        return match
    reason = Reason(ReasonKind.PLACED, f"Ranked here by {', '.join(f'{label} {lift:+.1f}' for label, lift in shown)}.")
    return dataclasses.replace(match, reasons=(*match.reasons, reason))
