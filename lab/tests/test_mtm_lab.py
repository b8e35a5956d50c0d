"""MTM's experiments: candidates with a right one among them, baselines on the same ones, the rule for key sentences, sets to judge."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.errors import BadData, BadInput
from twicetold.rank.mtm.article import Sentence
from twicetold.rank.mtm.keys import choose
from twicetold.rank.mtm.model import Mtm
from twicetold.types import Claim, Post
from twicetold_lab.mtm import baselines, keyrule
from twicetold_lab.mtm.candidates import Asked, Plan, Setup, Task, asked, read_task, splits_of, spread
from twicetold_lab.mtm.gather import distinct, gather, nameless, with_pictures
from twicetold_lab.mtm.patterns import Seen, described, plane
from twicetold_lab.mtm.rows import record_of, run_of, scorer_of

ROOT = Path(__file__).parent / "layouts"

# --- candidates ----------------------------------------------------------------------------------------------------


def first_of(collection, text, depth=30):
    return [collection.store.fetch([num])[num].id for num, _ in collection.text.search("body", text, "en", depth=depth)]


def test_candidates_are_the_best_by_words_with_their_scores(demo):
    claim = next(iter(demo.store)).body[:200]
    order = first_of(demo, claim)
    one = asked(demo, "q", claim, {"q": {order[0]: 1}}, 3)
    assert (one.candidates, one.is_forced) == (tuple(order[:3]), False)
    assert list(one.scores) == sorted(one.scores, reverse=True)


def test_a_right_article_that_was_not_found_takes_the_last_place(demo):
    claim = next(iter(demo.store)).body[:200]
    order = first_of(demo, claim)
    one = asked(demo, "q", claim, {"q": {order[-1]: 1}}, 3)
    assert (one.candidates, one.is_forced) == ((*order[:2], order[-1]), True)
    assert one.scores[-1] == 0.0


def test_a_task_is_read_from_the_publishers_files_without_their_answers():
    task = read_task("volee2020", ROOT, Plan(depth=2))
    assert all(any(doc in one.right for doc in one.candidates) for some in task.claims.values() for one in some)
    assert {doc for some in task.claims.values() for one in some for doc in one.candidates} == task.articles.keys()


def test_tweets_can_be_taken_without_their_pictures_text():
    whole, plain = (read_task("volee2020", ROOT, Plan(images=images)) for images in (True, False))
    lengths = [sum(len(one.text) for some in task.claims.values() for one in some) for task in (whole, plain)]
    assert lengths[1] < lengths[0]
    assert (whole.name, plain.name) == ("volee2020", "volee2020-plain")  # what is kept of one is not taken for the other


def test_articles_of_the_test_are_in_the_training_only_when_claims_are_dealt_alone():
    from twicetold_lab.datasets import Dataset

    claims = {"q1": "a", "q2": "a", "q3": "b", "q4": "b"}
    splits = {"train": ("q1", "q3"), "dev": (), "test": ("q2", "q4")}
    splits |= {"unseen/train": ("q1", "q2"), "unseen/dev": (), "unseen/test": ("q3", "q4")}
    dataset = Dataset(
        "tiny", lambda: iter(()), tuple(Claim(id, id) for id in claims), {claim: {doc: 1} for claim, doc in claims.items()}, splits
    )
    for unseen, shared in ((True, set()), (False, {"a", "b"})):
        parts = splits_of(dataset, unseen=unseen)
        assert {claims[id] for id in parts["train"]} & {claims[id] for id in parts["test"]} == shared


def test_claims_are_taken_at_even_distances():
    assert list(spread(list("abcdefgh"), 4)) == ["a", "c", "e", "g"]
    assert list(spread(["a"], 4)) == ["a"]


def test_a_set_without_a_test_split_is_tested_on_its_dev():
    from twicetold_lab.datasets import load

    parts = splits_of(load("factchecktweet", ROOT))
    assert set(parts) == {"train", "dev", "test"}
    assert not set(parts["train"]) & set(parts["dev"])


# --- baselines -----------------------------------------------------------------------------------------------------


def task_of(claims=12):
    """Claims whose right article is the second by BM25 and has the larger cosines."""
    some = tuple(Asked(f"q{n}", f"claim {n}", ("a", "b", "c"), (3.0, 2.0, 1.0), frozenset("b"), False) for n in range(claims))
    return Task("tiny", {"train": some, "dev": some[:4], "test": some[:4]}, {doc: (Sentence(0, doc),) for doc in "abc"})


def cosines_of(task):
    turned = {"a": [0.2, 0.98], "b": [0.9, 0.43], "c": [0.1, 0.99]}
    articles = {doc: np.array([vector, [0.0, 1.0]]) for doc, vector in turned.items()}
    return baselines.Cosines({one.id: np.array([1.0, 0.0]) for one in task.claims["train"]}, articles)


def test_bm25_is_measured_on_its_own_candidates():
    task = task_of()
    record = record_of(run_of("BM25", scorer_of("BM25", Setup(task, None)), task), task)
    assert {name: found["value"] for name, found in record["measures"].items()} == {
        "MRR": 1 / 2, "MAP@1": 0.0, "MAP@3": 1 / 2, "MAP@5": 1 / 2, "HIT@3": 1.0, "HIT@5": 1.0,
    }  # fmt: skip
    assert record["queries"] == 4


def test_the_best_cosines_come_first_and_missing_ones_last():
    assert cosines_of(task_of()).best("q0", "b", 3) == pytest.approx([0.9, 0.0, -1.0])


def test_vectors_kept_of_other_claims_are_made_anew(tmp_path):
    few, many = task_of(4), task_of(12)
    for task in (few, many):
        made = baselines.cosines(task, tmp_path / "cosines.npz")
        assert made.claims.keys() == {one.id for one in task.claims["train"]}


def test_sentence_bert_and_ranksvm_learn_that_cosines_tell():
    task = task_of()
    vectors = cosines_of(task)
    for scorer in (baselines.sentence_bert(task, vectors), baselines.ranksvm(task, vectors)):
        scores = scorer(task.claims["test"][0])
        assert max(scores) == scores[1]


def test_equal_scores_are_ordered_by_id_and_never_by_the_candidates():
    task = Task("tiny", {"test": (Asked("q", "", ("c", "a"), (1.0, 1.0), frozenset("a"), False),)}, {})
    assert [doc.id for doc in run_of("same", lambda one: [0.0, 0.0], task).answers[0].docs] == ["a", "c"]


def test_pairs_are_decided_at_even_odds():
    task = task_of()
    record = record_of(run_of("odds", lambda one: [1.0, 2.0, -1.0], task), task)
    assert record["pairs"] == pytest.approx({"precision": 1 / 2, "recall": 1.0, "F1": 2 / 3})


def test_an_unknown_row_is_refused():
    pytest.importorskip("torch", reason="rows that are taught need the extra 'train'")
    with pytest.raises(BadInput, match="no row is called"):
        scorer_of("BERTIE", Setup(task_of(), None))


# --- the rule for key sentences ------------------------------------------------------------------------------------

STATEMENT = keyrule.Statement.of("Hillary Clinton sold uranium to Russia in exchange for donations")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The post said Clinton sold American uranium to Russia for donations.", True),  # most of its words
        ("He repeated: \"uranium to Russia in exchange\" is what happened.", True),  # five words in a row
        ("There is no evidence that Clinton took part in the uranium decision.", True),  # a quarter, and a judgement
        ("Clinton was asked about uranium.", False),  # a quarter, no judgement
        ("That is false.", False),  # a judgement of nothing in particular
        ("", False),
    ],
)  # fmt: skip
def test_a_key_sentence_quotes_the_statement_or_judges_it(sentence, expected):
    assert keyrule.is_key(sentence, STATEMENT) is expected


def test_hits_are_of_the_first_and_of_any_of_three():
    sentences = tuple(Sentence(n, f"s{n}") for n in range(4))
    one = Asked("q", "", (), (), frozenset(), False)
    pairs = [keyrule.Pair(one, "a", sentences, key) for key in ((False, True, False, False), (True, False, False, False))]
    found = keyrule.judged(pairs, keyrule.Choice.of(pairs, keyrule.first))
    assert (found["hit@1"]["value"], found["hit@3"]["value"]) == (0.5, 1.0)


def test_people_judge_each_chosen_sentence_once_and_their_majority_decides():
    sentences = tuple(Sentence(n, f"s{n}") for n in range(4))
    pairs = [keyrule.Pair(Asked("q", "claim", (), (), frozenset(), False), "a", sentences, (True,) * 4)]
    choices = [keyrule.Choice([[0, 1]], 0.0), keyrule.Choice([[1, 3]], 0.0)]
    units = keyrule.units(pairs, choices)
    assert [(unit["id"], unit["claim"], unit["sentence"]) for unit in units] == [(f"q a {n}", "claim", f"s{n}") for n in (0, 1, 3)]
    [pair] = keyrule.by_people(pairs, choices, {"q a 0": "no", "q a 1": "yes", "q a 3": None})
    assert pair.is_key == (False, True, False, False)
    with pytest.raises(BadData, match="1 of 3 sentences are not judged, the first is 'q a 3'"):
        keyrule.by_people(pairs, choices, {"q a 0": "no", "q a 1": "yes"})


@pytest.mark.parametrize(("label", "hits"), [("yes", 1.0), ("no", 0.0)])
def test_key_sentences_go_out_to_people_and_come_back_as_figures(tmp_path, label, hits):
    asked = ["lab", "mtm", "keys", "--data-root", str(ROOT), "--split", "train"]
    units, sheets = tmp_path / "units.csv", tmp_path / "sheets"

    def run(*args):
        done = CliRunner().invoke(main, list(args))
        assert done.exit_code == 0, done.output
        return done.stdout

    told = run(*asked, "--units", str(units))
    assert told.rstrip().endswith(f"next: twicetold lab judge assign {units} --task key-sentence --to ann,bob,eve --out sheets")
    run("lab", "judge", "assign", str(units), "--task", "key-sentence", "--to", "ann,bob", "--each", "2", "--out", str(sheets))
    for sheet in sheets.iterdir():
        rows = list(csv.DictReader(sheet.read_text().splitlines()))
        assert set(rows[0]) == {"id", "claim", "sentence", "label"}
        with sheet.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows({**row, "label": label} for row in rows)
    record = json.loads(run(*asked, "--sheet", str(sheets / "ann.csv"), "--sheet", str(sheets / "bob.csv")))
    assert record["MTM"]["hit@1"]["value"] == record["first"]["hit@1"]["value"] == hits
    again = CliRunner().invoke(main, [*asked, "--units", str(units)])
    assert again.exit_code == 2
    assert "is there already and may be filled in" in again.output


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["keys", "--claims", "0"], "--claims"),
        (["keys", "--claims", "-3"], "--claims"),
        (["row", "BM25", "--claims", "0"], "--claims"),
        (["time", "--threads", "0"], "--threads"),
        (["time", "--turns", "0"], "--turns"),
    ],
)
def test_none_of_anything_is_refused_by_the_name_of_its_option(arguments, option):
    done = CliRunner().invoke(main, ["lab", "mtm", *arguments])
    assert done.exit_code == 2
    assert f"Invalid value for '{option}'" in done.output
    assert "is not in the range x>=1" in done.output


def test_what_only_vo_and_lees_tweets_have_is_refused_elsewhere(tmp_path):
    done = CliRunner().invoke(main, ["lab", "mtm", "row", "BM25", "--on", "factchecktweet", "--seen", "--work", str(tmp_path)])
    assert done.exit_code == 2
    assert "factchecktweet has neither images nor another split" in done.output


def test_random_sentences_are_the_same_in_every_run():
    sentences = [Sentence(n, "") for n in range(50)]
    one = Asked("q7", "", (), (), frozenset(), False)
    assert keyrule.at_random(one, sentences) == keyrule.at_random(one, sentences)


def test_quoted_words_are_what_sets_the_choice_apart_from_that_by_vectors():
    model = Mtm.load(threads=1)
    texts = ("Officials have spoken to the press about it.", "It was the garden of the neighbour that had a gate of turquoise.", "No.")
    sentences = [Sentence(at, text) for at, text in enumerate(texts)]
    one = Asked("q", "a turquoise gate in the neighbour's garden", (), (), frozenset(), False)
    assert keyrule.by_mtm(model)(one, sentences)[0] == 1
    assert sorted(keyrule.by_vectors(model)(one, sentences)) == [0, 1, 2]
    assert [key.near_claim for key in model.keys(one.text, [sentences])[0]] != [
        *choose(model.residuals(one.text, sentences), model.patterns).near_claim.tolist()
    ]


def test_bm25_prefers_rare_words_of_the_claim():
    sentences = [Sentence(0, "The tea is warm."), Sentence(1, "The tea cures colds."), Sentence(2, "The tea is old.")]
    assert keyrule.by_bm25(Asked("q", "tea cures colds", (), (), frozenset(), False), sentences)[0] == 1


# --- patterns ------------------------------------------------------------------------------------------------------


def test_a_pattern_is_described_by_its_nearest_sentences_and_their_own_words():
    debunks = [Seen(f"There is no evidence for claim {n}.", f"claim {n}", np.array([1.0, n / 100])) for n in range(5)]
    others = [Seen(f"He spoke on Monday of claim {n}.", f"claim {n}", np.array([-1.0, n / 100])) for n in range(5)]
    first, second = described(debunks + others, np.array([[1.0, 0.0], [-1.0, 0.0]]))
    assert (first.sentences, first.typical[0]) == (5, "There is no evidence for claim 0.")
    assert "evid" in first.words
    assert "evid" not in second.words
    assert "claim" not in first.words


def test_the_plane_keeps_the_directions_in_which_residuals_differ():
    residuals = np.array([[3.0, 0, 0], [-3.0, 0, 0], [0, 1.0, 0], [0, -1.0, 0]])
    points, _ = plane(residuals, np.zeros((1, 3)))
    assert np.abs(points) == pytest.approx(np.array([[3, 0], [3, 0], [0, 1], [0, 1]]), abs=1e-9)


# --- sets to judge -------------------------------------------------------------------------------------------------

POST = "The moon landing was filmed in a studio by a famous director, they say"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@joe said to @ann@mastodon.social", "@someone said to @someone"),
        ("mail me@home.org or j.smith+news@mail.example.co.uk.", "mail [e-mail address] or [e-mail address]."),
        ("https://twitter.com/joe_b/status/12 and t.me/annk", "https://twitter.com/someone/status/12 and t.me/someone"),
        ("call +49 171 1234567, (555) 123-4567 or 1-800-555-0199 now", "call [phone number], [phone number] or [phone number] now"),
        ("06 12 34 56 78, 06.12.34.56.78, 030/1234567, 07911123456", "[phone number], [phone number], [phone number], [phone number]"),
    ],
)
def test_accounts_and_addresses_and_phone_numbers_are_removed(text, expected):
    assert nameless(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "John Smith told the BBC that 1,000,000 people and 2 000 000 more came on 05.12.2020 10:30",
        "between 2020-03-15 and 05-12-2020, 100-200 of 3.500.000 cases, 10 000 000 doses, +25%, 0.0123456789 of them",
        "https://netflix.com/title/80100172 and https://example.org/1234567890",
    ],
)
def test_names_of_people_and_figures_and_links_stay_as_claims_are_about_them(text):
    assert nameless(text) == text


def test_copies_of_a_post_are_dropped_and_contrary_ones_stay():
    posts = [Post("1", POST), Post("2", POST + "!"), Post("3", POST.replace("was", "was not"))]
    assert [post and post.id for post in distinct(posts)] == ["1", None, "3"]


def test_a_set_has_a_row_for_each_post_and_candidate(demo):
    text = next(iter(demo.store)).body[:150]
    made = gather(demo, [Post("1", f"@joe: {text}"), Post("2", f"RT @ann: {text}"), Post("3", "qqqq zzzz")], depth=2)
    assert (made.posts, made.shares, made.copies, made.unanswered) == (3, 1, 0, 1)
    assert [row["id"] for row in made.units] == [f"1 {doc}" for doc in first_of(demo, text)[:2]]
    assert all("@joe" not in row["post"] for row in made.units)


def test_the_text_of_a_posts_pictures_is_appended_in_their_order(tmp_path):
    for name in ("7-2.png", "7-1.png", "8.png"):
        (tmp_path / name).write_text(f"text of {name}")
    text_of = with_pictures(tmp_path, lambda path: path.read_text())
    assert text_of(Post("7", "Look:")) == "Look: text of 7-1.png text of 7-2.png"


def test_gather_writes_what_judges_are_handed(demo_folder, demo, write_jsonl, tmp_path):
    posts = write_jsonl("posts.jsonl", [{"id": "1", "text": next(iter(demo.store)).body[:150]}])
    units, sheets = tmp_path / "units.csv", tmp_path / "sheets"
    done = CliRunner().invoke(main, ["--data", str(demo_folder), "lab", "gather", str(posts), "--depth", "2", "--out", str(units)])
    assert (done.exit_code, done.output.startswith(f"{units}: 2 units of 1 posts")) == (0, True)
    handed = CliRunner().invoke(
        main, ["lab", "judge", "assign", str(units), "--task", "match", "--to", "ann", "--each", "1", "--out", str(sheets)]
    )
    assert handed.exit_code == 0
    with (sheets / "ann.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["label"] for row in rows} == {""}
    assert "bm25" in units.read_text().splitlines()[0]
    assert list(rows[0]) == ["id", "post", "article", "title", "opening", "url", "label"]  # a score would sway those who judge


def test_what_is_no_post_ends_the_gathering_unless_told_to_go_on_and_is_named(demo_folder, demo, write_jsonl, tmp_path):
    posts = write_jsonl("posts.jsonl", [{"id": "1", "text": next(iter(demo.store)).body[:150]}, {"id": "2"}, {"id": "3", "text": 5}])
    asked = ["--data", str(demo_folder), "lab", "gather", str(posts), "--depth", "2", "--out", str(tmp_path / "units.csv")]
    stopped = CliRunner().invoke(main, asked)
    assert (stopped.exit_code, "line 2: no text" in stopped.stderr, "--skip-broken" in stopped.stderr) == (3, True, True)
    assert not (tmp_path / "units.csv").exists()
    done = CliRunner().invoke(main, [*asked, "--skip-broken"])
    assert done.exit_code == 0, done.output
    assert "line 3: the field text holds 5; wanted words" in done.stderr
    assert "2 records left out, 1 read" in done.stderr


def test_units_that_are_there_already_are_not_written_over(demo_folder, write_jsonl, tmp_path):
    units = tmp_path / "units.csv"
    units.write_text("mine")
    posts = write_jsonl("posts.jsonl", [{"id": "1", "text": POST}])
    refused = CliRunner().invoke(main, ["--data", str(demo_folder), "lab", "gather", str(posts), "--out", str(units)])
    assert refused.exit_code == 2
    assert f"{units} exists and is kept as it is" in refused.output
    assert units.read_text() == "mine"


# --- the command line ----------------------------------------------------------------------------------------------


def test_a_row_is_printed_as_json_and_its_run_is_kept(tmp_path):
    done = CliRunner().invoke(
        main, ["lab", "mtm", "row", "BM25", "--on", "factchecktweet", "--data-root", str(ROOT), "--work", str(tmp_path)]
    )
    record = json.loads(done.stdout)
    assert (done.exit_code, record["row"], record["on"]) == (0, "BM25", "factchecktweet/test")
    assert set(record["measures"]) == {"MRR", "MAP@1", "MAP@3", "MAP@5", "HIT@3", "HIT@5"}
    run = str(tmp_path / "factchecktweet-BM25-0.jsonl")
    compared = CliRunner().invoke(
        main, ["compare", run, run, "--qrels", str(tmp_path / "factchecktweet.qrels"), "--measures", "MRR", "--json"]
    )
    assert compared.exit_code == 0, compared.output
    assert json.loads(compared.stdout)["measures"]["MRR"]["difference"] == 0.0


def test_only_mtm_can_start_from_a_folder(tmp_path):
    done = CliRunner().invoke(main, ["train", "encoder", "--data-root", str(ROOT), "--start", str(tmp_path)])
    assert done.exit_code == 2
    assert "--start goes with the trainings mtm, static, stance and hops" in done.output + str(done.exception)
