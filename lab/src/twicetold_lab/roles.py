"""Who may learn from which query: the frozen manifest of roles.

Public sets overlap: the same tweet, or the same fact-check as an answer, stands in several. Queries joined by a text or by an answer
form a group, over all sets together, and a group never crosses the line between learning and testing. The manifest (`roles.txt`)
holds fingerprints of query texts, not texts, so a role can be looked up for any query without the data at hand.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path

from twicetold.errors import BadInput
from twicetold.types import Claim, FactCheck
from twicetold_lab import datasets
from twicetold_lab.datasets import Dataset, catalog
from twicetold_lab.datasets.politifact import url_key
from twicetold_lab.datasets.snopes import twin_key


class Role(StrEnum):
    """What a query may be used for. BARRED: for nothing, since it shares an answer with a query that tests."""

    ENCODER = "encoder"
    STACKER = "stacker"
    CALIBRATE = "calibrate"
    TUNE = "tune"
    TEST = "test"
    BARRED = "barred"


LEARNING = (Role.ENCODER, Role.STACKER, Role.CALIBRATE, Role.TUNE)
"""Roles whose queries a shipped model may have seen."""

TESTS = (
    ("checkthat-2020-task2", "test"),
    ("checkthat-2021-task2a", "dev"),
    ("checkthat-2021-task2b", "dev"),
    ("role-of-context", "test"),
    ("factchecktweet", "dev"),
    ("volee2020", "unseen/test"),
)
TUNES = (("checkthat-2020-task2", "dev"), ("volee2020", "unseen/dev"))
"""Splits that test and tune. Role of Context is tuned on the 2017 debates of its train split, FactCheckTweet on a share of its train."""

GROUPED = tuple(name for name in catalog() if not name.startswith("mtm"))
"""The sets the manifest covers: those whose texts are public."""


def fingerprint(text: str) -> str:
    """Return what identifies a query text: eight hex digits of a hash of its letters and digits, links left out.

    >>> fingerprint("Is it SO? https://t.co/abc") == fingerprint("is it so")
    True
    """
    return hashlib.sha256(_key(text).encode()).hexdigest()[:8]


def _key(text: str) -> str:
    without_links = re.sub(r"https?://\S+|pic\.twitter\.com/\S+", "", text.casefold())
    return re.sub(r"[\W_]+", "", without_links) or text.casefold()


@cache
def manifest() -> Mapping[str, Role]:
    """Read the frozen manifest: fingerprint → role."""
    lines = resources.files("twicetold_lab").joinpath("roles.txt").read_text(encoding="ascii").splitlines()
    return {line[:8]: Role(line[9:]) for line in lines}


def role_of(claim: Claim) -> Role | None:
    """Return a query's role; None for a query of no public set."""
    return manifest().get(fingerprint(claim.text))


def part(dataset: Dataset, *roles: Role) -> Dataset:
    """Return the same corpus with only the queries of these roles."""
    return dataset.only(claim.id for claim in dataset.claims if role_of(claim) in roles)


def to_learn(dataset: Dataset, *roles: Role) -> Dataset:
    """Return the same corpus with the queries of these roles that stand in no dev or test split: tuning splits are judged on too."""
    held = {id for name in ("dev", "test") for id in dataset.splits.get(name, ())}
    return dataset.only(claim.id for claim in dataset.claims if role_of(claim) in roles and claim.id not in held)


def seen(claims: Iterable[Claim]) -> list[Claim]:
    """List the queries that the shipped models may have learnt from: judging them on these flatters them."""
    return [claim for claim in claims if role_of(claim) in LEARNING]


# --- making the manifest -------------------------------------------------------------------------------------------


def article_keys(check: FactCheck, name: str) -> Iterator[str]:
    """Yield the keys by which the same article is known in several sets: its id, its url's title, its Snopes claim or slug."""
    yield f"{name} {check.id}"
    if check.url:
        yield f"url {url_key(check.url)}"
    if check.id.startswith("vclaim-sno-"):
        yield f"url {check.id.removeprefix('vclaim-sno-')}"
    if check.publisher == "Snopes":
        yield f"snopes {twin_key(check)}"


def groups(sets: Iterable[Dataset]) -> dict[str, str]:
    """Return fingerprint → group, for all queries of all sets; queries that share a text or an answer share the group."""
    parent: dict[str, str] = {}

    def find(key: str) -> str:
        parent.setdefault(key, key)
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    queries: set[str] = set()
    for dataset in sets:
        answers = set(chain.from_iterable(dataset.qrels.values()))
        keys = {check.id: list(article_keys(check, dataset.name)) for check in dataset.checks() if check.id in answers}
        for claim in dataset.claims:
            print_ = fingerprint(claim.text)
            queries.add(print_)
            for key in chain.from_iterable(keys[doc] for doc in dataset.qrels.get(claim.id, ())):
                first, second = sorted((find(print_), find(key)))
                parent[second] = first
    return {print_: find(print_) for print_ in queries}


def assign(given: Iterable[Dataset]) -> dict[str, Role]:
    """Deal the roles: fingerprint → role.

    Queries of the test splits test, and the others of their groups are barred. Groups with a query of a tuning split tune, whole.
    The remaining groups are dealt whole, by a hash, to encoder, stacker and calibrate, and, where FactCheckTweet has a share, to tune.
    """
    sets = {dataset.name: dataset for dataset in given}
    group_of = groups(sets.values())
    tests = _prints(sets, TESTS)
    tunes = _prints(sets, TUNES) | _debates_of_2017(sets["role-of-context"])
    testing, tuning = ({group_of[print_] for print_ in prints} for prints in (tests, tunes))
    tweets = {group_of[fingerprint(claim.text)] for claim in sets["factchecktweet"].claims}
    roles: dict[str, Role] = {}
    for print_, group in group_of.items():
        if group in testing:
            roles[print_] = Role.TEST if print_ in tests else Role.BARRED
        elif group in tuning:
            roles[print_] = Role.TUNE
        else:
            roles[print_] = _deal(group, tune=0.08 if group in tweets else 0.0)
    return roles


def _deal(group: str, *, tune: float) -> Role:
    place = int(hashlib.sha256(group.encode()).hexdigest()[:12], 16) / 16**12
    if place < tune:
        return Role.TUNE
    place = (place - tune) / (1 - tune)
    return Role.ENCODER if place < 0.78 else Role.STACKER if place < 0.91 else Role.CALIBRATE


def _prints(sets: Mapping[str, Dataset], parts: Iterable[tuple[str, str]]) -> set[str]:
    chosen = (sets[name].split(part) for name, part in parts)
    return {fingerprint(claim.text) for dataset in chosen for claim in dataset.claims}


def _debates_of_2017(dataset: Dataset) -> set[str]:
    return {fingerprint(claim.text) for claim in dataset.split("train").claims if claim.said_on.startswith("2017")}


def write(roles: Mapping[str, Role], path: Path) -> None:
    """Write a manifest, a fingerprint and its role a line, sorted."""
    path.write_text("".join(f"{print_} {role}\n" for print_, role in sorted(roles.items())), encoding="ascii")


def load_part(name: str, root: Path) -> Dataset:
    """Read a set, a split of it (`factchecktweet/dev`), or its queries of some role (`factchecktweet/roles/tune`)."""
    whole, _, role = name.partition("/roles/")
    if not role:
        return datasets.load_part(name, root)
    if role not in list(Role):
        raise BadInput(f"no role is called {role!r}; there are {', '.join(Role)}")
    return dataclasses.replace(part(datasets.load(whole, root), Role(role)), name=name)
