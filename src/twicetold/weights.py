"""The weights of the recipe `hybrid`, as `twicetold train hybrid` chose them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from twicetold.errors import BadData
from twicetold.models import REINSTALL, shipped


@cache
def hybrid_weights() -> Mapping[str, float]:
    """Read the shipped weights: signal → weight."""
    file = shipped("hybrid") / "weights.json"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        return MappingProxyType({str(name): float(weight) for name, weight in record["weights"].items()})
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise BadData(f"the weights {file} cannot be read ({error}); restore the file, or type: {REINSTALL}") from None
