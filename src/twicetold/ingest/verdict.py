"""A publisher's rating, normalised to a Verdict.

First the publisher's own scale, then numbers with their ends, then the words of the rating in any of the languages of
`words`: the first phrase that is a judgement decides, the longest where several start at the same word, so that
"not true" is false and "true but misleading" is misleading. What is not recognised is OTHER. The rating itself is kept elsewhere,
word for word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from twicetold.ingest.scales import PUBLISHERS
from twicetold.ingest.words import WORDS
from twicetold.types import Verdict

_HEAD_WORDS = 14
"""A judgement is looked for in this many first words: later ones of a long rating talk about the claim."""

_SCORED = re.compile(r"(-?\d++(?:\.\d++)?+) \((-?\d++(?:\.\d++)?+)–(-?\d++(?:\.\d++)?+)\)")
_HEADING = re.compile(r"^(?:our |the )?(?:fact check(?:ed|er)?|verdict|rating|ruling|claim)\b")
_CANNOT = re.compile(r"\bcan(?:'?t|not)\b")
_NOT = re.compile(r"\b(is|was|are|were|does|do|did|has|have|had|could|would|should)n'?t\b")
_MARKS = re.compile("[\u0300-\u036f\u064b-\u0652]")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")


@lru_cache(maxsize=16384)
def verdict_of(rating: str, publisher: str = "") -> Verdict:
    """Return what a rating means. `publisher` is a name or a host; its own scale comes first.

    >>> [verdict_of(r).value for r in ("Pants on Fire!", "Not true", "True, but misleading", "No evidence", "Hmm")]
    ['false', 'false', 'misleading', 'unproven', 'other']
    >>> verdict_of("Three Pinocchios", "The Washington Post").value, verdict_of("2 (1–5)").value
    ('false', 'false')
    """
    told = plain(rating)
    own = _SCALES.get(_publisher_key(publisher), {})
    if told in own:
        return own[told]
    scored = _SCORED.fullmatch(rating.strip())
    if scored:
        return verdict_of_number(*(float(part) for part in scored.groups()))
    head = " ".join(_HEADING.sub("", told).split()[:_HEAD_WORDS])[:200]
    found = _PHRASES.search(head)
    return _MEANING[found[0]] if found else Verdict.OTHER


def verdict_of_number(value: float, worst: float, best: float) -> Verdict:
    """Read a score between its ends: the lowest quarter is false, the highest true. Without two different ends it says nothing.

    Some publishers write the ends the wrong way round on purpose (best 1, worst 5); that is taken at its word.
    """
    if best == worst:
        return Verdict.OTHER
    place = (value - worst) / (best - worst)
    if not 0 <= place <= 1:
        return Verdict.OTHER
    if place <= 0.25:
        return Verdict.FALSE
    return Verdict.TRUE if place >= 0.75 else Verdict.MIXED


def score_text(value: str, worst: str, best: str) -> str:
    """Write a bare score so that `verdict_of` can read it again: `2 (1–5)`; without its ends, just the value."""
    ends = _SCORED.fullmatch(f"{value} ({worst}–{best})")
    return ends[0] if ends else value


def plain(rating: str) -> str:
    """Lower case, no Latin accents or Arabic vowel signs, no punctuation, "isn't" as "is not"; other letters stay whole."""
    folded = unicodedata.normalize("NFKD", rating.casefold().replace("’", "'")).replace("ı", "i")
    letters = unicodedata.normalize("NFC", _MARKS.sub("", folded))
    spelled = _NOT.sub(r"\1 not", _CANNOT.sub("can not", letters))
    kept = "".join(ch if ch.isalnum() or unicodedata.category(ch) in ("Mn", "Mc") else " " for ch in spelled.replace("'", ""))
    return " ".join(kept.split())


def _publisher_key(publisher: str) -> str:
    """A name or host as one word: "Full Fact", "fullfact.org" and "https://fullfact.org/online" are the same publisher."""
    name = re.sub(r"^[a-z]+://", "", publisher.strip().casefold()).split("/")[0]
    squeezed = plain(name).replace(" ", "")
    return _ALIASES.get(squeezed) or next((key for host, key in _HOSTS.items() if _is_host(name, host)), "")


def _is_host(name: str, host: str) -> bool:
    return name == host or name.endswith("." + host)


def _pattern(phrases: list[str]) -> re.Pattern[str]:
    """One pattern that finds the leftmost phrase, the longest first; Chinese, Japanese and Thai words need no spaces around."""
    longest_first = sorted(phrases, key=len, reverse=True)
    forms = (re.escape(p) if _UNSPACED.search(p) else rf"(?<!\S){re.escape(p)}(?!\S)" for p in longest_first)
    return re.compile("|".join(forms))


_MEANING = {plain(phrase): verdict for verdict, phrases in WORDS.items() for phrase in phrases.split("|")}
_PHRASES = _pattern(list(_MEANING))
_SCALES = {
    scale.name: {plain(rating): verdict for verdict, ratings in scale.ratings.items() for rating in ratings.split("|")}
    for scale in PUBLISHERS
}
_ALIASES = {plain(name).replace(" ", ""): scale.name for scale in PUBLISHERS for name in (scale.name, *scale.aliases)}
_HOSTS = {host: scale.name for scale in PUBLISHERS for host in scale.hosts}
