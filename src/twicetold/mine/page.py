"""An HTML report of asked questions: one file without scripts or links to anything but the posts and fact-checks it shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from twicetold.mine.contest import Contested, Period
from twicetold.mine.evidence import exemplars
from twicetold.mine.miner import NOT_SURE, Asked
from twicetold.types import FactCheck, Match, Post

_STYLE = """
:root { color-scheme: light dark; --for: #1a7f4b; --against: #b3362b; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-bottom: 0; } .claim, .small { opacity: .75; margin: 0 0 .5rem; }
.small { font-size: .85rem; } .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; }
@media (max-width: 40rem) { .sides { grid-template-columns: 1fr; } }
.for h3 { color: var(--for); } .against h3 { color: var(--against); } h3 { font-size: 1rem; margin: .5rem 0; }
blockquote { margin: 0 0 .8rem; padding: .1rem .8rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1.5rem; } svg { max-width: 100%; }
.bar-for { fill: var(--for); } .bar-against { fill: var(--against); } text { fill: currentColor; font-size: 10px; }
"""


def page(asked: Sequence[Asked], *, top: int = 5) -> str:
    """Return the report as one HTML document; `top` posts are shown on each side, copies counted instead of shown."""
    title = escape(asked[0].question.text) if len(asked) == 1 else f"{len(asked)} questions"
    parts = "\n".join(_question(one, top) for one in asked)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n<main>\n{parts}\n</main>\n</html>\n"
    )


def _question(asked: Asked, top: int) -> str:
    unread = f" {asked.unread:,} were in languages that are not read." if asked.unread else ""
    head = f'<h1>{escape(asked.question.text)}</h1>\n<p class="small">{asked.found:,} posts found, {asked.read:,} read.{unread} '
    head += "A post's place says how clearly it takes a side, not whether it is right.</p>"
    if asked.kind == "yes-no":
        return f"{head}\n{_yes_no(asked, top)}"
    if not asked.answers:
        return f"{head}\n<p>No post gives an answer.</p>"
    return "\n".join([head, *(_answer(answer, "Supporting", "Refuting", top) for answer in asked.answers)])


def _yes_no(asked: Asked, top: int) -> str:
    first = asked.answers[0]
    if first.myth.answer == NOT_SURE:
        claim = f'<p class="claim">{escape(first.myth.claim)}</p>'
        return f"<section><h2>Not sure</h2>{claim}<p>No post takes either side.</p>{_checks(first)}</section>"
    if first.myth.answer == "yes":
        return _answer(first, "Yes", "No", top)
    return _answer(first, "No", "Yes", top)


def _answer(answer: Contested, one_side: str, other_side: str, top: int) -> str:
    myth = answer.myth
    title = "" if myth.answer in ("yes", "no") else f"<h2>{escape(myth.answer)}</h2>"
    also = f" (also: {escape(', '.join(answer.also[:5]))})" if answer.also else ""
    positive = "for" if one_side != "No" else "against"
    negative = "against" if positive == "for" else "for"
    columns = _side(positive, one_side, myth.supporting, answer, top) + _side(negative, other_side, myth.refuting, answer, top)
    return (
        f'<section>{title}<p class="claim">{escape(myth.claim)}{also} · contested {answer.score:.0%}</p>\n{_checks(answer)}'
        f'<div class="sides">{columns}</div>{_chart(answer.over_time)}</section>'
    )


def _side(kind: str, name: str, matches: Sequence[Match], answer: Contested, top: int) -> str:
    total = len(matches) + sum(answer.copies.get(match.doc.id, 0) for match in matches)
    shown = "".join(_post(match, answer.copies.get(match.doc.id, 0)) for match in exemplars(matches, top=top))
    return f'<div class="{kind}"><h3>{name}: {total:,} {"post" if total == 1 else "posts"}</h3>{shown or "<p>None found.</p>"}</div>'


def _post(match: Match, copies: int) -> str:
    post = match.doc
    assert isinstance(post, Post)
    about = " · ".join(part for part in (escape(post.author), post.posted[:10], f"{copies:,} copies" if copies else "") if part)
    link = (
        f' · <a href="{escape(post.url)}" rel="noopener nofollow">{escape(post.id)}</a>' if _is_web(post.url) else f" · {escape(post.id)}"
    )
    return f'<blockquote dir="auto">{escape(post.text)}<div class="small">{about}{link} · {match.score:.0%}</div></blockquote>'


def _checks(answer: Contested) -> str:
    lines = []
    for label, match in answer.near:
        check = match.doc
        assert isinstance(check, FactCheck)
        name = escape(check.claim or check.title)
        linked = f'<a href="{escape(check.url)}" rel="noopener">{name}</a>' if _is_web(check.url) else name
        lines.append(f"<p>{label}: <strong>{escape(check.rating or 'no rating')}</strong> · {linked} · {escape(check.publisher)}</p>")
    return "".join(lines)


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://"))


def _chart(periods: Sequence[Period]) -> str:
    """Bars up for supporting posts and down for refuting ones, one pair a period."""
    if len(periods) < 2:
        return ""
    most = max(max(period.supporting, period.refuting) for period in periods)
    width = max(4, min(24, 720 // len(periods)))
    bars = []
    for at, period in enumerate(periods):
        up, down = 40 * period.supporting / most, 40 * period.refuting / most
        label = f"<title>{period.when}: {period.supporting} supporting, {period.refuting} refuting</title>"
        bars.append(
            f'<g>{label}<rect class="bar-for" x="{at * width}" y="{45 - up:.1f}" width="{width - 1}" height="{up:.1f}"/>'
            f'<rect class="bar-against" x="{at * width}" y="45" width="{width - 1}" height="{down:.1f}"/></g>'
        )
    ends = (
        f'<text x="0" y="105">{periods[0].when}</text><text x="{len(periods) * width}" y="105" text-anchor="end">{periods[-1].when}</text>'
    )
    size = max(len(periods) * width, 130)
    return f'<svg role="img" aria-label="posts over time" width="{size}" height="110" viewBox="0 0 {size} 110">{"".join(bars)}{ends}</svg>'
