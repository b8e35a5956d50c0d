"""Texts to vectors: the shipped encoder, the static table, and folders a user brings."""

import json
import shutil

import numpy as np
import pytest

from twicetold.errors import BadData
from twicetold.index.encoder import Encoder, Pooling, StaticEncoder
from twicetold.models import SUMS, shipped

TEXTS = [
    "The moon landing was filmed in a studio.",
    "Unemployment fell to 4% in 2019.",
    "Unemployment fell to 40% in 2019.",
    "",
    "Apollo astronauts never walked on the moon; it was staged by a film crew in Nevada, according to a viral post.",
    "🙂",
    "The moon landing was filmed in a studio.",
]


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(threads=1)


@pytest.fixture(scope="module")
def static():
    return StaticEncoder.load()


def copy_of(name, tmp_path):
    folder = tmp_path / name
    shutil.copytree(shipped(name), folder)
    shutil.copy(shipped("tokenizer.json"), folder)
    return folder


@pytest.mark.parametrize("name", ["encoder", "static"])
def test_every_row_has_length_one(name, request):
    vectors = request.getfixturevalue(name).encode([text for text in TEXTS if text])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_without_tokens_gets_a_zero_row_from_the_static_table(static):
    assert not static.encode([""]).any()


@pytest.mark.parametrize("name", ["encoder", "static"])
def test_a_vector_is_the_same_to_the_last_bit_alone_and_in_any_batch(name, request):
    model = request.getfixturevalue(name)
    alone = np.concatenate([model.encode([text]) for text in TEXTS])
    assert np.array_equal(model.encode(TEXTS), alone)
    assert np.array_equal(model.encode(TEXTS[::-1])[::-1], alone)


def test_the_number_of_threads_does_not_change_a_vector(encoder):
    assert np.array_equal(Encoder.load(threads=2).encode(TEXTS), encoder.encode(TEXTS))


@pytest.mark.parametrize("name", ["encoder", "static"])
def test_nothing_in_gives_no_rows(name, request):
    model = request.getfixturevalue(name)
    assert model.encode([]).shape == (0, model.dim)


def test_a_paraphrase_is_nearer_than_another_topic(encoder):
    studio, jobs, crew = encoder.encode([TEXTS[0], TEXTS[1], TEXTS[4]])
    assert studio @ crew > studio @ jobs + 0.2


def test_a_longer_limit_lets_a_late_word_count(encoder):
    long = "word " * 200
    short_sight = encoder.encode([long + "moon", long + "tax"])
    assert np.array_equal(short_sight[0], short_sight[1])
    far_sight = Encoder.load(max_tokens=256, threads=1).encode([long + "moon", long + "tax"])
    assert not np.array_equal(far_sight[0], far_sight[1])


def test_a_folder_brought_by_the_user_gives_the_same_vectors_as_the_shipped_one(encoder, tmp_path):
    folder = copy_of("encoder", tmp_path)
    (folder / SUMS).unlink()
    (folder / "model.json").unlink()
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    brought = Encoder.load(folder, threads=1)
    assert np.array_equal(brought.encode(TEXTS), encoder.encode(TEXTS))
    assert (brought.version, brought.name) == (encoder.version, "encoder")


@pytest.mark.parametrize(("name", "file", "load"), [("encoder", "model.onnx", Encoder), ("static", "vectors.npz", StaticEncoder)])
def test_a_damaged_file_is_named(name, file, load, tmp_path):
    folder = copy_of(name, tmp_path)
    weights = bytearray((folder / file).read_bytes())
    weights[len(weights) // 2] ^= 1
    (folder / file).write_bytes(weights)
    with pytest.raises(BadData, match=f"{file} is damaged"):
        load.load(folder)


def test_a_missing_file_is_named(tmp_path):
    folder = copy_of("encoder", tmp_path)
    (folder / "model.onnx").unlink()
    with pytest.raises(BadData, match=r"model.onnx is missing"):
        Encoder.load(folder)


def test_a_graph_that_onnxruntime_cannot_read_is_named(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    shutil.copy(shipped("tokenizer.json"), tmp_path)
    with pytest.raises(BadData, match=r"model.onnx cannot be read"):
        Encoder.load(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadData, match=r"no model folder at .*nowhere"):
        Encoder.load(tmp_path / "nowhere")


def test_a_model_of_a_later_format_is_refused_kindly(tmp_path):
    folder = copy_of("encoder", tmp_path)
    (folder / SUMS).unlink()
    (folder / "model.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(BadData, match="format 99, newer than 1"):
        Encoder.load(folder)


TWO_LAYERS = [np.array([[3.0, 0.0], [0.0, 4.0]]), np.array([[0.0, 1.0], [0.0, 3.0]])]


@pytest.mark.parametrize(
    ("said", "vector"),
    [
        ({}, [3 / 5, 4 / 5]),  # the mean (1.5, 2) as a unit
        ({"pooling_mode_max_tokens": True}, [3 / 5, 4 / 5]),
        ({"pooling_mode_cls_token": True}, [1.0, 0.0]),
        ({"pooling_mode_max_tokens": True, "output": -1}, [0.0, 1.0]),
        ({"output": -2}, [3 / 5, 4 / 5]),
    ],
)
def test_token_vectors_are_pooled_as_the_folder_says(tmp_path, said, vector):
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(said))
    assert Pooling.read(tmp_path)(TWO_LAYERS).tolist() == pytest.approx(vector)


def test_a_layer_that_the_graph_does_not_give_is_named():
    with pytest.raises(BadData, match=r"gives 2 outputs; 1_Pooling/config\.json wants number -3"):
        Pooling(output=-3)(TWO_LAYERS)
