"""The article classifier: does this fact-check answer the input, judged by cosines alone?

Its signals are the cosines of the input to the claim, to the title and to the best body sentences, best first. A network of 20 and 10
rectified units and a logistic output is trained on every pair of input and fact-check, each class weighing the same in total, with Adam in
batches of 2,048 (Shaar et al. 2020, section 5). PolitiFact gives ten million pairs: `fit` is handed blocks of them, and never holds more
than one. numpy alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array, Scale, check_finite

Block = tuple[Array, np.ndarray[Any, np.dtype[np.bool_]]]
"""Rows of signals and whether each answers its input."""
Blocks = Callable[[], Iterable[Block]]
"""Yields all blocks from the first, every time it is called."""

KIND = "articles"


@dataclass(frozen=True, slots=True)
class Settings:
    """Hyper-parameters; the defaults are the paper's."""

    hidden: tuple[int, int] = (20, 10)
    epochs: int = 15
    batch: int = 2_048
    rate: float = 1e-3
    seed: int = 0


@dataclass(frozen=True)
class ArticleClassifier:
    """A fitted network. `score` gives log-odds: the order is that of the probability, without its rounding near 1."""

    names: tuple[str, ...]
    settings: Settings
    scale: Scale
    weights: tuple[Array, ...]
    """Matrices and biases in turn, from the input on."""

    @classmethod
    def fit(cls, names: tuple[str, ...], blocks: Blocks, settings: Settings | None = None) -> ArticleClassifier:
        """Train over all blocks, once an epoch. Raises BadData if one class is missing or a signal is not a number."""
        chosen = settings or Settings()
        scale, share = _survey(blocks, names)
        rng = np.random.default_rng(chosen.seed)
        network = _Network(_start((len(names), *chosen.hidden, 1), rng), chosen.rate)
        for _ in range(chosen.epochs):
            for rows, answers in blocks():
                order = rng.permutation(len(rows))
                shuffled, right = _scaled(scale, rows)[order], answers[order]
                # Balanced: N / (2 · size of the class), so that both classes weigh the same over an epoch.
                weight = np.where(right, np.float32(0.5 / share), np.float32(0.5 / (1 - share)))
                for start in range(0, len(rows), chosen.batch):
                    some = slice(start, start + chosen.batch)
                    network.learn(shuffled[some], right[some], weight[some])
        return cls(names, chosen, scale, tuple(network.weights))

    def score(self, rows: Array) -> Array:
        """Return the log-odds that each row answers its input, (N,)."""
        values = self.scale(rows)
        *inner, last, bias = self.weights
        for matrix, offset in zip(inner[::2], inner[1::2], strict=True):
            values = np.maximum(np.einsum("nd,dh->nh", values, matrix) + offset, 0)
        return np.asarray(np.einsum("nh,ho->no", values, last)[:, 0] + bias[0])

    def save(self, folder: Path) -> None:
        """Write the model to a folder."""
        arrays = {"low": self.scale.low, "high": self.scale.high} | {f"weights{i}": w for i, w in enumerate(self.weights)}
        write_model(folder, KIND, {"signals": list(self.names), "settings": asdict(self.settings)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> ArticleClassifier:
        """Read a saved model."""
        record, arrays = read_model(folder, KIND)
        settings = Settings(**{**record["settings"], "hidden": tuple(record["settings"]["hidden"])})
        weights = tuple(arrays[f"weights{i}"] for i in range(len(arrays) - 2))
        return cls(tuple(record["signals"]), settings, Scale(arrays["low"], arrays["high"]), weights)


def _scaled(scale: Scale, rows: Array) -> Array:
    """Scale in float32, a third of the time for millions of rows."""
    span = np.where(scale.high > scale.low, scale.high - scale.low, np.inf).astype(np.float32)
    scaled = (rows.astype(np.float32) - scale.low.astype(np.float32)) * (2 / span)
    scaled -= np.where(np.isfinite(span), np.float32(1), np.float32(0))
    return np.asarray(scaled)


def _survey(blocks: Blocks, names: tuple[str, ...]) -> tuple[Scale, float]:
    """Return the range of each signal and the share of pairs that answer."""
    low, high = np.full(len(names), np.inf), np.full(len(names), -np.inf)
    right = total = 0
    for rows, answers in blocks():
        check_finite(rows, names)
        low, high = np.minimum(low, rows.min(axis=0)), np.maximum(high, rows.max(axis=0))
        right, total = right + int(answers.sum()), total + len(answers)
    if right in (0, total):
        raise BadData(f"{right} of {total} pairs answer their input; the article classifier needs pairs that do and pairs that do not")
    return Scale(low, high), right / total


def _start(sizes: tuple[int, ...], rng: np.random.Generator) -> list[Array]:
    """He et al. 2015: weights as wide as keeps the spread of rectified units, biases 0."""
    weights: list[Array] = []
    for inputs, outputs in pairwise(sizes):
        weights += [rng.normal(0, (2 / inputs) ** 0.5, (inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)]
    return weights


class _Network:
    """The network while it learns: weights and Adam's moments (Kingma and Ba 2015)."""

    def __init__(self, weights: list[Array], rate: float) -> None:
        self.weights = weights
        self._rate = rate
        self._mean = [np.zeros_like(w) for w in weights]
        self._square = [np.zeros_like(w) for w in weights]
        self._step = 0

    def learn(self, rows: Array, answers: Array, weight: Array) -> None:
        """Take one step down the weighted cross-entropy of these rows."""
        layers = [rows]
        for matrix, offset in zip(self.weights[:-2:2], self.weights[1:-2:2], strict=True):
            layer = layers[-1] @ matrix
            layer += offset
            layers.append(np.maximum(layer, 0, out=layer))
        odds = (layers[-1] @ self.weights[-2])[:, 0] + self.weights[-1]
        error = ((1 / (1 + np.exp(-np.clip(odds, -30, 30))) - answers) * weight / np.float32(len(rows)))[:, None]  # (B, 1)
        gradients: list[Array] = []
        for place in range(len(layers) - 1, -1, -1):
            gradients = [layers[place].T @ error, error.sum(axis=0), *gradients]
            if place:
                error = error @ self.weights[2 * place].T
                error *= layers[place] > 0
        self._adam(gradients)

    def _adam(self, gradients: list[Array]) -> None:
        self._step += 1
        for place, gradient in enumerate(gradients):
            self._mean[place] = 0.9 * self._mean[place] + 0.1 * gradient
            self._square[place] = 0.999 * self._square[place] + 0.001 * gradient**2
            mean = self._mean[place] / (1 - 0.9**self._step)
            square = self._square[place] / (1 - 0.999**self._step)
            self.weights[place] = self.weights[place] - self._rate * mean / (np.sqrt(square) + 1e-8)
