from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_the_generated_pages_are_as_generated():
    done = subprocess.run([sys.executable, "-m", "docs.make", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def with_examples(source: Path) -> list[str]:
    """The modules under a source folder whose docstrings show examples."""
    paths = sorted(path for path in source.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
    return [".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__") for path in paths]


@pytest.mark.parametrize("name", with_examples(ROOT / "src"))
def test_examples_in_docstrings_hold(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert (failed, tried > 0) == (0, True)


def test_links_between_pages_lead_somewhere():
    import re

    folders = (ROOT, ROOT / "docs", ROOT / "lab", ROOT / "models")
    for page in sorted(path for folder in folders for path in folder.glob("*.md")):
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} points to {target}, which is not there"


def test_the_stage_of_the_tour_keeps_the_laws(demo_folder, monkeypatch):
    text = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    code = text.partition("## Write your own stage")[2].partition("```python")[2].partition("```")[0]
    exec(compile(code.replace('"twicetold-data"', repr(str(demo_folder))), "tour.md", "exec"), {})
