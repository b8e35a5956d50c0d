"""Train the pair reader: first on public pairs, then on pairs of our own with some public ones between.

Batches hold pairs of nearly equal length, up to a number of tokens; the matrix products run in bfloat16. A pair of our own is turned round
in a third of its turns. The loss adds what is known of each pair: its relation, whether it answers, its stance, the words that differ.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from twicetold.judge.checked import checked
from twicetold.models import shipped
from twicetold.types import CHANGED
from twicetold_lab.judged import files, texts
from twicetold_lab.train import loop, own_pairs, public_pairs
from twicetold_lab.train.own_pairs import RELATIONS, Example
from twicetold_lab.train.pair_reader import PairReaderModel
from twicetold_lab.train.reread import reread_trunk
from twicetold_lab.train.tokens import tokenizer

MAX_TOKENS = 112
TOKENS_A_BATCH = 2400
_WINDOW = 4
"""A batch is drawn from so many times its size of pairs of about its length."""
_TURNED = 0.35
_SHARES = {
    "natural_instructions": 41_000,
    "lingnli": 22_000,
    "wanli_disco": 16_000,
    "semi_auto_nli": 7_000,
    "fever": 9_000,
    "cad_snli": 5_000,
}
_SHARES |= {"twitter_url": 10_000, "mrpc": 3_500}
"""How many pairs of a public set are drawn; the others are read whole."""


@dataclass(frozen=True, slots=True)
class Course:
    """How long to train on public pairs and on our own, and the share of public pairs among the latter."""

    public_steps: int = 1400
    own_steps: int = 2400
    public_rate: float = 8e-5
    own_rate: float = 6e-5
    replay: float = 0.2
    seed: int = 0


def train(data_root: Path, out: Path, judgements: Path, *, course: Course = Course(), resume: bool = False) -> None:
    """Train from the trunk of the shipped stance model and write the model folder `out`; checkpoints lie in `out`/training."""
    public = [own_pairs.public(pair) for pair in draw_public(data_root / "pairs", course.seed)]
    model = PairReaderModel(reread_trunk(shipped("stance")))
    first = loop.Plan(out / "training" / "public", course.public_steps, course.public_rate, seed=course.seed)
    loop.run(model, Losses(model, Stock(public), None, 0.0), first, resume=resume)
    train_own(model, own_examples(data_root, judgements), public, out, course=course, resume=resume)


def train_own(
    model: PairReaderModel, own: Sequence[Example], public: Sequence[Example], out: Path, *, course: Course, resume: bool = False
) -> None:
    """Train on our own pairs, with a share of public ones, and write the model folder."""
    second = loop.Plan(out / "training" / "own", course.own_steps, course.own_rate, seed=course.seed + 1)
    loop.run(model, Losses(model, Stock(own), Stock(public), course.replay), second, resume=resume)
    model.export(out, {"name": "pairs", "relations": list(RELATIONS), "max_tokens": MAX_TOKENS})


def draw_public(root: Path, seed: int) -> list[public_pairs.PublicPair]:
    """Read the public sets and draw their shares."""
    rng = random.Random(seed)
    found = []
    for name, pairs in public_pairs.read(root).items():
        most = _SHARES.get(name, len(pairs))
        found += pairs if len(pairs) <= most else rng.sample(pairs, most)
    return found


def own_examples(data_root: Path, judgements: Path, *, part: str = "teach") -> list[Example]:
    """Read judged pairs of a part and, to teach, the retold fact-checks; pairs that answer or differ come twice, being rare."""
    pairs = [pair for pair in files.first_words(files.read_pairs(judgements)).values() if pair.part == part]
    if part == "teach":
        pairs = [pair for pair in pairs if not own_pairs.is_for_grades(pair.claim)]
    claims = texts.claims({id: claim for id, claim in files.read_claims(judgements).items() if claim.part == part}, data_root)
    versions = own_pairs.read_versions(judgements / "versions.jsonl") if part == "teach" else []
    found: list[Example] = []
    for collection in texts.COLLECTIONS:
        of_it = [pair for pair in pairs if pair.collection == collection]
        wanted = {pair.check for pair in of_it} | {str(row["id"]) for row in versions}
        checks = texts.checks(collection, data_root, wanted)
        for example in own_pairs.judged(of_it, claims, checks):
            is_rare = example.answers == 1 or example.relation in CHANGED
            found += [example, example] if is_rare and part == "teach" else [example]
        for row in versions:
            if row["id"] in checks and not own_pairs.is_held_back(row["id"]) and checked(checks[row["id"]]):
                found += own_pairs.retold(row, checks[row["id"]])
    return found


# --- batches -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens and labels of some pairs, padded: ids, mask, types and differs (B, L); the others (B,). -1 is unknown."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    differs: Tensor
    relation: Tensor
    answers: Tensor
    stance: Tensor
    weight: Tensor


class Stock:
    """Examples in order of length, from which batches of nearly equal length are drawn."""

    def __init__(self, examples: Sequence[Example]) -> None:
        sizes = _token_counts(examples)
        order = sorted(range(len(examples)), key=lambda place: (sizes[place], place))
        self._examples = [examples[place] for place in order]
        self._sizes = [sizes[place] for place in order]

    def draw(self, rng: random.Random) -> list[Example]:
        """Draw one example, and others of about its length until the batch is full."""
        middle = rng.randrange(len(self._examples))
        many = max(4, TOKENS_A_BATCH // self._sizes[middle])
        low = max(0, min(middle - many * _WINDOW // 2, len(self._examples) - many * _WINDOW))
        window = self._examples[low : low + many * _WINDOW]
        return rng.sample(window, min(many, len(window)))


def _token_counts(examples: Sequence[Example]) -> list[int]:
    counts: list[int] = []
    for start in range(0, len(examples), 256):  # the tokenizer pads to the longest of a call
        told = tokenizer(MAX_TOKENS).encode_batch([(one.first, one.second) for one in examples[start : start + 256]])
        counts += [sum(encoding.attention_mask) for encoding in told]
    return counts


def batch_of(examples: Sequence[Example]) -> Batch:
    """Tokenise examples and lay out what is known of them."""
    encodings = tokenizer(MAX_TOKENS).encode_batch([(one.first, one.second) for one in examples])
    differs = [_differing(encoding, one) for encoding, one in zip(encodings, examples, strict=True)]
    return Batch(
        torch.tensor([encoding.ids for encoding in encodings]),
        torch.tensor([encoding.attention_mask for encoding in encodings]).bool(),
        torch.tensor([encoding.type_ids for encoding in encodings]),
        torch.tensor(differs),
        torch.tensor([RELATIONS.index(one.relation) if one.relation else -1 for one in examples]),
        torch.tensor([float(one.answers) for one in examples]),
        torch.tensor([one.stance for one in examples]),
        torch.tensor([one.weight for one in examples]),
    )


def _differing(encoding: object, example: Example) -> list[float]:
    """1 for tokens of words that differ, 0 for other words, -1 where it is not known and for padding."""
    sides, offsets = encoding.sequence_ids, encoding.offsets  # type: ignore[attr-defined]
    if example.spans is None:
        return [-1.0] * len(offsets)
    spans = example.spans
    return [
        -1.0 if side is None else float(any(start < end and stop > begin for begin, end in spans[side]))
        for side, (start, stop) in zip(sides, offsets, strict=True)
    ]


class Losses:
    """The loss of a step: a batch of our own, or by chance `replay` of the public ones."""

    def __init__(self, model: PairReaderModel, stock: Stock, public: Stock | None, replay: float) -> None:
        self._model, self._stock, self._public, self._replay = model, stock, public, replay

    def __call__(self, step: int, rng: random.Random) -> Tensor:
        is_public = self._public is not None and rng.random() < self._replay
        drawn = self._public.draw(rng) if is_public and self._public else self._stock.draw(rng)
        turned = [one.turned() if one.relation is not None and rng.random() < _TURNED else one for one in drawn]
        batch = batch_of(turned)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            told = self._model(batch.ids, batch.mask, batch.types)
        return loss_of(batch, told)


def loss_of(batch: Batch, told: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
    """Add up what each head owes, over the pairs of which the label is known."""
    relation, answers, stance, differs = told
    size = len(batch.relation)
    total = relation.new_zeros(())
    known = batch.relation >= 0
    if known.any():
        own = F.cross_entropy(relation[known], batch.relation[known], reduction="none", label_smoothing=0.03)
        total = total + (own * batch.weight[known]).sum() / size
    known = batch.answers >= 0
    if known.any():
        own = F.binary_cross_entropy_with_logits(answers[known], batch.answers[known], reduction="none")
        total = total + (own * batch.weight[known]).sum() / size
    known = batch.stance >= 0
    if known.any():
        total = total + F.cross_entropy(stance[known], batch.stance[known], reduction="sum") / size
    known = batch.differs >= 0
    if known.any():
        total = total + 0.6 * F.binary_cross_entropy_with_logits(differs[known], batch.differs[known], pos_weight=torch.tensor(2.0))
    return total
