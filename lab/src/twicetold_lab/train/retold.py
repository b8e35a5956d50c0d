"""Posts made by rule from a claim: told on, denied, asked about. The public sets hardly have them, and `ask` reads little else.

"Yes, shoes spread it" and "No, shoes do not spread it" share every word but two, and a model that has read news and captions only takes
the one for the other. A claim whose truth is turned by one word (`contrast`) is refuted by the claim itself; with a name, number or date
changed, the two say different things of which one may be so without the other: those are neutral at most, so only negations are used.
"""

from __future__ import annotations

import random

from twicetold.types import Stance
from twicetold_lab.train.contrast import negate
from twicetold_lab.train.noise import casing, typos

_AGREE = (
    "{}",
    "Yes, {}",
    "Yes! {}",
    "yes {}",
    "It is true: {}",
    "It's true that {}",
    "I told you: {}",
    "So {}. Be careful!",
    "BREAKING: {}",
    "Doctors now say {}",
    "We know that {}",
    "New study: {}",
    "Remember, {}. Pass it on.",
    "{} — this is confirmed.",
    "{}. It's a fact.",
    "Turns out {}",
    "My sister says {} and she is right.",
)
_DENY = (
    "No, {} is a lie.",
    "It is not true that {}",
    "It's a myth that {}",
    "FALSE: {}",
    "Fact check: {}? False.",
    "There is no evidence that {}",
    "Stop telling people that {}. It is nonsense.",
    "{}? No. That has been debunked.",
    "No, it is wrong to say that {}",
    "Whoever says that {} is lying.",
    "The rumour that {} is fake news.",
    "Experts deny that {}",
    "{} — this is a hoax.",
    "Don't believe that {}",
    "Anyone who thinks {} has been fooled.",
)
_ASK = (
    "Is it true that {}?",
    "Does anyone know whether {}?",
    "People are asking if {}.",
    "Some say that {}, others disagree. What do you think?",
    "Has anyone looked into whether {}?",
    "{}? Source please.",
    "I wonder whether {}",
)
_TURNED: dict[Stance, float] = {Stance.SUPPORTS: 0.1, Stance.REFUTES: 0.5, Stance.NEUTRAL: 0.0}
_FRAMES: dict[Stance, tuple[str, ...]] = {Stance.SUPPORTS: _AGREE, Stance.REFUTES: _DENY, Stance.NEUTRAL: _ASK}


def retell(claim: str, rng: random.Random) -> tuple[str, Stance]:
    """Return a post about `claim` and what it says of it.

    Both ways of denying are used: a frame around the claim, and the claim negated inside a frame that agrees.
    """
    said = rng.choices(list(_FRAMES), (0.42, 0.42, 0.16))[0]
    turned = negate(claim, rng) if rng.random() < _TURNED[said] else None
    if turned:
        # Agreeing with the opposite refutes; denying the opposite supports, but few people write so.
        frames = _DENY if said is Stance.SUPPORTS else _AGREE
        return _framed(turned, frames, rng), said
    return _framed(claim, _FRAMES[said], rng), said


def _framed(text: str, frames: tuple[str, ...], rng: random.Random) -> str:
    frame = rng.choice(frames)
    bare = text.strip().rstrip(".!? ")
    if not frame.startswith("{}") and bare[:2] not in ("I ", "I'") and bare[1:2].islower():
        # A name keeps its capital; without a tagger a first word that is common is taken for no name.
        first, _, rest = bare.partition(" ")
        bare = f"{first.lower()} {rest}" if first in _COMMON else bare
    post = frame.format(bare)
    # No noise that cuts the end off: the denial may stand there.
    return rng.choice((casing(post, rng), typos(post, rng))) if rng.random() < 0.2 else post


_SMALL = (
    "The A An This That These Those There It In On At Some Many Most All No Every People Women Men Children Scientists Doctors We They He "
    "She Our Their His Her If When While After Before"
)
_COMMON = frozenset(_SMALL.split())
