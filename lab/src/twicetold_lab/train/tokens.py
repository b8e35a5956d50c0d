"""Texts to padded tensors of token ids, with the shared tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from twicetold.models import shipped

if TYPE_CHECKING:
    import tokenizers


@dataclass(frozen=True, slots=True)
class Tokens:
    """Ids, a mask that is true where a token stands, and the text of a pair each token belongs to: all (B, L)."""

    ids: Tensor
    mask: Tensor
    types: Tensor


@cache
def tokenizer(max_tokens: int) -> tokenizers.Tokenizer:
    """Return the shared tokenizer, cutting at `max_tokens` (a pair's longer half first)."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(shipped("tokenizer.json")))
    made.enable_truncation(max_tokens)
    made.enable_padding()
    return made


def tokenise(texts: Sequence[str | tuple[str, str]], max_tokens: int) -> Tokens:
    """Tokenise texts, or pairs of texts, into one padded batch."""
    encodings = tokenizer(max_tokens).encode_batch(list(texts))
    return Tokens(
        torch.tensor([encoding.ids for encoding in encodings]),
        torch.tensor([encoding.attention_mask for encoding in encodings]).bool(),
        torch.tensor([encoding.type_ids for encoding in encodings]),
    )
