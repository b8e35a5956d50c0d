"""What people see of a match: the sentences of the article that carry it, with the words worth a glance marked, and why it was found.

The sentences are MTM's, near to the claim or differing from it as fact-checks do (`rank.mtm`). Nothing here changes an order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from twicetold.collection import Collection
from twicetold.rank.mtm import recipe
from twicetold.stage import Stage, chain
from twicetold.text import tidy
from twicetold.types import Match, Ranking, Reason, ReasonKind

SHOWN = 2
"""Key sentences for a match: often one quotes the claim and one judges it."""
_SHOWN_WORDS = 6
_NEARNESS = ((0.75, "It says nearly the same."), (0.5, "It is about the same thing."), (0.3, "It is about something similar."))
"""What a cosine amounts to, from the least value of each on."""


def explained(collection: Collection, *, first: int = 10, keys: int = SHOWN) -> Stage:
    """Give each of the first matches its key sentences by MTM, and the reasons it was found, in words for people.

    Raises BadData if the model that TWICETOLD_MTM names is missing, or the one there is damaged.
    """

    def say_why(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_with_reasons(ranking, first) for ranking in rankings]

    return chain(recipe.key_sentences(collection, first=first, keys=keys), say_why)


def _with_reasons(ranking: Ranking, first: int) -> Ranking:
    told = (
        dataclasses.replace(match, reasons=tuple(dict.fromkeys((*match.reasons, *_reasons(match))))) for match in ranking.matches[:first]
    )
    return dataclasses.replace(ranking, matches=(*told, *ranking.matches[first:]))


def _reasons(match: Match) -> Iterator[Reason]:
    cosine = max(match.signals.get("dense.claim", 0.0), match.signals.get("dense.title", 0.0))
    said = next((said for least, said in _NEARNESS if cosine >= least), "")
    if said:
        yield Reason(ReasonKind.MEANING, said)
    shared = _shared_words(match)
    if shared:
        listed = ", ".join(f"“{word}”" for word in shared)
        yield Reason(ReasonKind.WORDS, f"It shares the word{'s' if len(shared) > 1 else ''} {listed}.")


def _shared_words(match: Match) -> list[str]:
    seen: dict[str, str] = {}
    for word in (key.text[start:end] for key in match.keys for start, end in key.marks):
        seen.setdefault(word.casefold(), tidy(word))
    return list(seen.values())[:_SHOWN_WORDS]
