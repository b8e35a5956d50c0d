"""Any natural-language-inference model as a stance model: its labels are mapped by their names, never by their place.

Models differ in the order of their classes (contradiction first, entailment first), and taking one order for another turns support into
neutral without a word. A folder that does not name its classes is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.mine.protocols import Probabilities, StanceModel
from twicetold.mine.stance import MAX_TOKENS, ORDER, StanceReader
from twicetold.models.textmodel import TextModel
from twicetold.types import Stance

_NAMES = {
    Stance.SUPPORTS: {"entailment", "entail", "entails", "supports", "support", "supporting", "supported", "agree", "favor", "for", "true"},
    Stance.REFUTES: {"contradiction", "contradict", "refutes", "refute", "refuting", "refuted", "disagree", "against", "deny", "false"},
    Stance.NEUTRAL: {"neutral", "not_enough_info", "not enough info", "nei", "none", "discuss", "comment", "unrelated", "observing"},
}


class NliModel:
    """A model of premise and hypothesis: the post is the premise, the claim the hypothesis."""

    def __init__(self, model: TextModel, labels: Mapping[int, str]) -> None:
        self._model = model
        self._columns = columns(labels, model.folder.path)

    def read(self, pairs: Sequence[tuple[str, str]], /) -> Probabilities:
        """Return for each (claim, text) the probabilities of supports, refutes and neutral: (N, 3)."""
        if not pairs:
            return np.zeros((0, len(ORDER)), np.float32)
        logits = np.stack([output[0] for output in self._model.run([(text, claim) for claim, text in pairs])]).astype(np.float64)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))  # (N, classes)
        shares = raised / raised.sum(axis=1, keepdims=True)
        return np.stack([shares[:, places].sum(axis=1) for places in self._columns], axis=1).astype(np.float32)


def columns(labels: Mapping[int, str], place: Path) -> list[list[int]]:
    """Return for each stance the places of the classes that mean it; several classes may mean one ("comment" and "query")."""
    found: list[list[int]] = [[] for _ in ORDER]
    for at, name in labels.items():
        meant = [stance for stance in ORDER if name.strip().lower() in _NAMES[stance]]
        if not meant:
            wanted = "wanted entailment, contradiction and neutral: name them in config.json, id2label"
            raise BadData(f"{place}: the class {at} is called {name!r}; {wanted}")
        found[ORDER.index(meant[0])].append(at)
    if not found[0] or not found[1]:
        raise BadData(f"{place}: the classes {list(labels.values())} hold no support or no refutation; give a model that tells them apart")
    return found


def load_stance(path: str | Path | None = None, *, threads: int = 0) -> StanceModel:
    """Open the shipped stance model, one trained by `twicetold train stance`, or the folder of any NLI model exported to ONNX."""
    place = Path(path) if path is not None else None
    labels = _labels(place) if place is not None else {}
    if place is None or not labels:
        return StanceReader.load(place, threads=threads)
    return NliModel(TextModel.load(place, max_tokens=MAX_TOKENS, threads=threads), labels)


def _labels(place: Path) -> dict[int, str]:
    """The class names in the config.json of a transformers folder; none if there is no such file."""
    file = place / "config.json"
    try:
        config: Any = json.loads(file.read_text(encoding="utf-8"))
        return {int(at): str(name) for at, name in config["id2label"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadData(f"{file} does not name the model's classes; give it an id2label such as {{'0': 'entailment', …}}") from None
