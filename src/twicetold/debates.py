"""Everything a speech needs, put together: what is worth checking, what pronouns stand for, and the recipe that looks lines up."""

from __future__ import annotations

from twicetold.collection import Collection
from twicetold.explain import key_sentences
from twicetold.recipes import RECIPES
from twicetold.rerank.context.debate import speech_resolver
from twicetold.scan import Scanner, Settings, Worth
from twicetold.stage import chain, cut
from twicetold.store import Filters
from twicetold.worth import by_form

DEFAULT = "debate"


def scanner(
    collection: Collection, *, recipe: str = DEFAULT, top: int = 3, filters: Filters | None = None, settings: Settings | None = None
) -> Scanner:
    """Return a scanner over this collection; `top` fact-checks are kept for each line."""
    chosen = settings or Settings()
    found = RECIPES[recipe](collection, depth=max(top, 10), filters=filters)
    match = chain(found, cut(top), key_sentences(collection, first=top))
    resolver = speech_resolver(collection)
    return Scanner(match, worth_of_lines(), resolve=lambda context: resolver(context, chosen.said_on), settings=chosen)


def worth_of_lines() -> Worth:
    """Return the judge of what is worth checking."""
    return by_form
