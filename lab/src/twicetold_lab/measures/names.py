"""A measure as a value: it prints as it is typed.

    NAME[@K][(option=value,…)]      MAP@5   MRR   nDCG@10   HasPositives@3   MAP@5(norm=min)   MAP@5(norm=legacy,width=100)

Options: `norm` = n (divide by the number of relevant documents, the default), min (by the smaller of that and K) or legacy (the papers'
code, see `legacy`); `width` = documents in a legacy row; `ties` = order (as ranked, the default) or expected (the mean over all orders
of equal scores); `rel` = the lowest grade that is relevant (1). Capitals do not matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from twicetold.errors import BadInput

Norm = Literal["n", "min", "legacy"]
Ties = Literal["order", "expected"]

AVERAGE_PRECISION = ("MAP", "AP")
RECIPROCAL_RANK = ("MRR", "RR")
SUCCESS = ("HasPositives", "HIT", "Success")
PRECISION = ("P",)
RECALL = ("Recall", "R")
NDCG = ("nDCG",)
NAMES = AVERAGE_PRECISION + RECIPROCAL_RANK + SUCCESS + PRECISION + RECALL + NDCG
_SPELT = {name.casefold(): name for name in NAMES}

_FORM = re.compile(r"(?P<name>[A-Za-z]+)(?:@(?P<cutoff>[0-9]+))?(?:\((?P<options>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, up to which rank (None: the whole ranking), and by which definition.

    `typed` is how it was asked for, which is how it prints; one that was made otherwise prints in the shortest form.
    """

    name: str
    cutoff: int | None = None
    norm: Norm = "n"
    ties: Ties = "order"
    rel: int = 1
    width: int | None = None
    typed: str = ""

    def __post_init__(self) -> None:
        if not self.typed:
            object.__setattr__(self, "typed", self._shortest())

    def __str__(self) -> str:
        return self.typed

    def _shortest(self) -> str:
        options = {"norm": self.norm, "ties": self.ties, "rel": self.rel, "width": self.width}
        usual = {"norm": "n", "ties": "order", "rel": 1, "width": None}
        said = ",".join(f"{name}={value}" for name, value in options.items() if value != usual[name])
        return self.name + (f"@{self.cutoff}" if self.cutoff else "") + (f"({said})" if said else "")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read a measure's name.

        >>> str(Measure.parse("MAP@5(norm=min)"))
        'MAP@5(norm=min)'
        """
        found = _FORM.fullmatch(text.strip())
        if not found or found["name"].casefold() not in _SPELT:
            raise BadInput(f"no measure is called {text!r}; there are {', '.join(NAMES)}, each with an optional cut-off as in MAP@5")
        cutoff = int(found["cutoff"]) if found["cutoff"] else None
        options = _options(text, found["options"])
        return _checked(cls(_SPELT[found["name"].casefold()], cutoff, **options, typed=text.strip()), text)


def _options(text: str, given: str | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option in filter(None, (part.strip() for part in (given or "").split(","))):
        name, _, value = option.partition("=")
        if name in ("rel", "width") and value.isdecimal() and int(value) > 0:
            options[name] = int(value)
        elif (name == "norm" and value in get_args(Norm)) or (name == "ties" and value in get_args(Ties)):
            options[name] = value
        else:
            raise BadInput(f"{text!r}: {option!r} is no option; there are norm=n|min|legacy, ties=order|expected, rel=N, width=N")
    return options


def _checked(measure: Measure, text: str) -> Measure:
    if measure.cutoff == 0 or (measure.cutoff is None and measure.name in SUCCESS + PRECISION + RECALL):
        raise BadInput(f"{text!r} needs a cut-off of 1 or more, as in {measure.name}@5")
    if measure.norm != "n" and measure.name not in AVERAGE_PRECISION:
        raise BadInput(f"{text!r}: only MAP has norms")
    if measure.width is not None and measure.norm != "legacy":
        raise BadInput(f"{text!r}: width goes with norm=legacy")
    if measure.norm == "legacy" and measure.ties == "expected":
        raise BadInput(f"{text!r}: the legacy norm has its own treatment of ties")
    return measure
