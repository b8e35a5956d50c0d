"""MTM taught: the penalty acts, a resumed run ends where the uninterrupted one does, what ships is what was taught."""

import dataclasses
import json
import random
import shutil

import numpy as np
import pytest

from twicetold.answer import RECIPES
from twicetold.answer.explain import explained
from twicetold.errors import BadData
from twicetold.models import shipped, write_sums
from twicetold.rank.mtm.article import sentences_of
from twicetold.rank.mtm.keys import KEYS
from twicetold.rank.mtm.model import WITHOUT_SENTENCES, Mtm
from twicetold.rank.mtm.pairing import Pairing
from twicetold.rank.mtm.stages import key_sentences, rerank
from twicetold.stage import ask, chain
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Post, Ranking, ranked
from twicetold_lab.mtm.candidates import Asked, Task

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
rot = pytest.importorskip("twicetold_lab.train.mtm.rot")
run = pytest.importorskip("twicetold_lab.train.mtm.run")
arps = pytest.importorskip("twicetold_lab.train.mtm.arp")
teach = pytest.importorskip("twicetold_lab.train.mtm.teach")
starts = pytest.importorskip("twicetold_lab.train.mtm.start")
trunks = pytest.importorskip("twicetold_lab.train.trunk")
loop = pytest.importorskip("twicetold_lab.train.loop")
VARIANTS = pytest.importorskip("twicetold_lab.train.mtm.variants").VARIANTS

ARTICLES = {
    "moon": "A post says the moon is made of cheese. There is no evidence for this. Rock was brought home by astronauts.",
    "tea": "Tea was said to cure colds. Doctors say it does not. It is warm and pleasant.",
    "bridge": "The bridge was never sold. A photograph shows it in 1932. The claim is an old joke.",
    "one": "Only this sentence stands here.",
    "none": "",
}
CLAIMS = {"moon": "the moon is made of cheese", "tea": "tea can cure colds", "bridge": "the bridge was sold in 1932"}


def task():
    articles = {id: sentences_of(FactCheck(id, body=body)) for id, body in ARTICLES.items()}
    asked = tuple(Asked(f"q-{id}", text, tuple(ARTICLES), (5.0, 4.0, 3.0, 2.0, 1.0), frozenset([id]), False) for id, text in CLAIMS.items())
    return Task("tiny", {"train": asked, "dev": asked[:2], "test": asked[2:]}, articles)


@pytest.fixture(scope="module")
def start():
    tokenizers = pytest.importorskip("tokenizers")
    torch.manual_seed(0)
    shape = trunks.Shape(width=16, heads=2, widened=32, places=128)
    return starts.Start("tiny", trunks.Trunk(2, 0.0, shape), tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json"))))


@pytest.fixture(scope="module")
def prepared(start):
    return run.prepare(task(), start, None)


def fresh(prepared, variant="MTM"):
    torch.manual_seed(0)
    patterns = np.random.default_rng(0).normal(size=(4, 16)).astype(np.float32)
    return arps.Arp(run.shorter(prepared.trunk, (0, 1), dropout=0.0), patterns, VARIANTS[variant])


PAIRS = [("q-moon", "moon"), ("q-tea", "moon"), ("q-tea", "one")]


@pytest.mark.parametrize("by_token", [True, False])
def test_the_penalty_grows_with_the_change_and_has_a_gradient(start, by_token):
    made = rot.untaught(start.trunk, by_token=by_token)
    assert made.change().item() == 0.0
    with torch.no_grad():
        made.trunk.places.weight[0, 0] += 2.0
    assert made.change().item() == pytest.approx(4.0)
    made.change().backward()
    assert made.trunk.places.weight.grad[0, 0].item() == pytest.approx(4.0)


@pytest.mark.parametrize("by_token", [True, False])
def test_rot_learns_rouge_and_its_penalty_holds_it_back(prepared, start, tmp_path, by_token):
    some = rot.quotes(task().claims["train"], prepared.encoded, random.Random(0))
    taught = {}
    for penalty in (0.0, 1.0):
        torch.manual_seed(0)
        taught[penalty] = rot.untaught(start.trunk, by_token=by_token)
        rot.teach(taught[penalty], some, loop.Plan(tmp_path / str(penalty), 200, rate=1e-2), penalty=penalty)
    assert min(rot.explained(taught[0.0], some)) > 0.3  # always saying the mean explains nothing
    assert taught[1.0].change().item() < taught[0.0].change().item() / 2


def test_a_token_is_quoted_if_it_begins_a_pair_that_both_texts_have():
    pair = Pairing(cls=101, sep=102).join([1, 2, 3, 9, 5], [7, 2, 3, 5, 1])
    # The pair (2, 3); 1 and 5 stand in both texts, but beside others.
    assert [place for place, is_quoted in enumerate(rot.begin_shared_pairs(pair)) if is_quoted] == [2, 8]


def test_heads_that_look_for_likes_attend_most_to_the_same_token(start):
    layer = run.shorter(start.trunk, (0,)).layers[0]
    rot.look_for_likes(layer, heads=1, sharpness=3.0)
    torch.manual_seed(0)
    x = torch.nn.functional.normalize(torch.randn(6, 16)) * 4
    x[4] = x[1]
    asked, keys = (linear(x)[:, :8] for linear in (layer.query, layer.key))
    others = [place for place in range(6) if place not in (1, 4)]
    assert (asked[1] @ keys[4]).item() > max((asked[1] @ keys[place]).item() for place in others)


def test_examples_are_half_with_a_shared_pair_and_half_without(prepared):
    rng = random.Random(0)
    some = rot.balanced(rot.quotes(task().claims["train"], prepared.encoded, rng), rng)
    shared = sum(one.rouge[0] > 0 for one in some)
    assert 0 < shared <= len(some) <= 2 * shared


def test_the_published_way_keeps_one_example_of_each_label(prepared):
    some = rot.quotes(task().claims["train"], prepared.encoded, random.Random(0))
    kept = rot.distinct(some)
    assert [one.rouge for one in kept] == list(dict.fromkeys(one.rouge for one in some))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_scores_and_can_learn_a_batch(prepared, variant):
    arp, source = fresh(prepared, variant), prepared.source
    arp.eval()
    labels = torch.tensor([1, 0, 0])
    optimizer = torch.optim.Adam([p for p in arp.parameters() if p.requires_grad], 1e-2)
    losses = []
    for _ in range(60):
        logits, _ = arp(PAIRS, source)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]


def test_embeddings_and_first_layer_stay_as_rot_left_them(prepared):
    arp = fresh(prepared)
    trainable = {name for name, p in arp.trunk.named_parameters() if p.requires_grad}
    assert trainable == {name for name, _ in arp.trunk.named_parameters() if name.startswith("layers.1.")}


def test_an_article_is_scored_alone_as_beside_others(prepared):
    arp = fresh(prepared).eval()
    together, _ = arp(PAIRS, prepared.source)
    alone, _ = arp(PAIRS[1:2], prepared.source)
    assert together[1].tolist() == pytest.approx(alone[0].tolist(), abs=1e-5)


def test_the_log_odds_begin_as_a_balance_of_what_is_known_without_learning(prepared):
    arp, source = fresh(prepared).eval(), prepared.source
    lists = teach.Lists.of(task().claims["train"], source, 5)
    teach.begin(arp, lists, source)
    asked = [("q-moon", "moon"), ("q-moon", "tea")]
    with torch.no_grad():
        logits, _ = arp(asked, source)
    right, wrong = (logits[:, 1] - logits[:, 0]).tolist()
    assert right > 0 > wrong
    balanced = (
        source.known(asked, [arp.nearest(*pair, source) for pair in asked]) @ arp.balance.weight.detach().numpy()[0]
        + arp.balance.bias.item()
    )
    assert [right, wrong] == pytest.approx(balanced.tolist(), abs=1e-5)


def test_even_odds_are_even_among_all_candidates_and_no_order_changes(prepared):
    arp, source = fresh(prepared).eval(), prepared.source
    asked = task().claims["train"]
    teach.begin(arp, teach.Lists.of(asked, source, 5), source)
    before = [teach.scores(arp, one, source) for one in asked]
    teach.settle(arp, asked, source)
    after = [teach.scores(arp, one, source) for one in asked]
    shifts = {round(new - old, 4) for one, other in zip(before, after, strict=True) for old, new in zip(one, other, strict=True)}
    assert len(shifts - {0.0}) == 1  # the article without words has no odds to shift
    assert max(shifts - {0.0}) < 0  # of four candidates one is right


def test_votes_are_right_or_wrong_by_the_chance_of_the_true_label(prepared):
    arp = fresh(prepared)
    residuals = prepared.source.vectors.residuals("q-moon", "moon")
    chosen = arp.nearest("q-moon", "moon", prepared.source).first(KEYS)
    arp.vote(residuals, chosen, 0.9)
    arp.vote(residuals, chosen, 0.2)
    assert arp.right_weight.sum().item() == pytest.approx(3 * 0.4)
    assert arp.wrong_weight.sum().item() == pytest.approx(3 * 0.3)
    assert arp.end_epoch() > 0
    assert arp.right_weight.sum().item() == arp.wrong_total.abs().sum().item() == 0


def test_wrong_candidates_come_from_the_first_ones_and_have_sentences(prepared):
    lists = teach.Lists.of(task().claims["train"], prepared.source, 2)
    assert lists.rows[0] == ("q-moon", ["moon"], ["tea"])
    drawn = lists.draw(random.Random(0), 6)
    assert [one.is_right for one in drawn] == [True, False] * 3


def test_a_resumed_run_ends_where_the_uninterrupted_one_does(prepared, tmp_path):
    budget = teach.Budget(batch=2, epoch=2, rate=1e-3)
    dev = teach.Dev(task().claims["dev"], prepared.source)
    lists = teach.Lists.of(task().claims["train"], prepared.source, 5)
    plan = loop.Plan(tmp_path / "whole", 4, rate=1e-3, save_every=1)
    whole = fresh(prepared)
    teach.teach(whole, lists, dev, plan, budget)
    halves = fresh(prepared)
    folder = tmp_path / "halves"
    with pytest.raises(KeyboardInterrupt):
        teach.teach(halves, Interrupted(lists, after=3), dev, dataclasses.replace(plan, folder=folder), budget)
    resumed = fresh(prepared)
    teach.teach(resumed, lists, dev, dataclasses.replace(plan, folder=folder), budget, resume=True)
    assert resumed.patterns.tolist() == whole.patterns.tolist()
    assert resumed.classifier[0].weight.tolist() == whole.classifier[0].weight.tolist()


class Interrupted:
    """Lists that stop the run after some steps."""

    def __init__(self, lists, *, after):
        self._lists, self._left = lists, after

    def draw(self, rng, size):
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        return self._lists.draw(rng, size)


# --- what ships is what was taught ---------------------------------------------------------------------------------


def exported(prepared, folder, variant="MTM"):
    export = pytest.importorskip("twicetold_lab.train.mtm.export")
    arp = fresh(prepared, variant).eval()
    export.export(arp, prepared, folder, {"trained_on": "tiny"})
    shutil.copy(shipped("tokenizer.json"), folder.parent / "tokenizer.json")
    return arp, Mtm.load(folder, threads=1)


@pytest.mark.parametrize("variant", ["MTM", "MTM printed", "w/o PMB", "w/ avg. pool", "w/o pattern aggr.", "MTM legacy"])
def test_the_exported_model_scores_as_the_taught_one(prepared, tmp_path, variant):
    arp, model = exported(prepared, tmp_path / "mtm", variant)
    articles = [task().articles[doc] for doc in ("moon", "tea", "one")]
    with torch.no_grad():
        logits, chosen = arp([("q-moon", doc) for doc in ("moon", "tea", "one")], prepared.source)
    readings = model.read(CLAIMS["moon"], articles)
    assert [reading.score for reading in readings] == pytest.approx((logits[:, 1] - logits[:, 0]).tolist(), abs=0.05)
    places = [[articles[row].index(key.sentence) for key in reading.keys] for row, reading in enumerate(readings)]
    assert places == [keys.place.tolist() for keys in chosen]


def test_a_model_that_begins_with_other_numbers_is_refused(prepared, tmp_path):
    exported(prepared, tmp_path / "mtm")
    file = tmp_path / "mtm" / "weights.npz"
    with np.load(file) as saved:
        arrays = dict(saved)
    np.savez(file, **{**arrays, "balance": arrays["balance"][:3]})
    write_sums(tmp_path / "mtm")
    with pytest.raises(BadData, match="begins with 3 numbers of an article where this one knows 5; train it again"):
        Mtm.load(tmp_path / "mtm")


@pytest.fixture(scope="module")
def model(prepared, tmp_path_factory):
    return exported(prepared, tmp_path_factory.mktemp("models") / "mtm")[1]


def rankings():
    docs = [FactCheck(id, body=body) for id, body in ARTICLES.items()]
    asked = [Claim("q1", CLAIMS["moon"]), Claim("q2", "月亮是奶酪做的"), Claim("q3", "cheese " * 500)]
    return [*(ranked(one, [Match(doc, 1.0 / n) for n, doc in enumerate(docs, start=1)]) for one in asked), ranked(Claim("q4", "tea"), [])]


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_the_reranker_keeps_the_laws(model, share):
    check_stage(rerank(model, first=4, share=share), rankings(), role="reranker")


def test_the_explainer_keeps_the_laws(model):
    check_stage(key_sentences(model, first=4), rankings(), role="explainer")


def test_key_sentences_say_their_place_scores_and_pattern(model):
    first = key_sentences(model)(rankings())[0].matches[0]
    for key in first.keys:
        assert first.doc.body[key.at :].startswith(key.text)
    assert first.keys[0].why.startswith("mtm: near the claim ")
    assert "near pattern" in first.keys[0].why


def test_an_article_without_sentences_keeps_its_score_and_one_of_one_is_read(model):
    [ranking] = rerank(model)(rankings()[:1])
    [bare] = [match for match in ranking.matches if match.doc.id == "none"]
    assert (bare.score, bare.signals["mtm"]) == (0.0, WITHOUT_SENTENCES)  # it was found last
    best = ranked(Claim("q", CLAIMS["moon"]), [Match(FactCheck("bare", claim=CLAIMS["moon"]), 9.0), *rankings()[0].matches])
    [ranking] = rerank(model, share=0.5)([best])
    assert ranking.matches[0].doc.id == "bare"
    assert [len(match.keys) for match in ranking.matches if match.doc.id == "one"] == [1]


def test_a_post_among_the_matches_is_not_read(model):
    [ranking] = rerank(model)([ranked(Claim("q", "tea"), [Match(Post("p", "Tea."), 1.0)])])
    assert ranking.matches[0].signals["mtm"] == WITHOUT_SENTENCES


def test_five_thousand_sentences_are_chosen_from_within_the_limit(model):
    body = " ".join(f"Sentence number {n} is here." for n in range(5000))
    [keys] = model.keys("Sentence number 7 is here.", [sentences_of(FactCheck("a", body=body))])
    assert keys[0].sentence.text == "Sentence number 7 is here."


def test_of_a_claim_longer_than_the_window_the_stretch_most_like_the_sentence_is_read(prepared):
    filling = "nobody remembers what was said there about anything at all " * 8
    long = Asked("q-long", f"{filling} tea can cure colds {filling}", ("tea",), (1.0,), frozenset(["tea"]), False)
    encoded = type(prepared.encoded).of(Task("long", {"train": (long,)}, task().articles), starts_tokenizer())
    read, beginning = (encoded.pair("q-long", "tea", 0, is_stretched=stretched) for stretched in (True, False))
    [tea] = starts_tokenizer().encode("tea", add_special_tokens=False).ids
    assert tea in read.ids[read.claim_span]
    assert tea not in beginning.ids[beginning.claim_span]


def test_what_a_long_claim_says_late_counts(model):
    article = [task().articles["moon"]]
    filling = "nobody remembers what was said there about anything at all " * 8
    assert model.read(f"{filling} the moon is made of cheese", article)[0].score != model.read(f"{filling} the end", article)[0].score


def starts_tokenizer():
    return starts.tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json")))


def test_the_window_is_that_of_the_training(prepared):
    assert prepared.encoded.pairing == Pairing.of(starts_tokenizer())


# --- rows of the tables --------------------------------------------------------------------------------------------

cross = pytest.importorskip("twicetold_lab.train.mtm.cross")
ctm = pytest.importorskip("twicetold_lab.train.mtm.ctm")


@pytest.fixture
def lists(prepared):
    return teach.Lists.of(task().claims["train"], prepared.source, 5)


def test_bert_reads_the_beginning_of_an_article_after_the_claim(prepared):
    texts = cross.Texts(prepared.encoded)
    pair = texts.one("q-tea", "tea")
    assert pair.ids[pair.claim_span] == tuple(prepared.encoded.claims["q-tea"])
    assert pair.ids[pair.sentence_span] == tuple(token for sentence in prepared.encoded.articles["tea"] for token in sentence)


def test_bert_and_duobert_learn_the_training_claims(prepared, lists, tmp_path):
    texts = cross.Texts(prepared.encoded)
    torch.manual_seed(0)
    plan = loop.Plan(tmp_path / "bert", 120, rate=1e-2)
    bert = cross.by_bert(cross.teach_bert(run.shorter(prepared.trunk, (0, 1), dropout=0.0), lists, texts, plan), texts)
    duo_plan = loop.Plan(tmp_path / "duo", 300, rate=1e-2)
    duo = cross.by_duo(cross.teach_duo(run.shorter(prepared.trunk, (0, 1), dropout=0.0), lists, texts, duo_plan), bert, texts)
    assert [best(bert, one) for one in task().claims["train"]] == ["moon", "tea", "bridge"]
    with_words = [dataclasses.replace(one, candidates=one.candidates[:4]) for one in task().claims["train"]]
    assert [best(duo, one) for one in with_words] == ["moon", "tea", "bridge"]


def test_ctm_learns_the_training_claims(prepared, lists, tmp_path):
    torch.manual_seed(0)
    model, sights = ctm.Ctm(16), ctm.Sights.of(prepared.encoded, prepared.trunk.eval())
    ctm.teach(model, lists, sights, loop.Plan(tmp_path, 40, rate=3e-3))
    scorer = ctm.by_ctm(model, sights)
    assert [best(scorer, one) for one in task().claims["train"]] == ["moon", "tea", "bridge"]
    assert scorer(task().claims["train"][0])[-1] == -1e9  # the article without words


def best(scorer, one):
    return max(zip(scorer(one), one.candidates, strict=True))[1]


# --- any BERT-like folder ------------------------------------------------------------------------------------------


def bert_folder(folder, trunk, *, prefix="bert."):
    from safetensors.torch import save_file

    names = trunks.published_names(len(trunk.layers))
    state = trunk.state_dict()
    save_file({prefix + theirs: state[ours].contiguous() for ours, theirs in names.items()}, str(folder / "model.safetensors"))
    sizes = {"vocab_size": 8, "hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 32}
    (folder / "config.json").write_text(json.dumps({**sizes, "max_position_embeddings": 128, "num_hidden_layers": len(trunk.layers)}))
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "tea", "月", "亮"]), encoding="utf-8")
    return folder


@pytest.fixture
def small():
    torch.manual_seed(3)
    return trunks.Trunk(2, 0.0, trunks.Shape(words=8, width=16, heads=2, widened=32, places=128)).eval()


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_a_bert_like_folder_is_read_with_its_tokenizer(tmp_path, small, prefix):
    found = starts.from_folder(bert_folder(tmp_path, small, prefix=prefix), dropout=0.0)
    ids = torch.tensor([found.tokenizer.encode("tea 月亮", add_special_tokens=False).ids])
    assert ids.tolist() == [[5, 6, 7]]
    mask = torch.ones_like(ids, dtype=torch.bool)
    assert found.trunk.eval()(ids, mask).tolist() == small(ids, mask).tolist()


@pytest.mark.parametrize("lost", ["config.json", "model.safetensors", "vocab.txt"])
def test_a_folder_that_lacks_a_file_is_refused_by_its_name(tmp_path, small, lost):
    (bert_folder(tmp_path, small) / lost).unlink()
    with pytest.raises(BadData, match=lost):
        starts.from_folder(tmp_path)


def test_a_folder_of_another_kind_of_model_is_refused(tmp_path, small):
    bert_folder(tmp_path, small, prefix="gpt.")
    with pytest.raises(BadData, match="not a BERT-like model"):
        starts.from_folder(tmp_path)


# --- the recipe ----------------------------------------------------------------------------------------------------


def test_the_recipe_reranks_by_the_model_that_is_named_and_keeps_its_key_sentences(prepared, demo, demo_claims, monkeypatch, tmp_path):
    exported(prepared, tmp_path / "mtm")
    monkeypatch.setenv("TWICETOLD_MTM", str(tmp_path / "mtm"))
    stage = RECIPES["mtm"].stage(demo, depth=5)
    check_stage(stage, [Ranking(claim) for claim in demo_claims[:2]])
    [ranking] = ask(chain(stage, explained(demo)), demo_claims[:1])
    assert ranking.matches[0].keys
    assert all(key.why.startswith("mtm:") for match in ranking.matches for key in match.keys)
    assert any(key.marks for match in ranking.matches for key in match.keys)
