"""Which record is which: ids that stay the same however often, and from wherever, a record is read."""

from __future__ import annotations

import hashlib
import unicodedata

from twicetold.links import canonical_url, links_in

__all__ = ["canonical_url", "check_id", "links_in"]


def check_id(*, url: str = "", claim: str = "", title: str = "", publisher: str = "", body: str = "") -> str:
    """Return an id for a fact-check whose source gives none.

    It depends on the canonical url and the claim; without a url, on publisher, title and claim, and where there is no claim either, on
    the article. So the same record read twice,
    from a page or from a feed, has one id, and two claims checked on one page have two.
    """
    parts = (canonical_url(url), claim) if url else (publisher, title, claim)
    parts = parts if url or claim or not body else (*parts, body)
    told = "\x1f".join(_folded(part) for part in parts)
    return "fc-" + hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=10).hexdigest()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
