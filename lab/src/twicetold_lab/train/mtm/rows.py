"""The rows of Tables 2 and 3 that need a transformer taught: MTM, its ablations, BERT, DuoBERT and CTM."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from twicetold_lab.mtm.baselines import Scorer
from twicetold_lab.mtm.candidates import Setup
from twicetold_lab.train import loop
from twicetold_lab.train.mtm import cross, ctm, teach
from twicetold_lab.train.mtm.encoded import Source
from twicetold_lab.train.mtm.run import STEPS, prepare, rot_plan, train_variant
from twicetold_lab.train.mtm.start import Start, from_reranker
from twicetold_lab.train.mtm.variants import VARIANTS
from twicetold_lab.train.reranker import shorter

BERT_STEPS, DUO_STEPS, CTM_STEPS = 400, 200, 400
"""Each about as long as MTM's steps: BERT reads one text of 192 tokens where MTM reads three of 80, and tunes one layer."""


def scorer_of(row: str, setup: Setup) -> Scorer:
    """Teach a row, or go on from its checkpoint in `work`."""
    return ROWS[row](row, setup)


def _folder(row: str, setup: Setup) -> Path:
    return setup.work / f"{setup.task.name}-{row.replace('/', '').replace(' ', '-')}-{setup.seed}"


def _variant(row: str, setup: Setup) -> Scorer:
    variant = VARIANTS[row]
    rot = rot_plan(setup.work / f"rot-{setup.task.name}", variant)
    prepared = prepare(setup.task, from_reranker(), rot, kept=setup.work / f"meanings-{setup.task.name}.npz", resume=True)
    arp, _ = train_variant(prepared, _folder(row, setup), variant, steps=STEPS, seed=setup.seed, resume=True)
    source = prepared.source
    return lambda one: teach.scores(arp, one, source)


def _bert(row: str, setup: Setup) -> Scorer:
    source, start = _texts(setup)
    texts = cross.Texts(source.encoded)
    torch.manual_seed(setup.seed)
    trunk = shorter(start.trunk, range(len(start.trunk.layers)), dropout=0.0)
    lists = teach.Lists.of(setup.task.claims["train"], source, teach.Budget().candidates)
    plan = loop.Plan(_folder("BERT", setup), BERT_STEPS, rate=1e-4, seed=setup.seed)
    first = cross.by_bert(cross.teach_bert(trunk, lists, texts, plan, head=start.head, resume=True), texts)
    if row == "BERT":
        return first
    other = shorter(start.trunk, range(len(start.trunk.layers)), dropout=0.0)
    duo = loop.Plan(_folder("DuoBERT", setup), DUO_STEPS, rate=1e-4, seed=setup.seed)
    return cross.by_duo(cross.teach_duo(other, lists, texts, duo, resume=True), first, texts)


def _ctm(row: str, setup: Setup) -> Scorer:
    source, start = _texts(setup)
    torch.manual_seed(setup.seed)
    model = ctm.Ctm(start.trunk.shape.width)
    sights = ctm.Sights.of(source.encoded, start.trunk.eval())
    lists = teach.Lists.of(setup.task.claims["train"], source, teach.Budget().candidates)
    ctm.teach(model, lists, sights, loop.Plan(_folder(row, setup), CTM_STEPS, rate=1e-3, seed=setup.seed), resume=True)
    return ctm.by_ctm(model, sights)


def _texts(setup: Setup) -> tuple[Source, Start]:
    """The task in tokens, with the start's own word vectors: these rows know nothing of ROT."""
    start = from_reranker()
    return prepare(setup.task, start, None).source, start


ROWS: dict[str, Callable[[str, Setup], Scorer]] = {**dict.fromkeys(VARIANTS, _variant), "BERT": _bert, "DuoBERT": _bert, "CTM": _ctm}
