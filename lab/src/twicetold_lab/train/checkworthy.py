"""Train check-worthiness: a small network on the claim encoder's vectors of ClaimBuster's crowd-judged sentences.

The trunk is not touched: `scan` makes each line's vector anyway. Judged on ClaimBuster's ground truth and on CLEF 2019 task 1; the ready
files ClaimBuster_dev and _test are one and the same, and CheckThat 2024 holds the ground truth's rows, so neither is used.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from twicetold.index.encoder import Encoder
from twicetold.models import shipped
from twicetold_lab.datasets import checkworthy as sets
from twicetold_lab.datasets.checkworthy import Sentence
from twicetold_lab.train.heads import write_settings

Array = np.ndarray[Any, Any]
HIDDEN = 64
EPOCHS = 30


def train(data_root: Path, out: Path, *, encoder: Path | None = None, seed: int = 0) -> None:
    """Train on the sentences of crowdsourced.csv, none of the ground truth among them, and write the model folder."""
    folder = data_root / "checkworthy" / "claimbuster"
    held_back = {row.text for row in sets.claimbuster(folder / "groundtruth.csv")}
    whole = [row for row in sets.claimbuster(folder / "crowdsourced.csv") if row.text not in held_back]
    rows = random.Random(seed).sample(whole, len(whole))
    model = Encoder.load(encoder or shipped("encoder"))
    vectors = model.encode([row.text for row in rows])
    hidden, hidden_bias, last, last_bias = fit(vectors, [row.is_checkworthy for row in rows], seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "vectors.npz", hidden=hidden, hidden_bias=hidden_bias, out=last, out_bias=last_bias)
    write_settings(out, {"name": "check-worthiness", "encoder": model.version})


def fit(vectors: Array, worthy: Sequence[bool], *, seed: int = 0) -> list[Array]:
    """Fit the network and return its weights and biases, (D, H), (H,), (H,) and ().

    The classes keep their natural weights, so the output is a probability.
    """
    torch.manual_seed(seed)
    x, y = torch.tensor(vectors), torch.tensor(worthy, dtype=torch.float32)
    net = nn.Sequential(nn.Linear(x.shape[1], HIDDEN), nn.ReLU(), nn.Dropout(0.3), nn.Linear(HIDDEN, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(x), generator=generator).split(256):
            loss = F.binary_cross_entropy_with_logits(net(x[batch])[:, 0], y[batch])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        schedule.step()
    first, last = net[0], net[3]
    arrays = [first.weight.T, first.bias, last.weight[0], last.bias[0]]
    return [array.detach().numpy().copy() for array in arrays]


def ground_truth(data_root: Path) -> list[Sentence]:
    """Return the sentences the model is judged on."""
    return list(sets.claimbuster(data_root / "checkworthy" / "claimbuster" / "groundtruth.csv"))
