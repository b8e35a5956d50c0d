"""What a straightforward script does: sentence-transformers encodes every post, FAISS finds the nearest claims and titles.

    python -m bench.straightforward CORPUS.jsonl POSTS.jsonl ANSWERS.jsonl VECTORS.npy

Started by `bench.screen` with a Python that has torch, sentence-transformers, faiss and onnx. The corpus is encoded once and kept in
VECTORS.npy; only posts are timed, by the processor time of this one thread. Prints one JSON object: times, and the rates of matrix
products here.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from bench.peers import weights

TOP = 10
ROWS, IN, OUT = 2048, 384, 1536
"""The shape of the encoder's largest products: a batch of tokens, its width, and that of its inner layer."""


def main(corpus: Path, posts: Path, answers: Path, kept: Path) -> None:
    """Answer the posts and print the times."""
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    model = SentenceTransformer(str(weights()), device="cpu")
    checks = [json.loads(line) for line in corpus.open(encoding="utf-8")]
    index = faiss.IndexFlatIP(384)
    index.add(_corpus_vectors(model, checks, kept))
    texts = [json.loads(line) for line in posts.open(encoding="utf-8")]
    model.encode([texts[0]["text"]])
    started = time.process_time()
    vectors = model.encode([post["text"] for post in texts], normalize_embeddings=True, show_progress_bar=False)
    encoded = time.process_time()
    _, nearest = index.search(np.asarray(vectors, np.float32), 3 * TOP)
    ids = [list(dict.fromkeys(checks[at % len(checks)]["id"] for at in row))[:TOP] for row in nearest]
    done = time.process_time()
    with answers.open("w", encoding="utf-8") as file:
        for post, found in zip(texts, ids, strict=True):
            file.write(json.dumps({"id": post["id"], "checks": found}) + "\n")
    tokens = sum(len(one) for one in model.tokenizer([post["text"] for post in texts])["input_ids"])
    print(
        json.dumps(
            {
                "posts": len(texts),
                "seconds": done - started,
                "seconds_encoding": encoded - started,
                "tokens_a_post": tokens / len(texts),
                "fp32_gflops": float_rate(),
                "int8_gops": byte_rate(),
            }
        )
    )


def _corpus_vectors(model: SentenceTransformer, checks: list[dict[str, str]], kept: Path) -> Any:
    if not kept.is_file():
        texts = [check[field] or "." for field in ("claim", "title") for check in checks]
        np.save(kept, model.encode(texts, normalize_embeddings=True, show_progress_bar=False).astype(np.float32))
    return np.load(kept)


def float_rate(repeats: int = 20) -> float:
    """Billions of floating-point operations a second of a float32 matrix product on one core, the best of a few."""
    a, b = torch.rand(ROWS, IN), torch.rand(IN, OUT)
    return _best(lambda: a @ b, repeats)


def byte_rate(repeats: int = 20) -> float:
    """The same of onnxruntime's product of bytes, by the inputs' ranges fixed beforehand."""
    import onnx
    import onnxruntime

    one = onnx.helper.make_tensor_value_info("a", onnx.TensorProto.UINT8, [ROWS, IN])
    product = onnx.helper.make_tensor_value_info("c", onnx.TensorProto.INT32, [ROWS, OUT])
    rng = np.random.default_rng(0)
    other = onnx.numpy_helper.from_array(rng.integers(-64, 64, (IN, OUT)).astype(np.int8), "b")
    graph = onnx.helper.make_graph([onnx.helper.make_node("MatMulInteger", ["a", "b"], ["c"])], "bytes", [one], [product], [other])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    a = rng.integers(0, 255, (ROWS, IN)).astype(np.uint8)
    return _best(lambda: session.run(None, {"a": a}), repeats)


def _best(run: Any, repeats: int) -> float:
    times = []
    for _ in range(repeats):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return round(2 * ROWS * IN * OUT / min(times) / 1e9, 1)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
