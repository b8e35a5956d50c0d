"""How much a sentence is worth checking: a small network on the claim encoder's vector.

The vector is the one a line is searched with anyway, so asking costs next to nothing. Trained on ClaimBuster's debates: 1 is a factual
statement that voters would want checked, 0 an opinion, a question or an unimportant fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.index.encoder import Encoder, Vectors
from twicetold.models import ModelFolder, open_folder, shipped

Array = np.ndarray[Any, Any]


class CheckWorthiness:
    """Sentence to probability of being worth checking."""

    def __init__(self, folder: ModelFolder, arrays: dict[str, Array], encoder: Encoder) -> None:
        self._arrays = arrays
        self._encoder = encoder
        self.version = folder.version

    @classmethod
    def load(cls, path: str | Path | None = None, *, encoder: Encoder | None = None) -> CheckWorthiness:
        """Open the shipped model. `encoder`: one that is open already; it must be the very one the model was trained on."""
        folder = open_folder(shipped("checkworthy") if path is None else Path(path))
        used = encoder or Encoder.load()
        wanted = folder.settings.get("encoder")
        if used.version != wanted:
            raise BadData(f"the check-worthiness model in {folder.path} belongs to encoder {wanted}, not {used.version}; retrain it with "
                          "'twicetold train checkworthy'")  # fmt: skip
        with np.load(folder.file("vectors.npz")) as arrays:
            return cls(folder, {name: arrays[name] for name in arrays.files}, used)

    def score(self, texts: Sequence[str]) -> list[float]:
        """Return a probability for each text."""
        return [self.of_vector(vector) for vector in self._encoder.encode(texts)]

    def of_vector(self, vector: Vectors) -> float:
        """Return the probability for a text whose vector is at hand."""
        hidden = np.maximum(vector @ self._arrays["hidden"] + self._arrays["hidden_bias"], 0)  # (H,)
        logit = float(hidden @ self._arrays["out"] + self._arrays["out_bias"])
        return float(1 / (1 + np.exp(-logit)))
