"""Ratings in publishers' own words, and what they mean."""

import pytest

from twicetold.ingest.scales import PUBLISHERS
from twicetold.ingest.verdict import plain, verdict_of, verdict_of_number
from twicetold.ingest.words import LANGUAGES
from twicetold.types import Verdict


@pytest.mark.parametrize(
    ("publisher", "rating", "verdict"),
    [
        ("PolitiFact", "Pants on Fire!", "false"), ("PolitiFact", "barely-true", "false"), ("PolitiFact", "half-true", "mixed"),
        ("PolitiFact", "Mostly True", "true"), ("PolitiFact", "full-flop", "other"),
        ("Snopes", "Miscaptioned", "misleading"), ("Snopes.com", "Mixture", "mixed"), ("snopes.com", "Legend", "unproven"),
        ("Snopes", "Labeled Satire", "other"), ("Snopes", "Correct Attribution", "true"),
        ("The Washington Post", "One Pinocchio", "true"), ("Washington Post", "Two Pinocchios", "mixed"),
        ("www.washingtonpost.com", "Four Pinocchios", "false"), ("WaPo", "Geppetto Checkmark", "true"),
        ("FactCheck.org", "Spins the Facts", "misleading"), ("FactCheck.org", "Baseless Claim", "unproven"),
        ("AFP Fact Check", "Altered photo", "false"), ("factuel.afp.com", "Trompeur", "misleading"),
        ("AFP Factual", "Engañoso", "misleading"),
        ("Full Fact", "This isn’t correct.", "false"), ("https://fullfact.org/online/", "More to it than that", "mixed"),
        ("Africa Check", "Understated", "misleading"), ("Africa Check", "mostly-correct", "true"),
        ("Maldita.es", "¡BULO!", "false"), ("Maldita", "No hay pruebas", "unproven"),
        ("Newtral", "Verdad a medias", "mixed"), ("Chequeado", "Verdadero, pero...", "mixed"), ("Chequeado", "Apresurado", "unproven"),
        ("Aos Fatos", "NÃO É BEM ASSIM", "misleading"), ("Aos Fatos", "Insustentável", "unproven"),
        ("Aos Fatos", "Contraditório", "other"),
        ("Agência Lupa", "Ainda é cedo para dizer", "unproven"), ("Lupa", "Verdadeiro, mas", "mixed"),
        ("Correctiv", "Größtenteils falsch", "false"), ("Correctiv", "Fehlender Kontext", "misleading"),
        ("Correctiv", "Unbelegt", "unproven"),
        ("Pagella Politica", "C'eri quasi", "true"), ("Pagella Politica", "Nì", "mixed"),
        ("Pagella Politica", "Panzana pazzesca", "false"),
        ("Les Décodeurs", "C’est plus compliqué", "mixed"), ("lemonde.fr", "Plutôt faux", "false"),
        ("BOOM", "Misreported", "misleading"), ("Alt News", "भ्रामक", "misleading"), ("Vishvas News", "झूठ", "false"),
        ("Rappler", "No basis", "unproven"), ("VERA Files", "Needs context", "misleading"), ("VERA Files", "Flip-flop", "other"),
        ("Teyit", "Karma", "mixed"), ("teyit.org", "YANLIŞ", "false"), ("Teyit", "Belirsiz", "unproven"),
        ("Taiwan FactCheck Center", "部分錯誤", "mixed"), ("台灣事實查核中心", "事實釐清", "other"),
        ("tfc-taiwan.org.tw", "證據不足", "unproven"),
        ("MyGoPen", "易誤解", "misleading"), ("Cofacts", "含有不實訊息", "false"), ("Demagog", "Manipulacja", "misleading"),
        ("Polígrafo", "Pimenta na Língua", "false"), ("Observador", "Esticado", "misleading"), ("G1", "#FATO", "true"),
        ("El Sabueso", "Ridículo", "false"), ("Colombiacheck", "Cuestionable", "misleading"),
        ("Faktisk.no", "Faktisk helt feil", "false"),
        ("Fatabyyano", "زائف جزئيًا", "mixed"), ("Misbar", "انتقائي", "misleading"), ("Tempo", "Keliru", "false"),
        ("Science Feedback", "Flawed reasoning", "misleading"), ("The Ferret", "FFS!", "false"),
        ("FactCheckNI", "Accurate with considerations", "true"), ("ABC Fact Check", "In the ballpark", "true"),
    ],
)  # fmt: skip
def test_a_publishers_own_scale_is_read(publisher, rating, verdict):
    assert verdict_of(rating, publisher).value == verdict


def test_at_least_twenty_publishers_are_known_and_none_rates_one_word_in_two_ways():
    assert len(PUBLISHERS) >= 20
    for scale in PUBLISHERS:
        meanings = {(plain(rating), verdict) for verdict, words in scale.ratings.items() for rating in words.split("|")}
        assert len(meanings) == len({rating for rating, _ in meanings}), scale.name


@pytest.mark.parametrize(
    ("rating", "verdict"),
    [
        ("Not true", "false"), ("It’s not true", "false"), ("Untrue", "false"), ("This isn't accurate", "false"), ("NOT REAL", "false"),
        ("True", "true"), ("Mostly true", "true"), ("TRUE!", "true"), ("Correct attribution", "true"),
        ("True but misleading", "misleading"), ("True, but missing context", "misleading"), ("True, but", "mixed"),
        ("Mostly false", "false"), ("mostly_false", "false"), ("Partly false", "mixed"),
        ("Half true", "mixed"), ("Not entirely true", "mixed"),
        ("No evidence", "unproven"), ("There is no evidence that this is true", "unproven"), ("False. There is no evidence.", "false"),
        ("Unsupported", "unproven"), ("Can't be verified", "unproven"), ("Not proven", "unproven"),
        ("False context", "misleading"), ("Old video", "misleading"), ("Out of Context", "misleading"),
        ("Not false", "other"), ("Satire", "other"), ("True or false?", "other"), ("See text", "other"), ("", "other"), ("4", "other"),
        ("Fact check: False", "false"), ("Our rating: Mixed", "mixed"),
        ("Falso", "false"), ("No es cierto", "false"), ("Verdadero, pero engañoso", "misleading"), ("No hay evidencia", "unproven"),
        ("Faux", "false"), ("Vrai, mais trompeur", "misleading"), ("Pas vrai", "false"), ("Rien ne prouve cela", "unproven"),
        ("Stimmt nicht", "false"), ("Teilweise falsch", "mixed"), ("Richtig", "true"),
        ("Não é verdade", "false"), ("Fora de contexto", "misleading"), ("Bufala", "false"), ("Non è vero", "false"),
        ("Doğru değil", "false"), ("Doğru", "true"), ("غير صحيح", "false"), ("صحيح", "true"), ("झूठ", "false"),
        ("不正確", "false"), ("正確", "true"), ("半真半假", "mixed"), ("没有证据", "unproven"), ("这是谣言", "false"),
    ],
)  # fmt: skip
def test_words_of_judgement_are_read_with_their_negations_and_degrees(rating, verdict):
    assert verdict_of(rating).value == verdict


def test_no_word_of_judgement_means_two_things():
    meanings: dict[str, set[Verdict]] = {}
    for words in LANGUAGES.values():
        for verdict, phrases in words.items():
            for phrase in phrases.split("|"):
                meanings.setdefault(plain(phrase), set()).add(verdict)
    assert [phrase for phrase, verdicts in meanings.items() if len(verdicts) > 1 or not phrase] == []


def test_a_judgement_far_into_a_long_rating_is_about_something_else():
    assert (
        verdict_of("The minister spoke about roads, bridges, canals, harbours and railways and then at last about false teeth")
        is Verdict.OTHER
    )


def test_a_score_is_read_between_its_ends():
    assert [verdict_of_number(value, worst=1, best=5).value for value in (1, 2, 3, 4, 5)] == ["false", "false", "mixed", "true", "true"]


def test_a_score_whose_best_end_is_the_lower_one_is_taken_at_its_word():
    assert verdict_of_number(1, worst=5, best=1) is Verdict.TRUE


@pytest.mark.parametrize(("value", "worst", "best"), [(3, 1, 1), (7, 1, 5), (-1, 1, 5)])
def test_a_score_without_two_ends_or_beyond_them_says_nothing(value, worst, best):
    assert verdict_of_number(value, worst, best) is Verdict.OTHER
