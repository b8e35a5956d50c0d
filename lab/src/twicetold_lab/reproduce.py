"""Run recorded results again and hold them against what was recorded."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold_lab.results import Result, looked_up


class Outcome(StrEnum):
    """What became of a result."""

    AGREES = "agrees"
    DIFFERS = "differs"
    FAILED = "failed"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Line:
    """One score: what was recorded, what came, and whether that is within what is tolerated."""

    name: str
    recorded: float
    came: float
    is_within: bool


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A result run again; `absent` says which data there were not, `failure` how the command failed."""

    result: Result
    lines: tuple[Line, ...] = ()
    absent: str = ""
    failure: str = ""

    @property
    def outcome(self) -> Outcome:
        """Agrees if every score does."""
        if self.absent:
            return Outcome.NOT_RUN
        if self.failure:
            return Outcome.FAILED
        return Outcome.AGREES if all(line.is_within for line in self.lines) else Outcome.DIFFERS


def reproduce(result: Result, root: Path | None) -> Reproduced:
    """Run a result's command, unless its data are absent, and compare."""
    if result.data and root is None:
        return Reproduced(result, absent="no data root was given")
    absent = [name for name in result.data if root is not None and not (root / name).exists()]
    if absent:
        return Reproduced(result, absent=f"{root} lacks {', '.join(absent)}")
    try:
        return Reproduced(result, compared(result, _printed(result, root)))
    except BadData as error:
        return Reproduced(result, failure=str(error))


def compared(result: Result, printed: dict[str, Any]) -> tuple[Line, ...]:
    """Hold what a command printed against what was recorded: scores within the tolerance, limits not exceeded."""
    lines = []
    for name, recorded in (*result.scores.items(), *result.limits.items()):
        came = looked_up(printed, name)
        if came is None:
            raise BadData(f"the command printed no {name!r}; it printed {', '.join(printed)}")
        is_within = abs(came - recorded) <= result.tolerance + 1e-9 if name in result.scores else came <= recorded
        lines.append(Line(name, recorded, came, is_within))
    return tuple(lines)


def _printed(result: Result, root: Path | None) -> dict[str, Any]:
    arguments = _command(result)
    env = os.environ | ({"TWICETOLD_DATASETS": str(root)} if root is not None else {})
    done = subprocess.run(arguments, capture_output=True, text=True, env=env, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise BadData(f"the command ended with code {done.returncode}: {last}")
    return _last_object(done.stdout.splitlines())


def _command(result: Result) -> list[str]:
    program, *arguments = shlex.split(result.command) or [""]
    if program != "twicetold":
        raise BadData(f"only twicetold's own commands are run, not {program!r}")
    return [sys.executable, "-c", "from twicetold.cli import main; main()", *arguments]


def _last_object(lines: Sequence[str]) -> dict[str, Any]:
    for line in reversed(lines):
        if line.strip():
            try:
                found = json.loads(line)
            except ValueError:
                break
            if isinstance(found, dict):
                return found
    raise BadData("the command printed no JSON object; does it end with --json?")
