"""Scoring a recipe: on one's own files, on folders of known layouts, on public sets."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from twicetold import demo as demo_files
from twicetold.cli import main
from twicetold.collection import Collection
from twicetold.errors import BadData
from twicetold.index.encoder import NO_ENCODER
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck, Verdict
from twicetold_lab import bring, runs
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import Experiment, among, joined, run
from twicetold_lab.measures import Measure
from twicetold_lab.reports import evaluate
from twicetold_lab.runs import Answered, Run, Scored
from twicetold_lab.twins import collapse, leaders

ROOT = Path(__file__).parent / "layouts"
CHECKS = [
    {"id": "c1", "claim": "The moon is made of green cheese.", "title": "Is the moon cheese?", "body": "The moon is rock."},
    {"id": "c2", "claim": "A dog was elected mayor.", "title": "A dog for mayor", "body": "A small town elected a dog.", "rating": None},
    {"id": "c10", "claim": "Rain falls upwards in Norway.", "title": "Upward rain", "body": "Rain falls downwards, in Norway too."},
]
QUERIES = [{"id": "q1", "text": "they say the moon is green cheese"}, {"id": "q2", "text": "my mayor is a dog"}]
QRELS = "q1 0 c1 1\nq2 0 c2 1\n"


@pytest.fixture
def mine(tmp_path, write_jsonl):
    """The options that name three files of one's own."""
    write_jsonl("checks.jsonl", CHECKS)
    write_jsonl("queries.jsonl", QUERIES)
    (tmp_path / "qrels.txt").write_text(QRELS)
    return ["--corpus", f"{tmp_path}/checks.jsonl", "--queries", f"{tmp_path}/queries.jsonl", "--qrels", f"{tmp_path}/qrels.txt"]


def twicetold(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"TWICETOLD_CACHE": "", "TWICETOLD_DATASETS": ""})


# --- the verb


def test_eval_prints_one_line_of_json_with_the_measures_as_typed(mine):
    done = twicetold("eval", "bm25", *mine, "--measures", "MAP@5,MRR,MAP@5(norm=n),ndcg@10,MAP@5(norm=legacy,width=10)", "--json")
    [line] = done.stdout.splitlines()
    found = json.loads(line)
    assert list(found["measures"]) == ["MAP@5", "MRR", "MAP@5(norm=n)", "ndcg@10", "MAP@5(norm=legacy,width=10)"]
    assert found["measures"]["MAP@5"] == {"value": 1.0, "interval": [1.0, 1.0]}
    assert (found["queries"], found["checks"], found["recipe"], done.exit_code) == (2, 3, "bm25", 0)
    assert found["seconds"] >= 0
    assert found["cpu_seconds"] >= 0
    assert 10 < found["megabytes"] < 100_000
    assert set(found["versions"]) == {"twicetold", "analysis", "encoder", "depth"}


def test_eval_shows_values_and_intervals_to_people(mine):
    done = twicetold("eval", "bm25", *mine, "--measures", "MAP@5")
    assert done.stdout.splitlines()[1].split() == ["MAP@5", "1.0000", "[1.0000,", "1.0000]"]


def test_a_query_whose_words_are_nowhere_counts_nought(mine, tmp_path, write_jsonl):
    write_jsonl("queries.jsonl", [*QUERIES, {"id": "q3", "text": "xyzzy"}])
    (tmp_path / "qrels.txt").write_text(QRELS + "q3 0 c10 1\n")
    found = json.loads(twicetold("eval", "bm25", *mine, "--measures", "MRR", "--json").stdout)
    assert found["measures"]["MRR"]["value"] == pytest.approx(2 / 3)


def test_a_query_without_judgement_is_named_and_in_no_mean(mine, write_jsonl):
    write_jsonl("queries.jsonl", [*QUERIES, {"id": "q3", "text": "the moon"}])
    done = twicetold("eval", "bm25", *mine, "--measures", "MRR", "--json")
    assert json.loads(done.stdout)["unjudged"] == ["q3"]
    assert "1 queries have no judgement and are in no mean: q3" in done.stderr


def test_a_saved_run_holds_the_queries_scores_and_provenance(mine, tmp_path):
    twicetold("eval", "bm25", *mine, "--save", tmp_path / "bm25.jsonl")
    saved = runs.read(tmp_path / "bm25.jsonl")
    assert [(answer.query, answer.text, answer.docs[0].id) for answer in saved.answers] == [
        ("q1", "they say the moon is green cheese", "c1"),
        ("q2", "my mayor is a dog", "c2"),
    ]
    assert (saved.provenance["recipe"], saved.corpus) == ("bm25", 3)
    assert all(answer.seconds > 0 for answer in saved.answers)


def test_a_cached_corpus_gives_the_same_scores_and_is_made_anew_when_a_file_changes(mine, tmp_path, write_jsonl):
    arguments = ["eval", "bm25", *mine, "--measures", "MRR", "--json", "--cache", tmp_path / "cache"]
    first, second = (json.loads(twicetold(*arguments).stdout) for _ in range(2))
    assert first["measures"] == second["measures"]
    write_jsonl("checks.jsonl", [*CHECKS, {"id": "c11", "claim": "they say the moon is green cheese"}])
    third = json.loads(twicetold(*arguments).stdout)
    assert (second["checks"], third["checks"]) == (3, 4)


def test_two_experiments_may_read_the_same_cached_corpus(mine, tmp_path):
    arguments = ["eval", "bm25", *mine, "--measures", "MRR", "--json", "--cache", tmp_path / "cache"]
    twicetold(*arguments)
    [folder] = (tmp_path / "cache").iterdir()
    with Collection.create(folder) as other, other.writing():
        assert twicetold(*arguments).exit_code == 0


def test_a_measure_deeper_than_the_depth_looks_as_deep_as_it_says(mine, tmp_path, write_jsonl):
    write_jsonl("queries.jsonl", [{"id": "q1", "text": "a dog on the moon"}, QUERIES[1]])
    twicetold("eval", "bm25", *mine, "--measures", "Recall@3", "--depth", 1, "--save", tmp_path / "run.jsonl")
    assert len(runs.read(tmp_path / "run.jsonl").answers[0].docs) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("qrels.txt", "q1 0 c7 1\n", "the judgements name fact-checks that the corpus lacks: 'c7'"),
        ("qrels.txt", "q9 0 c1 1\n", "qrels.txt: judgement of an unknown query: 'q9'"),
        ("queries.jsonl", '{"id": "q1", "text": "x"}\n{"id": "q1", "text": "y"}\n', "queries.jsonl: query id given twice: 'q1'"),
        ("queries.jsonl", '{"id": "q1", "text": " "}\n{"id": "q2", "text": "y"}\n', "queries.jsonl: empty query: 'q1'"),
        ("queries.jsonl", '{"id": "q1"}\n', "record 1: a query wants id and text, found ['id']"),
        ("checks.jsonl", '{"id": "c1", "claim": "x"}\n{"id": "c1", "claim": "y"}\n', "the fact-check id 'c1' is given twice"),
        ("checks.jsonl", '{"id": "c1", "claim": "x"}\n{"id": "c2"}\n', "record 2: 'c2' has neither claim nor title nor body"),
        ("checks.jsonl", '{"id": "c1", "claim": 5}\n', "record 1: 'claim' should be str, not 5"),
    ],
)
def test_files_that_would_lose_something_are_refused_by_name(mine, tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    done = twicetold("eval", "bm25", *mine)
    assert said in done.stderr
    assert (done.exit_code, done.stdout) == (3, "")


def test_a_file_in_another_encoding_is_named_with_the_place(mine, tmp_path):
    (tmp_path / "queries.jsonl").write_bytes('{"id": "q1", "text": "café"}'.encode("latin-1"))
    done = twicetold("eval", "bm25", *mine)
    assert "queries.jsonl is not UTF-8 text (invalid continuation byte at byte 25)" in done.stderr
    assert done.exit_code == 3


@pytest.mark.parametrize("option", ["--corpus", "--queries", "--qrels"])
def test_a_file_that_is_not_there_is_named(mine, tmp_path, option):
    done = twicetold("eval", "bm25", *mine, option, tmp_path / "nowhere")
    assert f"there is no {tmp_path}/nowhere" in done.stderr
    assert done.exit_code == 3


def test_a_folder_in_place_of_a_file_is_named(mine, tmp_path):
    done = twicetold("eval", "bm25", *mine, "--qrels", tmp_path)
    assert f"{tmp_path} cannot be read: Is a directory" in done.stderr
    assert done.exit_code == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--save", "/nowhere/run.jsonl"], "there is no folder /nowhere to save the run in"),
        (["--encoder", "/some/where"], "bm25 looks at words alone, so --encoder /some/where cannot be meant"),
        (["--split", "dev"], "files of your own have no splits, so --split cannot be meant"),
        (["--on", "factchecktweet"], "--on names a whole data set, so --corpus and --queries and --qrels cannot be meant"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(mine, options, said):
    done = twicetold("eval", "bm25", *mine, *options)
    assert said in done.stderr
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eval", "bm26", "--on", "factchecktweet"], "no recipe is called 'bm26'; there are bm25"),
        (["eval", "bm25"], "say what to judge on: --on SET"),
        (["eval", "bm25", "--on", "factchecktweet"], "give --data-root DIR or set TWICETOLD_DATASETS"),
        (["eval", "bm25", "--on", "mars", "--data-root", ROOT], "no data set is called 'mars'"),
        (["eval", "bm25", "--on", "factchecktweet", "--data-root", ROOT, "--measures", "MOP@5"], "no measure is called 'MOP@5'"),
        (["eval", "bm25", "--on", "factchecktweet", "--data-root", ROOT, "--by-category"], "factchecktweet has no categories"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_there_is(arguments, said):
    done = twicetold(*arguments)
    assert said in done.stderr
    assert done.exit_code == 2


# --- public sets and folders


def test_a_split_of_a_public_set_is_scored(tmp_path):
    done = twicetold("eval", "bm25", "--on", "checkthat-2021-task2a/dev", "--data-root", ROOT, "--measures", "MRR", "--json")
    found = json.loads(done.stdout)
    assert (found["on"], found["queries"], found["measures"]["MRR"]["value"]) == ("checkthat-2021-task2a/dev", 1, 1.0)


def test_categories_are_scored_apart_when_asked_for():
    arguments = ["--on", "role-of-context/test", "--data-root", ROOT, "--measures", "MRR", "--by-category", "--json"]
    found = json.loads(twicetold("eval", "bm25.claim", *arguments).stdout)
    assert {name: part["queries"] for name, part in found["categories"].items()} == {"CLEAN_HARD": 1, "CONTEXT_DEPENDENT": 1, "PART_OF": 1}


def test_eval_warns_when_a_model_may_have_learnt_from_the_queries(mine, write_jsonl):
    # Two texts of no public set whose fingerprints happen to equal those of a training and of a test query.
    write_jsonl(
        "queries.jsonl", [{"id": "q1", "text": "the bridge closed 65837 times"}, {"id": "q2", "text": "the bridge closed 3449106 times"}]
    )
    done = twicetold("eval", "dense", *mine, "--measures", "MRR", "--json")
    assert json.loads(done.stdout)["seen"] == 1
    assert "1 of 2 queries are among those the shipped models may have learnt from" in done.stderr


def test_words_have_learnt_from_nothing(mine, write_jsonl):
    write_jsonl("queries.jsonl", [{"id": "q1", "text": "the bridge closed 65837 times"}, QUERIES[1]])
    assert json.loads(twicetold("eval", "bm25", *mine, "--json").stdout)["seen"] == 0


@pytest.mark.parametrize("name", ["checkthat-2020-task2", "checkthat-2021-task2a", "checkthat-2021-task2b"])
def test_a_checkthat_folder_is_known_by_its_files(name):
    assert bring.folder(ROOT / name).claims
    assert bring.folder(ROOT / name, "train").name.endswith("/train")


def test_a_beir_folder_asks_only_the_queries_its_split_judges(tmp_path, write_jsonl):
    write_jsonl("corpus.jsonl", [{"_id": "d1", "title": "Moon", "text": "The moon is rock."}, {"_id": "d2", "title": "", "text": "A dog."}])
    write_jsonl("queries.jsonl", [{"_id": "1", "text": "moon"}, {"_id": "2", "text": "dog"}])
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n2\td2\t1\n")
    found = bring.folder(tmp_path)
    assert ([claim.id for claim in found.claims], found.qrels) == (["2"], {"2": {"d2": 1}})
    assert [check.body for check in found.checks()] == ["The moon is rock.", "A dog."]


def test_a_verdict_in_the_publishers_own_words_is_a_rating_and_unknown_fields_are_passed_over(write_jsonl):
    path = write_jsonl(
        "checks.jsonl", [{"id": 7, "claim": "The moon is cheese.", "verdict": "Pants on Fire", "colour": "red", "body": None}]
    )
    [check] = bring.read_checks(path)
    assert (check.id, check.rating, check.verdict, check.body) == ("7", "Pants on Fire", Verdict.OTHER, "")


def test_a_folder_of_no_known_layout_is_refused_with_those_known(tmp_path):
    done = twicetold("eval", "bm25", "--corpus", tmp_path)
    assert "wanted corpus.jsonl (BEIR), verified_claims.docs.tsv" in done.stderr


def test_queries_that_name_a_transcript_carry_its_lines(tmp_path, write_jsonl):
    path = write_jsonl("queries.jsonl", [{"id": "q", "text": "Closed.", "transcript": "20170130_First_debate", "line": 4}])
    [claim] = bring.read_queries(path, ROOT / "checkthat-2021-task2b" / "transcripts")
    assert (claim.context.at, claim.said_by, claim.context.lines[1].speaker) == (3, "BOB SAMPLE", "ANN EXAMPLE")


def test_what_a_query_itself_says_of_day_and_speaker_counts_before_what_its_transcript_says(tmp_path, write_jsonl):
    (tmp_path / "2017-01-30_debate.tsv").write_text("1\tBOB\tClosed.\n")
    named = {"text": "Closed.", "transcript": "2017-01-30_debate", "line": 1}
    path = write_jsonl("queries.jsonl", [{"id": "q", **named}, {"id": "r", "said_on": "2016-05-04", "said_by": "Bob Sample", **named}])
    assert [(claim.said_on, claim.said_by) for claim in bring.read_queries(path, tmp_path)] == [
        ("2017-01-30", "BOB"),
        ("2016-05-04", "Bob Sample"),
    ]


def test_debate_is_evaluated_with_what_was_said_around_each_query(tmp_path, write_jsonl):
    """The lines of the demo debates that were checked before: many say "it", and what "it" is stands in the line before."""
    spoken = demo_files.FOLDER / "transcripts"
    judged = [row.replace(":", "_").split() for row in (spoken / "qrels.txt").read_text().splitlines()]
    lines = {name: (spoken / f"{name}.tsv").read_text().splitlines() for name in ("debate-health", "debate-climate")}
    places = {id: id.rsplit("_", 1) for id, *_ in judged}
    queries = write_jsonl(
        "queries.jsonl",
        [
            {"id": id, "text": lines[name][int(at) - 1].split("\t")[2], "transcript": name, "line": int(at)}
            for id, (name, at) in places.items()
        ],
    )
    (tmp_path / "qrels.txt").write_text("".join(" ".join(row) + "\n" for row in judged))
    corpus = write_jsonl("corpus.jsonl", list(demo_files.checks()))
    asked = ("--corpus", corpus, "--queries", queries, "--qrels", tmp_path / "qrels.txt", "--measures", "MAP", "--json")
    alone, around = (json.loads(twicetold("eval", "debate", *asked, *more).stdout) for more in ((), ("--transcripts", spoken)))
    assert around["measures"]["MAP"]["value"] > alone["measures"]["MAP"]["value"]


def test_a_line_is_found_by_its_number_where_an_excerpt_starts_late(tmp_path, write_jsonl):
    (tmp_path / "debate.tsv").write_text("line\tspeaker\tsentence\n40\tANN\tGood evening.\n42\tBOB\tClosed.\n")
    path = write_jsonl("queries.jsonl", [{"id": "q", "text": "Closed.", "transcript": "debate", "line": "42"}])
    [claim] = bring.read_queries(path, tmp_path)
    assert (claim.context.at, claim.said_by) == (1, "BOB")


def test_a_transcript_that_is_not_there_is_named(tmp_path, write_jsonl):
    path = write_jsonl("queries.jsonl", [{"id": "q", "text": "Closed.", "transcript": "debate", "line": 1}])
    with pytest.raises(BadData, match=r"query 'q' names the transcript 'debate', but .* has no debate.tsv"):
        list(bring.read_queries(path, tmp_path))


def test_eval_says_so_when_queries_name_a_transcript_that_is_not_given(mine, write_jsonl):
    write_jsonl("queries.jsonl", [QUERIES[0] | {"transcript": "debate", "line": 1}, QUERIES[1]])
    assert "1 queries name a transcript: give --transcripts DIR" in twicetold("eval", "bm25", *mine).stderr


@pytest.mark.parametrize("line", [0, 5, "x", None])
def test_a_line_that_the_transcript_lacks_is_named(write_jsonl, line):
    path = write_jsonl("queries.jsonl", [{"id": "q", "text": "Closed.", "transcript": "20170130_First_debate", "line": line}])
    with pytest.raises(BadData, match="which has lines 1 to 4"):
        list(bring.read_queries(path, ROOT / "checkthat-2021-task2b" / "transcripts"))


@pytest.mark.parametrize("head", ["", "iclaim_id\ticlaim\n", "\ttweet_content\n"])
def test_a_table_of_queries_may_have_a_header(tmp_path, head):
    (tmp_path / "q.tsv").write_text(head + '1.2e+18\t"two\nlines"\n')
    assert list(bring.read_queries(tmp_path / "q.tsv", None)) == [Claim("1.2e+18", "two\nlines")]


# --- experiments


def a_set(*checks, asked="the moon", candidates=None):
    """A data set of one query, answered by the first fact-check."""
    return Dataset("mine", lambda: iter(checks), (Claim("q", asked),), {"q": {checks[0].id: 1}}, candidates=candidates or {})


def test_joined_fields_are_searched_as_one():
    found = joined(a_set(FactCheck("a", claim="green", title="moon", body="rock")), "title", "claim")
    assert [check.body for check in found.checks()] == ["moon green"]


def test_a_run_of_best_says_how_sure_it_is_and_keeps_twins_apart(tmp_path):
    twins = [FactCheck(id, claim="The moon is made of green cheese.", body="It is rock.", lang="en") for id in ("a", "b")]
    made = run(Experiment("best"), a_set(*twins, FactCheck("c", claim="A dog is mayor", lang="en"), asked="The moon is green cheese."))
    [answer] = made.answers
    assert 0 < answer.probability < 1
    assert {doc.id for doc in answer.docs[:2]} == {"a", "b"}


def test_candidates_are_all_ranked_and_nothing_else():
    checks = [FactCheck(id, body=body) for id, body in (("a", "the moon"), ("b", "no word of it"), ("c", "moon moon"), ("d", "moon"))]
    made = run(Experiment("bm25.body"), a_set(*checks, candidates={"q": ("b", "a", "c")}))
    *found, last = (doc.id for doc in made.answers[0].docs)
    assert (set(found), last) == ({"a", "c"}, "b")


def test_candidates_not_found_come_after_those_found_even_with_scores_below_nought():
    answer = Answered("q", "", (Scored("a", 0.5), Scored("b", -0.5)))
    [ranked] = among(Run("r", (answer,)), {"q": ("a", "b", "c")}).answers
    assert [doc.id for doc in ranked.docs] == ["a", "b", "c"]
    assert ranked.docs[1].score > ranked.docs[2].score


def test_a_baseline_takes_the_query_as_it_is_written(tmp_path):
    from twicetold.collection import Collection, Settings
    from twicetold_lab.baselines import BASELINES

    with Collection.create(tmp_path, Settings(NO_ENCODER, "plain")) as collection:
        list(collection.add([FactCheck("a", claim="StopTheSteal"), FactCheck("b", claim="stop the thief")]))
        collection.index()
        [ranking] = ask(BASELINES["bm25.claim"].stage(collection), [Claim("q", "#StopTheSteal")])
    assert [match.doc.id for match in ranking.matches] == ["a"]


def test_plain_bm25_is_the_formula_it_says(tmp_path):
    checks = [FactCheck("a", claim="moon moon rock"), FactCheck("b", claim="moon"), FactCheck("c", claim="dog dog dog dog")]
    made = run(Experiment("bm25.claim", "plain"), a_set(*checks, asked="moon"))
    idf, mean = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5)), 8 / 3
    expected = {"a": idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / mean)), "b": idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / mean))}
    assert {doc.id: doc.score for doc in made.answers[0].docs} == pytest.approx(expected, rel=1e-5)


def test_twins_are_one_document_at_the_better_place():
    checks = [FactCheck("a", claim='A "dog" is mayor'), FactCheck("b", claim="A “dog” is mayor"), FactCheck("c", claim="other")]
    made = Run("r", (Answered("q", "", (Scored("c", 3.0), Scored("b", 2.0), Scored("a", 1.0))),), 3)
    collapsed, qrels = collapse(made, {"q": {"b": 1}}, leaders(checks))
    assert [(doc.id, doc.score) for doc in collapsed.answers[0].docs] == [("c", 3.0), ("a", 2.0)]
    assert qrels == {"q": {"a": 1}}
    assert evaluate(collapsed, qrels, [Measure.parse("MRR")]).values.tolist() == [[1 / 2]]


# --- runs

ids = st.text("abcdefgh-0123456789", min_size=1, max_size=6)
scores = st.floats(-1e6, 1e6, allow_nan=False)
answered = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=5), min_size=1, max_size=5)


def a_run(found):
    from twicetold.types import natural

    def ordered(docs):
        return tuple(Scored(id, score) for id, score in sorted(docs.items(), key=lambda doc: (-doc[1], natural(doc[0]))))

    return Run("name", tuple(Answered(query, f"text of {query}", ordered(docs)) for query, docs in found.items()), 10, {"recipe": "r"})


@given(answered)
def test_a_run_saved_as_json_lines_is_read_back_equal(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    runs.save(a_run(found), path)
    assert runs.read(path) == a_run(found)


@given(answered)
def test_a_run_saved_as_trec_is_read_back_with_its_documents_and_scores(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("run") / "run.trec"
    runs.save(a_run(found), path)
    back = {answer.query: answer.docs for answer in runs.read(path).answers}
    assert back == {answer.query: answer.docs for answer in a_run(found).answers}


def test_an_id_with_a_space_cannot_be_saved_as_trec(tmp_path):
    with pytest.raises(BadData, match="'a b' has white space"):
        runs.save(Run("r", (Answered("q", "", (Scored("a b", 1.0),)),)), tmp_path / "run.trec")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("r.trec", "q Q0 d 1 high r\n", "line 1: expected 'query Q0 document rank score name'"),
        ("r.trec", "q Q0 d 1 2.0 r\nq Q0 d 2 1.0 r\n", "line 2: q answers d twice"),
        ("r.jsonl", '{"query": "q"}\n', "is not a run of format 1"),
        ("r.jsonl", "", "is not a run of format 1"),
    ],
)
def test_a_run_that_cannot_be_read_is_named_by_line(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(BadData, match=said):
        runs.read(tmp_path / name)
