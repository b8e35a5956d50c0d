"""Texts to unit vectors: a transformer for claims and titles, and a table of token vectors for whole bodies.

`Encoder` is exact and costs milliseconds a text; `StaticEncoder` is a mean of token vectors, thousands of sentences a second, good enough
to pick the sentences of an article worth a closer look. Neither downloads anything nor needs torch, and nothing is loaded at import.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twicetold.errors import BadData
from twicetold.models import ModelFolder, open_folder, shipped
from twicetold.models.textmodel import TextModel, open_tokenizer

if TYPE_CHECKING:
    import tokenizers

Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Encoder:
    """A transformer that turns a text into a unit vector. A text's vector is the same, bit for bit, alone and in a batch."""

    def __init__(self, model: TextModel, *, cls_pooling: bool = False) -> None:
        self._model = model
        self._cls_pooling = cls_pooling
        self.name = model.folder.name
        self.version = model.folder.version
        self.dim = int(self.encode(["."]).shape[1])

    @classmethod
    def load(cls, path: str | Path | None = None, *, max_tokens: int = 128, threads: int = 0) -> Encoder:
        """Open the shipped encoder, or any local folder with an ONNX model and its tokenizer.json.

        The layout of sentence-transformers (`onnx/model.onnx`, `1_Pooling/config.json`) is understood; a graph that gives token vectors is
        pooled as that file says, by mean without it. Texts are cut at `max_tokens`. Raises BadData for a missing or damaged file.
        """
        place = shipped("encoder") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=max_tokens, threads=threads), cls_pooling=_wants_cls(place))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (N, D). A text without any token to speak of gets whatever the model says of nothing."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        rows = [self._pool(outputs[0]) for outputs in self._model.run(texts)]
        return np.stack(rows).astype(np.float32, copy=False)

    def _pool(self, output: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        vector = output if output.ndim == 1 else output[0] if self._cls_pooling else output.mean(axis=0)  # (D,)
        return vector / max(float(np.linalg.norm(vector)), 1e-12)


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
            raise BadData(f"the token vectors {file} cannot be read ({error}); reinstall twicetold or restore the file") from None
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


def _wants_cls(path: Path) -> bool:
    file = path / "1_Pooling" / "config.json"
    try:
        return bool(json.loads(file.read_text(encoding="utf-8")).get("pooling_mode_cls_token", False))
    except FileNotFoundError:
        return False
    except ValueError:
        raise BadData(f"the pooling settings {file} are not JSON; restore the file or remove it to pool by mean") from None
