"""Make the table of token vectors: every token through the encoder alone, fewer dimensions, frequent tokens made light.

Follows the recipe of static distillation (Tulkens & van Dongen 2024, Model2Vec): PCA of the token vectors, then the smooth inverse
frequency weight a / (a + p(token)) of Arora et al. 2017. Token frequencies are counted over published fact-checks.
No gradient is taken; the encoder decides the outcome, so this is run again whenever the encoder changes.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.encoder import Encoder
from twicetold.models import FORMAT, shipped, write_sums
from twicetold.models.textmodel import TextModel

Array = np.ndarray[Any, Any]

DIMENSIONS = 128
SMOOTHING = 1e-3
"""`a` of Arora et al. 2017, who find 1e-4 to 1e-3 good."""


def train(texts: Iterable[str], out: Path, *, encoder: Path | None = None) -> None:
    """Distil the encoder into a table at `out`; `texts` give the token frequencies."""
    model = TextModel.load(encoder or shipped("encoder"))
    vectors = _token_vectors(model)  # (V, D)
    weights = _sif(_frequencies(model, texts))  # (V,)
    table = _principal(vectors, DIMENSIONS) * weights[:, None]  # (V, 128)
    scales = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "vectors.npz", rows=np.rint(table / scales[:, None]).astype(np.int8), scales=scales.astype(np.float32))
    settings = {"format": FORMAT, "name": "claim-static", "encoder": Encoder(model).version, "dimensions": DIMENSIONS}
    (out / "model.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    write_sums(out)


def _token_vectors(model: TextModel) -> Array:
    start, end = model.tokenizer.encode("").ids
    # Ids, not spellings: the tokenizer would take a continuation piece ("##ing") apart.
    rows = model.run_tokens([([start, id, end], [0, 0, 0]) for id in range(model.tokenizer.get_vocab_size())])
    return np.stack([outputs[0] for outputs in rows])


def _frequencies(model: TextModel, texts: Iterable[str]) -> Array:
    counts: Counter[int] = Counter()
    for batch in _batched(texts, 1000):
        for encoding in model.tokenizer.encode_batch_fast(list(batch), add_special_tokens=False):
            counts.update(encoding.ids)
    total = np.zeros(model.tokenizer.get_vocab_size())
    for id, count in counts.items():
        total[id] = count
    return (total + 1) / (total + 1).sum()


def _batched(texts: Iterable[str], size: int) -> Iterable[tuple[str, ...]]:
    iterator = iter(texts)
    while batch := tuple(itertools.islice(iterator, size)):
        yield batch


def _sif(frequency: Array) -> Array:
    return SMOOTHING / (SMOOTHING + frequency)


def _principal(vectors: Array, dimensions: int) -> Array:
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    return centred @ directions[:, ::-1][:, :dimensions]
