"""The multi-hop reader: heads hear each other, one batch can be learnt, and what ships is what was trained."""

import shutil

import pytest

from twicetold.answer import HYBRID, RECIPES
from twicetold.collection import Collection
from twicetold.marking import shown
from twicetold.models import shipped
from twicetold.stage import ask, chain
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, KeySentence, Match, Ranking
from twicetold_lab.context.hop_reader import CLASSES, SIGNALS, HopReader, Node, hop_signals, nodes_of, pair_of
from twicetold_lab.context.key_sentences import key_sentences

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
hops = pytest.importorskip("twicetold_lab.train.hops")
graphs = pytest.importorskip("twicetold_lab.train.graphs")
trunks = pytest.importorskip("twicetold_lab.train.trunk")

NODES = (Node("Bridges", "The bridge was opened in 1932."), Node("Bridges", "It is made of steel."), Node("Tea", "Tea is brown."))
CLAIM = "The bridge opened in 1932."


@pytest.fixture(scope="module")
def net():
    torch.manual_seed(0)
    return hops.HopNet(trunks.Trunk(layers=2, dropout=0.0)).eval()


@pytest.fixture(scope="module")
def reader(net, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "hops"
    hops.export(net, folder)
    # Exported models share one tokenizer, which stands beside their folders.
    shutil.copy(shipped("tokenizer.json"), folder.parent / "tokenizer.json")
    return HopReader.load(folder, threads=1)


def graph(nodes, claim=CLAIM):
    return [pair_of(claim, node) for node in nodes]


def test_the_classes_add_up_to_one(net):
    chances, weights = net([graph(NODES), graph(NODES[:1])])
    assert chances.sum(1).tolist() == pytest.approx([1.0, 1.0], abs=1e-5)
    assert (chances.shape, weights.shape) == ((2, len(CLASSES)), (4,))


def test_a_graph_is_read_alone_as_beside_others(net):
    together, _ = net([graph(NODES), graph(NODES[1:])])
    alone, _ = net([graph(NODES)])
    assert together[0].tolist() == pytest.approx(alone[0].tolist(), abs=1e-5)


def test_the_order_of_nodes_does_not_matter(net):
    there, _ = net([graph(NODES)])
    back, _ = net([graph(NODES[::-1])])
    assert there[0].tolist() == pytest.approx(back[0].tolist(), abs=1e-5)


def test_a_node_hears_the_others_but_not_itself():
    torch.manual_seed(1)
    hop = hops.Hop()
    torch.nn.init.normal_(hop.mix.weight, std=0.05)
    heads = torch.randn(3, 384)
    moved = heads.clone()
    moved[2] += 1.0
    assert not torch.allclose(hop(heads)[0], hop(moved)[0])
    # With itself alone to hear it would be deaf; a graph of one node hears itself instead.
    assert torch.isfinite(hop(heads[:1])).all()


def test_one_batch_can_be_learnt():
    torch.manual_seed(0)
    learner = hops.HopNet(trunks.Trunk(layers=2, dropout=0.0))
    claims = ("The bridge is open.", "The bridge is shut.", "Tea is brown.")
    batch = [
        hops.Example(claim, NODES[i : i + 1] + NODES[2:], label, (True, None))
        for i, (claim, label) in enumerate(zip(claims, (2, 1, 0), strict=True))
    ]
    optimizer = torch.optim.AdamW([p for p in learner.parameters() if p.requires_grad], lr=1e-3)
    losses = []
    for _ in range(25):
        loss = hops.loss_of(learner, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_what_ships_answers_as_what_was_trained(net, reader):
    for nodes in (NODES, NODES[:1]):
        chances, _ = net([graph(nodes)])
        # int8 weights: a hundredth is their rounding.
        assert list(reader.read(CLAIM, nodes).values()) == pytest.approx(chances[0].tolist(), abs=0.02)


def test_the_signals_of_the_first_matches_keep_the_laws_and_the_order(reader, demo):
    stage = hop_signals(demo, reader, depth=2)
    rankings = ask(RECIPES["bm25"].stage(demo, depth=4), [Claim("a", "Vaccines cause autism"), Claim("b", "?!")])
    check_stage(stage, rankings, role="explainer")
    [answer, _] = stage(rankings)
    assert [round(sum(match.signals[name] for name in SIGNALS), 4) for match in answer.matches] == [1.0] * 4
    assert answer.matches[2].signals["hops.neither"] == 1.0


def test_nodes_are_claim_title_and_the_best_sentences_without_repeats():
    check = FactCheck("x", claim="A.", title="A.", body="B. C.")
    match = Match(check, 1.0, keys=(KeySentence("B.", 0, 0.9), KeySentence("C.", 3, 0.8)))
    assert [node.text for node in nodes_of(match, sentences=1)] == ["A.", "B."]


def test_evidence_that_points_both_ways_is_left_out_and_the_rest_becomes_graphs():
    told = [{"article": "T", "evidence": "E", "evidence_label": "SUPPORTS"}]
    records = [{"claim": "c", "claim_label": label, "evidences": told} for label in ("SUPPORTS", "DISPUTED", "REFUTES")]
    assert [one.label for one in graphs.climate(records)] == [2, 1]


def test_ranking_without_matches_stays_so(reader, demo):
    assert hop_signals(demo, reader)([Ranking(Claim("c", "x"))]) == [Ranking(Claim("c", "x"))]


def test_before_any_step_it_says_what_the_stance_model_says_of_the_nodes_on_average():
    heads = pytest.importorskip("twicetold_lab.train.heads")
    torch.manual_seed(0)
    stance = heads.PairModel(trunks.Trunk(layers=2, dropout=0.0), 3, 96).eval()
    start = hops.HopNet.of_stance(stance).eval()
    with torch.no_grad():
        chances, _ = start([graph(NODES)])
        apart = stance(graph(NODES)).softmax(1).mean(0)  # supports, refutes, neutral
    assert chances[0].tolist() == pytest.approx([apart[2].item(), apart[1].item(), apart[0].item()], abs=1e-5)


def test_what_the_stance_model_was_taught_is_not_tested_on():
    found = {"healthver": [hops.Example(claim, NODES, 1, (None,) * 3) for claim in "abc"]}
    made = graphs.split(found, {"healthver": {"b"}})
    assert ([one.claim for one in made.train["healthver"]], [one.claim for one in made.test["healthver"]]) == (["a", "c"], ["b"])


# --- key sentences -------------------------------------------------------------------------------------------------


def test_the_key_sentence_stands_in_the_body_where_it_says(demo, demo_claims):
    for ranking in ask(chain(HYBRID.stage(demo, depth=3), key_sentences(demo)), demo_claims[:20]):
        for match in ranking.matches:
            assert [match.doc.body[key.at : key.at + len(key.text)] for key in match.keys] == [key.text for key in match.keys]
            assert match.signals["sentence"] == match.keys[0].score


def test_the_key_sentence_is_the_one_that_speaks_of_the_claim(tmp_path):
    body = "Our desk gets many letters. Readers asked whether garlic cures the flu. The weather was fine that day. We thank them all."
    with Collection.create(tmp_path) as collection:
        list(collection.add([FactCheck("a", claim="x", body=body, lang="en"), FactCheck("b", claim="y", body="Nothing here. At all.")]))
        collection.index()
        [ranking] = ask(chain(RECIPES["bm25"].stage(collection), key_sentences(collection)), [Claim("c", "Does garlic cure flu?")])
    [key] = ranking.matches[0].keys
    assert shown(key, ("<", ">"), ("", "")) == "Readers asked whether <garlic> <cures> the <flu>."


def test_a_fact_check_without_a_body_has_no_key_sentence(tmp_path):
    with Collection.create(tmp_path) as collection:
        list(collection.add([FactCheck("a", claim="garlic cures the flu")]))
        collection.index()
        [ranking] = ask(chain(HYBRID.stage(collection), key_sentences(collection)), [Claim("c", "garlic")])
    assert ranking.matches[0].keys == ()
