"""The trunk and tokenizer MTM starts from: the shipped reranker's, or any BERT-like folder the user has.

A folder holds `config.json`, `model.safetensors` and `tokenizer.json` or `vocab.txt`, as bert-base-uncased and bert-base-chinese do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
from torch import Tensor

from twicetold.errors import BadData
from twicetold.models import shipped
from twicetold_lab.train.trunk import Shape, Trunk, published_names


@dataclass(frozen=True, slots=True)
class Start:
    """A trunk and the tokenizer its word vectors belong to; `name` says where it came from."""

    name: str
    trunk: Trunk
    tokenizer: tokenizers.Tokenizer
    is_shared: bool = False
    """True if the tokenizer is the one all shipped models share."""
    head: Mapping[str, Tensor] | None = None
    """`hidden` and `out` of a model that scores pairs on this trunk, if there is one."""


def from_reranker(*, dropout: float = 0.1) -> Start:
    """Start from the shipped reranker, three layers that have learnt to read a claim and a fact-check together."""
    from twicetold_lab.train.reranker import LAYERS, shorter
    from twicetold_lab.train.reread import reread_pair_model

    tokenizer = tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json")))
    model = reread_pair_model(shipped("reranker"), 1, 0, layers=len(LAYERS))
    head = {f"{name}.{key}": tensor for name in ("hidden", "out") for key, tensor in getattr(model, name).state_dict().items()}
    trunk = shorter(model.trunk, range(len(LAYERS)), dropout=dropout)
    return Start("claim-reranker", trunk, _plain(tokenizer), is_shared=True, head=head)


def from_folder(folder: Path, *, dropout: float = 0.1) -> Start:
    """Start from a BERT-like model in a local folder."""
    from safetensors.torch import load_file

    config, weights = folder / "config.json", folder / "model.safetensors"
    for file in (config, weights):
        if not file.is_file():
            raise BadData(f"{folder} has no {file.name}; give the folder of a BERT-like model with config.json and model.safetensors")
    sizes = _sizes(config)
    shape = Shape(
        sizes["vocab_size"],
        sizes["hidden_size"],
        sizes["num_attention_heads"],
        sizes["intermediate_size"],
        sizes["max_position_embeddings"],
    )
    trunk = Trunk(sizes["num_hidden_layers"], dropout, shape)
    named = _bare(load_file(str(weights)))
    wanted = published_names(sizes["num_hidden_layers"])
    lost = [theirs for theirs in wanted.values() if theirs not in named]
    if lost:
        raise BadData(f"{weights} is not a BERT-like model: it lacks {lost[0]} and {len(lost) - 1} other tensors")
    trunk.load_state_dict({ours: named[theirs] for ours, theirs in wanted.items()})
    return Start(folder.name, trunk, _plain(_tokenizer(folder)))


def _sizes(config: Path) -> dict[str, int]:
    try:
        record: Mapping[str, Any] = json.loads(config.read_text(encoding="utf-8"))
        names = ("vocab_size", "hidden_size", "num_attention_heads", "intermediate_size", "max_position_embeddings", "num_hidden_layers")
        return {name: int(record[name]) for name in names}
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{config} does not say the sizes of a BERT-like model ({error!r}); restore the file") from None


def _bare(named: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Drop the prefix `bert.`, and turn the names gamma and beta of older files into weight and bias."""
    return {name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias"): tensor for name, tensor in named.items()}


def _tokenizer(folder: Path) -> tokenizers.Tokenizer:
    if (folder / "tokenizer.json").is_file():
        return tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    vocabulary = folder / "vocab.txt"
    if not vocabulary.is_file():
        raise BadData(f"{folder} has neither tokenizer.json nor vocab.txt; copy the model's tokenizer there")
    # Chinese text is cut into single characters, words in other scripts into pieces.
    return tokenizers.BertWordPieceTokenizer(str(vocabulary))._tokenizer


def _plain(tokenizer: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
