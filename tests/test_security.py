"""What docs/threats.md promises of the code itself: nothing that runs data, nothing that phones home."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "lab" / "src").rglob("*.py")])

_ANSWER = """
import sys, twicetold
with twicetold.Collection.create(sys.argv[1]) as collection:
    list(collection.add([twicetold.FactCheck("a", claim="Garlic cures the flu"), twicetold.FactCheck("b", claim="大蒜可以治疗流感")]))
    collection.index()
print(twicetold.match("Does garlic cure flu?", sys.argv[1]).matches[0].doc.id)
"""


def test_nothing_is_written_outside_the_data_folder(tmp_path):
    """onnxruntime 1.29 and later keep a device number and events in the home folder, and send them, unless told before they are loaded."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG", "OMP_NUM_THREADS")}
    env = {**kept, "HOME": str(home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-c", _ANSWER, str(tmp_path / "data")], capture_output=True, text=True, env=env)
    assert run.stdout == "a\n", run.stderr
    assert [str(path.relative_to(tmp_path)) for place in (home, temporary) for path in sorted(place.rglob("*"))] == []


def _calls(path: Path) -> list[tuple[str, ast.Call]]:
    """Every call in a module, with the name it is called by: `np.load`, `eval`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_that_is_read_can_run(path):
    assert not _imports(path) & {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml"}
    for name, call in _calls(path):
        given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        assert name not in ("eval", "exec", "compile", "__import__", "os.system", "os.popen"), f"line {call.lineno}"
        assert given.get("allow_pickle", "False") == "False", f"line {call.lineno}"
        assert given.get("shell", "False") == "False", f"line {call.lineno}"
        if name == "torch.load":
            assert given.get("weights_only") == "True", f"line {call.lineno}"
        assert not name.endswith((".extract", ".extractall")), f"line {call.lineno}: archives are read, never unpacked"


RUNS_PROGRAMS = {
    "src/twicetold/serve/jobs.py",
    "src/twicetold/serve/parsing.py",
    "lab/src/twicetold_lab/reproduce.py",
    "lab/src/twicetold_lab/train/judge/__main__.py",
}
"""Each runs Python or git with a list of arguments, none of which comes from a request or a source."""


def test_other_programs_are_run_only_where_it_is_known():
    found = {str(path.relative_to(ROOT)) for path in MODULES if _imports(path) & {"subprocess", "pty", "pexpect"}}
    assert found == RUNS_PROGRAMS
