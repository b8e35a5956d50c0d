# make run   set everything up, read the demo collection, look a claim up
# make test  set everything up, run the tests (a few minutes)
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= twicetold-data

.PHONY: run test test-all setup check bench docs clean

run: $(VENV)/.core
	@$(BIN)/twicetold --data $(DATA) -q ingest src/twicetold/demo/checks
	@echo
	@echo '$$ twicetold match "Eating garlic protects you from the coronavirus"'
	@echo
	@$(BIN)/twicetold --data $(DATA) match --top 3 "Eating garlic protects you from the coronavirus"
	@echo 'The demo collection is in $(DATA). Try next:'
	@echo
	@echo '  $(BIN)/twicetold --data $(DATA) match "any claim you like"'
	@echo '  $(BIN)/twicetold --data $(DATA) stats'
	@echo '  $(BIN)/twicetold --help'

setup: $(VENV)/.dev

test: $(VENV)/.dev
	$(BIN)/pytest

# The slow ones too: kill rounds, the page in a browser, clusters, fuzzing.
test-all: $(VENV)/.dev
	$(BIN)/python -m pip install -q -e '.[ray]'
	$(BIN)/pytest -m 'slow or not slow'

check: $(VENV)/.dev
	$(BIN)/ruff format --check src tests
	$(BIN)/ruff check src tests
	$(BIN)/mypy
	$(BIN)/pytest

# Speed, memory and quality on real data: TWICETOLD_DATASETS names the folder with the research sets.
bench: $(VENV)/.dev
	$(BIN)/pip install -q -e '.[bench]'
	$(BIN)/python -m bench.foundation
	$(BIN)/python -m bench.serve
	$(BIN)/python -m bench.screen

docs: $(VENV)/.dev
	$(BIN)/python -m docs.make

clean:
	rm -rf $(VENV) $(DATA) .pytest_cache .mypy_cache .ruff_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { echo "No venv here. On Debian: apt-get install -y python3-venv"; exit 1; }
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e '.[dev]'
	@touch $@ $(VENV)/.core
