"""What answers are made of, as short names: the fact-checks, the encoder, the other models and the program."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.metadata import version

from twicetold.batch.ledger import Provenance
from twicetold.collection import Collection
from twicetold.models import shipped

_MODELS = ("best", "decide", "hybrid", "quick", "ranksvm", "static")


def provenance_of(collection: Collection) -> Provenance:
    """Name the collection by its contents: two copies of the same fact-checks have the same name."""
    encoder = collection.encoder
    return Provenance(
        collection.store.contents(), collection.store.change, encoder.version if encoder else "", _models(), version("twicetold")
    )


@cache
def _models() -> str:
    digest = blake2b(digest_size=6)
    for name in _MODELS:
        for file in sorted(shipped(name).rglob("*")):
            if file.suffix in (".json", ".npz", ".onnx"):
                digest.update(file.relative_to(shipped(name)).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
