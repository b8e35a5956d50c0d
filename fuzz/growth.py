"""Hostile texts of any length for every parser of foreign input, and how the time of a parser grows with them.

A parser that goes back over what it has read takes four times as long for twice the text: a file of a hundred kilobytes then stops a
server for minutes. Each target of the fuzzer is given texts made of one short piece over and over, laid out as the target wants its
input. `python -m fuzz.growth [NAME …]` prints what grows faster than it should.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fuzz.targets import TARGETS

PIECES = (
    "<", "<a", "<v ", "<v.", "</", "<a <", "< ", "{\\", "{", "[", "[{", '{"a":', '{"text":', "}", "]", "],[", "]}", "&", "&a", "&#1",
    "&amp", "(", ")", "((", "()", '"', '"a', '\\"', "\\", "\\\\", '",', '" :', "'", "’", "a'", "a’", "“", "/", "//", "/*", "*/", "/*/",
    "<!--", "-->", "--> ", ":", ": ", "：", "A: ", "A ", "Aa ", "AA ", "A. ", "A.", "a.", "a. ", "a b. ", ".", "..", ". ", "…", "。", "!",
    "?", "? ", ",", ", ", ";", " ", "  a", "\t", "\u3000", "\u00a0", "\r", "\n", "\n\n", "a\n", "0\n", "-", "- ", "a-", "–", "—", "|",
    " | ", "_", "a_", "0", "1", "12", "1,", "1.", "1:", "00:", "1,1", "1/", "1-", "1 ", "-1", "1–", "+", "2020-", "2020-01-01", "2020",
    "a", "ab", "aA", "A", "é", "é ", "e\u0301", "\u0301", "\u064b", "ß", "İ", "我", "的", "我 ", "第", "。我", "#", "#a", "#A", "#a_", "@",
    "@a", "@a ", ".@a ", "RT ", "RT @a ", "RT@a:", "http://", "http://a", "http://a.b ", "www.", "www.a", "www.www.", "m.",
    "https://a?", "&a=b", "a=b&", "%", "%41", "?a", "pic.twitter.com/", ">>", ">> ", ">", "\x00", "\x1b", "\x01", "\x7f", "\ufeff",
    "\u200b", "\u202e", "\ud7ff", "\U0001f600", "not ", "n't ", "is it true that ", "the ", "the a ", "and ", "who ", "ed ", "ing ",
    "mr. ", "u.s. ", "e.g. ", "<p>", "<p", "<br>", "<br ", "</p> ", "<b>", "<div>", "<div ", "<!", "<![CDATA[", "]]>", "<script>",
    "</script", "<meta ", "<meta charset=", "charset=", '{"@type": ', "[[", ",[", ",{", ", {", "\n{", "a,b\n", '"a"', '""', '","',
    '"\n', "a\tb\n", "1\ta\tb\n", "null", "true", "NaN", "1e9", "window.YTD",
)  # fmt: skip
"""What texts are made of: the signs that the parsers' patterns begin with, repeat and end with."""

Layout = Callable[[str], str]
_CAPTION = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.500\n{}\n"
_LINKED = '<script type="application/ld+json">'
_FIELDS = ("id", "claim", "title", "body", "rating", "url", "publisher", "published", "claimant", "claimed_on", "lang")
_AS_IT_IS: Layout = lambda text: text  # noqa: E731


def _json(*names: str) -> Layout:
    return lambda text: json.dumps(dict.fromkeys(names, text)) + "\n"


def _broken(name: str) -> Layout:
    return lambda text: f'{{"{name}": [{{"text": "x"}}, {text}'


def _review(text: str) -> str:
    rating = {"@type": "Rating", "alternateName": text, "ratingValue": text, "bestRating": "5"}
    about = {"@type": "Claim", "name": text, "author": {"name": text}, "appearance": text, "datePublished": text}
    told = dict.fromkeys(("claimReviewed", "name", "url", "inLanguage", "datePublished"), text)
    more = {"reviewRating": rating, "itemReviewed": about, "author": {"name": text, "url": text}}
    return json.dumps({"@type": ["ClaimReview", text], **told, **more})


def _page(text: str) -> str:
    return (
        f"<html><head><title>{text}</title></head><body><h1>{text}</h1><div class='{text}'>Claim: {text}</div>"
        f"<p>Rating: {text}</p><time>{text}</time><p>{text}</p></body></html>"
    )


def _table(mark: str) -> Layout:
    def layout(text: str) -> str:
        cell = '"' + text.replace('"', '""') + '"' if mark == "," else text.replace("\t", " ").replace("\n", " ")
        return f"{mark.join(_FIELDS)}\n{mark.join([cell] * len(_FIELDS))}\n"

    return layout


_CHECKS: tuple[Layout, ...] = (_AS_IT_IS, _json(*_FIELDS), _review, _broken("claims"), lambda text: f'[{{"claim": "x"}}, {text}')
_POSTS: tuple[Layout, ...] = (
    _AS_IT_IS,
    _json("text", "id", "lang", "created_at"),
    _json("content", "id", "created_at", "url"),
    _json("full_text", "id_str", "created_at"),
    _broken("data"),
    _table(","),
)
LAYOUTS: dict[str, tuple[Layout, ...]] = {
    "any source": (_AS_IT_IS, _json(*_FIELDS), _page),
    "json": _CHECKS,
    "jsonl": _CHECKS,
    "csv": (_AS_IT_IS, _table(",")),
    "tsv": (_AS_IT_IS, _table("\t")),
    "page": (_AS_IT_IS, _page, lambda text: f"{_LINKED}{text}</script><p>x", lambda text: f"{_LINKED}{_review(text)}</script>"),
    "speech srt": (_AS_IT_IS, _CAPTION.format, lambda text: f"1\n{text} --> {text}\nx\n", lambda text: _CAPTION.format(f"<v Ann>{text}")),
    "speech vtt": (_AS_IT_IS, _CAPTION.format, lambda text: _CAPTION.format("A. " + text)),
    "speech tsv": (_AS_IT_IS, lambda text: f"1\t{text}\t{text}\n"),
    "speech dialogue": (_AS_IT_IS, lambda text: f"ANN {text}: {text}", lambda text: f">> Ann {text}"),
    "speech json": (_AS_IT_IS, _json("text", "speaker"), lambda text: f'{{"lines": [{{"text": {json.dumps(text)}}}]}}', _broken("lines")),
    "posts json": _POSTS,
    "posts csv": (_AS_IT_IS, _table(",")),
    "screen jsonl": _POSTS,
    "screen csv": (_AS_IT_IS, _table(",")),
    "claims": (_AS_IT_IS, _json("text", "id")),
    "values": (_AS_IT_IS, _json(*_FIELDS, "text")),
    "question": (_AS_IT_IS, lambda text: f"Is it true that {text}?", lambda text: f"Which {text} did {text} do?"),
}  # fmt: skip
"""How a hostile text is laid out for a target; as it is where nothing stands here."""


@dataclass(frozen=True, slots=True)
class Slow:
    """A parser, the text that it takes too long for, and the seconds for a text and for twice of it (infinite if it was given up)."""

    target: str
    layout: int
    piece: str
    seconds: float
    doubled: float

    def __str__(self) -> str:
        return f"{self.target} [{self.layout}] {self.piece!r}: {self.seconds:.2f} s, {self.doubled:.2f} s for twice as much"


def hostile(name: str, chars: int) -> Iterator[tuple[int, str, bytes]]:
    """Yield inputs of about so many characters for a target: the number of the layout, the piece, and the input."""
    for number, layout in enumerate(LAYOUTS.get(name, (_AS_IT_IS,))):
        for piece in PIECES:
            # Between two letters: what a pattern wants before and after never comes.
            yield number, piece, layout(f"x{piece * (chars // len(piece))}x").encode("utf-8", "surrogatepass")


def slow(name: str, *, chars: int = 1 << 15, enough: float = 0.25, most_growth: float = 3.0, most_seconds: float = 20.0) -> Iterator[Slow]:
    """Yield what a target takes more than `most_growth` times as long for when it is twice as long.

    What takes less than `enough` seconds at `chars` is quick however it grows. Times are the processor's, so that other work beside does
    not count; the best of two decides.
    """
    run = TARGETS[name].run
    for (layout, piece, first), (_, _, second) in zip(hostile(name, chars), hostile(name, 2 * chars), strict=True):
        once = _seconds(run, first, most_seconds)
        if once < enough:
            continue
        once = min(once, _seconds(run, first, most_seconds))
        if once < enough:  # the first time something was loaded
            continue
        twice = _seconds(run, second, most_seconds)
        if twice > once * most_growth:
            twice = min(twice, _seconds(run, second, most_seconds))
        if twice > once * most_growth or once >= most_seconds:
            yield Slow(name, layout, piece, once, twice)


def _seconds(run: Callable[[bytes], None], raw: bytes, most: float) -> float:
    started = time.process_time()
    try:
        with _at_most(most):
            run(raw)
    except _GivenUp:
        return float("inf")
    return time.process_time() - started


class _GivenUp(BaseException):
    """Not an Exception: no parser may take it for an error of its own."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _GivenUp

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def main() -> None:
    """Look at the targets named, or all."""
    for name in sys.argv[1:] or TARGETS:
        started = time.process_time()
        for found in slow(name):
            print(found, flush=True)
        print(f"{name}: {time.process_time() - started:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
