"""The layouts of public research collections, in tiny files written for these tests."""

import json

import pytest

from twicetold.errors import BadData
from twicetold.ingest import Problem, read
from twicetold.ingest.datasets import (
    checkthat2020,
    checkthat2021_2a,
    checkthat2021_2b,
    factchecktweet,
    politifact_table,
    snopes_table,
)

POLITIFACT = {
    "url": "/factchecks/2019/oct/28/ana-ruiz/bridge/",
    "speaker": "Ana Ruiz",
    "vclaim": "The bridge cost ten times its estimate.",
    "truth_label": "barely-true",
    "date": "stated on October 24, 2019 in an interview:",
    "title": "The bridge did not cost that much",
    "text": "It cost three times as much.",
    "vclaim_id": "vclaim-pol-00005",
}
ARTICLE = {
    "title": "Did frogs rain?",
    "subtitle": "Frogs rained over Naples.",
    "author": "www.desk.example",
    "date": "2020-02-26T17:02:36Z",
    "vclaim_id": "vclaim-id-7",
    "url": "https://www.desk.example/frogs",
    "vclaim": "They did not.\n\nThey jumped.",
    "lang": "en",
}


def test_checkthat_2020_has_ids_claims_and_titles(tmp_path):
    rows = '\tvclaim\ttitle\n0\tFrogs rained.\tDid frogs rain?\n1\t"A ""quoted"" claim\nof two lines."\tIs it so?\n'
    (tmp_path / "verified_claims.docs.tsv").write_text(rows)
    first, second = checkthat2020(tmp_path)
    assert (first.id, first.claim, first.title, first.publisher, first.lang) == ("0", "Frogs rained.", "Did frogs rain?", "Snopes", "en")
    assert (second.id, second.claim) == ("1", 'A "quoted" claim\nof two lines.')


def test_checkthat_2021_2a_is_a_folder_of_records(tmp_path):
    (tmp_path / "vclaims").mkdir()
    record = {
        "title": "Did frogs rain?",
        "subtitle": "A rumor says so.",
        "author": "Tom Adeyemi",
        "date": "26 May 2015",
        "vclaim_id": "vclaim-sno-frogs",
        "vclaim": "Frogs rained.",
    }
    (tmp_path / "vclaims" / "vclaim-sno-frogs.json").write_text(json.dumps(record, indent=2))
    (tmp_path / "vclaims" / "vclaim-sno-hail.json").write_text('{"title": "cut')
    check, problem = checkthat2021_2a(tmp_path)
    assert (check.id, check.claim, check.published, check.publisher) == ("vclaim-sno-frogs", "Frogs rained.", "2015-05-26", "Snopes")
    assert check.other == {"author": "Tom Adeyemi", "subtitle": "A rumor says so."}
    assert problem.place.endswith("vclaim-sno-hail.json")


def test_checkthat_2021_2b_dates_the_claim_by_the_phrase_and_the_article_by_its_url(tmp_path):
    (tmp_path / "politifact-vclaims").mkdir()
    (tmp_path / "politifact-vclaims" / "vclaim-pol-00005.json").write_text(json.dumps(POLITIFACT))
    [check] = checkthat2021_2b(tmp_path)
    assert (check.id, check.claimed_on, check.published) == ("vclaim-pol-00005", "2019-10-24", "2019-10-28")
    assert (check.claimant, check.publisher) == ("Ana Ruiz", "PolitiFact")
    assert check.url == "https://www.politifact.com/factchecks/2019/oct/28/ana-ruiz/bridge/"
    assert (check.rating, check.verdict.value) == ("barely-true", "false")
    assert check.body == "It cost three times as much."


def test_factchecktweet_has_its_article_under_vclaim_and_its_site_under_author(tmp_path):
    undated = ARTICLE | {"vclaim_id": "vclaim-id-8", "subtitle": "", "date": None}
    (tmp_path / "fact-check-tweet-vclaims.jsonl").write_text(f"{json.dumps(ARTICLE)}\n{json.dumps(undated)}\nnot json\n")
    first, second, problem = factchecktweet(tmp_path)
    assert (first.id, first.claim, first.title) == ("vclaim-id-7", "Frogs rained over Naples.", "Did frogs rain?")
    assert (first.body, first.publisher, first.published) == ("They did not.\n\nThey jumped.", "www.desk.example", "2020-02-26")
    assert (second.claim, second.published, second.other) == ("", "", {})
    assert problem.place.endswith("line 3")


def test_a_factchecktweet_article_without_title_and_subtitle_is_named_by_its_opening_line(tmp_path):
    (tmp_path / "x.jsonl").write_text(json.dumps(ARTICLE | {"title": "", "subtitle": ""}))
    [check] = factchecktweet(tmp_path / "x.jsonl")
    assert check.title == "They did not."


def test_the_snopes_table_gives_repeated_rows_once(tmp_path):
    (tmp_path / "verified-claims.tsv").write_text("title\tfact\nA\tFrogs rained.\nB\tIt hailed.\nA\tFrogs rained.\n")
    assert [(check.title, check.claim) for check in snopes_table(tmp_path)] == [("A", "Frogs rained."), ("B", "It hailed.")]


def test_the_politifact_table_without_header_is_read(tmp_path):
    url = "http://politifact.com/x/statements/2019/oct/30/a/b/"
    row = f'7,"The bridge ""cost"" more.","on Wednesday, October 30th, 2019",{url},False,Ana,T,"Body\nof two"\n'
    (tmp_path / "t.csv").write_text(row)
    [check] = politifact_table(tmp_path / "t.csv")
    assert (check.id, check.claim, check.claimed_on, check.published) == ("7", 'The bridge "cost" more.', "2019-10-30", "2019-10-30")
    assert check.body == "Body\nof two"


def test_the_politifact_table_of_a_debate_gives_a_fact_check_of_several_lines_once(tmp_path):
    columns = "verified_claim,verified_claim_article_title,truth_value,verified_claim_url,notes"
    header = f"line_number,speaker,sentence,politifact_statement,{columns}\n"
    rows = [
        f"{line},ANA,Said {line}.,x,Frogs rained.,Did they?,Half-True,https://www.politifact.com/s/2012/oct/23/a/b/,\n" for line in (1, 2)
    ]
    (tmp_path / "debate.csv").write_text(header + "".join(rows))
    [check] = politifact_table(tmp_path / "debate.csv")
    assert (check.claim, check.published, check.verdict.value) == ("Frogs rained.", "2012-10-23", "mixed")


@pytest.mark.parametrize("reader", [checkthat2020, checkthat2021_2a, checkthat2021_2b, factchecktweet, snopes_table, politifact_table])
def test_a_folder_of_something_else_is_refused_with_what_was_wanted(tmp_path, reader):
    with pytest.raises(BadData, match="should be"):
        list(reader(tmp_path))


def test_a_collections_folder_is_recognised_as_a_whole(tmp_path):
    (tmp_path / "politifact-vclaims").mkdir()
    (tmp_path / "politifact-vclaims" / "vclaim-pol-00005.json").write_text(json.dumps(POLITIFACT))
    (tmp_path / "train.tsv").write_text("a debate line\t0\tvclaim-pol-00005\t1\n")
    assert [check.id for check in read(tmp_path)] == ["vclaim-pol-00005"]


def test_a_record_that_lacks_a_field_is_a_problem(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"title": "T"}\n')
    assert list(factchecktweet(tmp_path / "x.jsonl")) == [Problem(f"{tmp_path / 'x.jsonl'}, line 1", "lacks the field 'vclaim_id'")]


def test_a_row_that_is_not_utf8_is_a_problem_and_costs_no_other(tmp_path):
    (tmp_path / "verified-claims.tsv").write_bytes(b"title\tfact\nA\tFr\xf6gs rained.\nB\tIt hailed.\n")
    problem, check = snopes_table(tmp_path)
    assert problem.place.endswith("line 2")
    assert check.claim == "It hailed."
