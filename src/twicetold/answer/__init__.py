"""From claims to answers: `Answerer` runs a recipe, has its matches judged, grouped, decided and explained.

asking     how claims are to be answered
recipes    the named ways to find and rank
answerer   the whole pipeline, which every door asks
group      twins as one case, and the family of checks that say the same
decide     whether any match answers the claim, at the error tolerated
parts      claims of several parts
explain    key sentences, and reasons in words
phrases    what an answer amounts to, in words for people
"""

from twicetold.answer.answerer import Answerer
from twicetold.answer.asking import Asking
from twicetold.answer.recipes import BEST, DEBATE, HYBRID, RECIPES, Recipe, recipe_named

__all__ = ["BEST", "DEBATE", "HYBRID", "RECIPES", "Answerer", "Asking", "Recipe", "recipe_named"]
