"""`twicetold train mtm`: from claims and articles to a model folder.

ROT is taught once and kept in `WORK/rot`, since the method and all its ablations but one begin with it.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from twicetold.rank.mtm.memory import Array, Words
from twicetold_lab.mtm.candidates import Asked, Task, read_task, spread
from twicetold_lab.train import loop
from twicetold_lab.train.mtm import rot as quoting
from twicetold_lab.train.mtm import teach as teaching
from twicetold_lab.train.mtm.arp import Arp, with_rot
from twicetold_lab.train.mtm.encoded import Encoded, Prepared, Source
from twicetold_lab.train.mtm.export import export
from twicetold_lab.train.mtm.patterns import at_random, centres
from twicetold_lab.train.mtm.start import Start
from twicetold_lab.train.mtm.variants import VARIANTS, Variant
from twicetold_lab.train.reranker import shorter
from twicetold_lab.train.trunk import Trunk

STEPS, ROT_STEPS = 150, 400
DEV_CLAIMS, DEV_DEPTH = 40, 10
SHIPPED, ON = "MTM", "volee2020"
"""The variant of the package and the set it was taught on."""


def prepare(task: Task, start: Start, rot: RotPlan | None, *, kept: Path | None = None, resume: bool = False) -> Prepared:
    """Tokenise the task and teach ROT by its plan, or read the one taught before; without a plan the start stays as it is.

    `kept` is a file for what the encoder says of the task's texts.
    """
    encoded = Encoded.of(task, start.tokenizer)
    trunk = shorter(start.trunk, range(len(start.trunk.layers)))
    if rot is not None:
        trunk = with_rot(trunk, _rot(task, encoded, trunk, rot, resume=resume))
    return Prepared(task, encoded, trunk, Words.of(trunk.words.weight.detach().numpy()), kept)


@dataclass(frozen=True, slots=True)
class RotPlan:
    """How ROT is taught: the loop's plan, and which of the two ways it reads."""

    plan: loop.Plan
    by_token: bool
    is_stretched: bool


def rot_plan(folder: Path, variant: Variant, *, seed: int = 0) -> RotPlan | None:
    """How ROT is taught, in a folder of `folder` that all variants with the same ROT share; None for the variant without ROUGE."""
    if not variant.rouge:
        return None
    kind, rate = ("by-token", 1e-3) if variant.by_token else ("at-first", 3e-4)
    plan = loop.Plan(folder / kind, ROT_STEPS, rate=rate, seed=seed)
    return RotPlan(plan, variant.by_token, variant.stretched)


def _rot(task: Task, encoded: Encoded, trunk: Trunk, rot: RotPlan, *, resume: bool) -> Trunk:
    plan, rng = rot.plan, random.Random(rot.plan.seed)
    torch.manual_seed(plan.seed)
    made = quoting.untaught(trunk, by_token=rot.by_token)
    done = plan.folder / "done.json"
    if done.exists() and resume:
        loop.load_weights(made, plan.folder)
        return made.trunk
    some = quoting.balanced(quoting.quotes(task.claims["train"], encoded, rng, is_stretched=rot.is_stretched), rng)
    quoting.teach(made, some, plan, resume=resume)
    held = quoting.balanced(quoting.quotes(task.claims["dev"], encoded, rng, each=8, is_stretched=rot.is_stretched), rng)
    precision, recall = quoting.explained(made, held)
    variance = {"precision": precision, "recall": recall}
    record = {"examples": len(some), "held_out": len(held), "explained_variance": variance, "change": made.change().item()}
    done.write_text(json.dumps(record) + "\n", encoding="utf-8")
    sys.stderr.write(f"ROT: {record}\n")
    return made.trunk


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
    source.keep()
    dev = teaching.Dev(dev_claims(prepared.task), source)
    plan = loop.Plan(folder, steps, rate=budget.rate, seed=seed, save_every=20)
    score = teaching.teach(arp, lists, dev, plan, budget, resume=resume)
    teaching.settle(arp, spread(prepared.task.claims["dev"], DEV_CLAIMS), source)
    source.keep()
    return arp, score


def dev_claims(task: Task) -> list[Asked]:
    """Some dev claims, with their first candidates and a right one among them."""
    return [_shorter(one) for one in spread(task.claims["dev"], DEV_CLAIMS)]


def _shorter(one: Asked) -> Asked:
    first = one.candidates[:DEV_DEPTH]
    if not any(doc in one.right for doc in first):
        first = (*first[:-1], next(doc for doc in one.candidates if doc in one.right))
    return Asked(one.id, one.text, first, one.scores[: len(first)], one.right, one.is_forced)


def train(data_root: Path, out: Path, *, start: Start, steps: int = STEPS, seed: int = 0, resume: bool = False) -> None:
    """Train the variant that ships and write the model folder to `out`; checkpoints go to `out`/training."""
    work, variant = out / "training", VARIANTS[SHIPPED]
    rot = rot_plan(work / "rot", variant, seed=seed)
    prepared = prepare(read_task(ON, data_root), start, rot, kept=work / "meanings.npz", resume=resume)
    arp, score = train_variant(prepared, work / "arp", variant, steps=steps, seed=seed, resume=resume)
    start.tokenizer.save(str((out.parent if start.is_shared else out) / "tokenizer.json"))
    export(arp, prepared, out, {"trained_on": ON, "variant": SHIPPED, "start": start.name, "steps": steps, "seed": seed, "dev_mrr": score})
