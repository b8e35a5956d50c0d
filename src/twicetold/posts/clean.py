"""Posts as words: what is indexed and compared. The post itself keeps its text as written, for reading and stance."""

from __future__ import annotations

import html
import re

from twicetold.text import tidy, unpost

_SHARED = re.compile(r"^\s*(?:RT|MT|via)\s*@\w+\s*:?\s*", re.IGNORECASE)
_ADDRESSED = re.compile(r"^\s*(?:[.]?@[\w.\-]+[\s,:]+)+(?=\S)")
_LINK = re.compile(r"(?:https?://|www\.)\S+|\bpic\.twitter\.com/\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<!\w)@[\w.\-]+")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
LONGEST = 5_000
"""Characters of a post that are indexed and read; more is an article pasted whole."""


def plain(text: str) -> str:
    """Return the words of a post to search by: no links, no list of people addressed, hashtags as the words in them.

    >>> plain("@ann @bob: it&#39;s #FakeNews! https://t.co/x")
    "it's Fake News!"
    """
    unescaped = html.unescape(text[:LONGEST])
    return unpost(_ADDRESSED.sub("", _SHARED.sub("", unescaped))) or tidy(_ADDRESSED.sub("", unescaped))


def readable(text: str) -> str:
    """Return the post as a model should read it: written as it is, without entities, links and the "RT @name:" of a share.

    >>> readable("RT @joe: garlic &amp; rum cure #covid!! https://t.co/x")
    'garlic & rum cure #covid!!'
    """
    unescaped = html.unescape(text[:LONGEST])
    return tidy(_LINK.sub(" ", _SHARED.sub("", unescaped))) or tidy(unescaped)


def comparable(text: str) -> list[str]:
    """Return the words by which two posts are held to be copies: lower case, without links, mentions, # and punctuation.

    >>> comparable("RT @joe: Garlic CURES #covid!! https://t.co/x") == comparable("garlic cures covid")
    True
    """
    bare = _MENTION.sub(" ", _LINK.sub(" ", _SHARED.sub("", html.unescape(text[:LONGEST]))))
    return _WORD.findall(bare.lower().replace("’", "'"))


def is_share(text: str) -> bool:
    """True if the post only passes another one on ("RT @name: …")."""
    return bool(_SHARED.match(text)) and text.lstrip()[:2].upper() in ("RT", "MT")
