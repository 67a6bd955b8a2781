# `make demo` and `make test` set everything up on a machine that has python3 (3.11 or newer, with venv) and make.
PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?= -m "not crash"
WORKERS ?= $(if $(MSCE_TEST_NEO4J_URI),0,auto)
BIN := $(VENV)/bin

.PHONY: demo test crash lint clean

demo: $(VENV)/.installed
	@$(BIN)/python -m examples.demo

test: $(VENV)/.installed-dev  # each worker has a store of its own; a named server has one for all tests, so no workers
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile $(PYTEST_ARGS)

crash: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m crash

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	rm -rf build/layers && $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/layers .
	cd build/layers && $(abspath $(BIN))/lint-imports --config $(CURDIR)/pyproject.toml  # as installed: cli and cypher are inside

clean:
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "msce_graph needs Python 3.11 or newer; name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
