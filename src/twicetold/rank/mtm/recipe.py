"""The recipe `mtm`: what words and meaning find, reranked by the sentences that carry the match; and these sentences alone."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from twicetold import find
from twicetold.collection import Collection
from twicetold.errors import BadData
from twicetold.filters import Filters
from twicetold.find import prepare
from twicetold.marking import quoted
from twicetold.models import shipped
from twicetold.rank.mtm import stages
from twicetold.rank.mtm.chooser import Chooser
from twicetold.rank.mtm.model import Mtm
from twicetold.rank.mtm.stages import FIRST, Marks, Quoting, rerank
from twicetold.stage import Stage, chain, cut
from twicetold.types import Ranking
from twicetold.weights import hybrid_weights

VARIABLE = "TWICETOLD_MTM"
SHARE = 0.5
"""MTM's share in the order of the first candidates; the rest is the score they were found with."""


def mtm(collection: Collection, *, depth: int = 100, filters: Filters | None = None) -> Stage:
    """The candidates of `hybrid`, the first 20 of them reranked by reading their key sentences, which come with the answer."""
    found = find.hybrid_search(collection, hybrid_weights(), depth=max(depth, FIRST), filters=filters)
    return chain(found, rerank(named_model(), first=FIRST, share=SHARE, marks=marked_in(collection)), cut(depth))


def key_sentences(collection: Collection, *, first: int = 10, keys: int = 3) -> Stage:
    """Explain the first matches by MTM's key sentences; no layer is run."""
    return stages.key_sentences(named_chooser(), first=first, keys=keys, marks=marked_in(collection))


def marked_in(collection: Collection) -> Marks:
    """Mark the words that a sentence shares with the claim, common ones left out."""

    def marks(ranking: Ranking) -> Quoting:
        weights = find.word_weights(collection, prepare(ranking.query))
        return lambda text, lang: quoted(text, lang, weights)

    return marks


@cache
def _opened(folder: Path) -> Mtm:
    return Mtm.load(folder)


@cache
def _chooser(folder: Path) -> Chooser:
    return Chooser.load(folder)


def named_model() -> Mtm:
    """Open the model that TWICETOLD_MTM names, or else the package's. Raises BadData, saying how to make one, if there is none."""
    return _opened(_folder())


def named_chooser() -> Chooser:
    """As `named_model`, without the layers, which take longer to open than all that is needed to choose key sentences."""
    return _chooser(_folder())


def _folder() -> Path:
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else shipped("mtm")
    if not folder.is_dir():
        raise BadData(f"key-sentence matching has no model at {folder}: twicetold train mtm --out WORK, then set {VARIABLE}=WORK/mtm")
    return folder
