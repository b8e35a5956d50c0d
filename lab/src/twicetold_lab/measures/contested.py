"""MythQA's measures (Bai et al. 2023): answers found, both sides of an answer found, evidence retrieved.

`F1_ans`, `F1_CONTRO@e`, `Hits@k` and `MHits@k` of one question, in [0, 1]; the paper prints means over questions times 100. The
functions of a name ending in `_legacy` do what the released code does, not what the paper says:

- an answer that equals two gold answers counts twice;
- the answer "no" is compared with the evidence for "yes".
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twicetold_lab.datasets.mythqa import Contested, GoldAnswer

Credit = Callable[["Answer", GoldAnswer], float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicted answer with its evidence, best first: ids of posts (the paper's code compares their texts)."""

    text: str
    supporting: tuple[str, ...] = ()
    refuting: tuple[str, ...] = ()


def normalised(text: str) -> str:
    """Lower-case, drop punctuation and a/an/the, squeeze spaces: SQuAD's equality of answers.

    >>> normalised("The  New-York law!")
    'newyork law'
    """
    bare = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", bare).split())


def f1_answers(predicted: Sequence[Answer], gold: Contested) -> float:
    """F1 of the answers themselves: P = matched / predicted, R = matched / gold; a gold answer is matched once."""
    return _f1(_matched_once(predicted, gold, lambda *_: 1.0), len(predicted), len(gold.answers))


def f1_answers_legacy(predicted: Sequence[Answer], gold: Contested) -> float:
    """As released: every pair of equal answers counts."""
    return _f1(_matched_all(predicted, gold, lambda *_: 1.0), len(predicted), len(gold.answers))


def f1_contro(predicted: Sequence[Answer], gold: Contested, e: int) -> float:
    """F1 in which an answer earns the share of its sides that have gold evidence among the first `e` posts.

    For a yes-no question only the supporting side of each answer counts (the paper's equation 5).
    """
    return _f1(_matched_once(predicted, gold, _credit(gold, e)), len(predicted), len(gold.answers))


def f1_contro_legacy(predicted: Sequence[Answer], gold: Contested, e: int) -> float:
    """As released: every pair counts, and both yes and no are held against the posts that support yes."""
    credit = _credit(gold, e)
    if gold.kind == "yes-no":
        yes = next(answer for answer in gold.answers if answer.text == "yes")
        return _f1(_matched_all(predicted, gold, lambda answer, _: _found(answer.supporting, yes.supporting, e)), len(predicted), 2)
    return _f1(_matched_all(predicted, gold, credit), len(predicted), len(gold.answers))


def hits(retrieved: Sequence[str], gold: Contested, k: int) -> float:
    """1 if any of the first `k` posts supports or refutes any answer."""
    first = set(retrieved[:k])
    return float(any(first & _evidence(answer) for answer in gold.answers))


def mhits(retrieved: Sequence[str], gold: Contested, k: int) -> float:
    """Return the share of the answers with evidence for which some is among the first `k` posts; yes and no are one claim."""
    if gold.kind == "yes-no":
        return hits(retrieved, gold, k)
    first = set(retrieved[:k])
    with_evidence = [evidence for answer in gold.answers if (evidence := _evidence(answer))]
    return sum(bool(first & evidence) for evidence in with_evidence) / len(with_evidence) if with_evidence else 0.0


def _evidence(answer: GoldAnswer) -> set[str]:
    return {*answer.supporting, *answer.refuting}


def _credit(gold: Contested, e: int) -> Credit:
    def one_side(answer: Answer, truth: GoldAnswer) -> float:
        return _found(answer.supporting, truth.supporting, e)

    def both_sides(answer: Answer, truth: GoldAnswer) -> float:
        sides = ((answer.supporting, truth.supporting), (answer.refuting, truth.refuting))
        scores = [_found(found, wanted, e) for found, wanted in sides if wanted]
        return sum(scores) / len(scores) if scores else 0.0

    return one_side if gold.kind == "yes-no" else both_sides


def _found(found: Sequence[str], wanted: Sequence[str], e: int) -> float:
    return float(bool(set(found[:e]) & set(wanted)))


def _matched_once(predicted: Sequence[Answer], gold: Contested, credit: Credit) -> float:
    total, taken = 0.0, set()
    for answer in predicted:
        for truth in gold.answers:
            if truth.text not in taken and normalised(answer.text) == normalised(truth.text):
                taken.add(truth.text)
                total += credit(answer, truth)
                break
    return total


def _matched_all(predicted: Sequence[Answer], gold: Contested, credit: Credit) -> float:
    equal = ((a, truth) for a in predicted for truth in gold.answers if normalised(a.text) == normalised(truth.text))
    return sum(credit(answer, truth) for answer, truth in equal)


def _f1(earned: float, predicted: int, gold: int) -> float:
    if not earned:
        return 0.0
    precision, recall = earned / predicted, earned / gold
    return 2 * precision * recall / (precision + recall)
