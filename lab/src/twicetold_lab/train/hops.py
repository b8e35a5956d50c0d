"""Train the multi-hop reader: a claim against claim, title and best sentences of an article, each read apart but talking to each other.

Every node is the sequence [CLS] title. text [SEP] claim [SEP], the order in which the stance model, whose trunk and head this one starts
from, reads. After each of the last three layers the nodes' first vectors attend to one another (graph attention, Veličković et al. 2018,
no node to itself) and take up what they hear: the extra hop of Transformer-XH (Zhao et al. 2020). A node is the mean of its vectors plus
what it heard in the last hop. The answer is Σ weight(node) · softmax(classes of the node), the weights a softmax over nodes. So before
any step the answer is the mean of what the stance model says of each node.

Differences from the published code: the loss is the logarithm of the right class's final probability (there, probabilities are
put through another softmax as if they were logits), a node is more than its first vector, and the trunk is MiniLM's six layers instead of
BERT's twelve. The graphs it learns from are made by `graphs`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from twicetold.mine.stance import ORDER
from twicetold.models import shipped
from twicetold.types import Stance
from twicetold_lab.context.hop_reader import CLASSES, MAX_TOKENS, pair_of
from twicetold_lab.train import loop
from twicetold_lab.train.export import Graph, _embed, _layer
from twicetold_lab.train.graphs import Example, Graphs
from twicetold_lab.train.heads import PairModel, _array, add_mean, write_settings
from twicetold_lab.train.tokens import tokenise
from twicetold_lab.train.trunk import WIDTH, Trunk, mean_pool

_STANCES = {"neither": Stance.NEUTRAL, "refutes": Stance.REFUTES, "supports": Stance.SUPPORTS}
HOPS = 3
HEADS = 12
BATCH = 6


class Hop(nn.Module):
    """Lets the heads of a graph's sequences attend to one another once."""

    def __init__(self) -> None:
        super().__init__()
        self.value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.sends, self.hears = nn.Parameter(torch.zeros(HEADS, WIDTH // HEADS)), nn.Parameter(torch.zeros(HEADS, WIDTH // HEADS))
        self.residual = nn.Linear(WIDTH, WIDTH)
        self.mix = nn.Linear(2 * WIDTH, WIDTH)
        nn.init.normal_(self.sends, std=0.02)
        nn.init.normal_(self.hears, std=0.02)
        # At the start the heads pass through as they are, so the trunk's knowledge is not shaken.
        nn.init.zeros_(self.mix.bias)
        with torch.no_grad():
            self.mix.weight.copy_(torch.cat([torch.zeros(WIDTH, WIDTH), torch.eye(WIDTH)], dim=1))

    def forward(self, heads: Tensor) -> Tensor:
        """heads: (N, D), the nodes of one graph. Returns the same shape."""
        n = len(heads)
        value = self.value(heads).view(n, HEADS, -1)  # (N, H, D/H)
        pull = (value * self.hears).sum(2)[:, None] + (value * self.sends).sum(2)[None]  # (N, N, H): row hears column
        pull = F.leaky_relu(pull, 0.2).masked_fill(torch.eye(n, dtype=torch.bool)[:, :, None] & (n > 1), -1e9)
        heard = torch.einsum("ijh,jhd->ihd", pull.softmax(1), value).reshape(n, WIDTH)  # (N, D)
        return self.mix(torch.cat([F.relu(heard + self.residual(heads)), heads], dim=1))  # type: ignore[no-any-return]


class HopNet(nn.Module):
    """The trunk with hops in its last layers, a weight for each node and three classes."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.hops = nn.ModuleList(Hop() for _ in range(min(HOPS, len(trunk.layers))))
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.weigh = nn.Linear(WIDTH, 1)
        self.classify = nn.Linear(WIDTH, len(CLASSES))

    @classmethod
    def of_stance(cls, model: PairModel) -> HopNet:
        """Start from a stance model: its trunk, its head, and the same weight for every node."""
        net = cls(model.trunk)
        places = [ORDER.index(_STANCES[name]) for name in CLASSES]
        net.pool.load_state_dict(model.hidden.state_dict())
        net.classify.load_state_dict({name: tensor[places] for name, tensor in model.out.state_dict().items()})
        nn.init.zeros_(net.weigh.weight)
        nn.init.zeros_(net.weigh.bias)
        return net

    def forward(self, graphs: Sequence[Sequence[tuple[str, str]]]) -> tuple[Tensor, Tensor]:
        """Read graphs of (claim, node) pairs; return the classes' probabilities (B, 3) and the nodes' weights before softmax (ΣN,)."""
        sizes = [len(graph) for graph in graphs]
        tokens = tokenise([pair for graph in graphs for pair in graph], MAX_TOKENS)
        first = F.pad(tokens.mask.sum(1).cumsum(0)[:-1], (1, 0))  # (ΣN,), the rows of the heads
        x = _embedded(self.trunk, tokens.ids, tokens.mask, tokens.types)  # (T, D)
        quiet = len(self.trunk.layers) - len(self.hops)
        means = heard = x[first]
        for number, layer in enumerate(self.trunk.layers):
            x = layer(x, tokens.mask)
            if number >= quiet:
                heads = torch.cat([self.hops[number - quiet](one) for one in x[first].split(sizes)])
                means, heard = mean_pool(x, tokens.mask), heads - x[first]
                x = x.index_copy(0, first, heads)
        pooled = torch.tanh(self.pool(means + heard))  # (ΣN, D)
        weights, classes = self.weigh(pooled).squeeze(1), self.classify(pooled).softmax(1)
        parts = zip(weights.split(sizes), classes.split(sizes), strict=True)
        return torch.stack([weight.softmax(0) @ told for weight, told in parts]), weights


def _embedded(trunk: Trunk, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
    places = torch.arange(ids.shape[1]).expand_as(ids)[mask]
    return trunk.norm(trunk.words(ids[mask]) + trunk.places(places) + trunk.types(types[mask]))  # type: ignore[no-any-return]


# --- learning ------------------------------------------------------------------------------------------------------


def train(graphs: Graphs, out: Path, *, start: Path | None, steps: int = 400, seed: int = 0, resume: bool = False) -> None:
    """Train on graphs and write the ONNX model folder to `out`, with `scores.json` on the graphs kept for testing.

    Starts from the stance model in `start`, or the shipped one. The embeddings and the lowest layers, those without hops, stay as it has
    them.
    """
    from twicetold_lab.train.reread import reread_pair_model

    net = HopNet.of_stance(reread_pair_model(start or shipped("stance"), len(ORDER), MAX_TOKENS))
    net.trunk.freeze(len(net.trunk.layers) - HOPS)
    before = {name: measure(net.eval(), some) for name, some in graphs.test.items()}

    def step(_: int, rng: random.Random) -> Tensor:
        return loss_of(net, [graphs.draw(rng) for _ in range(BATCH)])

    loop.run(net, step, loop.Plan(out / "training", steps, rate=1e-4, seed=seed), resume=resume)
    export(net.eval(), out)
    after = {name: measure(net, some) for name, some in graphs.test.items()}
    (out / "scores.json").write_text(json.dumps({"before": before, "after": after}, indent=1) + "\n", encoding="utf-8")


def measure(net: HopNet, examples: Sequence[Example], *, most: int = 300) -> dict[str, float]:
    """Return the share of graphs whose class is told right, the mean F1 of the classes there are, and how many graphs that was."""
    some = list(examples)[:most]
    told: list[int] = []
    with torch.no_grad():
        for start in range(0, len(some), 8):
            chances, _ = net([[pair_of(one.claim, node) for node in one.nodes] for one in some[start : start + 8]])
            told += chances.argmax(1).tolist()
    right = [one.label for one in some]
    scores = [_f1(label, told, right) for label in sorted(set(right))]
    return {"accuracy": sum(map(int.__eq__, told, right)) / len(some), "f1": sum(scores) / len(scores), "graphs": len(some)}


def _f1(label: int, told: list[int], right: list[int]) -> float:
    hits = sum(one == other == label for one, other in zip(told, right, strict=True))
    return 2 * hits / (told.count(label) + right.count(label))


def loss_of(net: HopNet, examples: Sequence[Example]) -> Tensor:
    """− log of the right class's probability, and, where it is known which nodes tell anything, their weights' cross-entropy."""
    chances, weights = net([[pair_of(one.claim, node) for node in one.nodes] for one in examples])
    labels = torch.tensor([one.label for one in examples])
    loss = F.nll_loss(chances.clamp_min(1e-6).log(), labels)
    known = [told for one in examples for told in one.telling]
    chosen = torch.tensor([told is not None for told in known])
    if chosen.any():
        wanted = torch.tensor([float(bool(told)) for told in known])[chosen]
        loss = loss + 0.5 * F.binary_cross_entropy_with_logits(weights[chosen], wanted)
    return loss


# --- export --------------------------------------------------------------------------------------------------------


def export(net: HopNet, out: Path) -> None:
    """Write the net as an ONNX graph that reads one article's nodes, (N, L) tokens, and gives (3,) probabilities and (N,) weights."""
    graph = Graph()
    weights = {name: tensor.detach().numpy() for name, tensor in net.trunk.state_dict().items()}
    x = _embed(graph, weights)
    mask = graph.node("Cast", "attention_mask", to=6)  # INT32
    quiet = len(net.trunk.layers) - len(net.hops)
    for i in range(len(net.trunk.layers)):
        layer = {name.removeprefix(f"layers.{i}."): array for name, array in weights.items() if name.startswith(f"layers.{i}.")}
        x = _layer(graph, x, mask, layer)
        if i >= quiet:
            hop = net.hops[i - quiet]
            assert isinstance(hop, Hop)
            means = add_mean(graph, x)
            x, heard = _add_hop(graph, x, hop)
    node = graph.node("Add", means, heard)
    pooled = graph.node("Tanh", graph.linear(node, _array(net.pool.weight), _array(net.pool.bias)))  # (N, D)
    weigh = graph.linear(pooled, _array(net.weigh.weight), _array(net.weigh.bias))  # (N, 1)
    share = graph.node("Softmax", weigh, axis=0)
    classes = graph.node("Softmax", graph.linear(pooled, _array(net.classify.weight), _array(net.classify.bias)), axis=1)  # (N, 3)
    final = graph.node("MatMul", graph.node("Transpose", share, perm=[1, 0]), classes)  # (1, 3)
    one = graph.constant(np.array([0]))
    graph.save(out / "model.onnx", {"chances": graph.node("Squeeze", final, one), "shares": share})
    write_settings(out, {"name": "hops", "kind": "hops", "classes": list(CLASSES)})


def _first(graph: Graph, x: str) -> str:
    return graph.node("Gather", x, graph.constant(np.array(0)), axis=1)  # (N, D)


def _add_hop(graph: Graph, x: str, hop: Hop) -> tuple[str, str]:
    """Add a hop; returns the tokens with their new heads (N, L, D) and what the heads heard (N, D)."""
    heads = _first(graph, x)
    value = graph.node("MatMul", heads, graph.weights(_array(hop.value.weight).T))
    value = graph.node("Reshape", value, graph.constant(np.array([0, HEADS, WIDTH // HEADS])))  # (N, H, D/H)
    axis2 = graph.constant(np.array([2]))
    hears, sends = (
        graph.node("ReduceSum", graph.node("Mul", value, graph.constant(_array(one))), axis2, keepdims=0) for one in (hop.hears, hop.sends)
    )  # (N, H)
    pull = graph.node(
        "Add", graph.node("Unsqueeze", hears, graph.constant(np.array([1]))), graph.node("Unsqueeze", sends, graph.constant(np.array([0])))
    )
    pull = graph.node("LeakyRelu", pull, alpha=0.2)  # (N, N, H)
    square = graph.node("ReduceSum", pull, axis2, keepdims=0)  # (N, N), only for its shape
    itself = graph.node("Unsqueeze", graph.node("EyeLike", square, dtype=1), axis2)
    pull = graph.node("Softmax", graph.node("Add", pull, graph.node("Mul", itself, graph.constant(np.array(-1e9, np.float32)))), axis=1)
    by_head = graph.node("Transpose", pull, perm=[2, 0, 1])  # (H, N, N)
    heard = graph.node("MatMul", by_head, graph.node("Transpose", value, perm=[1, 0, 2]))  # (H, N, D/H)
    heard = graph.node("Reshape", graph.node("Transpose", heard, perm=[1, 0, 2]), graph.constant(np.array([0, WIDTH])))  # (N, D)
    taken = graph.node("Relu", graph.node("Add", heard, graph.linear(heads, _array(hop.residual.weight), _array(hop.residual.bias))))
    mixed = graph.linear(graph.node("Concat", taken, heads, axis=1), _array(hop.mix.weight), _array(hop.mix.bias))
    rest = graph.node("Slice", x, *(graph.constant(np.array([value])) for value in (1, 1 << 30, 1)))
    heard = graph.node("Sub", mixed, heads)
    return graph.node("Concat", graph.node("Unsqueeze", mixed, graph.constant(np.array([1]))), rest, axis=1), heard
