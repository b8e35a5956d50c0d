"""Posts: what is kept, what counts as a copy, and how indexes follow."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadData, Locked, NoCollection
from twicetold.posts import Posts
from twicetold.posts.clean import comparable, plain, readable
from twicetold.posts.sketch import are_copies, keys, likeness
from twicetold.types import Post

GARLIC = "Boil eight cloves of garlic in water, drink it warm and the corona virus will not touch you"
LONG = "The mayor said on Monday that the bridge over the river will be closed for repairs until the end of the year and buses will run"


def filled(folder, posts, vectors_by="static"):
    made = Posts.create(folder, vectors_by=vectors_by)
    for _ in made.add(posts):
        pass
    made.index()
    return made


def found(posts, words, field="text"):
    return {posts.store.fetch([num])[num].id for num, _ in posts.text.search(field, words, "en", depth=100)}


def test_a_share_and_a_post_with_another_link_are_copies_of_the_first(tmp_path):
    texts = [GARLIC, f"RT @abuela: {GARLIC}", f"{GARLIC} https://t.co/abc", "Something else entirely was said here"]
    posts = filled(tmp_path, [Post(f"p{at}", text) for at, text in enumerate(texts)])
    assert {id: [copy.id for copy in some] for id, some in posts.store.copies(["p0", "p3"]).items()} == {"p0": ["p1", "p2"]}
    assert found(posts, "garlic") == {"p0"}
    assert len(posts.store) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG, LONG.replace("will be closed", "will not be closed")),
        (f"{LONG} for 10 days", f"{LONG} for 12 days"),
        (f"{LONG}, this is true", f"{LONG}, this is fake"),
    ],
)
def test_a_changed_number_or_negation_makes_no_copy(one, other):
    assert likeness(one, other) > 0.7
    assert not are_copies(one, other, alike=0.7)


def test_the_same_reply_to_two_posts_is_said_twice(tmp_path):
    replies = [Post("r1", "This is fake, stop it", parent="a"), Post("r2", "This is fake, stop it", parent="b")]
    posts = filled(tmp_path, [Post("a", "Garlic cures the virus"), Post("b", "The moon landing was staged"), *replies])
    assert posts.store.copies(["r1"]) == {}


def test_near_copies_share_a_key_far_more_often_than_other_texts():
    words = [f"w{at}" for at in range(60)]
    near = sum(bool(set(keys(" ".join(words))) & set(keys(" ".join([*words[:at], "x", *words[at + 1 :]])))) for at in range(1, 59))
    far = sum(bool(set(keys(" ".join(words))) & set(keys(" ".join(f"{at}{word}" for word in words)))) for at in range(1, 59))
    assert near > 50
    assert far == 0


@given(st.text())
def test_cleaning_never_fails_and_keys_do_not_depend_on_case(text):
    plain(text)
    readable(text)
    assert keys(text) == keys(f"{text} https://t.co/x")
    assert comparable(text) == [word.lower() for word in comparable(text)]


def test_a_reply_is_found_by_the_words_of_what_it_replies_to_whichever_came_first(tmp_path):
    posts = filled(tmp_path, [Post("reply", "No way.", parent="claim")])
    assert found(posts, "garlic", "context") == set()
    for _ in posts.add([Post("claim", GARLIC)]):
        pass
    posts.index()
    assert found(posts, "garlic", "context") == {"reply"}
    assert found(posts, "garlic") == {"claim"}


def test_a_removed_post_loses_its_text_and_its_first_copy_takes_its_place(tmp_path):
    posts = filled(tmp_path, [Post("p1", GARLIC), Post("p2", GARLIC), Post("p3", f"RT @x: {GARLIC}")])
    assert posts.store.remove(["p1"]) == 1
    posts.index()
    assert found(posts, "garlic") == {"p2"}
    assert posts.store.firsts(["p3"]) == {"p3": "p2"}
    assert posts.store.get("p1") is None


def test_a_changed_post_is_found_by_its_new_words_only(tmp_path):
    posts = filled(tmp_path, [Post("p1", GARLIC)])
    [written] = posts.add([Post("p1", "The bridge is closed until Monday")])
    posts.index()
    assert (written.changed, written.added) == (1, 0)
    assert found(posts, "garlic") == set()
    assert found(posts, "bridge") == {"p1"}
    assert len(posts.vectors) == 1


def test_reading_the_same_posts_twice_changes_nothing(tmp_path):
    posts = filled(tmp_path, [Post("p1", GARLIC), Post("p2", LONG)])
    change = posts.store.change
    [written] = posts.add([Post("p1", GARLIC), Post("p2", LONG)])
    assert (written.same, posts.store.change, posts.pending) == (2, change, 0)


def test_indexes_thrown_away_are_made_anew_from_the_store(tmp_path):
    posts = filled(tmp_path, [Post("p1", GARLIC), Post("p2", LONG)])
    before = posts.text.search("text", "garlic river", "en", depth=5)
    posts.rebuild()
    assert posts.text.search("text", "garlic river", "en", depth=5) == before


def test_a_second_writer_is_told_to_wait(tmp_path):
    first, second = Posts.create(tmp_path), Posts.create(tmp_path)
    writing = first.add([Post("p1", GARLIC)])
    next(writing)
    with pytest.raises(Locked, match="wait for it"):
        next(second.add([Post("p2", LONG)]))


def test_no_posts_at_all_says_how_to_add_some(tmp_path):
    with pytest.raises(NoCollection, match="ingest-posts"):
        Posts.open(tmp_path)


def test_a_damaged_settings_file_is_named(tmp_path):
    Posts.create(tmp_path).close()
    (tmp_path / "posts.json").write_text(json.dumps({"vectors": 1}))
    with pytest.raises(BadData, match=r"posts\.json"):
        Posts.open(tmp_path)


def test_a_full_disk_loses_no_post_that_was_there_and_is_said(tmp_path):
    posts = filled(tmp_path, [Post("a", GARLIC)])
    (pages,) = posts.store._db.execute("PRAGMA page_count").fetchone()
    posts.store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(BadData, match="the disk is full"):
        posts.store.put(Post(f"b{at}", f"{LONG} {at} " * 50) for at in range(50))
    assert [post.id for post in posts.store] == ["a"]


def test_the_keys_of_a_text_are_the_same_on_every_machine():
    """They are kept in the file: other keys would tie no new post to an old one."""
    assert keys(GARLIC) == (-8034252441023564462, 3465154647283528064, 8115317076491114327)
