"""FC(k, l) as the released code's first path computes it: row j of each neighbour's **own** list beside row j of the claim's.

The neighbours' signals then describe other fact-checks than the candidate they stand beside. Kept to measure what the difference is worth;
`finder` has the intended form. Shaar et al. 2022, `get_rerank_embeddings.py`; edges repeat the first or last line, as there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from twicetold.rerank.context.finder import as_claim
from twicetold.stage import Stage, ask
from twicetold.types import Claim, Match, Ranking


def own_lists(find: Stage, *, behind: int = 3, ahead: int = 1) -> Stage:
    """Find by `find`, and give match j of each ranking the signals, as `fc[-1].…`, of match j found for each neighbouring line."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_beside(ranking, find, behind, ahead) for ranking in find(rankings)]

    return run


def _beside(ranking: Ranking, find: Stage, behind: int, ahead: int) -> Ranking:
    claim = as_claim(ranking.query)
    lists = {offset: _list_of(claim, offset, find) for offset in range(-behind, ahead + 1) if offset}
    matches = []
    for row, match in enumerate(ranking.matches):
        signals = dict(match.signals)
        for offset, others in lists.items():
            other = others[row].signals if row < len(others) else dict.fromkeys(match.signals, 0.0)
            signals |= {f"fc[{offset:+d}].{name}": value for name, value in other.items()}
        matches.append(dataclasses.replace(match, signals=signals))
    return dataclasses.replace(ranking, matches=tuple(matches))


def _list_of(claim: Claim, offset: int, find: Stage) -> tuple[Match, ...]:
    lines = claim.context.lines
    if not lines:
        return ()
    at = min(max(claim.context.at + offset, 0), len(lines) - 1)
    [ranking] = ask(find, [Claim(f"{claim.id}{offset:+d}", lines[at].text, lang="en")])
    return ranking.matches
