"""Graphs for the multi-hop reader: a claim, the texts of an article around it, and what they add up to.

Three sets of evidence in several sentences (Climate-FEVER, HealthVer, and COVID-Fact, which has no "neither"), and
matching itself: a tweet of FactCheckTweet's training part with its own article, which is about that claim (`supports`), or with one that
shares many of its words and does not answer it (`neither`). Of the evidence, the stance model's test part is kept for testing, since
training starts from that model; of matching, a tenth of the claims by a hash of their words.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.collection import Collection, Settings
from twicetold.find import by_words
from twicetold.index.encoder import NO_ENCODER
from twicetold.stage import ask, chain, cut
from twicetold.text import sentences, unpost
from twicetold.types import Claim, FactCheck, Match, Ranking, Stance
from twicetold_lab import datasets, roles
from twicetold_lab.context.hop_reader import CLASSES, Node, nodes_of
from twicetold_lab.context.key_sentences import key_sentences
from twicetold_lab.datasets import stance as sets
from twicetold_lab.datasets.layout import json_lines
from twicetold_lab.experiment import collection_of
from twicetold_lab.roles import Role
from twicetold_lab.train import stance as stances
from twicetold_lab.train.pairs import is_english

EVIDENCE = ("climate-fever", "healthver", "covidfact")
_PLACE = {Stance.NEUTRAL: 0, Stance.REFUTES: 1, Stance.SUPPORTS: 2}
MOST_NODES = 5
WRONG = 3
"""Articles that do not answer it, for each claim."""


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, the nodes of its graph, the class they add up to, and per node whether it says anything of the claim (None: not known)."""

    claim: str
    nodes: tuple[Node, ...]
    label: int
    telling: tuple[bool | None, ...]


@dataclass(frozen=True)
class Graphs:
    """Examples by source, each with those kept for testing apart."""

    train: Mapping[str, Sequence[Example]]
    test: Mapping[str, Sequence[Example]]

    def draw(self, rng: random.Random) -> Example:
        """Draw a source, then a class that it has, then an example: matching half of the time."""
        source = "matching" if "matching" in self.train and rng.random() < 0.5 else rng.choice(list(self.train))
        label = rng.choice(sorted({one.label for one in self.train[source]}))
        return rng.choice([one for one in self.train[source] if one.label == label])


def read(data_root: Path, cache: Path) -> Graphs:
    """Read all graphs. The articles of the matching ones are found in a collection by words, made in the cache if it is not there."""
    stance = data_root / "stance"
    found = {
        "climate-fever": list(climate(json_lines(stance / "climate-fever/climate-fever.jsonl"))),
        "healthver": list(grouped(sets.healthver(stance / "healthver"))),
        "covidfact": list(cut_up(sets.covidfact(stance / "covidfact"))),
        "matching": list(matching(data_root, cache)),
    }
    return split(found, unseen(data_root))


def split(found: Mapping[str, Sequence[Example]], kept: Mapping[str, set[str]]) -> Graphs:
    """Keep for testing the claims named for a source, and a tenth of those of a source for which none are named."""

    def is_kept(source: str, claim: str) -> bool:
        return claim in kept[source] if source in kept else hashlib.sha256(claim.casefold().encode()).digest()[0] < 26  # a tenth of 256

    train = {source: [one for one in examples if not is_kept(source, one.claim)] for source, examples in found.items()}
    return Graphs(train, {source: [one for one in examples if is_kept(source, one.claim)] for source, examples in found.items()})


def unseen(data_root: Path) -> dict[str, set[str]]:
    """Return the claims of each set of evidence that the stance model was tested on and never taught."""
    kept: dict[str, set[str]] = {}
    for source, pairs in stances.sources(data_root / "stance"):
        if source in EVIDENCE:
            parts = [(pair.claim, stances.part_of(source, pair)) for pair in pairs]
            kept[source] = {claim for claim, part in parts if part == "test"} - {claim for claim, part in parts if part != "test"}
    return kept


# --- evidence ------------------------------------------------------------------------------------------------------


def climate(records: Iterable[Mapping[str, object]]) -> Iterator[Example]:
    """Turn Climate-FEVER's claims into graphs; disputed claims, whose evidence points both ways, are left out."""
    labels = {"NOT_ENOUGH_INFO": 0, "REFUTES": 1, "SUPPORTS": 2}
    for record in records:
        if record["claim_label"] not in labels:
            continue
        told = record["evidences"]
        assert isinstance(told, list)
        nodes = tuple(Node(str(one["article"]), str(one["evidence"])) for one in told)
        telling = tuple(one["evidence_label"] != "NOT_ENOUGH_INFO" for one in told)
        yield Example(str(record["claim"]), nodes, labels[str(record["claim_label"])], telling)


def grouped(pairs: Iterable[sets.StancePair], *, most: int = MOST_NODES) -> Iterator[Example]:
    """Join pairs of the same claim into graphs of up to `most` nodes; the class is the commonest stance that says anything."""
    by_claim: dict[str, list[sets.StancePair]] = {}
    for pair in pairs:
        if pair.stance is not None:
            by_claim.setdefault(pair.claim, []).append(pair)
    for claim, all_of_it in by_claim.items():
        for start in range(0, len(all_of_it), most):
            some = all_of_it[start : start + most]
            places = [_PLACE[pair.stance] for pair in some if pair.stance is not None]
            label = max((1, 2), key=places.count) if any(places) else 0
            yield Example(claim, tuple(Node("", pair.text) for pair in some), label, tuple(place > 0 for place in places))


def cut_up(pairs: Iterable[sets.StancePair], *, most: int = MOST_NODES) -> Iterator[Example]:
    """Make each sentence of a pair's text a node; which of them tell is not known."""
    for pair in pairs:
        spans = sentences(pair.text)[:most]
        if pair.stance is not None and spans:
            yield Example(pair.claim, tuple(Node("", pair.text[a:b]) for a, b in spans), _PLACE[pair.stance], (None,) * len(spans))


# --- matching ------------------------------------------------------------------------------------------------------


def matching(data_root: Path, cache: Path) -> Iterator[Example]:
    """Pair tweets that models may learn from with their own article and with others that share many words."""
    dataset = datasets.load("factchecktweet", data_root)
    asked = roles.part(dataset.split("train"), Role.ENCODER)
    with collection_of(dataset, Settings(NO_ENCODER), cache=cache) as collection:
        for claim in asked.claims:
            right = {id for id, grade in asked.qrels[claim.id].items() if grade > 0}
            yield from of_claim(collection, Claim(claim.id, unpost(claim.text) or claim.text, lang="en"), right)


def of_claim(collection: Collection, claim: Claim, right: set[str]) -> Iterator[Example]:
    """Yield the graphs of one claim: with each right article, and with the first wrong ones found by words."""
    [found] = ask(chain(by_words(collection, depth=10), cut(10)), [claim])
    answers = [check for check in map(collection.store.get, sorted(right)) if check is not None]
    others = [match.doc for match in found.matches if match.doc.id not in right and isinstance(match.doc, FactCheck)]
    chosen = [*answers, *[check for check in others if is_english(check)][:WRONG]]
    [told] = key_sentences(collection, first=len(chosen), keys=MOST_NODES - 2)([Ranking(claim, tuple(Match(c, 0.0) for c in chosen))])
    for match in told.matches:
        nodes = nodes_of(match)
        if nodes:
            label = CLASSES.index("supports" if match.doc.id in right else "neither")
            yield Example(claim.text, nodes, label, (None,) * len(nodes))
