"""A report of a scanned speech as one HTML file: what was checked before, what is worth a look, what is left to check, all lines.

The file needs nothing else: no script, no font, no picture. It says what was found, not who is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from twicetold.answer.phrases import NEAREST, differing, doubt
from twicetold.marking import shown
from twicetold.scan.scanner import ScannedLine, continuations, queue
from twicetold.scan.tally import Tally, counted
from twicetold.types import FactCheck, KeySentence, Match

_More = Mapping[int, Sequence[ScannedLine]]
"""The lines that go on with a claim, by the number of the line that begins it."""
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fdfdfb }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #ccc }
article { margin: 1rem 0; padding: .6rem 1rem; border-left: .35rem solid #999; background: #fff }
.false { border-color: #b3261e } .misleading, .mixed { border-color: #b8860b }
.true { border-color: #2e7d32 } .unproven { border-color: #6a4fa0 }
.said { font-size: 1.05rem } .who { font-weight: 600 } .small { color: #555; font-size: .88rem } .rating { font-weight: 700 }
u { text-decoration-style: dotted; text-underline-offset: .2em }
table { border-collapse: collapse; width: 100% } td { vertical-align: top; padding: .15rem .5rem; border-bottom: 1px solid #eee }
td:first-child { text-align: right; color: #777; width: 3rem } tr.checked td { background: #fff6dd } tr.look td { background: #f3f3ef }
a { color: #174ea6 }
@media (prefers-color-scheme: dark) { body { background: #17181a; color: #e8e8e8 } article { background: #222 } .small { color: #aaa }
tr.checked td { background: #3a3320 } tr.look td { background: #242424 } a { color: #8ab4f8 } td { border-color: #333 } }
"""


def html(title: str, heard: Sequence[ScannedLine], *, top: int = 3, is_filtered: bool = False) -> str:
    """Return the report of all lines of a speech; `is_filtered` says that not every fact-check was allowed to answer."""
    left, tally, more = queue(heard), Tally.of(heard), continuations(heard)
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>{escape(title)}</title>",
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>",
        f"<p>{counted(tally.lines, 'line')} heard, {tally.looked_up:,} looked up. {tally.claims(is_filtered=is_filtered)}. "
        "Lines are counted as they were heard; their worth says how plainly they state something that can be checked.</p>",
        "<p class=small>In the sentences quoted: <b>words shared with the line</b>, <u>words typical of a check</u>.</p>",
        *_section("checked", "Checked before", [one for one in heard if one.is_checked and not one.part_of], more, top),
        *_section("changed", "Close, but not the same", [one for one in heard if one.is_changed and not one.part_of], more, top),
        *_section("look", "Worth a look", [one for one in heard if one.is_in_doubt and not one.part_of], more, top),
        *_section("nearest", NEAREST, [one for one in heard if one.is_undecided and not one.part_of], more, top),
        "<h2 id=left>Left to check</h2><table>",
        *(f"<tr><td><a href='#l{one.number}'>{one.number}</a><td>{_said(one)}{_going_on(one, more)}<td>{one.worth:.2f}" for one in left),
        "</table><h2 id=all>The whole speech</h2><table>",
        *(_row(one) for one in heard if one.line.text),
        "</table></html>",
    ]
    return "\n".join(parts) + "\n"


def _section(name: str, heading: str, claims: Sequence[ScannedLine], more: _More, top: int) -> list[str]:
    return [f"<h2 id={name}>{heading}</h2>", *(_article(one, _going_on(one, more), top) for one in claims)] if claims else []


def _going_on(one: ScannedLine, more: _More) -> str:
    return "".join(f" … {escape(other.line.text)}" for other in more.get(one.number, ()))


def _article(one: ScannedLine, going_on: str, top: int) -> str:
    assert one.ranking is not None
    first = one.ranking.matches[0].doc
    # The colour is the publisher's verdict on this line; where it is not certain that there is one, there is no colour.
    verdict = first.verdict.value if one.is_checked and isinstance(first, FactCheck) else "other"
    unsure = f"<p class=small>{doubt(one.ranking)}.</p>" if one.is_in_doubt else ""
    matches = "".join(map(_match, one.ranking.matches[:top]))
    where = f"<a class=small href='#l{one.number}'>line {one.number}{_moment(one)}</a>"
    said = f"<p class=said>{_said(one)}{going_on} {where}</p>{_stands_for(one, 'p')}"
    return f"<article class={verdict}>{said}{unsure}<ul>{matches}</ul></article>"


def _match(match: Match) -> str:
    check = match.doc
    if not isinstance(check, FactCheck):
        return ""
    where = ", ".join(escape(part) for part in (check.publisher, check.published) if part)
    headline = escape(check.claim or check.title)
    linked = f"<a href='{escape(check.url, quote=True)}' rel=noopener>{headline}</a>" if check.url.startswith("http") else headline
    keys = "".join(f"<br><span class=small>“{_marked(key)}”</span>" for key in match.keys)
    changed = "".join(f"<br><span class=small>{escape(difference)}</span>" for difference in differing(match))
    rating = escape(check.rating or "no rating given")
    return f"<li><span class=rating>{rating}</span> <span class=small>{where}</span><br>{linked}{changed}{keys}"


def _marked(key: KeySentence) -> str:
    return shown(key, ("<b>", "</b>"), ("<u>", "</u>"), written=escape)


def _said(one: ScannedLine) -> str:
    who = f"<span class=who>{escape(one.line.speaker)}:</span> " if one.line.speaker else ""
    return who + escape(one.line.text)


def _stands_for(one: ScannedLine, tag: str) -> str:
    """What the pronouns of a line that was looked up stand for."""
    return f"<{tag} class=small>{escape(str(one.resolution))}</{tag}>" if one.ranking is not None and one.resolution.replaced else ""


def _moment(one: ScannedLine) -> str:
    return "" if one.line.start is None else f", {clock(one.line.start)}"


def clock(seconds: float) -> str:
    """Write a time of the speech as people read it.

    >>> clock(3723.5)
    '1:02:03'
    """
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _row(one: ScannedLine) -> str:
    kind = " class=checked" if one.is_checked else " class=look" if one.has_matches else ""
    return f"<tr id=l{one.number}{kind}><td>{one.number}<td>{_said(one)}{_stands_for(one, 'div')}"
