"""Which record is which, and which links are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.ingest.identity import canonical_url, check_id, links_in


def test_the_id_depends_on_the_url_and_the_claim_and_on_nothing_else():
    first = check_id(url="https://desk.example/1", claim="Frogs rained.", title="A", publisher="B")
    assert first == check_id(url="http://www.desk.example/1/?utm_medium=x#top", claim=" frogs  RAINED. ", title="C")
    assert first != check_id(url="https://desk.example/1", claim="It hailed.")
    assert first != check_id(url="https://desk.example/2", claim="Frogs rained.")


def test_without_a_url_the_id_depends_on_publisher_title_and_claim():
    ids = {
        check_id(publisher=publisher, title=title, claim=claim)
        for publisher in ("A", "B")
        for title in ("T", "U")
        for claim in ("", "T", "Frogs rained.")
    }
    assert len(ids) == 12


@pytest.mark.parametrize(
    "same",
    [
        (
            "https://www.desk.example/a/",
            "http://desk.example/a",
            "desk.example/a",
            "https://DESK.example/a?fbclid=1",
            "https://m.desk.example/a",
        ),
        ("https://twitter.com/a/status/1?s=20&ref_src=x", "https://x.com/a/status/1?s=20", "https://mobile.twitter.com/a/status/1?s=20"),
        ("https://youtu.be/abc", "https://www.youtube.com/watch?v=abc&feature=youtu.be"),
        ("https://desk.example/a/amp", "https://desk.example/a/index.html"),
        ("https://desk.example/?b=2&a=1", "https://desk.example?a=1&b=2"),
    ],
)
def test_the_same_link_written_differently_is_the_same(same):
    assert len({canonical_url(link) for link in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://desk.example/a", "https://desk.example/b"),
        ("https://desk.example/?id=1", "https://desk.example/?id=2"),
        ("https://a.desk.example/", "https://b.desk.example/"),
        ("https://desk.example/Abc", "https://desk.example/abc"),
    ],
)
def test_different_links_stay_different(one, other):
    assert canonical_url(one) != canonical_url(other)


def test_links_in_a_post_are_found_without_the_sentences_punctuation():
    post = "Look (https://desk.example/a_(b)), or www.posts.example/1!? “https://desk.example/c”。"
    assert links_in(post) == ("desk.example/a_(b)", "posts.example/1", "desk.example/c")


PARTS = "https:// http:// www. m. amp. a b.c / ? & = # v youtu.be utm_x x.com : 80 @ [ ] % index.html amp é"
LINKS = st.lists(st.sampled_from(PARTS.split()), max_size=12)


@given(st.text() | LINKS.map("".join))
def test_any_text_can_be_asked_for_its_canonical_link_and_asking_twice_changes_nothing(text):
    once = canonical_url(text)
    assert canonical_url(once) == once
    links_in(text)
