"""The benchmark made of rumour threads, the paper's pipeline beside ours, and what each does with many posts."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from mining import CueStance

from twicetold.cli import main
from twicetold.errors import BadData
from twicetold.mine.nli import columns
from twicetold.types import Stance
from twicetold_lab.datasets.stance import StancePair
from twicetold_lab.mining import tables
from twicetold_lab.mining.benchmark import contested_only, demo, rumour, rumoureval
from twicetold_lab.mining.fitting import candidates, fit_about, weigh_signals
from twicetold_lab.mining.pipelines import Legacy, Ours, Paper, yes_no
from twicetold_lab.mining.stances import macro, nearest, score


def write(folder, posts, structures, labels):
    folder.mkdir(parents=True)
    (folder / "posts.json").write_text(json.dumps({id: {"time": 1407605414.0, "text": text} for id, text in posts.items()}))
    (folder / "structures.json").write_text(json.dumps(structures))
    (folder / "post_id.txt").write_text("\n".join(labels))
    (folder / "post_label.txt").write_text("\n".join(labels.values()))


@pytest.fixture
def root(tmp_path):
    base = tmp_path / "stance" / "rumoureval-2017"
    said = "BREAKING: The bridge in Ottawa is closed http://t.co/x #Ottawa"
    posts = {"1": said, "2": "@a no it is not", "3": "@b are you sure?", "4": "yes, I saw it"}
    write(base / "test", posts, {"1": {"1": {"2": {"9": {"3": []}}, "4": []}}}, {"1": "0", "2": "2", "3": "1", "4": "0"})
    write(base / "traindev", {"5": "A shark swims in the street"}, {"5": {"5": []}}, {"5": "0"})
    return tmp_path


def test_a_thread_becomes_a_question_with_both_sides(root):
    benchmark = rumoureval(root, "test", distractors=False)
    [question] = benchmark.questions
    assert question.question.text == "Is it true that The bridge in Ottawa is closed?"
    yes, no = question.answers
    assert (yes.supporting, no.supporting) == (("re-1", "re-4"), ("re-2",))
    assert contested_only(benchmark).questions == benchmark.questions


def test_a_reply_to_a_deleted_post_hangs_on_what_was_above(root):
    parents = {post.id: post.parent for post in rumoureval(root, "test", distractors=False).posts}
    assert parents == {"re-1": "", "re-2": "re-1", "re-3": "re-2", "re-4": "re-1", "re-5": ""}


def test_a_thread_nobody_denies_has_one_answer(root):
    benchmark = rumoureval(root, "traindev", distractors=False)
    assert [answer.text for answer in benchmark.questions[0].answers] == ["yes"]
    assert contested_only(benchmark).questions == ()


def test_a_rumour_is_the_post_without_its_shouting():
    assert rumour("BREAKING: Police order all shops closed. http://t.co/x #Paris") == "Police order all shops closed"


@pytest.fixture(scope="module")
def opened():
    with tables.opened(demo()) as (posts, benchmark):
        yield posts, benchmark


def test_considering_more_posts_does_not_cost_us_the_first_place(opened):
    posts, benchmark = opened
    wall = next(question for question in benchmark.questions if "Great Wall" in question.question.text)
    read = Ours(posts, CueStance()).evidence(wall.question.text)
    assert read(10)[0][0] in wall.answers[0].supporting
    assert read(1000)[0][0] in wall.answers[0].supporting


def test_the_papers_order_is_that_of_the_stance_alone(opened):
    posts, _ = opened
    supporting, _ = Paper(posts, CueStance()).evidence("Is the Great Wall of China visible from space?")(1000)
    found = posts.store.with_ids(supporting)
    rows = CueStance().read([("Is the Great Wall of China visible from space? Answer is: yes", found[id].text) for id in supporting])
    assert np.diff(rows[:, 0]).max(initial=0) <= 1e-6


def test_switching_the_label_order_swaps_the_sides(opened):
    posts, _ = opened
    question = "Was the Apollo 11 Moon landing faked?"
    supporting, refuting = Paper(posts, CueStance()).evidence(question)(100)
    assert Paper(posts, CueStance(), Legacy(label_order=True)).evidence(question)(100) == (refuting, supporting)


def test_a_side_without_posts_is_no_answer():
    assert [answer.text for answer in yes_no((("a",), ()))] == ["yes"]
    assert yes_no(((), ())) == []


def test_relevance_is_learnt_from_words_and_vectors(opened):
    fitted = fit_about([opened])
    assert fitted["near"] > 0
    assert fitted["bias"] < 0


def test_every_choice_of_weights_is_scored(opened):
    table = weigh_signals([opened], k=20)
    assert len(table) == 16
    assert all(0 <= recall <= 1 for _, recalls in table for recall in recalls)
    assert any(one.side == "refuting" for some in candidates(*[opened[0], opened[1].questions[:1]]) for one in some)


def test_stances_are_scored_by_class():
    pairs = [
        StancePair("1", "the bridge is closed", "the bridge is closed today", Stance.SUPPORTS, "", ""),
        StancePair("2", "the bridge is closed", "the bridge is not closed", Stance.REFUTES, "", ""),
        StancePair("3", "the bridge is closed", "is the bridge closed?", Stance.NEUTRAL, "", ""),
        StancePair("4", "the bridge is closed", "the bridge: no comment", Stance.NEUTRAL, "", ""),
    ]
    supports, refutes, neutral = score(CueStance(), pairs)
    assert (supports.f1, refutes.precision, neutral.recall) == (100.0, 50.0, 50.0)
    # F1 of refutes is 2 · .5 · 1 / 1.5, of neutral 2 · 1 · .5 / 1.5: both two thirds.
    assert macro([supports, refutes, neutral]) == pytest.approx((100 + 200 / 3 + 200 / 3) / 3)


def test_of_an_article_the_sentences_about_the_claim_are_read():
    article = "The weather was fine. " * 30 + "The bridge in Ottawa is closed. " + "People ate lunch. " * 30
    assert nearest("Is the Ottawa bridge closed", article, chars=100).count("The bridge in Ottawa is closed.") == 1


def test_an_nli_models_classes_are_known_by_name_in_any_order(tmp_path):
    assert columns({0: "contradiction", 1: "neutral", 2: "entailment"}, tmp_path) == [[2], [0], [1]]
    assert columns({0: "ENTAILMENT", 1: "neutral", 2: "Contradiction"}, tmp_path) == [[0], [2], [1]]
    assert columns({0: "support", 1: "comment", 2: "deny", 3: "discuss"}, tmp_path) == [[0], [2], [1, 3]]
    with pytest.raises(BadData, match="LABEL_0"):
        columns({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, tmp_path)
    with pytest.raises(BadData, match="no refutation"):
        columns({0: "entailment", 1: "neutral"}, tmp_path)


def test_retrieval_is_scored_on_the_demo_questions():
    printed = CliRunner().invoke(main, ["lab", "mining", "retrieval", "--on", "demo", "--json"], catch_exceptions=False).stdout
    measures = json.loads(printed)["measures"]
    assert measures["both: Hits@10"]["value"] == 100.0
    assert measures["both: denials found@100"]["value"] >= measures["words: denials found@100"]["value"]
