"""Rerankers on disk: a folder with `model.json` (kind, signals, settings), `weights.npz` (plain arrays, never pickle) and checksums."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.models import FORMAT, REINSTALL, ModelFolder, open_folder, write_sums

Arrays = dict[str, np.ndarray[Any, Any]]


def write_model(folder: Path, kind: str, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Write a model folder; files of an earlier model there are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {"format": FORMAT, "name": folder.name, "kind": kind, **settings}
    (folder / "model.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    np.savez_compressed(folder / "weights.npz", **dict(arrays))  # type: ignore[arg-type]
    write_sums(folder)


def read_model(folder: Path, kind: str) -> tuple[dict[str, Any], Arrays]:
    """Read the settings and arrays of a model of this kind. Raises BadData if it is missing, damaged or of another kind."""
    return read_opened(open_folder(folder), kind)


def read_opened(found: ModelFolder, kind: str) -> tuple[dict[str, Any], Arrays]:
    """As `read_model`, for a folder that was looked over already."""
    if found.settings.get("kind") != kind:
        raise BadData(
            f"the model in {found.path} is a {found.settings.get('kind', 'model of no kind')!r}, not a {kind!r}; name another folder"
        )
    file = found.file("weights.npz")
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return found.settings, {name: arrays[name] for name in arrays.files}
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        raise BadData(f"the model {file} cannot be read ({error}); train it again, or type: {REINSTALL}") from None
