"""Answers on the demo collection that should only change when someone means them to: `pytest tests/test_golden.py --update-golden`.

`bm25` and `hybrid` are recorded as orders; `best` and `debate` as a user types them, with the lane that each claim or line lands in.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from twicetold import demo as demo_files
from twicetold.answer import RECIPES
from twicetold.cli import main
from twicetold.stage import ask

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def recorded(request):
    """Hold lines against the golden file of that name, or write it anew if told so."""

    def hold(name, lines):
        path = GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden"):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        assert lines == path.read_text(encoding="utf-8").splitlines()

    return hold


def typed(*arguments, text=None):
    """What a verb prints as JSON Lines."""
    run = CliRunner().invoke(main, ["-q", *map(str, arguments)], input=text, catch_exceptions=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def answer(ranking):
    """Claim, lane and first three fact-checks."""
    found = [match["doc"]["id"] for match in ranking["matches"][:3]]
    return " ".join([ranking["query"]["id"], f"[{ranking['decision']['lane']}]", *found])


@pytest.mark.parametrize("name", ["bm25", "hybrid"])
def test_the_first_three_answers_to_every_demo_claim_are_the_recorded_ones(demo, demo_claims, name, recorded):
    rankings = ask(RECIPES[name].stage(demo, depth=10), demo_claims)
    recorded(name, [" ".join([r.query.id, *(m.doc.id for m in r.matches[:3])]) for r in rankings])


def test_match_answers_every_demo_claim_by_best_as_recorded(demo_folder, recorded):
    claims = "".join(json.dumps(record) + "\n" for record in demo_files.queries())
    recorded("best", [answer(one) for one in typed("--data", demo_folder, "match", "--recipe", "best", "--json", "-", text=claims)])


def test_scan_answers_the_demo_debates_as_recorded(demo_folder, recorded):
    debates = sorted((demo_files.FOLDER / "transcripts").glob("*.tsv"))
    lines = [one for path in debates for one in typed("--data", demo_folder, "scan", "--recipe", "debate", "--json", path)]
    recorded("debate", [answer(one["ranking"]) for one in lines])
