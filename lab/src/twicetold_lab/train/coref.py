"""Train the mention ranker on LitBank and GAP, and measure it: `twicetold train coref`.

Loss: for each mention, − log of the share of the softmax, over earlier mentions and "none", that falls on right answers (Durrett and
Klein 2013). LitBank: the first 90 documents by name train, the last 10 test. GAP: the development file trains, the validation file tests.
Needs torch, scipy and the data; the result is a numpy file of half a megabyte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from twicetold.index.encoder import StaticEncoder
from twicetold.rank.coref.features import FACTS, Text, facts
from twicetold.rank.coref.mentions import Mention, find_mentions, kind_of, tokenise
from twicetold.rank.coref.mentions import Token as Word
from twicetold.rank.coref.ranker import REACH, Ranker, clusters
from twicetold.text import sentences
from twicetold_lab.datasets import coref as sets
from twicetold_lab.measures.coreference import Counted, conll

Array = np.ndarray[Any, Any]
PROJECTED = 32
HIDDEN = 96
TESTED = 10
"""How many of LitBank's documents, the last by name, are kept for testing."""


@dataclass(frozen=True)
class Example:
    """A mention to resolve: the vectors of its candidates and itself (N + 1, 3, D), facts (N, F), and which candidates are right (N,)."""

    vectors: Array
    facts: Array
    right: Array


def train(data_root: Path, out: Path, *, epochs: int = 6, seed: int = 0) -> dict[str, float]:
    """Train, save to `out`, and return what the saved ranker scores on the test parts; the scores are also written to `scores.json`."""
    encoder = StaticEncoder.load()
    documents = [of_document(document, encoder) for document in sets.litbank(data_root / "coref/litbank/coref/conll")]
    pronouns = list(sets.gap(data_root / "coref/gap/gap-development.tsv"))
    examples = [e for text in documents[:-TESTED] for e in _of_text(text)] + [e for p in pronouns for e in _of_pronoun(p, encoder)]
    _say(f"{len(examples)} mentions to learn from")
    ranker = fit(examples, epochs=epochs, seed=seed)
    ranker.save(out)
    ranker = Ranker.load(out)
    scores = measure(ranker, documents[-TESTED:], sets.gap(data_root / "coref/gap/gap-validation.tsv"), encoder)
    (out / "scores.json").write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")
    return scores


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


# --- examples ------------------------------------------------------------------------------------------------------


def of_document(document: sets.Document, encoder: StaticEncoder) -> Text:
    """Turn a LitBank document into tokens and its gold mentions."""
    words: list[Word] = []
    starts = []
    for number, sentence in enumerate(document.sentences):
        starts.append(len(words))
        words += [Word(word, 0, 0, number) for word in sentence]
    mentions = []
    for told in document.mentions:
        start, end = starts[told.sentence] + told.start, starts[told.sentence] + told.end
        mentions.append(Mention(start, end, kind_of([word.text for word in words[start:end]]), told.entity))
    return Text(words, sorted(mentions, key=lambda m: (m.start, -m.end)), encoder)


def _of_text(text: Text) -> Iterator[Example]:
    for anaphor in range(1, len(text.mentions)):
        earlier = list(range(max(0, anaphor - REACH), anaphor))
        right = np.array([text.mentions[i].entity == text.mentions[anaphor].entity for i in earlier])
        yield Example(text.vectors[[*earlier, anaphor]], facts(text, earlier, anaphor), right)


def of_pronoun(pronoun: sets.Pronoun, encoder: StaticEncoder) -> tuple[Text, int, tuple[int, int]]:
    """Turn a GAP text into tokens and mentions: the place of the pronoun among them, and of the two names."""
    words = [word for n, (a, b) in enumerate(sentences(pronoun.text)) for word in tokenise(pronoun.text[a:b], n, a)]
    spans = [(pronoun.at, pronoun.at + len(pronoun.pronoun))] + [(name.at, name.at + len(name.text)) for name in pronoun.names]
    wanted = [_covering(words, start, end) for start, end in spans]
    found = {(m.start, m.end): m for m in find_mentions(words)}
    for i, (start, end) in enumerate(wanted):
        found[start, end] = Mention(start, end, "name" if i else "pronoun")
    mentions = sorted(found.values(), key=lambda m: (m.start, -m.end))
    place = {(m.start, m.end): i for i, m in enumerate(mentions)}
    at, one, other = (place[span] for span in wanted)
    return Text(words, mentions, encoder), at, (one, other)


def _covering(words: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    inside = [i for i, word in enumerate(words) if word.end > start and word.start < end]
    return inside[0], inside[-1] + 1


def _of_pronoun(pronoun: sets.Pronoun, encoder: StaticEncoder) -> Iterator[Example]:
    text, at, names = of_pronoun(pronoun, encoder)
    right = np.array([name.is_meant for name in pronoun.names])
    # Where it means neither, some other mention is meant: that the names are wrong is known, that there is none is not.
    if right.any():
        yield Example(text.vectors[[*names, at]], facts(text, names, at), right)


# --- learning ------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    """The ranker in torch; `Ranker` is the same sum in numpy."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.project = nn.Parameter(torch.randn(dim, PROJECTED) / dim**0.5)
        self.hidden = nn.Linear(8 * PROJECTED + len(FACTS), HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        self.none = nn.Linear(3 * PROJECTED, HIDDEN)
        self.none_out = nn.Linear(HIDDEN, 1, bias=False)

    def forward(self, vectors: Tensor, facts: Tensor) -> Tensor:
        """vectors: (B, N + 1, 3, D), the mention last; facts: (B, N, F). Returns scores less that of "none", (B, N)."""
        low = nn.functional.dropout(vectors @ self.project, 0.2, self.training)  # (B, N + 1, 3, P)
        before, here = low[:, :-1], low[:, -1:].expand_as(low[:, :-1])
        shared = torch.cat([before[:, :, 0] * here[:, :, 0], before[:, :, 0] * here[:, :, 2]], dim=2)  # (B, N, 2P)
        rows = torch.cat([before.flatten(2), here.flatten(2), shared, facts], dim=2)
        hidden = nn.functional.dropout(torch.relu(self.hidden(rows)), 0.2, self.training)
        none = self.none_out(torch.relu(self.none(low[:, -1].flatten(1))))  # (B, 1)
        return self.out(hidden).squeeze(2) - none  # type: ignore[no-any-return]

    def ranker(self) -> Ranker:
        """Return the weights as arrays."""
        named = {
            "project": self.project,
            "hidden": self.hidden.weight.T,
            "bias": self.hidden.bias,
            "out": self.out.weight[0],
            "out_bias": self.out.bias[0],
            "none": self.none.weight.T,
            "none_bias": self.none.bias,
            "none_out": self.none_out.weight[0],
        }
        return Ranker({name: tensor.detach().numpy().copy() for name, tensor in named.items()})


def fit(examples: Sequence[Example], *, epochs: int, seed: int = 0, batch: int = 128) -> Ranker:
    """Learn a ranker; the same examples and seed give the same weights."""
    torch.manual_seed(seed)
    net = Net(examples[0].vectors.shape[2])
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
    order = np.random.default_rng(seed)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for group in np.array_split(order.permutation(len(examples)), max(1, len(examples) // batch)):
            loss = loss_of(net, [examples[i] for i in group])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += loss.item() * len(group)
        for param in optimizer.param_groups:
            param["lr"] = 1e-3 * (1 - (epoch + 1) / (epochs + 1))
        _say(f"epoch {epoch + 1}: loss {total / len(examples):.4f}")
    return net.eval().ranker()


def loss_of(net: Net, group: Sequence[Example]) -> Tensor:
    """Return the mean loss of some examples."""
    most = max(len(example.right) for example in group)
    vectors = np.zeros((len(group), most + 1, *group[0].vectors.shape[1:]), np.float32)
    rows = np.zeros((len(group), most, len(FACTS)), np.float32)
    is_right, is_there = np.zeros((2, len(group), most), bool)
    for i, example in enumerate(group):
        n = len(example.right)
        vectors[i, :n], vectors[i, -1] = example.vectors[:-1], example.vectors[-1]
        rows[i, :n], is_right[i, :n], is_there[i, :n] = example.facts, example.right, True
    scores = net(torch.from_numpy(vectors), torch.from_numpy(rows)).masked_fill(torch.from_numpy(~is_there), -torch.inf)
    every = torch.cat([scores.new_zeros(len(group), 1), scores], dim=1)  # (B, 1 + N), "none" first
    right = torch.from_numpy(np.concatenate([~is_right.any(axis=1, keepdims=True), is_right], axis=1))
    return (every.logsumexp(1) - every.masked_fill(~right, -torch.inf).logsumexp(1)).mean()


# --- measuring -----------------------------------------------------------------------------------------------------


def measure(ranker: Ranker, documents: Sequence[Text], pronouns: Iterable[sets.Pronoun], encoder: StaticEncoder) -> dict[str, float]:
    """Return GAP's F1 with the two names given, and LitBank's with gold mentions and with those found by form."""
    scores = {"gap.f1": gap_f1(ranker, pronouns, encoder)}
    gold = [(_clusters(text, [m.entity for m in text.mentions]), _resolved(ranker, text)) for text in documents]
    scores |= {f"litbank.gold_mentions.{name}": value for name, value in conll(gold).items()}
    found = [(known, _resolved(ranker, _found(text))) for (known, _), text in zip(gold, documents, strict=True)]
    return scores | {f"litbank.found_mentions.{name}": value for name, value in conll(found).items()}


def _found(text: Text) -> Text:
    return Text(text.tokens, find_mentions(text.tokens), text.encoder)


def _resolved(ranker: Ranker, text: Text) -> list[list[tuple[int, int]]]:
    return _clusters(text, clusters(ranker.antecedents(text)))


def _clusters(text: Text, entities: Sequence[int]) -> list[list[tuple[int, int]]]:
    grouped: dict[int, list[tuple[int, int]]] = {}
    for mention, entity in zip(text.mentions, entities, strict=True):
        grouped.setdefault(entity, []).append((mention.start, mention.end))
    return list(grouped.values())


def gap_f1(ranker: Ranker, pronouns: Iterable[sets.Pronoun], encoder: StaticEncoder) -> float:
    """Return GAP's F1: of the two names given, the better one is taken if it beats "none"."""
    total = Counted()
    for pronoun in pronouns:
        text, at, names = of_pronoun(pronoun, encoder)
        scores = ranker.scores(text, list(names), at)
        for i, name in enumerate(pronoun.names):
            is_said = bool(scores[i] > 0 and scores[i] >= scores[1 - i])
            hit = float(is_said and name.is_meant)
            total += Counted(hit, float(name.is_meant), hit, float(is_said))
    return total.f1
