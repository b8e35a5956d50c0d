"""Make the table of token vectors, so that sums of its rows point where the encoder's vectors of whole texts do.

The start is static distillation (Tulkens & van Dongen 2024, Model2Vec): every token through the encoder alone, the principal components
of texts' vectors, frequent tokens made light by the smooth inverse frequency a / (a + p(token)) of Arora et al. 2017. Then the rows are
taught on texts of fact-checks: the sum of a text's rows is drawn to the encoder's vector of the text, and the cosines within a batch to
the encoder's. The encoder decides the outcome, so this is run again whenever the encoder changes.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.encoder import Encoder
from twicetold.models import FORMAT, shipped, write_sums
from twicetold.models.textmodel import TextModel
from twicetold.text import sentences, tidy

Array = np.ndarray[Any, Any]

DIMENSIONS = 128
SMOOTHING = 1e-3
"""`a` of Arora et al. 2017, who find 1e-4 to 1e-3 good."""

TAUGHT = 60_000
EPOCHS = 8
BATCH = 512
RATE = 1e-2


def train(texts: Iterable[str], out: Path, *, encoder: Path | None = None, taught: int = TAUGHT, seed: int = 0) -> None:
    """Distil the encoder into a table at `out`; `texts` give the token frequencies, and `taught` of their sentences the lessons."""
    model = TextModel.load(encoder or shipped("encoder"))
    read = list(texts)
    lessons = _lessons(read, taught, seed)
    meant = Encoder(model).encode(lessons)  # (N, D)
    basis = principal(meant, DIMENSIONS)  # (D, 128)
    start = _token_vectors(model) @ basis * _sif(_frequencies(model, read))[:, None]  # (V, 128)
    ids = [encoding.ids for encoding in model.tokenizer.encode_batch_fast(lessons, add_special_tokens=False)]
    table = teach(start, ids, meant @ basis, seed=seed)
    scales = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "vectors.npz", rows=np.rint(table / scales[:, None]).astype(np.int8), scales=scales.astype(np.float32))
    settings = {"format": FORMAT, "name": "claim-static", "encoder": Encoder(model).version, "dimensions": DIMENSIONS}
    (out / "model.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    write_sums(out)


def teach(start: Array, ids: Sequence[Sequence[int]], meant: Array, *, seed: int = 0, epochs: int = EPOCHS, rate: float = RATE) -> Array:
    """Return the table (V, D) after some rounds over texts (token ids) whose vectors should point to the rows of `meant` (N, D)."""
    import torch
    from torch.nn import functional as F

    torch.manual_seed(seed)
    table = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(start, dtype=torch.float32), mode="sum", freeze=False)
    optimizer = torch.optim.Adam(table.parameters(), lr=rate)
    targets = F.normalize(torch.tensor(meant, dtype=torch.float32), dim=1)
    order = [i for i, tokens in enumerate(ids) if tokens]
    for epoch in range(epochs):
        random.Random(seed + epoch).shuffle(order)
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            flat = torch.tensor([token for i in chosen for token in ids[i]])
            offsets = torch.tensor([0, *itertools.accumulate(len(ids[i]) for i in chosen[:-1])])
            said, wanted = F.normalize(table(flat, offsets), dim=1), targets[chosen]
            # The second part asks for the right order of texts by nearness, which is what the table is used for.
            loss = (1 - (said * wanted).sum(dim=1)).mean() + 4 * F.mse_loss(said @ said.T, wanted @ wanted.T)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return table.weight.detach().numpy().copy()


def principal(vectors: Array, dimensions: int) -> Array:
    """Return the first directions (D, dimensions) along which rows (N, D) differ from nothing: not centred, so that cosines are kept."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.asarray(directions[:, ::-1][:, :dimensions])


def _lessons(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """Draw sentences and titles, each once."""
    found: set[str] = set()
    for text in map(tidy, texts):
        found.update(text[a:b] for a, b in sentences(text)[:6] if 20 <= b - a <= 300)
    return random.Random(seed).sample(sorted(found), min(count, len(found)))


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
