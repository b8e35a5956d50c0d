"""Read the weights of a model folder that `export` wrote back into torch, so that training can go on from what ships.

The graph holds its arrays in the order in which they were added; they are taken up in that order here. Matrices were rounded to int8, one
scale a column, so what is read differs from what was trained by half a step of 1/127 of each column's largest weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from twicetold.errors import BadData
from twicetold.models import check_sums
from twicetold_lab.train.heads import PairModel
from twicetold_lab.train.trunk import Trunk

Array = np.ndarray[Any, Any]


def reread_trunk(folder: Path, *, layers: int = 6, dropout: float = 0.1) -> Trunk:
    """Return the trunk of the model in `folder`."""
    trunk = Trunk(layers, dropout)
    trunk.load_state_dict(_trunk_state(_Arrays(folder), layers))
    return trunk


def reread_pair_model(folder: Path, outputs: int, max_tokens: int, *, layers: int = 6) -> PairModel:
    """Return the model of pairs in `folder`: trunk and head."""
    arrays = _Arrays(folder)
    model = PairModel(Trunk(layers), outputs, max_tokens)
    state = {f"trunk.{name}": tensor for name, tensor in _trunk_state(arrays, layers).items()}
    for name in ("hidden", "out"):
        state |= arrays.linear(name)
    model.load_state_dict(state)
    return model


class _Arrays:
    """The floating and the int8 arrays of a graph, one after the other; whole numbers that only name axes are passed over."""

    def __init__(self, folder: Path) -> None:
        check_sums(folder)
        self._file = folder / "model.onnx"
        graph = onnx.load(str(self._file)).graph
        told = (numpy_helper.to_array(one) for one in graph.initializer)
        self._left: Iterator[Array] = iter([array for array in told if array.dtype != np.int64])

    def take(self) -> Tensor:
        """Return the next array as it is."""
        array = next(self._left, None)
        if array is None or array.dtype != np.float32:
            raise BadData(f"{self._file} is not a graph that twicetold wrote: its arrays stand in another order")
        return torch.from_numpy(array.copy())

    def matrix(self, *, scale_of_rows: bool = False) -> Tensor:
        """Return the next matrix, widened from its integers and scales."""
        integers = next(self._left, None)
        if integers is None or integers.dtype != np.int8:
            raise BadData(f"{self._file} is not a graph that twicetold wrote: int8 weights were expected")
        scales = self.take()
        wide = torch.from_numpy(integers.astype(np.float32))
        return wide * (scales.reshape(-1, 1) if scale_of_rows else scales)

    def linear(self, name: str) -> dict[str, Tensor]:
        """Return the next weight and bias under the names of a torch Linear."""
        return {f"{name}.weight": self.matrix().T.contiguous(), f"{name}.bias": self.take()}


def _trunk_state(arrays: _Arrays, layers: int) -> dict[str, Tensor]:
    state = {"words.weight": arrays.matrix(scale_of_rows=True), "types.weight": arrays.take(), "places.weight": arrays.take()}
    state |= {"norm.weight": arrays.take(), "norm.bias": arrays.take()}
    for i in range(layers):
        state |= {f"layers.{i}.{name}": tensor for name, tensor in _layer_state(arrays).items()}
    return state


def _layer_state(arrays: _Arrays) -> dict[str, Tensor]:
    joined, bias = arrays.matrix().T.contiguous(), arrays.take()
    state: dict[str, Tensor] = {}
    for name, weight, own in zip(("query", "key", "value"), joined.chunk(3), bias.chunk(3), strict=True):
        state |= {f"{name}.weight": weight.clone(), f"{name}.bias": own.clone()}
    state |= {"mix.weight": arrays.matrix().T.contiguous()}
    state |= {name: arrays.take() for name in ("norm_mix.weight", "norm_mix.bias", "mix.bias")}
    state |= arrays.linear("widen")
    state |= {"narrow.weight": arrays.matrix().T.contiguous()}
    return state | {name: arrays.take() for name in ("norm_narrow.weight", "norm_narrow.bias", "narrow.bias")}
