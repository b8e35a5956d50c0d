"""The trainings, on tiny models and texts: what a loss does, that a seed gives the same weights, that resuming changes nothing."""

import random

import numpy as np
import pytest

from twicetold.errors import BadData
from twicetold_lab.train.contrast import alter, names_in
from twicetold_lab.train.leaks import Guard, boilerplate
from twicetold_lab.train.noise import add_noise, typos
from twicetold_lab.train.retold import retell

CLAIMS = [
    "Barack Obama was born in Kenya in 1961.",
    "The city of Austin pays 40,000 teachers.",
    "A photograph shows sharks in New Jersey.",
]


def test_a_sentence_that_shares_eight_words_with_a_judged_query_leaks():
    guard = Guard(["a b c d e f g h i j"])
    assert guard.leaks("before: B, c d e f g h — I after")
    assert not guard.leaks("a b c d e f g")


def test_a_line_of_many_bodies_is_boilerplate_and_one_repeated_in_a_body_is_not():
    bodies = [["slogan", f"text {i}", f"text {i}"] for i in range(4)]
    assert boilerplate(bodies, times=4) == {"slogan"}


@pytest.mark.parametrize(
    ("way", "claim", "kept"),
    [("negation", 0, "Kenya in 1961"), ("name", 0, "was born in"), ("number", 1, "The city of"), ("date", 0, "Obama was born in Kenya")],
)
def test_a_contrast_case_changes_what_its_way_says_and_keeps_the_rest(way, claim, kept):
    cases = {case.way: case.text for case in alter(CLAIMS[claim], random.Random(1), names_in(CLAIMS))}
    assert kept in cases[way]
    assert cases[way] != CLAIMS[claim]


def test_negating_a_negated_claim_takes_the_negation_away():
    [case] = [case for case in alter("The law was not passed", random.Random(0), []) if case.way == "negation"]
    assert case.text == "The law was passed"


def test_a_text_no_rule_fits_gives_no_cases():
    assert alter("ok then", random.Random(0), names_in(CLAIMS)) == []


def test_the_same_seed_gives_the_same_noise_and_no_share_gives_none():
    assert [add_noise(c, random.Random(7)) for c in CLAIMS] == [add_noise(c, random.Random(7)) for c in CLAIMS]
    assert [add_noise(c, random.Random(7), share=0) for c in CLAIMS] == CLAIMS


def test_typos_leave_the_first_letters_of_words():
    spoilt = typos("remarkable statements everywhere", random.Random(3), rate=0.5)
    assert spoilt != "remarkable statements everywhere"
    assert [word[0] for word in spoilt.split()] == ["r", "s", "e"]


def test_a_retold_claim_is_told_on_denied_or_asked_about_as_it_is_said_to_be():
    rng = random.Random(0)
    posts = [retell("Shoes can spread the virus.", rng) for _ in range(300)]
    assert {said for _, said in posts} == {"supports", "refutes", "neutral"}
    for post, said in posts:
        text = post.casefold()
        if text in ("yes, shoes can spread the virus", "shoes can spread the virus"):
            assert said == "supports"
        if text in ("shoes can not spread the virus", "yes, shoes can not spread the virus", "false: shoes can spread the virus"):
            assert said == "refutes"
    assert {"Yes, Shoes can spread the virus", "Yes, Shoes can not spread the virus"} <= {post for post, _ in posts}


def test_the_same_seed_retells_the_same():
    assert retell(CLAIMS[0], random.Random(3)) == retell(CLAIMS[0], random.Random(3))


# --- with torch ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="trainings need torch: pip install './lab[train]'")


@pytest.fixture
def tiny_trunk(torch):
    from twicetold_lab.train.trunk import Trunk

    torch.manual_seed(0)
    return Trunk(layers=1, dropout=0.0)


def trained(torch, folder, *, steps, stop=None, resume=False):
    from twicetold_lab.train import loop

    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1)

    def loss(step, rng):
        if step == stop:
            raise KeyboardInterrupt
        x = torch.tensor([[rng.random() for _ in range(4)] for _ in range(8)])
        return (model(x) - x.sum(dim=1, keepdim=True)).square().mean()

    loop.run(model, loss, loop.Plan(folder, steps, rate=0.05, save_every=5), resume=resume)
    return model.weight.detach().numpy().tobytes()


def test_a_seed_gives_the_same_bytes(torch, tmp_path):
    assert trained(torch, tmp_path / "a", steps=20) == trained(torch, tmp_path / "b", steps=20)


def test_a_run_that_was_interrupted_and_resumed_ends_as_one_that_was_not(torch, tmp_path):
    whole = trained(torch, tmp_path / "whole", steps=20)
    with pytest.raises(KeyboardInterrupt):
        trained(torch, tmp_path / "cut", steps=20, stop=13)
    assert trained(torch, tmp_path / "cut", steps=20, resume=True) == whole


def test_the_losses_of_the_reranker_fall_when_the_answer_rises(torch):
    from twicetold_lab.train.reranker import LOSSES

    low, high = torch.tensor([[0.0, 1.0, -torch.inf]]), torch.tensor([[2.0, 1.0, -torch.inf]])
    assert {name: bool(loss(high) < loss(low)) for name, loss in LOSSES.items()} == dict.fromkeys(LOSSES, True)


def test_one_batch_is_learnt_by_heart(torch, tiny_trunk, tmp_path):
    from twicetold_lab.train import loop
    from twicetold_lab.train.heads import PairModel
    from twicetold_lab.train.reranker import listwise, loss_of_lists

    model = PairModel(tiny_trunk, 1, 32)
    lists = [[(CLAIMS[i], CLAIMS[i]), (CLAIMS[i], CLAIMS[i - 1])] for i in range(3)]
    before = loss_of_lists(model, lists, listwise).item()
    loop.run(model, lambda step, rng: loss_of_lists(model, lists, listwise), loop.Plan(tmp_path, 30, rate=1e-3))
    assert loss_of_lists(model, lists, listwise).item() < before / 5


def test_packed_rows_give_what_each_text_gives_alone(torch, tiny_trunk):
    from twicetold_lab.train.tokens import tokenise
    from twicetold_lab.train.trunk import mean_pool

    tiny_trunk.eval()
    together = tokenise(CLAIMS, 32)
    rows = mean_pool(tiny_trunk(together.ids, together.mask), together.mask)
    alone = tokenise(CLAIMS[1:2], 32)
    assert torch.allclose(rows[1], mean_pool(tiny_trunk(alone.ids, alone.mask), alone.mask)[0], atol=1e-5)


def test_the_exported_graph_scores_as_the_torch_model_does(torch, tiny_trunk, tmp_path):
    pytest.importorskip("onnx", reason="exporting needs onnx: pip install './lab[train]'")
    import shutil

    from twicetold.models import shipped
    from twicetold_lab.crossencoder import CrossEncoder
    from twicetold_lab.train.heads import PairModel

    model = PairModel(tiny_trunk, 1, 96).eval()
    model.export(tmp_path, {"name": "tiny"})
    shutil.copy(shipped("tokenizer.json"), tmp_path)
    pairs = [(CLAIMS[0], CLAIMS[1]), (CLAIMS[2], CLAIMS[2])]
    with torch.inference_mode():
        wanted = model(pairs)[:, 0].tolist()
    assert CrossEncoder.load(tmp_path, threads=1).score(pairs) == pytest.approx(wanted, abs=0.02)


def test_training_goes_on_from_what_an_exported_folder_holds(torch, tiny_trunk, tmp_path):
    pytest.importorskip("onnx", reason="exporting needs onnx: pip install './lab[train]'")
    from twicetold_lab.train.heads import PairModel
    from twicetold_lab.train.reread import reread_pair_model, reread_trunk

    model = PairModel(tiny_trunk, 3, 96).eval()
    model.export(tmp_path, {"name": "tiny"})
    pairs = [(CLAIMS[0], CLAIMS[1]), (CLAIMS[2], CLAIMS[2])]
    with torch.inference_mode():
        again = reread_pair_model(tmp_path, 3, 96, layers=1).eval()(pairs)
        assert torch.allclose(again, model(pairs), atol=0.02)
    for name, tensor in reread_trunk(tmp_path, layers=1).state_dict().items():
        original = tiny_trunk.state_dict()[name]
        assert (tensor - original).abs().max() <= original.abs().max() / 200, name


def test_a_folder_of_another_maker_is_not_reread(torch, tmp_path):
    onnx = pytest.importorskip("onnx", reason="exporting needs onnx: pip install './lab[train]'")
    from twicetold_lab.train.reread import reread_trunk

    named = onnx.numpy_helper.from_array(np.zeros((2, 2), np.float32), "somebody.else")
    (tmp_path / "model.onnx").write_bytes(onnx.helper.make_model(onnx.helper.make_graph([], "g", [], [], [named])).SerializeToString())
    with pytest.raises(BadData, match="is not a graph that twicetold wrote"):
        reread_trunk(tmp_path)


def test_without_a_trained_encoder_trainings_start_from_the_shipped_one(torch, tmp_path):
    pytest.importorskip("onnx", reason="rereading needs onnx: pip install './lab[train]'")
    from twicetold.index.encoder import Encoder
    from twicetold.models import shipped
    from twicetold_lab.train.encoder import Bi, trained_trunk

    with torch.inference_mode():
        vectors = Bi(trained_trunk(tmp_path)).eval()(CLAIMS).numpy()
    wanted = Encoder.load(shipped("encoder")).encode(CLAIMS)
    assert (vectors * wanted).sum(axis=1) == pytest.approx(1, abs=1e-3)


def test_the_shortest_place_of_an_answer_is_found_whatever_its_case(torch):
    from twicetold_lab.train.reader import find_answer

    assert find_answer("He said NEW-YORK twice: New York", ["new york"]) == (8, 16)
    assert find_answer("He said nothing", ["new york"]) is None


def test_the_temperature_softens_a_model_that_is_too_sure(torch):
    from twicetold_lab.train.stance import temperature

    logits = torch.tensor([[8.0, 0, 0], [8.0, 0, 0], [8.0, 0, 0], [0, 8.0, 0]])
    assert temperature(logits, torch.tensor([0, 0, 1, 1])) > 2


def test_token_vectors_are_taught_to_point_where_the_whole_texts_do(torch):
    from twicetold_lab.train.static import teach

    rng = np.random.default_rng(0)
    words, meant = rng.normal(size=(30, 8)) / 10, rng.normal(size=(30, 8))
    texts = [list(rng.choice(30, size=5, replace=False)) for _ in range(400)]
    wanted = np.stack([meant[ids].sum(axis=0) for ids in texts])

    def nearness(table):
        made = np.stack([table[ids].sum(axis=0) for ids in texts])
        return float(np.mean((made * wanted).sum(axis=1) / np.linalg.norm(made, axis=1) / np.linalg.norm(wanted, axis=1)))

    taught = teach(words.astype(np.float32), texts, wanted, epochs=150)
    assert nearness(words) < 0.2
    assert nearness(taught) > 0.9
