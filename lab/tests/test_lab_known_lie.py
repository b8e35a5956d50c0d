"""Rows of Known Lie's tables, measured over splits."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.types import Claim, FactCheck
from twicetold_lab.knownlie.best import SPOKEN, gathered
from twicetold_lab.knownlie.rows import as_released, measured
from twicetold_lab.knownlie.scores import Scores

WORDS = ["garlic", "moon", "vaccines", "taxes", "guns", "climate", "bridge", "mayor", "rain", "cheese"]


@pytest.fixture
def root(tmp_path):
    """A data root with ten tweets, each about another of ten Snopes claims."""
    folder = tmp_path / "known-lie" / "snopes"
    (folder / "fact-checking").mkdir(parents=True)
    claims = [f"Somebody said {word} is false." for word in WORDS]
    (folder / "verified-claims.tsv").write_text("title\tfact\n" + "".join(f"Is it {c[14:]}\t{c}\n" for c in claims))
    pairs = "".join(f"my neighbour talks of {word} all day\t{claim}\n" for word, claim in zip(WORDS, claims, strict=True))
    (folder / "fact-checking" / "tweet-veclaim-pairs.tsv").write_text("claim\tfact\n" + pairs)
    return tmp_path


def known_lie(root, *arguments):
    return CliRunner().invoke(main, ["lab", "known-lie", *arguments, "--data-root", str(root), "--cache", str(root / "cache")])


def test_a_row_is_the_mean_over_random_splits_with_its_spread(root):
    found = json.loads(known_lie(root, "snopes", "bm25.claim", "--splits", "3", "--json").stdout)
    assert found["splits"] == ["random-0", "random-1", "random-2"]
    assert (found["measures"]["MRR"], found["sd"]["MRR"]) == (1.0, 0.0)


def test_a_reranker_learns_from_the_train_side_of_each_split(root):
    done = known_lie(root, "snopes", "ranksvm-5", "--splits", "2", "--json")
    assert json.loads(done.stdout)["measures"]["HasPositives@5"] == 1.0


@pytest.mark.parametrize("row", ["linear-5", "exact-5", "best"])
def test_rows_of_ours_learn_from_the_train_side_too(root, row):
    done = known_lie(root, "snopes", row, "--splits", "1", "--json")
    assert json.loads(done.stdout)["measures"]["HasPositives@5"] == 1.0


def test_several_rows_are_measured_at_once_one_line_each(root):
    done = known_lie(root, "snopes", "bm25.claim", "linear-3", "--splits", "1", "--json")
    assert [json.loads(line)["row"] for line in done.stdout.splitlines()] == ["bm25.claim", "linear-3"]


def test_what_was_said_by_the_same_person_shortly_before_is_known_as_such():
    claims = (Claim("q", "said", said_by="GOVERNOR FLINT", said_on="2016-10-19"), Claim("r", "said"))
    facts = tuple(
        FactCheck(id, claim="c", claimant=who, published=day)
        for id, who, day in [("a", "Ada Flint", "2016-09-19"), ("b", "Bo Crane", "2016-10-20"), ("c", "Ada Flint", "2018-01-01")]
    )
    table = np.array([[0.9, 0.5, 0.1], [0.1, 0.2, 0.3]], np.float32)
    tables = dict.fromkeys(("bm25.claim", "bm25.title", "bm25.body", "bm25.all", "dense.claim", "dense.title"), table)
    found = gathered(Scores(claims, ("a", "b", "c"), tables, np.eye(2, 3, dtype=bool), facts))
    spoken = [list(found.names).index(name) for name in SPOKEN]
    same, later, recent, _, close = found.rows[0][:, spoken].T.tolist()
    assert (same, later, close) == ([1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    assert recent == pytest.approx([1 / (1 + 30 / 365), 1.0, 0.0])
    assert found.rows[1][:, spoken].tolist() == [[0.5, 0.5, 0.0, 3.0, 0.0]] * 3


def test_map_is_given_as_defined_and_as_the_authors_code_computes_it():
    # The only answer is third of five: by definition it earns nothing at 1, in a zeroed row of five a fifth.
    scores, answers = np.array([-5.0, -4.0, -3.0, -2.0, -1.0]), np.array([False, False, True, False, False])
    assert measured([np.array([3])], [1])["MAP@1"] == 0
    assert as_released([(scores, answers)], width=5)["MAP@1(norm=legacy,width=5)"] == pytest.approx(1 / 5)


def test_one_split_has_no_spread(root):
    assert "±" not in known_lie(root, "snopes", "bm25.claim", "--splits", "1").stdout


def test_an_unknown_row_is_named_with_those_there_are(root):
    done = known_lie(root, "snopes", "ranksvm")
    assert "no row is called 'ranksvm'; there are bm25.claim, bm25.title" in done.stderr
    assert done.exit_code == 2
