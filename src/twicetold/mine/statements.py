"""Claims from a question and an answer: as a natural statement, and as the concatenation of Bai, Colas & Wang (2023, section 3.1).

The statement is made by moving words, without a parser: a stance model reads "Shoes can spread COVID-19" better than a question with an
answer behind it. A question whose words cannot be placed is handed on in the paper's form. English only.
"""

from __future__ import annotations

import re

from twicetold.mine.question import ASKING, kind_of, parts
from twicetold.mine.verbs import AUXILIARIES, BE, DO, HAVE, MODALS, base, is_base, is_participle, listed, past, third

_DETERMINERS = listed(
    """
    a an the another one any some no its their his her our my your this
    """
)
_PREPOSITIONS = listed(
    """
    of in on at by for with from to about between against under over through during into among behind than and or as near off
    """
)
_STRONG = listed(
    """
    not really actually still now ever always often more most less least so too very also just only part responsible visible legal
    illegal true false real fake safe unsafe dangerous ill sick dead alive free able unable available effective harmful healthy good
    bad better worse best worst guilty innocent flat hollow round immune pregnant gay christian muslim jewish hoax deadly contagious
    airborne constitutional unconstitutional mandatory compulsory eligible based located higher lower bigger larger smaller older
    younger richer poorer stronger weaker common rare extinct native anti pro blind poisonous toxic natural man-made homophobic
    racist open closed similar equal equivalent linked related due worth second first last being widespread
    """
)
_TIME = frozenset({"in", "on", "during", "since", "before", "after", "back", "until", "by"})
_TRUE = re.compile(r"^(?:is|was)\s+it\s+(?:really\s+|actually\s+)?(?:true|a fact|correct|the case|right)\s+that\s+", re.IGNORECASE)
_OUGHT = re.compile(r"^(is|are|was|were|do|does|did|ca|could|wo|would|should|has|have|had|must|might)n['’]?t$", re.IGNORECASE)


def concatenation(question: str, answer: str) -> str:
    """Return the paper's claim.

    >>> concatenation("Who won?", "Ann")
    'Who won? Answer is: Ann'
    """
    return f"{question.strip()} Answer is: {answer}"


def statement(question: str, answer: str = "yes") -> str:
    """Return what an answer to a question claims, as a sentence without a full stop.

    >>> statement("Does drinking alcohol cure COVID-19?"), statement("What can spread COVID-19?", "shoes")
    ('Drinking alcohol cures COVID-19', 'Shoes can spread COVID-19')
    >>> statement("Is the Great Wall visible from space?", "no")
    'It is not true that the Great Wall is visible from space'
    """
    if kind_of(question) == "entity":
        return _capital(_filled(question, answer))
    positive = _positive(question)
    if answer == "no":
        return f"It is not true that {_small(positive)}"
    return _capital(positive)


# --- yes or no -------------------------------------------------------------------------------------------------------


def _positive(question: str) -> str:
    said = _TRUE.sub("", question.strip())
    lead, words = parts(said)
    if said != question.strip() or not words or (words[0].lower() not in AUXILIARIES and not _OUGHT.match(words[0])):
        return said.rstrip("?!. ")
    negated = _OUGHT.match(words[0])
    auxiliary = _whole(negated[1].lower()) if negated else words[0].lower()
    made = _declared(auxiliary, words[1:])
    return f"{made} {_small(lead)}" if lead else made


def _whole(cut: str) -> str:
    return {"ca": "can", "wo": "will"}.get(cut, cut)


def _declared(auxiliary: str, rest: list[str]) -> str:
    at = _predicate(auxiliary, rest)
    subject, predicate = rest[:at], rest[at:]
    if auxiliary in DO:
        if not predicate:
            return " ".join(rest)
        verb = predicate[0]
        inflected = {"does": third, "dose": third, "did": past}.get(auxiliary, str)(verb)
        return " ".join([*subject, inflected, *predicate[1:]])
    return " ".join([*subject, auxiliary, *predicate])


def _predicate(auxiliary: str, words: list[str]) -> int:
    """Return the place where the subject ends; the number of words if no place can be told."""
    if auxiliary in BE:
        return _after_be(words)
    wanted = is_participle if auxiliary in HAVE else is_base if auxiliary in MODALS else base  # people write "did he won"
    for at in range(1, len(words)):
        if wanted(words[at]) and not _is_bound(words, at) and not _is_name(words, at):
            return at
    return _after_be(words) if auxiliary in MODALS | HAVE else len(words)


def _is_bound(words: list[str], at: int) -> bool:
    """True if the word before ties this one into a noun phrase: "the fund", "to help", "of use"."""
    before = words[at - 1].lower()
    return before in _DETERMINERS or before in _PREPOSITIONS or before.endswith(("'s", "’s", "s'"))


def _is_name(words: list[str], at: int) -> bool:
    return words[at][:1].isupper() and words[at - 1][:1].isupper() and at + 1 < len(words) and words[at + 1][:1].isupper()


def _after_be(words: list[str]) -> int:
    if words and words[0].lower() in ("there", "it", "he", "she", "they", "we", "you", "i"):
        return 1
    places = range(1, len(words))
    strong = [at for at in places if _is_strong(words, at)]
    if strong:
        return _past_relative(words, strong)
    for at in places:
        if words[at].lower() in _PREPOSITIONS - {"of", "and", "or", "between", "to"}:
            return at
    return _end_of_name(words)


def _is_strong(words: list[str], at: int) -> bool:
    word, before = words[at].lower(), words[at - 1].lower()
    if before in _PREPOSITIONS or before in _DETERMINERS:
        return False
    if word in _DETERMINERS or word in _STRONG:
        return True
    return words[at][:1].islower() and is_participle(word)


def _past_relative(words: list[str], strong: list[int]) -> int:
    """A participle with its own "by …" before another one belongs to the subject: "the money received by the club used to …"."""
    first = strong[0]
    if words[first].lower().endswith("ing") and first + 1 in strong:  # "the Moon landing faked": a noun
        return first + 1
    following = words[first + 1].lower() if first + 1 < len(words) else ""
    later = [at for at in strong[1:] if is_participle(words[at])]
    return later[0] if following == "by" and later else first


def _end_of_name(words: list[str]) -> int:
    """Without a better sign: the subject is the opening run of capitals, or the first noun."""
    at = 0
    while at < len(words) and words[at].lower() in _DETERMINERS:
        at += 1
    start = at
    while at < len(words) and words[at][:1].isupper():
        at += 1
    if at == len(words) > start + 1:  # "the Nazis Fascists"
        at -= 1
    return min(max(at, start + 1), len(words))


# --- names and things ------------------------------------------------------------------------------------------------


def _filled(question: str, answer: str) -> str:
    lead, words = parts(question)
    asking = next((at for at, word in enumerate(words) if word.lower().strip(",") in ASKING), None)
    if asking is None:
        return concatenation(question, answer)
    before, asked, rest = words[:asking], words[asking].lower(), words[asking + 1 :]
    if before and before[-1].lower() in _PREPOSITIONS and len(before) == 1:
        made = _object_asked(rest[_noun_end(rest) :], f"{before[0].lower()} {answer}")
    elif before:  # "The Russians bombed which countries in 2022?"
        made = " ".join([*before, answer, *rest[_noun_end(rest, stop=_PREPOSITIONS) :]])
    else:
        made = _asked_first(asked, rest, answer)
    if not made:
        return concatenation(question, answer)
    return f"{made} {_small(lead)}" if lead else made


def _asked_first(asked: str, rest: list[str], answer: str) -> str:
    if asked.endswith("'s"):
        asked, rest = asked[:-2], ["is", *rest]
    placed = {"where": f"in {answer}", "when": f"in {answer}", "why": f"because of {answer}", "how": f"by {answer}"}.get(asked)
    if placed:
        return _object_asked(rest, placed)
    at = _noun_end(rest) if asked in ("which", "what", "whose") else 0
    verb = rest[at].lower() if at < len(rest) else ""
    following = rest[at + 1].lower() if at + 1 < len(rest) else ""
    has_own_verb = verb in MODALS and at and not _is_verbal(following)
    if (verb in DO and following != "not") or has_own_verb:
        return _object_asked(rest[at:], answer)
    return " ".join([answer, _agreeing(verb, answer) or rest[at], *rest[at + 1 :]]) if verb else ""


def _agreeing(verb: str, answer: str) -> str:
    """The verb in the singular, if the question put it in the plural and one thing answers; "" to leave it."""
    if answer.lower().endswith("s") or " and " in answer:
        return ""
    return {"are": "is", "were": "was", "have": "has", "do": "does"}.get(verb, third(verb) if is_base(verb) and verb not in MODALS else "")


def _is_verbal(word: str) -> bool:
    return bool(base(word)) or is_participle(word) or word in AUXILIARIES | {"not", "been", "be"}


def _noun_end(words: list[str], *, stop: frozenset[str] = frozenset()) -> int:
    """Return the place of the first verb: "religions forbid …" has it at 1. Words right before a verb that are nouns too stay nouns."""
    for at, word in enumerate(words):
        lower = word.lower()
        if lower in stop or lower in AUXILIARIES:
            return at
        if at and base(lower) and not _is_bound(words, at) and not _is_name(words, at):
            return at
    return 0 if not stop else len(words)


def _object_asked(words: list[str], answer: str) -> str:
    """`words` begin with the auxiliary: "did Disney try to copyright in 2021" → "Disney tried to copyright ANSWER in 2021"."""
    if not words or words[0].lower() not in AUXILIARIES:
        return ""
    declared = _declared(words[0].lower(), words[1:]).split()
    for at in range(len(declared) - 1, 0, -1):
        if declared[at].lower() in _TIME and at + 1 < len(declared) and _is_verbal(declared[at - 1]):
            return " ".join([*declared[:at], answer, *declared[at:]])
    return " ".join([*declared, answer])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Lower the first letter of a word that is no name: one of the small words that open a clause."""
    first = text.split(" ", 1)[0].lower()
    return text[:1].lower() + text[1:] if first in _DETERMINERS | _PREPOSITIONS | {"if", "after", "before", "there", "it"} else text
