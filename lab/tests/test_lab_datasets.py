"""Public data sets, read from tiny files of our own in their publishers' layouts."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from twicetold.errors import BadData, BadInput
from twicetold.types import Claim, FactCheck, Stance
from twicetold_lab import datasets
from twicetold_lab.datasets import checkworthy, coref, dataset, families, mtm, mythqa, politifact, reading, splits, stance, volee
from twicetold_lab.datasets.layout import qrels

ROOT = Path(__file__).parent / "layouts"
S, R, N = Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL


def load(name):
    return datasets.load(name, ROOT)


def by_id(checks):
    return {check.id: check for check in checks}


# --- tweets and Snopes


def test_checkthat_2020_is_read_with_quoted_cells_and_its_three_splits():
    found = load("checkthat-2020-task2")
    assert {name: len(ids) for name, ids in found.splits.items()} == {"train": 2, "dev": 1, "test": 2}
    assert [check.claim for check in found.checks()][1] == 'A "talking" dog was elected mayor.'
    assert found.claims[0] == Claim("1", "Saw it with my own eyes:\na dog is mayor now! https://t.co/a1")
    assert found.qrels["4"] == {"3": 1}


def test_checkthat_2021a_keeps_tweets_with_newlines_whole_and_a_date_it_cannot_read():
    found = load("checkthat-2021-task2a")
    checks = by_id(found.checks())
    assert found.claims[0].text == "Saw it with my own eyes:\na dog is mayor now! https://t.co/a1"
    assert checks["vclaim-sno-dog-mayor"].published == "2015-05-26"
    assert "some day in spring" in checks["vclaim-sno-moon-cheese"].other.values()
    assert found.splits == {"train": ("tweet-sno-1", "tweet-sno-2"), "dev": ("tweet-sno-4",)}


def test_a_snopes_claim_that_stands_in_two_rows_is_answered_by_either():
    found = load("known-lie-snopes")
    [moon, dog] = found.claims
    assert found.qrels[moon.id] == {"snopes-1": 1, "snopes-3": 1}
    assert found.qrels[dog.id] == {"snopes-2": 1, "snopes-1": 1, "snopes-3": 1}


# --- debates and PolitiFact


def test_role_of_context_gives_each_sentence_its_debate_and_its_place_in_it():
    found = load("role-of-context")
    claim = by_id(found.claims)["20170130_First_debate_0004"]
    assert claim.context.lines[claim.context.at].text == "And that bridge? Closed."
    assert (claim.said_by, claim.said_on, len(claim.context.lines)) == ("BOB SAMPLE", "2017-01-30", 4)


def test_role_of_context_numbers_are_the_ids_of_the_collection_and_context_means_context_dependent():
    found = load("role-of-context")
    assert found.categories["20170130_First_debate_0004"] == {"vclaim-pol-00001": "CONTEXT_DEPENDENT", "vclaim-pol-00002": "PART_OF"}


@pytest.mark.parametrize(
    ("name", "has_later"), [("role-of-context", False), ("known-lie-politifact", False), ("checkthat-2021-task2b", True)]
)
def test_only_the_later_collection_holds_the_later_fact_checks(name, has_later):
    assert ("vclaim-pol-16636" in by_id(load(name).checks())) is has_later


def test_a_politifact_phrase_dates_the_claim_and_the_url_dates_the_article():
    check = by_id(load("checkthat-2021-task2b").checks())["vclaim-pol-00000"]
    assert (check.claimed_on, check.published, check.claimant, check.publisher) == ("2019-10-22", "2019-10-30", "Ann Example", "PolitiFact")


def test_checkthat_2021b_finds_a_transcript_whose_file_was_renamed():
    found = load("checkthat-2021-task2b")
    claim = by_id(found.claims)["20160228_case_town_0002"]
    assert claim.context.lines[1].text == "The bridge is closed, folks."
    assert found.splits["dev"] == ("20170130_First_debate_0002", "20170130_First_debate_0004")


def test_known_lie_places_a_sentence_by_its_words_since_its_line_number_is_wrong():
    found = load("known-lie-politifact")
    claim = next(claim for claim in found.claims if claim.text.startswith("Taxes"))
    assert (claim.context.at, claim.said_by) == (1, "ANN EXAMPLE")


def test_known_lie_tells_two_articles_of_the_same_title_apart():
    found = load("known-lie-politifact")
    claim = next(claim for claim in found.claims if claim.text.startswith("And that"))
    assert found.qrels[claim.id] == {"vclaim-pol-00001": 1, "vclaim-pol-00002": 1}


def test_an_event_without_a_transcript_gives_claims_without_context():
    found = load("known-lie-politifact")
    assert [claim.context.lines for claim in found.claims if claim.text.startswith("Nothing")] == [()]


# --- the others


def test_factchecktweet_ids_are_opaque_and_its_field_vclaim_is_the_article():
    found = load("factchecktweet")
    checks = by_id(found.checks())
    assert found.splits == {"train": ("5.92243341841961e+17",), "dev": ("1.2e+18",)}
    assert checks["vclaim-id-0"].body == "Garlic is a plant.\n\nIt does not stop rain."
    assert (checks["vclaim-id-0"].claim, checks["vclaim-id-0"].publisher) == ("A post says garlic stops rain.", "www.check.example")
    assert (checks["vclaim-id-2"].published, checks["vclaim-id-1"].lang) == ("", "es")


def test_vo_and_lee_articles_do_not_give_their_answers_away():
    checks = by_id(load("volee2020").checks())
    assert checks["1"].body == "Records show taxes rose by two percent.\nThey did not double."
    assert [(check.claim, check.title) for check in checks.values()] == [("", ""), ("", "")]


def test_vo_and_lee_tweets_carry_the_text_of_their_images():
    found = load("volee2020")
    assert by_id(found.claims)["1"].text == "My taxes! http://t.co/x TAXES DOUBLED"
    assert [tweet.processed for tweet in volee.tweets(ROOT / "volee2020" / "Politifact")][1] == "My taxes ! url"


def test_vo_and_lee_candidates_are_in_an_order_that_tells_nothing():
    assert load("volee2020").candidates["1"] == ("0", "1")


def test_tweets_that_share_an_article_are_never_split_by_the_unseen_split():
    parts = {id: name for name, ids in load("volee2020").splits.items() if name.startswith("unseen") for id in ids}
    assert len(parts) == 4
    assert len(set(parts.values())) == 1  # tweet 2 is answered by both articles, so all four hang together


def test_mtm_twitter_candidates_are_sorted_since_the_file_puts_the_answers_last():
    found = load("mtm-twitter")
    assert found.candidates["7"] == ("2", "3", "11")
    assert (found.qrels["7"], found.splits) == ({"2": 1}, {"val": ("7",), "test": ("9",)})
    assert by_id(found.checks())["2"].body == "Is the bridge shut ?\nIt is ."


def test_mtm_weibo_keeps_the_order_of_its_candidates():
    found = load("mtm-weibo")
    assert (found.candidates["5f0a"], found.claims[0].text) == (("b2", "a1"), "桥关闭了 图片")


def test_without_the_texts_of_mtm_the_message_says_where_to_have_them(tmp_path):
    shutil.copytree(ROOT / "mtm" / "Twitter" / "splits", tmp_path / "mtm" / "Twitter" / "splits")
    assert [row.query for row in mtm.all_candidates(tmp_path / "mtm", "Twitter")["val"]] == ["7"]
    with pytest.raises(BadData, match="ask the authors"):
        datasets.load("mtm-twitter", tmp_path)


def test_the_answer_no_is_supported_by_what_refutes_yes():
    [bridge, moon] = mythqa.questions(ROOT / "mythqa" / "TweetMythQA.jsonl")
    assert [(a.text, a.supporting, a.refuting) for a in bridge.answers] == [
        ("yes", ("1001",), ("1002", "1003")),
        ("no", ("1002", "1003"), ("1001",)),
    ]
    assert [a.text for a in moon.answers] == ["green cheese", "the rock"]


@pytest.mark.parametrize("layout", ["lines", "folder"])
def test_mythqa_is_joined_with_a_corpus_the_user_supplies_and_the_missing_posts_are_named(tmp_path, layout):
    if layout == "lines":
        (tmp_path / "corpus.jsonl").write_text('{"id": "1001", "contents": "closed!"}\n{"id": 2001, "text": "cheese"}\n')
    else:
        (tmp_path / "1001.json").write_text('{"id": "1001", "contents": "closed!"}')
        (tmp_path / "2001.json").write_text('[{"id": "2001", "contents": "cheese"}]')
    posts = list(mythqa.posts(tmp_path / "corpus.jsonl" if layout == "lines" else tmp_path))
    assert [(post.id, post.text) for post in posts] == [("1001", "closed!"), ("2001", "cheese")]
    assert mythqa.missing(mythqa.questions(ROOT / "mythqa" / "TweetMythQA.jsonl"), posts) == ["1002", "1003", "2002", "2003"]


STANCES = {
    "fnc-1": [("disagree", R), ("agree", S), ("discuss", N), ("unrelated", N)],
    "rumoureval-2017": [("support", S), ("deny", R), ("query", N)] * 2,
    "semeval-2016-t6": [("AGAINST", R), ("FAVOR", S)],
    "emergent": [("observing", N), ("against", R)],
    "perspectrum": [("SUPPORT", S), ("UNDERMINE", R)],
    "climate-fever": [("SUPPORTS", S), ("NOT_ENOUGH_INFO", N)],
    "healthver": [("Neutral", N)] * 2,
    "covidfact": [("SUPPORTED", S), ("REFUTED", R)],
    "scifact": [("entailment", S), ("not_entailment", None)] * 2,
    "sick": [("ENTAILMENT", S), ("CONTRADICTION", R)],
    "mnli dev": [("entailment", S), ("contradiction", R)],
    "snli dev": [("neutral", N)],
    "nli tests": [("not_entailment", None)] * 4,
}


@pytest.mark.parametrize("family", [f for f in families.FAMILIES if f.top == "stance"], ids=lambda f: f.name)
def test_each_stance_set_keeps_the_publishers_label_beside_ours(family):
    assert [(pair.label, pair.stance) for pair in family.rows(ROOT)] == STANCES[family.name]


def test_a_reply_in_a_thread_speaks_of_the_first_post():
    reply = list(stance.rumoureval(ROOT / "stance" / "rumoureval-2017"))[1]
    assert (reply.claim, reply.text, reply.group, reply.split) == ("The bridge fell!", "No it did not", "10", "traindev")


def test_semeval_is_read_as_windows_1252():
    first = next(stance.semeval2016(ROOT / "stance" / "semeval-2016-t6" / "semeval2016-task6-trainingdata.txt"))
    assert first.text == 'I don’t "like" bridges'


def test_evidence_sentences_of_covidfact_are_one_text():
    assert next(stance.covidfact(ROOT / "stance" / "covidfact")).text == "Soap breaks the shell. So it dies."


def test_a_question_without_an_answer_in_the_text_has_no_answers():
    [one, other] = reading.squad(ROOT / "reading" / "squad2-half-dev" / "dev-v2.0.json")
    assert (one.answers, one.starts, other.answers) == (("1999",), (19,), ())
    assert one.text[one.starts[0] :].startswith("1999")


def test_tweetqa_has_several_wordings_of_an_answer_and_none_for_its_test():
    [train] = reading.tweetqa(ROOT / "reading" / "tweetqa" / "train.json")
    [test] = reading.tweetqa(ROOT / "reading" / "tweetqa" / "test.json")
    assert (train.answers, test.answers) == (("the bridge", "bridge"), ())


def test_only_verdict_one_of_claimbuster_is_worth_checking():
    rows = list(checkworthy.claimbuster(ROOT / "checkworthy" / "claimbuster" / "combined.csv"))
    assert [(row.text, row.label, row.is_checkworthy) for row in rows] == [
        ('You know, "hello".', "-1", False),
        ("Half of all bridges fell.", "1", True),
    ]


def test_quotation_marks_in_debates_are_text():
    rows = list(checkworthy.debates(ROOT / "checkworthy" / "clef2020-task5" / "v2" / "v2.0" / "training"))
    assert [(row.id, row.text, row.is_checkworthy) for row in rows][1] == ("20160209_debate_0002", 'Half of "all" bridges fell.', True)


def test_gap_offsets_point_at_the_pronoun_and_the_names():
    [row] = coref.gap(ROOT / "coref" / "gap" / "gap-development.tsv")
    assert [row.text[at:].startswith(name) for at, name in [(row.at, "she"), *((n.at, n.text) for n in row.names)]] == [True] * 3
    assert [name.is_meant for name in row.names] == [True, False]


def test_litbank_mentions_may_be_nested():
    [document] = coref.litbank(ROOT / "coref" / "litbank" / "coref" / "conll")
    spoken = [(" ".join(document.sentences[m.sentence][m.start : m.end]), m.entity) for m in document.mentions]
    assert spoken == [("The dog of Ann", 0), ("Ann", 1), ("She", 1)]


# --- laws of all sets


@pytest.mark.parametrize("name", datasets.SETS)
def test_every_judged_fact_check_is_in_its_corpus(name):
    assert load(name).orphans() == []


@pytest.mark.parametrize("name", datasets.SETS)
def test_every_set_states_its_licence_counts_and_files(name):
    found, entry = load(name), datasets.catalog()[name]
    assert (found.licence, found.leaks) == (entry.licence, entry.leaks)
    assert entry.licence
    assert all(path.exists() for path in found.files)


@pytest.mark.parametrize("family", families.FAMILIES, ids=lambda f: f.name)
def test_every_family_of_rows_is_read_from_the_data_root(family):
    rows = list(family.rows(ROOT))
    assert rows == list(family.rows(ROOT))
    assert all(dataclasses.is_dataclass(row) for row in rows)
    assert rows


def test_a_set_that_is_not_there_is_named_with_what_to_do(tmp_path):
    (tmp_path / "known-lie").mkdir()
    with pytest.raises(BadData, match=r"is read from known-lie and checkthat-2021-task2b, but .* has no checkthat-2021-task2b: unpack"):
        datasets.load("known-lie-politifact", tmp_path)
    with pytest.raises(BadData, match=r"verified-claims\.tsv is missing: unpack"):
        datasets.load("known-lie-snopes", tmp_path)


def test_an_unknown_set_and_an_unknown_split_are_named_with_those_there_are():
    with pytest.raises(BadInput, match="'politics'; there are checkthat-2020-task2"):
        load("politics")
    with pytest.raises(BadInput, match="no split 'best'; it has train, dev, test"):
        datasets.load_part("checkthat-2020-task2/best", ROOT)


def test_without_a_data_root_the_message_says_how_to_give_one(monkeypatch):
    monkeypatch.delenv("TWICETOLD_DATASETS", raising=False)
    with pytest.raises(BadInput, match="--data-root DIR or set TWICETOLD_DATASETS"):
        datasets.data_root(None)


# --- what a data set refuses

CHECKS = (FactCheck("a", claim="x"),)


@pytest.mark.parametrize(
    ("claims", "judged", "trouble"),
    [
        ((Claim("p", "x"), Claim("p", "y")), {}, "query id given twice: 'p'"),
        ((Claim("p", "  "),), {}, "empty query: 'p'"),
        ((Claim("p", "x"),), {"q": {"a": 1}}, "judgement of an unknown query: 'q'"),
    ],
)
def test_a_data_set_that_would_lose_queries_is_refused(claims, judged, trouble):
    with pytest.raises(BadData, match=trouble):
        dataset.Dataset("mine", lambda: iter(CHECKS), claims, judged)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("p 0 a\n", "line 1: expected 'query 0 document grade'"),
        ("p 0 a yes\n", "line 1"),
        ("p 0 a 1\np 0 a 0\n", "line 2: p a is graded 1 and 0"),
    ],
)
def test_judgements_that_cannot_be_read_are_named_by_line(tmp_path, text, trouble):
    (tmp_path / "qrels").write_text(text)
    with pytest.raises(BadData, match=trouble):
        qrels(tmp_path / "qrels")


def test_a_transcript_whose_numbers_do_not_count_is_refused(tmp_path):
    (tmp_path / "t.tsv").write_text("1\tA\tone\n3\tA\tthree\n")
    with pytest.raises(BadData, match="line 2: expected '2, speaker, sentence'"):
        politifact.transcript(tmp_path / "t.tsv")


# --- splits

IDS = [f"{year}0101_debate{n}_{line:04d}" for year in (2015, 2016, 2017) for n in range(5) for line in range(1, 4)]
DEBATES = sorted({id.rpartition("_")[0] for id in IDS})


def test_a_split_is_whole_and_its_parts_do_not_overlap():
    parts = splits.debate_splits(IDS, DEBATES)
    for name in {part.rpartition("/")[0] for part in parts}:
        assert sorted(parts[f"{name}/train"] + parts[f"{name}/test"]) == IDS


def test_debates_are_never_torn_apart_except_by_the_sentence_split():
    parts = splits.debate_splits(IDS, DEBATES)
    for seed in splits.SEEDS:
        train, test = ({id.rpartition("_")[0] for id in parts[f"debate-random-{seed}/{side}"]} for side in ("train", "test"))
        assert not train & test
        assert len(test) == len(DEBATES) - round(0.8 * len(DEBATES))


def test_semi_chrono_tests_on_the_last_fifth_of_each_year():
    tested = {id.rpartition("_")[0] for id in splits.debate_splits(IDS, DEBATES)["semi-chrono/test"]}
    assert tested == {f"{year}0101_debate4" for year in (2015, 2016, 2017)}


def test_the_same_seed_gives_the_same_split_whatever_the_order_of_the_queries():
    assert set(splits.sentence_splits(IDS)["random-3/test"]) == set(splits.sentence_splits(IDS[::-1])["random-3/test"])


def test_a_random_split_tests_on_a_fifth_rounded_down():
    assert len(splits.sentence_splits([str(n) for n in range(639)])["random-0/test"]) == 127
