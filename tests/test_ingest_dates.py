"""Dates as publishers write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.ingest.dates import iso


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("2019-10-22", ""), ("2019-10-22T23:30:00-08:00", ""), ("2019/10/22", ""), ("20191022", ""), ("20191022T101500Z", ""),
        ("October 22, 2019", ""), ("Oct. 22, 2019", ""), ("OCT 22 2019 4:10 PM EST", ""),
        ("22nd October 2019", ""), ("22 Oct 2019, 07:15", ""),
        ("on Tuesday, October 22nd, 2019", ""), ("stated on October 22, 2019 in a debate:", ""), ("Tue, 22 Oct 2019 10:00:00 GMT", ""),
        ("Tue Oct 22 10:00:00 +0000 2019", ""), ("22-Oct-2019", ""), ("Published on:  October 22, 2019 / 6:00 AM", ""),
        ("22 de octubre de 2019", "es"), ("martes, 22 octubre 2019", "es"), ("22 octobre 2019", "fr"),
        ("mardi 22 octobre 2019 à 10 h", "fr"),
        ("22. Oktober 2019", "de"), ("22 de outubro de 2019", "pt"), ("22 ottobre 2019", "it"), ("22 oktober 2019", "nl"),
        ("22 października 2019", "pl"), ("22 Ekim 2019", "tr"), ("22 Oktober 2019", "id"),
        ("22 أكتوبر 2019", "ar"), ("22 अक्टूबर 2019", "hi"),
        ("2019年10月22日", "zh"), ("2019 年 10 月 22 日", "zh"), ("2019년 10월 22일", "ko"),
        ("22/10/2019", ""), ("10/22/2019", ""), ("22.10.2019", ""), ("22/10/2019 10h30", "pt"), ("Publié le 22/10/19 à 14h30", "fr"),
    ],
)  # fmt: skip
def test_a_clear_date_is_read(text, lang):
    assert iso(text, lang) == "2019-10-22"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("", ""), ("May", ""), ("May 2020", ""), ("2020", ""),
        ("2021-03", ""), ("2021/03", ""), ("2021年3月", "zh"), ("yesterday", ""), ("03/04/2020", ""),
        ("03/04/2020", "en"), ("03/04/20", ""),
        ("2020-13-45", ""), ("30 February 2020", ""), ("room 12, building 2020", ""), ("12 angry 2019", ""),
        ("1571738400", ""), ("0000-00-00", ""),
    ],
)  # fmt: skip
def test_an_unclear_date_is_not_guessed(text, lang):
    assert iso(text, lang) == ""


def test_the_order_of_day_and_month_is_settled_by_the_language_or_by_a_part_above_twelve():
    assert iso("03/04/2020", "fr") == "2020-04-03"
    assert iso("05/05/2020") == "2020-05-05"


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_an_iso_date_comes_back_as_it_is(day):
    assert iso(day.isoformat()) == day.isoformat()


@given(st.text(max_size=80), st.sampled_from(["", "en", "fr", "zh"]))
def test_any_text_gives_a_date_or_nothing(text, lang):
    found = iso(text, lang)
    assert found == "" or date.fromisoformat(found).isoformat() == found
