"""Reading pairs: the model's window and words, the differences told, the chances, and the stage that judges."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tiny_reader import write_reader
from twicetold.answer.recipes import BEST
from twicetold.errors import BadData
from twicetold.judge.counted import compare
from twicetold.judge.differences import SENTENCES, differences, kind_of_change, said
from twicetold.judge.grades import FEATURES, Grade, Grades, features
from twicetold.judge.reader import RELATIONS, PairReader, Reading, Stretch, differing_words
from twicetold.judge.stage import judged, relation_of
from twicetold.rank.boosted import Boosted, Settings
from twicetold.stage import chain
from twicetold.testing import check_stage
from twicetold.text import unpost, unpost_with_places
from twicetold.types import (
    CHANGED,
    Claim,
    Difference,
    FactCheck,
    Match,
    Post,
    Question,
    Ranking,
    Relation,
    Span,
    from_json,
    ranked,
    to_json,
)

PIECES = ["RT @a_b: ", "#StopTheSteal", "https://t.co/x", " ", "café", "e\u0301", "\x00", "Cher"]
STUMP = (np.array([0]), np.array([-1]), np.array([-2.0]), np.array([-1]), np.array([-1]), np.array([0.0]))


def weighed(constant: float, **weights: float) -> Grade:
    """A chance that is a weighted sum of a few features; `_` stands for the dot in a name."""
    wanted = {name.replace("__", "."): value for name, value in weights.items()}
    columns = np.array([2 * wanted.get(name, 0.0) for name in FEATURES])
    size = len(FEATURES)
    return Grade(Boosted(FEATURES, Settings(), *STUMP), 0.0, np.zeros(size), np.ones(size), np.append(columns, 2 * constant))


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> PairReader:
    """A reader without an opinion on relations: what is counted decides."""
    return PairReader.load(write_reader(tmp_path_factory.mktemp("models") / "pairs"))


@pytest.fixture(scope="module")
def opinionated(tmp_path_factory) -> PairReader:
    return PairReader.load(write_reader(tmp_path_factory.mktemp("models") / "pairs", opinion=1.0))


@pytest.fixture(scope="module")
def grades() -> Grades:
    """Near where words are shared; faithful where nothing conflicts."""
    flips = {"counted__numbers__conflict": 6.0, "counted__flips": 6.0, "counted__places__conflict": 6.0}
    against = {name: -value for name, value in flips.items()}
    return Grades(
        FEATURES, weighed(-2, counted__overlap__ours=6, **flips), weighed(3, **{name: 2 * value for name, value in against.items()})
    )


def a_reading(**chances: float) -> Reading:
    left = (1 - sum(chances.values())) / (12 - len(chances))
    return Reading(tuple(chances.get(relation.value, left) for relation in RELATIONS), 0.0, (0.2, 0.2, 0.6))


# --- the reader ----------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=60) | st.sampled_from(["", " ", "60 % of teachers quit", "Crime rose.", "“Quoted” – café $5 %"])


@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_any_pair_is_read_and_its_reading_does_not_depend_on_its_neighbours(opinionated, pairs):
    together = opinionated.read(pairs)
    assert together == [opinionated.read([pair])[0] for pair in pairs]
    for (ours, theirs), reading in zip(pairs, together, strict=True):
        assert sum(reading.relation) == pytest.approx(1)
        assert sum(reading.stance) == pytest.approx(1)
        for text, stretches in ((ours, reading.ours), (theirs, reading.theirs)):
            for start, end, strength in stretches:
                assert strength > 0
                assert text[start:end].strip() == text[start:end] != ""
                assert start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
                assert end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())


def test_a_pair_longer_than_the_window_is_cut_at_its_longer_side(opinionated):
    reader = opinionated
    short, long = "Crime doubled in two years.", "The city says that crime has doubled. " * 200
    [cut] = reader.read([(short, long)])
    assert cut == reader.read([(short, long + "And it rained.")])[0]
    assert all(stretch.end < 1000 for stretch in cut.theirs)
    assert reader.read([("Crime fell.", long)])[0] != cut


def test_marked_words_are_whole_and_joined_with_their_neighbours():
    text = "He paid $60 million, not “forty”."
    marks = [(0, 2, -1.0), (3, 7, -1.0), (8, 9, 2.0), (9, 11, -1.0), (12, 16, 1.0), (16, 19, -3.0), (21, 24, -1.0), (26, 31, 0.5)]
    assert [text[start:end] for start, end, _ in differing_words(text, marks)] == ["$60 million", "forty"]
    assert [stretch.strength for stretch in differing_words(text, marks)] == [2.0, 0.5]


def test_a_model_of_another_signature_is_refused_with_what_was_wanted(tmp_path):
    wrong = PairReader.load(write_reader(tmp_path / "pairs", relations=3))
    with pytest.raises(BadData, match="should give 12 relations"):
        wrong.read([("a", "b")])


def test_a_missing_reader_is_named(tmp_path):
    with pytest.raises(BadData, match="no model folder"):
        PairReader.load(tmp_path / "none")


# --- differences ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "ours", "theirs", "sentence"),
    [
        ("number", "60 %", "40 %", "They checked 40 %, this says 60 %."),
        ("who", "Madonna", "Cher", "They checked Cher, this says Madonna."),
        ("where", "Ohio", "Texas", "They checked Texas, this says Ohio."),
        ("when", "2023", "2018", "They checked 2018, this says 2023."),
        ("opposite", "rose", "fell", "This says the opposite: “rose” / “fell”."),
        ("scope", "some", "every", "They checked “every”, this says “some”."),
        ("number", "", "40 %", "They checked 40 %, which this does not say."),
        ("number", "60 %", "", "This says 60 %, which they did not check."),
        ("opposite", "", "", "It checks the reverse of this claim."),
    ],
)
def test_a_difference_is_said_in_plain_words(kind, ours, theirs, sentence):
    assert said(Difference(Relation(kind), Span(ours, 0), Span(theirs, 0))) == sentence


def test_every_relation_can_be_told():
    assert set(SENTENCES) == set(Relation)
    assert len(set(SENTENCES.values())) == 12


def test_a_counted_difference_wins_on_its_words():
    ours, theirs = "60 % of teachers quit", "40 % of teachers quit"
    marked = dataclasses.replace(a_reading(number=0.9), ours=(Stretch(7, 18, 3.0),), theirs=(Stretch(7, 18, 3.0),))
    assert differences(Relation.NUMBER, marked, compare(ours, theirs), ours, theirs) == (
        Difference(Relation.NUMBER, Span("60 %", 0), Span("40 %", 0)),
    )


def test_where_nothing_is_counted_the_words_the_reader_marked_are_told():
    ours, theirs = "the sums are right", "Bad math drives the rate"
    reading = dataclasses.replace(a_reading(opposite=0.9), ours=(Stretch(0, 3, 0.1), Stretch(13, 18, 2.0)), theirs=(Stretch(0, 8, 1.0),))
    [difference] = differences(Relation.OPPOSITE, reading, compare("", ""), ours, theirs)
    assert (difference.ours, difference.theirs) == (Span("right", 13), Span("Bad math", 0))


def test_a_span_is_at_most_six_words_long():
    text = "one two three four five six seven eight"
    reading = dataclasses.replace(a_reading(who=0.9), ours=(Stretch(0, len(text), 1.0),))
    [difference] = differences(Relation.WHO, reading, compare("", ""), text, "")
    assert difference.ours == Span("one two three four five six", 0)


def test_the_kind_of_change_is_the_readers_unless_another_was_plainly_counted():
    nothing = compare("", "")
    assert kind_of_change(a_reading(who=0.3), nothing) is Relation.WHO
    assert kind_of_change(a_reading(who=0.1, number=0.09), compare("60 % of teachers quit", "40 % of teachers quit")) is Relation.NUMBER


@pytest.mark.parametrize(
    ("answers", "changed", "relation"),
    [(0.9, 0.1, "narrower"), (0.2, 0.8, "where"), (0.1, 0.2, "related"), (0.6, 0.7, "where"), (0.5, 0.5, "narrower")],
)
def test_the_chances_choose_the_group_and_the_reader_the_relation_in_it(answers, changed, relation):
    reading = a_reading(narrower=0.2, where=0.3, related=0.2)
    assert relation_of(reading, compare("", ""), answers, changed) is Relation(relation)


# --- chances -------------------------------------------------------------------------------------------------------


def test_chances_do_not_depend_on_the_rows_beside_them_and_survive_a_save(grades, tmp_path):
    rows = [
        features(a_reading(same=0.5), a_reading(same=0.4), compare(ours, "40 % of teachers quit"), {"dense.claim": 0.5}, is_stated=True)
        for ours in ("60 % of teachers quit", "40 % of teachers quit", "It rains")
    ]
    answers, changed = grades.grade(rows)
    assert answers[1] > 0.8 > 0.2 > answers[0]
    assert changed[0] > 0.8 > 0.2 > changed[1]
    assert [float(grades.grade([row])[0][0]) for row in rows] == answers.tolist()
    grades.save(tmp_path / "grades")
    kept = Grades.load(tmp_path / "grades").grade(rows)
    assert (kept[0].tolist(), kept[1].tolist()) == (answers.tolist(), changed.tolist())
    assert [part.shape for part in grades.grade([])] == [(0,), (0,)]


def test_a_model_that_wants_unknown_features_is_refused(grades, tmp_path):
    dataclasses.replace(grades, names=("moon phase", *FEATURES[1:])).save(tmp_path / "grades")
    with pytest.raises(BadData, match="moon phase"):
        Grades.load(tmp_path / "grades")


# --- the stage -----------------------------------------------------------------------------------------------------


def rated(id: str, claim: str, **fields: str) -> FactCheck:
    return FactCheck(id, claim=claim, title="A title", rating="False", **fields)


def ranking(text: str, *checks: FactCheck | Post, lang: str = "", **signals: float) -> Ranking:
    return ranked(Claim("q", text, lang=lang), [Match(check, 1.0 - place / 1e5, signals) for place, check in enumerate(checks)])


QUIT = rated("quit", "40 % of teachers in the state quit last year.")


def test_the_first_matches_get_relation_differences_and_chance(reader, grades):
    rain = rated("rain", "Drops of rain fall upwards.")
    [answer] = judged(reader, grades)([ranking("60 % of teachers in the state quit last year", QUIT, rain)])
    first, second = answer.matches
    assert first.relation is Relation.NUMBER
    assert first.differences == (Difference(Relation.NUMBER, Span("60 %", 0), Span("40 %", 0)),)
    assert (first.answers, first.signals["judge.answers"]) == (first.answers, first.answers)
    assert first.signals["judge.changed"] > 0.5 > first.answers
    assert second.relation in (Relation.RELATED, Relation.UNRELATED)
    assert second.differences == ()


def test_words_are_told_as_they_stand_in_the_post(reader, grades):
    text = "RT @joe: WOW https://t.co/x 60 % of #TeachersInTheState quit, in the last year"
    [answer] = judged(reader, grades)([ranking(text, QUIT)])
    [difference] = answer.matches[0].differences
    assert text[difference.ours.at :].startswith("60 % of #Teachers")


def test_the_claim_in_the_last_line_of_a_forward_is_judged(reader, grades):
    text = (
        "My neighbour told me this over the fence while we were watering the plants. " * 200
        + "\n60 % of teachers in the state quit last year"
    )
    [answer] = judged(reader, grades)([ranking(text, QUIT)])
    [difference] = answer.matches[0].differences
    assert (difference.ours.text, text[difference.ours.at :][:4]) == ("60 %", "60 %")


def test_only_the_first_ten_are_read(reader, grades):
    [answer] = judged(reader, grades)([ranking("Teachers quit", *(rated(f"c{n}", f"Teachers quit {n} times.") for n in range(10_000)))])
    assert [match.answers is not None for match in answer.matches[:12]] == [True] * 10 + [False] * 2
    assert len(answer.matches) == 10_000


def test_what_is_clearly_unrelated_at_the_end_is_not_read(reader, grades):
    near, far = {"dense.claim": 0.7, "share.best": 0.6}, {"dense.claim": 0.05, "share.best": 0.01}
    matches = [
        Match(QUIT, 3.0, near),
        Match(rated("b", "Rain falls on the plain."), 2.0, far),
        Match(rated("c", "Schools are closed."), 1.0, near),
    ]
    [answer] = judged(reader, grades)([Ranking(Claim("q", "Teachers quit"), (*matches, Match(rated("d", "It snows in July."), 0.5, far)))])
    assert [match.answers is not None for match in answer.matches] == [True, True, True, False]


@pytest.mark.parametrize(
    ("claim", "check"),
    [
        (Claim("q", "Vierzig Prozent der Lehrer haben im letzten Jahr gekündigt", lang="de"), QUIT),
        (Claim("q", "Vierzig Prozent der Lehrer haben im letzten Jahr die Schule verlassen"), QUIT),
        (Claim("q", "40 % of teachers quit"), dataclasses.replace(QUIT, lang="de")),
        (Claim("q", ""), QUIT),
        (Claim("q", "https://t.co/x"), QUIT),
        (Claim("q", "40 % of teachers quit"), FactCheck("empty")),
        (Claim("q", "40 % of teachers quit"), Post("p", "40 % of teachers quit")),
    ],
)
def test_what_cannot_be_read_is_left_unjudged(reader, grades, claim, check):
    [answer] = judged(reader, grades)([Ranking(claim, (Match(check, 1.0),))])
    assert (answer.matches[0].answers, answer.matches[0].relation, answer.matches[0].signals) == (None, None, {})


def test_short_english_is_not_taken_for_another_language(reader, grades):
    for text in ("Ohio banned it", "is it true?", "Cher is in Mexico", "no he did not"):
        [answer] = judged(reader, grades)([ranking(text, QUIT)])
        assert answer.matches[0].answers is not None, text


def test_a_stub_is_judged_by_its_title(reader, grades):
    stub = FactCheck("stub", claim="On teachers", title="Did 40 % of teachers in the state quit?", rating="False")
    [answer] = judged(reader, grades)([ranking("60 % of teachers in the state quit", stub)])
    assert answer.matches[0].differences[0].theirs.text == "40 %"


def test_the_stage_keeps_its_laws(opinionated, grades):
    reader = opinionated
    asked = [
        ranking("60 % of teachers quit", QUIT, rated("b", "Rain falls.")),
        Ranking(Claim("none", "nothing found")),
        ranking("Le président a démissionné hier soir de ses fonctions", QUIT, lang="fr"),
        Ranking(Question("how", "Did 60 % of teachers quit?"), (Match(QUIT, 1.0),)),
    ]
    check_stage(judged(reader, grades), asked, role="explainer")
    for answer in judged(reader, grades)(asked):
        assert from_json(Ranking, to_json(answer)) == answer


def test_claims_of_the_demo_are_found_judged_and_told(demo, reader, grades):
    stage = chain(BEST.stage(demo, depth=10), judged(reader, grades))
    same = Claim("same", "More votes were cast in Wisconsin in 2020 than there are registered voters in the state.")
    changed = Claim("changed", "Crime in Germany has tripled since refugees arrived in 2015.")
    answers = stage([Ranking(same), Ranking(changed)])
    assert answers[0].matches[0].answers > 0.5
    assert [difference.ours.text for difference in answers[1].matches[0].differences] == ["tripled"]


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=80) | st.sampled_from(["60 % of #TeachersQuit https://x.y @a_b", "café cafe\u0301 60 %"]),
    claim=st.text(max_size=60),
)
def test_any_claim_and_check_are_judged_and_their_words_are_their_own(reader, grades, text, claim):
    [answer] = judged(reader, grades)([ranking(text, rated("c", claim))])
    for match in answer.matches:
        assert (match.relation in CHANGED) == bool(match.differences)
        for difference in match.differences:
            ours = difference.ours
            assert text[ours.at : ours.at + len(ours.text)] == ours.text


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_post_in_plain_words_knows_where_each_letter_stood(text):
    plain, places = unpost_with_places(text)
    assert len(plain) == len(places)
    assert list(places) == sorted(places)
    assert all(plain[at] == text[place] for at, place in enumerate(places) if plain[at].isascii() and plain[at].isalnum())
    if text.isascii():
        assert plain == unpost(text)
