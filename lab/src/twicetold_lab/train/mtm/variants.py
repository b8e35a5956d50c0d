"""The whole method and what is left of it when one part is taken out (Table 3 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """Which parts are in.

    `rouge`: the first layer is taught ROUGE. `centred`: patterns begin as centres, not at random. `updated`: they move after each epoch.
    `memory`: there are patterns at all. `weighted`: key sentences weigh by their scores. `told`: the nearest pattern is part of what
    the classifier sees. `quoted`: half of a sentence's nearness to the claim is how many of the claim's words it holds. `compared`: the
    log-odds begin as what is known of an article without learning (`twicetold.rank.mtm.known`: the share of the claim's words in the key
    sentences, cosines), and the classifier adds to them; the paper's has to learn how two texts compare. `stretched`: of a claim
    that is longer than the window the stretch most like the sentence is read, not the beginning. `by_token`: ROT says of every token
    whether it is quoted, not all at the first. `legacy`: the classifier of the published code, linear with its nonlinearity after the
    last layer.
    """

    rouge: bool = True
    centred: bool = True
    updated: bool = True
    memory: bool = True
    weighted: bool = True
    told: bool = True
    quoted: bool = True
    compared: bool = True
    stretched: bool = True
    by_token: bool = True
    legacy: bool = False


VARIANTS = {
    "MTM": Variant(),
    "w/o ROUGE guidance": Variant(rouge=False, quoted=False),
    "w/ rand mem init": Variant(centred=False),
    "w/o mem update": Variant(updated=False),
    "w/o PMB": Variant(memory=False),
    "w/ avg. pool": Variant(weighted=False),
    "w/o pattern aggr.": Variant(told=False),
    "MTM printed": Variant(quoted=False, compared=False, stretched=False, by_token=False),
    "MTM legacy": Variant(quoted=False, compared=False, stretched=False, by_token=False, legacy=True),
}
"""By the names of the paper's rows. `quoted`, `compared`, `stretched` and `by_token` are ours: `MTM printed` is without them, `MTM legacy`
as published."""
