"""Texts to unit vectors: a transformer for claims and titles, and a table of token vectors for whole bodies.

`Encoder` is exact and costs milliseconds a text; `StaticEncoder` is a mean of token vectors, thousands of sentences a second, good enough
to pick the sentences of an article worth a closer look. Neither downloads anything nor needs torch, and nothing is loaded at import.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from twicetold.errors import BadData
from twicetold.models import REINSTALL, ModelFolder, open_folder, shipped
from twicetold.models.textmodel import TextModel, open_tokenizer

if TYPE_CHECKING:
    import tokenizers

Vectors = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class EncoderChoice:
    """Which encoder makes the vectors: the shipped one (`SHIPPED`), that of a folder, or none at all (`NO_ENCODER`).

    `str` and `parse` are its form in settings files and options.

    >>> EncoderChoice.parse("none") == NO_ENCODER, EncoderChoice.parse("") == SHIPPED, str(EncoderChoice(Path("/models/e5")))
    (True, True, '/models/e5')
    """

    folder: Path | None = None
    is_none: bool = False

    @classmethod
    def parse(cls, text: str) -> EncoderChoice:
        """Read "none", "shipped" or nothing for the shipped one, or a folder."""
        if text == "none":
            return NO_ENCODER
        return SHIPPED if text in ("", "shipped") else cls(Path(text))

    def __str__(self) -> str:
        return "none" if self.is_none else "" if self.folder is None else str(self.folder)

    def load(self, *, threads: int = 0) -> Encoder | None:
        """Open the encoder, None if there is to be none. Raises BadData for a missing or damaged file."""
        return None if self.is_none else Encoder.load(self.folder, threads=threads)


SHIPPED, NO_ENCODER = EncoderChoice(), EncoderChoice(is_none=True)


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the token vectors of a text become one: which of the graph's outputs is taken, and whether its mean, maximum or first row."""

    how: Literal["mean", "max", "cls"] = "mean"
    output: int = 0

    @classmethod
    def read(cls, folder: Path) -> Pooling:
        """Read `1_Pooling/config.json`; the mean of the first output without it."""
        file = folder / "1_Pooling" / "config.json"
        try:
            said = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls()
        except ValueError:
            raise BadData(f"the pooling settings {file} are not JSON; restore the file or remove it to pool by mean") from None
        is_max, is_cls = said.get("pooling_mode_max_tokens", False), said.get("pooling_mode_cls_token", False)
        return cls("max" if is_max else "cls" if is_cls else "mean", int(said.get("output", 0)))

    def __call__(self, outputs: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        """Return a unit vector, (D,), of the graph's outputs for one text; an output that is a vector already is only made a unit.

        >>> Pooling("max")([np.array([[3.0, 0.0], [0.0, 4.0]])]).tolist()   # (3, 4) / 5
        [0.6, 0.8]
        """
        if not -len(outputs) <= self.output < len(outputs):
            raise BadData(f"the encoder gives {len(outputs)} outputs; 1_Pooling/config.json wants number {self.output}")
        tokens = outputs[self.output]
        vector = tokens if tokens.ndim == 1 else self._pooled(tokens)
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))

    def _pooled(self, tokens: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if self.how == "cls":
            return np.asarray(tokens[0])
        return np.asarray(tokens.max(axis=0) if self.how == "max" else tokens.mean(axis=0))


class Encoder:
    """A transformer that turns a text into a unit vector. A text's vector is the same, bit for bit, alone and in a batch."""

    def __init__(self, model: TextModel, *, pooling: Pooling | None = None) -> None:
        self._model = model
        self._pooling = pooling or Pooling()
        self.name = model.folder.name
        self.version = model.folder.version
        self.dim = int(self.encode(["."]).shape[1])

    @classmethod
    def load(cls, path: str | Path | None = None, *, max_tokens: int = 128, threads: int = 0) -> Encoder:
        """Open the shipped encoder, or any local folder with an ONNX model and its tokenizer.json.

        The layout of sentence-transformers (`onnx/model.onnx`, `1_Pooling/config.json`) is understood; a graph that gives token vectors is
        pooled as that file says, by mean without it: over its first output, or the one that `output` in that file counts to (−2 is the
        penultimate layer of a graph that gives all of them). Texts are cut at `max_tokens`. Raises BadData for a missing or damaged file.
        """
        place = shipped("encoder") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=max_tokens, threads=threads), pooling=Pooling.read(place))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (N, D). A text without any token to speak of gets whatever the model says of nothing."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        rows = [self._pooling(outputs) for outputs in self._model.run(texts)]
        return np.stack(rows).astype(np.float32, copy=False)


class StaticEncoder:
    """A table of token vectors; a text's vector is the weighted mean of its tokens' rows, made a unit."""

    def __init__(self, folder: ModelFolder, tokenizer: tokenizers.Tokenizer, table: Vectors) -> None:
        self._tokenizer = tokenizer
        self._table = table
        self.name = folder.name
        self.version = folder.version
        self.dim = int(table.shape[1])

    @classmethod
    def load(cls, path: str | Path | None = None) -> StaticEncoder:
        """Open the shipped table, or a folder with `vectors.npz` (`rows` int8, `scales`) and a tokenizer."""
        folder = open_folder(shipped("static") if path is None else Path(path))
        file = folder.file("vectors.npz")
        try:
            with np.load(file) as arrays:
                table = arrays["rows"].astype(np.float32) * arrays["scales"].astype(np.float32)[:, None]  # (V, D)
        except (ValueError, KeyError, OSError) as error:
            raise BadData(f"the token vectors {file} cannot be read ({error}); restore the file, or type: {REINSTALL}") from None
        return cls(folder, open_tokenizer(folder, 512), table)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (N, D); a text with no known token gets a zero row."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return np.stack([self._mean(encoding.ids) for encoding in encodings])

    def _mean(self, ids: list[int]) -> Vectors:
        # The sum is over one text at a time, so that its last bits do not depend on the batch.
        total: Vectors = self._table[ids].sum(axis=0, dtype=np.float32)  # (D,)
        length = float(np.linalg.norm(total))
        return total / np.float32(length) if length > 0 else total
