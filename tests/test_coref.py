"""What pronouns stand for: mentions by form, speakers by rule, the third person by a ranker, and the measures of it all."""

import numpy as np
import pytest

from twicetold.index.encoder import StaticEncoder
from twicetold.models import shipped
from twicetold.rank.context.debate import speech_resolver
from twicetold.rank.context.speakers import Speakers, is_nobody
from twicetold.rank.coref.features import FACTS, Text, facts
from twicetold.rank.coref.mentions import find_mentions, tokenise
from twicetold.rank.coref.plugged import by_clusters
from twicetold.rank.coref.prose import ProseResolver
from twicetold.rank.coref.ranker import Ranker, clusters
from twicetold.rank.coref.resolution import NOTHING
from twicetold.rank.coref.speech import SpeechResolver
from twicetold.types import Context, FactCheck, Line

PEOPLE = Speakers([("Hillary Clinton", 300), ("Bill Clinton", 60), ("Donald Trump", 900), ("Bernie Sanders", 200)])


def person(label, context):
    return PEOPLE.person(label, " ".join(line.text for line in context.lines))


@pytest.fixture(scope="module")
def resolve():
    return SpeechResolver(StaticEncoder.load(), person)


def resolved(resolve, *lines, at=-1):
    spoken = tuple(Line(*line.split(": ", 1)) for line in lines)
    return resolve(Context(spoken, at % len(spoken)), "2016-10-19")


# --- mentions ------------------------------------------------------------------------------------------------------


def mentions(text):
    tokens = tokenise(text)
    return [" ".join(token.text for token in tokens[m.start : m.end]) for m in find_mentions(tokens)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hillary Clinton said she read the emails.", ["Hillary Clinton", "she", "the emails"]),
        ("When Congress met, it voted.", ["Congress", "it"]),
        ("The Secretary of State and her staff are here.", ["The Secretary of State", "her staff", "her"]),
        ("But the United States of America pays.", ["United States of America"]),
        ("nothing here is one", []),
    ],
)
def test_mentions_are_told_by_their_form(text, found):
    assert [m for m in mentions(text) if m in found] == found


# --- speakers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("TRUMP", "Donald Trump"),
        ("Mr. Trump", "Donald Trump"),
        ("DONALD TRUMP", "Donald Trump"),
        ("SEN. BERNIE SANDERS", "Bernie Sanders"),
        ("SECRETARY CLINTON (D)", "Hillary Clinton"),
        ("B. CLINTON", "Bill Clinton"),
        ("WALLACE", "Wallace"),
        ("UNIDENTIFIED FEMALE", ""),
        ("", ""),
    ],
)
def test_a_label_is_the_person_the_fact_checks_know(label, name):
    assert PEOPLE.person(label) == name


@pytest.mark.parametrize("label", ["QUESTION", "Speaker 3", "(UNKNOWN)", "AUDIENCE MEMBER", "SYSTEM", " "])
def test_labels_of_nobody_are_nobody(label):
    assert is_nobody(label)


# --- speech --------------------------------------------------------------------------------------------------------


def test_i_and_my_are_the_speaker(resolve):
    found = resolved(resolve, "TRUMP: I built my company.")
    assert found.text == "Donald Trump built Donald Trump's company."
    assert str(found) == "I → Donald Trump, my → Donald Trump"


def test_you_is_the_one_who_spoke_before(resolve):
    found = resolved(resolve, "CLINTON: That is not right.", "TRUMP: You had thirty years, and your plan failed.")
    assert found.text == "Hillary Clinton had thirty years, and Hillary Clinton's plan failed."


def test_you_in_a_question_is_the_one_who_answers(resolve):
    found = resolved(resolve, "SANDERS: Enough.", "WALLACE: Did you support that war?", "TRUMP: No.", at=1)
    assert found.text == "Did Donald Trump support that war?"


def test_you_is_someone_named_in_the_line_who_also_speaks(resolve):
    found = resolved(resolve, "SANDERS: Enough.", "TRUMP: Fine.", "WALLACE: Senator Sanders, your vote decided it.")
    assert found.text == "Senator Sanders, Bernie Sanders's vote decided it."


def test_you_know_is_nobody(resolve):
    assert resolved(resolve, "CLINTON: Right.", "WALLACE: And, you know, taxes rose.") == NOTHING


def test_she_is_the_nearest_name_that_fits_and_not_the_speaker(resolve):
    found = resolved(resolve, "WALLACE: Secretary Hillary Clinton met Donald Trump.", "TRUMP: She lost her emails.")
    assert [(one.word, one.name.split()[-1]) for one in found.replaced] == [("She", "Clinton"), ("her", "Clinton")]
    assert found.text.endswith("Clinton's emails.")


def test_her_without_a_noun_is_no_owner(resolve):
    assert resolved(resolve, "WALLACE: What of Hillary Clinton?", "TRUMP: I beat her.").text == "Donald Trump beat Hillary Clinton."


@pytest.fixture(scope="module")
def resolve_with_ranker(demo):
    return speech_resolver(demo)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("TRUMP: We have NAFTA.", "TRUMP: They suffer, because NAFTA kicked in, and it ruined this town."), "it → NAFTA"),
        (("CLINTON: You want to build on the Affordable Care Act, not scrap it.",), "it → Affordable Care Act"),
    ],
)
def test_it_is_an_institution_or_law_where_that_is_plain(resolve_with_ranker, lines, said):
    assert said in str(resolved(resolve_with_ranker, *lines))


@pytest.mark.parametrize(
    "line",
    [
        "WALLACE: The Affordable Care Act passed, and it is time to go.",  # says nothing of a thing
        "WALLACE: The Affordable Care Act passed, and we did it.",  # a deed
        "WALLACE: The Republican Congress has not reauthorized it.",  # not itself
        "WALLACE: Rain fell on the meadow, and it ruined this town.",  # nothing that could be looked up
        "WALLACE: Jane Austen wrote, and it ruined this town.",  # a person
    ],
)
def test_it_is_left_alone_otherwise(resolve_with_ranker, line):
    assert "it →" not in str(resolved(resolve_with_ranker, line)).casefold()


def test_without_a_ranker_it_is_nothing(resolve):
    assert resolved(resolve, "WALLACE: You build on the Affordable Care Act, not scrap it.") == NOTHING


def test_the_president_is_who_held_the_office_on_that_day(resolve):
    context = Context((Line("WALLACE", "What did the president say?"),), 0)
    assert resolve(context, "2018-05-01").text == "What did Donald Trump say?"
    assert resolve(context, "2016-10-19").text == "What did Barack Obama say?"
    assert resolve(context) == NOTHING


def test_the_president_of_somewhere_else_is_left_alone(resolve):
    assert resolved(resolve, "WALLACE: They met the president of Mexico.") == NOTHING


def test_a_speaker_nobody_knows_changes_nothing(resolve):
    assert resolved(resolve, "UNIDENTIFIED MALE: I paid my taxes.") == NOTHING


def test_places_of_replacements_are_places_in_the_line(resolve):
    line = "TRUMP: And then I said my piece."
    for one in resolved(resolve, line).replaced:
        assert line.split(": ", 1)[1][one.start : one.end] == one.word


@pytest.mark.parametrize(
    "line",
    [
        "WALLACE: It happened in August, on a Monday, in Texas.",
        "WALLACE: Then came DACA, the AUMF and the AR15.",
        "SYSTEM: (APPLAUSE)",
        "WALLACE: Thus it went. I'll say it again. I'm sure.",
        "WALLACE: The White House, South Bend and Planned Parenthood agreed with Medicaid.",
        "WALLACE: The Russians and the Republican Party of Texas like Goldman Sachs.",
    ],
)
@pytest.mark.parametrize("pronoun", ["He said it.", "Everybody knows her plan."])
def test_he_and_she_are_never_what_is_no_person(resolve, line, pronoun):
    assert resolved(resolve, line, f"TRUMP: {pronoun}") == NOTHING


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("I spoke with Vladimir Putin. Putin was there in August.", "Vladimir Putin"),
        ("We met Senator Okoye in Texas.", "Senator Okoye"),
        ("Mr. Khan was there, in the White House.", "Khan"),
        ("Vicente Fox was in Mexico.", "Vicente Fox"),
        ("George Washington crossed the Delaware.", "George Washington"),
        ("Julián was here, and Texas.", "Julián"),
        ("Not in August, but Kanye said it.", "Kanye"),
    ],
)
def test_he_is_a_person_by_title_first_name_or_full_name(resolve, said, name):
    assert [one.name for one in resolved(resolve, f"WALLACE: {said}", "TRUMP: He lost.").replaced] == [name]


def test_a_title_tells_nothing_of_he_or_she_but_the_full_name_said_before_does(resolve):
    lines = ("WALLACE: Amy Okoye is a senator.", "WALLACE: I saw Ben Stone and Senator Okoye.", "TRUMP: He left.")
    assert [one.name for one in resolved(resolve, *lines).replaced] == ["Ben Stone"]


def test_someone_who_speaks_is_named_in_full(resolve):
    found = resolved(resolve, "SANDERS: Enough of it.", "WALLACE: What of Bernie and Texas in August?", "TRUMP: He lost.")
    assert [one.name for one in found.replaced] == ["Bernie Sanders"]


def test_he_is_not_whoever_asks_the_questions(resolve):
    asked = ["WALLACE: What do you say?", "CLINTON: Much."] * 3
    assert "Wallace" not in resolved(resolve, *asked, "WALLACE: Why, Chris Wallace asks?", "CLINTON: He knows.").text


def test_what_is_known_of_a_speech_does_not_depend_on_lines_that_were_read_ahead(resolve):
    spoken = tuple(Line(*line.split(": ", 1)) for line in ("LEE: I saw Putin.", "OKOYE: He won.", "LEE: Vladimir Putin won."))
    alone = resolve(Context(spoken[:2], 1))
    resolve(Context(spoken, 2))
    assert resolve(Context(spoken[:2], 1)) == alone


# --- articles ------------------------------------------------------------------------------------------------------


def article(**fields):
    return ProseResolver(StaticEncoder.load(), Ranker.load(shipped("coref"))).article(FactCheck("a", **fields))


def test_a_pronoun_of_the_checked_claim_is_found_in_the_article():
    found = article(body="Hillary Clinton spoke in Iowa. The crowd was large.", claim="Says she won there.", title="She won?")
    assert (found.claim, found.title) == ("Says Hillary Clinton won there.", "She won?")


def test_a_body_keeps_its_sentences_and_names_whom_it_speaks_of():
    found = article(body="Donald Trump spoke in Iowa. He lost there.")
    assert found.body == "Donald Trump spoke in Iowa. Donald Trump lost there."


def test_i_in_a_checked_claim_is_whoever_made_it():
    assert article(claim="I cut my taxes.", claimant="Scott Walker").claim == "Scott Walker cut Scott Walker's taxes."
    assert article(claim="I cut my taxes.", claimant="Bloggers").claim == "I cut my taxes."


# --- other resolvers -----------------------------------------------------------------------------------------------


def spans(text, *words):
    return [(text.index(word), text.index(word) + len(word)) for word in words]


def test_clusters_of_another_system_name_the_pronouns_of_the_line():
    """A system such as fastcoref gives clusters of character spans; here a cluster is written down by hand."""
    lines = (Line("WALLACE", "What of Hillary Clinton?"), Line("TRUMP", "In fact she lost."))
    found = by_clusters(lambda text: [spans(text, "Hillary Clinton", "she"), spans(text, "fact")])(Context(lines, 1))
    assert (found.text, str(found)) == ("In fact Hillary Clinton lost.", "she → Hillary Clinton")


def test_a_cluster_without_a_name_replaces_nothing():
    lines = (Line("A", "the old law failed"), Line("B", "yes it did"))
    assert by_clusters(lambda text: [spans(text, "the old law", "it")])(Context(lines, 1)) == NOTHING


# --- the ranker ----------------------------------------------------------------------------------------------------


def tiny_ranker(dim):
    """Weights that score an antecedent by one fact alone: whether it has the same words."""
    hidden = np.zeros((8 * 2 + len(FACTS), 1), np.float32)
    hidden[8 * 2 + FACTS.index("same words"), 0] = 1.0
    zeros = {"project": np.zeros((dim, 2)), "none": np.zeros((6, 1)), "none_bias": np.zeros(1), "none_out": np.zeros(1)}
    return Ranker({**zeros, "hidden": hidden, "bias": np.zeros(1), "out": np.ones(1), "out_bias": np.float32(-0.5)})


def test_a_ranker_links_what_it_scores_above_none_and_saves_and_loads(tmp_path):
    encoder = StaticEncoder.load()
    tokens = tokenise("Alice Jones met Bob Smith and then Alice Jones left.")
    text = Text(tokens, find_mentions(tokens), encoder)
    ranker = tiny_ranker(encoder.dim)
    assert ranker.antecedents(text) == [-1, -1, 0]
    ranker.save(tmp_path / "coref")
    assert Ranker.load(tmp_path / "coref").antecedents(text) == [-1, -1, 0]


def test_facts_have_a_name_each():
    tokens = tokenise("Alice met Bob.")
    text = Text(tokens, find_mentions(tokens), StaticEncoder.load())
    assert facts(text, [0], 1).shape == (1, len(FACTS))


def test_links_through_others_make_one_cluster():
    assert clusters([-1, 0, -1, 1, 2]) == [0, 0, 2, 0, 2]
