"""Ratings, publishers and days as people write them: "Pants on Fire", not "pants-fire". The stored words are never changed.

Collections for research keep the short names that publishers use in their addresses. For these the publisher's own labels stand here;
a short name that is not known keeps its words, without hyphens and with a capital.
"""

from __future__ import annotations

import datetime
import re

from twicetold.types import FactCheck

_LABELS = {
    "politifact": {
        "pants-fire": "Pants on Fire",
        "pants-on-fire": "Pants on Fire",
        "barely-true": "Mostly False",  # renamed by PolitiFact in July 2011, for earlier checks as well; the address kept the old name
        "mostly-false": "Mostly False",
        "half-true": "Half True",
        "mostly-true": "Mostly True",
        "full-flop": "Full Flop",
        "half-flip": "Half Flip",
        "no-flip": "No Flip",
        "promise-kept": "Promise Kept",
        "promise-broken": "Promise Broken",
        "in-the-works": "In the Works",
    },
    "snopes": {
        "mostly-true": "Mostly True",
        "mostly-false": "Mostly False",
        "correct-attribution": "Correct Attribution",
        "labeled-satire": "Labeled Satire",
        "originated-as-satire": "Originated as Satire",
        "research-in-progress": "Research In Progress",
        "lost-legend": "Lost Legend",
    },
    "washingtonpost": {
        "geppetto-checkmark": "Geppetto Checkmark",
        "one-pinocchio": "One Pinocchio",
        "two-pinocchios": "Two Pinocchios",
        "three-pinocchios": "Three Pinocchios",
        "four-pinocchios": "Four Pinocchios",
        "bottomless-pinocchio": "Bottomless Pinocchio",
    },
}
_SHORT_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*")
_SITE = re.compile(r"(?:https?://)?(?:www\.)?([^/\s]+\.[a-z]{2,})/?", re.IGNORECASE)
_NAMES = {
    "politifact.com": "PolitiFact", "snopes.com": "Snopes", "washingtonpost.com": "The Washington Post", "factcheck.org": "FactCheck.org",
    "fullfact.org": "Full Fact", "factcheck.afp.com": "AFP Fact Check", "leadstories.com": "Lead Stories",
    "africacheck.org": "Africa Check", "factual.afp.com": "AFP Factual", "factuel.afp.com": "AFP Factuel", "altnews.in": "Alt News",
    "boomlive.in": "BOOM",
    "checkyourfact.com": "Check Your Fact", "chequeado.com": "Chequeado", "newtral.es": "Newtral", "maldita.es": "Maldita.es",
    "factly.in": "Factly", "demagog.org.pl": "Demagog", "poligrafo.sapo.pt": "Polígrafo", "aosfatos.org": "Aos Fatos",
}  # fmt: skip


def rating_of(check: FactCheck) -> str:
    """Return the rating in the publisher's words, empty if it gave none.

    >>> rating_of(FactCheck("1", rating="pants-fire", publisher="PolitiFact")), rating_of(FactCheck("2", rating="Faux"))
    ('Pants on Fire', 'Faux')
    >>> rating_of(FactCheck("3", rating="not_supported"))
    'Not supported'
    """
    if not _SHORT_NAME.fullmatch(check.rating):
        return check.rating
    name = publisher_of(check).casefold().replace(" ", "").removeprefix("the").removesuffix(".com")
    label = _LABELS.get(name, {}).get(check.rating.replace("_", "-"))
    return label or check.rating.replace("-", " ").replace("_", " ").capitalize()


def publisher_of(check: FactCheck) -> str:
    """Return the publisher's name, empty if unknown. A site that is known by a name has it; another stands without its `www.`.

    >>> publisher_of(FactCheck("1", publisher="www.politifact.com")), publisher_of(FactCheck("2", publisher="www.example.org"))
    ('PolitiFact', 'example.org')
    """
    site = _SITE.fullmatch(check.publisher)
    return _NAMES.get(site[1].lower(), site[1]) if site else check.publisher


def day(iso: str) -> str:
    """Return a date as people write it; what is not a full date comes back as it is.

    >>> day("2020-03-06"), day("2020")
    ('6 March 2020', '2020')
    """
    try:
        found = datetime.date.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{found.day} {found:%B %Y}"
