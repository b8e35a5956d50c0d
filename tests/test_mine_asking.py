"""Asking posts: both sides, honest doubt, replies read with what they reply to."""

import dataclasses

import numpy as np
import pytest
from mining import CueStance, ListReader

from twicetold.answer import BEST, Answerer, Asking
from twicetold.collection import Collection
from twicetold.errors import BadData, BadInput
from twicetold.mine.contest import contradiction, over_time, with_checks
from twicetold.mine.evidence import about, composed, exemplars, read_stances, sides
from twicetold.mine.miner import NOT_SURE, Effort, Miner
from twicetold.mine.page import page
from twicetold.mine.retrieve import by_both, by_meaning, by_words
from twicetold.mine.watch import watch
from twicetold.posts import Posts
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import Claim, Decision, FactCheck, Lane, Match, Post, Question, Ranking, Stance, to_json

SHOES = Question("q1", "Can shoes spread COVID-19?")


@pytest.fixture(scope="module")
def posts(tmp_path_factory, demo_posts):
    made = Posts.create(tmp_path_factory.mktemp("posts"))
    for _ in made.add(demo_posts):
        pass
    made.index()
    return made


@pytest.fixture
def miner(posts):
    return Miner(posts, CueStance(), ListReader("Edison", "Joseph Swan", "Swan", "Göbel"))


def added(posts, *new):
    for _ in posts.add(new):
        pass
    posts.index()


@pytest.mark.parametrize("stage", [by_words, by_meaning, by_both])
def test_finding_posts_keeps_the_laws_of_a_stage(posts, stage):
    asked = [
        Ranking(Claim("c1", "Shoes can spread COVID-19")),
        Ranking(Question("q", "Who invented the light bulb?")),
        Ranking(Claim("c", "...")),
    ]
    check_stage(stage(posts, depth=20), asked)


def test_a_yes_no_question_has_posts_on_both_sides(miner):
    asked = miner.ask(SHOES)
    yes, no = asked.answers
    assert (yes.myth.answer, no.myth.answer) == ("yes", "no")
    assert "demo-post-30" in {match.doc.id for match in yes.myth.supporting}
    assert {match.doc.id for match in yes.myth.refuting} >= {"demo-post-102"}
    assert no.myth.supporting == yes.myth.refuting
    assert yes.score == no.score > 0


def test_without_evidence_the_answer_is_not_sure(miner):
    asked = miner.ask(Question("q", "Did Atlantis export marble to Norway?"))
    [answer] = asked.answers
    assert (answer.myth.answer, answer.myth.supporting, answer.myth.refuting, answer.score) == (NOT_SURE, (), (), 0.0)


def test_a_question_that_wants_names_gets_each_with_its_own_posts(miner):
    asked = miner.ask(Question("q", "Who invented the light bulb?"))
    by_name = {answer.myth.answer: answer for answer in asked.answers}
    assert set(by_name) == {"Edison", "Joseph Swan", "Göbel"}
    assert by_name["Joseph Swan"].myth.claim == "Joseph Swan invented the light bulb"
    assert "demo-post-89" in {match.doc.id for match in by_name["Joseph Swan"].myth.supporting}
    assert "demo-post-74" in {match.doc.id for match in by_name["Edison"].myth.refuting}
    assert [answer.score for answer in asked.answers] == sorted((a.score for a in asked.answers), reverse=True)


def test_every_post_shown_for_an_answer_names_it(miner):
    for answer in miner.ask(Question("q", "Who invented the light bulb?")).answers:
        for match in (*answer.myth.supporting, *answer.myth.refuting):
            assert answer.myth.answer.split()[-1].lower() in match.doc.text.lower()


def test_the_number_of_answers_may_be_said(miner):
    few = dataclasses.replace(miner, effort=Effort(answers=1))
    assert len(few.ask(Question("q", "Who invented the light bulb?")).answers) == 1


def test_no_more_posts_are_read_than_wanted(posts):
    few = Miner(posts, CueStance(), effort=Effort(posts_a_question=7, least=0.0)).ask(SHOES)
    assert (few.read, few.found > 7) == (7, True)


def test_posts_too_far_from_the_claim_are_not_read_and_change_nothing(posts):
    all_read = Miner(posts, CueStance(), effort=Effort(least=0.0)).ask(SHOES)
    asked = Miner(posts, CueStance()).ask(SHOES)
    assert asked.read < all_read.read
    strong = [match for match in all_read.answers[0].myth.supporting if match.score >= Effort().least]
    assert [match.doc.id for match in asked.answers[0].myth.supporting] == [match.doc.id for match in strong]


def test_names_need_a_reader(posts):
    with pytest.raises(BadInput, match="no reader"):
        Miner(posts, CueStance()).ask(Question("q", "Who invented the light bulb?"))


def test_an_empty_collection_says_how_to_fill_it(tmp_path):
    with pytest.raises(BadData, match="ingest-posts"):
        Miner(Posts.create(tmp_path), CueStance()).ask(SHOES)


def test_posts_in_other_languages_are_counted_and_not_read(tmp_path):
    posts = Posts.create(tmp_path)
    added(
        posts,
        Post("1", "Los zapatos contagian COVID-19", lang="es"),
        Post("2", "Shoes spread COVID-19", lang="en"),
        Post("3", "COVID-19 " * 1200),
    )
    asked = Miner(posts, CueStance()).ask(SHOES)
    assert asked.unread == 1
    assert {match.doc.id for match in asked.answers[0].myth.supporting} <= {"2", "3"}


def test_a_reply_without_a_word_of_the_claim_counts_by_what_it_says_of_the_post_above(tmp_path):
    posts = Posts.create(tmp_path)
    added(posts, Post("top", "Shoes spread COVID-19, take them off", lang="en"), Post("reply", "That is a myth.", lang="en", parent="top"))
    asked = Miner(posts, CueStance()).ask(SHOES)
    assert [match.doc.id for match in asked.answers[0].myth.refuting] == ["reply"]


def test_to_refute_who_refutes_is_to_support():
    refutes, supports = np.array([0, 1, 0], np.float32), np.array([1, 0, 0], np.float32)
    assert composed(refutes, refutes).tolist() == [1, 0, 0]
    assert composed(supports, refutes).tolist() == [0, 1, 0]
    assert composed(np.array([0, 0, 1], np.float32), supports).tolist() == [0, 0, 1]


def test_a_sure_post_about_something_else_does_not_come_before_a_related_one(posts):
    [found] = ask(by_both(posts, depth=1000), [Claim("c", "Shoes can spread COVID-19")])
    read = read_stances(found, "Shoes can spread COVID-19", CueStance(), posts)
    supporting, _ = sides(read)
    assert len(found.matches) > 60
    assert "shoes" in supporting[0].doc.text.lower()


def test_relevance_grows_with_every_signal():
    base = {"share.text": 0.3, "share.context": 0.1, "dense.text": 0.3}
    for name in ("share.text", "dense.text"):
        assert about({**base, name: 0.6}) > about(base)
    assert about({**base, "share.context": 0.5}) > about(base)


def test_a_claim_is_contested_only_if_both_sides_are_strong():
    strong, weak = [Match(Post("a", "a"), 0.9)] * 4, [Match(Post("b", "b"), 0.05)]
    assert contradiction(strong, []) == 0
    assert contradiction(strong, strong) > 0.9
    assert contradiction(strong, weak) < 0.05


def test_copies_count_over_time_and_are_shown_once(miner, posts):
    asked = miner.ask(Question("q", "Did Leif Erikson get to America first?"))
    yes = asked.answers[0]
    assert yes.copies["demo-post-01"] == 1
    assert sum(period.supporting for period in yes.over_time) >= len(yes.myth.supporting) + 1
    shown = [match.doc.id for match in exemplars(yes.myth.supporting, top=10)]
    assert len(shown) == len(set(shown))


def test_days_are_counted_where_all_posts_fall_into_two_months():
    periods = over_time(["2020-03-01T10:00:00Z", "2020-03-01", "2020-04-02"], ["2020-03-05", ""])
    assert [(p.when, p.supporting, p.refuting) for p in periods] == [("2020-03-01", 2, 0), ("2020-03-05", 0, 1), ("2020-04-02", 1, 0)]
    assert over_time(["2020-03-01", "2020-05-01"], ["2021-01-01"])[0].when == "2020-03"


def test_an_answer_that_was_checked_before_says_so(miner, demo_folder):
    asked = miner.ask(Question("q", "Can 5G masts spread the coronavirus?"))
    with Collection.open(demo_folder) as collection:
        known = with_checks(asked.answers, collection)
        said = Answerer(collection, BEST, Asking(top=2))([Claim("c", answer.myth.claim, lang="en") for answer in known])
    assert [(one.known.decision, [match.doc.id for match in one.known.matches]) for one in known] == [
        (ranking.decision, [match.doc.id for match in ranking.matches]) for ranking in said
    ]
    assert "5g" in known[0].near[0][1].doc.claim.lower()


def test_only_a_claim_decided_to_be_matched_is_called_checked(miner):
    check = Match(FactCheck("fc", claim="5G masts spread the coronavirus"), 1.0)
    [answer, *_] = miner.ask(Question("q", "Can 5G masts spread the coronavirus?")).answers
    query = Claim("c", answer.myth.claim)
    lanes = {lane: dataclasses.replace(answer, known=Ranking(query, (check,), Decision(lane, 0.4, 0.05))) for lane in Lane}
    assert [lane for lane, one in lanes.items() if one.checked] == [Lane.MATCHED]
    assert {lane: [label for label, _ in one.near] for lane, one in lanes.items()} == {
        Lane.MATCHED: ["Already checked"],
        Lane.DIFFERS: ["Close, but not the same"],
        Lane.REVIEW: ["Perhaps checked before: look at the nearest (40% sure of the first)"],
        Lane.NO_MATCH: [],
    }


def test_the_page_escapes_what_posts_say_and_links_only_to_the_web(tmp_path):
    posts = Posts.create(tmp_path)
    hostile = Post("1", "Shoes spread COVID-19 <script>alert(1)</script>", "a<b", "2020-01-02", "en", "javascript:alert(1)")
    added(posts, hostile, Post("2", "Shoes do not spread COVID-19", posted="2020-02-03", lang="en", url="https://example.org/2"))
    html = page([Miner(posts, CueStance()).ask(SHOES)])
    assert "<script>" not in html
    assert "javascript:" not in html
    assert '<a href="https://example.org/2"' in html
    assert html.index("Yes: 1 post") < html.index("No: 1 post")


def test_a_watch_tells_of_a_side_that_appears_and_is_silent_otherwise(tmp_path):
    posts = Posts.create(tmp_path)
    added(posts, Post("1", "Shoes spread COVID-19", lang="en"))
    arriving = iter(
        [[], [Post("2", "Shoes do not spread COVID-19", lang="en")], [Post("3", "Shoes spread COVID-19 indoors too", lang="en")]]
    )

    def wait():
        some = next(arriving, None)
        if some is None:
            return False
        for _ in posts.add(some):
            pass
        return True

    told = [news for _, news in watch(Miner(posts, CueStance()), SHOES, wait)]
    assert [[(one.side, one.answer, one.is_new_answer, one.match.doc.id) for one in news] for news in told] == [
        [],
        [("refuting", "yes", False, "2")],
        [],
    ]


def test_an_answer_asked_twice_is_the_same_and_has_one_json_form(miner):
    one, other = to_json(miner.ask(SHOES)), to_json(miner.ask(SHOES))
    assert one == other
    assert one["answers"][0]["myth"]["supporting"][0]["stance"] == Stance.SUPPORTS.value
