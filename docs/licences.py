"""Write docs/licences.md: the licence of every locked package, as its own metadata says. `python -m docs.licences`

Run it where the packages are installed; one that is not keeps the line it has. Nobody's texts are judged here: what a package says of
itself is copied, its licence expression first, else its classifiers, else the first line of its licence field.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from bench.audit import locked

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
_HEAD = """# Licences of the packages that are installed with twicetold

Made by `python -m docs.licences` from what each package says of itself. "release" marks those of `requirements.lock`, which
`pip install 'twicetold[serve,mcp,screen,milvus,ocr,ray]'` brings; the others are for development (`requirements-dev.lock`).

| package | version | licence | |
|---|---|---|---|
"""
_ROW = re.compile(r"^\| (\S+) \| (\S+) \| (.*?) \| (\w*) ?\|$", re.MULTILINE)


def licence_of(name: str) -> str:
    """Return what an installed package says its licence is; "" if it is not installed or says nothing."""
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return ""
    if told := about.get("License-Expression"):
        return str(told)
    classified = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or [] if one.startswith("License ::")]
    if classified:
        return ", ".join(sorted(set(classified)))
    return str(about.get("License") or "").strip().partition("\n")[0][:80]


def page() -> str:
    """Return the page."""
    before = {name: told for name, _, told, _ in _ROW.findall(PAGE.read_text(encoding="utf-8"))} if PAGE.exists() else {}
    released = locked(ROOT / "requirements.lock")
    rows = [
        f"| {name} | {version} | {licence_of(name) or before.get(name) or 'unknown'} | {'release' if name in released else ''} |"
        for name, version in sorted(locked(ROOT / "requirements-dev.lock").items())
    ]
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
