"""Shipped weights: where a model folder is, whether it is whole, and what it says of itself.

A model folder holds `model.onnx` (or arrays), `model.json` (what code must know of it), `card.md` (what people should know of it) and
`SHA256SUMS`. A `tokenizer.json` stands in the folder or, shared by all shipped models, in its parent. Nothing here runs a model.

The weights are a distribution of their own, twicetold-models, which is the package `twicetold_models`. In a checkout they stand beside
this file, and those are used.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, MissingExtra, NewerFormat, TwicetoldError

FORMAT = 1
"""Version of the folder layout and of `model.json`."""

SUMS = "SHA256SUMS"

WEIGHTS = "0.2"
"""The release of twicetold-models that this version reads; any 0.2.x will do."""

REINSTALL = "pip install --force-reinstall twicetold-models"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model folder that was found whole. `version` is a short checksum of its weights."""

    path: Path
    name: str
    version: str
    settings: dict[str, Any]

    def file(self, *names: str) -> Path:
        """Return the first of `names` that stands in the folder, or in its parent if it is the shared tokenizer."""
        places = [self.path / name for name in names] + [self.path.parent / name for name in names if name == "tokenizer.json"]
        for place in places:
            if place.is_file():
                return place
        raise BadData(f"the model folder {self.path} has no {' or '.join(names)}; give a folder that holds one, or type: {REINSTALL}")


def shipped(name: str) -> Path:
    """Return the folder of a shipped model, or of a file that they share."""
    return weights() / name


def is_shipped(name: str) -> bool:
    """True if there are weights to use, and this model is among them."""
    try:
        return shipped(name).exists()
    except TwicetoldError:
        return False


def weights() -> Path:
    """Return the folder of all shipped models: beside this file in a checkout, else in the installed package `twicetold_models`.

    Raises MissingExtra if there is none, BadData or NewerFormat if it is not of the release that this version reads.
    """
    beside = Path(__file__).parent
    if (beside / "VERSION").is_file():
        return beside
    found = importlib.util.find_spec("twicetold_models")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("a shipped model", package="twicetold-models")
    folder = Path(next(iter(found.submodule_search_locations)))
    _check_release(folder)
    return folder


def _check_release(folder: Path) -> None:
    try:
        found = (folder / "VERSION").read_text(encoding="ascii").strip()
        release = tuple(int(number) for number in found.split(".")[:2])
    except (OSError, ValueError):
        raise BadData(f"the models in {folder} are damaged: they do not say their version; {REINSTALL}") from None
    wanted = tuple(int(number) for number in WEIGHTS.split("."))
    if release < wanted:
        update = f"pip install --upgrade 'twicetold-models=={WEIGHTS}.*'"
        raise BadData(f"the models in {folder} are version {found}, older than the {WEIGHTS} that this version reads; {update}")
    if release > wanted:
        raise NewerFormat(
            f"the models in {folder} are version {found}, newer than the {WEIGHTS} that this version reads; pip install --upgrade twicetold"
        )


def open_folder(path: Path) -> ModelFolder:
    """Check a model folder and read its settings.

    Folders without `SHA256SUMS` (a user's own export) are taken as they are; their version is the checksum of the weights.
    """
    if not path.is_dir():
        raise BadData(f"no model folder at {path}; give an existing folder, or leave the option out to use the shipped model")
    check_sums(path)
    settings = _settings(path)
    weights = _weights(path)
    return ModelFolder(path, str(settings.get("name", path.name)), _sha256(weights)[:12], settings)


def write_sums(path: Path) -> None:
    """Record the checksums of the files that code reads (not of the card), in the form that `sha256sum -c` reads."""
    files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".npz", ".onnx"))
    (path / SUMS).write_text("".join(f"{_sha256(file)}  {file.name}\n" for file in files), encoding="utf-8")


def check_sums(path: Path) -> None:
    """Raise BadData if a file of this folder is not the one whose checksum was recorded; without `SHA256SUMS` nothing is known."""
    sums = path / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text(encoding="utf-8").splitlines():
        wanted, _, name = line.partition("  ")
        file = path / name
        if not file.is_file():
            raise BadData(f"the model file {file} is missing; restore it, or type: {REINSTALL}")
        if _sha256(file) != wanted:
            raise BadData(f"the model file {file} is damaged (its checksum is not the recorded one); restore it, or type: {REINSTALL}")


def _settings(path: Path) -> dict[str, Any]:
    file = path / "model.json"
    if not file.is_file():
        return {}
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise BadData(f"the model file {file} is not JSON; restore it, or type: {REINSTALL}") from None
    if not isinstance(settings, dict):
        raise BadData(f"the model file {file} should hold an object, not {type(settings).__name__}")
    if settings.get("format", FORMAT) > FORMAT:
        raise NewerFormat(f"the model in {path} has format {settings['format']}, newer than {FORMAT}; update twicetold")
    return settings


def _weights(path: Path) -> Path:
    for name in ("model.onnx", "onnx/model.onnx", "vectors.npz", "weights.npz"):
        if (path / name).is_file():
            return path / name
    raise BadData(f"the folder {path} holds no model.onnx, onnx/model.onnx, vectors.npz or weights.npz; give the folder of a model")


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
