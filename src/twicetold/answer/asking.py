"""How claims are to be answered: one value, the same at every door. What is asked, and by which recipe, is not part of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from twicetold.errors import BadInput
from twicetold.filters import Filters
from twicetold.rank.coref.resolution import Resolver
from twicetold.stage import Stage


@dataclass(frozen=True, slots=True)
class Asking:
    """How many fact-checks are wanted, from which ones, and the error tolerated among claims called matched.

    `depth` candidates are ranked, judged, grouped and decided on, never fewer than `top`, which are kept. Each match kept is explained by
    at most `keys` sentences of its article; 0 leaves explanations out. `context` takes the place of the shipped co-reference in recipes
    that read the lines around a claim. `before` sees all claims ahead of the recipe, their parts as well, and hands them on.
    """

    top: int = 5
    depth: int = 10
    risk: float = 0.05
    filters: Filters = field(default_factory=Filters)
    keys: int = 2
    context: Resolver | None = None
    before: Stage | None = None

    def __post_init__(self) -> None:
        check_risk(self.risk)

    @property
    def reach(self) -> int:
        """How many candidates are ranked."""
        return max(self.top, self.depth)


def check_risk(risk: float) -> None:
    """Raise BadInput unless the risk lies between 0 and 1."""
    if not 0 < risk < 1:
        raise BadInput(f"the tolerated error must lie between 0 and 1, as in --risk 0.05, not {risk}")
