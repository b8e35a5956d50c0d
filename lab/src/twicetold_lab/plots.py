"""Pictures of runs, written as PNG and SVG. Needs the extra `lab` (matplotlib).

Each function draws one picture from runs and judgements: recall at each depth, scores of right and wrong matches, calibration of
probabilities, time for a query; `draw_reliability` draws from measured decisions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData, BadInput
from twicetold.shares import wilson
from twicetold_lab.datasets.layout import Qrels
from twicetold_lab.runs import Answered, Run

Axes = Any
Draw = Callable[[Axes, Sequence[Run], Qrels], None]
_BINS = 10


def _judged(run: Run, qrels: Qrels) -> list[Answered]:
    return [answer for answer in run.answers if qrels.get(answer.query)]


def _is_relevant(qrels: Qrels, query: str, doc: str) -> bool:
    return qrels.get(query, {}).get(doc, 0) > 0


def recall_at(run: Run, qrels: Qrels) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the mean recall at every depth from 1 to the run's deepest ranking."""
    answers = _judged(run, qrels)
    deepest = max((len(answer.docs) for answer in answers), default=0)
    total = np.zeros(deepest)
    for answer in answers:
        relevant = sum(grade > 0 for grade in qrels[answer.query].values())
        hits = np.zeros(deepest)
        for at, doc in enumerate(answer.docs):
            hits[at] = _is_relevant(qrels, answer.query, doc.id)
        total += hits.cumsum() / relevant if relevant else 0
    return total / max(len(answers), 1)


def calibration(run: Run, qrels: Qrels) -> list[tuple[float, float, int]]:
    """Return (mean probability, share right, queries) of each tenth of the probabilities that has any."""
    pairs = [
        (answer.probability, bool(answer.docs) and _is_relevant(qrels, answer.query, answer.docs[0].id))
        for answer in _judged(run, qrels)
        if answer.probability is not None
    ]
    if not pairs:
        raise BadData(f"the run {run.name!r} has no probabilities; make it with a recipe that decides, and save it as .jsonl")
    chances, rights = np.array([p for p, _ in pairs]), np.array([r for _, r in pairs], dtype=float)
    place = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    filled = [b for b in range(_BINS) if (place == b).any()]
    return [(float(chances[place == b].mean()), float(rights[place == b].mean()), int((place == b).sum())) for b in filled]


def _draw_recall(axes: Axes, runs: Sequence[Run], qrels: Qrels) -> None:
    for run in runs:
        curve = recall_at(run, qrels)
        axes.plot(np.arange(1, len(curve) + 1), curve, label=run.name)
    axes.set(xlabel="documents kept", ylabel="recall", xscale="log", ylim=(0, 1))
    axes.legend()


def _draw_scores(axes: Axes, runs: Sequence[Run], qrels: Qrels) -> None:
    run, *others = runs
    if others:
        raise BadInput(f"scores of {run.name!r} and {others[0].name!r} have no common scale; draw one run at a time")
    found: dict[bool, list[float]] = {True: [], False: []}
    for answer in _judged(run, qrels):
        if answer.docs:
            found[_is_relevant(qrels, answer.query, answer.docs[0].id)].append(answer.docs[0].score)
    bins = np.histogram_bin_edges([*found[True], *found[False]] or [0.0], bins=30)
    axes.hist([found[True], found[False]], bins=bins, label=["first match is right", "first match is wrong"], stacked=False)
    axes.set(xlabel=f"score of the first match ({run.name})", ylabel="queries")
    axes.legend()


def _draw_calibration(axes: Axes, runs: Sequence[Run], qrels: Qrels) -> None:
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, label="perfect")
    for run in runs:
        points = calibration(run, qrels)
        axes.plot([p for p, _, _ in points], [r for _, r, _ in points], marker="o", label=run.name)
    axes.set(xlabel="probability said", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    axes.legend()


def _draw_latency(axes: Axes, runs: Sequence[Run], qrels: Qrels) -> None:
    for run in runs:
        times = sorted(answer.seconds * 1000 for answer in run.answers if answer.seconds is not None)
        if not times:
            raise BadData(f"the run {run.name!r} has no times; save it as .jsonl with eval --save")
        axes.plot(times, np.arange(1, len(times) + 1) / len(times), label=run.name)
    axes.set(xlabel="milliseconds for a query", ylabel="share of queries answered", xscale="log", ylim=(0, 1))
    axes.legend()


PICTURES: dict[str, Draw] = {
    "recall": _draw_recall,
    "scores": _draw_scores,
    "calibration": _draw_calibration,
    "latency": _draw_latency,
}


def draw(name: str, runs: Sequence[Run], qrels: Qrels, out: Path) -> list[Path]:
    """Draw a picture and write it beside `out` as PNG and SVG; return both."""
    return _written(lambda axes: PICTURES[name](axes, runs, qrels), out)


def draw_reliability(measured: Path, out: Path) -> list[Path]:
    """Draw how often the decision was right at the probability it said, from what `lab decisions` measured; bars are 95 % intervals."""
    try:
        record = json.loads(measured.read_text(encoding="utf-8"))
        [pooled] = [kinds for name, kinds in record.items() if name.startswith("pooled")]
        curves = {kind: found[RELIABILITY] for kind, found in pooled.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadData(f"{measured} is not what `twicetold lab decisions` writes ({error}); make it anew") from None
    return _written(lambda axes: _draw_reliability(axes, curves), out)


RELIABILITY = "reliability: mean probability, share right, claims"


def _draw_reliability(axes: Axes, curves: Mapping[str, Sequence[tuple[float, float, int]]]) -> None:
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, label="perfect")
    for name, points in curves.items():
        bounds = [wilson(round(right * count), count) for _, right, count in points]
        below = [max(right - low, 0) for (_, right, _), (low, _) in zip(points, bounds, strict=True)]
        above = [max(high - right, 0) for (_, right, _), (_, high) in zip(points, bounds, strict=True)]
        axes.errorbar([p for p, _, _ in points], [r for _, r, _ in points], [below, above], marker="o", capsize=2, label=name)
    axes.set(xlabel="probability said", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    axes.legend()


def _written(paint: Callable[[Axes], None], out: Path) -> list[Path]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    paint(figure.add_subplot())
    written = [out.with_suffix(ending) for ending in (".png", ".svg")]
    for path in written:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return written
