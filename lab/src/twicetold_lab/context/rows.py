"""Rows of the paper's Table 4 by name, and what each learns from.

A name is a sum of parts: `baseline`, `FC(3,1)`, `src-coref`, `src-coref+FC(3,1)`, `xh-3`, `tgt-coref+xh-3` and so on. `FC(k,l)` takes
any k up to 5 and l up to 3; `legacy-FC(k,l)` is the released code's first path; `xh-N` adds the posteriors of the multi-hop reader over
the N best sentences. The learner is the kernel RankSVM with its published settings, unless others are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from twicetold.errors import BadInput
from twicetold.rank.ranksvm import RankSVM, Settings
from twicetold.rank.signals import Examples, Scale
from twicetold_lab.context.corpus import SIGNALS, Target
from twicetold_lab.context.gathering import AHEAD, BEHIND, Array, Gathered, Source, queries_of
from twicetold_lab.context.hop_reader import SIGNALS as POSTERIORS
from twicetold_lab.datasets import Dataset
from twicetold_lab.runs import Answered, Run, Scored

_WINDOW = re.compile(r"(legacy-)?FC\((\d+),(\d+)\)")
_HOPS = re.compile(r"xh-([1-6])")

_LANDMARKS = 200
"""With 200 landmarks instead of 1,500 a row takes seconds."""


@dataclass(frozen=True, slots=True)
class Learner:
    """How a row is learnt. `gamma` is in units of 1 / the number of signals, `neighbours` how far the signals of the lines around reach
    beside those of the claim: 1 is as far. What is given here is what was published."""

    kernel: Literal["rbf", "linear"] = "rbf"
    cost: float = 1.0
    gamma: float = 1.0
    neighbours: float = 1.0

    def settings(self, n_signals: int) -> Settings:
        """Return the settings of a RankSVM over so many signals."""
        return Settings(self.kernel, self.cost, self.gamma / n_signals, landmarks=_LANDMARKS)

    def scale(self, rows: Array, names: Sequence[str]) -> Scale:
        """Return how signals are scaled: to [−1, 1], those of the lines around to [−neighbours, neighbours]."""
        ranges = Scale.fit(rows)
        wider = np.array([1 / self.neighbours if name.startswith("fc[") else 1.0 for name in names])
        middle, half = (ranges.high + ranges.low) / 2, (ranges.high - ranges.low) / 2
        return ranges if self.neighbours == 1 else Scale(middle - half * wider, middle + half * wider)


PUBLISHED = Learner()


def learner(text: str) -> Learner:
    """Read a learner: a kernel, and after commas what differs from the published settings.

    >>> learner("linear,cost=0.001")
    Learner(kernel='linear', cost=0.001, gamma=1.0, neighbours=1.0)
    """
    kernel, *rest = text.split(",")
    given = [part.partition("=") for part in rest]
    try:
        numbers = {name: float(value) for name, _, value in given}
    except ValueError:
        numbers = {"": 0.0}
    if (
        kernel not in ("rbf", "linear")
        or not numbers.keys() <= {"cost", "gamma", "neighbours"}
        or not all(0 < number < float("inf") for number in numbers.values())
    ):
        raise BadInput(f"no learner is called {text!r}; wanted rbf or linear, then cost, gamma or neighbours above 0: rbf,cost=0.1")
    return Learner("linear" if kernel == "linear" else "rbf", **numbers)


@dataclass(frozen=True, slots=True)
class Row:
    """What a row is made of; `sentences` is 0 without the multi-hop reader."""

    behind: int = 0
    ahead: int = 0
    is_legacy: bool = False
    source: Source = "said"
    target: Target = "said"
    sentences: int = 0

    @property
    def offsets(self) -> range:
        """The lines that count, the oldest first."""
        return range(-self.behind, self.ahead + 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the row's signals: a block for each line, then the posteriors."""
        blocks = (f"fc[{offset:+d}].{name}" if offset else name for offset in self.offsets for name in SIGNALS)
        return (*blocks, *(POSTERIORS if self.sentences else ()))


def parse(name: str) -> Row:
    """Read a row's name.

    >>> parse("src-coref+FC(3,1)")
    Row(behind=3, ahead=1, is_legacy=False, source='resolved', target='said', sentences=0)
    """
    row = Row()
    for part in name.split("+"):
        window, hops = _WINDOW.fullmatch(part), _HOPS.fullmatch(part)
        if window and int(window[2]) <= BEHIND and int(window[3]) <= AHEAD:
            row = replace(row, behind=int(window[2]), ahead=int(window[3]), is_legacy=bool(window[1]))
        elif hops:
            row = replace(row, sentences=int(hops[1]))
        elif part in ("src-coref", "tgt-coref"):
            row = replace(row, source="resolved") if part == "src-coref" else replace(row, target="resolved")
        elif part != "baseline":
            known = "baseline, FC(k,l) with k up to 5 and l up to 3, legacy-FC(k,l), src-coref, tgt-coref, xh-N"
            raise BadInput(f"no row has the part {part!r}; a row is debate, debate-text, debate-earlier, or a sum of {known}")
    if row.target == "resolved" and len(row.offsets) > 1:
        raise BadInput(f"{name}: resolved articles (tgt-coref) were not measured with neighbouring lines (FC); leave one of them out")
    if row.source == "resolved" and (row.behind > 3 or row.ahead > 1):
        raise BadInput(f"{name}: resolved lines (src-coref) are measured up to FC(3,1); take a smaller window")
    return row


Posteriors = Array
"""What the multi-hop reader says of each query's candidates, (Q, DEPTH, 3)."""


def signals_of(row: Row, gathered: Gathered, posteriors: Posteriors | None = None) -> Array:
    """Return the signals of every query's candidates, (Q, DEPTH, D), in the order of `row.names`."""
    blocks = [gathered.block(offset, is_legacy=row.is_legacy) for offset in row.offsets]
    return np.concatenate([*blocks, *([posteriors] if row.sentences and posteriors is not None else [])], axis=2)


def learnt(row: Row, signals: Array, gathered: Gathered, dataset: Dataset, ids: Sequence[str], *, by: Learner = PUBLISHED) -> RankSVM:
    """Fit the row's RankSVM on the candidates of these queries."""
    rows = list(queries_of(gathered, ids))
    answers = [
        [dataset.qrels[id].get(gathered.checks[c], 0) > 0 for c in gathered.candidates[at]] for id, at in zip(ids, rows, strict=True)
    ]
    flat = signals[rows].reshape(-1, signals.shape[2]).astype(np.float64)
    numbers = np.repeat(np.arange(len(rows)), signals.shape[1])
    given = Examples(row.names, flat, np.array(answers, bool).ravel(), numbers)
    return RankSVM.fit(given, by.settings(len(row.names)), scale=by.scale(flat, row.names))


def ranked(model: RankSVM, signals: Array, gathered: Gathered, ids: Sequence[str]) -> Run:
    """Order the candidates of these queries by the model."""
    answers = []
    for id, at in zip(ids, queries_of(gathered, ids), strict=True):
        scores = model.score(signals[at].astype(np.float64))
        docs = [Scored(gathered.checks[gathered.candidates[at, i]], float(scores[i])) for i in np.argsort(-scores, kind="stable")]
        answers.append(Answered(id, "", tuple(docs)))
    return Run("context", tuple(answers), len(gathered.checks))
