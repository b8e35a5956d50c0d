"""docs/tour.md leads through files that exist, to functions that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STOPS = re.findall(r"^(\d+)\. `([^`]+)`, `([^`]+)`:", (ROOT / "docs" / "tour.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_tour_has_at_most_fifteen_stops_in_order():
    assert [int(number) for number, _, _ in STOPS] == list(range(1, len(STOPS) + 1))
    assert 10 <= len(STOPS) <= 15


@pytest.mark.parametrize(("path", "name"), [stop[1:] for stop in STOPS])
def test_each_file_of_the_tour_has_what_it_is_visited_for(path, name):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in defined
