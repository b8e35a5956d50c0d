"""The pair reader: one small model that reads a claim and what was checked together.

It gives the chances of the twelve relations, how far the check answers the claim, whether the second text supports or refutes the first,
and which words differ on either side. A pair's reading does not depend on the pairs read beside it. What does not fit into its window of
128 tokens is cut, the longer text first. English only; nothing here decides anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from twicetold.errors import BadData
from twicetold.models import shipped
from twicetold.models.textmodel import TextModel
from twicetold.types import Relation, Stance

if TYPE_CHECKING:
    import tokenizers

RELATIONS = tuple(Relation)
"""The order of the model's relations."""
STANCES = (Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL)
MAX_TOKENS = 128
_NOT_MARKED = -10.0
_WORD = re.compile(r"\S+")
_AROUND = ".,;:!?…\"'“”‘’«»()[]{}"


class Stretch(NamedTuple):
    """Whole words that differ, from one character to another, and how strongly: a logit above 0."""

    start: int
    end: int
    strength: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model says of a pair.

    `relation` are probabilities in the order of `Relation`; `answers` is a logit: 0 is even odds; `stance` are the probabilities that the
    second text supports, refutes, or does neither. `ours` and `theirs` are the words that differ; `differs` is the strongest mark of any.
    """

    relation: tuple[float, ...]
    answers: float
    stance: tuple[float, ...]
    ours: tuple[Stretch, ...] = ()
    theirs: tuple[Stretch, ...] = ()
    differs: float = _NOT_MARKED


class PairReader:
    """Reads pairs of (claim, what was checked)."""

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self.name = model.folder.name
        self.version = model.folder.version

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 0) -> PairReader:
        """Open the shipped reader, or the one in a folder. Raises BadData for a missing or damaged file."""
        place = shipped("pairs") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=MAX_TOKENS, threads=threads))

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Return the reading of each pair, in their order."""
        encodings = self._model.tokenizer.encode_batch(list(pairs))
        outputs = self._model.run_tokens([(encoding.ids, encoding.type_ids) for encoding in encodings])
        return [self._reading(*each) for each in zip(pairs, encodings, outputs, strict=True)]

    def _reading(self, pair: tuple[str, str], encoding: tokenizers.Encoding, outputs: Sequence[np.ndarray[Any, Any]]) -> Reading:
        shapes = [output.size for output in outputs]
        if shapes != [len(RELATIONS), 1, len(STANCES), len(encoding.ids)]:
            raise BadData(
                f"the model in {self._model.folder.path} should give {len(RELATIONS)} relations, 1 answer, {len(STANCES)} stances "
                f"and a mark for each of {len(encoding.ids)} tokens, not {shapes}; give the folder of a pair reader"
            )
        relation, answers, stance, marks = (output.reshape(-1).astype(np.float64).tolist() for output in outputs)
        marked = [
            (side, begin, end, mark)
            for side, (begin, end), mark in zip(encoding.sequence_ids, encoding.offsets, marks, strict=True)
            if side is not None and end > begin
        ]
        ours, theirs = (differing_words(text, [one[1:] for one in marked if one[0] == side]) for side, text in enumerate(pair))
        strongest = max((mark for *_, mark in marked), default=_NOT_MARKED)
        return Reading(_softmax(relation), answers[0], _softmax(stance), ours, theirs, strongest)


def differing_words(text: str, marks: Sequence[tuple[int, int, float]]) -> tuple[Stretch, ...]:
    """Return the whole words that hold a token marked above 0, neighbours joined. `marks` are (start, end, logit) of tokens in order."""
    found: list[Stretch] = []
    at = 0
    is_next = False
    for start, end in _words(text):
        strength = -math.inf
        while at < len(marks) and marks[at][0] < end:
            strength = max(strength, marks[at][2]) if marks[at][1] > start else strength
            at += 1
        if strength <= 0:
            is_next = False
            continue
        if is_next:
            before = found.pop()
            found.append(Stretch(before.start, end, max(before.strength, strength)))
        else:
            found.append(Stretch(start, end, strength))
        is_next = True
    return tuple(found)


def _words(text: str) -> list[tuple[int, int]]:
    """Return the words as white space separates them, without the punctuation around them; "%" and "$5" are words."""
    found = []
    for word in _WORD.finditer(text):
        bare = word[0].strip(_AROUND)
        if bare:
            start = word.start() + word[0].index(bare)
            found.append((start, start + len(bare)))
    return found


def _softmax(values: Sequence[float]) -> tuple[float, ...]:
    largest = max(values)
    parts = [math.exp(value - largest) for value in values]
    total = math.fsum(parts)
    return tuple(part / total for part in parts)
