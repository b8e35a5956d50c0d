"""Near-duplicate fact-checks counted as one: some sets hold the same claim twice and mark only one copy as the answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from twicetold.types import FactCheck
from twicetold_lab.datasets.layout import Qrels
from twicetold_lab.datasets.snopes import twin_key
from twicetold_lab.runs import Answered, Run, Scored


def leaders(checks: Iterable[FactCheck]) -> dict[str, str]:
    """Return, for each fact-check whose claim has the same letters and digits as an earlier one's, the id of the first."""
    first: dict[str, str] = {}
    led: dict[str, str] = {}
    for check in checks:
        if key := twin_key(check):
            leader = first.setdefault(key, check.id)
            if leader != check.id:
                led[check.id] = leader
    return led


def collapse(run: Run, qrels: Qrels, led: Mapping[str, str]) -> tuple[Run, dict[str, dict[str, int]]]:
    """Replace twins by their leader, in the run (where the best place counts) and in the judgements (where the best grade does)."""
    judged: dict[str, dict[str, int]] = {}
    for query, grades in qrels.items():
        kept = judged.setdefault(query, {})
        for doc, grade in grades.items():
            name = led.get(doc, doc)
            kept[name] = max(grade, kept.get(name, grade))
    return dataclasses.replace(run, answers=tuple(_collapsed(answer, led) for answer in run.answers)), judged


def _collapsed(answer: Answered, led: Mapping[str, str]) -> Answered:
    best: dict[str, Scored] = {}
    for doc in answer.docs:
        leader = led.get(doc.id, doc.id)
        best.setdefault(leader, Scored(leader, doc.score))
    return dataclasses.replace(answer, docs=tuple(best.values()))
