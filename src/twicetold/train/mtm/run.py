"""`twicetold train mtm`: from claims and articles to a model folder.

ROT is taught once and kept in `WORK/rot`, since the method and all its ablations but one begin with it.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from twicetold.lab.mtm.candidates import Asked, Task, read_task, spread
from twicetold.rerank.mtm.memory import Array, Words
from twicetold.train import loop
from twicetold.train.mtm import rot as quoting
from twicetold.train.mtm import teach as teaching
from twicetold.train.mtm.arp import Arp, with_rot
from twicetold.train.mtm.encoded import Encoded, Source, Vectors
from twicetold.train.mtm.patterns import at_random, centres
from twicetold.train.mtm.start import Start
from twicetold.train.mtm.variants import VARIANTS, Variant
from twicetold.train.reranker import shorter
from twicetold.train.trunk import Trunk

STEPS, ROT_STEPS = 150, 300
DEV_CLAIMS, DEV_DEPTH = 40, 10
SHIPPED, ON = "MTM", "volee2020"
"""The variant of the package and the set it was taught on."""


@dataclass(frozen=True)
class Prepared:
    """A task in tokens, the start with ROT's first layer in it, and the word vectors residuals are made of."""

    task: Task
    encoded: Encoded
    trunk: Trunk
    words: Words

    @cached_property
    def source(self) -> Source:
        """Tokens and vectors of the task."""
        return Source(self.task, self.encoded, Vectors.of(self.encoded, self.words))


def prepare(task: Task, start: Start, rot: loop.Plan | None, *, resume: bool = False) -> Prepared:
    """Tokenise the task and teach ROT by its plan, or read the one taught before; without a plan the start stays as it is."""
    encoded = Encoded.of(task, start.tokenizer)
    trunk = shorter(start.trunk, range(len(start.trunk.layers)))
    if rot is not None:
        trunk = with_rot(trunk, _rot(task, encoded, trunk, rot, resume=resume))
    return Prepared(task, encoded, trunk, Words.of(trunk.words.weight.detach().numpy()))


def rot_plan(folder: Path, variant: Variant, *, seed: int = 0) -> loop.Plan | None:
    """How ROT is taught; None for the variant without ROUGE."""
    return loop.Plan(folder, ROT_STEPS, rate=3e-4, seed=seed) if variant.rouge else None


def _rot(task: Task, encoded: Encoded, trunk: Trunk, plan: loop.Plan, *, resume: bool) -> Trunk:
    rng = random.Random(plan.seed)
    if (plan.folder / "done.json").exists() and resume:
        rot = quoting.Rot(shorter(trunk, (0,)))
        loop.load_weights(rot, plan.folder)
        return rot.trunk
    torch.manual_seed(plan.seed)
    some = quoting.balanced(quoting.quotes(task.claims["train"], encoded, rng), rng)
    rot = quoting.teach(trunk, some, encoded, plan, resume=resume)
    held = quoting.balanced(quoting.quotes(task.claims["dev"], encoded, rng, each=6), rng)
    error, constant = quoting.error_on(rot, held, encoded)
    record = {"examples": len(some), "held_out": len(held), "mse": error, "mse_of_the_mean": constant, "change": rot.change().item()}
    (plan.folder / "done.json").write_text(json.dumps(record) + "\n", encoding="utf-8")
    sys.stderr.write(f"ROT: {record}\n")
    return rot.trunk


def first_patterns(prepared: Prepared, source: Source, variant: Variant, *, seed: int = 0) -> Array:
    """Cluster the residuals of right articles' sentences, over training claims alone."""
    residuals = np.concatenate(
        [
            source.vectors.residuals(one.id, doc)
            for one in prepared.task.claims["train"]
            for doc in sorted(one.right & prepared.task.articles.keys())
            if prepared.encoded.articles[doc]
        ]
    )
    made = centres(residuals, seed=seed)
    return made if variant.centred else at_random(made, seed=seed)


def train_variant(
    prepared: Prepared, folder: Path, variant: Variant, *, steps: int = STEPS, seed: int = 0, resume: bool = False
) -> tuple[Arp, float]:
    """Train one variant; returns the model at its best and its dev MRR (over few claims and candidates: for choosing only)."""
    source = prepared.source
    torch.manual_seed(seed)
    budget = teaching.Budget()
    # Dropout would double the time of attention.
    trunk = shorter(prepared.trunk, range(len(prepared.trunk.layers)), dropout=0.0)
    frozen = max(1, len(trunk.layers) - budget.tuned)
    arp = Arp(trunk, first_patterns(prepared, source, variant, seed=seed), variant, frozen=frozen)
    lists = teaching.Lists.of(prepared.task.claims["train"], source, budget.candidates)
    teaching.begin(arp, lists, source, seed=seed)
    dev = teaching.Dev(dev_claims(prepared.task), source)
    plan = loop.Plan(folder, steps, rate=budget.rate, seed=seed, save_every=20)
    score = teaching.teach(arp, lists, dev, plan, budget, resume=resume)
    return arp, score


def dev_claims(task: Task) -> list[Asked]:
    """Some dev claims, with their first candidates and a right one among them."""
    kept = {one.id: one for one in task.claims["dev"]}
    return [_shorter(kept[id]) for id in spread(list(kept), DEV_CLAIMS)]


def _shorter(one: Asked) -> Asked:
    first = one.candidates[:DEV_DEPTH]
    if not any(doc in one.right for doc in first):
        first = (*first[:-1], next(doc for doc in one.candidates if doc in one.right))
    return Asked(one.id, one.text, first, one.scores[: len(first)], one.right, one.is_forced)


def train(data_root: Path, out: Path, *, start: Start, steps: int = STEPS, seed: int = 0, resume: bool = False) -> None:
    """Train the variant that ships and write the model folder to `out`; checkpoints go to `out`/training."""
    work, variant = out / "training", VARIANTS[SHIPPED]
    prepared = prepare(read_task(ON, data_root), start, rot_plan(work / "rot", variant, seed=seed), resume=resume)
    arp, score = train_variant(prepared, work / "arp", variant, steps=steps, seed=seed, resume=resume)
    from twicetold.train.mtm.export import export

    start.tokenizer.save(str((out.parent if start.is_shared else out) / "tokenizer.json"))
    export(arp, prepared, out, {"trained_on": ON, "variant": SHIPPED, "start": start.name, "steps": steps, "seed": seed, "dev_mrr": score})
