"""The shipped stance model, reader and check-worthiness: laws, whole files, sensible answers."""

import shutil
from itertools import pairwise

import numpy as np
import pytest

from twicetold.errors import BadData
from twicetold.index.encoder import Encoder
from twicetold.mine.protocols import Reader, StanceModel
from twicetold.mine.reader import SpanReader
from twicetold.mine.stance import ORDER, StanceReader
from twicetold.models import shipped
from twicetold.rank.checkworthy import CheckWorthiness
from twicetold.types import Stance


@pytest.fixture(scope="module")
def stance():
    return StanceReader.load(threads=1)


@pytest.fixture(scope="module")
def reader():
    if not shipped("reader").is_dir():
        pytest.skip("the reader's weights do not ship yet: make them with 'twicetold train reader'")
    return SpanReader.load(threads=1)


PAIRS = [
    ("A man is eating.", "A man is eating a large meal in a restaurant."),
    ("A man is eating.", "The man is asleep and nobody is eating anything."),
    ("The tower is in Paris.", "Bread prices rose again last year."),
]


def test_stances_are_probabilities_and_do_not_depend_on_the_batch(stance):
    together = stance.read(PAIRS)
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)
    assert np.array_equal(together, np.concatenate([stance.read([pair]) for pair in PAIRS]))
    assert stance.read([]).shape == (0, 3)


def test_plain_support_and_an_unrelated_text_are_told_apart(stance):
    read = [ORDER[int(row.argmax())] for row in stance.read(PAIRS)]
    assert (read[0], read[2]) == (Stance.SUPPORTS, Stance.NEUTRAL)


def test_the_stance_model_is_what_mining_asks_for(stance):
    assert isinstance(stance, StanceModel)


def test_the_reader_is_what_mining_asks_for(reader):
    assert isinstance(reader, Reader)


def test_an_answer_is_the_words_at_its_place_and_no_longer_than_asked(reader):
    texts = ["The prize went to Maria Lopez on Friday in Lisbon.", "Nothing here.", ""]
    found = reader.spans("Who won the prize?", texts)
    assert [[text[span.start : span.end] == span.words for span in spans] for text, spans in zip(texts, found, strict=True)] == [
        [True] * len(spans) for spans in found
    ]
    assert "Lopez" in found[0][0].words
    assert all(len(span.words.split()) <= 8 for spans in found for span in spans)


def test_spans_of_a_text_do_not_depend_on_the_other_texts_and_do_not_overlap(reader):
    texts = ["Ann met Bob in Rome.", "Prices rose by 4% in May."]
    together = reader.spans("Who met Bob?", texts)
    assert together == [reader.spans("Who met Bob?", [text])[0] for text in texts]
    for spans in together:
        ordered = sorted(spans, key=lambda span: span.start)
        assert all(one.end <= other.start for one, other in pairwise(ordered))


def test_only_spans_that_beat_no_answer_are_answers(reader):
    texts = ["Ann met Bob in Rome.", "lol", "The weather is fine."]
    for answers, spans in zip(reader.answers("Who met Bob?", texts), reader.spans("Who met Bob?", texts), strict=True):
        assert answers == [span for span in spans if span.score > span.no_answer]


def test_a_checkable_figure_is_worthier_than_thanks():
    worth = CheckWorthiness.load(encoder=Encoder.load(threads=1))
    figure, thanks = worth.score(
        ["We lost 600,000 manufacturing jobs to China between 2001 and 2008.", "Thank you very much, it's good to be here."]
    )
    assert figure > 0.5 > thanks


def test_check_worthiness_refuses_another_encoder(tmp_path):
    folder = tmp_path / "checkworthy"
    shutil.copytree(shipped("checkworthy"), folder)
    settings = (folder / "model.json").read_text().replace(Encoder.load(threads=1).version, "0123456789ab")
    (folder / "model.json").write_text(settings)
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(BadData, match="belongs to encoder 0123456789ab"):
        CheckWorthiness.load(folder)


@pytest.mark.parametrize(("name", "load"), [("stance", StanceReader)])
def test_a_damaged_model_is_named(name, load, tmp_path):
    folder = tmp_path / name
    shutil.copytree(shipped(name), folder)
    with (folder / "model.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\x00\x01\x02\x03\x04\x05\x06\x07")
    with pytest.raises(BadData, match=r"model.onnx is damaged"):
        load.load(folder)


def test_all_shipped_models_together_stay_small():
    names = ("encoder", "static", "checkworthy", "reranker", "stance", "reader")
    total = sum(file.stat().st_size for name in names for file in shipped(name).rglob("*") if file.is_file())
    assert total < 110e6
