"""Links as names of things: two spellings of one address are the same link.

Nothing here fetches a page: two links that only redirect to one another stay different.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

_TRACKING = re.compile(
    r"utm_.*|at_.*|(?:fb|g|ms|tw|dc|y|wbra|gbra)clid|mc_[ce]id|igshid|igsh|si|_ga|_gl|ref|ref_src|ref_url|cmpid|cmp|ocid|"
    r"ito|s_cid|ncid|spm|share|share_id|sharetoken|smid|sr_share|feature|xtor|mkt_tok|hs.*enc|__twitter_impression|__tn__|__cft__.*|"
    r"amp|outputtype",
    re.IGNORECASE,
)
_MOBILE = re.compile(r"^(?:(?:www\d?|m|mobile|amp|touch|mbasic|web)\.)+(?=[^.]+\.)")
_SAME_SITE = {"twitter.com": "x.com", "youtu.be": "youtube.com", "fb.com": "facebook.com"}
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”‘’«»{}|\\^`\[\]、。，）]+", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str:
    """Write a link in one way: no scheme, `www`, mobile host, tracking parameters, fragment or closing slash.

    The path keeps its case, the remaining parameters are sorted. What is not a web link comes back stripped and otherwise as it is.

    >>> canonical_url("http://m.facebook.com/story.php?id=7&utm_source=x#top")
    'facebook.com/story.php?id=7'
    >>> canonical_url("https://youtu.be/abc?si=1") == canonical_url("https://www.youtube.com/watch?v=abc&feature=share")
    True
    """
    bare = url.strip()
    try:
        parts = urlsplit(bare if "://" in bare[:12] else f"https://{bare}")
        port = parts.port
    except ValueError:
        return bare
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme.lower() not in _PORTS or "." not in host or " " in host:
        return bare
    host = _MOBILE.sub("", host)
    path = _plain_path(parts.path)
    query = sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k))
    if host == "youtu.be" and path.count("/") == 1:
        query, path = [*query, ("v", path[1:])], "/watch"
    host = _SAME_SITE.get(host, host)
    shown_port = f":{port}" if port and port != _PORTS[parts.scheme.lower()] else ""
    tail = f"?{urlencode(query)}" if query else ""
    return f"{host}{shown_port}{path}{tail}"


def _plain_path(path: str) -> str:
    """The path without doubled or closing slashes, `/amp` and `index.html`."""
    path = re.sub(r"/{2,}", "/", path)
    path = re.sub(r"/(?:amp|amp/|index\.(?:html?|php))$", "/", path)
    return path.rstrip("/")


def links_in(text: str) -> tuple[str, ...]:
    """Return the canonical form of every link that `text` names, in order, each once.

    >>> links_in("See https://example.org/a/, (www.example.org/a) and http://example.org/b.")
    ('example.org/a', 'example.org/b')
    """
    found = (_trimmed(match[0]) for match in _LINK.finditer(text))
    return tuple(dict.fromkeys(canonical_url(link) for link in found if "." in link))


def _trimmed(link: str) -> str:
    """Drop the sentence's punctuation from a link's end; a closing bracket stays if it was opened inside."""
    unopened = link.count(")") - link.count("(")
    end = len(link)
    while end and (link[end - 1] in ".,;:!?…*_" or (link[end - 1] == ")" and unopened > 0)):
        unopened -= link[end - 1] == ")"
        end -= 1
    return link[:end]
