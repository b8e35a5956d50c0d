"""What a fact-check checked, as one short text: the claim it states, or its title and opening where it states none.

Publishers fill the field `claim` with all sorts of things: the claim, a stub ("On abortion"), or the first paragraph of the article.
Frames that introduce a claim are cut off ("False claim:", "Fact check:", "Says "). A verdict is left as it stands: "No, X did not Y"
without its "No" would say the reverse of what was checked.
"""

from __future__ import annotations

import html
import re

from twicetold.text import sentences, unpost
from twicetold.text import words as stems
from twicetold.types import FactCheck, Post, Verdict

MOST_WORDS = 45
"""Of title and opening together; a field `claim` longer than this describes and does not state."""
_FEWEST_WORDS = 4
_MOST_STUB_WORDS = 9
_SAME_START = 8
"""So many equal words at the start of claim and body: the claim is the article's opening."""
_MOST_OF_TITLE = 0.6
_MOST_CHARS = 4_000
_MARK = r"\s?(?::|\s[-–—|])\s*"
_PUBLISHER = "politifact|snopes|analysis|opinion|full ?fact|factcheck|fact ?check|afp|reuters|ap news|boom|alt news|usa today"
_VERDICT = "false|fake|misleading|untrue|true|altered|doctored|manipulated|unproven|debunked|viral|old|hoax|satire"
_WHAT = "claims?|news|headline|quote|posts?|alert|rumou?r|story|context"
_KIND = (
    "fact[ -]?check(?:ed|ing)?|(?:the )?claim|verif(?:y|ied)|quick ?take|fact or (?:fiction|fake)|rumou?r(?: alert)?|reality check|"
    "missing context|explainer|myth"
)
_FRAME = re.compile(
    rf"(?:{_PUBLISHER})\s[-–—|:]\s|(?:partly |mostly |half[- ])?(?:{_VERDICT})(?: (?:{_WHAT}))?{_MARK}|(?:{_KIND}){_MARK}|says (?:that )?",
    re.IGNORECASE,
)
_SOURCE = re.compile(rf"\s(?:[–—-]\s(?:{_PUBLISHER})[\w .]{{0,20}}|\|\s[\w .]{{2,30}})\Z", re.IGNORECASE)


def checked(check: FactCheck | Post) -> str:
    """Return the text that says what was checked; empty if the record says nothing at all.

    >>> checked(FactCheck("a", claim="Says crime doubled in the city.", title="Mayor wrong on crime", rating="False"))
    'crime doubled in the city.'
    >>> checked(FactCheck("b", claim="On abortion", title="A flip-flop on abortion", body="The mayor once backed it. Now he does not."))
    'A flip-flop on abortion. The mayor once backed it. Now he does not.'
    """
    if isinstance(check, Post):
        return unpost(check.text)
    if states_claim(check):
        return unframed(_plain(check.claim))
    title, claim = unframed(_plain(check.title)), unframed(_plain(check.claim))
    rest = _plain(check.body) if _is_stub(claim.split()) and check.body.strip() else claim
    opening = _opening(rest, MOST_WORDS - len(title.split()))
    if not title or not opening:
        return title or opening or claim
    return f"{title}{'' if title[-1] in '.!?…' else '.'} {opening}"


def states_claim(check: FactCheck) -> bool:
    """True if the field `claim` states what was checked, so that the title need not be read."""
    claim = _plain(check.claim)
    words = claim.split()
    if _is_stub(words) or len(words) > MOST_WORDS:
        return False
    if not check.title.strip():
        return True
    is_rated = bool(check.rating or check.claimant) or check.verdict is not Verdict.OTHER
    return (is_rated or _agrees(claim, check.title)) and not _begins_with(check.body, words)


def _is_stub(words: list[str]) -> bool:
    """True for "", "On abortion", "On an individual mandate for health care."."""
    return len(words) < _FEWEST_WORDS or (words[0] == "On" and len(words) <= _MOST_STUB_WORDS)


def _agrees(claim: str, title: str) -> bool:
    """True if most of a title's words are in the claim. Without a rating or a claimant the field may be the page's description."""
    wanted = set(stems(unframed(_plain(title))))
    return len(wanted & set(stems(claim))) >= _MOST_OF_TITLE * max(len(wanted), 1)


def unframed(text: str) -> str:
    """Cut off what introduces a claim, and the publisher's name at the end of a title. Text of which little would be left stays.

    >>> unframed("False claim: Photograph shows a shark on a motorway")
    'Photograph shows a shark on a motorway'
    >>> unframed("No, the mayor did not resign")
    'No, the mayor did not resign'
    """
    text = _SOURCE.sub("", text)
    for _ in range(3):
        frame = _FRAME.match(text)
        if frame is None or len(text[frame.end() :].split()) < 2:
            break
        text = text[frame.end() :].lstrip()
    return text


def _plain(text: str) -> str:
    return unpost(html.unescape(text[:_MOST_CHARS]))


def _begins_with(body: str, words: list[str]) -> bool:
    start = _plain(body).split()[: len(words)]
    n = min(_SAME_START, len(words))
    return [_bare(word) for word in start[:n]] == [_bare(word) for word in words[:n]]


def _bare(word: str) -> str:
    return "".join(character for character in word.casefold() if character.isalnum())


def _opening(text: str, most: int) -> str:
    """Return the first sentences of a text, as many as fit into `most` words; the first is cut where it does not fit."""
    if most <= 0:
        return ""
    kept, count = 0, 0
    for start, end in sentences(text):
        count += len(text[start:end].split())
        if count > most:
            break
        kept = end
    return text[:kept] if kept else " ".join(text.split()[:most])
