"""The training loop that all trainings share: steps, warm-up, clipping, a log, checkpoints to resume from.

A training gives its model and a function that draws the loss of step n from a generator seeded by (seed, n). Nothing else is random,
so a run that was interrupted and resumed takes the same steps as one that was not.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

LossOfStep = Callable[[int, random.Random], Tensor]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train. Checkpoints are written to `folder` every `save_every` steps."""

    folder: Path
    steps: int
    rate: float = 5e-5
    warm_up: float = 0.06
    seed: int = 0
    save_every: int = 100


def run(model: nn.Module, loss_of: LossOfStep, plan: Plan, *, resume: bool = False) -> None:
    """Train in place. With `resume`, go on from the last checkpoint in the folder if there is one."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(_decayed(model), lr=plan.rate, betas=(0.9, 0.98))
    done = _restore(model, optimizer, plan) if resume else 0
    model.train()
    started, shown = time.monotonic(), time.monotonic()
    losses: list[float] = []
    for step in range(done, plan.steps):
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * _slope(step, plan)
        torch.manual_seed(plan.seed * 1_000_003 + step)
        loss = loss_of(step, random.Random(plan.seed * 1_000_003 + step))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trainable, 1.0)
        optimizer.step()
        losses.append(loss.item())
        if time.monotonic() - shown > 20 or step + 1 == plan.steps:
            _log(plan, step + 1, losses, (time.monotonic() - started) / (step + 1 - done))
            shown, losses = time.monotonic(), []
        if (step + 1) % plan.save_every == 0 or step + 1 == plan.steps:
            _save(model, optimizer, plan, step + 1)
    model.eval()


def _slope(step: int, plan: Plan) -> float:
    """Rise over the warm-up, then fall in a straight line to a twentieth."""
    warm = max(1, int(plan.warm_up * plan.steps))
    return (step + 1) / warm if step < warm else max(0.05, 1 - (step - warm) / max(1, plan.steps - warm))


def _decayed(model: nn.Module) -> Iterable[dict[str, object]]:
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    return [
        {"params": [p for _, p in named if p.ndim > 1], "weight_decay": 0.01},
        {"params": [p for _, p in named if p.ndim <= 1], "weight_decay": 0.0},
    ]


def _log(plan: Plan, step: int, losses: list[float], seconds: float) -> None:
    row = {"step": step, "of": plan.steps, "loss": round(sum(losses) / len(losses), 4), "seconds_a_step": round(seconds, 2)}
    with (plan.folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    left = (plan.steps - step) * seconds / 60
    sys.stderr.write(f"step {step} of {plan.steps}  loss {row['loss']}  {row['seconds_a_step']} s a step  {left:.0f} min left\n")
    sys.stderr.flush()


def _save(model: nn.Module, optimizer: torch.optim.Optimizer, plan: Plan, step: int) -> None:
    state = {"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "seed": plan.seed, "steps": plan.steps}
    partial = plan.folder / "checkpoint.partial"
    torch.save(state, partial)
    partial.replace(plan.folder / "checkpoint.pt")


def _restore(model: nn.Module, optimizer: torch.optim.Optimizer, plan: Plan) -> int:
    file = plan.folder / "checkpoint.pt"
    if not file.exists():
        return 0
    state = torch.load(file, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"])


def load_weights(model: nn.Module, folder: Path) -> None:
    """Read the model of the last checkpoint in `folder`."""
    model.load_state_dict(torch.load(folder / "checkpoint.pt", weights_only=True)["model"])
