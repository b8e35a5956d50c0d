"""What can be counted of a claim and of what was checked: numbers, times, names, denials, reversed words, reach, roles, shared words.

`compare` gives named numbers for a model (their names and meanings are in `NAMES`) and candidate differences with the words on both sides.
It understands nothing: a model weighs what it counts. English only; on other languages it counts what it finds. Exchanging the texts
exchanges the sides of every number and difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from twicetold.judge.candidates import Candidate, candidates, replaced_words
from twicetold.judge.dates import times, year_of
from twicetold.judge.facts import Facts, denial_differs, gather, other_groups, shared_near
from twicetold.judge.lists import SETS
from twicetold.judge.negation import denials, scopes
from twicetold.judge.quantifiers import GROUPS
from twicetold.judge.roles import disorder
from twicetold.judge.tokens import Words, read
from twicetold.types import Span

NAMES: Mapping[str, str] = {
    "numbers.shared": "quantities of the claim that the check states too, rounded or in words",
    "numbers.conflict": "pairs of quantities of one kind that disagree",
    "numbers.ours": "quantities that only the claim states",
    "numbers.theirs": "quantities that only the check states",
    "numbers.gap": "the largest logarithm of the ratio of two that disagree, at most 5",
    "numbers.context": "how many words around two that disagree are shared, as a share, for the best pair",
    "times.shared": "years and dates that agree",
    "times.conflict": "pairs of years or dates that contradict each other",
    "times.ours": "years and dates that only the claim names",
    "times.theirs": "years and dates that only the check names",
    "times.before": "1 if the check was published before a year that the claim names",
    "times.apart": "years from the check's publication to the day the claim was made, −10 to 10; 0 if unknown",
    "names.shared": "names, other than places, that agree",
    "names.conflict": "pairs of a name that only the claim has and one that only the check has",
    "names.ours": "names that only the claim has",
    "names.theirs": "names that only the check has",
    "names.perhaps": "as names.conflict, for words that may not be names: the first of a sentence",
    "names.context": "as numbers.context, for names",
    "places.shared": "places that agree",
    "places.conflict": "pairs of a place that only the claim has and one that only the check has",
    "places.ours": "places that only the claim has",
    "places.theirs": "places that only the check has",
    "places.context": "as numbers.context, for places",
    "groups.conflict": "1 if each side speaks of a kind of people or things (women, nurses, dogs) that the other does not",
    "denial.differs": "1 if one side denies a word that the other asserts, ½ if it denies something the other does not mention",
    "denial.agrees": "1 if both sides deny the same",
    "denial.ours": "denials in the claim",
    "denial.theirs": "denials in the check",
    "reversed": "pairs of words that mean the reverse of each other",
    "reversed.undone": "such pairs of which one is denied, so that both say the same",
    "reversed.context": "as numbers.context, for reversed words",
    "flips": "1 if the number of denials, reversals and exchanged roles between the two is odd",
    **{f"{group}.{side}": f"1 if {what}" for group in GROUPS for side, what in (
        ("conflict", f"each side has a word of the group {group} that the other lacks"),
        ("ours", f"only the claim has words of the group {group}"),
        ("theirs", f"only the check has words of the group {group}"),
    )},
    "roles.exchanged": "1 if two words around a shared verb have changed places",
    "disorder": "the share of pairs of shared words that stand in another order",
    "overlap.ours": "the share of the claim's content words that the check has",
    "overlap.theirs": "the share of the check's content words that the claim has",
    "overlap.rest": "shared content words as a share of all, without those that were found to differ",
    "overlap.pairs": "the share of the shorter text's pairs of neighbouring content words that the other has",
    "edits.alike": "how alike the two are in their order of words, from 0 to 1",
    "edits.replaced": "short stretches of words that stand in each other's place, at most 5",
    "words.ours": "the logarithm of the claim's number of words",
    "words.theirs": "the logarithm of the check's number of words",
    "question.ours": "1 if the claim is a question",
    "question.theirs": "1 if the check is worded as a question",
    "verdict.theirs": "1 if the check is worded as a verdict: “No, …”, “false”, “hoax”, “no evidence”",
}  # fmt: skip
"""The counted numbers in their order, with what each means."""

_VERDICTS = SETS["counted.verdicts"]


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted of a pair: a number for each of `NAMES`, candidate differences, the plainest first, and replaced words.

    Words that stand in each other's place, where the texts are nearly the same, tell where something was changed and not of what kind.
    """

    values: Mapping[str, float]
    candidates: tuple[Candidate, ...]
    replaced: tuple[tuple[Span, Span], ...] = ()


def compare(ours: str, theirs: str, *, said_on: str = "", published: str = "", is_stated: bool = True) -> Counted:
    """Count what a claim and the text of what was checked share and where they differ.

    `said_on` and `published` are ISO dates or empty; by them "last year" is a year, and a check older than what the claim names is known.
    `is_stated` tells whether theirs is the statement that was checked; if not, it is a headline, whose denials are the publisher's verdict.
    """
    facts = gather(read(ours), read(theirs), said_on=said_on, published=published, is_stated=is_stated)
    values = {
        **_number_values(facts),
        **_time_values(facts, said_on, published),
        **_name_values(facts),
        **_polarity_values(facts),
        **_reach_values(facts),
        **_overlap_values(facts),
    }
    return Counted({name: float(values[name]) for name in NAMES}, tuple(candidates(facts, values)), replaced_words(facts))


# --- numbers for a model -------------------------------------------------------------------------------------------


def _number_values(facts: Facts) -> dict[str, float]:
    found = facts.numbers
    gaps = [abs(math.log((abs(one.ours.value) + 1e-9) / (abs(one.theirs.value) + 1e-9))) for one in found.conflicts]
    plain = [[one for one in side if one.kind != "rank"] for side in (found.ours, found.theirs)]
    return {
        "numbers.shared": found.shared,
        "numbers.conflict": len(found.conflicts),
        "numbers.ours": len(plain[0]),
        "numbers.theirs": len(plain[1]),
        "numbers.gap": min(max(gaps, default=0.0), 5.0),
        "numbers.context": found.context,
    }


def _time_values(facts: Facts, said_on: str, published: str) -> dict[str, float]:
    found = facts.times
    said, checked = year_of(said_on), year_of(published)
    years = [time.year for time in times(facts.ours, said_on) if time.year]
    return {
        "times.shared": found.shared,
        "times.conflict": len(found.conflicts),
        "times.ours": len(found.ours),
        "times.theirs": len(found.theirs),
        "times.before": bool(checked and years and max(years) > checked),
        "times.apart": min(max(said - checked, -10), 10) if said and checked else 0.0,
    }


def _name_values(facts: Facts) -> dict[str, float]:
    found, places = facts.names, facts.places
    sure = [one for one in found.conflicts if one.ours.is_sure and one.theirs.is_sure]
    mine, its = other_groups(facts)
    return {
        "names.shared": found.shared,
        "names.conflict": len(sure),
        "names.ours": sum(name.is_sure for name in found.ours),
        "names.theirs": sum(name.is_sure for name in found.theirs),
        "names.perhaps": len(found.conflicts) - len(sure),
        "names.context": found.context,
        "places.shared": places.shared,
        "places.conflict": len(places.conflicts),
        "places.ours": len(places.ours),
        "places.theirs": len(places.theirs),
        "places.context": places.context,
        "groups.conflict": bool(mine and its),
    }


def _polarity_values(facts: Facts) -> dict[str, float]:
    real = [one for one in facts.reversals if not one.is_undone]
    differs = denial_differs(facts)
    flips = (differs == 1.0) + bool(real) + (facts.exchange is not None)
    return {
        "denial.differs": differs,
        "denial.agrees": bool(scopes(facts.ours, facts.denials[0]) & scopes(facts.theirs, facts.denials[1])),
        "denial.ours": len(facts.denials[0]),
        "denial.theirs": len(denials(facts.theirs)),
        "reversed": len(real),
        "reversed.undone": len(facts.reversals) - len(real),
        "reversed.context": max((shared_near(facts, one.ours, one.theirs) for one in real), default=0.0),
        "flips": flips % 2,
        "roles.exchanged": facts.exchange is not None,
    }


def _reach_values(facts: Facts) -> dict[str, float]:
    values = {f"{group}.{side}": 0.0 for group in GROUPS for side in ("conflict", "ours", "theirs")}
    for one in facts.reach:
        values[f"{one.group}.{'conflict' if one.ours and one.theirs else 'ours' if one.ours else 'theirs'}"] = 1.0
    return values


def _overlap_values(facts: Facts) -> dict[str, float]:
    ours, theirs = facts.ours, facts.theirs
    shared = len(ours.content_lemmas & theirs.content_lemmas)
    return {
        "disorder": disorder(ours, theirs),
        "overlap.ours": shared / max(len(ours.content_lemmas), 1),
        "overlap.theirs": shared / max(len(theirs.content_lemmas), 1),
        "overlap.rest": facts.rest,
        "overlap.pairs": _pair_overlap(ours, theirs),
        "edits.alike": facts.edits.alike,
        "edits.replaced": min(len(facts.edits.replaced), 5),
        "words.ours": math.log1p(len(ours.tokens)),
        "words.theirs": math.log1p(len(theirs.tokens)),
        "question.ours": ours.text.rstrip().endswith("?"),
        "question.theirs": theirs.text.rstrip().endswith("?"),
        "verdict.theirs": _is_verdict(theirs),
    }


def _pair_overlap(ours: Words, theirs: Words) -> float:
    one, two = ({(w.lemmas[a], w.lemmas[b]) for a, b in pairwise(w.content)} for w in (ours, theirs))
    return len(one & two) / min(len(one), len(two)) if one and two else 0.0


def _is_verdict(words: Words) -> bool:
    lows = [token.low for token in words.tokens]
    if lows[:1] == ["no"] and words.gap(0).strip() in (",", ":", ".", "–", "—"):
        return True
    return bool(_VERDICTS.intersection(lows)) or ("no", "evidence") in pairwise(lows)
