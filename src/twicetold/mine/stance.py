"""Read what a text says of a claim: supports, refutes or neutral, by a small transformer.

The model reads the text first and the claim second, as premise and hypothesis. Its probabilities are calibrated by one temperature.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.mine.protocols import Probabilities
from twicetold.models import shipped
from twicetold.models.textmodel import TextModel
from twicetold.types import Stance

ORDER = (Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL)
MAX_TOKENS = 128


class StanceReader:
    """The shipped stance model; satisfies `mine.protocols.StanceModel`."""

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self._temperature = float(model.folder.settings.get("temperature", 1.0))
        self.name = model.folder.name
        self.version = model.folder.version

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 0) -> StanceReader:
        """Open the shipped model, or the one in a folder. Raises BadData for a missing or damaged file."""
        place = shipped("stance") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=MAX_TOKENS, threads=threads))

    def read(self, pairs: Sequence[tuple[str, str]], /) -> Probabilities:
        """Return for each (claim, text) the probabilities of supports, refutes and neutral: (N, 3).

        Texts are cut at some 100 tokens: give the sentences that matter, not a whole article.
        """
        if not pairs:
            return np.zeros((0, len(ORDER)), np.float32)
        outputs = self._model.run([(text, claim) for claim, text in pairs])
        return np.stack([_softmax(output[0].astype(np.float64) / self._temperature) for output in outputs])


def _softmax(logits: np.ndarray[Any, np.dtype[np.float64]]) -> Probabilities:
    raised = np.exp(logits - logits.max())
    return np.asarray(raised / raised.sum(), np.float32)
