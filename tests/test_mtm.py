"""MTM's parts, without a trained model: sentences, ROUGE-2, key sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.answer import RECIPES
from twicetold.errors import BadData
from twicetold.models import shipped
from twicetold.rank.mtm.article import LONGEST, MOST_SENTENCES, Sentence, sentences_of
from twicetold.rank.mtm.keys import choose, nearness
from twicetold.rank.mtm.known import NAMES, Known, Seen
from twicetold.rank.mtm.memory import Words, nearest
from twicetold.rank.mtm.pairing import Pairing, token_ids
from twicetold.rank.mtm.recipe import named_chooser
from twicetold.rank.mtm.rouge import rouge2
from twicetold.rank.mtm.stretches import stretches
from twicetold.types import FactCheck, Post

BODY = "A post says the moon is cheese.\nThere is no evidence for this. The moon is rock."


# --- sentences -----------------------------------------------------------------------------------------------------


def test_sentences_stand_where_they_say():
    found = sentences_of(FactCheck("a", body=BODY))
    assert [BODY[one.at : one.at + len(one.text)] for one in found] == [one.text for one in found]
    assert [one.text for one in found] == ["A post says the moon is cheese.", "There is no evidence for this.", "The moon is rock."]


def test_the_articles_own_claim_and_headline_are_not_among_its_sentences():
    check = FactCheck("a", claim="The Moon is rock", title="There is no evidence for this!", body=BODY)
    assert [one.text for one in sentences_of(check)] == ["A post says the moon is cheese."]


def test_a_sentence_that_quotes_the_claim_in_other_words_stays():
    check = FactCheck("a", claim="the moon is cheese", body=BODY)
    assert sentences_of(check)[0].text == "A post says the moon is cheese."


@pytest.mark.parametrize("doc", [FactCheck("a"), FactCheck("a", body=" \n 12 … 34 "), Post("p", "text")])
def test_a_document_without_a_body_in_words_has_no_sentences(doc):
    assert sentences_of(doc) == ()


def test_of_five_thousand_sentences_the_first_thousand_are_read():
    found = sentences_of(FactCheck("a", body=" ".join(f"Sentence number {n} is here." for n in range(5000))))
    assert len(found) == MOST_SENTENCES
    assert found[-1].text == "Sentence number 999 is here."


def test_text_without_spaces_is_cut_into_pieces_that_lose_nothing():
    body = "月亮是石头" * 200
    found = sentences_of(FactCheck("a", body=body))
    assert "".join(one.text for one in found) == body
    assert max(len(one.text) for one in found) == LONGEST


def test_a_long_sentence_is_cut_between_words():
    body = "word " * 200
    found = sentences_of(FactCheck("a", body=body))
    assert {word for one in found for word in one.text.split()} == {"word"}
    assert sum(len(one.text.split()) for one in found) == 200


# --- ROUGE-2 -------------------------------------------------------------------------------------------------------


def test_rouge_is_the_share_of_pairs_of_either_text():
    assert rouge2([1, 2, 3, 4], [2, 3, 4, 5, 6, 7]) == (2 / 3, 2 / 5)


def test_a_pair_counts_once_however_often_it_stands():
    assert rouge2([1, 2, 1, 2], [1, 2, 9]) == (1 / 2, 1 / 2)


@pytest.mark.parametrize(("sentence", "claim"), [([], [1, 2]), ([1], [1, 2]), ([1, 2], []), ([2, 1], [1, 2])])
def test_texts_that_share_no_pair_have_no_rouge(sentence, claim):
    assert rouge2(sentence, claim) == (0.0, 0.0)


# --- patterns and key sentences ------------------------------------------------------------------------------------


def test_word_vectors_survive_being_rounded():
    table = np.random.default_rng(0).normal(size=(10, 8)).astype(np.float32)
    assert np.abs(Words.of(table).rows(range(10)) - table).max() <= np.abs(table).max() / 127


def test_a_texts_vector_is_the_mean_of_its_words_and_none_is_zero():
    words = Words.of(np.eye(3, dtype=np.float32))
    assert words.means([[0, 1], []]) == pytest.approx(np.array([[0.5, 0.5, 0], [0, 0, 0]]))


def test_the_nearest_pattern_is_found_with_its_distance():
    found = nearest(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[3.0, 3.0], [0.0, 1.0], [0.0, 0.0]]))
    assert (found.pattern.tolist(), found.distance.tolist()) == ([1, 0, 0], [1.0, 1.0, 0.0])


def test_distances_are_scaled_within_the_article():
    assert nearness(np.array([2.0, 6.0, 4.0])) == pytest.approx([1, 0, 0.5], abs=1e-6)
    assert nearness(np.array([5.0])).tolist() == nearness(np.array([7.0])).tolist() == [1.0]


def test_key_sentences_are_near_the_claim_or_near_a_pattern():
    residuals = np.array([[1.0, 0.0], [4.0, 0.0], [0.0, 5.0]])
    chosen = choose(residuals, np.array([[4.0, 0.0]]), most=2)
    # By hand: distances to the claim 1, 4, 5; to the pattern 3, 0, √41.
    near_claim = np.array([1, 1 / 4, 0])
    near_pattern = np.array([1 - 3 / 41**0.5, 1, 0])
    score = 0.6 * near_claim + 0.4 * near_pattern
    assert chosen.place.tolist() == [0, 1]
    assert chosen.score == pytest.approx(score[:2])
    assert chosen.weight == pytest.approx(score[:2] / score[:2].sum())
    assert chosen.near_claim == pytest.approx(near_claim[:2])
    assert chosen.near_pattern == pytest.approx(near_pattern[:2])


def test_no_score_is_above_one():
    residuals = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    for sentence in residuals:
        assert choose(residuals - sentence, np.zeros((1, 8), np.float32), quoted=np.ones(40, np.float32)).score.max() <= 1.0


def test_without_a_memory_nearness_to_the_claim_decides():
    chosen = choose(np.array([[3.0], [1.0], [2.0]]), None, most=2)
    assert (chosen.place.tolist(), chosen.pattern.tolist()) == ([1, 2], [-1, -1])


def test_the_claims_own_words_make_half_of_the_nearness_to_it():
    residuals = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    chosen = choose(residuals, None, quoted=np.array([0, 4, 1]))
    assert chosen.place.tolist() == [1, 0, 2]
    assert chosen.near_claim == pytest.approx([0.75, 0.5, 0.125], abs=1e-6)
    # Where no sentence holds more of them than another, vectors decide alone.
    assert choose(residuals, None, quoted=np.zeros(3)).place.tolist() == [0, 1, 2]


def test_equal_weights_are_shares_of_one():
    assert choose(np.eye(4), None, most=4, is_weighted=False).weight.tolist() == [0.25] * 4


def test_an_article_of_one_sentence_has_one_key_that_weighs_all():
    chosen = choose(np.array([[2.0, 1.0]]), np.array([[1.0, 1.0]]))
    assert (chosen.place.tolist(), chosen.weight.tolist()) == ([0], pytest.approx([1.0]))


def test_an_article_of_no_sentences_has_no_keys():
    assert choose(np.zeros((0, 2)), np.array([[1.0, 1.0]])).place.tolist() == []


# --- pairs ---------------------------------------------------------------------------------------------------------


def test_claims_and_sentences_are_cut_at_their_own_lengths():
    pair = Pairing(cls=101, sep=102, claim_tokens=2, sentence_tokens=3).join([1, 2, 3], [4, 5, 6, 7])
    assert pair.ids == (101, 1, 2, 102, 4, 5, 6, 102)
    assert pair.types == [0, 0, 0, 0, 1, 1, 1, 1]
    assert (pair.ids[pair.claim_span], pair.ids[pair.sentence_span]) == ((1, 2), (4, 5, 6))


def test_chinese_is_read_by_characters():
    tokenizers = pytest.importorskip("tokenizers")
    [ids] = token_ids(tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json"))), ["中文文"])
    assert len(ids) == 3
    assert ids[1] == ids[2]


def test_a_tokenizer_without_marks_is_refused():
    tokenizers = pytest.importorskip("tokenizers")
    with pytest.raises(BadData, match=r"\[CLS\]"):
        Pairing.of(tokenizers.Tokenizer(tokenizers.models.BPE()))


# --- the recipe ----------------------------------------------------------------------------------------------------


def test_without_a_model_the_recipe_says_how_to_make_one(demo, monkeypatch, tmp_path):
    monkeypatch.setenv("TWICETOLD_MTM", str(tmp_path / "none"))
    with pytest.raises(BadData, match="twicetold train mtm"):
        RECIPES["mtm"].stage(demo)


# --- nothing is said twice


QUOTE = "Iran will be shooting at our soldiers with bullets bought with the 150 billion Obama gave them."
TOLD = (QUOTE, f'A post claimed: "{QUOTE}"', "The money was Iran's own, and Obama gave none of it away.", "The deal was signed in Vienna.")


def key_texts(*texts, most=3):
    sentences = [Sentence(at, text) for at, text in enumerate(texts)]
    return [key.sentence.text for key in named_chooser().keys("Obama gave Iran 150 billion", [sentences], most=most)[0]]


def test_a_sentence_that_repeats_a_better_one_gives_way_to_the_next():
    assert set(key_texts(*TOLD)) in ({TOLD[0], *TOLD[2:]}, {TOLD[1], *TOLD[2:]})


def test_nothing_is_repeated_where_there_is_nothing_else():
    assert len(key_texts(*TOLD[:2])) == 1
    assert key_texts(TOLD[0], TOLD[0], TOLD[0]) == [TOLD[0]]


@given(st.lists(st.text(max_size=40), max_size=12), st.integers(1, 4))
def test_a_text_with_sentences_has_a_key_sentence_and_never_more_than_wanted(texts, most):
    found = key_texts(*texts, most=most)
    assert min(1, len(texts)) <= len(found) <= most
    assert len(set(found)) == len(found)


# --- what is known without learning


@pytest.fixture(scope="module")
def known() -> Known:
    return Known.load()


def seen(known: Known, *sentences: str, share: float = 0.0) -> Seen:
    return Seen(sentences, np.full(len(sentences), 1 / len(sentences)), np.full(len(sentences), share), known.whole(sentences))


def test_an_article_that_says_the_claim_is_nearer_by_every_cosine(known):
    same, other = known.rows(
        "The moon landing was filmed in a studio",
        [
            seen(known, "No, the moon landing was not filmed in a studio.", "Rocks were brought home.", share=0.8),
            seen(known, "Garlic does not cure the flu.", "Doctors advise rest."),
        ],
    )
    assert len(same) == len(NAMES)
    assert (same > other).all()


def test_cosines_of_key_sentences_count_by_their_weights(known):
    texts = ("The moon landing was filmed in a studio.", "Garlic does not cure the flu.")
    first, second, mixed = known.rows(
        "Was the moon landing staged?",
        [Seen(texts, np.array(weight), np.array([1.0, 0.0]), known.whole(texts)) for weight in ([1.0, 0.0], [0.0, 1.0], [0.75, 0.25])],
    )
    assert mixed == pytest.approx(0.75 * first + 0.25 * second, abs=1e-6)
    assert first[NAMES.index("words")] == 1.0


def test_the_two_sentences_nearest_in_meaning_count_wherever_they_stand(known):
    texts = ("Rocks were brought home.", "The moon landing was staged.", "Nobody went to the moon.", "Rest is advised.")
    keys = np.array([1.0])
    all_of_them, best = known.rows(
        "Was the moon landing staged?", [Seen(some, keys, keys, known.whole(texts)) for some in (texts, texts[1:3])]
    )
    place = NAMES.index("meaning")
    assert all_of_them[place] == pytest.approx(best[place], abs=1e-6)


def test_a_sentence_is_compared_with_the_stretch_of_a_long_claim_that_is_nearest(known):
    filling = "My aunt told me all of this at the market, where we met on a rainy morning and talked about her garden. " * 3
    claim = f"{filling} Also the moon landing was filmed in a studio by a famous director. {filling}"
    article = seen(known, "The moon landing was filmed in a studio by a famous director, a post says.")
    [row] = known.rows(claim, [article])
    assert row[NAMES.index("stretch")] > row[NAMES.index("meaning")]
    [short] = known.rows("The moon landing was filmed in a studio", [article])
    assert short[NAMES.index("stretch")] == pytest.approx(short[NAMES.index("meaning")], abs=1e-6)


def test_stretches_overlap_and_hold_every_word():
    text = " ".join(f"w{n}" for n in range(100))
    found = stretches(text)
    assert [piece.split()[0] for piece in found] == ["w0", "w24", "w48", "w72"]
    assert {word for piece in found for word in piece.split()} == set(text.split())


@pytest.mark.parametrize(("text", "pieces"), [("", [""]), ("  a  few words ", ["a  few words"]), ("月" * 40, ["月" * 32, "月" * 16])])
def test_stretches_of_short_texts_and_of_texts_without_spaces(text, pieces):
    assert stretches(text) == pieces


def test_the_first_of_many_chosen_are_those_of_few():
    residuals = np.random.default_rng(1).normal(size=(9, 4))
    for is_weighted in (True, False):
        few, many = (choose(residuals, residuals[:2], most=most, is_weighted=is_weighted) for most in (3, 6))
        assert all(getattr(many.first(3), name) == pytest.approx(getattr(few, name), abs=1e-6) for name in few.__slots__)


def test_an_article_is_compared_alone_as_beside_others(known):
    articles = [seen(known, "Garlic does not cure the flu."), seen(known, "The moon is made of rock.", "Nobody faked it.")]
    together = known.rows("Does garlic cure flu?", articles)
    assert together.tolist() == [known.rows("Does garlic cure flu?", [one])[0].tolist() for one in articles]
