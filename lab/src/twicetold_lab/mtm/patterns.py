"""See the patterns: the residuals around them in two dimensions, their typical sentences, the words that make them (Figures 4 and 5).

Residuals are of right articles' sentences in Vo & Lee's training claims, each with its nearest pattern. Pictures need the extra `lab`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.rank.mtm.memory import Array, nearest
from twicetold.rank.mtm.model import Mtm
from twicetold.text import words
from twicetold_lab.mtm.candidates import Task

_COMMON = 3
_SHOWN = 600


@dataclass(frozen=True, slots=True)
class Seen:
    """A sentence of a right article, its claim and its residual."""

    text: str
    claim: str
    residual: Array


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: how many sentences are nearest to it, the nearest of these, and the words they have more often than others."""

    number: int
    sentences: int
    typical: tuple[str, ...]
    words: tuple[str, ...]


def seen_in(task: Task, model: Mtm, *, split: str = "train", most: int = 300) -> list[Seen]:
    """Take the residuals of right articles' sentences, of at most so many claims."""
    found = []
    claims = task.claims[split]
    for one in claims[:: max(1, len(claims) // most)]:
        for doc in sorted(one.right & task.articles.keys()):
            sentences = task.articles[doc]
            residuals = model.residuals(one.text, sentences)
            found += [Seen(s.text, one.text, r) for s, r in zip(sentences, residuals, strict=True)]
    return found


def described(seen: Sequence[Seen], patterns: Array, *, typical: int = 3) -> list[Pattern]:
    """Describe every pattern by the sentences nearest to it; words shared with the claim say nothing of a pattern and are left out."""
    found = nearest(patterns, np.stack([one.residual for one in seen]))
    own = [set(words(one.text)) - set(words(one.claim)) for one in seen]
    overall = Counter(word for some in own for word in some)
    made = []
    for number in range(len(patterns)):
        here = np.flatnonzero(found.pattern == number)
        by_distance = here[np.argsort(found.distance[here], kind="stable")]
        counts = Counter(word for place in here for word in own[place])
        made.append(Pattern(number, len(here), _distinct(seen, by_distance, typical), _telling(counts, overall, len(here), len(seen))))
    return made


def _distinct(seen: Sequence[Seen], order: Array, most: int) -> tuple[str, ...]:
    """The first different sentences: one article is often the answer to many claims."""
    return tuple(dict.fromkeys(seen[place].text for place in order.tolist()))[:most]


def _telling(counts: Counter[str], overall: Counter[str], here: int, everywhere: int, most: int = 8) -> tuple[str, ...]:
    """Words by how much likelier they are here than anywhere, weighed by how often they are here."""

    def gain(word: str) -> float:
        share = counts[word] / max(here, 1)
        return float(share * np.log(share / (overall[word] / everywhere)))

    return tuple(
        sorted((word for word, count in counts.items() if count >= _COMMON and gain(word) > 0), key=lambda w: (-gain(w), w))[:most]
    )


def plane(residuals: Array, patterns: Array) -> tuple[Array, Array]:
    """Project residuals and patterns on the two directions in which the residuals differ most."""
    middle = residuals.mean(axis=0)
    _, _, directions = np.linalg.svd(residuals - middle, full_matrices=False)
    return (residuals - middle) @ directions[:2].T, (patterns - middle) @ directions[:2].T


def draw(task: Task, model: Mtm, out: Path) -> list[Path]:
    """Draw residuals and patterns, and where key sentences stand; write PNG and SVG beside `out` and the description as JSON lines."""
    if model.patterns is None:
        raise BadData(f"the model {model.name!r} has no patterns to draw; give one that was taught with its memory")
    seen = seen_in(task, model)
    figure = _figure()
    left, right = figure.subplots(1, 2)
    _draw_plane(left, seen, model.patterns)
    _draw_positions(right, task, model)
    written = [out.with_suffix(ending) for ending in (".png", ".svg")]
    for path in written:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return written


def _figure() -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _draw_plane(axes: Any, seen: Sequence[Seen], patterns: Array) -> None:
    drawn = seen[:: max(1, len(seen) // _SHOWN)]
    residuals = np.stack([one.residual for one in drawn])
    points, centres = plane(residuals, patterns)
    axes.scatter(*points.T, c=nearest(patterns, residuals).pattern, cmap="tab20", s=6, alpha=0.6)
    axes.scatter(*centres.T, c=np.arange(len(patterns)), cmap="tab20", s=120, marker="*", edgecolors="black", linewidths=0.5)
    for one in described(seen, patterns):
        axes.annotate(" ".join(one.words[:2]) or str(one.number), centres[one.number], fontsize=7)
    axes.set(title="residuals of sentences and the patterns", xticks=[], yticks=[])


def _draw_positions(axes: Any, task: Task, model: Mtm) -> None:
    positions = [
        list(sentences).index(key.sentence) / max(1, len(sentences) - 1)
        for one in task.claims["test"]
        for doc in sorted(one.right & task.articles.keys())
        if (sentences := task.articles[doc])
        for key in model.keys(one.text, [sentences])[0]
    ]
    axes.hist(positions, bins=10, range=(0, 1), weights=np.full(len(positions), 1 / max(1, len(positions))))
    axes.set(title="where key sentences stand", xlabel="place in the article, from first to last sentence", ylabel="share of key sentences")
