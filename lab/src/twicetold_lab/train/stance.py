"""Train the stance model on twelve public sets at once, so that no domain drowns the others, and on posts retold from their claims.

A source is drawn in proportion to the square root of its size, then a class, then a row: FNC-1's 36,000 unrelated pairs would teach
nothing but "neutral". Long articles are cut to the sentences nearest the claim. Splits go by group (a thread, a claim, an article),
and headlines that stand in both Emergent and FNC-1 are on one side. Probabilities are calibrated by temperature on the dev part
(Guo et al. 2017).
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from twicetold.mine.stance import ORDER
from twicetold.text import sentences, tidy, unpost, words
from twicetold_lab.datasets import stance as sets
from twicetold_lab.datasets.stance import StancePair
from twicetold_lab.train import loop
from twicetold_lab.train.heads import PairModel
from twicetold_lab.train.retold import retell

TRAINED_TOKENS = 72
BATCH = 32
_CLASS = {stance: place for place, stance in enumerate(ORDER)}
_TWICE_JUDGED = {"healthver": ("dev", "test"), "perspectrum": ("train", "test"), "rumoureval": ("traindev", "test")}


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as the model reads it, with the place of its stance in `mine.stance.ORDER`."""

    source: str
    part: str
    claim: str
    text: str
    label: int


def read(root: Path) -> list[Row]:
    """Read every source under `root`/stance; rows whose label does not tell three stances apart are left out."""
    rows: list[Row] = []
    headlines: dict[str, str] = {}
    for source, pairs in sources(root / "stance"):
        for pair in pairs:
            part = part_of(source, pair)
            if source == "emergent":
                headlines[_letters(pair.text)] = part
            if source == "fnc-1" and headlines.get(_letters(pair.claim), part) != part:
                continue
            if pair.stance is not None:
                claim = tidy(unpost(pair.claim) or pair.claim)
                rows.append(Row(source, part, claim, nearest_part(claim, tidy(unpost(pair.text) or pair.text)), _CLASS[pair.stance]))
    return rows


def sources(folder: Path) -> Iterator[tuple[str, Iterable[StancePair]]]:
    """Return the pairs of every source."""
    yield "emergent", sets.emergent(folder / "emergent" / "url-versions-2015-06-14-clean.csv")
    yield "fnc-1", sets.fnc1(folder / "fnc-1")
    yield "rumoureval", sets.rumoureval(folder / "rumoureval-2017")
    yield "semeval-2016", sets.semeval2016(folder / "semeval-2016-t6" / "semeval2016-task6-trainingdata.txt")
    yield "perspectrum", sets.perspectrum(folder / "perspectrum")
    yield "climate-fever", sets.climate_fever(folder / "climate-fever" / "climate-fever.jsonl")
    yield "healthver", sets.healthver(folder / "healthver")
    yield "covidfact", sets.covidfact(folder / "covidfact")
    yield "sick", sets.sick(folder / "sick" / "SICK.txt")
    # RTE, SciTail and SciFact tell entailment from the rest only: their rows with a stance would all teach "supports".
    for name, file in (("mnli", "dev"), ("snli", "dev"), ("anli", "test")):
        yield name, sets.nli(folder / "nli-mix" / name / f"{file}.jsonl")


def part_of(source: str, pair: StancePair) -> str:
    """Return train, dev or test: the publisher's test stays one; else 80, 10 and 10 of 100 groups by a hash.

    SemEval's group is only a target's name, of which there are six: its rows are dealt one by one.
    """
    if source in _TWICE_JUDGED and pair.split == _TWICE_JUDGED[source][1]:
        return "test"
    group = pair.id if source == "semeval-2016" else pair.group
    place = int(hashlib.sha256(f"{source} {group}".encode()).hexdigest()[:8], 16) / 16**8
    if source in _TWICE_JUDGED:
        return "dev" if place < 0.1 or (pair.split == "dev" and source == "perspectrum") else "train"
    return "train" if place < 0.8 else "dev" if place < 0.9 else "test"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def nearest_part(claim: str, text: str, *, chars: int = 420) -> str:
    """Return the text if it is short, else its sentences that share most words with the claim, in their order.

    >>> nearest_part("cats fly", "Dogs run. Cats fly high.", chars=15)
    'Cats fly high.'
    """
    if len(text) <= chars:
        return text
    wanted = set(words(claim, analysis="plain"))
    spans = sentences(text[:12_000])
    overlap = [len(wanted & set(words(text[a:b], analysis="plain"))) / math.sqrt(8 + (b - a) / 6) for a, b in spans]
    chosen: list[int] = []
    used = 0
    for i in sorted(range(len(spans)), key=lambda i: -overlap[i]):
        length = spans[i][1] - spans[i][0] + 1
        if not chosen or used + length <= chars:
            chosen.append(i)
            used += length
    return " ".join(text[spans[i][0] : spans[i][1]] for i in sorted(chosen))[: 2 * chars]


RETOLD = 0.15
"""Share of the rows that are made by rule from a claim of the drawn one's source."""


class Sampler:
    """Draws training rows: a source by the square root of its size, then a class, then a row. Some are retold from the row's claim."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows: dict[str, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            self._rows[row.source][row.label].append(row)
        self._names = list(self._rows)
        self._weights = [math.sqrt(sum(map(len, self._rows[name].values()))) for name in self._names]

    def draw(self, rng: random.Random, count: int) -> list[Row]:
        """Draw `count` rows."""
        drawn = []
        for name in rng.choices(self._names, self._weights, k=count):
            classes = self._rows[name]
            # The root again: rare classes are seen more than they occur, common ones still most.
            label = rng.choices(list(classes), [math.sqrt(len(kept)) for kept in classes.values()])[0]
            row = rng.choice(classes[label])
            drawn.append(_retold(row, rng) if rng.random() < RETOLD and name in _CLAIMS else row)
        return drawn


_CLAIMS = frozenset(["emergent", "fnc-1", "perspectrum", "climate-fever", "healthver", "covidfact", "sick", "mnli", "snli"])
"""Sources whose claims are statements: SemEval's are names of topics, a rumour's is a whole post, ANLI's turn on single words."""


def _retold(row: Row, rng: random.Random) -> Row:
    text, said = retell(row.claim, rng)
    return Row("retold", row.part, row.claim, text, _CLASS[said])


def train_model(model: PairModel, rows: Sequence[Row], plan: loop.Plan, *, resume: bool = False) -> PairModel:
    """Train on the rows of the train part and return the model."""
    model.trunk.freeze(2)
    sampler = Sampler([row for row in rows if row.part == "train"])

    def step(_: int, rng: random.Random) -> Tensor:
        drawn = sampler.draw(rng, BATCH)
        logits = model([(row.text, row.claim) for row in drawn])
        return F.cross_entropy(logits, torch.tensor([row.label for row in drawn]), label_smoothing=0.05)

    loop.run(model, step, plan, resume=resume)
    return model


def temperature(logits: Tensor, labels: Tensor) -> float:
    """Return the temperature under which the labels are likeliest, by a search over a grid of ratios."""
    grid = [0.5 * 1.05**i for i in range(40)]
    losses = [float(F.cross_entropy(logits / t, labels)) for t in grid]
    return grid[losses.index(min(losses))]


def untrained(encoder_training: Path, start: Path | None) -> PairModel:
    """Return what training begins with: the encoder's trunk with a new head, or the stance model in `start`."""
    from twicetold_lab.train.encoder import trained_trunk
    from twicetold_lab.train.reread import reread_pair_model

    if start is None:
        return PairModel(trained_trunk(encoder_training), len(ORDER), TRAINED_TOKENS)
    return reread_pair_model(start, len(ORDER), TRAINED_TOKENS)


def train(data_root: Path, out: Path, model: PairModel, *, steps: int = 450, seed: int = 0, resume: bool = False) -> None:
    """Train a model in place, calibrate it, and write the model folder."""
    rows = read(data_root)
    plan = loop.Plan(out / "training", steps, rate=1e-4, seed=seed, save_every=50)
    train_model(model, rows, plan, resume=resume)
    dev = random.Random(seed).sample([row for row in rows if row.part == "dev"], 600)
    with torch.inference_mode():
        logits = torch.cat([model([(row.text, row.claim) for row in dev[i : i + 32]]) for i in range(0, len(dev), 32)])
    heat = temperature(logits, torch.tensor([row.label for row in dev]))
    model.export(out, {"name": "stance", "order": list(ORDER), "temperature": round(heat, 4)})
