"""Train the claim encoder: MiniLM-L6 taught that a post and the fact-check answering it belong together.

Loss: softmax over the answers and hard negatives of the whole batch, in both directions, with a learnable temperature (van den Oord et
al. 2018; Radford et al. 2021). Batches hold one source each, so negatives are of the same kind. Pairs that share an answer or a
twin of it are masked, never pushed apart. Afterwards the weights are averaged with those started from (Wortsman et al. 2022), which
keeps what MiniLM knew of other texts; the share is chosen on the dev split of CheckThat 2020.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.index.encoder import Encoder
from twicetold.models import FORMAT, shipped, write_sums
from twicetold.text import unpost
from twicetold_lab import datasets
from twicetold_lab.train import loop
from twicetold_lab.train.base_weights import find_base
from twicetold_lab.train.export import Graph, add_mean, add_trunk
from twicetold_lab.train.leaks import Guard
from twicetold_lab.train.noise import add_noise
from twicetold_lab.train.pairs import TRAINED, Pair, read_pairs, saved_pairs, with_negatives, write_pairs
from twicetold_lab.train.reread import reread_trunk
from twicetold_lab.train.tokens import tokenise
from twicetold_lab.train.trunk import Trunk, mean_pool, read_trunk

BATCH = 24
HARD = 1
"""Hard negatives of each query in a batch; all queries of the batch share them."""

MAX_TOKENS = 48
FROZEN = 2
"""Lowest layers left as they are: a step costs a quarter less, and what they know of words is not at stake."""

SHARE = 0.7
"""Share of the trained weights in the average with the start."""

SHARES = {"snopes": 0.18, "debates": 0.10, "tweets": 0.30, "bodies": 0.42}
"""How often each source gives a batch: the judged ones far above their size, since they are what the encoder is for."""


class Bi(nn.Module):
    """A trunk with mean pooling and the temperature of its loss."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.log_scale = nn.Parameter(torch.tensor(3.0))  # exp(3) = 20, the scale MiniLM's own training used

    def forward(self, texts: Sequence[str]) -> Tensor:
        """Return unit rows (B, D)."""
        tokens = tokenise(texts, MAX_TOKENS)
        return F.normalize(mean_pool(self.trunk(tokens.ids, tokens.mask), tokens.mask), dim=1)


def train(data_root: Path, out: Path, *, steps: int = 170, seed: int = 0, resume: bool = False) -> None:
    """Train, average with the start, and write the ONNX model folder to `out`; checkpoints go to `out`/../checkpoints/encoder."""
    start = read_trunk(find_base())
    model = Bi(read_trunk(find_base(), dropout=0.05))
    model.trunk.freeze(FROZEN)
    folder = out / "training"
    sources = _by_source(pairs_in(folder, data_root, seed=seed))
    loop.run(
        model, lambda step, rng: _loss(model, sources, rng), loop.Plan(folder, steps, rate=5e-5, save_every=40, seed=seed), resume=resume
    )
    export(average(start, model.trunk, SHARE), out)


def pairs_in(folder: Path, data_root: Path, *, seed: int = 0) -> list[Pair]:
    """Return the pairs kept in `folder`, or gather them; negatives near to the start's own eye come on top for judged queries."""
    kept = folder / "pairs.jsonl"
    if not kept.exists():
        pairs = read_pairs(data_root, Guard.of_all_sets(data_root), seed=seed)
        for source in ("snopes", "debates"):
            checks = list(datasets.load(TRAINED[source], data_root).checks())
            mined = with_negatives([p for p in pairs if p.source == source], checks, _start(folder), too_near=0.8)
            pairs = [p for p in pairs if p.source != source] + mined
        write_pairs(pairs, kept)
    return saved_pairs(kept)


def _start(folder: Path) -> Encoder:
    export(read_trunk(find_base()), folder / "start")
    shutil.copy(shipped("tokenizer.json"), folder / "start")
    return Encoder.load(folder / "start", max_tokens=MAX_TOKENS)


def _by_source(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    return {source: [pair for pair in pairs if pair.source == source] for source in SHARES}


def _loss(model: Bi, sources: dict[str, list[Pair]], rng: random.Random) -> Tensor:
    [source] = rng.choices(list(SHARES), list(SHARES.values()))
    batch = rng.sample(sources[source], min(BATCH, len(sources[source])))
    queries = [_as_said(pair, rng) for pair in batch]
    answers = [rng.choice(pair.views) for pair in batch]
    hard = [one for pair in batch for one in rng.sample(pair.negatives, min(HARD, len(pair.negatives)))]
    negatives = [rng.choice(wordings) for wordings in hard]
    vectors = model(queries + answers + negatives)  # (3B, D)
    size = len(batch)
    asked, told = vectors[:size], vectors[size:]
    scale = model.log_scale.clamp(max=4.6).exp()
    scores = scale * asked @ told.T  # (B, 2B)
    back = scale * told[:size] @ asked.T  # (B, B)
    same = _same_answer([pair.group for pair in batch])
    scores[:, :size].masked_fill_(same, -torch.inf)
    right = torch.arange(size)
    return F.cross_entropy(scores, right) + 0.5 * F.cross_entropy(back.masked_fill(same, -torch.inf), right)


def _as_said(pair: Pair, rng: random.Random) -> str:
    text = unpost(pair.query) or pair.query if rng.random() < 0.5 else pair.query
    return add_noise(text, rng, share=0.35)


def _same_answer(groups: Sequence[str]) -> Tensor:
    """True off the diagonal where two pairs share their answer."""
    same = torch.tensor([[one == other for other in groups] for one in groups])
    return same & ~torch.eye(len(groups), dtype=torch.bool)


def average(start: Trunk, end: Trunk, share: float) -> Trunk:
    """Return a trunk whose weights are `share` of `end` and the rest of `start`."""
    mixed = Trunk(len(end.layers))
    first, last = start.state_dict(), end.state_dict()
    mixed.load_state_dict({name: torch.lerp(first[name], last[name], share) for name in first})
    return mixed.eval()


def export(trunk: Trunk, out: Path) -> None:
    """Write `model.onnx`, `model.json` and the checksums of a claim encoder."""
    graph = Graph()
    graph.save(out / "model.onnx", {"sentence_embedding": add_mean(graph, add_trunk(graph, trunk))})
    settings = {"format": FORMAT, "name": "claim-encoder", "trunk": "MiniLM-L6", "weights": "int8, one scale a column"}
    (out / "model.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    write_sums(out)


def trained_trunk(folder: Path, *, dropout: float = 0.1) -> Trunk:
    """Return the trunk where other trainings start: that of the encoder trained in `folder`, averaged as shipped, or the shipped one."""
    if not (folder / "checkpoint.pt").is_file():
        return reread_trunk(shipped("encoder"), dropout=dropout)
    model = Bi(Trunk())
    loop.load_weights(model, folder)
    mixed = average(read_trunk(find_base()), model.trunk, SHARE)
    for layer in mixed.layers:
        layer.dropout = dropout
    return mixed
