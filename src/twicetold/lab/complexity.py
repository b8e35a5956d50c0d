"""How much of a claim's wording its fact-check repeats: TF-IDF cosine of a query and the claim that answers it.

Table 4 of Shaar et al. 2020 counts pairs above .75, .5, .25 and 0. The paper states neither tokens nor the corpus of the document
frequencies; here tokens are those of the plain analysis, frequencies are of the fact-checks' claims, and idf = ln((1 + N) / (1 + df)) + 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from twicetold.lab.datasets.dataset import Dataset
from twicetold.text import words

LEVELS = (0.75, 0.5, 0.25, 0.0)


def cosines(dataset: Dataset) -> dict[tuple[str, str], float]:
    """Return the cosine of every judged (query, fact-check) pair."""
    claims = {check.id: Counter(words(check.claim, analysis="plain")) for check in dataset.checks()}
    containing = Counter(word for counts in claims.values() for word in counts)
    weights = {word: math.log((1 + len(claims)) / (1 + df)) + 1 for word, df in containing.items()}
    unseen = math.log(1 + len(claims)) + 1
    found = {}
    for claim in dataset.claims:
        asked = _weighted(Counter(words(claim.text, analysis="plain")), weights, unseen)
        for doc in dataset.qrels.get(claim.id, ()):
            found[claim.id, doc] = _cosine(asked, _weighted(claims[doc], weights, unseen))
    return found


def above(values: Iterable[float]) -> dict[float, int]:
    """Count the values above each level."""
    kept = list(values)
    return {level: sum(value > level for value in kept) for level in LEVELS}


def _weighted(counts: Mapping[str, int], weights: Mapping[str, float], unseen: float) -> dict[str, float]:
    return {word: count * weights.get(word, unseen) for word, count in counts.items()}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    product = sum(weight * other[word] for word, weight in one.items() if word in other)
    lengths = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return product / lengths if lengths else 0.0
