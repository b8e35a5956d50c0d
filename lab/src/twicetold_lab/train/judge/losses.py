"""Compare the reranker's three losses: each trained from the same start on the same fifth of the pairs, for the same number of steps."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

from twicetold.models import shipped
from twicetold_lab.train import loop
from twicetold_lab.train.encoder import pairs_in, trained_trunk
from twicetold_lab.train.judge import reranker as judge_reranker
from twicetold_lab.train.pairs import Pair
from twicetold_lab.train.reranker import LAYERS, LOSSES, shorter, sources, train_model

STEPS = 150


def judge(root: Path, work: Path, encoder: Path) -> dict[str, Any]:
    """Train each loss in `work`/losses, from the encoder's training in `work`, and return what the judge of the reranker says of it.

    A run that was interrupted goes on from its checkpoint.
    """
    training = work / "encoder" / "training"
    source = sources(a_fifth(pairs_in(training, root)))
    report: dict[str, Any] = {"steps": STEPS}
    for loss in LOSSES:
        folder = work / "losses" / loss
        plan = loop.Plan(folder / "training", STEPS, rate=1e-4, save_every=50)
        model = train_model(shorter(trained_trunk(training)), source, plan, loss=loss, resume=True)
        model.export(folder, {"name": f"claim-reranker-{loss}", "layers": len(LAYERS)})
        shutil.copy(shipped("tokenizer.json"), folder)
        report[loss] = judge_reranker.quality(root, folder, encoder)
    return report


def a_fifth(pairs: list[Pair]) -> list[Pair]:
    """Return every fifth group's pairs, drawn by a fixed seed: an answer's pairs stay together."""
    groups = sorted({pair.group for pair in pairs})
    kept = set(random.Random(0).sample(groups, len(groups) // 5))
    return [pair for pair in pairs if pair.group in kept]
