"""Other co-reference systems in the place of the shipped ranker: anything that gives clusters of character spans, such as fastcoref.

    from fastcoref import FCoref
    model = FCoref()
    resolve = by_clusters(lambda text: model.predict(texts=[text])[0].get_clusters(as_strings=False))
    scanner(collection, asking=Asking(top=3, context=resolve)).scan(lines)

The lines before a line are put to it as "SPEAKER: text", and each pronoun of the line becomes the longest name of its cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from twicetold.rank.coref.mentions import PRONOUNS, find_mentions, tokenise
from twicetold.rank.coref.resolution import NOTHING, Replacement, Resolution, Resolver, replaced
from twicetold.rank.coref.speech import REACH
from twicetold.types import Context

Span = tuple[int, int]
ClustersOf = Callable[[str], Sequence[Sequence[Span]]]
"""Returns the clusters of a text, each a list of (start, end) in characters."""


def by_clusters(clusters_of: ClustersOf) -> Resolver:
    """Return a resolver of speeches that asks `clusters_of` for each line's recent past."""

    def resolve(context: Context) -> Resolution:
        if not context.lines:
            return NOTHING
        line = context.lines[context.at].text
        past = "".join(f"{one.speaker or 'SPEAKER'}: {one.text}\n" for one in context.lines[max(0, context.at - REACH) : context.at])
        opening = f"{past}{context.lines[context.at].speaker or 'SPEAKER'}: "
        found = _replacements(opening + line, len(opening), clusters_of(opening + line))
        kept = sorted(found, key=lambda one: one.start)
        return Resolution(replaced(line, kept), tuple(kept)) if kept else NOTHING

    return resolve


def _replacements(text: str, here: int, clusters: Sequence[Sequence[Span]]) -> Iterable[Replacement]:
    """The pronouns from `here` on, each with the longest name of its cluster; a cluster without a name replaces nothing."""
    for cluster in clusters:
        names = [text[start:end] for start, end in cluster if _is_name(text[start:end])]
        for start, end in cluster if names else ():
            if start >= here and text[start:end].casefold() in PRONOUNS:
                yield Replacement(start - here, end - here, text[start:end], max(names, key=len))


def _is_name(words: str) -> bool:
    tokens = tokenise(words)
    return any(mention.kind == "name" and mention.end - mention.start == len(tokens) for mention in find_mentions(tokens))
