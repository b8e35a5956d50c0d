"""Everything a speech needs, put together: what is worth checking, what pronouns stand for, and the recipe that looks lines up."""

from __future__ import annotations

from collections.abc import Sequence

from twicetold.answer import DEBATE, Answerer, Asking, Recipe
from twicetold.collection import Collection
from twicetold.models import open_folder, shipped
from twicetold.rank.checkworthy import CheckWorthiness
from twicetold.rank.context.debate import speech_resolver
from twicetold.rank.context.probe import plain
from twicetold.scan.scanner import Scanner, Settings, Worth
from twicetold.scan.worth import by_form, is_han
from twicetold.types import Line

_THREE = Asking(top=3)


def scanner(collection: Collection, recipe: Recipe = DEBATE, asking: Asking = _THREE, *, settings: Settings | None = None) -> Scanner:
    """Return a scanner over this collection.

    A judged recipe decides whether a line was checked before; the others only say what is nearest. `asking.context` takes the place of
    the shipped co-reference, in what is shown and, with the recipe `debate`, in what is searched for; the other recipes search for lines
    as they were said.
    """
    chosen = settings or Settings()
    resolver = speech_resolver(collection)
    shown = asking.context or (lambda context: resolver(context, chosen.said_on))
    return Scanner(Answerer(collection, recipe, asking), worth_of_lines(collection), resolve=shown, settings=chosen)


def worth_of_lines(collection: Collection) -> Worth:
    """Return the judge of what is worth checking: the trained model where it fits the collection's encoder, else the line's form."""
    folder = shipped("checkworthy")
    if collection.encoder is None or not folder.is_dir() or open_folder(folder).settings.get("encoder") != collection.encoder.version:
        return lambda lines, places: [by_form(lines, at) for at in places]
    model, vectors = CheckWorthiness.load(folder, encoder=collection.encoder), collection.query_vectors

    def worth(lines: Sequence[Line], places: Sequence[int]) -> list[float]:
        # The model reads a line by itself and misses claims that only their neighbours make plain ("It gave their children autism");
        # the form sees that something is stated. Their mean found 9 of 11 checked lines of the demo debate, the model alone 5.
        forms = [by_form(lines, at) for at in places]
        stated = {at: plain(lines[at].text) for at, form in zip(places, forms, strict=True) if form >= _NO_TALK}
        # The model learnt from English; of Chinese only the form tells anything.
        read = [text for at, text in stated.items() if not is_han(lines[at].text)]
        vectors.prepare(read)
        return [
            0.0 if at not in stated else form if is_han(lines[at].text) else (form + model.of_vector(vectors(stated[at]))) / 2
            for at, form in zip(places, forms, strict=True)
        ]

    return worth


_NO_TALK = 0.1
"""A line of talk is told by its form; encoding it would only cost."""
