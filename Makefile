# make run   set everything up, read the demo collection, look a claim up
# make test  set everything up, run the tests (a few minutes)
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= twicetold-data

RELEASED := serve mcp screen milvus ocr ray

SOURCES := src lab tests conftest.py fuzz bench docs
# Tests of one file stay together, since they share what they make.
PYTEST := $(BIN)/pytest -n 2 --dist loadfile

.PHONY: run test test-all setup check bench faults soak fuzz lock audit docs clean

run: $(VENV)/.core
	@$(BIN)/twicetold --data $(DATA) -q ingest src/twicetold/demo/checks
	@echo
	@echo '$$ twicetold match "Volcanoes emit more CO2 than all human activity"'
	@echo
	@$(BIN)/twicetold --data $(DATA) match --top 3 "Volcanoes emit more CO2 than all human activity"
	@echo 'The demo collection is in $(DATA). Try next:'
	@echo
	@echo '  $(BIN)/twicetold --data $(DATA) match "any claim you like"'
	@echo '  $(BIN)/twicetold --data $(DATA) stats'
	@echo '  $(BIN)/twicetold --help'

setup: $(VENV)/.dev

test: $(VENV)/.dev
	$(PYTEST)

# The slow ones too: kill rounds, the page in a browser, clusters, fuzzing, and the trainings with torch.
test-all: $(VENV)/.dev
	$(BIN)/python -m pip install -q -e '.[ray]' -e './lab[train]'
	$(PYTEST) -m 'slow or not slow'

check: $(VENV)/.dev
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(PYTEST)

# Speed, memory and quality on real data: TWICETOLD_DATASETS names the folder with the research sets.
bench: $(VENV)/.dev
	$(BIN)/pip install -q -e '.[bench]'
	$(BIN)/python -m bench.foundation
	$(BIN)/python -m bench.serve
	$(BIN)/python -m bench.screen

# Kill writers, servers and screenings at 200 random moments (some 20 minutes): docs/faults.md.
faults: $(VENV)/.dev
	$(BIN)/python -m bench.faults kill --points 200

# Half an hour of reads and writes against a server, its memory sampled.
soak: $(VENV)/.dev
	$(BIN)/python -m bench.soak --minutes 30

# A million broken inputs for the parsers of foreign input.
fuzz: $(VENV)/.dev
	$(BIN)/python -m pip install -q -e '.[fuzz]'
	$(BIN)/python -m fuzz

# Choose the newest versions that fit, and write them down with their hashes.
lock: $(VENV)/bin/python
	$(BIN)/python -m pip install -q uv
	@printf '%s\n' '# twicetold[$(RELEASED)] on Linux with Python 3.11, by version and hash; made by make lock.' \
	  '# pip install --require-hashes -r requirements.lock && pip install --no-deps twicetold twicetold-models' > requirements.lock.new
	$(BIN)/uv pip compile pyproject.toml $(RELEASED:%=--extra %) --generate-hashes --python-version 3.11 --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links -q >> requirements.lock.new
	@mv requirements.lock.new requirements.lock
	@printf '%s\n' '# twicetold with every extra, those for development too, on Linux with Python 3.11; made by make lock.' > requirements-dev.lock.new
	$(BIN)/uv pip compile pyproject.toml --all-extras -c requirements.lock --generate-hashes --python-version 3.11 --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links -q >> requirements-dev.lock.new
	@mv requirements-dev.lock.new requirements-dev.lock

# Compare every locked version with a copied OSV database (DB=FOLDER with PyPI/all.zip); without DB ask the public ones, over the network.
audit: $(VENV)/bin/python
ifdef DB
	$(BIN)/python -m pip install -q packaging
	$(BIN)/python -m bench.audit $(DB) requirements-dev.lock
else
	$(BIN)/python -m pip install -q pip-audit
	$(BIN)/pip-audit --require-hashes -r requirements.lock
endif

docs: $(VENV)/.dev
	$(BIN)/python -m docs.make

clean:
	rm -rf $(VENV) $(DATA) .pytest_cache .mypy_cache .ruff_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { echo "No venv here. On Debian: apt-get install -y python3-venv"; exit 1; }
	$(BIN)/python -m pip install -q --upgrade pip

# In a clone the weights are read where they stand; by hand it is: pip install . ./models
$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.dev: pyproject.toml lab/pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e '.[dev]' -e './lab[dev]'
	@touch $@ $(VENV)/.core
