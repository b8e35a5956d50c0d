"""Examples in the laboratory's docstrings. Those of modules that need torch are tried where it is installed."""

import doctest

import pytest
from test_docs import ROOT, with_examples


@pytest.mark.parametrize("name", with_examples(ROOT / "lab" / "src"))
def test_examples_in_docstrings_hold(name):
    module = pytest.importorskip(name, reason="needs pip install './lab[train]'", exc_type=ModuleNotFoundError)
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)
