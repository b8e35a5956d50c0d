"""The public data sets of the field, read in their publishers' own layouts from a data root.

`load("role-of-context", root)` gives a `Dataset`; `load_part("role-of-context/test", root)` one split of it. The families are
modules: `snopes`, `politifact`, `factchecktweet`, `volee`, `mtm` give data sets of claims and fact-checks; `stance`, `reading`,
`checkworthy`, `coref`, `mythqa` give typed rows. No texts are shipped and nothing is downloaded.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from twicetold.errors import BadData, BadInput
from twicetold_lab.datasets import factchecktweet, mtm, politifact, snopes, volee
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import Qrels, needed

__all__ = ["SETS", "Dataset", "Entry", "Qrels", "catalog", "data_root", "load", "load_part"]

SETS: dict[str, Callable[[Path], Dataset]] = {
    "checkthat-2020-task2": lambda root: snopes.checkthat_2020(root / "checkthat-2020-task2"),
    "checkthat-2021-task2a": lambda root: snopes.checkthat_2021a(root / "checkthat-2021-task2a"),
    "checkthat-2021-task2b": politifact.checkthat_2021b,
    "role-of-context": politifact.role_of_context,
    "known-lie-politifact": politifact.known_lie,
    "known-lie-snopes": lambda root: snopes.known_lie(root / "known-lie"),
    "factchecktweet": lambda root: factchecktweet.load(root / "factchecktweet"),
    "volee2020": lambda root: volee.load(root / "volee2020"),
    "mtm-twitter": lambda root: mtm.load(root / "mtm", "Twitter"),
    "mtm-weibo": lambda root: mtm.load(root / "mtm", "Weibo"),
}
"""How each set is read from a data root."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a set before it is read: `folders` lie under the data root; counts are of fact-checks, queries, judged pairs."""

    title: str
    folders: tuple[str, ...]
    licence: str
    counts: tuple[int, int, int]
    leaks: tuple[str, ...]


@cache
def catalog() -> dict[str, Entry]:
    """Read what is known of every set in `SETS`."""
    text = resources.files(__name__).joinpath("catalog.toml").read_text(encoding="utf-8")
    return {
        name: Entry(e["title"], tuple(e["folders"]), e["licence"], tuple(e["counts"]), tuple(e["leaks"]))
        for name, e in tomllib.loads(text).items()
    }


def data_root(given: str | Path | None = None) -> Path:
    """Return the folder of research data: the one given, or that of the variable TWICETOLD_DATASETS."""
    chosen = given or os.environ.get("TWICETOLD_DATASETS")
    if not chosen:
        raise BadInput("no folder of research data: give --data-root DIR or set TWICETOLD_DATASETS")
    return needed(Path(chosen))


def load(name: str, root: Path) -> Dataset:
    """Read a set by name, with its licence and known leaks."""
    if name not in SETS:
        raise BadInput(f"no data set is called {name!r}; there are {', '.join(SETS)}")
    entry = catalog()[name]
    if absent := [folder for folder in entry.folders if not (root / folder).is_dir()]:
        raise BadData(
            f"{name} is read from {' and '.join(entry.folders)}, but {root} has no {' nor '.join(absent)}: unpack that there, "
            "or point --data-root (TWICETOLD_DATASETS) to where it is"
        )
    return dataclasses.replace(SETS[name](root), licence=entry.licence, leaks=entry.leaks)


def load_part(name: str, root: Path) -> Dataset:
    """Read a set, or one split of it: `factchecktweet`, `factchecktweet/dev`, `role-of-context/debate-random-0/test`."""
    whole, _, part = name.partition("/")
    dataset = load(whole, root)
    return dataset.split(part) if part else dataset
