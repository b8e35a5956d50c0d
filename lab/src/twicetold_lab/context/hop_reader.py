"""Global context: what the whole of a fact-check says of a claim, read as a graph of its claim, title and best sentences.

The nodes are read apart and talk to each other in the last layers (Transformer-XH, Zhao et al. 2020; as signals for matching, Shaar et al.
2022). It gives three signals, `hops.supports`, `hops.refutes` and `hops.neither`, for the first `depth` matches: some 60 ms each, so
never for all hundred. Trained by `train.hops`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twicetold.collection import Collection
from twicetold.errors import BadData
from twicetold.models import is_shipped, open_folder, shipped
from twicetold.models.textmodel import open_session, open_tokenizer
from twicetold.stage import Stage
from twicetold.text import tidy
from twicetold.types import FactCheck, Match, Ranking
from twicetold_lab.context.key_sentences import key_sentences

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

CLASSES = ("neither", "refutes", "supports")
SIGNALS = tuple(f"hops.{name}" for name in CLASSES)
MAX_TOKENS = 96


@dataclasses.dataclass(frozen=True, slots=True)
class Node:
    """A text of an article under the article's title; the title may be empty."""

    title: str
    text: str


def pair_of(claim: str, node: Node) -> tuple[str, str]:
    """Return what is read of a node, its title and its text, and the claim."""
    return f"{tidy(node.title)}. {tidy(node.text)}" if node.title and node.title != node.text else tidy(node.text), claim


def nodes_of(match: Match, *, sentences: int = 3) -> tuple[Node, ...]:
    """Return the nodes of a fact-check: claim, title and the key sentences it was given; those that are empty are left out."""
    check = match.doc
    if not isinstance(check, FactCheck):
        return (Node("", check.text),)
    texts = (check.claim, check.title, *(key.text for key in match.keys[:sentences]))
    return tuple(Node(check.title, text) for text in dict.fromkeys(texts) if text.strip())


class HopReader:
    """Runs the graph over one article at a time, so that an article's answer does not depend on others."""

    def __init__(self, session: onnxruntime.InferenceSession, tokenizer: tokenizers.Tokenizer, version: str = "") -> None:
        self.version = version
        self._session = session
        self._tokenizer = tokenizer
        self._tokenizer.enable_padding()

    @classmethod
    def load(cls, path: Path | None = None, *, threads: int = 0) -> HopReader:
        """Open the reader of the checkout, or that of a folder. Raises BadData if there is none, or a file is missing or damaged."""
        if path is None and not is_shipped("hops"):
            raise BadData("the reader of hops is in no package: run this in a clone of the project, or make one by: twicetold train hops")
        folder = open_folder(shipped("hops") if path is None else path)
        return cls(open_session(folder.file("model.onnx"), threads), open_tokenizer(folder, MAX_TOKENS), folder.version)

    def read(self, claim: str, nodes: Sequence[Node]) -> dict[str, float]:
        """Return the probability that the article supports the claim, refutes it, or says nothing of it, by signal name."""
        encodings = self._tokenizer.encode_batch([pair_of(claim, node) for node in nodes])
        feed: dict[str, np.ndarray[Any, np.dtype[np.int64]]] = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),  # (N, L)
            "attention_mask": np.array([encoding.attention_mask for encoding in encodings], np.int64),
            "token_type_ids": np.array([encoding.type_ids for encoding in encodings], np.int64),
        }
        chances, _ = self._session.run(None, feed)
        return dict(zip(SIGNALS, chances.tolist(), strict=True))


def hop_signals(collection: Collection, reader: HopReader, *, depth: int = 10, sentences: int = 3) -> Stage:
    """Give the first matches the three posteriors; the others get 0, 0 and 1. The order stays."""
    explained = key_sentences(collection, first=depth, keys=sentences)

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_read(asked, ranking) for asked, ranking in zip(rankings, explained(rankings), strict=True)]

    def _read(asked: Ranking, ranking: Ranking) -> Ranking:
        matches = []
        for place, (match, told) in enumerate(zip(asked.matches, ranking.matches, strict=True)):
            nodes = nodes_of(told, sentences=sentences) if place < depth else ()
            found = reader.read(asked.query.text, nodes) if nodes else dict(zip(SIGNALS, (1.0, 0.0, 0.0), strict=True))
            matches.append(dataclasses.replace(match, signals={**match.signals, **found}))
        return dataclasses.replace(asked, matches=tuple(matches))

    return run
