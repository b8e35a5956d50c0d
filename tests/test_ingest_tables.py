"""CSV and TSV with named columns, as spreadsheets and scripts write them."""

import io

import pytest

from twicetold.errors import BadData
from twicetold.ingest import Problem, read
from twicetold.ingest.identity import check_id
from twicetold.types import FactCheck

FULL = (
    "id,claim,title,body,rating,url,publisher,published,claimant,claimed_on,appearances,lang\n"
    'c-1,Frogs rained.,Did frogs rain?,"No.\nThey ""jumped"".",Mostly False,https://desk.example/1,Desk,1 May 2020,Ana,2020-04-30,'
    "https://posts.example/1 https://posts.example/2,en\n"
)


LONG = "Frogs rained over Naples again and again. " * 8 + "Again."


def rows(text: str | bytes) -> list[FactCheck | Problem]:
    return list(read(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def test_every_named_column_fills_its_field():
    [check] = rows(FULL)
    assert (check.id, check.claim, check.title, check.body) == ("c-1", "Frogs rained.", "Did frogs rain?", 'No.\nThey "jumped".')
    assert (check.rating, check.verdict.value, check.url, check.publisher) == ("Mostly False", "false", "https://desk.example/1", "Desk")
    assert (check.published, check.claimant, check.claimed_on, check.lang) == ("2020-05-01", "Ana", "2020-04-30", "en")
    assert check.appearances == ("https://posts.example/1", "https://posts.example/2")


@pytest.mark.parametrize("header", ["claim", "title", "Claim Text", "claimReviewed", "HEADLINE", "statement"])
def test_a_claim_or_a_title_is_enough(header):
    [check] = rows(f"{header}\nFrogs rained over Naples.\n")
    assert "Frogs rained over Naples." in (check.claim, check.title)


@pytest.mark.parametrize(
    ("synonym", "field", "value"),
    [
        ("verdict", "rating", "False"),
        ("textualRating", "rating", "False"),
        ("Date Published", "published", "2020-05-01"),
        ("speaker", "claimant", "Ana"),
        ("claim_date", "claimed_on", "2020-05-01"),
        ("link", "url", "https://desk.example/1"),
        ("site", "publisher", "Desk"),
        ("language", "lang", "es"),
        ("article_text", "body", "No."),
    ],
)
def test_common_synonyms_are_understood(synonym, field, value):
    [check] = rows(f"claim,{synonym}\nFrogs rained.,{value}\n")
    assert getattr(check, field) == value


def test_a_column_that_means_nothing_here_is_kept():
    [check] = rows("claim,desk,empty\nFrogs rained.,north,\n")
    assert check.other == {"desk": "north"}


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_the_delimiter_is_found_from_the_header(delimiter):
    [check] = rows(delimiter.join(["claim", "rating", "url"]) + "\n" + delimiter.join(["Frogs rained.", "Fake", "https://desk.example/1"]))
    assert (check.claim, check.rating, check.url) == ("Frogs rained.", "Fake", "https://desk.example/1")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_encodings_of_spreadsheets_are_read(encoding):
    [check] = rows("claim;rating\r\nEs regnete Frösche.;Falsch\r\n".encode(encoding))
    assert (check.claim, check.rating) == ("Es regnete Frösche.", "Falsch")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_any_machine_ends_them(end):
    first, second = rows(end.join(["claim,rating", '"One, two.",False', "Three.,True", ""]))
    assert [(check.claim, check.rating) for check in (first, second)] == [("One, two.", "False"), ("Three.", "True")]


def test_an_unreadable_date_is_empty_and_its_original_kept():
    first, second = rows("claim,published\nFrogs rained.,May\nIt hailed.,03/04/2020\n")
    assert (first.published, first.other) == ("", {"published": "May"})
    assert (second.published, second.other) == ("", {"published": "03/04/2020"})


def test_wrong_bytes_are_reported_with_their_line_and_cost_no_other_row():
    raw = b"claim,rating\nOne.,False\nTw\xf3.,False\nThree\x00.,False\nFour.,False\n"
    first, latin, nul, last = rows(raw)
    assert (first.claim, last.claim) == ("One.", "Four.")
    assert (latin.place, nul.place) == ("standard input, line 3", "standard input, line 4")
    assert "0xf3" in latin.reason
    assert "NUL" in nul.reason


def test_a_row_of_too_few_or_too_many_columns_is_reported():
    few, many, good = rows("claim,rating\nOne.\nTwo.,False,more\nThree.,False\n")
    assert few == Problem("standard input, line 2", "has 1 columns, the header 2")
    assert many == Problem("standard input, line 3", "has 3 columns, the header 2")
    assert good.claim == "Three."


def test_a_row_without_claim_and_title_is_reported():
    problem, good = rows("claim,rating\n,False\nTwo.,False\n")
    assert problem == Problem("standard input, line 2", "has neither a claim nor a title")
    assert good.claim == "Two."


def test_places_count_lines_not_rows():
    [good, problem] = rows('claim,rating\n"One\ntwo\nthree.",False\n,False\n')
    assert good.claim == "One\ntwo\nthree."
    assert problem.place == "standard input, line 5"


@pytest.mark.parametrize("stray", ['"Two.,False', '"Two."x",False'], ids=["never closed", "closed too early"])
def test_a_stray_quotation_mark_costs_its_own_row_only(stray):
    read = rows(f'claim,rating\nOne.,False\n{stray}\nThree.,False\n"Four, too.",False\n')
    assert [r.claim for r in read if isinstance(r, FactCheck)] == ["One.", "Three.", "Four, too."]
    assert [r.place for r in read if isinstance(r, Problem)] == ["standard input, line 3"]


def test_an_unclosed_quotation_mark_far_from_the_end_is_given_up_in_time():
    read = rows('claim,lang\n"One.,en\n' + f"{LONG},en\n" * 15_000)
    assert isinstance(read[0], Problem)
    assert len(read) == 15_001
    assert read[-1].claim == LONG


def test_a_table_without_a_known_column_is_refused_with_what_it_has():
    with pytest.raises(BadData, match=r"names a column claim or title; it has name, age"):
        rows("name,age\nAna,7\n")


def test_a_table_of_only_a_header_is_refused():
    with pytest.raises(BadData, match="holds no fact-checks"):
        rows("claim,rating\n")


def test_rows_without_ids_get_the_same_ids_every_time_and_different_ones_each():
    text = "claim,publisher\nOne.,Desk\nTwo.,Desk\nOne.,Other\n"
    ids = [check.id for check in rows(text)]
    assert ids == [check.id for check in rows(text)]
    assert len(set(ids)) == 3


def test_html_entities_in_plain_texts_are_read_as_the_characters_they_stand_for():
    header = "claim,title,claimant,publisher,rating,body\n"
    [check] = rows(header + "The mayor&#8217;s 5 &lt; 6,Dogs &amp; cats,Bob&#x27;s,A &amp; B,Fals&#101;,It &quot;rained&quot;.\n")
    assert (check.claim, check.title, check.claimant) == ("The mayor’s 5 < 6", "Dogs & cats", "Bob's")
    assert (check.publisher, check.rating, check.verdict.value, check.body) == ("A & B", "False", "false", 'It "rained".')


@pytest.mark.parametrize(
    "text", ["AT&T and R&D", "&copy of this; &notit &notit;", "a &nosuchname; b", "&#0; &#xD800; &#1114112;", "<b>5 &lt; 6</b>"]
)
def test_what_is_no_entity_of_a_plain_text_is_left_as_it_stands(text):
    [check] = rows(f"claim\n{text}\n")
    assert check.claim == text


def test_a_claim_with_entities_keeps_the_id_it_always_had():
    [check] = rows("claim,url\nThe mayor&#8217;s dog,https://desk.example/1\n")
    assert check.id == check_id(url="https://desk.example/1", claim="The mayor&#8217;s dog")


def test_our_own_form_is_read_back_to_the_letter():
    [check] = rows("id,claim,verdict,other\na,Write &amp;amp; for an ampersand,true,{}\n")
    assert check.claim == "Write &amp;amp; for an ampersand"
