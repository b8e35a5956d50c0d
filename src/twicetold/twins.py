"""Near-duplicate fact-checks: the same claim checked twice, or an article published twice, is one case.

Two fact-checks are twins if they word the claim alike: the same letters and digits, or nearly the same words with the same numbers and
the same negations. A wording that many share is boilerplate ("Fact check", a slogan), and then the titles must agree as well. Twins
may carry different ratings; the case shows them all. Paraphrases are not twins: finding those is what ranking is for.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from twicetold.stage import Stage
from twicetold.types import FactCheck, Match, Ranking, natural

_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 4
"""A shorter claim or title says too little for two of them to mean the same."""
_MOST_ALIKE = 5
"""A wording that more fact-checks than this share is boilerplate."""
_NEARLY = 0.85
_NEGATIONS = frozenset(["no", "not", "never", "none", "nobody", "nothing", "without", "neither", "nor", "cannot"])
_HEAD = 20
"""Near-equal wordings are looked for among this many matches; equal ones among all."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is compared of a fact-check: the letters of its claim and title, and the claim's words."""

    claim: str
    title: str
    words: frozenset[str]
    n_words: int

    @classmethod
    def of(cls, check: FactCheck) -> Wording:
        """Read the wording; a fact-check without a claim is known by its title."""
        said = _WORD.findall(_folded(check.claim or check.title))
        return cls("".join(said), "".join(_WORD.findall(_folded(check.title))), frozenset(said), len(said))

    def is_nearly(self, other: Wording) -> bool:
        """True if almost all words are shared, and numbers and negations agree."""
        if min(self.n_words, other.n_words) < 2 * _FEWEST_WORDS:
            return False
        shared = len(self.words & other.words)
        if shared < _NEARLY * len(self.words | other.words):
            return False
        return not any(_decides(word) for word in self.words ^ other.words)


def _decides(word: str) -> bool:
    """True for a word that alone turns a claim into another one."""
    return word in _NEGATIONS or (word.endswith("nt") and word[:-2] in _VERBS) or any(map(str.isdigit, word))


_VERBS = frozenset(["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "wo", "ca", "could", "should", "would"])


def _folded(text: str) -> str:
    # Apostrophes go first, so that "isn't" is one word however it is written.
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("'", "").replace("’", "").replace("_", " ")
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def cases(checks: Iterable[FactCheck]) -> dict[str, str]:
    """Return, for each fact-check that has twins of the same letters, the id of its case: the first of their ids in natural order.

    Reads the fact-checks once and keeps only their letters, so whole collections can be given. Near-equal wordings are not compared.
    """
    by_claim: dict[str, list[tuple[str, str]]] = {}
    for check in checks:
        wording = Wording.of(check)
        if wording.n_words >= _FEWEST_WORDS:
            by_claim.setdefault(wording.claim, []).append((wording.title, check.id))
    found: dict[str, str] = {}
    for alike in by_claim.values():
        for group in _by_title(alike) if len(alike) > _MOST_ALIKE else [alike]:
            if len(group) > 1:
                case = min((id for _, id in group), key=natural)
                found.update((id, case) for _, id in group)
    return found


def _by_title(alike: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for title, id in alike:
        groups.setdefault(title, []).append((title, id))
    return list(groups.values())


def collapse() -> Stage:
    """Fold each match into the better one it is a twin of, whose `twins` then name it; the order of the others stays."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_collapsed(ranking) for ranking in rankings]

    return run


def _collapsed(ranking: Ranking) -> Ranking:
    wordings = [Wording.of(match.doc) if isinstance(match.doc, FactCheck) else None for match in ranking.matches]
    common = Counter(wording.claim for wording in wordings if wording)
    kept: list[tuple[Match, Wording | None]] = []
    by_claim: dict[str, list[int]] = {}
    for place, (match, wording) in enumerate(zip(ranking.matches, wordings, strict=True)):
        first = None if wording is None else _case_of(wording, kept, by_claim, common, is_head=place < _HEAD)
        if first is None:
            if wording is not None:
                by_claim.setdefault(wording.claim, []).append(len(kept))
            kept.append((match, wording))
        else:
            better, its = kept[first]
            kept[first] = (_folded_into(better, match), its)
    return dataclasses.replace(ranking, matches=tuple(match for match, _ in kept))


def _case_of(
    wording: Wording,
    kept: Sequence[tuple[Match, Wording | None]],
    by_claim: Mapping[str, list[int]],
    common: Mapping[str, int],
    *,
    is_head: bool,
) -> int | None:
    """Return the place among `kept` of the match that this wording is a twin of."""
    if wording.n_words < _FEWEST_WORDS:
        return None
    for place in by_claim.get(wording.claim, ()):
        other = kept[place][1]
        if other and (common[wording.claim] <= _MOST_ALIKE or other.title == wording.title):
            return place
    if is_head:
        for place, (_, other) in enumerate(kept):
            if other and wording.is_nearly(other):
                return place
    return None


def _folded_into(better: Match, twin: Match) -> Match:
    assert isinstance(twin.doc, FactCheck)
    return dataclasses.replace(better, twins=(*better.twins, twin.doc, *twin.twins))


def with_twins(qrels: Mapping[str, Mapping[str, int]], case_of: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return judgements of cases: each fact-check's grade is that of the best-judged of its twins, under the case's id."""
    judged: dict[str, dict[str, int]] = {}
    for query, grades in qrels.items():
        for doc, grade in grades.items():
            case = case_of.get(doc, doc)
            judged.setdefault(query, {})[case] = max(grade, judged.get(query, {}).get(case, 0))
    return judged
