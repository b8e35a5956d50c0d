"""Why a match was found, as people see it: MTM's key sentences with quoted words and words typical of a check, everywhere the same."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from twicetold.answer import BEST, HYBRID, Answerer, Asking
from twicetold.answer.explain import SHOWN, explained
from twicetold.answer.phrases import why
from twicetold.cli import main
from twicetold.cli.output import print_ranking
from twicetold.collection import Collection
from twicetold.errors import BadData
from twicetold.marking import clipped, quoted, shown
from twicetold.models import shipped
from twicetold.rank.mtm.article import MOST_SENTENCES, Sentence, sentences_of
from twicetold.rank.mtm.checking import phrases_of_checking
from twicetold.rank.mtm.chooser import MOST_TYPICAL, Chooser, Key
from twicetold.rank.mtm.memory import Words
from twicetold.rank.mtm.pairing import token_ids
from twicetold.rank.mtm.pieces import Pieces
from twicetold.rank.saved import write_model
from twicetold.scan.report import html
from twicetold.scan.scanner import ScannedLine
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, KeySentence, Line, Match, Ranking, from_json, ranked, to_json

MOON = "A post says the moon is made of cheese. There is no evidence for this. Astronauts brought rock home in 1969."
TEXTS = st.text(st.sampled_from("ab no not true 'false’ \n月亮是假的谣言.,-éß\u0301\u200b"), max_size=60) | st.text(max_size=40)
SETTINGS = {"claim_tokens": 64, "sentence_tokens": 48, "is_weighted": True, "is_compared": False, "is_told": True, "is_legacy": False}
SETTINGS |= {"is_quoted": False}


def write_tiny(folder, **changed):
    """A model folder with word vectors and patterns by chance; there are no layers, which explaining must not miss."""
    rng = np.random.default_rng(0)
    words = Words.of(rng.normal(size=(30_522, 8)).astype(np.float32))
    arrays = {"words": words.integers, "scales": words.scales, "patterns": rng.normal(size=(4, 8)).astype(np.float32)} | changed
    write_model(folder, "mtm", SETTINGS, {name: array for name, array in arrays.items() if array is not None})
    shutil.copy(shipped("tokenizer.json"), folder.parent / "tokenizer.json")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny(tmp_path_factory.mktemp("models") / "mtm")


@pytest.fixture(scope="module")
def model(folder):
    return Chooser.load(folder)


@pytest.fixture
def named(folder, monkeypatch):
    monkeypatch.setenv("TWICETOLD_MTM", str(folder))


def key_of(text, **given):
    return KeySentence(text, 0, 1.0, **given)


# --- how marks are shown -------------------------------------------------------------------------------------------


def test_quoted_and_typical_words_are_shown_differently():
    key = key_of("a b\n c d", marks=((2, 3),), typical=((5, 6),))
    assert shown(key, ("<", ">"), ("[", "]")) == "a <b> [c] d"


def test_what_is_written_is_escaped_and_what_is_put_around_is_not():
    key = key_of("x < y & z", marks=((4, 5),), typical=((8, 9),))
    assert shown(key, ("<b>", "</b>"), ("<u>", "</u>"), written=lambda text: text.replace("<", "&lt;")) == "x &lt; <b>y</b> & <u>z</u>"


def test_the_codes_of_a_terminal_survive_and_those_in_the_sentence_do_not():
    assert shown(key_of("a \x1b[1mb", marks=((0, 1),)), ("\x1b[1m", "\x1b[22m"), ("", "")) == "\x1b[1ma\x1b[22m [1mb"


def test_of_two_marks_that_overlap_the_first_is_shown():
    assert shown(key_of("abc", marks=((0, 2),), typical=((1, 3),)), ("<", ">"), ("[", "]")) == "<ab>c"


def test_a_sentence_is_cut_between_marks_never_inside_one():
    key = clipped(key_of("one two three", marks=((4, 7),), typical=((8, 13),)), 10)
    assert (key.text, key.marks, key.typical) == ("one two t…", ((4, 7),), ())


@given(TEXTS, st.data())
def test_the_sentence_can_be_read_through_its_marks(text, data):
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    told = shown(key_of(text, marks=tuple(spans[::2]), typical=tuple(spans[1::2])), ("\ue000", "\ue001"), ("\ue002", "\ue003"))
    bare = "".join(letter for letter in told if not "\ue000" <= letter <= "\ue003")
    assert "".join(bare.split()) == "".join(shown(key_of(text), ("", ""), ("", "")).split()) or "\u0301" in text
    assert told.count("\ue000") == told.count("\ue001") == len(spans[::2])
    assert told.count("\ue002") == told.count("\ue003") == len(spans[1::2])


def test_key_sentences_written_before_there_were_typical_words_are_read():
    record = to_json(key_of("a", marks=((0, 1),)))
    del record["typical"]
    assert from_json(KeySentence, record) == key_of("a", marks=((0, 1),))


# --- which words are marked ----------------------------------------------------------------------------------------


def said(text, lang="en", taken=()):
    return [text[start:end] for start, end in phrases_of_checking(text, lang, taken)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("There is no evidence for this.", ["is no evidence"]),
        ("The photo was taken out of context.", ["out of context"]),
        ("He did not attempt to.", ["not attempt"]),
        ("They didn’t.", ["didn’t"]),
        ("The claim is actually FALSE", ["claim", "actually FALSE"]),
        ("Not the whole story, no.", ["Not the whole story", "no"]),
        ("The moon is a rock in the sky.", []),
        ("no, evidence was found", ["no", "evidence"]),
        ("It found no substantiated proof.", ["no substantiated proof"]),
    ],
)
def test_words_of_judgement_are_found_by_the_longest_phrase(text, found):
    assert said(text) == found


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("es", "No hay pruebas de que sea asi.", ["No hay pruebas"]),
        ("de", "Dafür gibt es keine Belege.", ["keine Belege"]),
        ("zh", "没有证据表明月亮是奶酪做的，这是谣言。", ["没有证据", "谣言"]),
        ("xx", "There is no evidence.", []),
    ],
)
def test_other_languages_have_their_own_words_of_judgement(lang, text, found):
    assert said(text, lang) == found


def test_a_word_that_is_quoted_is_no_part_of_a_phrase():
    text = "There is no evidence."
    assert said(text, taken=((12, 20),)) == ["no"]


def test_what_is_left_of_we_ll_is_no_word_that_a_claim_shares():
    text = "We’ll overlook that they've sold the bridge."
    assert [text[a:b] for a, b in quoted(text, "en", {"ll": 3.0, "ve": 2.0, "bridg": 1.0})] == ["bridge"]


def test_words_shared_with_the_claim_are_marked_whole_in_chinese_too():
    text = "有人说月亮是奶酪做的"
    assert [text[a:b] for a, b in quoted(text, "zh", {"月亮": 1.0, "奶酪": 2.0, "说": 0.0})] == ["月亮", "奶酪"]


def is_whole_word(text, start, end):
    return not (text[start - 1 : start].isalnum() and text[start].isalnum()) and not (
        text[end - 1].isalnum() and text[end : end + 1].isalnum()
    )


@given(TEXTS, TEXTS, st.sampled_from(["en", "es", "zh", "xx"]), st.integers(0, 3))
def test_typical_words_are_few_whole_and_never_quoted_ones(model, text, claim, lang, pattern):
    marks = quoted(text, lang, {"a": 1.0, "b": 1.0, "ab": 1.0})
    typical = model.typical(claim, Key(Sentence(0, text), 1.0, 1.0, 1.0, pattern, 1.0), lang, marks)
    spans = sorted([*marks, *typical])
    assert len(typical) <= MOST_TYPICAL
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert list(typical) == sorted(typical)


@given(st.text(st.sampled_from("ab no not true 'false \n.,-éß"), max_size=60))
def test_no_mark_ends_inside_a_word(model, text):
    for start, end in model.typical("a", Key(Sentence(0, text), 1.0, 1.0, 1.0, 0, 1.0), "en", ()):
        assert is_whole_word(text, start, end)


def with_vectors(tmp_path, vectors, patterns):
    """A model in which these words have these vectors, and all others none."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json")))
    table = np.zeros((30_522, 2), np.float32)
    for word, vector in vectors.items():
        table[vocabulary.token_to_id(word)] = vector
    words = Words.of(table)
    return Chooser.load(write_tiny(tmp_path / "mtm", words=words.integers, scales=words.scales, patterns=np.array(patterns, np.float32)))


def test_the_phrase_without_which_a_sentence_is_farther_from_its_pattern_is_typical_and_one_that_leads_away_is_not(tmp_path):
    model = with_vectors(tmp_path, {"false": [4, 0], "true": [0, 4]}, [[2, 0]])
    text = "x false x true"
    # By hand: mean (1, 1), 1.41 from (2, 0). Without "false" (0, 4/3): 2.40, farther. Without "true" (4/3, 0): 0.67, nearer by half.
    typical = model.typical("x", Key(Sentence(0, text), 1.0, 1.0, 1.0, 0, 1.0), "en", ())
    assert [text[start:end] for start, end in typical] == ["false"]


def test_the_only_phrase_of_judgement_is_typical_wherever_it_leads(tmp_path):
    model = with_vectors(tmp_path, {"false": [0, 4]}, [[2, 0]])
    typical = model.typical("x", Key(Sentence(0, "x false"), 1.0, 1.0, 1.0, 0, 1.0), "en", ())
    assert typical == ((2, 7),)


def test_a_number_is_shared_whole_or_not_at_all():
    said = {"1": 1.0, "50": 1.0, "1200": 1.0}
    assert quoted("1.2 million of 50,000, or 1 in 50", "en", said) == ((26, 27), (31, 33))
    assert quoted("1.2 million", "en", {"1": 0.0, "2": 1.0}) == ((0, 3),)


def test_the_three_phrases_that_do_most_for_the_pattern_are_taken_in_their_order(tmp_path):
    model = with_vectors(tmp_path, {"false": [1, 0], "fake": [2, 0], "myth": [3, 0], "wrong": [4, 0]}, [[4, 0]])
    text = "false x fake x myth x wrong"
    typical = model.typical("x", Key(Sentence(0, text), 1.0, 1.0, 1.0, 0, 1.0), "en", ())
    assert [text[start:end] for start, end in typical] == ["fake", "myth", "wrong"]


def test_without_patterns_there_are_no_typical_words(tmp_path):
    model = Chooser.load(write_tiny(tmp_path / "mtm", patterns=None))
    [[key]] = model.keys("x", [[Sentence(0, "This is false.")]])
    assert (key.pattern, model.typical("x", key, "en", ())) == (-1, ())


@given(st.lists(TEXTS, max_size=6))
def test_texts_cut_at_their_spaces_have_the_tokens_of_the_whole(texts):
    tokenizers = pytest.importorskip("tokenizers")
    whole = tokenizers.Tokenizer.from_file(str(shipped("tokenizer.json")))
    pieces = Pieces(whole)
    assert pieces.ids(texts) == pieces.ids(texts) == token_ids(whole, texts)


# --- which sentences -----------------------------------------------------------------------------------------------


def in_article(body, claim="the moon is made of cheese", lang=""):
    return ranked(Claim("c", claim), [Match(FactCheck("a", body=body, lang=lang), 1.0)])


@pytest.mark.parametrize(
    ("body", "count"),
    [("", 0), ("…!? 12", 0), ("Only this.", 1), (MOON, SHOWN), (" ".join(f"Sentence {n} is false." for n in range(5000)), SHOWN)],
    ids=["no body", "no words", "one sentence", "three", "five thousand"],
)
def test_an_article_shows_as_many_key_sentences_as_it_can(demo, named, body, count):
    [ranking] = explained(demo)([in_article(body)])
    keys = ranking.matches[0].keys
    assert [body[key.at : key.at + len(key.text)] for key in keys] == [key.text for key in keys]
    assert len(keys) == count


def test_beyond_the_first_thousand_sentences_nothing_is_shown(model):
    [keys] = model.keys("Sentence 4000 is false.", [sentences_of(FactCheck("a", body=" ".join(f"Sentence {n} is." for n in range(5000))))])
    assert max(key.sentence.at for key in keys) < len(" ".join(f"Sentence {n} is." for n in range(MOST_SENTENCES)))


def test_a_claim_longer_than_the_window_is_answered_by_its_beginning(model):
    article = [sentences_of(FactCheck("a", body=MOON))]
    start = "the moon is made of cheese and " * 60
    assert model.keys(start + "tea", article) == model.keys(start + "a bridge", article)


def test_an_article_without_spaces_is_explained_by_a_piece_of_it(demo, named):
    body = "月亮不是奶酪做的而是石头做的这是谣言没有证据" * 60
    [ranking] = explained(demo)([in_article(body, claim="月亮是奶酪做的", lang="zh")])
    for key in ranking.matches[0].keys:
        assert body[key.at :].startswith(key.text)
        assert {key.text[start:end] for start, end in key.typical} <= {"谣言", "没有证据"}


def test_key_sentences_that_a_recipe_chose_by_are_kept(demo, named):
    chosen = key_of("Chosen before.")
    match = Match(FactCheck("a", body=MOON), 1.0, keys=(chosen,))
    [ranking] = explained(demo)([Ranking(Claim("c", "moon"), (match,))])
    assert ranking.matches[0].keys == (chosen,)


def test_explaining_keeps_the_laws_of_an_explainer(demo, demo_claims, named):
    found = ask(HYBRID.stage(demo, depth=5), demo_claims[::20])
    check_stage(explained(demo, first=3), [*found, in_article(""), Ranking(Claim("c", "nothing found"))], role="explainer")


def test_only_the_first_matches_are_explained(demo, named):
    docs = [FactCheck(name, body=MOON) for name in "abc"]
    [ranking] = explained(demo, first=2)([ranked(Claim("c", "moon"), [Match(doc, 1.0) for doc in docs])])
    assert [bool(match.keys) for match in ranking.matches] == [True, True, False]


# --- where the model comes from ------------------------------------------------------------------------------------


def test_a_named_model_that_is_not_there_is_an_error_not_another_explanation(demo, monkeypatch, tmp_path):
    monkeypatch.setenv("TWICETOLD_MTM", str(tmp_path / "none"))
    with pytest.raises(BadData, match="twicetold train mtm"):
        explained(demo)


def test_a_damaged_model_is_refused_with_what_to_do(tmp_path):
    folder = write_tiny(tmp_path / "mtm")
    weights = folder / "weights.npz"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(BadData, match=r"weights.npz is damaged .*restore it, or type: pip install --force-reinstall twicetold-models"):
        Chooser.load(folder)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"words": None}, "lacks 'words'.*twicetold train mtm"),
        ({"patterns": np.zeros((4, 5), np.float32)}, "do not fit.*twicetold train mtm"),
        ({"scales": np.zeros(5, np.float32)}, "do not fit.*twicetold train mtm"),
    ],
)
def test_a_model_whose_parts_do_not_fit_is_refused_with_what_to_do(tmp_path, changed, said):
    with pytest.raises(BadData, match=said):
        Chooser.load(write_tiny(tmp_path / "mtm", **changed))


# --- everywhere the same -------------------------------------------------------------------------------------------

KEY = key_of("There is no evidence that garlic helps.", marks=((26, 32),), typical=((6, 20),))
TOLD = Ranking(Claim("c", "garlic <cures> flu"), (Match(FactCheck("a", claim="x", rating="False", body=KEY.text), 1.0, keys=(KEY,)),))


def test_reasons_name_the_words_shared_and_not_those_of_any_check(demo):
    [explained_] = explained(demo)([TOLD])
    assert why(explained_.matches[0]) == ["It shares the word “garlic”."]


def test_a_match_without_a_reason_is_said_to_be_the_nearest():
    assert why(TOLD.matches[0]) == ["It was the nearest that could be found."]


def test_the_command_line_marks_quoted_words_by_stars_and_typical_ones_by_lines(capsys):
    print_ranking(TOLD, top=1)
    told = capsys.readouterr().out
    assert "“There _is no evidence_ that *garlic* helps.”" in told


def test_the_report_of_a_speech_marks_both_and_says_what_the_marks_mean():
    report = html("a debate", [ScannedLine(1, Line("ANN", "garlic"), 0.9, ranking=TOLD)])
    assert "“There <u>is no evidence</u> that <b>garlic</b> helps.”" in report
    assert "<b>words shared with the line</b>, <u>words typical of a check</u>" in report


def test_the_page_marks_both_and_says_what_the_marks_mean():
    render = pytest.importorskip("twicetold.serve.pages.render", reason="the page needs the extra serve")
    about = {"claim": "garlic", "is_filtered": False, "refine": "", "can_write": False, "sides": None, "said": "", "lane": "", "hidden": ()}
    page = render.fragment("answer.html", ranking=TOLD, likely=TOLD.matches, others=[], **about)
    assert 'There <em class="typical">is no evidence</em> that <mark>garlic</mark> helps.' in page
    assert '<mark>words shared with the claim</mark>, <em class="typical">words typical of a check</em>' in page


def test_the_page_escapes_the_sentence_it_marks():
    wording = pytest.importorskip("twicetold.serve.wording", reason="the page needs the extra serve")
    told = str(wording.marked(key_of("<b> & no", marks=((0, 3),), typical=((6, 8),))))
    assert told == '<mark>&lt;b&gt;</mark> &amp; <em class="typical">no</em>'


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A collection of one fact-check that judges."""
    data = tmp_path_factory.mktemp("small")
    with Collection.create(data) as collection:
        body = "Readers asked whether garlic cures the flu. There is no evidence that it does. We thank them."
        list(
            collection.add([FactCheck("a", claim="Garlic cures the flu", rating="False", body=body, lang="en"), FactCheck("b", claim="y")])
        )
        collection.index()
    return data


def test_match_prints_key_sentences_with_both_kinds_of_places_as_json(small, named):
    told = CliRunner().invoke(main, ["--data", str(small), "match", "--json", "garlic cures flu"], catch_exceptions=False).stdout
    keys = json.loads(told)["matches"][0]["keys"]
    assert len(keys) == SHOWN
    assert all(key["why"].startswith("mtm: near the claim ") for key in keys)
    found = {key["text"][start:end] for key in keys for kind in ("marks", "typical") for start, end in key[kind]}
    assert found & {"garlic", "cures", "flu", "is no evidence"}


def test_python_the_page_and_the_scanner_explain_as_match_does(small, named):
    import twicetold
    from twicetold.scan.speeches import scanner

    text = "Garlic cures the flu in every case."
    with Collection.open(small) as collection:
        [asked] = Answerer(collection, BEST, Asking(top=1))([Claim("c", text)])
        [heard] = scanner(collection).scan([Line("ANN", text)])
    from_python = twicetold.match(text, small, top=1)
    assert from_python.matches[0].keys == asked.matches[0].keys
    assert heard.ranking is not None
    assert {key.text for key in heard.ranking.matches[0].keys} <= {key.text for key in asked.matches[0].keys}
