"""Near-duplicates are recognised as they come into a collection and shown as one case with several articles."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twicetold.answer import RECIPES, Answerer, Asking
from twicetold.cli import main
from twicetold.collection import Collection, Settings
from twicetold.filters import Filters
from twicetold.index.cases import CaseIndex
from twicetold.index.encoder import NO_ENCODER
from twicetold.index.wording import Wording, prints
from twicetold.types import Claim, FactCheck, Verdict

WORDS_ONLY = Settings(encoder=NO_ENCODER)
SAID = "The harbour of Lume was closed to all ships for the whole of March"
NEARLY = "The harbour of Lume was closed to all the ships for the whole of March"
OTHER = "Owls sleep in the attic of the city library all winter"


def check(id, claim, title="", **more):
    return FactCheck(id, claim=claim, title=title, **more)


def filled(folder, *checks, batch=100):
    collection = Collection.create(folder, WORDS_ONLY)
    for start in range(0, len(checks), batch):
        for _ in collection.add(checks[start : start + batch]):
            pass
        collection.index()
    return collection


def cases_of(collection):
    ids = {num: found.id for num, found in collection.store.fetch(range(1, 200)).items()}
    return {frozenset([ids[num], *(ids[other] for other in others)]) for num, others in collection.cases.twins(list(ids)).items()}


def test_articles_that_the_search_leaves_out_are_still_named_with_their_case(tmp_path):
    copies = [check(f"c{n}", SAID, rating=f"rating {n}") for n in range(4)]
    collection = filled(tmp_path, *copies, check("owl", OTHER))
    [ranking] = Answerer(collection, RECIPES["bm25"], Asking(top=1, depth=1))([Claim("q", "was the harbour of Lume closed in March?")])
    assert [(match.doc.id, [twin.id for twin in match.twins]) for match in ranking.matches] == [("c0", ["c1", "c2", "c3"])]
    assert [twin.rating for twin in ranking.matches[0].twins] == ["rating 1", "rating 2", "rating 3"]


def test_filters_hold_for_the_other_articles_of_a_case_too(tmp_path):
    collection = filled(tmp_path, check("a", SAID, verdict=Verdict.FALSE), check("b", SAID, verdict=Verdict.TRUE))
    [ranking] = Answerer(collection, RECIPES["bm25"], Asking(filters=Filters(verdicts=(Verdict.FALSE,))))([Claim("q", SAID)])
    assert [(match.doc.id, match.twins) for match in ranking.matches] == [("a", ())]


def test_nearly_the_same_words_are_one_case_and_another_number_another(tmp_path):
    numbered = [check(f"n{year}", f"The bridge over the Tamsel has been closed to lorries since {year}") for year in (2019, 2020)]
    collection = filled(tmp_path, check("a", SAID), check("b", NEARLY), check("owl", OTHER), *numbered)
    assert cases_of(collection) == {frozenset(["a", "b"])}


def test_a_wording_that_many_share_makes_a_case_only_where_titles_agree(tmp_path):
    many = [check(f"d{n}", "We check what you hear every day", f"Story number {n} about the harbour") for n in range(6)]
    collection = filled(tmp_path, *many, batch=1)
    assert cases_of(collection) == set()
    filled(tmp_path, check("x", "We check what you hear every day", "Story number 3 about the harbour"))
    collection.refresh()
    assert cases_of(collection) == {frozenset(["d3", "x"])}


def test_removing_or_changing_an_article_takes_it_out_of_its_case(tmp_path):
    collection = filled(tmp_path, check("a", SAID), check("b", SAID), check("c", SAID))
    collection.remove(["a"])
    collection.index()
    assert cases_of(collection) == {frozenset(["b", "c"])}
    filled(tmp_path, check("c", OTHER))
    assert cases_of(collection) == set()


WORDINGS = [SAID, NEARLY, OTHER, "We check what you hear every day", SAID.replace("March", "April"), "Short"]
STEPS = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([*WORDINGS, None]), st.sampled_from(["", "One", "Two"])), max_size=30)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_cases_do_not_depend_on_the_way_a_collection_was_filled(tmp_path_factory, steps):
    grown, last = CaseIndex(tmp_path_factory.mktemp("grown") / "cases.db"), {}
    for counter, (num, claim, title) in enumerate(steps, start=1):
        last[num] = None if claim is None else check(str(num), claim, title)
        list(grown.follow([(num, counter, last[num])]))
    at_once = CaseIndex(tmp_path_factory.mktemp("once") / "cases.db")
    list(at_once.follow([(num, 1, found) for num, found in sorted(last.items())]))
    assert grown.twins(range(10)) == at_once.twins(range(10))


def test_claims_that_share_nearly_all_words_meet_under_a_common_key():
    long = "the minister of trade said on the radio that the old harbour of Lume will be sold to a foreign company before the next winter"
    words = long.split()
    alike = [" ".join(words[:place] + words[place + 1 :]) for place in range(len(words))]
    [whole, *shorter] = prints([Wording.of(check("a", text)) for text in (long, *alike)])
    met = [bool(set(whole.near) & set(one.near)) for one in shorter if one.is_nearly(whole)]
    assert sum(met) >= 0.9 * len(met) > 10


def test_a_collection_from_before_cases_gets_them_with_the_next_index(tmp_path):
    with filled(tmp_path, check("a", SAID), check("b", SAID)) as collection:
        collection.forget()
    assert not (tmp_path / "cases").exists()
    with Collection.create(tmp_path) as collection:
        collection.index()
        assert cases_of(collection) == {frozenset(["a", "b"])}


def test_a_damaged_case_index_is_made_anew(tmp_path):
    filled(tmp_path, check("a", SAID), check("b", SAID)).close()
    for file in (tmp_path / "cases").iterdir():
        file.write_bytes(b"not a database at all" * 100)
    with Collection.create(tmp_path) as collection:
        collection.index()
        assert cases_of(collection) == {frozenset(["a", "b"])}


def test_cases_survive_a_killed_import(tmp_path):
    """Killed at any moment, the next indexing ends where an undisturbed one does."""
    code = (
        "import sys; from twicetold.collection import Collection, Settings; from twicetold.types import FactCheck\n"
        "from twicetold.index.encoder import NO_ENCODER\n"
        "c = Collection.create(sys.argv[1], Settings(NO_ENCODER))\n"
        "for n in range(400):\n"
        "    said = f'The keeper of lighthouse number {n // 3} sold all of its lamps to a stranger'\n"
        "    for _ in c.add([FactCheck(f'c{n}', claim=said)]): pass\n"
        "    c.index(); print(n, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as writer:
        for _ in range(10):
            assert writer.stdout.readline()
        time.sleep(0.05)
        os.kill(writer.pid, signal.SIGKILL)
    with Collection.create(tmp_path) as collection:
        collection.index()
        count = len(collection.store)
        whole = {frozenset(f"c{n}" for n in range(start, min(start + 3, count))) for start in range(0, count, 3)}
        assert cases_of(collection) == {case for case in whole if len(case) > 1}


@pytest.fixture
def run(tmp_path):
    filled(
        tmp_path, check("a", SAID, rating="False", url="https://a.example/1"), check("b", SAID, rating="Unproven", publisher="Desk")
    ).close()
    return lambda *arguments: CliRunner().invoke(main, ["--data", str(tmp_path), *arguments])


def test_show_names_the_other_articles_of_the_case(run):
    assert "Same case:  Unproven  Desk · id b" in run("show", "a").stdout
    assert [twin["id"] for twin in json.loads(run("show", "a", "--json").stdout)["twins"]] == ["b"]


def test_match_shows_one_case_with_several_articles(run):
    [match] = json.loads(run("match", SAID, "--json").stdout)["matches"]
    assert [twin["id"] for twin in match["twins"]] == ["b"]
    assert "also checked: b" in run("match", SAID).stdout


def test_a_batch_that_makes_a_wording_boilerplate_parts_those_that_were_one_case(tmp_path):
    """Several that come or go together may pass a limit at once."""
    said = "We check what you hear every day"
    few = [check(f"d{n}", said, f"Story number {n} about the harbour") for n in range(4)]
    collection = filled(tmp_path, *few)
    assert cases_of(collection) == {frozenset(["d0", "d1", "d2", "d3"])}
    filled(tmp_path, *(check(f"e{n}", said, f"Story number {n} about the market") for n in range(8)))
    collection.refresh()
    assert cases_of(collection) == set()
    collection.remove([f"e{n}" for n in range(8)])
    collection.index()
    assert cases_of(collection) == {frozenset(["d0", "d1", "d2", "d3"])}
