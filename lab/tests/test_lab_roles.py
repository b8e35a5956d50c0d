"""The frozen manifest: who may learn from which query."""

import os
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from twicetold.errors import BadInput
from twicetold.types import Claim, FactCheck
from twicetold_lab import datasets, roles
from twicetold_lab.datasets import Dataset
from twicetold_lab.datasets.families import FAMILIES
from twicetold_lab.datasets.politifact import url_key
from twicetold_lab.roles import Role

REAL = os.environ.get("TWICETOLD_DATASETS")
needs_data = pytest.mark.skipif(not REAL, reason="needs the public data sets: set TWICETOLD_DATASETS")


def a_set(name, queries, *, publisher="", urls=None, splits=None):
    """Queries as id → (text, ids of answers)."""
    docs = sorted({doc for _, answers in queries.values() for doc in answers})
    checks = [FactCheck(doc, claim=f"claim of {doc}", url=(urls or {}).get(doc, ""), publisher=publisher) for doc in docs]
    claims = tuple(Claim(id, text) for id, (text, _) in queries.items())
    qrels = {id: dict.fromkeys(answers, 1) for id, (_, answers) in queries.items()}
    return Dataset(name, lambda: iter(checks), claims, qrels, splits or {})


def the_sets(**replaced):
    """Every set that roles are dealt over, empty unless replaced; names have underscores for dashes."""
    sets = {name: a_set(name, {}) for name in roles.GROUPED}
    sets |= {found.name: found for found in replaced.values()}
    for name, part in roles.TESTS + roles.TUNES + (("role-of-context", "train"),):
        found = sets[name]
        if part not in found.splits:
            sets[name] = Dataset(name, found.source, found.claims, found.qrels, {**found.splits, part: ()})
    return sets.values()


def test_links_and_punctuation_do_not_make_another_query():
    assert roles.fingerprint("The bridge — CLOSED! https://t.co/x") == roles.fingerprint("the bridge closed")
    assert roles.fingerprint("the bridge closed") != roles.fingerprint("the bridge opened")


def test_queries_that_share_an_answer_share_a_group_across_sets():
    one = a_set("one", {"p": ("first text", ["d1"])}, urls={"d1": "https://www.politifact.com/factchecks/2016/mar/01/c/the-title/"})
    other = a_set("other", {"q": ("second text", ["x9"])}, urls={"x9": "http://politifact.com/ohio/statements/2016/feb/29/c/the-title"})
    apart = a_set("apart", {"r": ("third text", ["d1"])})  # an id means nothing outside its own set
    groups = roles.groups([one, other, apart])
    first, second, third = (groups[roles.fingerprint(text)] for text in ("first text", "second text", "third text"))
    assert first == second != third


def test_a_query_that_shares_an_answer_with_a_test_query_is_barred():
    queries = {"a": ("trained on", ["d"]), "b": ("tested on", ["d"]), "c": ("of another article", ["e"])}
    found = a_set("factchecktweet", queries, splits={"train": ("a", "c"), "dev": ("b",)})
    dealt = roles.assign(the_sets(fct=found))
    assert dealt[roles.fingerprint("tested on")] is Role.TEST
    assert dealt[roles.fingerprint("trained on")] is Role.BARRED
    assert dealt[roles.fingerprint("of another article")] in roles.LEARNING


def test_a_text_that_tests_in_one_set_tests_in_all():
    tested = a_set("factchecktweet", {"b": ("the same words", ["d"])}, splits={"dev": ("b",)})
    trained = a_set("volee2020", {"v": ("The SAME words!", ["x"])}, splits={"unseen/train": ("v",)})
    assert set(roles.assign(the_sets(fct=tested, vl=trained)).values()) == {Role.TEST}


def test_groups_are_dealt_whole_and_in_the_shares_meant():
    queries = {f"q{n}": (f"text number {n}", [f"d{n // 2}"]) for n in range(4000)}
    dealt = roles.assign(the_sets(fct=a_set("factchecktweet", queries)))
    pairs = [(dealt[roles.fingerprint(f"text number {n}")], dealt[roles.fingerprint(f"text number {n + 1}")]) for n in range(0, 4000, 2)]
    assert all(one is other for one, other in pairs)
    share = {role: count / 2000 for role, count in Counter(one for one, _ in pairs).items()}
    expected = {Role.TUNE: 0.08, Role.ENCODER: 0.92 * 0.78, Role.STACKER: 0.92 * 0.13, Role.CALIBRATE: 0.92 * 0.09}
    assert share == pytest.approx(expected, abs=0.03)


def test_the_manifest_is_written_and_read_the_same(tmp_path):
    roles.write({"00000002": Role.TEST, "00000001": Role.BARRED}, tmp_path / "roles.txt")
    assert (tmp_path / "roles.txt").read_text() == "00000001 barred\n00000002 test\n"


def test_the_frozen_manifest_has_every_role():
    assert set(roles.manifest().values()) == set(Role)


def test_an_unknown_role_is_named_with_those_there_are():
    with pytest.raises(BadInput, match="'training'; there are encoder, stacker"):
        roles.load_part("factchecktweet/roles/training", Path())


# --- on the public sets themselves


@pytest.fixture(scope="module")
def public():
    return {name: datasets.load(name, Path(REAL)) for name in roles.GROUPED}


@needs_data
@pytest.mark.slow
def test_every_public_query_has_a_role(public):
    nameless = [(name, claim.id) for name, found in public.items() for claim in found.claims if roles.role_of(claim) is None]
    assert nameless == []


@needs_data
@pytest.mark.slow
def test_test_splits_test_and_nothing_else(public):
    for name, part in roles.TESTS:
        assert {roles.role_of(claim) for claim in public[name].split(part).claims} == {Role.TEST}, (name, part)


@needs_data
@pytest.mark.slow
def test_no_query_that_anything_learns_from_shares_a_text_or_an_answer_with_a_test_query(public):
    learnt, tested = set(), set()
    for name, found in public.items():
        answers = set(chain.from_iterable(found.qrels.values()))
        keys = {check.id: set(roles.article_keys(check, name)) for check in found.checks() if check.id in answers}
        for claim in found.claims:
            role = roles.role_of(claim)
            side = learnt if role in roles.LEARNING else tested if role is Role.TEST else set()
            side |= {roles.fingerprint(claim.text)}.union(*(keys[doc] for doc in found.qrels.get(claim.id, ())))
    assert learnt & tested == set()


@needs_data
@pytest.mark.slow
def test_the_manifest_is_what_the_rules_give(public):
    assert roles.assign(public.values()) == roles.manifest()


@needs_data
@pytest.mark.slow
def test_the_overlaps_between_sets_are_those_stated(public):
    def texts(name, *parts):
        chosen = [public[name].split(part) for part in parts] or [public[name]]
        return {roles.fingerprint(claim.text) for found in chosen for claim in found.claims}

    assert texts("checkthat-2021-task2a", "train") == texts("checkthat-2020-task2", "train", "dev") == texts("known-lie-snopes")
    assert texts("checkthat-2021-task2a", "dev") <= texts("checkthat-2020-task2", "test")
    assert texts("checkthat-2021-task2b", "train", "dev") == texts("role-of-context", "train", "test")
    dev = public["factchecktweet"].split("dev")
    trained = set(chain.from_iterable(public["factchecktweet"].split("train").qrels.values()))
    assert sum(bool(trained & judged.keys()) for judged in dev.qrels.values()) == 188
    debates = texts("known-lie-politifact")
    assert (len(debates & texts("role-of-context", "train")), len(debates & texts("role-of-context", "test"))) == (423, 118)


@needs_data
@pytest.mark.slow
def test_factchecktweet_holds_most_articles_of_politifact_and_of_vo_and_lee(public):
    keys = {
        name: {url_key(check.url) for check in public[name].checks()} for name in ("factchecktweet", "checkthat-2021-task2b", "volee2020")
    }
    held = {name: len(keys[name] & keys["factchecktweet"]) / len(keys[name]) for name in ("checkthat-2021-task2b", "volee2020")}
    assert held == {"checkthat-2021-task2b": pytest.approx(0.92, abs=0.005), "volee2020": pytest.approx(0.998, abs=0.005)}


@needs_data
@pytest.mark.slow
def test_the_overlaps_between_sets_of_rows_are_those_stated(public):
    rows = {family.name: family.rows for family in FAMILIES}

    def texts(name, field="text"):
        return {roles.fingerprint(getattr(row, field)) for row in rows[name](Path(REAL))}

    tested = {roles.fingerprint(claim.text) for claim in public["role-of-context"].split("test").claims}
    assert (len(tested), len(tested & texts("clef-2020-task5"))) == (120, 37)
    assert len(texts("emergent") & texts("fnc-1", "claim")) == 1_477
    assert len(texts("ct24-english") - texts("claimbuster")) == 1
    dev, test = (Path(REAL) / "checkworthy" / "claimbuster" / f"ClaimBuster_{part}.tsv" for part in ("dev", "test"))
    assert dev.read_bytes() == test.read_bytes()
