"""The shape of the laboratory: no module needs itself through others, however late the import."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """The laboratory's modules that this one imports anywhere: `from a.b import c` is a.b.c if that is a module, else a.b."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {whole if (whole := f"{node.module}.{alias.name}") in modules else node.module for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules - {name_of(path)}


def test_no_module_of_the_laboratory_needs_itself_through_others():
    paths = sorted(SOURCE.rglob("*.py"))
    modules = {name_of(path) for path in paths}
    circle = None
    try:
        TopologicalSorter({name_of(path): imports_of(path, modules) for path in paths}).prepare()
    except CycleError as error:
        circle = " → ".join(error.args[1])
    assert circle is None
