"""A mention ranker: for a mention, scores every earlier one and the answer "none of them", and the best wins.

One hidden layer over projected word vectors and plain facts (after Clark and Manning 2016, without their clusters), small enough
to ship and to run in numpy. Trained by `train.coref`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.rank.coref.features import FACTS, Array, Text, facts
from twicetold.rank.saved import read_model, write_model

KIND = "coref"
REACH = 40
"""How many mentions back an antecedent is looked for."""


@dataclass(frozen=True)
class Ranker:
    """Weights of a trained ranker, by name: `project` (D, P), `hidden` (2 · 3P + 2P + F, H), `bias`, `out` (H,), `none`, `none_bias`."""

    weights: dict[str, Any]

    def scores(self, text: Text, antecedents: list[int], anaphor: int) -> Array:
        """Return the score of each antecedent, (N,); 0 is the score of "none of them"."""
        w = self.weights
        low = text.vectors[[*antecedents, anaphor]] @ w["project"]  # (N + 1, 3, P)
        before, here = low[:-1], np.broadcast_to(low[-1], low[:-1].shape)
        # What the words of one have in common with the other and with what stands beside it.
        shared = np.concatenate([before[:, 0] * here[:, 0], before[:, 0] * here[:, 2]], axis=1)  # (N, 2P)
        rows = np.concatenate(
            [before.reshape(len(before), -1), here.reshape(len(before), -1), shared, facts(text, antecedents, anaphor)], 1
        )
        hidden = np.maximum(rows @ w["hidden"] + w["bias"], 0)  # (N, H)
        none = np.maximum(low[-1].reshape(-1) @ w["none"] + w["none_bias"], 0) @ w["none_out"]
        scores: Array = (hidden @ w["out"] + w["out_bias"] - none).astype(np.float32)
        return scores

    def antecedents(self, text: Text) -> list[int]:
        """Return for each mention the place of the mention it refers back to, −1 for none."""
        chosen = []
        for anaphor in range(len(text.mentions)):
            earlier = list(range(max(0, anaphor - REACH), anaphor))
            scores = self.scores(text, earlier, anaphor) if earlier else np.zeros(0)
            best = int(np.argmax(scores)) if len(scores) else -1
            chosen.append(earlier[best] if best >= 0 and scores[best] > 0 else -1)
        return chosen

    def save(self, folder: Path) -> None:
        """Write `model.json` and `weights.npz`, half precision."""
        write_model(folder, KIND, {"facts": list(FACTS)}, {name: array.astype(np.float16) for name, array in self.weights.items()})

    @classmethod
    def load(cls, folder: Path) -> Ranker:
        """Read a saved ranker."""
        _, arrays = read_model(folder, KIND)
        return cls({name: array.astype(np.float32) for name, array in arrays.items()})


def clusters(antecedents: list[int]) -> list[int]:
    """Return a number for each mention, the same for mentions linked directly or through others."""
    entity: list[int] = []
    for place, antecedent in enumerate(antecedents):
        entity.append(entity[antecedent] if antecedent >= 0 else place)
    return entity
