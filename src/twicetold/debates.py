"""Everything a speech needs, put together: what is worth checking, what pronouns stand for, and the recipe that looks lines up."""

from __future__ import annotations

from functools import cache

from twicetold.collection import Collection
from twicetold.explain import key_sentences
from twicetold.index.encoder import StaticEncoder
from twicetold.models import shipped
from twicetold.recipes import RECIPES
from twicetold.rerank.context.speakers import Speakers
from twicetold.rerank.coref.ranker import Ranker
from twicetold.rerank.coref.speech import SpeechResolver
from twicetold.scan import Scanner, Settings, Worth
from twicetold.stage import chain, cut
from twicetold.store import Filters
from twicetold.types import Context
from twicetold.worth import by_form

DEFAULT = "debate"


def scanner(
    collection: Collection, *, recipe: str = DEFAULT, top: int = 3, filters: Filters | None = None, settings: Settings | None = None
) -> Scanner:
    """Return a scanner over this collection; `top` fact-checks are kept for each line."""
    chosen = settings or Settings()
    found = RECIPES[recipe](collection, depth=max(top, 10), filters=filters)
    match = chain(found, cut(top), key_sentences(collection, first=top))
    return Scanner(match, worth_of_lines(), resolve=resolver(collection, said_on=chosen.said_on), settings=chosen)


def resolver(collection: Collection, *, said_on: str = "") -> SpeechResolver:
    """Return a resolver of pronouns that knows the people this collection has checked."""
    speakers = Speakers.of(collection)

    def person(label: str, context: Context) -> str:
        return speakers.person(label, " ".join(line.text for line in context.lines[:40]))

    return SpeechResolver(StaticEncoder.load(), person, ranker=_ranker(), said_on=said_on)


@cache
def _ranker() -> Ranker | None:
    folder = shipped("coref")
    return Ranker.load(folder) if folder.is_dir() else None


def worth_of_lines() -> Worth:
    """Return the judge of what is worth checking."""
    return by_form
