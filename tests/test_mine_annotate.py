"""Collecting: sheets of posts to label, their labels as questions, and questions suggested by fact-checks."""

import numpy as np
import pytest

from twicetold.answer import RECIPES
from twicetold.collection import Collection, Settings
from twicetold.errors import BadData, BadInput
from twicetold.index.encoder import NO_ENCODER
from twicetold.mine.annotate import kmeans, queries, read_sheet, save_sheet, sheet, to_mythqa
from twicetold.mine.suggest import suggest
from twicetold.posts import Posts
from twicetold.types import FactCheck

TEMPLATE = "Can TOPIC_ENTITY spread COVID-19?"


@pytest.fixture(scope="module")
def posts(tmp_path_factory, demo_posts):
    made = Posts.create(tmp_path_factory.mktemp("posts"))
    for _ in made.add(demo_posts):
        pass
    made.index()
    return made


def labelled(rows, labels):
    return [type(row)(**{**{name: getattr(row, name) for name in row.__slots__}, "label": labels.get(row.id, "")}) for row in rows]


def test_a_sheet_has_the_first_posts_of_every_cluster_and_no_copies(posts):
    rows = sheet(posts, TEMPLATE, ["shoes", "footwear"], clusters=5, each=4)
    assert len({row.id for row in rows}) == len(rows) <= 20
    assert {row.cluster for row in rows} == {1, 2, 3, 4, 5}
    assert {"demo-post-30", "demo-post-100"} <= {row.id for row in rows}
    for cluster in range(1, 6):
        scores = [row.score for row in rows if row.cluster == cluster]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
def test_a_labelled_sheet_becomes_a_question_with_both_sides(posts, tmp_path, name):
    rows = sheet(posts, TEMPLATE, ["shoes"], each=20)
    labels = {"demo-post-30": "supporting", "demo-post-100": "refuting", "demo-post-47": "neutral"}
    save_sheet(labelled(rows, labels), tmp_path / name)
    [record] = to_mythqa(read_sheet(tmp_path / name))
    assert (record["question"], record["topic"]) == ("Can shoes spread COVID-19?", "shoes")
    assert record["answers"] == {"supporting": ["demo-post-30"], "refuting": ["demo-post-100"], "neutral": ["demo-post-47"]}


def test_labels_of_an_entity_question_go_under_its_answer(posts, tmp_path):
    rows = sheet(posts, "Who was TOPIC_ENTITY?", ["Edison"], each=3)
    save_sheet(labelled(rows, {rows[0].id: "s"}), tmp_path / "sheet.csv")
    [record] = to_mythqa(read_sheet(tmp_path / "sheet.csv"))
    assert record["answers"] == {"Edison": {"supporting": [rows[0].id], "refuting": [], "neutral": []}}


def test_an_unknown_label_is_named_with_its_row(posts, tmp_path):
    rows = sheet(posts, TEMPLATE, ["shoes"], each=2)
    save_sheet(labelled(rows, {rows[1].id: "perhaps"}), tmp_path / "sheet.csv")
    with pytest.raises(BadData, match=r"row 3: the label 'perhaps'"):
        read_sheet(tmp_path / "sheet.csv")


def test_a_template_needs_its_place_and_a_name():
    with pytest.raises(BadInput, match="TOPIC_ENTITY"):
        queries("Can shoes spread it?", ["shoes"])
    with pytest.raises(BadInput, match="--alias"):
        queries(TEMPLATE, ["  "])


def test_clusters_find_separate_clouds_and_are_the_same_every_time():
    rng = np.random.default_rng(0)
    clouds = np.concatenate([rng.normal(centre, 0.05, (30, 4)) for centre in (0.0, 1.0, 2.0)]).astype(np.float32)
    marks = kmeans(clouds, 3)
    assert [len(set(marks[at : at + 30])) for at in (0, 30, 60)] == [1, 1, 1]
    assert len(set(marks)) == 3
    assert kmeans(clouds, 3) == marks
    assert kmeans(np.ones((4, 3), np.float32), 3) == [0, 0, 0, 0]


def test_claims_that_say_one_thing_of_different_subjects_suggest_a_question(tmp_path):
    claims = ["Waxed apples cause cancer.", "Scented candles cause cancer.", "Sour honey cures cancer.", "Taylor Swift sang in Rome."]
    with Collection.create(tmp_path, Settings(encoder=NO_ENCODER)) as collection:
        for _ in collection.add(FactCheck(f"c{at}", claim=claim, lang="en") for at, claim in enumerate(claims)):
            pass
        collection.index()
        [suggestion] = suggest(collection, "cancer", RECIPES["bm25"].stage(collection, depth=50))
    assert suggestion.question == "What causes cancer?"
    assert suggestion.answers == ("Waxed apples", "Scented candles")
    assert suggestion.checks == ("c0", "c1")
