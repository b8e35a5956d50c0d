"""Who a transcript's label stands for: "SEN. SANDERS:" → Bernie Sanders, as the fact-checks know him.

Only people whose claims were checked before can be recognised; anyone else keeps the label, written as a name. Labels that name
nobody ("QUESTION", "UNIDENTIFIED MALE") give "".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from twicetold.collection import Collection
from twicetold.text import tidy

_split = re.compile(r"\w+").findall
_TITLES = frozenset(
    _split(
        "mr mrs ms miss dr prof sen senator rep representative congressman congresswoman gov governor president vice former secretary "
        "mayor sir judge justice general gen col ambassador chairman speaker host moderator"
    )
)
_NOBODY = re.compile(
    r"(?:the )?(?:question(?:er)?|q|a|answer|unknown|unidentified.*|\(?unknown\)?|male|female|man|woman|audience.*|crowd|announcer|"
    r"moderators?|narrator|operator|system|speaker ?\w?\d*|voice.*|participant.*|reporter.*|several.*|all|both|others?|inaudible|"
    r"crosstalk|host|interviewer|caption.*|journalist.*)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w'’\-]*")


class Speakers:
    """Finds the checked person behind a label. Made once for a collection; `person` is a lookup."""

    def __init__(self, claimants: Iterable[tuple[str, int]]) -> None:
        self._counts = Counter[str]()
        self._by_last: dict[str, list[str]] = {}
        for name, count in claimants:
            words = _words(name)
            # Organisations and "Facebook posts" are claimants too, but nobody speaks as one.
            if 2 <= len(words) <= 4 and not _NOBODY.fullmatch(name):
                self._counts[name] += count
                self._by_last.setdefault(words[-1], []).append(name)
        self._exact = {" ".join(_words(name)): name for name in self._counts}

    @classmethod
    def of(cls, collection: Collection) -> Speakers:
        """Read the claimants of a collection."""
        return cls(collection.store.counts("claimant"))

    def person(self, label: str, said: str = "") -> str:
        """Return the person a label stands for; `said` is text of the same event, where full names may stand.

        Of several people with that last name, one whose full name is said wins, then the one checked most often.

        >>> Speakers([("Hillary Clinton", 9), ("Bill Clinton", 2)]).person("SECRETARY CLINTON")
        'Hillary Clinton'
        >>> Speakers([("Hillary Clinton", 9), ("Bill Clinton", 2)]).person("CLINTON", "Please welcome Bill Clinton.")
        'Bill Clinton'
        """
        if is_nobody(label):
            return ""
        words = [word for word in _words(label) if word not in _TITLES] or _words(label)
        if not words:
            return ""
        if " ".join(words) in self._exact:
            return self._exact[" ".join(words)]
        named = [name for name in self._by_last.get(words[-1], []) if _fits(words, _words(name))]
        if not named:
            return " ".join(word.capitalize() if word.isupper() or word.islower() else word for word in words)
        lowered = said.casefold()
        return max(named, key=lambda name: (name.casefold() in lowered, self._counts[name], name))


def is_nobody(label: str) -> bool:
    """True for labels that name no person.

    >>> is_nobody("UNIDENTIFIED MALE"), is_nobody("SPEAKER 2"), is_nobody("CRUZ")
    (True, True, False)
    """
    return not label.strip() or bool(_NOBODY.fullmatch(tidy(label).strip(" :.()[]>")))


def _words(name: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(re.sub(r"\([^()]*\)", " ", name))]


def _fits(label: list[str], name: list[str]) -> bool:
    """A label of one word is a last name; of more, its first word must be the person's too, or its initial."""
    return len(label) == 1 or any(word.startswith(label[0][:1]) and (len(label[0]) == 1 or word == label[0]) for word in name[:-1])
