"""Candidates to learn from: a data set's claims put to a stage over a collection of its fact-checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from twicetold.collection import Collection, Settings
from twicetold.index.encoder import EncoderChoice
from twicetold.stage import Stage
from twicetold.types import Ranking
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of

Making = Callable[[Collection], Stage]
"""How a stage is made for a collection."""


def gather(make: Making, dataset: Dataset, parts: Sequence[Dataset], work: Path, *, encoder: str = "") -> list[list[Ranking]]:
    """Put the claims of each of `parts` to a stage over the fact-checks of `dataset`; return the rankings, part by part.

    Collections are kept in `work`, since indexing the largest takes minutes. `encoder` is "" for the shipped one, or a folder.
    """
    with collection_of(dataset, Settings(encoder=EncoderChoice.parse(encoder)), cache=work) as collection:
        stage = make(collection)
        return [stage([Ranking(claim) for claim in part.claims]) for part in parts]
