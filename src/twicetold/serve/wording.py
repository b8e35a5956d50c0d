"""What the page says about matches, in words: who disagrees, languages as people write them, fact-checks as text to copy."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape

from twicetold.answer.group import family
from twicetold.answer.ratings import day, publisher_of, rating_of
from twicetold.marking import shown
from twicetold.types import FactCheck, KeySentence, Ranking, Verdict

_SAYS_NO = frozenset([Verdict.FALSE, Verdict.MISLEADING])
LANGUAGES = {
    "ar": "Arabic", "bn": "Bengali", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean", "ms": "Malay", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sv": "Swedish", "ta": "Tamil", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sides:
    """Fact-checks of the same claim whose publishers disagree."""

    says_no: tuple[FactCheck, ...]
    says_yes: tuple[FactCheck, ...]


def marked(key: KeySentence) -> Markup:
    """Return the key sentence as HTML, the words shared with the claim in <mark>, typical ones in <em class="typical">; all is escaped."""
    return Markup(shown(key, ("<mark>", "</mark>"), ('<em class="typical">', "</em>"), written=lambda text: str(escape(text))))


def sides(ranking: Ranking) -> Sides | None:
    """Return both sides if publishers disagree among the checks that say the same as the first, else None."""
    near = [doc for match in family(ranking) for doc in (match.doc, *match.twins) if isinstance(doc, FactCheck)]
    says_no = tuple(check for check in near if check.verdict in _SAYS_NO)
    says_yes = tuple(check for check in near if check.verdict is Verdict.TRUE)
    return Sides(says_no, says_yes) if says_no and says_yes else None


def as_text(check: FactCheck) -> str:
    """Return a fact-check as a few lines to paste into an article or a chat."""
    who = ", ".join(part for part in (publisher_of(check), day(check.published)) if part)
    lines = [
        f"Claim: {check.claim or check.title}",
        f"Rating: {rating_of(check) or 'none given'}" + (f" ({who})" if who else ""),
        check.url,
    ]
    return "\n".join(line for line in lines if line)


def as_claim_review(check: FactCheck) -> dict[str, object]:
    """Return the schema.org ClaimReview to put into a page."""
    from twicetold.export import claim_review  # loads every reader, which a server need not wait for to start

    return {"@context": "https://schema.org", **claim_review(check)}


def language_name(code: str) -> str:
    """Return the English name of a language, or its code where we have no name."""
    return LANGUAGES.get(code, code or "unknown")
