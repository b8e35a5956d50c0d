"""From posts and articles to a set that people can judge (Appendix A of the MTM paper).

Copies and mere shares of posts are dropped, the text of a post's pictures is appended, names of accounts, e-mail addresses and phone
numbers are removed, and each post gets its best articles by BM25 over bodies as candidates. Names of people stay, since claims are about
people. What comes out is the file of units that `twicetold lab judge assign --task match` hands out, without the score; `lab judge agree`
then gives the majority and the conflicts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.posts.clean import is_share
from twicetold.posts.sketch import are_copies, keys
from twicetold.text import language, tidy, unpost
from twicetold.types import Post, natural

COLUMNS = ("id", "post", "article", "title", "opening", "url", "bm25")
_ACCOUNT = re.compile(r"(?<!\w)@[\w.\-]*\w(?:@[\w\-]+(?:\.[\w\-]+)+)?")
_OWN_PAGE = re.compile(
    r"(?<![\w-])((?:twitter|x|facebook|instagram|threads)\.(?:com|net)/|t\.me/|bsky\.app/profile/)"
    r"(?!(?:i|p|reel|watch|photo|hashtag|search|groups|events|share|sharer|intent|home)\b)[\w.\-]*\w",
    re.IGNORECASE,
)
"""A link to an account, or to something of it, by platforms that name the account first."""
_MAIL = re.compile(r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)*\.\w+")
_PHONE = re.compile(
    r"(?<![\w+.,/=-])(?:"
    r"(?:\+|00)[1-9](?:[ ()./\-]{0,2}\d){6,14}"  # from abroad
    r"|(?:1[ .\-])?(?:\(\d{3}\) ?|\d{3}[.\-])\d{3}[ .\-]\d{4}"  # North America
    r"|0\d{1,4}[/ \-]?\d{6,9}"  # a code, then the number in one piece
    r"|0\d{1,4}([ .\-])\d{2,4}(?:\1\d{2,4}){2,4}"  # or in several
    r")(?![\w%]|[.,]\d)"
)
"""A phone number as people write them, and not a figure: with +, with a leading 0, or grouped as only phone numbers are."""
_OPENING = 600


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came of the posts: units to judge, and how many posts were dropped and why."""

    units: tuple[Mapping[str, str], ...]
    posts: int
    shares: int
    copies: int
    unanswered: int


def nameless(text: str) -> str:
    """Replace names of accounts, also in links, e-mail addresses and phone numbers; not the names of people.

    >>> nameless("RT @joe_b: ask John Smith, me@home.org or +1 555 123 4567")
    'RT @someone: ask John Smith, [e-mail address] or [phone number]'
    """
    accountless = _OWN_PAGE.sub(r"\1someone", _ACCOUNT.sub("@someone", text))
    return _PHONE.sub("[phone number]", _MAIL.sub("[e-mail address]", accountless))


def distinct(posts: Iterable[Post]) -> Iterator[Post | None]:
    """Yield each post, or None in place of one that is a copy of an earlier one."""
    met: dict[int, list[str]] = {}
    for post in posts:
        own = keys(post.text)
        earlier = {text for key in own for text in met.get(key, ())}
        if any(are_copies(post.text, text) for text in earlier):
            yield None
            continue
        for key in own:
            met.setdefault(key, []).append(post.text)
        yield post


def with_pictures(folder: Path, read: Callable[[Path], str]) -> Callable[[Post], str]:
    """Return a function that appends the text of a post's pictures: files in `folder` called ID or ID-1, ID-2, … with any ending."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder} of pictures; name one with files called after the posts' ids, or leave it out")
    by_post: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir(), key=lambda path: natural(path.name)):
        by_post.setdefault(re.sub(r"-\d+$", "", path.stem), []).append(path)

    def text(post: Post) -> str:
        return " ".join([post.text, *(found for path in by_post.get(post.id, ()) if (found := tidy(read(path))))])

    return text


def gather(
    collection: Collection, posts: Iterable[Post], *, depth: int = 50, text_of: Callable[[Post], str] = lambda post: post.text
) -> Gathered:
    """Make the units of all posts: a row for each (post, candidate). A post without any candidate is counted, and not judged."""
    units: list[Mapping[str, str]] = []
    seen = shares = copies = unanswered = 0
    kept = []
    for post in posts:
        seen += 1
        if is_share(post.text):
            shares += 1
        else:
            kept.append(post)
    for found in distinct(kept):
        if found is None:
            copies += 1
            continue
        rows = list(_units(collection, found.id, text_of(found), depth))
        unanswered += not rows
        units += rows
    return Gathered(tuple(units), seen, shares, copies, unanswered)


def _units(collection: Collection, id: str, text: str, depth: int) -> Iterator[Mapping[str, str]]:
    plain = unpost(text) or text
    found = collection.text.search("body", plain, language(plain) or "en", depth=depth)
    checks = collection.store.fetch([num for num, _ in found])
    for num, score in sorted(found, key=lambda pair: (-pair[1], natural(checks[pair[0]].id))):
        check = checks[num]
        yield {
            "id": f"{id} {check.id}",
            "post": nameless(tidy(text)),
            "article": check.id,
            "title": check.title or check.claim,
            "opening": tidy(check.body)[:_OPENING],
            "url": check.url,
            "bm25": f"{score:.3f}",
        }


def write_units(gathered: Gathered, path: Path) -> None:
    """Write the units as the CSV file that `lab judge assign` reads."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(gathered.units)
