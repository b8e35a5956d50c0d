"""How much of a claim's wording its fact-check repeats: TF-IDF cosine of a query and the claim that answers it.

Table 4 of Shaar et al. 2020 counts pairs above .75, .5, .25 and 0, and states neither tokens nor the corpus of the document frequencies.
Here, as in scikit-learn's defaults, tokens are words of two letters or more and idf = ln((1 + N) / (1 + df)) + 1; frequencies are of the
texts of the pairs themselves, each text once. That comes closest to the printed Snopes figures.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from twicetold_lab.datasets.dataset import Dataset

LEVELS = (0.75, 0.5, 0.25, 0.0)
_words = re.compile(r"\b\w\w+\b").findall


def cosines(dataset: Dataset) -> dict[tuple[str, str], float]:
    """Return the cosine of every judged (query, fact-check) pair."""
    answers = {doc for judged in dataset.qrels.values() for doc in judged}
    claims = {check.id: check.claim for check in dataset.checks() if check.id in answers}
    asked = {claim.id: claim.text for claim in dataset.claims if claim.id in dataset.qrels}
    counts = {text: Counter(_words(text.lower())) for text in {*claims.values(), *asked.values()}}
    containing = Counter(word for counted in counts.values() for word in counted)
    weights = {word: math.log((1 + len(counts)) / (1 + df)) + 1 for word, df in containing.items()}
    vectors = {text: {word: n * weights[word] for word, n in counted.items()} for text, counted in counts.items()}
    pairs = ((query, doc) for query, judged in dataset.qrels.items() for doc in judged)
    return {(query, doc): _cosine(vectors[asked[query]], vectors[claims[doc]]) for query, doc in pairs}


def above(values: Iterable[float]) -> dict[float, int]:
    """Count the values above each level."""
    kept = list(values)
    return {level: sum(value > level for value in kept) for level in LEVELS}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    product = sum(weight * other[word] for word, weight in one.items() if word in other)
    lengths = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return product / lengths if lengths else 0.0
