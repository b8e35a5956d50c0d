"""Answers on the demo collection that should only change when someone means them to: `pytest tests/test_golden.py --update-golden`."""

from __future__ import annotations

from pathlib import Path

import pytest

from twicetold.answer import RECIPES
from twicetold.stage import ask

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["bm25", "hybrid"])
def test_the_first_three_answers_to_every_demo_claim_are_the_recorded_ones(demo, demo_claims, name, request):
    rankings = ask(RECIPES[name].stage(demo, depth=10), demo_claims)
    answers = "".join(f"{r.query.id} {' '.join(m.doc.id for m in r.matches[:3])}\n" for r in rankings)
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        path.write_text(answers, encoding="utf-8")
    assert answers.splitlines() == path.read_text(encoding="utf-8").splitlines()
