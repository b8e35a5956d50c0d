"""A tokenizer and an ONNX graph, run so that a text's answer never depends on its neighbours.

Texts of exactly the same number of tokens go through the graph together, so nothing is ever padded: padding would change the last bits
of an answer, and a claim must get the same answer alone and in a batch. Over many texts this is also the fastest way, since no
time goes into padding. Needs onnxruntime and tokenizers, which are loaded with the first model, not at import.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twicetold.errors import BadData
from twicetold.models import ModelFolder, open_folder

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

Text = str | tuple[str, str]
"""One text, or a pair that the model reads together."""

Tokens = tuple[list[int], list[int]]
"""Token ids, and for each 0 or 1: the text of a pair it belongs to."""

_TOKENS_A_BATCH = 2048


class TextModel:
    """Runs texts, or pairs of texts, through one ONNX graph."""

    def __init__(self, folder: ModelFolder, tokenizer: tokenizers.Tokenizer, session: onnxruntime.InferenceSession) -> None:
        self.folder = folder
        self.tokenizer = tokenizer
        self._session = session
        self._inputs = [node.name for node in session.get_inputs()]

    @classmethod
    def load(cls, path: Path, *, max_tokens: int = 128, threads: int = 0) -> TextModel:
        """Open a model folder. `threads` = 0 leaves the number to onnxruntime. Raises BadData if a file is missing or damaged."""
        folder = open_folder(path)
        tokenizer = open_tokenizer(folder, max_tokens)
        return cls(folder, tokenizer, open_session(folder.file("model.onnx", "onnx/model.onnx"), threads))

    def run(self, texts: Sequence[Text]) -> list[list[np.ndarray[Any, Any]]]:
        """Return, for each text in order, the graph's outputs for it (without the batch axis)."""
        return self.run_tokens([(encoding.ids, encoding.type_ids) for encoding in self.tokenizer.encode_batch(list(texts))])

    def run_tokens(self, tokens: Sequence[Tokens]) -> list[list[np.ndarray[Any, Any]]]:
        """As `run`, for texts that are tokenised already."""
        answers: list[list[np.ndarray[Any, Any]]] = [[] for _ in tokens]
        for places in equal_lengths(tokens):
            outputs = self._session.run(None, self._feed([tokens[i] for i in places]))
            for row, place in enumerate(places):
                answers[place] = [output[row] for output in outputs]
        return answers

    def _feed(self, tokens: Sequence[Tokens]) -> dict[str, np.ndarray[Any, Any]]:
        ids = np.array([ids for ids, _ in tokens], np.int64)  # (B, L)
        types = np.array([types for _, types in tokens], np.int64)  # (B, L)
        columns = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        unknown = [name for name in self._inputs if name not in columns]
        if unknown:
            raise BadData(f"the model in {self.folder.path} wants the inputs {unknown}; only {sorted(columns)} can be given")
        return {name: columns[name] for name in self._inputs}


def open_tokenizer(folder: ModelFolder, max_tokens: int) -> tokenizers.Tokenizer:
    """Load the folder's tokenizer; longer texts are cut at `max_tokens`, a pair's longer half first."""
    from tokenizers import Tokenizer

    file = folder.file("tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises bare Exception
        raise BadData(f"the tokenizer {file} cannot be read ({error}); restore the file") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def open_session(file: Path, threads: int) -> onnxruntime.InferenceSession:
    """Open a graph on the CPU; `threads` = 0 leaves their number to onnxruntime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # A spinning pool takes the cores from tantivy and numpy between two calls.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own classes per failure, all of them Exception
        raise BadData(f"the model {file} cannot be read by onnxruntime ({error}); restore the file") from None


def equal_lengths(tokens: Sequence[Tokens]) -> list[list[int]]:
    """Return the places of texts to run together: equal numbers of tokens, at most _TOKENS_A_BATCH in all, longest first."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, (ids, _) in enumerate(tokens):
        by_length[len(ids)].append(place)
    batches = []
    for length in sorted(by_length, reverse=True):
        size = max(1, _TOKENS_A_BATCH // length)
        places = by_length[length]
        batches += [places[i : i + size] for i in range(0, len(places), size)]
    return batches
