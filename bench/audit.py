"""Compare every locked version with a copy of the OSV database: `python -m bench.audit FOLDER [LOCK]`, or `make audit DB=FOLDER`.

FOLDER holds what osv.dev exports for PyPI: one JSON file for each vulnerability, in the folder itself, in `PyPI/`, or packed as `all.zip`
in either. Nothing is sent anywhere. Exits with 1 if a locked version is affected, 2 if there is no database. Records that were withdrawn
do not count. Ranges of commits are not looked at: what is locked are releases.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

LOCK = Path(__file__).parent.parent / "requirements.lock"
_LOCKED = re.compile(r"(?m)^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """A locked version that a vulnerability affects; `fixed` are the versions that end it, as far as they are known."""

    package: str
    version: str
    id: str
    summary: str
    fixed: tuple[str, ...]

    def __str__(self) -> str:
        cure = f"fixed in {', '.join(self.fixed)}" if self.fixed else "no fixed version is known"
        return f"{self.package} {self.version}: {self.id} {self.summary} ({cure})"


def locked(path: Path) -> dict[str, str]:
    """Return the version of every package in a lock file."""
    return {canonicalize_name(name): version for name, version in _LOCKED.findall(path.read_text(encoding="utf-8"))}


def records(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield every vulnerability of a copied database."""
    for place in (folder, folder / "PyPI"):
        for path in sorted(place.glob("*.json")):
            yield json.loads(path.read_bytes())
        if (place / "all.zip").is_file():
            with zipfile.ZipFile(place / "all.zip") as packed:
                for name in packed.namelist():
                    if name.endswith(".json"):
                        yield json.loads(packed.read(name))


def findings(record: dict[str, Any], versions: dict[str, str]) -> Iterator[Finding]:
    """Yield the locked packages that a vulnerability affects."""
    if record.get("withdrawn"):
        return
    for affected in record.get("affected", []):
        package = affected.get("package", {})
        name = canonicalize_name(package.get("name", ""))
        if package.get("ecosystem") == "PyPI" and name in versions and is_affected(affected, versions[name]):
            events = [event for range_ in affected.get("ranges", []) for event in range_.get("events", [])]
            fixed = tuple(event["fixed"] for event in events if "fixed" in event)
            yield Finding(name, versions[name], record["id"], record.get("summary", "")[:100], fixed)


def is_affected(affected: dict[str, Any], version: str) -> bool:
    """True if a version is listed, or lies in a range: from `introduced` on, before `fixed`, up to `last_affected`."""
    if version in affected.get("versions", []):
        return True
    return any(_in_range(one.get("events", []), _version(version)) for one in affected.get("ranges", []) if one.get("type") == "ECOSYSTEM")


def _in_range(events: list[dict[str, str]], version: Version) -> bool:
    is_in = False
    for event in sorted(events, key=_when):
        [(kind, at)] = list(event.items())[:1]
        if kind == "introduced" and version >= _version(at):
            is_in = True
        elif (kind == "fixed" and version >= _version(at)) or (kind == "last_affected" and version > _version(at)):
            is_in = False
    return is_in


def _when(event: dict[str, str]) -> tuple[Version, bool]:
    [(kind, at)] = list(event.items())[:1]
    return _version(at), kind != "introduced"


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def main() -> None:
    """Print what is found."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("wanted the folder of a copied OSV database: make audit DB=FOLDER (https://osv.dev exports PyPI/all.zip)")
    versions = locked(Path(sys.argv[2]) if len(sys.argv) > 2 else LOCK)
    count, found = 0, []
    for record in records(Path(sys.argv[1])):
        count += 1
        found += findings(record, versions)
    if count == 0:
        print(f"{sys.argv[1]} holds no vulnerability records; wanted *.json, PyPI/*.json or all.zip", file=sys.stderr)
        sys.exit(2)
    for one in sorted(found, key=str):
        print(one)
    print(f"{len(versions)} locked versions, {count:,} vulnerabilities, {len(found)} found", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
