"""One post as each platform writes it. `PLATFORMS` is asked in order; a record that none knows is read by the names of its fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import blake2b
from typing import Any

from bs4 import BeautifulSoup

from twicetold.ingest.dates import iso
from twicetold.types import Post

Record = Mapping[str, Any]

TEXT_FIELDS = ("text", "full_text", "contents", "content", "tweet", "body", "message", "post", "status")
ID_FIELDS = ("id", "id_str", "tweet_id", "tweetid", "status_id", "post_id", "uri", "url")
LANG_FIELDS = ("lang", "language")
"""The usual names of a flat record's fields, the first that holds something counts."""


class Unreadable(Exception):
    """This record is no post; the message says why."""


@dataclass(frozen=True, slots=True)
class Platform:
    """How one platform's records are recognised and read; `read` gets the answer around the record too."""

    name: str
    knows: Callable[[Record], bool]
    read: Callable[[Record, Record], Post | None]


def from_named(record: Record) -> Post:
    """Read a flat record by the usual names of its fields. Without an id, the id is a digest of the text."""
    text = _words(record)
    if text is None:
        raise Unreadable(f"no text: wanted a field text, content or tweet, found {sorted(map(str, record))[:8]}")
    id = _first(record, ID_FIELDS)
    return Post(
        _plain_id(id) if id else f"text-{blake2b(text.encode('utf-8', 'replace'), digest_size=8).hexdigest()}",
        text,
        author=_first(record, ("author", "username", "screen_name", "user_name", "user", "handle", "account", "author_id")) or "",
        posted=when(_first(record, ("posted", "created_at", "createdat", "date", "time", "timestamp", "published", "datetime")) or ""),
        lang=_lang(_first(record, LANG_FIELDS) or ""),
        url=_first(record, ("url", "link", "permalink", "tweet_url")) or "",
        parent=_plain_id(_first(record, ("parent", "in_reply_to_status_id_str", "in_reply_to_status_id", "in_reply_to", "reply_to")) or ""),
    )


def _words(record: Record) -> str | None:
    """The text of a flat record. Raises Unreadable if what should hold it holds no words, a number for one."""
    lowered = {str(key).lower().strip(): value for key, value in record.items()}
    said = [value for name in TEXT_FIELDS if isinstance(value := lowered.get(name), str) and value.strip()]
    wordless = [name for name in TEXT_FIELDS if not isinstance(lowered.get(name), str | None)]
    if not said and wordless:
        raise Unreadable(f"the field {wordless[0]} holds {json.dumps(lowered[wordless[0]], default=str)[:60]}; wanted words")
    return said[0].strip() if said else None


def _first(record: Record, names: Iterable[str]) -> str | None:
    """The first named field that holds words or a number; names are matched without case."""
    lowered = {str(key).lower().strip(): value for key, value in record.items()}
    for name in names:
        value = lowered.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return None


def _plain_id(id: str) -> str:
    """Spreadsheets turn long ids into decimals ("1.0"); what they rounded away is lost."""
    return re.sub(r"\.0$", "", id)


def _lang(code: str) -> str:
    code = code.lower()[:2]
    return "" if code in ("un", "zx", "qm", "qh", "in") or not code.isalpha() else code


def when(text: str) -> str:
    """Return a time as ISO 8601 in UTC, a day as ISO, or "" when unclear.

    >>> when("Wed Oct 10 20:19:24 +0000 2018"), when("2020-05-01T10:00:00.000+02:00"), when("1407605414"), when("soon")
    ('2018-10-10T20:19:24Z', '2020-05-01T08:00:00Z', '2014-08-09T17:30:14Z', '')
    """
    moment = _moment(text.strip())
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment and moment.year >= _FIRST_YEAR else iso(text)


_FIRST_YEAR = 1000  # before it a time is a slip of the pen, and years are not written in four digits


def _moment(text: str) -> datetime | None:
    """The time a text names, in UTC."""
    try:
        found = _told(text)
        return found.astimezone(UTC) if found else None
    except (ValueError, OverflowError):
        return None


def _told(text: str) -> datetime | None:
    if re.fullmatch(r"\d{9,10}(\.\d+)?|\d{13}", text):
        seconds = float(text) / (1000 if len(text) == 13 else 1)
        return datetime.fromtimestamp(seconds, UTC)
    twitter = re.fullmatch(r"\w{3} (\w{3} \d\d) (\d\d:\d\d:\d\d) ([+-]\d{4}) (\d{4})", text)
    if twitter:
        return parsedate_to_datetime(f"{twitter[1][4:]} {twitter[1][:3]} {twitter[4]} {twitter[2]} {twitter[3]}")
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d", text):
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return parsedate_to_datetime(text) if re.match(r"\w{3}, \d", text) else None


def without_markup(text: str) -> str:
    """Return the text of an HTML fragment; paragraphs and line breaks become new lines."""
    if "<" not in text and "&" not in text:
        return text
    soup = BeautifulSoup(re.sub(r"(?i)<br\s*/?>|</p>\s*<p[^>]*>", "\n", text), "lxml")
    return str(soup.get_text()).strip()


def _inside(record: Any, *path: str) -> Any:
    for name in path:
        record = record.get(name) if isinstance(record, Mapping) else None
    return record


def _text(record: Any, *path: str) -> str:
    found = _inside(record, *path)
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""


# --- Twitter ---------------------------------------------------------------------------------------------------------


def _twitter_v1(record: Record, _: Record) -> Post | None:
    """A tweet of API 1.1 or of a personal archive (`{"tweet": {…}}`). A retweet keeps the whole text of what it shares."""
    tweet: Record = record["tweet"] if isinstance(record.get("tweet"), Mapping) else record
    author = _text(tweet, "user", "screen_name")
    text = _text(tweet, "extended_tweet", "full_text") or _text(tweet, "full_text") or _text(tweet, "text")
    shared = _inside(tweet, "retweeted_status")
    if isinstance(shared, Mapping):
        original = _twitter_v1(shared, {})
        text = f"RT @{_text(shared, 'user', 'screen_name')}: {original.text}" if original else text
    id = _text(tweet, "id_str") or _text(tweet, "id")
    if not id:
        raise Unreadable("the tweet has no id")
    url = f"https://x.com/{author or 'i'}/status/{id}"
    return Post(
        id, text, author, when(_text(tweet, "created_at")), _lang(_text(tweet, "lang")), url, _text(tweet, "in_reply_to_status_id_str")
    )


def _twitter_v2(record: Record, outer: Record) -> Post | None:
    users = {_text(user, "id"): _text(user, "username") for user in _inside(outer, "includes", "users") or ()}
    tweets = {_text(tweet, "id"): tweet for tweet in _inside(outer, "includes", "tweets") or ()}
    referenced = {_text(one, "type"): _text(one, "id") for one in record.get("referenced_tweets") or ()}
    id, author = _text(record, "id"), users.get(_text(record, "author_id"), _text(record, "author_id"))
    text = _text(record, "note_tweet", "text") or _text(record, "text")
    shared = tweets.get(referenced.get("retweeted", ""))
    if shared is not None:  # the record's own text is cut at 140 characters
        name = users.get(_text(shared, "author_id"), _text(shared, "author_id"))
        text = f"RT @{name}: {_text(shared, 'note_tweet', 'text') or _text(shared, 'text')}"
    url = f"https://x.com/{author or 'i'}/status/{id}"
    return Post(id, text, author, when(_text(record, "created_at")), _lang(_text(record, "lang")), url, referenced.get("replied_to", ""))


# --- Mastodon --------------------------------------------------------------------------------------------------------


def _mastodon(record: Record, _: Record) -> Post | None:
    """A status of the API. A boost becomes a share of what it boosts."""
    boosted = record.get("reblog")
    author = _text(record, "account", "acct")
    if isinstance(boosted, Mapping):
        original = _mastodon(boosted, {})
        text = f"RT @{original.author}: {original.text}" if original else ""
        return Post(_text(record, "id"), text, author, when(_text(record, "created_at")), original.lang if original else "")
    text = without_markup(_text(record, "content"))
    return Post(
        _text(record, "id"), text, author, when(_text(record, "created_at")), _lang(_text(record, "language")), _text(record, "url"),
        _text(record, "in_reply_to_id"),
    )  # fmt: skip


def _activity(record: Record, _: Record) -> Post | None:
    """An entry of a Mastodon export (outbox.json): only notes that were created, boosts have no text there."""
    note = record.get("object")
    if record.get("type") != "Create" or not isinstance(note, Mapping):
        return None
    languages = note.get("contentMap")
    lang = next(iter(languages), "") if isinstance(languages, Mapping) else ""
    author = _text(note, "attributedTo").rstrip("/").rpartition("/")[2]
    text = without_markup(_text(note, "content"))
    url = _text(note, "url") or _text(note, "id")
    return Post(_text(note, "id"), text, author, when(_text(note, "published")), _lang(str(lang)), url, _text(note, "inReplyTo"))


# --- Bluesky ---------------------------------------------------------------------------------------------------------


def _bluesky(record: Record, outer: Record) -> Post | None:
    """A post view (`{"uri", "author", "record"}`), alone or as an entry of a feed (`{"post": …, "reason": …}`)."""
    view: Record = record["post"] if isinstance(record.get("post"), Mapping) else record
    uri, handle = _text(view, "uri"), _text(view, "author", "handle")
    post = _skeet(uri, handle or _did(uri), view.get("record") or view.get("value") or {})
    if post is not None and _text(record, "reason", "$type").endswith("reasonRepost"):
        by = _text(record, "reason", "by", "handle")
        return Post(f"{uri}#repost-{by}", f"RT @{handle}: {post.text}", by, when(_text(record, "reason", "indexedAt")), post.lang)
    return post


def _jetstream(record: Record, _: Record) -> Post | None:
    commit = record["commit"]
    if commit.get("collection") != "app.bsky.feed.post" or not isinstance(commit.get("record"), Mapping):
        return None
    did = _text(record, "did")
    return _skeet(f"at://{did}/app.bsky.feed.post/{_text(commit, 'rkey')}", did, commit["record"])


def _skeet(uri: str, author: str, value: Record) -> Post | None:
    if value.get("$type", "app.bsky.feed.post") != "app.bsky.feed.post":
        return None
    langs = value.get("langs")
    lang = langs[0] if isinstance(langs, list) and langs else ""
    url = f"https://bsky.app/profile/{author}/post/{uri.rpartition('/')[2]}"
    return Post(
        uri, _text(value, "text"), author, when(_text(value, "createdAt")), _lang(str(lang)), url, _text(value, "reply", "parent", "uri")
    )


def _did(uri: str) -> str:
    return uri.removeprefix("at://").partition("/")[0]


PLATFORMS = (
    Platform("bluesky jetstream", lambda r: isinstance(r.get("commit"), Mapping) and "did" in r, _jetstream),
    Platform("bluesky", lambda r: _text(r, "uri").startswith("at://") or _text(r, "post", "uri").startswith("at://"), _bluesky),
    Platform("mastodon export", lambda r: isinstance(r.get("object"), Mapping | str) and "actor" in r, _activity),
    Platform("mastodon", lambda r: isinstance(r.get("account"), Mapping) and "content" in r, _mastodon),
    Platform(
        "twitter 1.1",
        lambda r: isinstance(r.get("tweet"), Mapping) or isinstance(r.get("user"), Mapping) or ("full_text" in r and "id_str" in r),
        _twitter_v1,
    ),
    Platform("twitter 2", lambda r: "edit_history_tweet_ids" in r or ("author_id" in r and "text" in r and "id" in r), _twitter_v2),
)
