"""Are the key sentences key? Section 4.7 of the paper by a written rule instead of people, the same for every way of choosing.

The rule, fixed before any output was looked at. W are the words that say something (stems, empty words left out) of the publisher's own
statement of the claim, which no system sees. A sentence of a right article is a key sentence if

    quotes     it holds at least half of W, or five words of that statement in a row; or
    debunks    it holds at least a quarter of W and a phrase of judgement (`JUDGEMENT`: "no evidence", "we rate", "is false", …).

The rule is given a sentence and a statement and never knows who chose it. An article in which no sentence meets the rule counts as a
miss for everyone; `possible` says how many have one. `twicetold lab mtm keys` prints the figures.

People can judge instead, as in the paper: `units` are the sentences that any way chose, without saying which, and `by_people` puts what
they said in the place of the rule.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.index.encoder import Encoder
from twicetold.rank.mtm.article import Sentence
from twicetold.rank.mtm.keys import choose
from twicetold.rank.mtm.model import Mtm
from twicetold.rank.mtm.recipe import named_model
from twicetold.text import words
from twicetold_lab.datasets import volee
from twicetold_lab.mtm.candidates import Asked, Plan, Task, read_task
from twicetold_lab.reports import bootstrap

MOST = 3
ROW = 5
JUDGEMENT = re.compile(
    r"\b(?:no (?:evidence|proof|record|truth|basis|indication)|not (?:true|accurate|correct|the case|so|real|supported)|"
    r"we (?:rate|rule|found)|our ruling|"
    r"(?:is|was|are|were) (?:false|wrong|untrue|inaccurate|misleading|incorrect|fake|bogus|baseless|unfounded|true|accurate)|"
    r"(?:mostly|half|partly|largely) (?:false|true)|pants on fire|never (?:said|happened|did|was|were)|did ?n[o']t|does ?n[o']t|"
    r"is ?n[o']t|was ?n[o']t|debunked|hoax|fabricated|made[- ]up|distort\w*|out of context|exaggerat\w*|oversimplif\w*|false claim)\b",
    re.IGNORECASE,
)

Chooser = Callable[[Asked, Sequence[Sentence]], list[int]]
"""The places of a right article's best sentences, best first."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A publisher's statement of a claim: its words that say something, and its runs of five words."""

    stems: frozenset[str]
    runs: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: str) -> Statement:
        """Take a statement apart."""
        return cls(frozenset(words(text)), _runs(text))


def is_key(sentence: str, statement: Statement) -> bool:
    """Apply the rule.

    >>> said = Statement.of("Vaccines contain tiny microchips made by a billionaire")
    >>> is_key("There is no evidence that vaccines hold microchips.", said), is_key("Vaccines are sold in pharmacies.", said)
    (True, False)
    """
    shared = len(statement.stems & set(words(sentence))) / max(len(statement.stems), 1)
    if shared >= 0.5 or _runs(sentence) & statement.runs:
        return True
    return shared >= 0.25 and JUDGEMENT.search(sentence) is not None


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    plain = words(text, analysis="plain")
    return frozenset(tuple(plain[i : i + ROW]) for i in range(len(plain) - ROW + 1))


# --- ways of choosing ----------------------------------------------------------------------------------------------


def first(_: Asked, sentences: Sequence[Sentence]) -> list[int]:
    """The article's opening."""
    return list(range(min(MOST, len(sentences))))


def at_random(one: Asked, sentences: Sequence[Sentence]) -> list[int]:
    """Any, the same ones in every run."""
    return random.Random(one.id).sample(range(len(sentences)), min(MOST, len(sentences)))


def by_bm25(one: Asked, sentences: Sequence[Sentence]) -> list[int]:
    """BM25 with the article's sentences as the corpus (k1 = 1.2, b = 0.75)."""
    texts = [words(sentence.text) for sentence in sentences]
    mean = sum(map(len, texts)) / max(len(texts), 1)
    asked = set(words(one.text))
    holding = {word: sum(word in text for text in texts) for word in asked}
    idf = {word: np.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}

    def score(text: list[str]) -> float:
        counts = {word: text.count(word) for word in asked}
        return float(sum(idf[word] * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * len(text) / mean)) for word, n in counts.items() if n))

    return _best([score(text) for text in texts])


def by_cosine(encoder: Encoder) -> Chooser:
    """Nearest to the claim by the encoder."""

    def choose(one: Asked, sentences: Sequence[Sentence]) -> list[int]:
        vectors = encoder.encode([one.text, *(sentence.text for sentence in sentences)])
        return _best((vectors[1:] @ vectors[0]).tolist())

    return choose


def by_mtm(model: Mtm) -> Chooser:
    """ROT's word vectors and the patterns."""

    def choose(one: Asked, sentences: Sequence[Sentence]) -> list[int]:
        [keys] = model.keys(one.text, [sentences], most=MOST)
        return [list(sentences).index(key.sentence) for key in keys]

    return choose


def by_vectors(model: Mtm) -> Chooser:
    """As `by_mtm`, without counting quoted words: what the paper has."""

    def choose_(one: Asked, sentences: Sequence[Sentence]) -> list[int]:
        places: list[int] = choose(model.residuals(one.text, sentences), model.patterns, most=MOST).place.tolist()
        return places

    return choose_


def _best(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:MOST]


# --- figures -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and a right article of it, and for each of its sentences whether it is a key sentence."""

    asked: Asked
    article: str
    sentences: tuple[Sentence, ...]
    is_key: tuple[bool, ...]


def pairs_of(task: Task, statements: Mapping[str, str], *, split: str = "test") -> list[Pair]:
    """Every claim of a split with each of its right articles that has a sentence."""
    known = {doc: Statement.of(text) for doc, text in statements.items()}
    return [
        Pair(one, doc, sentences, tuple(is_key(sentence.text, known[doc]) for sentence in sentences))
        for one in task.claims[split]
        for doc in one.candidates
        if doc in one.right and (sentences := task.articles[doc])
    ]


@dataclass(frozen=True, slots=True)
class Choice:
    """What one way chose of every pair: places, best first; and how many seconds it took for an article."""

    places: list[list[int]]
    seconds: float

    @classmethod
    def of(cls, pairs: Sequence[Pair], chooser: Chooser) -> Choice:
        """Let it choose."""
        started = time.perf_counter()
        places = [chooser(pair.asked, pair.sentences) for pair in pairs]
        return cls(places, (time.perf_counter() - started) / max(len(pairs), 1))


def unit_of(pair: Pair, place: int) -> str:
    """The name of a sentence on the sheets of those who judge it."""
    return f"{pair.asked.id} {pair.article} {place}"


def units(pairs: Sequence[Pair], choices: Iterable[Choice]) -> list[dict[str, str]]:
    """Every sentence that any way chose, once, with its claim; nothing says who chose it."""
    chosen: dict[int, set[int]] = {}
    for choice in choices:
        for number, places in enumerate(choice.places):
            chosen.setdefault(number, set()).update(places)
    return [
        {"id": unit_of(pairs[number], place), "claim": pairs[number].asked.text, "sentence": pairs[number].sentences[place].text}
        for number, places in sorted(chosen.items())
        for place in sorted(places)
    ]


def by_people(pairs: Sequence[Pair], choices: Iterable[Choice], said: Mapping[str, str | None]) -> list[Pair]:
    """Put the majority of people's answers in the place of the rule; a tie is no. Raises BadData if a chosen sentence was not judged."""
    wanted = [unit["id"] for unit in units(pairs, choices)]
    if lost := [unit for unit in wanted if unit not in said]:
        raise BadData(
            f"{len(lost):,} of {len(wanted):,} sentences are not judged, the first is {lost[0]!r}; judge all that --units writes for the "
            "same model, claims and split"
        )
    return [replace(pair, is_key=tuple(said.get(unit_of(pair, place)) == "yes" for place in range(len(pair.sentences)))) for pair in pairs]


def judged(pairs: Sequence[Pair], choice: Choice) -> dict[str, Any]:
    """How often the first chosen is a key sentence, and how often one of three is; with intervals and the time for an article."""
    hits = np.array(
        [[pair.is_key[places[0]], any(pair.is_key[at] for at in places)] for pair, places in zip(pairs, choice.places, strict=True)]
    )
    low, high = np.quantile(bootstrap(hits.astype(np.float64)), (0.025, 0.975), axis=0)
    named = zip(("hit@1", "hit@3"), hits.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)
    return {name: {"value": mean, "interval": [a, b]} for name, mean, a, b in named} | {"ms_an_article": 1000 * choice.seconds}


@dataclass(frozen=True, slots=True)
class Trial:
    """Right articles of some of Vo & Lee's claims, and what six ways chose of them."""

    split: str
    pairs: list[Pair]
    choices: Mapping[str, Choice]

    def report(self) -> dict[str, Any]:
        """Say how often each way chose a key sentence."""
        possible = sum(any(pair.is_key) for pair in self.pairs)
        sentences = sum(len(pair.sentences) for pair in self.pairs)
        record = {"split": self.split, "pairs": len(self.pairs), "possible": possible, "sentences": sentences}
        return record | {name: judged(self.pairs, choice) for name, choice in self.choices.items()}


def tried(root: Path, model: Path | None, *, claims: int, split: str = "test") -> Trial:
    """Choose three sentences of every right article in six ways."""
    task = read_task("volee2020", root, Plan(most={"train": 1, "dev": 1, "test": 1} | {split: claims}))
    statements = {check.id: check.claim for check in volee.checks(root / "volee2020" / "Politifact")}
    pairs = pairs_of(task, statements, split=split)
    if not pairs:
        raise BadData(f"no {split} claim of {root / 'volee2020'} has a right article with sentences; unpack the whole set")
    ways: dict[str, Chooser] = {"first": first, "random": at_random, "BM25": by_bm25, "cosine": by_cosine(Encoder.load(threads=1))}
    opened = Mtm.load(model, threads=1) if model else named_model()
    ways |= {"MTM": by_mtm(opened), "MTM without quoted words": by_vectors(opened)}
    return Trial(split, pairs, {name: Choice.of(pairs, way) for name, way in ways.items()})
