"""Baselines of MTM's Table 2 that need no torch: BM25, Sentence-BERT, RankSVM, BERT(Transfer). All score the same candidates.

Each function is taught on training claims where it learns at all, and returns a `Scorer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from twicetold.index.encoder import Encoder
from twicetold.rank.articles import ArticleClassifier, Block, Settings
from twicetold.rank.mtm.memory import Array
from twicetold.rank.ranksvm import RankSVM
from twicetold.rank.ranksvm import Settings as SvmSettings
from twicetold.rank.signals import Examples, reciprocal_ranks
from twicetold_lab.crossencoder import CrossEncoder
from twicetold_lab.mtm.candidates import Asked, Task

Scorer = Callable[[Asked], list[float]]
"""Scores the candidates of a claim, in their order."""

SENTENCES = 5
SVM_SENTENCES = (3, 4, 5, 6)
TAUGHT = 10
"""Candidates of a training claim that are learnt from."""

READ = 3
"""BERT(Transfer) reads this many sentences of an article, the nearest by cosine: reading all would take hours."""
_GRID = [step / 10 for step in range(11)]


def bm25(asked: Asked) -> list[float]:
    """The score the candidates were found by."""
    return list(asked.scores)


# --- cosines -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cosines:
    """Unit vectors of every claim and of every article's sentences."""

    claims: Mapping[str, Array]
    articles: Mapping[str, Array]

    def best(self, claim: str, article: str, most: int) -> Array:
        """Return the `most` largest cosines, best first; −1 where an article has fewer sentences."""
        found = np.sort(self.articles[article] @ self.claims[claim])[::-1][:most]
        return np.pad(found, (0, most - len(found)), constant_values=-1.0)

    def nearest(self, claim: str, article: str, most: int) -> list[int]:
        """Return the places of the nearest sentences."""
        order: list[int] = np.argsort(-(self.articles[article] @ self.claims[claim]), kind="stable")[:most].tolist()
        return order


def cosines(task: Task, kept: Path) -> Cosines:
    """Encode a task's texts, or read the vectors kept from an earlier row; `kept` names the file."""
    asked = [one for some in task.claims.values() for one in some]
    flat = [sentence.text for some in task.articles.values() for sentence in some]
    claims = sentences = np.zeros((0, 0), np.float32)
    if kept.is_file():
        with np.load(kept) as arrays:
            claims, sentences = arrays["claims"], arrays["sentences"]
    if (len(claims), len(sentences)) != (len(asked), len(flat)):  # none are kept, or of another choice of claims
        encoder = Encoder.load(max_tokens=64)
        claims, sentences = encoder.encode([one.text for one in asked]), encoder.encode(flat)
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, claims=claims, sentences=sentences)
    ends = np.cumsum([len(some) for some in task.articles.values()])[:-1]
    return Cosines(
        dict(zip((one.id for one in asked), claims, strict=True)), dict(zip(task.articles, np.split(sentences, ends), strict=True))
    )


def sentence_bert(task: Task, vectors: Cosines, *, sentences: int = SENTENCES, seed: int = 0) -> Scorer:
    """The best cosines of an article's sentences through a network of 20 and 10 units, each class weighing the same."""
    names = tuple(f"cosine.{place}" for place in range(1, sentences + 1))
    rows, answers, _ = _rows(task.claims["train"], lambda one, doc: vectors.best(one.id, doc, sentences))

    def blocks() -> Iterable[Block]:
        return [(rows, answers)]

    model = ArticleClassifier.fit(names, blocks, Settings(epochs=20, batch=64, seed=seed))
    return lambda one: model.score(np.stack([vectors.best(one.id, doc, sentences) for doc in one.candidates])).tolist()


def ranksvm(task: Task, vectors: Cosines, *, seed: int = 0) -> Scorer:
    """A linear RankSVM over scores and reciprocal ranks of BM25 and of the Sentence-BERT classifiers with 3, 4, 5 and 6 sentences."""
    scorers: list[Scorer] = [bm25, *(sentence_bert(task, vectors, sentences=n, seed=seed) for n in SVM_SENTENCES)]
    names = tuple(f"{kind}{n}" for n in range(len(scorers)) for kind in ("score.", "rr."))
    # Ranks are among all of a claim's candidates; of these the first are learnt from.
    rows, answers, queries = [], [], []
    for number, one in enumerate(task.claims["train"]):
        rows.append(_signals(scorers, one))
        answers.append([doc in one.right for doc in one.candidates])
        queries.append(np.full(len(one.candidates), number))
    examples = Examples(names, np.concatenate(rows), np.concatenate(answers).astype(bool), np.concatenate(queries))
    model = RankSVM.fit(examples, SvmSettings(kernel="linear", cost=0.01, seed=seed))
    return lambda one: model.score(_signals(scorers, one)).tolist()


def _signals(scorers: Sequence[Scorer], one: Asked) -> Array:
    columns = [np.array(scorer(one), np.float64) for scorer in scorers]
    return np.stack([column for values in columns for column in (values, reciprocal_ranks(values))], axis=1)


def _rows(claims: Sequence[Asked], features: Callable[[Asked, str], Array]) -> tuple[Array, Array, Array]:
    """Rows of the first candidates of each claim and of any right one, whether each is right, and its claim's number."""
    rows, answers, queries = [], [], []
    for number, one in enumerate(claims):
        for place, doc in enumerate(one.candidates):
            if place < TAUGHT or doc in one.right:
                rows.append(features(one, doc))
                answers.append(doc in one.right)
                queries.append(number)
    return np.stack(rows), np.array(answers), np.array(queries)


# --- transfer ------------------------------------------------------------------------------------------------------


def transfer(task: Task, vectors: Cosines, *, claims: int = 40) -> Scorer:
    """α · BM25 + Σ β_j · the reranker's j-th best sentence score, α and β by grid search on some dev claims.

    The reranker is the shipped one, which was taught on claims and titles of other sets. BM25 is scaled by its best score of the claim.
    """
    model = CrossEncoder.load(threads=1)

    def parts(one: Asked) -> tuple[Array, Array]:
        pairs = [(one.text, task.articles[doc][place].text) for doc in one.candidates for place in vectors.nearest(one.id, doc, READ)]
        scores = iter(model.score(pairs))
        best = [sorted((next(scores) for _ in vectors.nearest(one.id, doc, READ)), reverse=True) for doc in one.candidates]
        chances = [[1 / (1 + np.exp(-score)) for score in some] + [0.0] * (READ - len(some)) for some in best]
        return _scaled(one), np.array(chances)

    tuned = [(parts(one), np.array([doc in one.right for doc in one.candidates])) for one in list(_some(task.claims["dev"], claims))]
    best = max(product(_GRID, repeat=READ), key=lambda betas: _mrr_of(tuned, betas))

    def score(one: Asked) -> list[float]:
        words, read = parts(one)
        blended: list[float] = (words + read @ np.array(best)).tolist()
        return blended

    return score


def with_bm25(scorer: Scorer, task: Task, *, claims: int = 40) -> Scorer:
    """Add BM25, scaled by its best score of the claim, with the weight that orders some dev claims best."""
    weights = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
    tuned = []
    for one in _some(task.claims["dev"], claims):
        right = np.array([doc in one.right for doc in one.candidates])
        tuned.append(((np.array(scorer(one)), _scaled(one)[:, None]), right))
    best = max(weights, key=lambda weight: _mrr_of(tuned, (weight,)))

    def score(one: Asked) -> list[float]:
        both: list[float] = (np.array(scorer(one)) + best * _scaled(one)).tolist()
        return both

    return score


def _scaled(one: Asked) -> Array:
    return np.array(one.scores) / (max(one.scores) or 1.0)


def _some(claims: Sequence[Asked], most: int) -> Iterator[Asked]:
    step = max(1, len(claims) // most)
    yield from claims[::step]


def _mrr_of(tuned: Sequence[tuple[tuple[Array, Array], Array]], betas: tuple[float, ...]) -> float:
    """Only the ratio of α to the β matters to an order, so α is 1."""
    total = 0.0
    for (words, read), right in tuned:
        said = words + read @ np.array(betas)
        total += 1 / float((said >= said[right].max()).sum())
    return total / len(tuned)
