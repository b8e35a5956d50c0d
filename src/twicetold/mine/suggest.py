"""Questions worth asking, out of what fact-checkers already met: claims on a topic, cut into aspects and turned into questions.

The first phase of collecting TweetMythQA (Bai et al. 2023, section 2.2). "Garlic cures COVID-19" and "Bleach cures COVID-19" say two
things of one aspect, so they suggest "What cures COVID-19?" with the answers garlic and bleach. Sentences are cut at their verb, without a
parser; a claim whose verb cannot be told suggests nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twicetold.collection import Collection
from twicetold.mine.answers import MOST_WORDS, aliases, plain, same
from twicetold.mine.verbs import AUXILIARIES, BE, MODALS, base, is_participle, third
from twicetold.stage import Stage, ask
from twicetold.text import words
from twicetold.types import Claim, FactCheck

_ALIKE, _NEAR, _SHARED = 0.8, 0.6, 0.4
"""How near what is said of the topic must be to be one aspect: by cosine, by cosine with the same verb, by shared words."""
_NO_SUBJECT = re.compile(
    r"^(?:there|it|this|these|an? (?:photo|image|video|picture)\w*|(?:photo|image|video|picture|e-?mail)\w*)\b", re.IGNORECASE
)
_SAID = re.compile(
    r"^(?:says?|claims?|claimed|said|video shows?|photo shows?|image shows?|posts? (?:say|claim)s?)\s+(?:that\s+)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Aspect:
    """A claim cut at its verb: "Garlic | cures | COVID-19"."""

    subject: str
    verb: str
    rest: str
    check: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question with the short answers that fact-checked claims give to it; `checks` are the ids those came from."""

    question: str
    answers: tuple[str, ...]
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A topic by all its names, each as a set of words."""

    names: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, topic: str) -> Named:
        """Take the topic's own name and those that the table of aliases has for it."""
        usual = aliases().get(plain(topic))
        others = [name for name, same_thing in aliases().items() if usual is not None and same_thing == usual]
        return cls(tuple(dict.fromkeys(frozenset(words(name)) for name in (topic, *others))))

    def is_in(self, text: str) -> bool:
        """True if the text uses all words of one of the names."""
        said = set(words(text))
        return any(name <= said for name in self.names)


def suggest(collection: Collection, topic: str, stage: Stage, *, least: int = 2) -> list[Suggestion]:
    """Return questions on a topic, those with most answers first; a question needs at least `least`. `stage` finds the topic's claims."""
    [ranking] = ask(stage, [Claim("topic", topic)])
    checks = [match.doc for match in ranking.matches if isinstance(match.doc, FactCheck)]
    named = Named.of(topic)
    aspects = [aspect for check in checks if named.is_in(check.claim) for aspect in _cut(check)]
    found = [*_about_rest(collection, aspects, named, least), *_about_subject(aspects, named, least)]
    return sorted(found, key=lambda suggestion: (-len(suggestion.answers), suggestion.question))


def _cut(check: FactCheck) -> list[Aspect]:
    text = _SAID.sub("", check.claim.strip().strip("\"'“”").rstrip(" ."))
    tokens = text.split()
    for at in range(1, min(len(tokens) - 1, MOST_WORDS + 2)):
        if tokens[at].lower() in ("who", "which", "that"):
            return []
        if _NO_SUBJECT.match(text):
            return []
        if _is_verb(tokens, at):
            end = _verb_end(tokens, at)
            return (
                [Aspect(" ".join(tokens[:at]).strip(" ,;"), " ".join(tokens[at:end]), " ".join(tokens[end:]), check.id)]
                if end < len(tokens)
                else []
            )
    return []


def _is_verb(tokens: Sequence[str], at: int) -> bool:
    """True for the finite verb: an auxiliary, "cures", "cured" unless "by" follows, and "cure" only behind a plural."""
    word, before = tokens[at].lower(), tokens[at - 1].lower()
    if before in ("the", "a", "an", "of", "to", "in", "and", "or", "with", "for", "by") or before.endswith("'s"):
        return False
    if word in AUXILIARIES:
        return True
    if base(word) == word:
        return before.endswith("s")
    return bool(base(word)) and tokens[at + 1].lower() != "by"


def _verb_end(tokens: Sequence[str], at: int) -> int:
    """The end of a verb with its auxiliaries: "can spread", "was created"."""
    end = at
    while end < len(tokens) and (tokens[end].lower() in AUXILIARIES | {"not", "never", "been", "be"}):
        end += 1
    if end > at and end < len(tokens) and not (base(tokens[end]) or is_participle(tokens[end])):
        return end
    return end + 1


def _about_rest(collection: Collection, aspects: Sequence[Aspect], named: Named, least: int) -> Iterable[Suggestion]:
    """The topic stands behind the verb, so the subjects answer: "What can spread COVID-19?"."""
    mine = [aspect for aspect in aspects if named.is_in(aspect.rest) and _is_short(aspect.subject, named)]
    for group in _grouped(collection, mine):
        lead = Counter((_plain_verb(aspect.verb), aspect.rest) for aspect in group).most_common(1)[0][0]
        yield from _made(f"What {lead[0]} {lead[1]}?", [(aspect.subject, aspect.check) for aspect in group], least)


def _about_subject(aspects: Sequence[Aspect], named: Named, least: int) -> Iterable[Suggestion]:
    """The topic stands before the verb, so what follows answers: "COVID-19 is caused by what?"."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for aspect in aspects:
        if named.is_in(aspect.subject) and _is_short(aspect.rest, named):
            groups[aspect.subject, aspect.verb.lower()].append((aspect.rest, aspect.check))
    for (subject, verb), answers in groups.items():
        yield from _made(f"{subject} {verb} what?", answers, least)


def _is_short(text: str, named: Named) -> bool:
    return 0 < len(text.split()) <= MOST_WORDS and not named.is_in(text)


def _plain_verb(verb: str) -> str:
    """The verb in the form that goes with "What": "cure" and "cures" are one; auxiliaries stay."""
    first, *others = verb.lower().split()
    if first in BE | MODALS or others:
        return {"are": "is", "were": "was"}.get(first, first) + "".join(f" {word}" for word in others)
    return third(base(first) or first)


def _grouped(collection: Collection, aspects: Sequence[Aspect]) -> list[list[Aspect]]:
    """Put aspects together that say the same of the topic: by meaning where there is an encoder, else by verb and shared words."""
    said = [f"{aspect.verb} {aspect.rest}" for aspect in aspects]
    vectors = collection.encoder.encode([f"It {text}" for text in said]) if collection.encoder is not None else None

    def is_one(at: int, other: int) -> bool:
        has_same_verb = base(aspects[at].verb.split()[-1]) == base(aspects[other].verb.split()[-1])
        if vectors is None:
            return has_same_verb and _share(said[at], said[other]) >= _SHARED
        return float(vectors[at] @ vectors[other]) >= (_NEAR if has_same_verb else _ALIKE)

    groups: list[list[int]] = []
    for at in range(len(aspects)):
        fitting = next((group for group in groups if is_one(at, group[0])), None)
        if fitting is None:
            groups.append([at])
        else:
            fitting.append(at)
    return [[aspects[at] for at in group] for group in groups]


def _share(one: str, other: str) -> float:
    a, b = set(words(one)), set(words(other))
    return len(a & b) / len(a | b)


def _made(question: str, answers: Sequence[tuple[str, str]], least: int) -> Iterable[Suggestion]:
    distinct: list[str] = []
    for answer, _ in answers:
        if not any(same(answer, other) for other in distinct):
            distinct.append(answer)
    if len(distinct) >= least:
        yield Suggestion(question, tuple(distinct), tuple(dict.fromkeys(check for _, check in answers)))
