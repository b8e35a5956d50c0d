"""requirements.lock, what a release is installed from by version and hash, and requirements-dev.lock, which has every extra."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-dev.lock")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASED = re.search(r"^RELEASED := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()


def locked(lock: str) -> dict[str, tuple[str, list[str]]]:
    """Name → version and hashes."""
    found = {}
    for block in re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", LOCKS[lock]).strip()):
        name, version = re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", block).groups()
        found[canonicalize_name(name)] = version, re.findall(r"--hash=sha256:([0-9a-f]{64})", block)
    return found


EXTRAS = {"requirements.lock": RELEASED, "requirements-dev.lock": [*PROJECT["optional-dependencies"]]}


@pytest.mark.parametrize(("lock", "extras"), EXTRAS.items())
def test_every_dependency_is_locked_to_a_version_that_fits(lock, extras):
    wanted = [*PROJECT["dependencies"], *(one for extra in extras for one in PROJECT["optional-dependencies"][extra])]
    found = locked(lock)
    assert len(wanted) > 15
    for requirement in map(Requirement, wanted):
        if requirement.name != PROJECT["name"]:
            version, _ = found[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement} is locked to {version}; run make lock"


def test_both_locks_agree():
    every = locked("requirements-dev.lock")
    assert {name: version for name, (version, _) in locked("requirements.lock").items() if every[name][0] != version} == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_locked_has_hashes(lock):
    assert [name for name, (_, hashes) in locked(lock).items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_names_no_place(lock):
    rest = re.sub(r"[a-z0-9-]+(==|\[)", "", LOCKS[lock])
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links|@ |^/|\s/", rest, re.MULTILINE)


def test_the_licence_of_every_locked_package_is_listed():
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\S+) \| (\d\S*) \| (.+?) \|", page)
    assert {name: version for name, version, _ in rows} == {name: version for name, (version, _) in locked("requirements-dev.lock").items()}
    unknown = {name for name, _, licence in rows if licence == "unknown"}
    assert unknown & locked("requirements.lock").keys() == set()
