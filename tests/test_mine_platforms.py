"""Posts in the layouts that platforms hand out."""

import json
import zipfile

import pytest

from twicetold.errors import BadData, BadInput
from twicetold.ingest.platforms import Unreadable
from twicetold.ingest.posts import posts_of, read_posts
from twicetold.ingest.problems import Problem
from twicetold.types import Post

V1 = {"id_str": "1050118621198921728", "full_text": "Shoes spread it", "created_at": "Wed Oct 10 20:19:24 +0000 2018", "lang": "en",
      "user": {"screen_name": "ann"}, "in_reply_to_status_id_str": "17"}  # fmt: skip
V2 = {
    "data": [
        {"id": "9", "text": "RT @bob: cut sho…", "author_id": "1", "created_at": "2020-05-01T10:00:00.000Z", "lang": "en",
         "referenced_tweets": [{"type": "retweeted", "id": "8"}]},
        {"id": "10", "text": "No.", "author_id": "1", "referenced_tweets": [{"type": "replied_to", "id": "8"}]},
    ],
    "includes": {"users": [{"id": "1", "username": "ann"}, {"id": "2", "username": "bob"}],
                 "tweets": [{"id": "8", "text": "cut short by the platform, but whole here", "author_id": "2"}]},
}  # fmt: skip
MASTODON = {"id": "110", "content": "<p>Garlic &amp; rum</p><p>cure it<br>fast</p>", "created_at": "2022-11-20T08:00:00.000Z",
            "language": "en", "url": "https://example.social/@ann/110", "account": {"acct": "ann@example.social"},
            "in_reply_to_id": "109", "reblog": None}  # fmt: skip
OUTBOX = {"type": "OrderedCollection", "orderedItems": [
    {"type": "Create", "actor": "https://example.social/users/ann",
     "object": {"id": "https://example.social/ann/1", "content": "<p>hello</p>", "published": "2022-01-02T03:04:05Z",
                "attributedTo": "https://example.social/users/ann", "inReplyTo": None, "contentMap": {"en": "<p>hello</p>"}}},
    {"type": "Announce", "actor": "https://example.social/users/ann", "object": "https://other.example/1"}]}  # fmt: skip
BLUESKY = {"feed": [{"post": {"uri": "at://did:plc:abc/app.bsky.feed.post/3k", "author": {"handle": "ann.example"},
                              "record": {"$type": "app.bsky.feed.post", "text": "masks work", "langs": ["en"],
                                         "reply": {"parent": {"uri": "at://did:plc:xyz/app.bsky.feed.post/1a"}}}}}]}  # fmt: skip
JETSTREAM = [
    {"did": "did:plc:abc", "commit": {"collection": "app.bsky.feed.post", "rkey": "3k", "record": {"text": "live words", "langs": ["en"]}}},
    {"did": "did:plc:abc", "commit": {"collection": "app.bsky.feed.like", "rkey": "3l", "record": {"subject": {}}}},
]


def read(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return list(read_posts(path))


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


def test_twitter_1_1_keeps_author_time_and_what_it_replies_to(tmp_path):
    [post] = read(tmp_path, "tweets.jsonl", lines(V1))
    assert post == Post("1050118621198921728", "Shoes spread it", "ann", "2018-10-10T20:19:24Z", "en",
                        "https://x.com/ann/status/1050118621198921728", "17")  # fmt: skip


def test_twitter_2_gives_a_retweet_the_whole_text_it_shares(tmp_path):
    share, reply = read(tmp_path, "answer.json", V2)
    assert share.text == "RT @bob: cut short by the platform, but whole here"
    assert (reply.text, reply.author, reply.parent) == ("No.", "ann", "8")


def test_a_twitter_archive_is_read_from_its_zip(tmp_path):
    path = tmp_path / "archive.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/tweets.js", "window.YTD.tweets.part0 = " + json.dumps([{"tweet": {**V1, "user": {}}}]))
        archive.writestr("data/like.js", "window.YTD.like.part0 = []")
    [post] = read_posts(path)
    assert (post.id, post.text) == ("1050118621198921728", "Shoes spread it")


def test_mastodon_markup_becomes_lines(tmp_path):
    [post] = read(tmp_path, "statuses.json", [MASTODON])
    assert post.text == "Garlic & rum\ncure it\nfast"
    assert (post.author, post.parent, post.posted) == ("ann@example.social", "109", "2022-11-20T08:00:00Z")


def test_a_mastodon_export_gives_its_notes_and_leaves_boosts_out(tmp_path):
    [post] = read(tmp_path, "outbox.json", OUTBOX)
    assert (post.text, post.author, post.lang) == ("hello", "ann", "en")


def test_bluesky_posts_link_to_the_app_and_keep_their_parent(tmp_path):
    [post] = read(tmp_path, "feed.json", BLUESKY)
    assert post.url == "https://bsky.app/profile/ann.example/post/3k"
    assert post.parent == "at://did:plc:xyz/app.bsky.feed.post/1a"


def test_a_jetstream_gives_posts_and_no_likes(tmp_path):
    [post] = read(tmp_path, "stream.jsonl", lines(*JETSTREAM))
    assert post.text == "live words"


def test_a_table_is_read_by_the_names_of_its_columns(tmp_path):
    [post] = read(tmp_path, "posts.csv", "tweet_id,Content,Date\n42,Garlic helps,2020-05-01\n")
    assert (post.id, post.text, post.posted) == ("42", "Garlic helps", "2020-05-01")


def test_mythqa_corpus_files_are_read(tmp_path):
    [post] = read(tmp_path, "1.json", {"id": "1123", "contents": "shoe spread covid"})
    assert (post.id, post.text) == ("1123", "shoe spread covid")


def test_broken_lines_are_told_with_their_place_and_the_rest_is_read(tmp_path):
    text = lines({"id": "1", "text": "fine"}) + '\n{"id": "2", "text": ""}\n{broken\n' + lines({"id": "3", "text": "fine too"})
    records = read(tmp_path, "posts.jsonl", text)
    assert [record.id for record in records if isinstance(record, Post)] == ["1", "3"]
    problems = [record for record in records if isinstance(record, Problem)]
    assert [problem.place.rpartition(", ")[2] for problem in problems] == ["line 2", "line 3"]


def test_an_empty_file_and_a_picture_are_refused_in_words(tmp_path):
    with pytest.raises(BadData, match="is empty"):
        read(tmp_path, "posts.jsonl", "")
    with pytest.raises(BadInput, match="no kind of posts"):
        read(tmp_path, "picture.png", "PNG and so on")


def test_a_post_without_an_id_gets_one_from_its_text(tmp_path):
    one, same = read(tmp_path, "posts.jsonl", lines({"text": "hello"}, {"text": "hello"}))
    assert one.id == same.id


@pytest.mark.parametrize("text", [5, 1.5, True, ["words"], {"en": "words"}])
def test_a_text_that_is_no_text_is_named_and_not_taken_for_a_post(text):
    with pytest.raises(Unreadable, match=r"the field text holds .*; wanted words"):
        list(posts_of({"id": "1", "text": text}))
