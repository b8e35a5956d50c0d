"""requirements.lock: what a release is installed from, by version and hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASED = re.search(r"^RELEASED := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()


def locked() -> dict[str, tuple[str, list[str]]]:
    """Name → version and hashes."""
    found = {}
    for block in re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", LOCK).strip()):
        name, version = re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", block).groups()
        found[canonicalize_name(name)] = version, re.findall(r"--hash=sha256:([0-9a-f]{64})", block)
    return found


def test_every_dependency_of_a_release_is_locked_to_a_version_that_fits():
    wanted = [*PROJECT["dependencies"], *(one for extra in RELEASED for one in PROJECT["optional-dependencies"][extra])]
    found = locked()
    assert len(wanted) > 15
    for requirement in map(Requirement, wanted):
        version, _ = found[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is locked to {version}; run make lock"


def test_everything_locked_has_hashes():
    assert [name for name, (_, hashes) in locked().items() if not hashes] == []


def test_the_lock_names_no_place():
    rest = re.sub(r"[a-z0-9-]+(==|\[)", "", LOCK)
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links|@ |^/|\s/", rest, re.MULTILINE)
